/* SPDX-License-Identifier: Apache-2.0 */
/* Fused or replayed steps of bits give the tallies of each step. The tallies are those of a plain loop over places, in
 * spaces of every shape and edge, partitioned or not. A run ends with the very step in which its condition holds. */
#include "../../extended.h"
#include "../expect.h"
#include "recording_cpu.h"
#include "replaying.h"
#include "snapshot/create.h"
#include "state/box.h"
#include "state/tally.h"

#include "device/cpu/cpu.h"
#include "state/stop_condition.h"
#include "plan/fuse.h"

#include <mass/kernel.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS_MOST = 200, TALLIES = 3, WORLDS_MOST = 3 };

#define AROUND (NEAR(a, -1, -1) + NEAR(a, 0, -1) + NEAR(a, 1, -1) + NEAR(a, -1, 0) + NEAR(a, 1, 0) + \
                NEAR(a, -1, 1) + NEAR(a, 0, 1) + NEAR(a, 1, 1))
#define FIELDS READS(TYPED(a, bool, a)), WRITES(TYPED(b, bool, a)), \
    SUMS(TYPED(set, int64_t, set), TYPED(born, int64_t, born), TYPED(died, int64_t, died))
#define COUNTED(NEXT)                                                  \
    {                                                                  \
        const uint8_t now = IN(a), n = (uint8_t)AROUND, next = (NEXT); \
        OUT(b) = next;                                                 \
        ADD(set, next);                                                \
        ADD(born, (uint8_t)(next & ~now & 1));                         \
        ADD(died, (uint8_t)(now & ~next & 1));                         \
    }
MASS_STENCIL(life, 2, 1, FIELDS) COUNTED((uint8_t)((n == 3) | ((n == 2) & now)))
MASS_STENCIL(walled, 2, 1, FIELDS) COUNTED((uint8_t)((n == 2) | (n == 5) | (n == 7)))
/* What it counts depends on more than what a place was and is. */
MASS_STENCIL(place_counts, 2, 1, READS(TYPED(a, bool, a)), WRITES(TYPED(b, bool, a)),
             SUMS(TYPED(set, int64_t, set), TYPED(born, int64_t, born), TYPED(died, int64_t, died)))
{
    const uint8_t now = IN(a), n = (uint8_t)AROUND, next = (uint8_t)((n == 3) | ((n == 2) & now));
    OUT(b) = next;
    ADD(set, next);
    ADD(born, (uint8_t)(n > 4));
    ADD(died, (uint8_t)(now & ~next & 1));
}

typedef struct rule {
    const mass_callback *callback;
    uint32_t birth, survive;
    bool place_counts;
} rule;
static const rule rules[] = {{&life, 8, 12, false}, {&walled, 164, 164, false}, {&place_counts, 8, 12, true}};

typedef struct trial {
    const rule *rule;
    mass_gidx width, height;
    uint32_t torus;
    int32_t partitions, worlds, fuse;
    int threads;
    bool replayed, tried;
    uint64_t stops[3];  /* steps after which somebody looks; up to 0 */
    const char *until;  /* or NULL */
} trial;

static uint64_t drawn(uint64_t number, uint32_t i) { return mass_random_block(11, number, i, 0, 0).v[0]; }

/* ---- the plain loop ---- */

typedef struct expectation {
    uint8_t *cells; /* [worlds][height][width], after the last step */
    int64_t tallies[STEPS_MOST + 1][TALLIES][WORLDS_MOST];
} expectation;

static int at(const trial *t, const uint8_t *cells, mass_gidx x, mass_gidx y)
{
    if (t->torus & MASS_AXIS_X) x = (x + t->width) % t->width;
    if (t->torus & MASS_AXIS_Y) y = (y + t->height) % t->height;
    return x >= 0 && x < t->width && y >= 0 && y < t->height ? cells[y * t->width + x] : 0;
}

static void step_plainly(const trial *t, const uint8_t *from, uint8_t *to, int64_t counts[TALLIES])
{
    for (mass_gidx y = 0; y < t->height; y++)
        for (mass_gidx x = 0; x < t->width; x++) {
            const int now = from[y * t->width + x];
            int n = -now;
            for (int k = 0; k < 9; k++) n += at(t, from, x + k % 3 - 1, y + k / 3 - 1);
            const int next = (now ? t->rule->survive : t->rule->birth) >> n & 1;
            to[y * t->width + x] = (uint8_t)next;
            counts[0] += next;
            counts[1] += t->rule->place_counts ? n > 4 : next && !now;
            counts[2] += now && !next;
        }
}

static void fill(const trial *t, uint8_t *cells)
{
    for (mass_gidx i = 0; i < t->width * t->height * t->worlds; i++) cells[i] = drawn((uint64_t)i, 99) % 3 == 0;
}

static expectation *expect(const trial *t, uint64_t steps)
{
    const size_t places = (size_t)(t->width * t->height), all = places * (size_t)t->worlds;
    expectation *e = calloc(1, sizeof *e);
    uint8_t *next = malloc(all);
    e->cells = malloc(all);
    fill(t, e->cells);
    for (uint64_t step = 1; step <= steps; step++) {
        for (int32_t w = 0; w < t->worlds; w++) {
            int64_t counts[TALLIES] = {0};
            step_plainly(t, e->cells + (size_t)w * places, next + (size_t)w * places, counts);
            for (int k = 0; k < TALLIES; k++) e->tallies[step][k][w] = counts[k];
        }
        memcpy(e->cells, next, all);
    }
    free(next);
    return e;
}

static void forget(expectation *e)
{
    free(e->cells);
    free(e);
}

/* ---- the engine ---- */

static mass_model *make_model(const trial *t)
{
    static const char *const tallies[TALLIES] = {"set", "born", "died"};
    mass_model *m = calloc(1, sizeof *m);
    m->effects_size = sizeof(mass_effects);
    const mass_space space = {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = t->torus,
                              .size = {t->width, t->height}};
    EXPECT_OK(mass_model_add_space(m, &space, NULL, 0, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_BIT}, e));
    for (int i = 0; i < TALLIES; i++)
        EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = tallies[i], .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = t->rule->callback}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

typedef struct rows_taken {
    const trial *trial;
    const expectation *expected;
    uint64_t last;
} rows_taken;

static mass_status take_row(void *context, uint64_t step, const int64_t *tallies, mass_error *error)
{
    rows_taken *r = context;
    (void)error;
    cr_assert_eq(step, r->last + 1, "rows come in order");
    r->last = step;
    for (int k = 0; k < TALLIES; k++)
        for (int32_t w = 0; w < r->trial->worlds; w++)
            cr_assert_eq(tallies[k * r->trial->worlds + w], r->expected->tallies[step][k][w],
                         "%s, %d x %d, torus %u, fuse %d, %d partitions, %d threads%s: tally %d of step %d",
                         r->trial->rule->callback->name, (int)r->trial->width, (int)r->trial->height,
                         r->trial->torus, r->trial->fuse, r->trial->partitions, r->trial->threads,
                         r->trial->replayed ? ", replayed" : "", k, (int)step);
    return MASS_OK;
}

typedef struct run {
    mass_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    mass_expression until;
} run;

static void write_cells(const trial *t, mass_domain *d)
{
    const size_t places = (size_t)(t->width * t->height);
    uint8_t *cells = malloc(places * (size_t)t->worlds);
    const mass_gidx zero[3] = {0};
    fill(t, cells);
    for (int32_t w = 0; w < t->worlds; w++)
        EXPECT_OK(mass_domain_write(d, 0, w, zero, d->model->spaces[0].size, cells + (size_t)w * places, e));
    free(cells);
}

static run begin(const trial *t)
{
    run r = {.model = make_model(t)};
    if (t->fuse > 1) mass_fuse_thicken(r.model, t->fuse);
    EXPECT_OK(mass_cpu_open(t->replayed ? replaying_cpu((size_t)1 << 30) : &mass_cpu_table, t->threads, &r.device, e));
    EXPECT_OK(mass_domain_create(r.model, r.device,
                                 &(mass_domain_options){t->partitions, t->worlds, 0, 1, NULL, NULL, 0}, &r.domain, e));
    if (t->until) {
        const mass_expression_scope scope = {r.model, t->worlds, 0, false};
        EXPECT_OK(mass_expression_compile("until", t->until, &scope, &r.until, e));
        EXPECT_OK(mass_until_create(r.domain, t->until, &r.until, e));
    }
    write_cells(t, r.domain);
    EXPECT_OK(mass_stepper_create(r.domain, NULL, 0, &r.stepper, e));
    EXPECT_OK(mass_stepper_follow_rules(r.stepper, e));
    EXPECT_OK(mass_stepper_fuse(r.stepper, t->tried ? 1 : t->fuse, e));
    if (t->tried) EXPECT_OK(mass_stepper_try_fuse(r.stepper, t->fuse, e));
    EXPECT_OK(mass_stepper_start(r.stepper, e));
    return r;
}

static void end(run *r)
{
    mass_stepper_free(r->stepper);
    mass_expression_free(&r->until);
    mass_domain_free(r->domain);
    mass_device_close(r->device);
    mass_model_free(r->model);
    free(r->model);
}

static void expect_state(const trial *t, const run *r, const expectation *x)
{
    const size_t places = (size_t)(t->width * t->height);
    uint8_t *cells = malloc(places);
    const mass_gidx zero[3] = {0};
    int64_t sum;
    for (int32_t w = 0; w < t->worlds; w++) {
        EXPECT_OK(mass_domain_read(r->domain, 0, w, zero, r->model->spaces[0].size, cells, e));
        cr_assert_arr_eq(cells, x->cells + (size_t)w * places, places);
        for (uint32_t k = 0; k < TALLIES; k++) {
            EXPECT_OK(mass_domain_read_tally(r->domain, k, w, 0, 1, &sum, e));
            cr_assert_eq(sum, x->tallies[r->stepper->step][k][w], "tally %u after the last step", k);
        }
    }
    free(cells);
}

/* Every step's rows, and the state after the last one. */
static void check(const trial *t)
{
    uint64_t last = 0;
    for (int i = 0; i < 3 && t->stops[i]; i++) last = t->stops[i];
    expectation *x = expect(t, last);
    run r = begin(t);
    bool several;
    rows_taken taken = {t, x, 0};
    cr_assert(mass_stepper_has_rows(r.stepper, &several));
    cr_assert_eq(several, t->fuse > 1 && !t->rule->place_counts);
    const mass_step_watch watch = {.every = true, .row = take_row, .context = &taken};
    for (int i = 0; i < 3 && t->stops[i]; i++) {
        EXPECT_OK(mass_stepper_advance(r.stepper, t->stops[i], &watch, e));
        cr_assert_eq(r.stepper->step, t->stops[i]);
        cr_assert_eq(taken.last, t->stops[i]);
    }
    expect_state(t, &r, x);
    end(&r);
    forget(x);
}

static trial draw(uint64_t number)
{
    static const mass_gidx sides[] = {1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 128, 130, 200};
    static const int32_t fuses[] = {1, 2, 4, 8, 16};
    trial t = {.rule = &rules[drawn(number, 0) % 3], .width = sides[drawn(number, 1) % 13],
               .height = sides[drawn(number, 2) % 13], .torus = (uint32_t)drawn(number, 3) % 4,
               .worlds = 1 + (int32_t)(drawn(number, 4) % WORLDS_MOST), .fuse = fuses[drawn(number, 5) % 5],
               .threads = 1 + (int)(drawn(number, 6) % 3), .replayed = drawn(number, 7) % 2,
               .tried = drawn(number, 8) % 3 == 0};
    const mass_gidx slabs = t.height < 4 ? t.height : 4;
    t.partitions = 1 + (int32_t)(drawn(number, 9) % (uint64_t)slabs);
    uint64_t step = 0;
    for (int i = 0; i < 3; i++) t.stops[i] = step += 1 + drawn(number, 10 + (uint32_t)i) % 60;
    return t;
}

Test(stepper_tallies, each_step_has_its_own)
{
    for (uint64_t number = 0; number < (uint64_t)unsanitized(40, 120); number++) {
        const trial t = draw(number);
        check(&t);
    }
}

/* So wide and tall that there are several tiles. */
Test(stepper_tallies, tiles_count_their_own_places_once)
{
    for (int i = 0; i < 4; i += unsanitized(3, 1)) {
        const trial t = {.rule = &rules[i % 2], .width = i < 2 ? 20000 : 16321, .height = 150,
                         .torus = i % 2 ? MASS_AXES_ALL & 3 : 0, .worlds = 1, .partitions = 1 + i / 2, .fuse = 8,
                         .threads = 2, .replayed = i % 2, .stops = {19}};
        check(&t);
    }
}

/* Launches are of as many steps as asked for, where all tallies count. */
Test(stepper_tallies, steps_go_together_although_they_count)
{
    trial t = {.rule = &rules[0], .width = 64, .height = 64, .torus = 3, .worlds = 1, .partitions = 1, .fuse = 8,
               .threads = 1, .stops = {33}};
    for (int i = 0; i < 2; i++) {
        mass_model *m = make_model(&t);
        mass_device *device;
        mass_domain *d;
        mass_stepper *s;
        mass_fuse_thicken(m, 8);
        EXPECT_OK(mass_cpu_open(recording_cpu(), 1, &device, e));
        EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){1, 1, 0, 1, NULL, NULL, 0}, &d, e));
        EXPECT_OK(mass_stepper_create(d, NULL, 0, &s, e));
        EXPECT_OK(mass_stepper_follow_rules(s, e));
        EXPECT_OK(mass_stepper_fuse(s, 8, e));
        recording_cpu_watch(d);
        gpu.stepper = s;
        EXPECT_OK(mass_stepper_start(s, e));
        EXPECT_OK(mass_stepper_advance(s, 33, &(mass_step_watch){.every = true}, e));
        cr_assert_eq(gpu.launches, i ? 33 : 4 + 1);
        mass_stepper_free(s);
        mass_domain_free(d);
        free(gpu.list);
        mass_device_close(device);
        mass_model_free(m);
        free(m);
        t.rule = &rules[2];
    }
}

/* With each step in turn, whether it is the first, the last or in the middle of those that go together. */
Test(stepper_tallies, a_run_ends_with_the_step_in_which_its_condition_holds)
{
    static const int32_t fuses[] = {1, 4, 8};
    for (uint64_t number = 0; number < 150; number += (uint64_t)unsanitized(7, 1)) {
        char until[64];
        const uint64_t step = 1 + number % 75;
        trial t = draw(number);
        t.rule = &rules[number % 2];
        t.fuse = fuses[drawn(number, 20) % 3];
        const bool steady = number % 4 == 3;
        snprintf(until, sizeof until, steady ? "set >= 0 && step >= %d" : "step == %d", (int)step);
        t.until = until;
        expectation *x = expect(&t, step);
        run r = begin(&t);
        rows_taken taken = {&t, x, 0};
        const mass_step_watch watch = {.every = true, .row = number % 3 ? take_row : NULL, .context = &taken};
        EXPECT_OK(mass_stepper_advance(r.stepper, STEPS_MOST, &watch, e));
        cr_assert(r.stepper->held);
        cr_assert_eq(r.stepper->step, step, "%d, not %d; fuse %d%s", (int)r.stepper->step, (int)step, t.fuse,
                     t.replayed ? ", replayed" : "");
        if (watch.row) cr_assert_eq(taken.last, step);
        expect_state(&t, &r, x);
        end(&r);
        forget(x);
    }
}

/* Goes by what tallies were in the steps before, which it sees in order. */
Test(stepper_tallies, a_condition_sees_every_step_once)
{
    const trial plain = {.rule = &rules[0], .width = 33, .height = 20, .torus = 3, .worlds = 1, .partitions = 1,
                         .threads = 1, .fuse = 1, .until = "steady(set, 5)"};
    uint64_t ends[3];
    for (int i = 0; i < 3; i++) {
        trial t = plain;
        t.fuse = i ? 8 : 1;
        t.replayed = i == 2;
        run r = begin(&t);
        EXPECT_OK(mass_stepper_advance(r.stepper, 100000, NULL, e));
        cr_assert(r.stepper->held);
        ends[i] = r.stepper->step;
        end(&r);
    }
    cr_assert_gt(ends[0], 5);
    cr_assert(ends[0] == ends[1] && ends[0] == ends[2], "%d, %d, %d", (int)ends[0], (int)ends[1], (int)ends[2]);
}
