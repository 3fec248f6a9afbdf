/* SPDX-License-Identifier: Apache-2.0 */
/* manage against a sequential reference, in small cases of every kind, and against itself in large ones. */
#include "cpu/kernels.h"
#include "manage_reference.h"
#include "../extended.h"
#include "teams.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 8, CHILDREN_MAX = 3, WORLDS_MAX = 3 };
enum { ANY_CELL, ALL_STEP, LINE_STEPS, SWAP, FEW_CELLS, NONE_MOVES, MOTIONS };

/* What a case is made from; the same shape makes the same population. */
typedef struct shape {
    uint64_t seed;
    int64_t places;
    int32_t worlds;
    uint32_t agents, capacity, conflict, priority_type, order, children, room, motion;
    bool gates, clock, overfull, deaths;
} shape;

typedef struct population {
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    uint32_t count, gates[WORLDS_MAX], agents_before;
    uint64_t clock, keys[WORLDS_MAX], next_id[WORLDS_MAX];
    int64_t tallies[3][WORLDS_MAX];
} population;

static uint64_t random64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint64_t n) { return (uint32_t)(random64(state) % n); }

static void *noise(size_t bytes, uint64_t *random)
{
    unsigned char *const memory = malloc(bytes + 1);
    cr_assert(memory);
    for (size_t i = 0; i < bytes; i++) memory[i] = (unsigned char)random64(random);
    return memory;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Agents per cell, at random or up to the capacity. */
static void place_agents(population *p, const shape *s, uint64_t *random)
{
    uint32_t *const start = (uint32_t *)p->w.start;
    const uint64_t cells = (uint64_t)s->places * (uint64_t)s->worlds;
    memset(start, 0, (cells + 1) * sizeof *start);
    p->count = 0;
    for (uint32_t i = 0; i < s->agents; i++) {
        uint64_t cell = random64(random) % cells, tries = cells;
        while (s->capacity && !s->overfull && start[cell + 1] >= s->capacity && tries--) cell = (cell + 1) % cells;
        if (s->capacity && !s->overfull && start[cell + 1] >= s->capacity) break;
        start[cell + 1]++;
        p->count++;
    }
    for (uint64_t c = 0; c < cells; c++) start[c + 1] += start[c];
    for (uint64_t c = 0; c < cells; c++)
        for (uint32_t i = start[c]; i < start[c + 1]; i++) ((uint32_t *)p->w.cell)[i] = (uint32_t)c;
}

/* Distinct in all worlds, ascending on each cell; dense or anywhere. */
static void name_agents(population *p, const shape *s, uint64_t *random)
{
    uint64_t *const id = (uint64_t *)p->w.id, *const names = malloc((p->count + 1) * sizeof *names);
    const bool dense = random64(random) % 2;
    cr_assert(names);
    for (uint32_t i = 0; i < p->count; i++) names[i] = dense ? i : random64(random) / (p->count + 1) * (i + 1);
    qsort(names, p->count, sizeof *names, by_number);
    for (uint32_t i = 1; i < p->count; i++) names[i] += names[i] <= names[i - 1] ? names[i - 1] - names[i] + 1 : 0;
    for (uint32_t i = p->count; i > 1; i--) {
        const uint32_t k = below(random, i);
        const uint64_t name = names[k];
        names[k] = names[i - 1], names[i - 1] = name;
    }
    memcpy(id, names, p->count * sizeof *id);
    for (uint64_t c = 0; c < (uint64_t)s->places * (uint64_t)s->worlds; c++)
        qsort(id + p->w.start[c], p->w.start[c + 1] - p->w.start[c], sizeof *id, by_number);
    for (int32_t i = 0; i < s->worlds; i++) p->next_id[i] = dense ? p->count : random64(random) | (uint64_t)1 << 63;
    free(names);
}

static uint32_t cell_wanted(const shape *s, uint32_t cell, uint64_t *random)
{
    const uint32_t places = (uint32_t)s->places, world = cell / places, x = cell % places;
    switch (s->motion) {
    case ALL_STEP: return world * places + (x + 1) % places;
    case LINE_STEPS: return x + 1 < places ? cell + 1 : MASS_CELL_STAY;
    case SWAP: return (x ^ 1) < places ? world * places + (x ^ 1) : MASS_CELL_NOWHERE;
    case FEW_CELLS: return world * places + below(random, places < 2 ? places : 2);
    case NONE_MOVES: return MASS_CELL_STAY;
    default: break;
    }
    const uint32_t kind = below(random, 8);
    return kind == 0 ? MASS_CELL_STAY : kind == 1 ? MASS_CELL_NOWHERE : world * places + below(random, places);
}

static void ask(population *p, const shape *s, uint64_t *random)
{
    const uint32_t places = (uint32_t)s->places, unruly = below(random, 3) ? 40 : 8;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t cell = p->w.cell[i];
        const bool stays = s->motion != ANY_CELL && below(random, unruly) == 0;
        p->w.move[i] = stays ? MASS_CELL_STAY : cell_wanted(s, cell, random);
        p->w.asked[i] = (s->children && below(random, 2) ? below(random, s->children + 1) : 0) |
                        (s->deaths && below(random, 4) == 0 ? MASS_ASKED_KILL : 0);
        for (uint32_t b = 0; b < s->children; b++) {
            const uint32_t kind = below(random, 6), any = cell / places * places + below(random, places);
            p->w.child_cell[b * (size_t)s->room + i] = kind == 0 ? MASS_CELL_NOWHERE : kind < 3 ? MASS_CELL_STAY : any;
        }
    }
}

static void *priorities(const shape *s, uint64_t *random)
{
    static const double numbers[] = {-INFINITY, -2.5, -0.0, 0.0, 0x1p-140, 1, 2.5, INFINITY};
    uint64_t *const memory = noise(s->room * sizeof *memory, random);
    for (uint32_t i = 0; i < s->room; i++) {
        const double value = numbers[below(random, 8)];
        if (s->priority_type == MASS_F32) ((float *)memory)[i] = (float)value;
        else if (s->priority_type == MASS_F64) ((double *)memory)[i] = value;
        else if (s->priority_type == MASS_I32 || s->priority_type == MASS_U32)
            ((uint32_t *)memory)[i] = 0x7ffffffeu + below(random, 4);
        else memory[i] = UINT64_C(0x7ffffffffffffffe) + below(random, 4);
    }
    return memory;
}

static void make_arrays(population *p, const shape *s, uint64_t *random)
{
    static const size_t sizes[ARRAYS] = {1, 2, 4, 8, 12, 16, 8, 12};
    for (int i = 0; i < ARRAYS; i++) {
        const size_t size = sizes[i];
        p->arrays[i] = (mass_agent_array){.size = size, .from = noise(size * s->room, random),
            .to = noise(size * s->room, random), .initial = noise(size, random),
            .child = i < 6 && s->children ? noise(size * s->room * s->children, random) : NULL};
    }
    p->w.arrays = p->arrays;
    p->w.array_count = ARRAYS;
}

static population *make(const shape *s)
{
    static const uint32_t orders[][3] = {{MASS_SPAWN, MASS_KILL, MASS_MIGRATE}, {MASS_KILL, MASS_SPAWN, MASS_MIGRATE},
                                         {MASS_KILL, MASS_MIGRATE, MASS_SPAWN}};
    uint64_t r = s->seed;
    const size_t room = s->room, cells = (size_t)s->places * (size_t)s->worlds;
    population *const p = calloc(1, sizeof *p);
    cr_assert(p);
    for (int32_t i = 0; i < s->worlds; i++) {
        p->keys[i] = random64(&r);
        p->gates[i] = below(&r, 2);
        for (int k = 0; k < 3; k++) p->tallies[k][i] = below(&r, 100);
    }
    p->clock = below(&r, 1000);
    p->w = (mass_manage_work){.places = s->places, .worlds = s->worlds, .gates = s->gates ? p->gates : NULL,
        .random_keys = p->keys, .step = random64(&r), .clock = s->clock ? &p->clock : NULL, .phase = below(&r, 256),
        .capacity = s->capacity, .conflict = s->conflict, .priority_type = s->priority_type,
        .priority = priorities(s, &r), .children = s->children, .room = s->room, .count = &p->count,
        .next_id = p->next_id, .id = noise(8 * room, &r), .cell = noise(4 * room, &r), .id_to = noise(8 * room, &r),
        .cell_to = noise(4 * room, &r), .lost_to = noise(room, &r), .lost = noise(room, &r),
        .start = noise(4 * (cells + 1), &r), .move = noise(4 * room, &r), .asked = noise(4 * room, &r),
        .child_cell = noise(4 * room * s->children, &r), .born = p->tallies[0], .died = p->tallies[1],
        .refused = p->tallies[2]};
    memcpy(p->w.order, orders[s->order], sizeof p->w.order);
    for (size_t i = 0; i < room; i++) ((uint8_t *)p->w.lost)[i] &= 1;
    make_arrays(p, s, &r);
    place_agents(p, s, &r);
    p->agents_before = p->count;
    name_agents(p, s, &r);
    ask(p, s, &r);
    return p;
}

static void discard(population *p)
{
    const void *const all[] = {p->w.priority, p->w.id, p->w.cell, p->w.id_to, p->w.cell_to, p->w.lost_to, p->w.lost,
                               p->w.start, p->w.move, p->w.asked, p->w.child_cell};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free((void *)all[i]);
    for (int i = 0; i < ARRAYS; i++) {
        free((void *)p->arrays[i].from);
        free(p->arrays[i].to);
        free((void *)p->arrays[i].child);
        free((void *)p->arrays[i].initial);
    }
    free(p);
}

static void expect_bytes(const char *what, const void *got, const void *expected, size_t bytes, const char *name)
{
    cr_assert_eq(memcmp(got, expected, bytes), 0, "%s: %s differ", name, what);
}

/* The values of the births that are still asked for. */
static void expect_children(const population *got, const population *expected, const char *name)
{
    const size_t room = got->w.room;
    for (uint32_t i = 0; i < got->count; i++)
        for (uint32_t b = 0; b < (got->w.asked[i] & ~MASS_ASKED_KILL); b++) {
            const size_t at = b * room + i;
            cr_assert_eq(got->w.child_cell[at], expected->w.child_cell[at], "%s: child %u of agent %u", name, b, i);
            for (int k = 0; k < ARRAYS; k++) {
                const mass_agent_array *const g = &got->arrays[k], *const e = &expected->arrays[k];
                if (!g->child) continue;
                expect_bytes("children's values", (const char *)g->child + at * g->size,
                             (const char *)e->child + at * g->size, g->size, name);
            }
        }
}

/* The first n agents, and all there is one of. */
static void expect_same(const population *got, const population *expected, size_t n, const char *name)
{
    const mass_manage_work *const g = &got->w, *const e = &expected->w;
    cr_assert_eq(got->count, expected->count, "%s: %u agents, not %u", name, got->count, expected->count);
    expect_bytes("starts", g->start, e->start, ((size_t)(g->places * g->worlds) + 1) * 4, name);
    expect_bytes("ids", g->id_to, e->id_to, n * 8, name);
    expect_bytes("cells", g->cell_to, e->cell_to, n * 4, name);
    expect_bytes("lost flags", g->lost_to, e->lost_to, n, name);
    expect_bytes("requests to move", g->move, e->move, n * 4, name);
    expect_bytes("requests to be born or die", g->asked, e->asked, n * 4, name);
    expect_bytes("next ids", got->next_id, expected->next_id, sizeof got->next_id, name);
    expect_bytes("tallies", got->tallies, expected->tallies, sizeof got->tallies, name);
    for (int i = 0; i < ARRAYS; i++)
        expect_bytes("attributes", got->arrays[i].to, expected->arrays[i].to, n * got->arrays[i].size, name);
}

static uint64_t manage_on(int threads, const mass_manage_work *w, mass_cpu_manage_scratch *scratch)
{
    return mass_cpu_manage(w, scratch, team_of(threads), threads);
}

static void expect_as_reference(const shape *s, mass_cpu_manage_scratch *scratch, int threads, const char *name)
{
    population *const got = make(s), *const expected = make(s);
    const uint64_t after = manage_reference(&expected->w), total = manage_on(threads, &got->w, scratch);
    cr_assert_eq(total, after, "%s: %zu agents, not %zu", name, (size_t)total, (size_t)after);
    expect_same(got, expected, after > s->room ? s->room : after, name);
    if (after <= s->room) expect_children(got, expected, name);
    discard(got);
    discard(expected);
}

static shape any_shape(uint64_t seed)
{
    uint64_t r = seed;
    shape s = {.seed = seed, .places = 1 + below(&r, 12), .worlds = 1 + (int32_t)below(&r, WORLDS_MAX),
               .agents = below(&r, 30), .capacity = below(&r, 5), .conflict = below(&r, 3),
               .priority_type = MASS_I32 + below(&r, 6), .order = below(&r, 3), .motion = below(&r, MOTIONS),
               .gates = below(&r, 2), .clock = below(&r, 2), .overfull = below(&r, 4) == 0, .deaths = below(&r, 2)};
    s.children = below(&r, 2) ? below(&r, CHILDREN_MAX + 1) : 0;
    s.room = s.agents * (1 + s.children) + below(&r, 5);
    return s;
}

static const char *name_of(const shape *s, int threads)
{
    static char name[256];
    snprintf(name, sizeof name, "case %d: %d worlds of %d, %u agents, capacity %u, conflict %u, order %u, motion %u, "
             "children %u, %d threads", (int)s->seed, s->worlds, (int)s->places, s->agents, s->capacity, s->conflict,
             s->order, s->motion, s->children, threads);
    return name;
}

Test(manage, any_small_case_is_as_the_reference)
{
    mass_cpu_manage_scratch scratch = {.part = 1};
    const uint64_t cases = (uint64_t)extended(2000, 10000);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        const shape s = any_shape(seed);
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
        shape s = any_shape(seed);
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
        shape s = any_shape(seed);
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
