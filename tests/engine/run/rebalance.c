/* SPDX-License-Identifier: Apache-2.0 */
/* Slabs that are cut anew in the middle of a run: it comes to what it comes to on one rank, and ranks that had more to
 * do have less of the space. */
#include "on_ranks.h"

#include "ranks/transfer.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

static void expect_same_recut(const trial *t, int32_t ranks, uint64_t least)
{
    outcome expected = run_on_ranks(t, 1, NULL), found = run_on_ranks(t, ranks, NULL);
    expect_same_outcome(&expected, &found, t->plugin ? t->plugin : "the model");
    cr_expect_geq(found.recuts, least, "%d recuts", (int)found.recuts);
    cr_expect_eq(expected.recuts, 0);
    free_outcome(&expected);
    free_outcome(&found);
}

Test(rebalance, leaves_places_as_they_are)
{
    trial t = {.plugin = "life", .dimensions = 2, .size = {33, 37, 1}, .steps = 60, .rebalance = 4, .pretended = true};
    expect_same_recut(&t, 2, 2);
    expect_same_recut(&t, 5, 5);
    t.partitions = 2;
    expect_same_recut(&t, 3, 5);
    t.worlds = 2;
    expect_same_recut(&t, 4, 5);
}

/* Bounded edges, whose ghosts hold defaults, and slabs that are thinner than what is read around a place. */
Test(rebalance, leaves_edges_as_they_are)
{
    expect_same_recut(&(trial){.plugin = "heat", .settings = {{"radius", "2", NULL}, {"start", "sine", NULL}},
                               .dimensions = 3, .size = {9, 8, 11}, .steps = 40, .rebalance = 3, .pretended = true},
                      4, 5);
}

Test(rebalance, leaves_agents_as_they_are)
{
    expect_same_recut(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {20, 30, 1}, .steps = 60,
                               .rebalance = 4, .pretended = true}, 3, 5);
    expect_same_recut(&(trial){.plugin = "minesweeper", .settings = {{"agents", "40", NULL}}, .dimensions = 2,
                               .size = {16, 24, 1}, .steps = 60, .rebalance = 4, .pretended = true, .worlds = 2}, 4,
                      5);
}

Test(rebalance, moves_what_is_long_in_pieces)
{
    const uint64_t usual = mass_transfer_limit;
    for (mass_transfer_limit = 1; mass_transfer_limit < 300; mass_transfer_limit = mass_transfer_limit * 3 + 4) {
        expect_same_recut(&(trial){.plugin = "heat", .settings = {{"start", "sine", NULL}}, .dimensions = 2,
                                   .size = {6, 15, 1}, .steps = 12, .worlds = 2, .rebalance = 2, .pretended = true}, 3,
                          2);
        expect_same_recut(&(trial){.plugin = "sugarscape", .dimensions = 2, .size = {9, 12, 1}, .steps = 12,
                                   .rebalance = 2, .pretended = true}, 4, 2);
    }
    mass_transfer_limit = usual;
}

Test(rebalance, ends_a_run_where_it_ends_otherwise)
{
    expect_same_recut(&(trial){.plugin = "life", .dimensions = 2, .size = {24, 18, 1}, .steps = 400, .rebalance = 3,
                               .pretended = true, .until = "steady(population, 3) || population < 60"}, 3, 3);
}

/* ---- as measured ---- */

enum { SLOW_ROWS = 6, ROWS = 48 };

static void take_time(void) { nanosleep(&(struct timespec){0, 100000}, NULL); }

MASS_MAP(work, UPDATES(TYPED(value, int64_t)))
{
    OUT(value) = (OUT(value) * 3 + AT_Y + (int64_t)STEP) % 1000003;
    if (AT_Y < SLOW_ROWS) take_time();
}

static void make_uneven(mass_model *m, const void *context, mass_error *e)
{
    (void)context;
    mass_model_add_space(m, &(mass_space){.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {2, ROWS}},
                         NULL, 0, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "value", .type = MASS_I64}, e);
    mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &work}, e);
}

/* What takes time is all in the first slab of four: in the end all but the last have some of it. */
Test(rebalance, spreads_what_takes_time)
{
    const trial t = {.make = make_uneven, .dimensions = 2, .size = {2, ROWS, 1}, .steps = 80, .rebalance = 8};
    outcome expected = run_on_ranks(&t, 1, NULL), found = run_on_ranks(&t, 4, NULL);
    expect_same_outcome(&expected, &found, "the model");
    cr_expect_geq(found.recuts, 1);
    cr_expect_leq(found.rows[0], SLOW_ROWS / 2, "the first rank has %d rows", (int)found.rows[0]);
    cr_expect_geq(found.rows[3], ROWS / 3, "the last rank has %d rows", (int)found.rows[3]);
    free_outcome(&expected);
    free_outcome(&found);
}
