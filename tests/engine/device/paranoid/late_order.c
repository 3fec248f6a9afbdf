/* SPDX-License-Identifier: Apache-2.0 */
/* The other order of a phase in turn: all act once, and those that may matter to each other keep their order. */
#include "device/paranoid/late_order.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>

enum { WORLDS = 3, CLOSED = 1, ACTORS_MOST = 2000 };

typedef struct ground {
    int64_t size[3];
    int32_t reach;
    uint32_t torus;
    bool agents; /* one or two on every third place; else places act */
} ground;

static uint32_t order[ACTORS_MOST], late[ACTORS_MOST], cell[ACTORS_MOST], start[ACTORS_MOST + 1], moment[ACTORS_MOST];
static uint64_t id[ACTORS_MOST];

/* Makes a shuffled order of each world's actors. Returns the number of all. */
static uint32_t shuffle(const ground *g, int64_t places)
{
    uint32_t count = 0;
    for (int64_t c = 0; c < WORLDS * places; c++) {
        start[c] = count;
        for (int k = g->agents ? (int)(c % 3 == 0) + (c % 6 == 0) : 1; k > 0; k--) cell[count++] = (uint32_t)c;
    }
    start[WORLDS * places] = count;
    cr_assert_lt(count, ACTORS_MOST);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (int w = 0; w < WORLDS; w++)
        for (uint32_t first = start[w * places], i = start[(w + 1) * places]; i > first + 1; i--) {
            const uint32_t k = first + mass_random_block(7, i, 0, 0, 0).v[0] % (i - first), other = order[k];
            order[k] = order[i - 1];
            order[i - 1] = other;
        }
    return count;
}

static int64_t distance(const ground *g, uint32_t a, uint32_t b)
{
    int64_t of_a = cell[a], of_b = cell[b], most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = g->size[axis], across = llabs(of_a % n - of_b % n);
        const int64_t by = g->torus >> axis & 1 && n - across < across ? n - across : across;
        if (by > most) most = by;
        of_a /= n, of_b /= n;
    }
    return most;
}

static void expect_kept(const ground *g, bool expected)
{
    const uint32_t gates[WORLDS] = {[CLOSED] = 1};
    const int64_t places = g->size[0] * g->size[1] * g->size[2];
    const uint32_t count = shuffle(g, places);
    mass_turn turn = {.order = order, .populations = {{.count = count}},
                      .scope = {.meets = g->reach, .changes = g->reach, .sees = g->reach}};
    mass_launch l = {.worlds = WORLDS, .reach = g->reach, .torus = g->torus, .gates = gates, .turn = &turn,
                     .size = {g->size[0], g->size[1], g->size[2]}};
    if (g->agents) l.populations[0] = (mass_agents){.id = id, .cell = cell, .start = start, .places = places};
    mass_error error = {0};
    bool differs = !expected;
    cr_assert_eq(mass_late_order(&l, late, &differs, &error), MASS_OK);
    cr_assert_eq(differs, expected);
    for (int w = 0; w < WORLDS; w++) {
        const uint32_t first = start[w * places], end = start[(w + 1) * places];
        if (w == CLOSED) continue;
        for (uint32_t k = first; k < end; k++) moment[k] = 0;
        for (uint32_t k = first; k < end; k++) {
            cr_assert(late[k] >= first && late[k] < end && moment[late[k]] == 0, "%u", late[k]);
            moment[late[k]] = k + 1;
        }
        for (uint32_t a = first; a < end; a++)
            for (uint32_t b = a + 1; b < end; b++)
                if (distance(g, order[a], order[b]) <= 2 * g->reach)
                    cr_assert_lt(moment[order[a]], moment[order[b]], "%u and %u", order[a], order[b]);
    }
}

Test(late_order, keeps_that_of_those_who_may_matter_to_each_other)
{
    static const ground grounds[] = {{{8, 8, 1}, 1, 0, false}, {{8, 8, 1}, 1, 3, true}, {{30, 1, 1}, 0, 1, true},
                                     {{7, 6, 5}, 1, 5, false}, {{40, 9, 1}, 3, 2, true}};
    static const ground close[] = {{{5, 5, 1}, 2, 0, false}, {{1, 1, 1}, 1, 7, false}, {{5, 4, 3}, 3, 0, true}};
    for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) expect_kept(&grounds[i], true);
    for (size_t i = 0; i < sizeof close / sizeof *close; i++) expect_kept(&close[i], false);
}
