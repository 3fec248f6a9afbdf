/* SPDX-License-Identifier: Apache-2.0 */
/* Random populations over random ranks and partitions give the same result as on one rank. Agents read and count around
 * themselves, move near, far and anywhere, have children there, die, and compete for places. The number of agents opens
 * phases. The cases cover every order, every rule of conflicts, and every initial placement. */
#include "on_ranks.h"
#include "population/table.h"
#include "state/box.h"

#include "../../extended.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 2, PRIME = 1000003 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(31, n, 0, 0, which).v[0] % below;
}

#define IN_1D(x, y, z) x
#define IN_2D(x, y, z) x, y
#define IN_3D(x, y, z) x, y, z

/* What it sees is kept, so that it shows. */
#define LOOK(AT)                                                                                                    \
    int64_t seen = OUT(mark) * 7 + (int64_t)STEP + AT_X * 31 + AT_Y * 17 + AT_Z + WAS_REFUSED + (int64_t)AGENT_ID;  \
    for (int d = -REACH; d <= REACH; d++) {                                                                         \
        seen = seen * 3 + (int64_t)COUNT_AT(AT(d, -d, d)) + 5 * (int64_t)COUNT_AT(AT(0, d, 0));                     \
        seen += 7 * (int64_t)COUNT_AT(AT(d, 0, 0)) + 11 * (int64_t)COUNT_AT(AT(0, 0, d)) + SEE(soil, AT(d, d, -d)); \
        seen %= PRIME;                                                                                              \
    }                                                                                                               \
    OUT(mark) = seen;                                                                                               \
    ADD(steps, seen % 5)
#define BREED(AT)                                                               \
    const mass_random4 b = RANDOM(1);                                           \
    if (b.v[0] % 7 == 0 && COUNT_AT(AT(0, 0, 0)) < 6) {                         \
        SPAWN(1 + b.v[1] % 2);                                                  \
        CHILD(given, 0) = seen + 1;                                             \
        CHILD(given, 1) = seen + 2;                                             \
        if (b.v[2] % 2) CHILD_TO(0, AT(1, -1, 1));                              \
        if (b.v[2] % 3 == 0) CHILD_TO(1, AT((int)(b.v[3] % 90) - 45, 21, -33)); \
    }                                                                           \
    if (b.v[3] % 9 == 0) KILL()
#define GO(AT)                                                                                           \
    const mass_random4 r = RANDOM(0);                                                                    \
    const int step = (int)(r.v[1] % 3) - 1;                                                              \
    if (r.v[0] % 6 == 0) MIGRATE_TO(AT(r.v[1] % SIZE_X, r.v[2] % SIZE_Y, r.v[3] % SIZE_Z));              \
    else if (r.v[0] % 6 == 1) MIGRATE(AT(40, -13, (int)(r.v[2] % 50)));                                  \
    else if (r.v[0] % 6 < 5) MIGRATE(AT(step, (int)(r.v[2] % 3) - 1, (int)(r.v[3] % 3) - 1))

#define FIELDS UPDATES(TYPED(mark, int64_t)), SEES(TYPED(soil, int64_t)), CHILDREN(TYPED(given, int64_t, mark)), \
               SUMS(TYPED(steps, int64_t))
MASS_AGENT(roam_1d, folk, 1, FIELDS) { LOOK(IN_1D); BREED(IN_1D); GO(IN_1D); }
MASS_AGENT(roam_2d, folk, 2, FIELDS) { LOOK(IN_2D); BREED(IN_2D); GO(IN_2D); }
MASS_AGENT(roam_3d, folk, 3, FIELDS) { LOOK(IN_3D); BREED(IN_3D); GO(IN_3D); }

#define MEET                                                               \
    EACH_RESIDENT(a)                                                       \
    {                                                                      \
        OUT(soil) = (OUT(soil) * 3 + OF(mark, a)) % PRIME;                 \
        OF(mark, a) += (int64_t)RESIDENT_COUNT + (int64_t)RESIDENT_ID(a) % 3; \
    }
MASS_RESIDENTS(meet_1d, folk, 1, 0, UPDATES(TYPED(soil, int64_t)), CHANGES(TYPED(mark, int64_t))) { MEET }
MASS_RESIDENTS(meet_2d, folk, 2, 0, UPDATES(TYPED(soil, int64_t)), CHANGES(TYPED(mark, int64_t))) { MEET }
MASS_OCCUPIED(meet_3d, folk, 3, 0, UPDATES(TYPED(soil, int64_t)), CHANGES(TYPED(mark, int64_t))) { MEET }

/* What a test draws beside the run. */
typedef struct shape {
    trial run;
    uint32_t torus, capacity, conflict, initial, order, again;
    int64_t count;
    double share; /* of the agents: what a condition compares with */
} shape;

static void make(mass_model *m, const void *context, mass_error *e)
{
    static const mass_callback *const roams[] = {&roam_1d, &roam_2d, &roam_3d};
    static const mass_callback *const meets[] = {&meet_1d, &meet_2d, &meet_3d};
    static const char *const sums[] = {"steps", "born", "died", "refused", "alive"};
    const shape *s = context;
    mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = s->torus};
    memcpy(space.size, s->run.size, sizeof space.size);
    mass_model_add_space(m, &space, s->run.size, s->run.dimensions, e);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        mass_model_add_tally(m, &(mass_tally){.name = sums[i], .access = MASS_SUM, .cumulative = i == 1}, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "soil", .type = MASS_I64}, e);
    mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "seeds", .type = MASS_U8}, e);
    mass_model_add_population(m, &(mass_population){.name = "folk", .children = 2, .count = s->count,
        .capacity = s->capacity, .conflict = s->conflict, .initial = s->initial, .where = "seeds", .priority = "mark",
        .born = "born", .died = "died", .unborn = "refused", .alive = "alive"}, e);
    mass_model_add_attribute(m, &(mass_attribute){.population = "folk", .name = "mark", .type = MASS_I64}, e);
    const mass_condition many = {.tally = "steps", .relation = MASS_GREATER, .value = s->share, .population = "folk"};
    const uint32_t d = s->run.dimensions - 1;
#define PHASE(...) mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, __VA_ARGS__}, e)
#define MANAGE(...) \
    mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "folk", __VA_ARGS__}, e)
    PHASE(.population = "folk", .callback = roams[d], .reach = REACH);
    MANAGE(.order = s->order, .condition = s->again == 0 ? &many : NULL);
    PHASE(.population = "folk", .space = "s", .callback = meets[d]);
    if (s->again == 1) {
        PHASE(.population = "folk", .callback = roams[d], .reach = REACH, .condition = &many);
        MANAGE(.order = s->again, .condition = &many);
    }
}

/* Up to two agents on a place where seeds say so. */
static void fill(mass_domain *d, const void *context, mass_error *e)
{
    const mass_gidx *size = d->model->spaces[0].size;
    const size_t places = (size_t)mass_space_places(&d->model->spaces[0]);
    uint8_t *values = malloc(places);
    (void)context;
    for (int32_t w = 0; w < d->share.worlds; w++) {
        for (size_t i = 0; i < places; i++) values[i] = (uint8_t)(draw(i, (uint32_t)w, 5) / 3);
        mass_domain_write(d, 1, w, (mass_gidx[3]){0}, size, values, e);
    }
    free(values);
}

static int64_t places_of(const shape *s) { return s->run.size[0] * s->run.size[1] * s->run.size[2]; }

/* Small extents, so that agents go round a torus, and over several ranks. */
static shape random_shape(uint64_t n, uint32_t dimensions, int32_t *ranks)
{
    shape s = {.torus = draw(n, 0, 8) & ((1u << dimensions) - 1), .capacity = draw(n, 1, 4), .conflict = draw(n, 2, 3),
               .order = draw(n, 3, 3), .again = draw(n, 10, 3), .share = 0.1 + draw(n, 11, 30) / 10.0,
               .initial = draw(n, 12, 3),
               .run = {.make = make, .fill = fill, .dimensions = dimensions, .size = {1, 1, 1}, .steps = 9,
                       .worlds = 1 + (int32_t)draw(n, 13, 3), .first_world = (int32_t)draw(n, 14, 3)}};
    for (uint32_t a = 0; a < dimensions; a++) s.run.size[a] = 2 + draw(n, 4 + a, dimensions == 1 ? 60 : 9);
    const int32_t rows = (int32_t)s.run.size[dimensions - 1];
    *ranks = 2 + (int32_t)draw(n, 7, rows < 7 ? (uint32_t)rows - 1 : 6);
    s.run.partitions = 1 + (int32_t)draw(n, 9, (uint32_t)(rows / *ranks));
    if (s.capacity > 0 && s.capacity < 2 && s.initial == MASS_BY_ATTRIBUTE) s.capacity = 3;
    s.run.uneven = draw(n, 15, 2) ? n : 0;
    s.run.rebalance = draw(n, 16, 2) ? 1 + draw(n, 17, 3) : 0;
    s.run.pretended = s.run.rebalance > 0;
    s.run.paranoid = s.torus + 1 == 1u << dimensions && draw(n, 8, 2) == 0; /* it lets nobody go over an edge */
    s.count = s.initial == MASS_RANDOM_PLACES ? places_of(&s) / 2 : 1;
    return s;
}

static void try_shapes(uint32_t dimensions, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++) {
        int32_t ranks[2] = {2};
        shape s = random_shape(1000 * dimensions + n, dimensions, &ranks[1]);
        s.run.context = &s;
        s.run.until = n % 4 == 0 ? "alive > 60 && died > 3" : NULL;
        if (s.run.partitions * 2 > s.run.size[dimensions - 1]) ranks[0] = ranks[1];
        expect_same_on_ranks(&s.run, ranks, 2);
    }
}

Test(ranks_agents, come_to_the_same_in_one_dimension) { try_shapes(1, (uint64_t)extended(12, 200)); }
Test(ranks_agents, come_to_the_same_in_two_dimensions) { try_shapes(2, (uint64_t)extended(12, 200)); }
Test(ranks_agents, come_to_the_same_in_three_dimensions) { try_shapes(3, (uint64_t)extended(8, 200)); }

/* Of every third place, in all worlds; the first row of a world has none. */
Test(ranks_agents, of_a_table_come_to_the_same)
{
    enum { WIDTH = 6, HEIGHT = 8, WORLDS = 2, EVERY = 3 };
    uint64_t id[WIDTH * HEIGHT * WORLDS];
    uint32_t cell[WIDTH * HEIGHT * WORLDS];
    int64_t next_id[WORLDS];
    mass_table table = {.id = id, .cell = cell, .next_id = next_id};
    for (uint32_t c = 0; c < WIDTH * HEIGHT * WORLDS; c += EVERY) {
        const uint32_t place = c % (WIDTH * HEIGHT);
        if (place < WIDTH) continue;
        cell[table.count] = c;
        id[table.count++] = 1000 - place;
        next_id[c / (WIDTH * HEIGHT)] = 2000;
    }
    const int32_t ranks[] = {3, 5};
    shape s = {.torus = 1, .capacity = 2, .conflict = MASS_LOTTERY, .again = 2, .count = 1,
               .run = {.make = make, .dimensions = 2, .size = {WIDTH, HEIGHT, 1}, .steps = 9, .worlds = WORLDS,
                       .table = &table}};
    s.run.context = &s;
    expect_same_on_ranks(&s.run, ranks, 2);
}
