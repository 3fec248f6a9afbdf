/* SPDX-License-Identifier: Apache-2.0 */
/* Fused steps give the same result as steps one after the other. Spaces have every shape and edge, are partitioned or
 * not, and recorded or not. The bodies read and write in several ways, and the state is read after random steps. */
#include "../../extended.h"
#include "../expect.h"
#include "recording_cpu.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/box.h"
#include "state/tally.h"

#include "device/cpu/cpu.h"
#include "plan/fuse.h"

#include <mass/kernel.h>
#include <stdlib.h>

/* Two attributes that see each other, one that stays as it is, and one that nobody reads. */
#define FIELDS READS(TYPED(u, int64_t, u), TYPED(v, uint8_t, v), TYPED(hill, uint16_t, hill)), \
    WRITES(TYPED(u2, int64_t, u), TYPED(v2, uint8_t, v), TYPED(seen, uint32_t, seen)), \
    GIVEN(TYPED(rate, int64_t, rate)), SUMS(TYPED(sum, int64_t, sum))
#define MIXED(AROUND_U, AROUND_V, THERE)                                                                    \
    {                                                                                                       \
        const int64_t asked = AT_X + 3 * AT_Y + 7 * AT_Z + 11 * (int64_t)STEP + RANDOM(1).v[0] % 13;        \
        const int64_t value = ((AROUND_U) + PARAM(rate) * IN(hill) + asked + (THERE)) % 1000003;            \
        OUT(u2) = value;                                                                                    \
        OUT(v2) = (uint8_t)((AROUND_V) + IN(u) + 1);                                                        \
        OUT(seen) = (uint32_t)(IN(u) + asked);                                                              \
        ADD(sum, value);                                                                                    \
    }

MASS_STENCIL(flat1, 2, 1, FIELDS)
MIXED(NEAR(u, -1, 0) + 2 * NEAR(u, 1, 0) + 3 * NEAR(u, 0, -1) + 5 * NEAR(u, 0, 1) + 7 * NEAR(u, 1, 1) + IN(u),
      NEAR(v, -1, -1) + 2 * NEAR(hill, 1, -1), EXISTS(-1, 0) + 2 * EXISTS(0, 1))
MASS_STENCIL(flat2, 2, 2, FIELDS)
MIXED(NEAR(u, -2, 0) + 2 * NEAR(u, 2, -1) + 3 * NEAR(u, 0, -2) + 5 * NEAR(u, 1, 2) + IN(u),
      NEAR(v, -2, -2) + 2 * NEAR(hill, 1, 2), EXISTS(-2, 0) + 2 * EXISTS(0, 2))
MASS_STENCIL(solid1, 3, 1, FIELDS)
MIXED(NEAR(u, -1, 0, 0) + 2 * NEAR(u, 1, 1, 0) + 3 * NEAR(u, 0, -1, 1) + 5 * NEAR(u, 0, 0, -1) + IN(u),
      NEAR(v, -1, -1, 1) + 2 * NEAR(hill, 0, 1, -1), EXISTS(-1, 0, 0) + 2 * EXISTS(0, 1, 0) + 4 * EXISTS(0, 0, 1))
MASS_STENCIL(solid2, 3, 2, FIELDS)
MIXED(NEAR(u, -2, 0, 0) + 2 * NEAR(u, 1, 2, 0) + 3 * NEAR(u, 0, -2, 1) + 5 * NEAR(u, 0, 0, -2) + IN(u),
      NEAR(v, -2, -1, 2) + 2 * NEAR(hill, 0, 1, -2), EXISTS(-2, 0, 0) + 2 * EXISTS(0, 2, 0) + 4 * EXISTS(0, 0, 2))
/* In place, which has no old values to keep. */
MASS_MAP(counting, UPDATES(TYPED(u, int64_t, u))) { OUT(u) = OUT(u) + 1; }

typedef struct trial {
    const mass_callback *callback;
    mass_space space;
    int32_t partitions, worlds, fuse;
    int threads;
    bool recorded, tried; /* tried: how many steps are done at once is measured, up to `fuse` */
    uint64_t stops[4]; /* steps after which somebody looks; up to 0 */
    bool every;        /* tallies count in every step */
} trial;

static uint64_t drawn(uint64_t number, uint32_t i) { return mass_random_block(7, number, i, 0, 0).v[0]; }

static mass_model *make_model(const trial *t)
{
    static const struct { const char *name; uint32_t type; int64_t initial; } attributes[] = {
        {"u", MASS_I64, 5}, {"v", MASS_U8, 3}, {"hill", MASS_U16, 2}, {"seen", MASS_U32, 1}};
    mass_model *m = calloc(1, sizeof *m);
    EXPECT_OK(mass_model_add_space(m, &t->space, NULL, 0, e));
    for (int i = 0; i < 4; i++)
        EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = attributes[i].name,
            .type = attributes[i].type, .initial = &attributes[i].initial}, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "rate", .type = MASS_INTEGER,
                                                                    .text = "2"}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "sum", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = t->callback}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

/* Random values, the same however the space is cut; and every world has its own parameter. */
static void fill(mass_domain *d)
{
    const mass_space_def *s = &d->model->spaces[0];
    const size_t places = (size_t)(s->size[0] * s->size[1] * s->size[2]);
    uint64_t *values = malloc(places * sizeof *values);
    const mass_gidx zero[3] = {0};
    for (uint32_t a = 0; a < 3; a++)
        for (int32_t w = 0; w < d->worlds; w++) {
            const size_t size = d->model->attributes[a].component_size;
            for (size_t i = 0; i < places; i++) {
                const uint64_t value = drawn(i, a + 10 * (uint32_t)w) % 200;
                memcpy((char *)values + i * size, &value, size);
            }
            EXPECT_OK(mass_domain_write(d, a, w, zero, s->size, values, e));
        }
    free(values);
    for (int32_t w = 0; w < d->worlds; w++) ((int64_t *)d->parameters.address)[w] = 2 + w;
}

/* The state after the last stop, as a hash; and the tally at each. */
static void run(const trial *t, int32_t fuse, char hash[33], int64_t sums[4])
{
    mass_model *m = make_model(t);
    mass_device *device;
    mass_domain *d;
    mass_stepper *stepper;
    if (fuse > 1) mass_fuse_thicken(m, fuse);
    EXPECT_OK(mass_cpu_open(t->recorded ? recording_cpu() : &mass_cpu_table, t->threads, &device, e));
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){t->partitions, t->worlds, 0, 1, NULL, NULL, 0}, &d,
                                 e));
    fill(d);
    EXPECT_OK(mass_stepper_create(d, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_fuse(stepper, t->tried ? 1 : fuse, e));
    if (t->tried) EXPECT_OK(mass_stepper_try_fuse(stepper, fuse, e));
    if (t->recorded) {
        recording_cpu_watch(d);
        gpu.stepper = stepper;
    }
    EXPECT_OK(mass_stepper_start(stepper, e));
    const mass_step_watch watch = {.every = t->every};
    mass_snapshot s = {0};
    for (int i = 0; i < 4 && t->stops[i]; i++) {
        EXPECT_OK(mass_stepper_advance(stepper, t->stops[i], &watch, e));
        EXPECT_OK(mass_domain_read_tally(d, 0, t->worlds - 1, 0, 1, &sums[i], e));
        cr_assert_eq(stepper->step, t->stops[i]);
    }
    EXPECT_OK(mass_domain_save_numbers(d, &s, e));
    EXPECT_OK(mass_domain_hash(d, &s, hash, e));
    mass_snapshot_free(&s);
    mass_stepper_free(stepper);
    mass_domain_free(d);
    if (t->recorded) free(gpu.list);
    mass_device_close(device);
    mass_model_free(m);
    free(m);
}

static void expect_same(const trial *t)
{
    char one[33], several[33];
    int64_t sums[2][4] = {{0}};
    trial plain = *t;
    plain.partitions = 1;
    plain.recorded = plain.tried = false;
    run(&plain, 1, one, sums[0]);
    run(t, t->fuse, several, sums[1]);
    const mass_gidx *n = t->space.size;
    cr_assert_str_eq(one, several, "%s, %d x %d x %d, torus %u, fuse %d, %d partitions, %d worlds, %d threads%s",
                     t->callback->name, (int)n[0], (int)n[1], (int)n[2], t->space.torus, t->fuse, t->partitions,
                     t->worlds, t->threads, t->recorded ? ", recorded" : "");
    cr_assert_arr_eq(sums[0], sums[1], sizeof sums[0]);
}

/* Of 8 x 8 places, until somebody says otherwise. */
static mass_space space_of(bool solid, uint64_t torus)
{
    const uint32_t dimensions = solid ? 3 : 2;
    return (mass_space){.name = "s", .dimensions_min = dimensions, .dimensions_max = dimensions,
                        .torus = torus % (1u << dimensions), .size = {8, 8, solid ? 8 : 0}};
}

/* An extent: often an odd one. */
static mass_gidx extent(uint64_t number, uint32_t i, mass_gidx most)
{
    static const mass_gidx odd[] = {1, 2, 3, 5, 31, 32, 33, 63, 65};
    const mass_gidx n = odd[drawn(number, i) % (sizeof odd / sizeof *odd)];
    return n <= most ? n : 1 + (mass_gidx)drawn(number, i + 50) % most;
}

static trial draw(uint64_t number)
{
    static const mass_callback *const callbacks[] = {&flat1, &flat2, &solid1, &solid2};
    static const int32_t fuses[] = {2, 2, 4, 8, 16};
    trial t = {.callback = callbacks[drawn(number, 0) % 4], .worlds = 1 + (int32_t)(drawn(number, 1) % 3),
               .fuse = fuses[drawn(number, 2) % 5], .threads = 1 + (int)(drawn(number, 3) % 3),
               .recorded = drawn(number, 4) % 3 == 0,
               .tried = drawn(number, 6) % 4 == 0, .every = drawn(number, 5) % 7 == 0};
    const bool solid = t.callback->dimensions == 3;
    t.space = space_of(solid, drawn(number, 7));
    t.space.size[0] = extent(number, 8, solid ? 33 : 65);
    t.space.size[1] = extent(number, 9, solid ? 20 : 65);
    t.space.size[2] = solid ? extent(number, 10, 12) : 0;
    const mass_gidx rows = t.space.size[solid ? 2 : 1];
    t.partitions = 1 + (int32_t)(drawn(number, 11) % (uint64_t)(rows < 4 ? rows : 4));
    uint64_t step = 0;
    const uint64_t most = t.recorded || t.tried ? 140 : 45;
    for (int i = 0; i < 3; i++) t.stops[i] = step += 1 + drawn(number, 12 + (uint32_t)i) % most;
    return t;
}

Test(stepper, fused_steps_come_to_the_same_as_others)
{
    for (uint64_t number = 0; number < (uint64_t)unsanitized(30, 100); number++) {
        const trial t = draw(number);
        expect_same(&t);
    }
}

/* So wide that it is cut into tiles, in every direction. */
Test(stepper, fused_steps_in_tiles_come_to_the_same)
{
    static const mass_gidx sizes[][3] = {{1000, 777, 0}, {2600, 70, 0}, {530, 120, 9}};
    for (uint32_t i = (uint32_t)unsanitized(1, 0); i < 6; i += (uint32_t)unsanitized(3, 1)) {
        const mass_gidx *n = sizes[i / 2];
        const bool solid = n[2] > 0;
        trial t = {.callback = solid ? (i % 2 ? &solid2 : &solid1) : i % 2 ? &flat2 : &flat1, .partitions = 1,
                   .space = space_of(solid, i % 2 ? MASS_AXES_ALL : 0),
                   .worlds = 1, .fuse = i % 2 ? 8 : 4, .threads = 2, .stops = {20}, .tried = i == 0};
        memcpy(t.space.size, n, sizeof t.space.size);
        expect_same(&t);
    }
}

Test(stepper, steps_are_fused_as_far_as_nobody_looks_in_between)
{
    trial t = {.callback = &flat1, .space = space_of(false, 0), .worlds = 1, .partitions = 1,
               .fuse = 4, .threads = 1, .recorded = true, .stops = {11, 31}};
    char hash[33];
    int64_t sums[4];
    run(&t, 4, hash, sums);
    cr_assert_eq(gpu.launches, 2 + 3 + 4 + 4); /* 4, 4, 1, 1, 1; 4, 4, 4, 4, 1, 1, 1, 1 */
    t.every = true;
    run(&t, 4, hash, sums);
    cr_assert_eq(gpu.launches, 31);
}

/* Passes of 1, 4, 8 and 16 steps, three each, as they take long; the first is not counted. */
static int32_t best_of(int32_t most, double one, double four, double sixteen)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(most, false, false);
    bool done = !t.most;
    for (int i = 0; !done && i < 20; i++) {
        const double step = t.now == 1 ? one : t.now <= 4 ? four : t.now == 8 ? (four + sixteen) / 2 : sixteen;
        done = mass_fuse_tuner_note(&t, t.runs, t.now * step * (t.measures == 0 ? 100 : t.measures));
    }
    cr_assert(done && !t.most);
    return t.best;
}

/* With exchanges beside and before launches, which then take `apart` times as long; 100 * best + best_apart. */
static int32_t best_over_ranks(int32_t most, double several, double apart)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(most, true, false);
    bool done = false;
    for (int i = 0; !done && i < 40; i++)
        done = mass_fuse_tuner_note(&t, t.runs, t.now * (t.now == 1 ? 1 : several) * (t.apart ? apart : 1));
    cr_assert(done && !t.most);
    return 100 * t.best + t.best_apart;
}

Test(stepper, the_number_of_steps_that_is_fastest_is_found)
{
    cr_assert_eq(best_of(16, 1, 0.6, 0.4), 16);
    cr_assert_eq(best_of(8, 1, 0.6, 0.5), 8);
    cr_assert_eq(best_of(16, 1, 0.6, 0.59), 4, "not worth more ghosts");
    cr_assert_eq(best_of(16, 1, 1.1, 0.5), 16);
    cr_assert_eq(best_of(16, 1, 1.1, 1.2), 1);
    cr_assert_eq(best_of(4, 1, 0.6, 0.1), 4);
    cr_assert_eq(best_of(1, 1, 0.1, 0.1), 1);
    cr_assert_eq(best_of(2, 1, 0.1, 0.1), 2, "what a device takes is tried, too");
}

/* Of microseconds; each fourth step, and the first passes of several, take far longer: a single one says little. */
Test(stepper, brief_passes_are_measured_together)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(16, false, true);
    int passes[17] = {0};
    for (bool done = false; !done;) {
        double seconds = 0;
        for (int i = 0; i < t.runs; i++) {
            const int nth = passes[t.now]++;
            seconds += t.now * (t.now < 16 ? t.now > 1 ? 17e-6 : nth % 4 ? 10e-6 : 40e-6 : nth < 5 ? 25e-6 : 16e-6);
        }
        done = mass_fuse_tuner_note(&t, t.runs, seconds);
        cr_assert_lt(passes[1] + passes[4] + passes[8] + passes[16], 1000);
    }
    cr_assert_eq(t.best, 16);
    cr_assert_geq(passes[1], 3 * 28);
}

Test(stepper, exchanges_go_beside_launches_where_that_is_not_slower)
{
    cr_assert_eq(best_over_ranks(4, 0.6, 1.1), 400);
    cr_assert_eq(best_over_ranks(4, 0.6, 0.9), 401);
    cr_assert_eq(best_over_ranks(4, 1.2, 0.9), 101);
    cr_assert_eq(best_over_ranks(4, 1.2, 0.99), 100);
    cr_assert_eq(best_over_ranks(1, 1, 0.9), 101);
}

/* Why a model's steps are not fused. */
Test(stepper, what_cannot_be_fused_is_refused_with_a_reason)
{
    trial t = {.callback = &counting, .space = space_of(false, 0)};
    mass_model *m = make_model(&t);
    mass_error error = {0};
    cr_assert_eq(mass_fuse_check(m, 2, &error), MASS_BAD_USAGE);
    cr_assert_not_null(strstr(error.text, "after the other, as places change in place"), "%s", error.text);
    EXPECT_OK(mass_fuse_check(m, 1, e));
    error = (mass_error){0};
    cr_assert_eq(mass_fuse_check(m, 6, &error), MASS_BAD_USAGE);
    cr_assert_not_null(strstr(error.text, "--fuse 6 is not a power of two"), "%s", error.text);
    mass_model_free(m);
    free(m);
}

/* A pass of 16 steps takes more a step than one of 8, and both less than to begin one alone. */
static int32_t best_behind_others(bool brief)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(16, false, brief);
    bool done = false;
    for (int i = 0; !done && i < 50; i++)
        done = mass_fuse_tuner_note(&t, t.runs, 40e-6 + t.runs * t.now * (t.now == 8 ? 3e-6 : 4e-6));
    cr_assert(done && !t.most);
    return t.best;
}

Test(stepper, what_it_takes_to_begin_a_brief_pass_alone_does_not_decide)
{
    cr_assert_eq(best_behind_others(false), 16);
    cr_assert_eq(best_behind_others(true), 8);
}

Test(stepper, long_passes_are_tried_alone)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(1, true, true);
    while (!mass_fuse_tuner_note(&t, t.runs, 1e-3)) cr_assert_eq(t.runs, 1);
}

/* Where outputs are so close that there is no room for passes between them, what was tried decides. */
Test(stepper, trials_without_room_end)
{
    mass_fuse_tuner t = mass_fuse_tuner_begin(8, false, false);
    while (t.now < 8) mass_fuse_tuner_note(&t, t.runs, 1e-3);
    for (int i = 0; i < 5; i++) cr_assert_not(mass_fuse_tuner_note_left(&t, 7));
    cr_assert_not(mass_fuse_tuner_note_left(&t, 8));
    int often = 1;
    while (!mass_fuse_tuner_note_left(&t, 7)) cr_assert_lt(often++, 100);
    cr_assert_gt(often, 5);
    cr_assert_eq(t.most, 0);
    cr_assert_eq(t.best, 4);
}
