/* SPDX-License-Identifier: Apache-2.0 */
#include "sugarscape.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { SIDE = 100, PLACES = SIDE * SIDE };

typedef struct totals {
    int64_t ants, sugar, wealth, births, deaths, grown, eaten, burnt, endowed;
} totals;

static int64_t stored(const char *path, const char *tally)
{
    const dataset d = dataset_read(path, text("/tallies/%s/accumulator", tally));
    cr_assert_eq(d.size, sizeof(int64_t));
    const int64_t value = *(int64_t *)d.bytes;
    free(d.bytes);
    return value;
}

static totals totals_of(const char *path)
{
    return (totals){stored(path, "ants"), stored(path, "sugar"), stored(path, "wealth"), stored(path, "births"),
                    stored(path, "deaths"), stored(path, "grown"), stored(path, "eaten"), stored(path, "burnt"),
                    stored(path, "endowed")};
}

static void expect_state(const char *path, const totals *t)
{
    dataset sugar = dataset_read(path, "/places/grid/sugar"), most = dataset_read(path, "/places/grid/most");
    dataset place = dataset_read(path, "/agents/ants/place"), wealth = dataset_read(path, "/agents/ants/wealth");
    cr_assert(sugar.size == PLACES && place.size == (size_t)t->ants * 8 && wealth.size == (size_t)t->ants * 4);
    const int64_t *places = (int64_t *)place.bytes;
    int64_t lying = 0, held = 0;
    for (int p = 0; p < PLACES; p++) {
        cr_assert_leq(sugar.bytes[p], most.bytes[p]);
        lying += sugar.bytes[p];
    }
    for (int64_t i = 0; i < t->ants; i++) {
        cr_assert(places[i] >= 0 && places[i] < PLACES);
        cr_assert(i == 0 || places[i] > places[i - 1], "two ants on place %d", (int)places[i]);
        const int32_t wealth_of_one = ((int32_t *)wealth.bytes)[i];
        cr_assert_gt(wealth_of_one, 0);
        held += wealth_of_one;
    }
    cr_expect_eq(lying, t->sugar);
    cr_expect_eq(held, t->wealth);
    free(sugar.bytes);
    free(most.bytes);
    free(place.bytes);
    free(wealth.bytes);
}

int64_t expect_conserved(const char *where, const char *activation, int seed, int steps)
{
    static const char *const settings[] = {"--set replace=yes --set landscape=flat", "--set reproduce=25",
                                           "--set replace=yes --set reproduce=25", "--set landscape=flat"};
    const model m = sugarscape_model(SIDE, SIDE, steps, text("--seed %d %s --set ants=1500 --set activation=%s", seed,
                                                             settings[seed % 4], activation));
    const char *folder = folder_make();
    engine_result(text("%s --steps 0 --checkpoint %s %s", m.options, folder, where));
    engine_result(text("%s --steps %d --checkpoint %s --checkpoint-every 1 --keep 0 %s", m.options, steps, folder,
                       where));
    totals before = totals_of(checkpoint_path(folder, 0));
    expect_state(checkpoint_path(folder, 0), &before);
    int64_t taken = 0;
    for (int step = 1; step <= steps; step++) {
        const char *path = checkpoint_path(folder, (uint64_t)step);
        const totals now = totals_of(path);
        expect_state(path, &now);
        cr_expect_eq(now.sugar - before.sugar, (now.grown - before.grown) - (now.eaten - before.eaten));
        cr_expect_eq(now.wealth - before.wealth, (now.eaten - before.eaten) - (now.burnt - before.burnt) +
                                                     (now.endowed - before.endowed));
        cr_expect_eq(now.ants - before.ants, (now.births - before.births) - (now.deaths - before.deaths));
        taken += before.ants;
        before = now;
    }
    folder_empty(folder);
    return taken;
}
