/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that add to places around them, against a few plain lines: in spaces of every shape, in any number of
 * partitions, worlds and threads. */
#include "../expect.h"
#include "run/stepper.h"
#include "snapshot/create.h"
#include "state/box.h"
#include "state/tally.h"

#include "device/cpu/cpu.h"
#include "../../models/scatter/scatter.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3, RADIUS_MAX = 3 };
enum { VALUE, I_32, U_32, I_64, U_64, ATTRIBUTES };

static const int32_t initial_32 = 11;
static const int64_t initial_64 = -13;

typedef struct shape {
    uint32_t dimensions, torus;
    mass_gidx size[3];
    int32_t radius, partitions, worlds, threads;
} shape;

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(19, n, 0, 0, which).v[0] % below;
}

/* ---- the reference ---- */

/* One world, [place] each. */
typedef struct plain {
    int64_t *value, *i64;
    int32_t *i32;
    uint32_t *u32;
    uint64_t *u64;
    int64_t thrown;
} plain;

/* The number of the place at an offset, or -1. */
static int64_t place_at(const shape *s, int64_t place, int dx, int dy, int dz)
{
    const mass_gidx *n = s->size;
    mass_gidx at[3] = {place % n[0] + dx, place / n[0] % n[1] + dy, place / n[0] / n[1] + dz};
    for (int a = 0; a < 3; a++) {
        if (s->torus >> a & 1) at[a] = (at[a] % n[a] + n[a]) % n[a];
        if (at[a] < 0 || at[a] >= n[a]) return -1;
    }
    return (at[2] * n[1] + at[1]) * n[0] + at[0];
}

static int64_t thrown_to(const shape *s, int64_t place, uint64_t bits, int which)
{
    int d[3] = {0};
    for (uint32_t a = 0; a < s->dimensions; a++) d[a] = scatter_offset(bits, which + (int)a, s->radius);
    return place_at(s, place, d[0], d[1], d[2]);
}

static void throw_plainly(const shape *s, plain *p, int64_t place, uint64_t step)
{
    const uint64_t bits = scatter_draw((uint64_t)place, step), value = (uint64_t)p->value[place];
    const int r = s->radius, ry = s->dimensions > 1 ? r : 0, rz = s->dimensions > 2 ? r : 0;
    const int64_t right = place_at(s, place, 1, 0, 0), near = right < 0 ? initial_64 : p->value[right];
    int64_t to;
    if ((to = thrown_to(s, place, bits, 0)) >= 0) p->i32[to] = (int32_t)((uint64_t)p->i32[to] + value);
    if ((to = thrown_to(s, place, bits, 3)) >= 0) p->u32[to] += (uint32_t)bits;
    if ((to = thrown_to(s, place, bits, 6)) >= 0) p->i64[to] = (int64_t)((uint64_t)p->i64[to] + (uint64_t)near);
    if ((to = thrown_to(s, place, bits, 9)) >= 0) p->u64[to] += value;
    to = bits & 1 ? place_at(s, place, -r, -ry, -rz) : place_at(s, place, r, -ry, rz);
    if (to >= 0) p->i64[to] = (int64_t)((uint64_t)p->i64[to] + (bits & 1 ? (uint64_t)-7 : 5));
    p->thrown += near % 1000;
}

/* Beyond the edges are the defaults. */
static void gather_plainly(const shape *s, plain *p, int64_t place)
{
    const int y = s->dimensions > 1, z = s->dimensions > 2;
    const int64_t a = place_at(s, place, -1, y, z), b = place_at(s, place, 1, y, -z);
    const int64_t c = place_at(s, place, -1, -y, z), d = place_at(s, place, 1, -y, -z);
    uint64_t sum = (uint64_t)p->i64[place];
    sum += (uint64_t)(a < 0 ? initial_32 : p->i32[a]) * 3;
    sum += (uint64_t)(b < 0 ? (uint32_t)initial_32 : p->u32[b]) * 5;
    sum += (uint64_t)(c < 0 ? initial_64 : p->i64[c]) * 7;
    sum += (d < 0 ? (uint64_t)initial_64 : p->u64[d]) * 9;
    p->value[place] = (int64_t)sum;
}

static void step_plainly(const shape *s, plain *p, uint64_t step)
{
    const int64_t places = s->size[0] * s->size[1] * s->size[2];
    p->thrown = 0;
    for (int64_t i = 0; i < places; i++) throw_plainly(s, p, i, step);
    for (int64_t i = 0; i < places; i++) gather_plainly(s, p, i);
}

/* ---- the model ---- */

static void add_attributes(mass_model *m, mass_error *error)
{
    static const mass_attribute attributes[ATTRIBUTES] = {
        {.name = "value", .type = MASS_I64, .initial = &initial_64},
        {.name = "i32", .type = MASS_I32, .initial = &initial_32},
        {.name = "u32", .type = MASS_U32, .initial = &initial_32},
        {.name = "i64", .type = MASS_I64, .initial = &initial_64},
        {.name = "u64", .type = MASS_U64, .initial = &initial_64}};
    for (int i = 0; i < ATTRIBUTES; i++) mass_model_add_attribute(m, &attributes[i], error);
    mass_model_add_tally(m, &(mass_tally){.name = "thrown", .access = MASS_SUM}, error);
}

typedef struct scene {
    shape shape;
    mass_callback throws;
    mass_model model;
    mass_device *device;
    mass_domain *domain;
    plain *plain; /* [worlds] */
} scene;

static void add_phases(scene *s, bool gathers_too, mass_error *error)
{
    const mass_callback *const throws[] = {&scatter_throw_1d, &scatter_throw_2d, &scatter_throw_3d};
    const mass_callback *const gathers[] = {&scatter_gather_1d, &scatter_gather_2d, &scatter_gather_3d};
    s->throws = *throws[s->shape.dimensions - 1];
    s->throws.radius = s->shape.radius;
    mass_model_add_phase(&s->model, &(mass_phase){.schedule = MASS_STEP, .callback = &s->throws}, error);
    if (gathers_too)
        mass_model_add_phase(&s->model, &(mass_phase){.schedule = MASS_STEP,
                                                      .callback = gathers[s->shape.dimensions - 1]}, error);
}

static scene *make_scene(const shape *drawn, const mass_device_table *table, bool gathers_too)
{
    mass_error error = {0};
    scene *s = calloc(1, sizeof *s);
    s->shape = *drawn;
    mass_space space = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .torus = drawn->torus};
    memcpy(space.size, drawn->size, sizeof space.size);
    mass_model_add_space(&s->model, &space, drawn->size, drawn->dimensions, &error);
    mass_parameters_add(&s->model.parameters, &(mass_parameter){.name = "radius", .type = MASS_INTEGER,
        .integer = drawn->radius, .integer_max = RADIUS_MAX}, &error);
    add_attributes(&s->model, &error);
    add_phases(s, gathers_too, &error);
    mass_model_resolve(&s->model, &error);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    EXPECT_OK(mass_cpu_open(table, drawn->threads, &s->device, e));
    const mass_domain_options options = {.partitions = drawn->partitions, .worlds = drawn->worlds, .seed = 1};
    EXPECT_OK(mass_domain_create(&s->model, s->device, &options, &s->domain, e));
    return s;
}

static void *plain_array(plain *p, int attribute)
{
    void *const arrays[] = {p->value, p->i32, p->u32, p->i64, p->u64};
    return arrays[attribute];
}

static void fill_plain(scene *s)
{
    const size_t places = (size_t)mass_space_places(&s->model.spaces[0]);
    s->plain = calloc((size_t)s->shape.worlds, sizeof *s->plain);
    for (int32_t w = 0; w < s->shape.worlds; w++) {
        plain *p = &s->plain[w];
        *p = (plain){calloc(places, 8), calloc(places, 8), calloc(places, 8), calloc(places, 8), calloc(places, 8), 0};
        for (size_t i = 0; i < places; i++) {
            const mass_random4 r = mass_random_block(23, i, (uint64_t)w, 0, 0);
            p->value[i] = p->i64[i] = (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]);
            p->i32[i] = (int32_t)r.v[2];
            p->u32[i] = r.v[3];
            p->u64[i] = r.v[0];
        }
        for (uint32_t a = 0; a < ATTRIBUTES; a++)
            EXPECT_OK(mass_domain_write(s->domain, a, w, (mass_gidx[3]){0}, s->model.spaces[0].size,
                                        plain_array(p, (int)a), e));
    }
}

static void expect_plain(scene *s, int32_t world)
{
    const shape *d = &s->shape;
    const size_t places = (size_t)mass_space_places(&s->model.spaces[0]);
    uint8_t *found = malloc(places * 8);
    for (uint32_t a = 0; a < ATTRIBUTES; a++) {
        EXPECT_OK(mass_domain_read(s->domain, a, world, (mass_gidx[3]){0}, s->model.spaces[0].size, found, e));
        cr_expect_arr_eq(found, plain_array(&s->plain[world], (int)a),
                         places * mass_element_size(&s->model.attributes[a]),
                         "%s of world %d: %lld x %lld x %lld, torus %u, radius %d, %d partitions, %d threads",
                         s->model.attributes[a].name, world, (long long)d->size[0], (long long)d->size[1],
                         (long long)d->size[2], d->torus, d->radius, d->partitions, d->threads);
    }
    free(found);
}

static void discard(scene *s)
{
    for (int32_t w = 0; w < s->shape.worlds; w++)
        for (int a = 0; a < ATTRIBUTES; a++) free(plain_array(&s->plain[w], a));
    free(s->plain);
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    mass_model_free(&s->model);
    free(s);
}

static void try_shape(const shape *drawn, const mass_device_table *table)
{
    scene *s = make_scene(drawn, table, true);
    mass_stepper *stepper;
    int64_t *tallies = calloc((size_t)drawn->worlds, sizeof *tallies);
    fill_plain(s);
    EXPECT_OK(mass_stepper_create(s->domain, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_start(stepper, e));
    EXPECT_OK(mass_stepper_advance(stepper, STEPS, NULL, e));
    EXPECT_OK(mass_domain_read_tallies(s->domain, tallies, e));
    for (int32_t w = 0; w < drawn->worlds; w++) {
        for (uint64_t step = 1; step <= STEPS; step++) step_plainly(drawn, &s->plain[w], step);
        expect_plain(s, w);
        cr_expect_eq(tallies[w], s->plain[w].thrown);
    }
    free(tallies);
    mass_stepper_free(stepper);
    discard(s);
}

/* Small extents, so that what is thrown goes round a torus more than once, and over several partitions. */
static shape random_shape(uint64_t n, uint32_t dimensions)
{
    shape s = {.dimensions = dimensions, .torus = draw(n, 0, 8), .size = {1, 1, 1},
               .radius = 1 + (int32_t)draw(n, 1, RADIUS_MAX), .worlds = 1 + (int32_t)draw(n, 2, 3),
               .threads = 1 + (int32_t)draw(n, 3, 3)};
    for (uint32_t a = 0; a < dimensions; a++) s.size[a] = 1 + draw(n, 4 + a, n % 3 ? 12 : 4);
    const mass_gidx rows = s.size[dimensions - 1];
    s.partitions = 1 + (int32_t)draw(n, 7, rows < 7 ? (uint32_t)rows : 7);
    s.torus &= (1u << dimensions) - 1;
    return s;
}

static void try_shapes(uint32_t dimensions, uint64_t count)
{
    for (uint64_t n = 0; n < count; n++) {
        const shape drawn = random_shape(1000 * dimensions + n, dimensions);
        try_shape(&drawn, n % 2 ? &mass_paranoid_table : &mass_cpu_table);
    }
}

Test(scatter, comes_to_what_is_plain_in_one_dimension) { try_shapes(1, 150); }
Test(scatter, comes_to_what_is_plain_in_two_dimensions) { try_shapes(2, 60); }
Test(scatter, comes_to_what_is_plain_in_three_dimensions) { try_shapes(3, 20); }

/* A ring of places, on each of which an agent stands. */
static mass_status run_ring(const mass_callback *callback, const mass_device_table *table, int64_t *heap,
                            mass_error *error)
{
    enum { PLACES = 6 };
    mass_model m = {0};
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    const mass_space ring = {.name = "ring", .dimensions_min = 1, .dimensions_max = 1, .torus = 1, .size = {PLACES}};
    mass_model_add_space(&m, &ring, NULL, 0, error);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "ring", .name = "heap", .type = MASS_I64}, error);
    mass_model_add_population(&m, &(mass_population){.name = "all", .initial = MASS_EVERY_PLACE}, error);
    mass_model_add_agent_phase(&m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "all", .reach = 1,
        .callback = callback}, error);
    mass_model_resolve(&m, error);
    cr_assert_eq(error->status, MASS_OK, "%s", error->text);
    EXPECT_OK(mass_cpu_open(table, 2, &device, e));
    EXPECT_OK(mass_domain_create(&m, device, &(mass_domain_options){2, 1, 0, 1, NULL, NULL, 0}, &domain, e));
    EXPECT_OK(mass_stepper_create(domain, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_start(stepper, e));
    const mass_status status = mass_stepper_advance(stepper, 1, NULL, error);
    EXPECT_OK(mass_domain_read(domain, 0, 0, (mass_gidx[3]){0}, m.spaces[0].size, heap, e));
    mass_stepper_free(stepper);
    mass_domain_free(domain);
    mass_device_close(device);
    mass_model_free(&m);
    return status;
}

MASS_AGENT(too_far, all, 1, SCATTERS(TYPED(heap, int64_t)))
{
    SCATTER(heap, 1 + (int64_t)AGENT_ID, AGENT_ID == 4 ? 2 : 1);
}
MASS_RESIDENTS(together_too_far, all, 1, 1, SCATTERS(TYPED(heap, int64_t)))
{
    SCATTER(heap, 1 + AT_X, AT_X == 4 ? 2 : 1);
}

Test(scatter, beyond_the_reach_adds_nothing_and_paranoid_tells)
{
    static const mass_callback *const both[] = {&too_far, &together_too_far};
    static const int64_t expected[] = {6, 1, 2, 3, 4, 0};
    for (int i = 0; i < 2; i++) {
        int64_t heap[6];
        mass_error none = {0}, error = {0};
        cr_expect_eq(run_ring(both[i], &mass_cpu_table, heap, &none), MASS_OK);
        cr_expect_arr_eq(heap, expected, sizeof heap);
        cr_expect_eq(run_ring(both[i], &mass_paranoid_table, heap, &error), MASS_BAD_PLUGIN);
        char text[160];
        snprintf(text, sizeof text, "callback %s, step 1: at place (4) of world 0 it adds to the place (2) away, which "
                 "is farther than 1, %s", both[i]->name, i ? "its radius" : "the .reach of its phase");
        cr_expect_str_eq(error.text, text);
    }
}

/* Around a torus, what is thrown is there afterwards. */
Test(scatter, loses_nothing_on_a_torus)
{
    const shape drawn = {.dimensions = 2, .torus = 3, .size = {13, 7, 1}, .radius = 3, .partitions = 5, .worlds = 1,
                         .threads = 2};
    scene *s = make_scene(&drawn, &mass_cpu_table, false);
    fill_plain(s);
    const int64_t places = mass_space_places(&s->model.spaces[0]);
    uint64_t *found = calloc((size_t)places, sizeof *found), before = 0, thrown = 0, after = 0;
    for (int64_t i = 0; i < places; i++) before += s->plain->u64[i], thrown += (uint64_t)s->plain->value[i];
    mass_stepper *stepper;
    EXPECT_OK(mass_stepper_create(s->domain, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_advance(stepper, STEPS, NULL, e));
    EXPECT_OK(mass_domain_read(s->domain, U_64, 0, (mass_gidx[3]){0}, drawn.size, found, e));
    for (int64_t i = 0; i < places; i++) after += found[i];
    cr_expect_eq(after, before + STEPS * thrown);
    free(found);
    mass_stepper_free(stepper);
    discard(s);
}
