/* SPDX-License-Identifier: Apache-2.0 */
#include "manage_case.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

uint32_t below(uint64_t *state, uint64_t n) { return (uint32_t)(random64(state) % n); }

void *noise(size_t bytes, uint64_t *random)
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
    case FEW_MOVE: return below(random, 12) ? MASS_CELL_STAY : world * places + below(random, places);
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
                        (s->deaths && below(random, s->motion == FEW_MOVE ? 40 : 4) == 0 ? MASS_ASKED_KILL : 0);
        if (s->replaced) p->w.asked[i] = p->w.asked[i] & MASS_ASKED_KILL ? MASS_ASKED_KILL | (s->children > 0) : 0;
        for (uint32_t b = 0; b < s->children; b++) {
            const uint32_t kind = s->replaced ? 1 : below(random, 6);
            const uint32_t any = cell / places * places + below(random, places);
            p->w.child_cell[b * (size_t)s->room + i] = kind == 0 ? MASS_CELL_NOWHERE : kind < 3 ? MASS_CELL_STAY : any;
        }
    }
}

void seats_of_starts(const mass_manage_work *w, const uint32_t *start, mass_seats *occupancy)
{
    const size_t cells = (size_t)w->places * (size_t)w->worlds;
    for (size_t c = 0; c <= cells; c++) {
        if (c % 32 == 0) occupancy[c / 32] = (mass_seats){0, start[c]};
        if (c < cells) occupancy[c / 32].held |= (start[c + 1] - start[c]) << c % 32;
    }
}

/* Of starts, only those of worlds are left. */
static void take_seats(population *p, const shape *s)
{
    const size_t cells = (size_t)p->w.places * (size_t)p->w.worlds;
    if (!s->occupancy || s->capacity != 1 || s->overfull) return;
    p->w.occupancy = malloc((cells / 32 + 1) * sizeof *p->w.occupancy);
    cr_assert(p->w.occupancy);
    seats_of_starts(&p->w, p->w.start, p->w.occupancy);
    for (size_t c = 0; c < cells; c++)
        if (c % (size_t)p->w.places) p->w.start[c] = 0xdeadbeef;
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

population *make(const shape *s)
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
    memcpy(p->w.sub_phases, orders[s->order], sizeof p->w.sub_phases);
    for (size_t i = 0; i < room; i++) ((uint8_t *)p->w.lost)[i] &= 1;
    make_arrays(p, s, &r);
    place_agents(p, s, &r);
    p->agents_before = p->count;
    name_agents(p, s, &r);
    ask(p, s, &r);
    take_seats(p, s);
    return p;
}

void discard(population *p)
{
    const void *const all[] = {p->w.priority, p->w.id, p->w.cell, p->w.id_to, p->w.cell_to, p->w.lost_to, p->w.lost,
                               p->w.start, p->w.move, p->w.asked, p->w.child_cell, p->w.occupancy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free((void *)all[i]);
    for (int i = 0; i < ARRAYS; i++) {
        free((void *)p->arrays[i].from);
        free(p->arrays[i].to);
        free((void *)p->arrays[i].child);
        free((void *)p->arrays[i].initial);
    }
    free(p);
}

void expect_bytes(const char *what, const void *got, const void *expected, size_t bytes, const char *name)
{
    cr_assert_eq(memcmp(got, expected, bytes), 0, "%s: %s differ", name, what);
}

void expect_children(const population *got, const population *expected, const char *name)
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

static void expect_seats(const mass_manage_work *got, const mass_manage_work *expected, const char *name)
{
    const size_t cells = (size_t)got->places * (size_t)got->worlds, bytes = (cells / 32 + 1) * sizeof *got->occupancy;
    mass_seats *const occupancy = malloc(bytes);
    cr_assert(occupancy);
    if (expected->occupancy) memcpy(occupancy, expected->occupancy, bytes);
    else seats_of_starts(expected, expected->start, occupancy);
    expect_bytes("seats", got->occupancy, occupancy, bytes, name);
    for (size_t c = 0; c <= cells; c += (size_t)got->places)
        cr_assert_eq(got->start[c], expected->start[c], "%s: the start of cell %zu differs", name, c);
    free(occupancy);
}

void expect_same(const population *got, const population *expected, size_t n, const char *name)
{
    const mass_manage_work *const g = &got->w, *const e = &expected->w;
    cr_assert_eq(got->count, expected->count, "%s: %u agents, not %u", name, got->count, expected->count);
    if (g->occupancy) expect_seats(g, e, name);
    else expect_bytes("starts", g->start, e->start, ((size_t)(g->places * g->worlds) + 1) * 4, name);
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

shape any_shape(uint64_t seed)
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

const char *name_of(const shape *s, int threads)
{
    static char name[256];
    snprintf(name, sizeof name, "case %d: %d worlds of %d, %u agents, capacity %u, conflict %u, order %u, motion %u, "
             "children %u, %s, %d threads", (int)s->seed, s->worlds, (int)s->places, s->agents, s->capacity,
             s->conflict, s->order, s->motion, s->children, s->occupancy ? "seats" : "starts", threads);
    return name;
}
