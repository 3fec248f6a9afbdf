/* SPDX-License-Identifier: Apache-2.0 */
/* manage of agents that are in no order, or keep theirs, against what it does to the same agents in order. */
#include "cpu/kernels.h"
#include "manage_case.h"
#include "manage_reference.h"
#include "../extended.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static shape unsorted_shape(uint64_t seed)
{
    uint64_t r = seed;
    shape s = any_shape(seed);
    s.capacity = 1;
    s.children = below(&r, 2);
    s.deaths = below(&r, 2);
    s.gates = s.overfull = false;
    s.places = 1 + below(&r, seed % 3 ? 12 : 300);
    s.agents = below(&r, 1 + (uint32_t)s.places * (uint32_t)s.worlds);
    s.room = s.agents * (1 + s.children) + below(&r, 5);
    s.occupancy = true;
    return s;
}

/* Priorities are an attribute of agents. */
static void make_priorities_values(population *p)
{
    const bool narrow = p->w.priority_type == MASS_I32 || p->w.priority_type == MASS_U32 ||
                        p->w.priority_type == MASS_F32;
    const mass_agent_array *const a = &p->arrays[narrow ? 2 : 3];
    memcpy((void *)a->from, p->w.priority, p->w.room * a->size);
    free((void *)p->w.priority);
    p->w.priority = a->from;
}

static void discard_all(population *p)
{
    p->w.priority = NULL;
    discard(p);
}

static population *make_ordered(const shape *s)
{
    population *const p = make(s);
    make_priorities_values(p);
    return p;
}

static void arrange(const void *array, size_t size, size_t rows, size_t room, const uint32_t *by, uint32_t n)
{
    char *const old = malloc(n * size + 1);
    cr_assert(old);
    for (size_t row = 0; array && row < rows; row++) {
        char *const at = (char *)array + row * room * size;
        memcpy(old, at, n * size);
        for (uint32_t i = 0; i < n; i++) memcpy(at + i * size, old + by[i] * size, size);
    }
    free(old);
}

/* Agent i becomes what by[i] was. */
static void arrange_agents(population *p, const uint32_t *by)
{
    const mass_manage_work *w = &p->w;
    const uint32_t n = p->count;
    arrange(w->id, 8, 1, w->room, by, n);
    arrange(w->cell, 4, 1, w->room, by, n);
    arrange(w->lost, 1, 1, w->room, by, n);
    arrange(w->move, 4, 1, w->room, by, n);
    arrange(w->asked, 4, 1, w->room, by, n);
    arrange(w->child_cell, 4, w->children, w->room, by, n);
    for (int i = 0; i < ARRAYS; i++) {
        arrange(p->arrays[i].from, p->arrays[i].size, 1, w->room, by, n);
        arrange(p->arrays[i].child, p->arrays[i].size, w->children, w->room, by, n);
    }
}

/* In another order in each world. */
static uint32_t *shuffle(population *p, uint64_t seed)
{
    uint64_t r = seed;
    uint32_t *const by = malloc((p->count + 1) * sizeof *by);
    cr_assert(by);
    for (uint32_t i = 0; i < p->count; i++) by[i] = i;
    for (int32_t world = 0; world < p->w.worlds; world++) {
        const uint32_t first = p->w.start[world * p->w.places], end = p->w.start[(world + 1) * p->w.places];
        for (uint32_t i = end; i > first + 1; i--) {
            const uint32_t k = first + below(&r, i - first), other = by[k];
            by[k] = by[i - 1];
            by[i - 1] = other;
        }
    }
    arrange_agents(p, by);
    p->w.order.finds = MASS_ORDER_ANY;
    return by;
}

static population *make_unsorted(const shape *s)
{
    population *const p = make_ordered(s);
    free(shuffle(p, s->seed));
    return p;
}

static uint64_t manage_on(int threads, population *p)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    bool stayed = false;
    p->w.stayed = &stayed;
    const uint64_t total = mass_cpu_manage(&p->w, &scratch, team_of(threads), threads);
    mass_cpu_manage_free(&scratch);
    if (!stayed) return total;
    memcpy(p->w.id_to, p->w.id, p->count * sizeof *p->w.id);
    memcpy(p->w.cell_to, p->w.cell, p->count * sizeof *p->w.cell);
    memcpy(p->w.lost_to, p->w.lost, p->count);
    for (int i = 0; i < ARRAYS; i++) memcpy(p->arrays[i].to, p->arrays[i].from, p->count * p->arrays[i].size);
    return total;
}

static population *make_reference(const shape *s, uint64_t *after)
{
    shape by_starts = *s;
    by_starts.occupancy = false;
    population *const p = make_ordered(&by_starts);
    *after = manage_reference(&p->w);
    return p;
}

Test(manage_unsorted, any_case_comes_into_order)
{
    const uint64_t cases = (uint64_t)extended(unsanitized(600, 2000), 10000);
    int shuffled = 0;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        const shape s = unsorted_shape(seed);
        const int threads = 1 + (int)seed % 4;
        uint64_t after;
        population *const got = make_unsorted(&s), *const expected = make_reference(&s, &after);
        for (uint32_t i = 1; i < got->count; i++) shuffled += got->w.cell[i] < got->w.cell[i - 1];
        cr_assert_eq(manage_on(threads, got), after, "%s", name_of(&s, threads));
        if (after <= s.room) expect_same(got, expected, after, name_of(&s, threads));
        if (after <= s.room) expect_children(got, expected, name_of(&s, threads));
        discard_all(got);
        discard_all(expected);
    }
    cr_assert_gt(shuffled, 1000);
}

/* One agent in `among` asks for something: several for the same cells, some for those where others are who ask, too,
 * for their own or for none. */
static void ask_few(population *p, uint64_t seed, uint32_t among)
{
    const mass_manage_work *w = &p->w;
    uint64_t r = seed;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        w->move[i] = MASS_CELL_STAY;
        if (below(&r, among)) continue;
        const uint32_t places = (uint32_t)w->places, world = w->cell[i] / places * places, kind = below(&r, 8);
        w->move[i] = kind == 0 ? w->cell[i] : kind == 1 ? MASS_CELL_NOWHERE
                     : kind < 4 && asked / places * places == world ? asked : world + below(&r, places);
        asked = kind < 6 ? w->move[i] : w->cell[i];
        if (asked >= MASS_CELL_REMOTE) asked = w->cell[i];
    }
}

Test(manage_unsorted, few_that_ask_are_as_the_reference)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint64_t r = seed, after;
        shape s = unsorted_shape(seed);
        const int threads = 1 + (int)seed % 4;
        const uint32_t among = seed % 5 ? 100 + below(&r, 500) : 10 + below(&r, 20);
        s.children = 0;
        s.deaths = false;
        s.places = 1000 + below(&r, 4000);
        s.agents = below(&r, 1 + (uint32_t)s.places * (uint32_t)s.worlds);
        s.room = s.agents;
        shape by_starts = s;
        by_starts.occupancy = false;
        population *const got = make_ordered(&s), *const expected = make_ordered(&by_starts);
        ask_few(got, seed, among);
        ask_few(expected, seed, among);
        after = manage_reference(&expected->w);
        free(shuffle(got, seed));
        cr_assert_eq(manage_on(threads, got), after, "%s", name_of(&s, threads));
        expect_same(got, expected, after, name_of(&s, threads));
        discard_all(got);
        discard_all(expected);
    }
}

/* What a manage that keeps the order leaves, as one that makes it would. */
static void take_kept(population *p)
{
    uint32_t *const by = malloc((p->count + 1) * sizeof *by);
    cr_assert(by);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t at = 0;
        for (uint32_t k = 0; k < p->count; k++) at += p->w.cell[k] < p->w.cell[i];
        by[at] = i;
    }
    arrange_agents(p, by);
    memcpy(p->w.id_to, p->w.id, p->count * sizeof *p->w.id);
    for (int i = 0; i < ARRAYS; i++) memcpy(p->arrays[i].to, p->arrays[i].from, p->count * p->arrays[i].size);
    free(by);
}

/* Has the manage keep the order. */
static void keep(population *p)
{
    free(p->w.cell_to);
    free(p->w.lost_to);
    p->w.cell_to = (uint32_t *)p->w.cell;
    p->w.lost_to = (uint8_t *)p->w.lost;
    p->w.order.leaves = MASS_ORDER_ANY;
}

static void discard_kept(population *p)
{
    p->w.cell_to = NULL;
    p->w.lost_to = NULL;
    discard_all(p);
}

Test(manage_unsorted, who_keeps_the_order_only_changes_cells)
{
    const uint64_t cases = (uint64_t)extended(unsanitized(600, 2000), 10000);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        shape s = unsorted_shape(seed);
        const int threads = 1 + (int)seed % 4;
        uint64_t after;
        s.children = 0;
        s.deaths = false;
        s.room = s.agents;
        population *const got = make_ordered(&s), *const expected = make_reference(&s, &after);
        uint64_t *const id = malloc(s.room * sizeof *id + 1);
        if (seed % 2) free(shuffle(got, seed));
        keep(got);
        memcpy(id, got->w.id, got->count * sizeof *id);
        cr_assert_eq(manage_on(threads, got), after, "%s", name_of(&s, threads));
        expect_bytes("ids", got->w.id, id, got->count * sizeof *id, name_of(&s, threads));
        take_kept(got);
        expect_same(got, expected, after, name_of(&s, threads));
        free(id);
        discard_kept(got);
        discard_all(expected);
    }
}

static void expect_unchanged(const population *got, const population *before, const char *name)
{
    const mass_manage_work *g = &got->w, *b = &before->w;
    expect_bytes("ids as they were", g->id, b->id, got->count * sizeof *g->id, name);
    expect_bytes("cells as they were", g->cell, b->cell, got->count * sizeof *g->cell, name);
    expect_bytes("lost flags as they were", g->lost, b->lost, got->count, name);
    expect_bytes("requests to move", g->move, b->move, got->count * sizeof *g->move, name);
    expect_bytes("requests to be born or die", g->asked, b->asked, got->count * sizeof *g->asked, name);
    expect_bytes("next ids", got->next_id, before->next_id, sizeof got->next_id, name);
    expect_bytes("tallies", got->tallies, before->tallies, sizeof got->tallies, name);
    expect_bytes("seats", g->occupancy, b->occupancy,
                 ((size_t)(g->places * g->worlds) / 32 + 1) * sizeof *g->occupancy, name);
    for (int i = 0; i < ARRAYS; i++)
        expect_bytes("attributes", got->arrays[i].from, before->arrays[i].from, got->count * got->arrays[i].size, name);
    expect_children(got, before, name);
}

Test(manage_unsorted, who_keeps_the_order_may_not_die_or_be_born)
{
    int changes = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        const shape s = unsorted_shape(seed);
        population *const got = make_unsorted(&s), *const before = make_unsorted(&s);
        uint32_t asked = 0;
        keep(got);
        for (uint32_t i = 0; i < got->count; i++) asked |= got->w.asked[i];
        if (asked) {
            cr_assert_eq(manage_on(1 + (int)seed % 4, got), MASS_MANAGE_CHANGES, "%s", name_of(&s, 0));
            expect_unchanged(got, before, name_of(&s, 0));
            changes++;
        }
        discard_kept(got);
        discard_all(before);
    }
    cr_assert_gt(changes, 100);
}

/* But for their order, which they may have found. */
Test(manage_unsorted, room_too_small_changes_no_agent)
{
    int small = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        shape s = unsorted_shape(seed);
        s.children = 1;
        s.room = s.agents;
        population *const got = make_unsorted(&s), *const before = make_ordered(&s);
        if (manage_on(1 + (int)seed % 4, got) > s.room) {
            expect_unchanged(got, before, name_of(&s, 0));
            small++;
        }
        discard_all(got);
        discard_all(before);
    }
    cr_assert_gt(small, 50);
}

static void expect_same_bits(const shape *s, bool keeps)
{
    population *alone = NULL;
    uint64_t total = 0;
    for (int threads = 1; threads <= 5; threads++) {
        population *const p = make_unsorted(s);
        if (keeps) keep(p);
        const uint64_t agents = manage_on(threads, p);
        if (!alone) {
            alone = p;
            total = agents;
            continue;
        }
        cr_assert_eq(agents, total);
        if (keeps) expect_unchanged(p, alone, name_of(s, threads));
        else expect_same(p, alone, total, name_of(s, threads));
        if (keeps) discard_kept(p);
        else discard_all(p);
    }
    if (keeps) discard_kept(alone);
    else discard_all(alone);
}

Test(manage_unsorted, any_number_of_threads_gives_the_same_bits)
{
    for (uint32_t i = 0; i < 12; i++) {
        shape s = {.seed = i, .places = 50000, .worlds = 2, .agents = 40000, .capacity = 1, .conflict = i % 3,
                   .priority_type = MASS_F32, .order = i % 3, .room = 90000, .motion = i % MOTIONS, .occupancy = true};
        expect_same_bits(&s, true);
        s.children = i % 2;
        s.deaths = i % 3 == 0;
        expect_same_bits(&s, false);
    }
}
