/* SPDX-License-Identifier: Apache-2.0 */
/* manage against a sequential reference, in small cases of every kind, and against itself in large ones. */
#include "cpu/kernels.h"
#include "manage_case.h"
#include "manage_reference.h"
#include "../extended.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <string.h>

static uint64_t manage_on(int threads, const mass_manage_work *w, mass_cpu_manage_scratch *scratch)
{
    return mass_cpu_manage(w, scratch, team_of(threads), threads);
}

/* Half of them by seats, where these can be. */
static shape any_case(uint64_t seed)
{
    shape s = any_shape(seed);
    s.occupancy = seed / 4 % 2;
    if (s.occupancy && seed % 3) s.capacity = 1;
    return s;
}

/* Agents that stayed in their arrays, to the others. */
static void take_over(population *p)
{
    const mass_manage_work *w = &p->w;
    memcpy(w->id_to, w->id, p->count * sizeof *w->id);
    memcpy(w->cell_to, w->cell, p->count * sizeof *w->cell);
    memcpy(w->lost_to, w->lost, p->count);
    for (int i = 0; i < ARRAYS; i++) memcpy(p->arrays[i].to, p->arrays[i].from, p->count * p->arrays[i].size);
}

/* Whether agents stayed in their arrays, as they may. */
static bool expect_as_reference(const shape *s, mass_cpu_manage_scratch *scratch, int threads, const char *name)
{
    shape by_starts = *s;
    bool stayed = false;
    by_starts.occupancy = false;
    population *const got = make(s), *const expected = make(&by_starts);
    if (s->seed % 5) got->w.stayed = &stayed;
    const uint64_t after = manage_reference(&expected->w), total = manage_on(threads, &got->w, scratch);
    cr_assert_eq(total, after, "%s: %zu agents, not %zu", name, (size_t)total, (size_t)after);
    if (stayed) take_over(got);
    expect_same(got, expected, after > s->room ? s->room : after, name);
    if (after <= s->room) expect_children(got, expected, name);
    discard(got);
    discard(expected);
    return stayed;
}

Test(manage, any_small_case_is_as_the_reference)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    const uint64_t cases = (uint64_t)extended(unsanitized(600, 2000), 10000);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        const shape s = any_case(seed);
        const int threads = 1 + (int)seed % 4;
        expect_as_reference(&s, &scratch, threads, name_of(&s, threads));
    }
    mass_cpu_manage_free(&scratch);
}

/* Places that threads share out, with few births or many, and with some agents too many or none. */
Test(manage, cases_of_many_places_are_as_the_reference)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t r = seed;
        shape s = any_case(seed);
        s.places = 1 + below(&r, 200);
        s.agents = below(&r, 2 + 2 * (uint32_t)s.places);
        s.capacity = below(&r, 2) ? 1 : s.capacity;
        s.motion = below(&r, 3) ? s.motion : NONE_MOVES;
        s.overfull = below(&r, 8) == 0;
        s.room = s.agents * (1 + s.children) + below(&r, 5);
        const int threads = 1 + (int)seed % 4;
        expect_as_reference(&s, &scratch, threads, name_of(&s, threads));
    }
    mass_cpu_manage_free(&scratch);
}

/* Agents that stay where they are, of which some die, and have a child there: those of other places are out of the way
 * of each other. */
Test(manage, who_is_replaced_stays_in_place)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    int in_place = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const shape s = {.seed = seed, .places = 1 + (int64_t)seed, .worlds = 1 + (int32_t)seed % 3, .capacity = 1,
                         .agents = (uint32_t)seed / 2, .order = 1, .children = seed % 3 > 0, .room = 2 * (uint32_t)seed,
                         .motion = NONE_MOVES, .deaths = seed % 3 > 0, .replaced = true, .occupancy = true};
        const int threads = 1 + (int)seed % 4;
        in_place += expect_as_reference(&s, &scratch, threads, name_of(&s, threads));
    }
    cr_assert_gt(in_place, 100);
    mass_cpu_manage_free(&scratch);
}

/* Some of them, or of the others, ask for the place where they are. */
Test(manage, who_is_replaced_may_ask_for_its_own_place)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const shape s = {.seed = seed, .places = 40 * (int64_t)seed, .worlds = 1 + (int32_t)seed % 3, .capacity = 1,
                         .agents = 12 * (uint32_t)seed, .order = 1, .children = 1, .room = 12 * (uint32_t)seed,
                         .motion = NONE_MOVES, .occupancy = true};
        const int threads = 1 + (int)seed % 4;
        uint64_t r = seed;
        bool stayed = false;
        population *const p = make(&s);
        p->w.stayed = &stayed;
        for (uint32_t i = 0; i < p->count; i++) {
            const bool dies = below(&r, 20) == 0;
            p->w.asked[i] = dies ? MASS_ASKED_KILL | 1 : 0;
            p->w.child_cell[i] = below(&r, 2) ? p->w.cell[i] : MASS_CELL_STAY;
            if (below(&r, 10) == 0) p->w.move[i] = p->w.cell[i];
        }
        cr_assert_eq(manage_on(threads, &p->w, &scratch), p->count, "%s", name_of(&s, threads));
        cr_assert(stayed, "%s", name_of(&s, threads));
        for (uint32_t i = 0; i < p->count; i++)
            cr_assert(p->w.move[i] == MASS_CELL_STAY && p->w.asked[i] == 0, "%s", name_of(&s, threads));
        discard(p);
    }
    mass_cpu_manage_free(&scratch);
}

/* In worlds of which some are closed, and with some cells that hold too many. */
Test(manage, few_that_ask_are_as_the_reference)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t r = seed;
        shape s = any_case(seed);
        s.places = 1 + below(&r, seed % 3 ? 300 : 3000);
        s.agents = below(&r, 1 + (uint32_t)s.places);
        s.capacity = 1;
        s.children = 0;
        s.motion = FEW_MOVE;
        s.overfull = below(&r, 8) == 0;
        s.room = s.agents + below(&r, 5);
        const int threads = 1 + (int)seed % 4;
        expect_as_reference(&s, &scratch, threads, name_of(&s, threads));
    }
    mass_cpu_manage_free(&scratch);
}

Test(manage, a_full_ring_rotates)
{
    for (uint32_t capacity = 1; capacity <= 4; capacity++) {
        const shape s = {.seed = capacity, .places = 50, .worlds = 1, .agents = 50 * capacity, .capacity = capacity,
                         .room = 50 * capacity, .motion = ALL_STEP};
        population *const p = make(&s);
        for (uint32_t i = 0; i < p->count; i++) p->w.move[i] = (p->w.cell[i] + 1) % 50;
        mass_cpu_manage_scratch scratch = {.part = 1};
        cr_assert_eq(manage_on(2, &p->w, &scratch), s.agents);
        for (uint32_t i = 0; i < p->count; i++) cr_assert_eq(p->w.lost_to[i], 0, "agent %u of %u", i, capacity);
        mass_cpu_manage_free(&scratch);
        discard(p);
    }
}

/* With one agent a place the chain goes through the whole line, whatever parts it lies in. */
Test(manage, a_full_line_stops_behind_one_that_stays)
{
    const shape s = {.seed = 1, .places = 5000, .worlds = 1, .agents = 5000, .capacity = 1, .room = 5000,
                     .motion = NONE_MOVES};
    for (int threads = 1; threads <= 4; threads++) {
        population *const p = make(&s);
        for (uint32_t i = 0; i < 4999; i++) p->w.move[i] = i + 1;
        mass_cpu_manage_scratch scratch = {.part = 1};
        cr_assert_eq(manage_on(threads, &p->w, &scratch), s.agents);
        for (uint32_t i = 0; i < 5000; i++) cr_assert_eq(p->w.lost_to[i], i < 4999, "agent %u", i);
        mass_cpu_manage_free(&scratch);
        discard(p);
    }
}

/* One room after the other, until the births fit. */
Test(manage, room_too_small_changes_nothing)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    int small = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        shape s = any_case(seed);
        s.children = 1 + s.children % CHILDREN_MAX;
        for (s.room = s.agents; s.room < s.agents + 20; s.room++) {
            population *const got = make(&s), *const before = make(&s);
            const uint64_t total = manage_on(1 + (int)seed % 4, &got->w, &scratch);
            if (total > s.room) {
                expect_same(got, before, s.room, name_of(&s, 0));
                expect_children(got, before, name_of(&s, 0));
                small++;
            }
            discard(got);
            discard(before);
            if (total <= s.room) break;
            expect_as_reference(&s, &scratch, 2, name_of(&s, 2));
        }
    }
    cr_assert_gt(small, 100);
    mass_cpu_manage_free(&scratch);
}

static void expect_same_bits(const shape *s)
{
    mass_cpu_manage_scratch scratch = {0};
    population *const alone = make(s);
    const uint64_t total = manage_on(1, &alone->w, &scratch);
    cr_assert_leq(total, s->room);
    for (int threads = 2; threads <= 5; threads++) {
        if (!takes_part((size_t)s->seed + (size_t)threads, 4)) continue;
        population *const p = make(s);
        cr_assert_eq(manage_on(threads, &p->w, &scratch), total);
        expect_same(p, alone, total, name_of(s, threads));
        discard(p);
    }
    discard(alone);
    mass_cpu_manage_free(&scratch);
}

Test(manage, any_number_of_threads_gives_the_same_bits)
{
    for (uint32_t i = 0; i < 18; i++) {
        const shape s = {.seed = i, .places = 20000, .worlds = 2, .agents = 40000, .capacity = i % 3,
                         .conflict = i / 3 % 3, .priority_type = MASS_F32, .order = i % 3, .children = i / 9 * 2,
                         .room = 120000, .motion = i % MOTIONS, .gates = i % 5 == 0, .deaths = i % 2};
        expect_same_bits(&s);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const shape s = {.seed = i, .places = 50000, .worlds = 2, .agents = 50000, .capacity = 1, .conflict = i,
                         .priority_type = MASS_F32, .room = 50000, .motion = FEW_MOVE, .gates = i == 1,
                         .deaths = i == 2};
        expect_same_bits(&s);
    }
    for (uint32_t i = 0; i < 12; i++) {
        const shape s = {.seed = i, .places = 50000, .worlds = 2, .agents = 40000, .capacity = 1,
                         .conflict = MASS_LOTTERY, .order = i % 3, .children = i % 2, .room = 120000,
                         .motion = i % 4 == 3 ? NONE_MOVES : ANY_CELL, .gates = i == 1, .deaths = i != 2,
                         .occupancy = true};
        expect_same_bits(&s);
    }
}

/* All of them, from everywhere: lists as long as there are agents. */
Test(manage, all_may_want_the_same_cells)
{
    for (uint32_t capacity = 0; capacity <= 2; capacity++) {
        const shape s = {.seed = 1, .places = 60000, .worlds = 1, .agents = 60000, .capacity = 1000 * capacity,
                         .conflict = MASS_LOTTERY, .room = 60000, .motion = FEW_CELLS};
        expect_same_bits(&s);
    }
}
