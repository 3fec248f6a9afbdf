/* SPDX-License-Identifier: Apache-2.0 */
/* Random spaces over random ranks and partitions give the same result as on one rank. Callbacks read places around them
 * and add to them. There are phases under a condition, tallies of every kind, and a stop condition. */
#include "on_ranks.h"
#include "state/box.h"

#include "../../models/scatter/scatter.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RADIUS_MAX = 3, ATTRIBUTES = 5 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(29, n, 0, 0, which).v[0] % below;
}

#define WHERE ((uint64_t)((AT_Z * SIZE_Y + AT_Y) * SIZE_X + AT_X))

/* Sums of doubles are exact, so that no order shows. */
MASS_MAP(take_stock, READS(TYPED(value, int64_t)), SUMS(TYPED(sum, double), TYPED(ever, double), TYPED(mean, double)),
         MINS(TYPED(least, int64_t)), MAXES(TYPED(most, double)), BINS(TYPED(bins, int64_t)))
{
    const double part = (double)(IN(value) % 100003) / 7;
    ADD(sum, part * 1e20);
    ADD(ever, part * 1e-20);
    ADD(mean, part);
    LEAST(least, IN(value));
    MOST(most, part);
    COUNT_IN(bins, IN(value) & 7);
}

MASS_MAP(list_keys, READS(TYPED(value, int64_t)), KEYS(TYPED(keys, int64_t)))
{
    COUNT_KEY(keys, (uint64_t)IN(value) % 97);
}

static void add_phase(mass_model *m, uint32_t schedule, const mass_callback *c, const mass_condition *when,
                      mass_error *e)
{
    mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = schedule, .callback = c, .space = "s",
                                                      .condition = when}, e);
}

static void add_tallies(mass_model *m, mass_error *e)
{
    static const mass_tally tallies[] = {
        {.name = "thrown", .access = MASS_SUM},
        {.name = "sum", .access = MASS_SUM, .kind = MASS_TALLY_REAL},
        {.name = "ever", .access = MASS_SUM, .kind = MASS_TALLY_REAL, .cumulative = 1},
        {.name = "mean", .access = MASS_MEAN, .kind = MASS_TALLY_REAL},
        {.name = "least", .access = MASS_MIN},
        {.name = "most", .access = MASS_MAX, .kind = MASS_TALLY_REAL, .cumulative = 1},
        {.name = "bins", .access = MASS_SUM, .bins = 8, .cumulative = 1},
        {.name = "keys", .access = MASS_SUM, .keys = MASS_KEYS_NUMBERS, .cumulative = 1}};
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++) mass_model_add_tally(m, &tallies[i], e);
}

/* What a test draws beside the run. */
typedef struct shape {
    trial run;
    uint32_t torus;
    int32_t radius;
    mass_callback throws;
} shape;

static void make(mass_model *m, const void *context, mass_error *e)
{
    static const mass_callback *const gathers[] = {&scatter_gather_1d, &scatter_gather_2d, &scatter_gather_3d};
    static const char *const names[] = {"value", "i32", "u32", "i64", "u64"};
    static const uint32_t types[] = {MASS_I64, MASS_I32, MASS_U32, MASS_I64, MASS_U64};
    static const int64_t initial = -13;
    static const mass_condition some = {.tally = "thrown", .relation = MASS_GREATER, .value = 0};
    static const mass_reduction histogram = {.operation = MASS_HISTOGRAM, .name = "spread", .attribute = "i32",
                                             .low = -1e9, .high = 1e9, .bins = 5};
    const shape *s = context;
    mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = s->torus};
    memcpy(space.size, s->run.size, sizeof space.size);
    mass_model_add_space(m, &space, s->run.size, s->run.dimensions, e);
    mass_parameters_add(&m->parameters, &(mass_parameter){.name = "radius", .type = MASS_INTEGER,
        .integer = s->radius, .integer_max = RADIUS_MAX}, e);
    for (int i = 0; i < ATTRIBUTES; i++)
        mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = names[i], .type = types[i],
                                                      .initial = &initial}, e);
    add_tallies(m, e);
    add_phase(m, MASS_START, &scatter_sow, NULL, e);
    add_phase(m, MASS_START, &list_keys, NULL, e);
    add_phase(m, MASS_STEP, &s->throws, NULL, e);
    add_phase(m, MASS_STEP, &scatter_spill, &some, e);
    add_phase(m, MASS_STEP, gathers[s->run.dimensions - 1], &some, e);
    add_phase(m, MASS_STEP, &take_stock, NULL, e);
    add_phase(m, MASS_STEP, &list_keys, NULL, e);
    mass_model_add_reduction(m, &histogram, e);
}

/* A row of every attribute beside what the start has sown: over cuts. */
static void fill(mass_domain *d, const void *context, mass_error *e)
{
    const shape *s = context;
    const mass_gidx *size = d->model->spaces[0].size;
    const size_t places = (size_t)mass_space_places(&d->model->spaces[0]);
    uint8_t *values = malloc(places * 8);
    for (uint32_t a = 1; a < ATTRIBUTES; a++)
        for (int32_t w = 0; w < d->share.worlds; w++) {
            for (size_t i = 0; i < places * 8; i++) values[i] = (uint8_t)draw(i, a + (uint32_t)w, 256);
            mass_domain_write(d, a, w, (mass_gidx[3]){0}, size, values, e);
        }
    (void)s;
    free(values);
}

/* Small extents, so that what is thrown goes round a torus more than once, and over several ranks. */
static shape random_shape(uint64_t n, uint32_t dimensions, int32_t *ranks)
{
    static const mass_callback *const throws[] = {&scatter_throw_1d, &scatter_throw_2d, &scatter_throw_3d};
    shape s = {.torus = draw(n, 0, 8) & ((1u << dimensions) - 1), .radius = 1 + (int32_t)draw(n, 1, RADIUS_MAX),
               .run = {.make = make, .fill = fill, .dimensions = dimensions, .size = {1, 1, 1}, .steps = 7,
                       .worlds = 1 + (int32_t)draw(n, 2, 3), .first_world = (int32_t)draw(n, 3, 3),
                       .paranoid = draw(n, 8, 4) == 0}};
    for (uint32_t a = 0; a < dimensions; a++) s.run.size[a] = 2 + draw(n, 4 + a, n % 3 ? 12 : 4);
    const int32_t rows = (int32_t)s.run.size[dimensions - 1];
    *ranks = 2 + (int32_t)draw(n, 7, rows < 6 ? (uint32_t)rows - 1 : 5);
    s.run.partitions = 1 + (int32_t)draw(n, 9, (uint32_t)(rows / *ranks));
    s.run.uneven = draw(n, 10, 2) ? n : 0;
    s.run.rebalance = draw(n, 11, 2) ? 1 + draw(n, 12, 3) : 0;
    s.run.pretended = s.run.rebalance > 0;
    s.throws = *throws[dimensions - 1];
    s.throws.radius = s.radius;
    return s;
}

static void try_shapes(uint32_t dimensions, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++) {
        int32_t ranks[2] = {2};
        shape s = random_shape(1000 * dimensions + n, dimensions, &ranks[1]);
        s.run.context = &s;
        s.run.until = n % 3 == 0 ? "least < -9223372036000000000 || bins[3] > 60 && mean > 0" : NULL;
        if (s.run.partitions * 2 > s.run.size[dimensions - 1]) ranks[0] = ranks[1];
        expect_same_on_ranks(&s.run, ranks, 2);
    }
}

Test(ranks_scatter, comes_to_the_same_in_one_dimension) { try_shapes(1, 24); }
Test(ranks_scatter, comes_to_the_same_in_two_dimensions) { try_shapes(2, 18); }
Test(ranks_scatter, comes_to_the_same_in_three_dimensions) { try_shapes(3, 10); }
