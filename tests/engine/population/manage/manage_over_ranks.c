/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks, in the hosts' memory or on a GPU (manage_part.h), against a sequential reference that knows of no
 * ranks. */
#include "manage_part.h"

#include "../../../extended.h"
#include "../../../kernels/manage_reference.h"
#include "../../comm/threads.h"
#include "cpu/kernels.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 3 };

typedef struct run {
    int ranks;
    int64_t first[RANKS_MAX + 1];
    part *parts[RANKS_MAX];
    int enlarged[RANKS_MAX];
    mass_cpu_team *teams[RANKS_MAX]; /* NULL: the rank has one thread */
    mass_manage_order order;
} run;

/* In a rank's thread. */
static void manage(mass_comm *comm, void *context)
{
    run *const r = context;
    part *const p = r->parts[comm->rank];
    mass_error error = {0};
    int64_t first[RANKS_MAX + 1];
    for (int i = 0; i <= r->ranks; i++) first[i] = number_of_first_place + r->first[i];
    const mass_weights holders = {comm, first, r->teams[comm->rank], 1};
    if (manage_part(p, &holders, &r->enlarged[comm->rank], &error) == MASS_OK) return;
    fprintf(stderr, "rank %d: %s\n", comm->rank, error.text);
    comm->table->abort(comm, 1);
}

static void cut_at(run *r, const population *whole, const shape *s, uint32_t spare)
{
    r->first[0] = 0;
    r->first[r->ranks] = s->places;
    for (int i = 0; i < r->ranks; i++) {
        r->parts[i] = cut_part(whole, s, r->first[i], r->first[i + 1], i == 0, spare);
        r->parts[i]->order = r->order;
    }
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Between any two places, or where there are two or more already. */
static void cut_anywhere(run *r, const shape *s, uint64_t *random)
{
    for (int i = 1; i < r->ranks; i++) r->first[i] = below(random, (uint64_t)s->places + 1);
    qsort(r->first + 1, (size_t)r->ranks - 1, sizeof *r->first, ascending);
}

static void cut_evenly(run *r, const shape *s)
{
    for (int i = 1; i < r->ranks; i++) r->first[i] = s->places * i / r->ranks;
}

static const char *name_of_run(const run *r, const shape *s)
{
    static char name[400];
    int n = snprintf(name, sizeof name, "%s, ranks at", name_of(s, 1));
    for (int i = 0; i <= r->ranks; i++) n += snprintf(name + n, sizeof name - (size_t)n, " %d", (int)r->first[i]);
    return name;
}

/* The agents of `whole`, and what they ask for, over ranks with `spare` room. Returns how many had to make more. */
static int expect_as_reference(run *r, population *whole, population *expected, const shape *s, uint32_t spare)
{
    number_of_first_place = r->ranks % 2 ? (int64_t)5 << 32 | 7 : 0;
    cut_at(r, whole, s, spare);
    const uint64_t after = manage_reference(&expected->w);
    const char *const name = name_of_run(r, s);
    cr_assert_leq(after, s->room);
    open_parts();
    mass_run_as_ranks(r->ranks, manage, r);
    put_together(whole, r->parts, r->ranks);
    expect_same(whole, expected, after, name);
    expect_children(whole, expected, name);
    int enlarged = 0;
    for (int i = 0; i < r->ranks; i++) {
        enlarged += r->enlarged[i];
        discard_part(r->parts[i]);
    }
    return enlarged;
}

/* Of so many threads, 0: none. They are kept for other cases. */
static mass_cpu_team *team_of_rank(int rank, int threads)
{
    static mass_cpu_team *teams[RANKS_MAX][THREADS_MAX + 1];
    mass_cpu_team **const team = &teams[rank][threads];
    if (threads && !*team) *team = mass_cpu_team_create(threads, NULL);
    return *team;
}

/* Agents in no order take priorities along, as an attribute. */
static void make_priorities_values(population *p)
{
    const mass_manage_work *const w = &p->w;
    const mass_agent_array *const a = &p->arrays[array_of_priorities(w)];
    memcpy((void *)a->from, w->priority, w->room * a->size);
}

/* One agent in `among` asks to move: several for the same places, some for those where others are who ask, too. */
static void ask_few(population *p, uint64_t seed, uint32_t among)
{
    const mass_manage_work *const w = &p->w;
    uint64_t random = seed;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        w->move[i] = MASS_CELL_STAY;
        if (below(&random, among)) continue;
        const uint32_t kind = below(&random, 8);
        w->move[i] = kind == 0 ? MASS_CELL_NOWHERE : kind < 4 ? asked : below(&random, (uint64_t)w->places);
        asked = kind < 6 ? w->move[i] : w->cell[i];
        if (asked >= MASS_CELL_REMOTE) asked = w->cell[i];
    }
}

static const mass_manage_order SORTED = {MASS_ORDER_SORTED, MASS_ORDER_SORTED};

/* Most find or leave any order. */
static mass_manage_order order_of(uint64_t seed)
{
    return (mass_manage_order){seed % 4 ? MASS_ORDER_ANY : MASS_ORDER_SORTED,
                               seed % 2 ? MASS_ORDER_ANY : MASS_ORDER_SORTED};
}

/* among 0: as many ask as the shape says. */
static int expect_case(const shape *any, mass_manage_order order, uint32_t among, uint64_t *random)
{
    shape own = *any;
    const shape *const s = &own;
    own.overfull &= takes_overfull(s->capacity);
    population *const whole = make(s), *const expected = make(s);
    run r = {.ranks = 2 + (int)below(random, RANKS_MAX - 1), .order = order};
    if (among) ask_few(whole, own.seed, among);
    if (among) ask_few(expected, own.seed, among);
    if (mass_manage_has_any(order)) make_priorities_values(whole);
    if (mass_manage_has_any(order)) make_priorities_values(expected);
    for (int i = 0; i < r.ranks; i++) r.teams[i] = team_of_rank(i, (int)below(random, THREADS_MAX + 1));
    cut_anywhere(&r, s, random);
    const int enlarged = expect_as_reference(&r, whole, expected, s, below(random, 4));
    discard(whole);
    discard(expected);
    return enlarged;
}

Test(manage_over_ranks, any_case_cut_anywhere_is_as_the_reference)
{
    const uint64_t cases = (uint64_t)extended(400, 10000);
    int enlarged = 0;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        uint64_t random = seed;
        const shape s = any_shape(seed);
        enlarged += expect_case(&s, SORTED, 0, &random);
    }
    cr_assert_gt(enlarged, 50, "%d", enlarged);
    cr_assert(queued_parts() == -1 || queued_parts() > 50, "%d", queued_parts());
}

/* Of more places, so that chains go a long way. */
Test(manage_over_ranks, cases_of_many_places_are_as_the_reference)
{
    const uint64_t cases = (uint64_t)extended(100, 2000);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        uint64_t random = seed;
        shape s = any_shape(seed);
        s.places = 1 + below(&random, 200);
        s.agents = below(&random, 2 + 2 * (uint32_t)s.places);
        s.capacity = below(&random, 2) ? 1 : s.capacity;
        s.overfull = below(&random, 8) == 0;
        s.room = s.agents * (1 + s.children) + below(&random, 5);
        expect_case(&s, SORTED, 0, &random);
    }
}

/* Of places that hold one agent. Most cases have neither births nor deaths. */
Test(manage_over_ranks, agents_in_no_order_or_that_keep_it_are_as_the_reference)
{
    const uint64_t cases = (uint64_t)extended(400, 10000);
    int enlarged = 0;
    for (uint64_t seed = 1; seed <= cases; seed++) {
        uint64_t random = seed;
        shape s = any_shape(seed);
        s.places = 1 + below(&random, seed % 3 ? 30 : 300);
        s.agents = below(&random, (uint32_t)s.places + 1);
        s.capacity = s.worlds = 1;
        s.children = below(&random, 8) == 0;
        s.deaths = below(&random, 8) == 0;
        s.gates = s.overfull = false;
        s.room = s.agents * (1 + s.children) + below(&random, 5);
        enlarged += expect_case(&s, order_of(seed), 0, &random);
    }
    cr_assert_gt(enlarged, 50, "%d", enlarged);
}

Test(manage_over_ranks, few_that_ask_are_as_the_reference)
{
    const uint64_t cases = (uint64_t)extended(60, 1000);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        uint64_t random = seed;
        shape s = any_shape(seed);
        s.places = 1000 + below(&random, 4000);
        s.agents = below(&random, (uint32_t)s.places + 1);
        s.capacity = s.worlds = 1;
        s.children = 0;
        s.deaths = s.gates = s.overfull = false;
        s.room = s.agents;
        expect_case(&s, order_of(seed), seed % 3 ? 100 + below(&random, 500) : 20, &random);
    }
}

/* What agents of a case want that stand on its cells from 0 on, as many as a cell holds. */
typedef uint32_t wish(const shape *s, uint32_t cell);

static void expect_wishes(const shape *s, int ranks, wish *wanted, int lost)
{
    population *const whole = make(s), *const expected = make(s);
    run r = {.ranks = ranks};
    for (uint32_t i = 0; i < whole->count; i++)
        whole->w.move[i] = expected->w.move[i] = wanted(s, whole->w.cell[i]);
    const uint32_t agents = whole->count;
    cut_evenly(&r, s);
    expect_as_reference(&r, whole, expected, s, 1);
    int losers = 0;
    for (uint32_t i = 0; i < agents; i++) losers += whole->w.lost_to[i];
    cr_assert_eq(losers, lost, "%d ranks: %d of %u lost", ranks, losers, agents);
    discard(whole);
    discard(expected);
}

static uint32_t next_round(const shape *s, uint32_t cell) { return (cell + 1) % (uint32_t)s->places; }
static uint32_t next_in_line(const shape *s, uint32_t cell)
{
    return cell + 1 < s->places ? cell + 1 : MASS_CELL_STAY;
}

/* Up one half and down the other in turn, so that every step leads over a cut in the middle. */
static uint32_t next_across(const shape *s, uint32_t cell)
{
    const uint32_t half = (uint32_t)s->places / 2;
    if (cell < half) return cell + half;
    return cell + 1 < s->places ? cell - half + 1 : MASS_CELL_STAY;
}
static uint32_t next_across_round(const shape *s, uint32_t cell)
{
    const uint32_t to = next_across(s, cell);
    return to == MASS_CELL_STAY ? 0 : to;
}

static shape full(int64_t places, uint32_t capacity, uint32_t conflict)
{
    const uint32_t agents = (uint32_t)places * capacity;
    return (shape){.seed = 1, .places = places, .worlds = 1, .agents = agents, .capacity = capacity, .room = agents,
                   .conflict = conflict, .priority_type = MASS_I32, .motion = NONE_MOVES};
}

Test(manage_over_ranks, a_full_ring_rotates_over_all_cuts)
{
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (uint32_t capacity = 1; capacity <= 3; capacity++) {
            const shape s = full(40, capacity, MASS_LOTTERY);
            expect_wishes(&s, ranks, next_round, 0);
            expect_wishes(&s, ranks, next_across_round, 0);
        }
}

Test(manage_over_ranks, a_full_line_stops_behind_one_that_stays)
{
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) {
        const shape s = full(40, 1, MASS_LOWEST_ID);
        expect_wishes(&s, ranks, next_in_line, 39);
        expect_wishes(&s, ranks, next_across, 39);
    }
}

static uint32_t all_to_the_middle(const shape *s, uint32_t cell)
{
    (void)cell;
    return (uint32_t)s->places / 2;
}

/* The one that stands there does not leave. */
Test(manage_over_ranks, all_want_one_place)
{
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (uint32_t conflict = MASS_LOWEST_ID; conflict <= MASS_LOTTERY; conflict++) {
            const shape s = full(30, 1, conflict);
            expect_wishes(&s, ranks, all_to_the_middle, 29);
        }
}

/* Everybody stands on one place and goes to others, or nobody is there at all. */
Test(manage_over_ranks, ranks_may_have_no_agents)
{
    for (uint32_t agents = 0; agents <= 20; agents += 20) {
        const shape s = {.seed = 3, .places = 1, .worlds = 2, .agents = agents, .children = 2, .room = 3 * agents,
                         .motion = NONE_MOVES};
        for (int at = 0; at < 4; at++) {
            population *const whole = make(&s), *const expected = make(&s);
            run r = {.ranks = 4};
            for (int i = 1; i < 4; i++) r.first[i] = i > at;
            expect_as_reference(&r, whole, expected, &s, 0);
            discard(whole);
            discard(expected);
        }
    }
}
