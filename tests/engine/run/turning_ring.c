/* SPDX-License-Identifier: Apache-2.0 */
#include "turning_ring.h"
#include "snapshot/create.h"
#include "state/box.h"
#include "state/tally.h"

#include "../expect.h"
#include "device/cpu/cpu.h"
#include "recording_cpu.h"

#include <mass/kernel.h>

#include <stdlib.h>

enum { TRACE_BASE = 7 };

MASS_MAP(seed_places, WRITES(TYPED(turning, int64_t), TYPED(order, int64_t)))
{
    OUT(turning) = 100 + AT_X;
    OUT(order) = 1;
}

MASS_MAP(trace_first, UPDATES(TYPED(order, int64_t))) { OUT(order) = (OUT(order) * TRACE_BASE + 2) % 1000003; }

MASS_MAP(trace_second, UPDATES(TYPED(order, int64_t), TYPED(steps, int64_t)))
{
    OUT(order) = (OUT(order) * TRACE_BASE + 3) % 1000003;
    OUT(steps) = (OUT(steps) * TRACE_BASE + (int64_t)STEP) % 1000003;
}

MASS_STENCIL(turn, 1, 1, READS(TYPED(old, int64_t, turning)), WRITES(TYPED(next, int64_t, turning)),
             SUMS(TYPED(sum, int64_t)), MINS(TYPED(least, int64_t)), MAXES(TYPED(most, double)))
{
    OUT(next) = NEAR(old, -1);
    ADD(sum, (int64_t)STEP * (AT_X + 1));
    LEAST(least, IN(old) - (int64_t)STEP);
    MOST(most, (double)STEP + 0.5 * (double)AT_X);
}

MASS_MAP(count_all, UPDATES(TYPED(steps, int64_t)), SUMS(TYPED(total, int64_t))) { ADD(total, (int64_t)STEP); }

static const mass_callback *const *phases_of(uint32_t schedule)
{
    static const mass_callback *const start[] = {&seed_places, &trace_second, NULL};
    static const mass_callback *const step[] = {&trace_first, &turn, &trace_second, &count_all, NULL};
    return schedule == MASS_START ? start : step;
}

/* Phases of the two schedules are declared in turns: only the order within each counts. */
static mass_model *make_model(void)
{
    mass_model *m = calloc(1, sizeof *m);
    mass_error e = {0};
    const mass_space ring = {.name = "ring", .dimensions_min = 1, .dimensions_max = 1, .torus = 1, .size = {PLACES}};
    mass_model_add_space(m, &ring, NULL, 0, &e);
    static const char *const names[] = {"turning", "order", "steps"};
    for (int i = 0; i < 3; i++)
        mass_model_add_attribute(m, &(mass_attribute){.space = "ring", .name = names[i], .type = MASS_I64}, &e);
    mass_model_add_tally(m, &(mass_tally){.name = "sum", .access = MASS_SUM}, &e);
    mass_model_add_tally(m, &(mass_tally){.name = "least", .access = MASS_MIN}, &e);
    mass_model_add_tally(m, &(mass_tally){.name = "most", .access = MASS_MAX, .kind = MASS_TALLY_REAL}, &e);
    mass_model_add_tally(m, &(mass_tally){.name = "total", .access = MASS_SUM, .cumulative = 1}, &e);
    const mass_callback *const *start = phases_of(MASS_START), *const *step = phases_of(MASS_STEP);
    while (*start || *step) {
        if (*step) mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = *step++}, &e);
        if (*start) mass_model_add_phase(m, &(mass_phase){.schedule = MASS_START, .callback = *start++}, &e);
    }
    mass_model_resolve(m, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    cr_assert(m->arrays[TURNING].buffered && !m->arrays[ORDER].buffered);
    return m;
}

scene make_scene(const mass_device_table *table, int32_t partitions, int32_t worlds)
{
    scene s = {.model = make_model()};
    EXPECT_OK(mass_cpu_open(table, 2, &s.device, e));
    const mass_domain_options options = {.partitions = partitions, .worlds = worlds, .seed = 1};
    EXPECT_OK(mass_domain_create(s.model, s.device, &options, &s.domain, e));
    recording_cpu_watch(s.domain);
    EXPECT_OK(mass_stepper_create(s.domain, NULL, 0, &s.stepper, e));
    gpu.stepper = s.stepper;
    return s;
}

void discard(scene *s)
{
    mass_stepper_free(s->stepper);
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    mass_model_free(s->model);
    free(s->model);
    free(gpu.list);
}

void start(scene *s) { EXPECT_OK(mass_stepper_start(s->stepper, e)); }

void advance(scene *s, uint64_t last)
{
    EXPECT_OK(mass_stepper_advance(s->stepper, last, NULL, e));
    cr_assert_eq(s->stepper->step, last);
}

void check_places(scene *s, uint64_t n)
{
    int64_t order = 1, steps = 0, data[PLACES];
    order = order * TRACE_BASE + 3; /* start: seed_places, then trace_second */
    for (uint64_t k = 1; k <= n; k++) {
        order = (order * TRACE_BASE + 2) % 1000003;
        order = (order * TRACE_BASE + 3) % 1000003;
        steps = (steps * TRACE_BASE + (int64_t)k) % 1000003;
    }
    const mass_gidx zero[3] = {0, 0, 0}, all[3] = {PLACES, 1, 1};
    for (int32_t w = 0; w < s->domain->worlds; w++) {
        EXPECT_OK(mass_domain_read(s->domain, TURNING, w, zero, all, data, e));
        for (int64_t x = 0; x < PLACES; x++)
            cr_assert_eq(data[(x + (int64_t)n) % PLACES], 100 + x, "step %llu", (unsigned long long)n);
        EXPECT_OK(mass_domain_read(s->domain, ORDER, w, zero, all, data, e));
        for (int64_t x = 0; x < PLACES; x++) cr_assert_eq(data[x], order, "step %llu", (unsigned long long)n);
        EXPECT_OK(mass_domain_read(s->domain, STEPS, w, zero, all, data, e));
        for (int64_t x = 0; x < PLACES; x++) cr_assert_eq(data[x], steps, "step %llu", (unsigned long long)n);
    }
}

void check_tallies(scene *s, uint64_t n)
{
    const int32_t worlds = s->domain->worlds;
    const int64_t step = (int64_t)n;
    int64_t *values = malloc(4 * (size_t)worlds * sizeof *values);
    EXPECT_OK(mass_domain_read_tallies(s->domain, values, e));
    for (int32_t w = 0; w < worlds; w++) {
        const mass_tally_def *t = s->model->tallies;
        cr_assert_eq(values[SUM * worlds + w], step * PLACES * (PLACES + 1) / 2);
        cr_assert_eq(values[LEAST * worlds + w], 100 - step);
        cr_assert_eq(mass_tally_value(&t[MOST], &values[MOST * worlds + w]), (double)step + 0.5 * (PLACES - 1));
        cr_assert_eq(values[TOTAL * worlds + w], PLACES * step * (step + 1) / 2);
    }
    free(values);
}
