/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of agents by place, and the canonical order after a phase in turn: any number of threads gives what a plain
 * loop gives. */
#include "cpu/kernels.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 2, PLACES = 1000, CELLS = WORLDS * PLACES, CHILDREN = 2, ROWS_MOST = 3 * 2 * CELLS, THREADS_MOST = 5 };

static mass_turn_agent agents[ROWS_MOST];
static uint32_t first[CELLS], cell[ROWS_MOST], from_of[ROWS_MOST], start[CELLS + 1], cell_to[ROWS_MOST], count;
static uint64_t ids[ROWS_MOST], id_to[ROWS_MOST], next_id[WORLDS];
static uint8_t lost[ROWS_MOST], lost_to[ROWS_MOST];
static uint32_t words[ROWS_MOST], words_to[ROWS_MOST];
static struct { char bytes[3]; } threes[ROWS_MOST], threes_to[ROWS_MOST];
static mass_seats occupancy[CELLS / 32 + 1];
static int64_t counts[3 * WORLDS], tally[WORLDS];

static uint32_t draw(uint32_t number, uint32_t what) { return mass_random_block(9, number, what, 0, 0).v[0]; }

/* Puts agents on cells, at most one on each if `alone`. They are in canonical order. */
static mass_turn_population populate(bool alone)
{
    mass_turn_population t = {.agents = agents, .first = first, .id = ids, .children = CHILDREN,
                              .born = counts, .died = counts + WORLDS, .unborn = counts + 2 * WORLDS};
    for (uint32_t c = 0; c < CELLS; c++) {
        first[c] = MASS_NOBODY;
        for (uint32_t k = draw(c, 1) % (alone ? 2 : 3); k > 0; k--) cell[t.count++] = c;
    }
    for (uint32_t i = 0; i < t.count * (1 + CHILDREN); i++) {
        ids[i] = i < t.count ? i * 3 : UINT64_MAX;
        lost[i] = i % 5 == 0;
        words[i] = i * 7;
        memset(&threes[i], (int)(i % 251), sizeof threes[i]);
    }
    return t;
}

/* Puts an agent behind the others of a cell that come before it. */
static void put(const mass_turn_population *t, uint32_t agent, uint32_t to)
{
    uint32_t *at = &t->first[to];
    while (*at != MASS_NOBODY && *at < agent) at = &t->agents[*at].next;
    t->agents[agent] = (mass_turn_agent){to, *at};
    *at = agent;
}

static void take(const mass_turn_population *t, uint32_t agent)
{
    uint32_t *at = &t->first[t->agents[agent].cell];
    while (*at != agent) at = &t->agents[*at].next;
    *at = t->agents[agent].next;
    t->agents[agent].cell = MASS_CELL_NOWHERE;
}

/* Lets agents die, move anywhere in their world, and bear children. */
static void live(const mass_turn_population *t, bool alone)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const uint32_t what = draw(i, 2), world = cell[i] / PLACES;
        const uint32_t to = world * PLACES + draw(i, 3) % PLACES, child = world * PLACES + draw(i, 4) % PLACES;
        if (what % 4 == 0) take(t, i);
        if (what % 4 == 1 && (!alone || t->first[to] == MASS_NOBODY)) {
            take(t, i);
            put(t, i, to);
        }
        if (what / 4 % 3 == 0 && (!alone || t->first[child] == MASS_NOBODY))
            put(t, t->count + i * CHILDREN + what % CHILDREN, child);
    }
}

static void expect_listed(const mass_turn_population *t)
{
    uint32_t agent = 0;
    for (uint32_t c = 0; c < CELLS; c++) {
        uint32_t i = first[c];
        for (; agent < t->count && cell[agent] == c; i = agents[i].next, agent++) {
            cr_assert_eq(i, agent);
            cr_assert_eq(agents[i].cell, c);
        }
        cr_assert_eq(i, MASS_NOBODY);
    }
    for (uint32_t i = t->count; i < t->count * (1 + CHILDREN); i++) cr_assert_eq(agents[i].cell, MASS_CELL_NOWHERE);
}

/* Brings agents back to order, and compares with their lists. */
static void expect_restored(const mass_turn_population *t, bool alone, mass_cpu_team *team, int threads)
{
    static uint32_t list[ROWS_MOST], at[ROWS_MOST];
    const mass_turn_column columns[] = {{words, words_to, sizeof *words}, {threes, threes_to, sizeof *threes}};
    const mass_turn_restore_work w = {.population = t, .places = PLACES, .worlds = WORLDS, .next_id = next_id,
        .count = &count, .start = start, .occupancy = alone ? occupancy : NULL, .id_to = id_to, .cell_to = cell_to,
        .lost = lost, .lost_to = lost_to, .column_count = 2, .columns = columns, .from_of = from_of,
        .tallies = {NULL, tally, NULL}};
    uint32_t listed = 0;
    for (uint32_t c = 0; c < CELLS; c++)
        for (uint32_t i = first[c]; i != MASS_NOBODY; i = agents[i].next) {
            at[listed] = c;
            list[listed++] = i;
        }
    next_id[0] = 10000, next_id[1] = 20000;
    tally[1] = 5, counts[WORLDS + 1] = 3;
    mass_cpu_turn_restore(&w, team, threads);
    cr_assert_eq(count, listed);
    cr_assert_eq(tally[1], 8);
    uint64_t ids_now[WORLDS] = {10000, 20000};
    for (uint32_t i = t->count; i < t->count * (1 + CHILDREN); i++)
        if (agents[i].cell != MASS_CELL_NOWHERE) cr_assert_eq(ids[i], ids_now[agents[i].cell / PLACES]++);
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t from = list[i];
        cr_assert(id_to[i] == ids[from] && cell_to[i] == at[i] && words_to[i] == words[from]);
        cr_assert(lost_to[i] == (from < t->count ? lost[from] : 0));
        cr_assert_eq(memcmp(&threes_to[i], &threes[from], sizeof *threes), 0);
    }
    for (uint32_t c = 0, before = 0; c <= CELLS; c++) {
        while (before < listed && at[before] < c) before++;
        const mass_seats s = occupancy[c / 32];
        if (alone) cr_assert_eq(s.before + (uint32_t)__builtin_popcount(s.held & ((1u << c % 32) - 1)), before);
        if (!alone || c % PLACES == 0) cr_assert_eq(start[c], before);
        if (c < CELLS) cr_assert_eq(first[c], MASS_NOBODY);
    }
}

Test(turn_lists, are_those_of_a_plain_loop)
{
    mass_cpu_team *const team = mass_cpu_team_create(THREADS_MOST, NULL);
    for (int alone = 0; alone < 2; alone++)
        for (int threads = 1; threads <= THREADS_MOST; threads++) {
            mass_turn_population t = populate(alone);
            mass_cpu_turn_list(&t, cell, team, threads);
            expect_listed(&t);
            live(&t, alone);
            expect_restored(&t, alone, team, threads);
        }
    mass_cpu_team_stop(team);
}
