/* Time stepping of a tiny model, against what a few plain loops say: on the CPU, and on a CPU that
 * keeps launches and replays them as a GPU does. */
#include "../expect.h"
#include "replaying.h"
#include "run/stepper.h"

#include "device/cpu.h"
#include "domain/until.h"

#include <mass/mass.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model: a ring that turns by one place a step, and traces of who was called when ---- */

enum { PLACES = 23, TRACE_BASE = 7 };

#define SEED_FIELDS(FIELD) FIELD(turning, int64_t, WRITE, turning) FIELD(order, int64_t, WRITE, order)
MASS_MAP(seed_places, SEED_FIELDS)
{
    OUT(turning) = 100 + AT_X;
    OUT(order) = 1;
}

#define FIRST_FIELDS(FIELD) FIELD(order, int64_t, UPDATE, order)
MASS_MAP(trace_first, FIRST_FIELDS) { OUT(order) = (OUT(order) * TRACE_BASE + 2) % 1000003; }

#define SECOND_FIELDS(FIELD) FIELD(order, int64_t, UPDATE, order) FIELD(steps, int64_t, UPDATE, steps)
MASS_MAP(trace_second, SECOND_FIELDS)
{
    OUT(order) = (OUT(order) * TRACE_BASE + 3) % 1000003;
    OUT(steps) = (OUT(steps) * TRACE_BASE + (int64_t)STEP) % 1000003;
}

#define TURN_FIELDS(FIELD)                                                                         \
    FIELD(old, int64_t, READ, turning)                                                             \
    FIELD(next, int64_t, WRITE, turning)                                                           \
    FIELD(sum, int64_t, SUM, sum)                                                                  \
    FIELD(least, int64_t, MIN, least)                                                              \
    FIELD(most, double, MAX, most)
MASS_STENCIL(turn, TURN_FIELDS, 1, 1)
{
    OUT(next) = NEAR(old, -1);
    ADD(sum, (int64_t)STEP * (AT_X + 1));
    LEAST(least, IN(old) - (int64_t)STEP);
    MOST(most, (double)STEP + 0.5 * (double)AT_X);
}

#define COUNT_FIELDS(FIELD) FIELD(steps, int64_t, UPDATE, steps) FIELD(total, int64_t, SUM, total)
MASS_MAP(count_all, COUNT_FIELDS) { ADD(total, (int64_t)STEP); }

enum { TURNING, ORDER, STEPS };
enum { SUM, LEAST, MOST, TOTAL };

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

/* ---- a CPU that records ---- */

enum { KEPT_MAX = 4096 };

struct mass_recording {
    int remaining;
};

typedef struct kept {
    bool is_copy;
    mass_strided copy;
    mass_work work;
    mass_launch launch;
    void *fields[8];
    mass_field_memory memory[8];
} kept;

/* What the recording CPU was asked for. */
static struct {
    mass_domain *domain;
    mass_stepper *stepper;
    kept *list;
    int count;
    bool recording;
    uint64_t *clock, steps;
    uint8_t current[3];
    int records, replays, launches, tallying_launches, discards, synchronised;
    int fail_at; /* the launch that fails, counted from 1; 0: none */
    struct mass_recording handle;
} gpu;

static mass_device_table recording_table;

static mass_status recording_launch(mass_device *device, const mass_work *work, mass_error *error)
{
    if (gpu.recording) {
        kept *k = &gpu.list[gpu.count++];
        cr_assert_lt(gpu.count, KEPT_MAX);
        *k = (kept){.work = *work, .launch = *work->launch};
        memcpy(k->fields, work->fields, work->prepared->callback->field_count * sizeof *k->fields);
        memcpy(k->memory, work->memory, work->prepared->callback->field_count * sizeof *k->memory);
        return MASS_OK;
    }
    gpu.launches++;
    gpu.tallying_launches += work->tallies;
    if (gpu.launches == gpu.fail_at) return mass_error_set(error, MASS_FAILED, "the device gave up");
    return mass_cpu_table.launch(device, work, error);
}

static mass_status recording_copy(mass_device *device, const mass_strided *copy, mass_error *error)
{
    if (!gpu.recording) return mass_cpu_table.copy(device, copy, error);
    gpu.list[gpu.count++] = (kept){.is_copy = true, .copy = *copy};
    return MASS_OK;
}

static mass_status recording_upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    cr_assert_not(gpu.recording, "an upload cannot be kept");
    return mass_cpu_table.upload(device, to, host, bytes, error);
}

static mass_status begin_recording(mass_device *device, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert_not(gpu.recording);
    gpu.recording = true;
    gpu.records++;
    memcpy(gpu.current, gpu.domain->current, sizeof gpu.current);
    return MASS_OK;
}

static mass_status end_recording(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out,
                                 mass_error *error)
{
    (void)device;
    (void)error;
    gpu.recording = false;
    gpu.clock = clock;
    gpu.steps = steps;
    gpu.handle.remaining = 1;
    *out = &gpu.handle;
    return MASS_OK;
}

static mass_status replay_recording(mass_device *device, mass_recording *recording, mass_error *error)
{
    cr_assert_eq(recording, &gpu.handle);
    cr_assert_eq(*gpu.clock, gpu.stepper->step, "the clock is not set");
    cr_assert_arr_eq(gpu.domain->current, gpu.current, sizeof gpu.current, "buffers stand otherwise");
    mass_status status = MASS_OK;
    for (int i = 0; status == MASS_OK && i < gpu.count; i++) {
        kept *k = &gpu.list[i];
        k->work.launch = &k->launch;
        k->work.fields = k->fields;
        k->work.memory = k->memory;
        status = k->is_copy ? mass_cpu_table.copy(device, &k->copy, error)
                            : mass_cpu_table.launch(device, &k->work, error);
    }
    *gpu.clock += gpu.steps;
    gpu.replays++;
    return status;
}

static void discard_recording(mass_device *device, mass_recording *recording)
{
    (void)device;
    cr_assert_eq(recording->remaining--, 1);
    gpu.discards++;
}

static mass_status keep_up(mass_device *device, int ahead, mass_error *error)
{
    (void)device;
    (void)error;
    cr_assert_geq(ahead, 1);
    return MASS_OK;
}

static mass_status synchronise(mass_device *device, mass_error *error)
{
    gpu.synchronised++;
    return mass_cpu_table.synchronise(device, error);
}

static const mass_device_table *recording_cpu(void)
{
    recording_table = mass_cpu_table;
    recording_table.launch = recording_launch;
    recording_table.copy = recording_copy;
    recording_table.upload = recording_upload;
    recording_table.record = begin_recording;
    recording_table.recorded = end_recording;
    recording_table.replay = replay_recording;
    recording_table.discard = discard_recording;
    recording_table.keep_up = keep_up;
    recording_table.synchronise = synchronise;
    return &recording_table;
}

/* ---- a run ---- */

typedef struct scene {
    mass_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
} scene;

static scene make_scene(const mass_device_table *table, int32_t partitions, int32_t worlds)
{
    scene s = {.model = make_model()};
    EXPECT_OK(mass_cpu_open(table, 2, &s.device, e));
    EXPECT_OK(mass_domain_create(s.model, s.device, &(mass_domain_options){partitions, worlds, 0, 1}, &s.domain, e));
    memset(&gpu, 0, sizeof gpu);
    gpu.list = calloc(KEPT_MAX, sizeof *gpu.list);
    gpu.domain = s.domain;
    EXPECT_OK(mass_stepper_create(s.domain, NULL, 0, &s.stepper, e));
    gpu.stepper = s.stepper;
    return s;
}

static void discard(scene *s)
{
    mass_stepper_free(s->stepper);
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    mass_model_free(s->model);
    free(s->model);
    free(gpu.list);
}

static void start(scene *s) { EXPECT_OK(mass_stepper_start(s->stepper, e)); }

static void advance(scene *s, uint64_t last)
{
    EXPECT_OK(mass_stepper_advance(s->stepper, last, NULL, e));
    cr_assert_eq(s->stepper->step, last);
}

/* What attributes hold after n steps. */
static void check_places(scene *s, uint64_t n)
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

/* What tallies hold after n steps, of which the last is observed; every place was one of 100 to
 * 100 + PLACES - 1. */
static void check_tallies(scene *s, uint64_t n)
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

/* ---- schedules, steps and tallies, on any device ---- */

Test(stepper, start_runs_its_own_phases_in_their_order)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    start(&s);
    cr_assert_eq(s.stepper->step, 0);
    check_places(&s, 0);
    discard(&s);
}

Test(stepper, start_empties_all_tallies)
{
    scene s = make_scene(&mass_cpu_table, 1, 2);
    for (int i = 0; i < 8; i++) s.domain->tallies[i] = 99;
    start(&s);
    for (int i = 0; i < 8; i++) cr_assert_eq(s.domain->tallies[i], mass_tally_neutral(&s.model->tallies[i / 2]));
    discard(&s);
}

Test(stepper, each_step_runs_all_phases_on_all_partitions_and_worlds)
{
    for (int32_t partitions = 1; partitions <= 7; partitions += 3) {
        scene s = make_scene(&mass_cpu_table, partitions, 3);
        start(&s);
        for (uint64_t n = 1; n <= 50; n++) {
            advance(&s, n);
            check_places(&s, n);
            check_tallies(&s, n);
        }
        discard(&s);
    }
}

Test(stepper, tallies_are_those_of_the_last_step_or_of_all)
{
    static const uint64_t stops[] = {1, 2, 7, 8, 40, 41, 113, 300};
    scene s = make_scene(&mass_cpu_table, 2, 2);
    start(&s);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        advance(&s, stops[i]);
        check_places(&s, stops[i]);
        check_tallies(&s, stops[i]);
    }
    discard(&s);
}

Test(stepper, the_present_values_alternate_between_two_buffers)
{
    scene s = make_scene(&mass_cpu_table, 2, 1);
    start(&s);
    for (uint64_t n = 1; n <= 9; n++) {
        advance(&s, n);
        cr_assert_eq(s.domain->current[TURNING], n % 2);
        cr_assert_eq(s.domain->current[ORDER], 0);
    }
    discard(&s);
}

Test(stepper, quiet_steps_skip_tallies_but_cumulative_ones)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    gpu.launches = gpu.tallying_launches = 0;
    advance(&s, 10); /* too few to record: four phases a step, of which two have tallies */
    cr_assert_eq(gpu.launches, 40);
    cr_assert_eq(gpu.tallying_launches, 9 + 2);
    check_tallies(&s, 10);
    discard(&s);
}

Test(stepper, advancing_to_where_it_stands_changes_nothing)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    advance(&s, 5);
    gpu.launches = 0;
    advance(&s, 5);
    cr_assert_eq(gpu.launches, 0);
    check_tallies(&s, 5);
    discard(&s);
}

Test(stepper, a_resumed_run_goes_on_from_the_stored_step)
{
    scene first = make_scene(&mass_cpu_table, 3, 2), second;
    mass_snapshot state;
    start(&first);
    advance(&first, 57);
    EXPECT_OK(mass_domain_save(first.domain, &state, e));
    free(gpu.list);
    second = make_scene(recording_cpu(), 1, 2);
    mass_stepper_free(second.stepper);
    EXPECT_OK(mass_stepper_create(second.domain, NULL, 57, &second.stepper, e));
    gpu.stepper = second.stepper;
    EXPECT_OK(mass_domain_restore(second.domain, &state, e));
    cr_assert_eq(second.stepper->step, 57);
    check_tallies(&second, 57);
    advance(&second, 200);
    cr_assert_eq(gpu.replays, 4);
    check_places(&second, 200);
    check_tallies(&second, 200);
    mass_snapshot_free(&state);
    discard(&second);
    gpu.list = NULL;
    discard(&first);
}

/* ---- stencils ---- */

enum { REACH = 3, SIDE_MAX = 12, BLEND_STEPS = 3 };

/* Weights that tell every offset from every other. */
static int64_t weight(int dx, int dy) { return 1 + (dx + REACH) + 17 * (dy + REACH); }

#define BLEND_FIELDS(FIELD) FIELD(old, int64_t, READ, value) FIELD(next, int64_t, WRITE, value)
MASS_STENCIL(blend, BLEND_FIELDS, 2, 3)
{
    int64_t sum = 0;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++)
            sum += weight(dx, dy) * NEAR(old, dx, dy);
    OUT(next) = sum % 1000003;
}

typedef struct sheet {
    int64_t at[SIDE_MAX][SIDE_MAX];
} sheet;

static sheet blended(const sheet *old, const mass_space *s, int64_t initial)
{
    sheet next = {0};
    const mass_gidx nx = s->size[0], ny = s->size[1];
    for (mass_gidx y = 0; y < ny; y++)
        for (mass_gidx x = 0; x < nx; x++) {
            for (int dy = -REACH; dy <= REACH; dy++)
                for (int dx = -REACH; dx <= REACH; dx++) {
                    mass_gidx u = x + dx, v = y + dy;
                    if (s->torus & MASS_AXIS_X) u = (u % nx + nx) % nx;
                    if (s->torus & MASS_AXIS_Y) v = (v % ny + ny) % ny;
                    const bool inside = u >= 0 && u < nx && v >= 0 && v < ny;
                    next.at[y][x] += weight(dx, dy) * (inside ? old->at[v][u] : initial);
                }
            next.at[y][x] %= 1000003;
        }
    return next;
}

static void try_blend(const mass_space *space, int32_t partitions, int threads)
{
    static const int64_t initial = 5;
    const mass_gidx zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    mass_model *m = calloc(1, sizeof *m);
    mass_device *device;
    mass_domain *d;
    mass_stepper *stepper;
    EXPECT_OK(mass_model_add_space(m, space, NULL, 0, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "value", .type = MASS_I64,
                                               .initial = &initial}, e));
    EXPECT_OK(mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .callback = &blend}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    EXPECT_OK(mass_cpu_open(&mass_cpu_table, threads, &device, e));
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){partitions, 2, 0, 1}, &d, e));
    sheet value[2] = {0};
    for (int32_t w = 0; w < 2; w++)
        for (mass_gidx y = 0; y < space->size[1]; y++)
            for (mass_gidx x = 0; x < space->size[0]; x++) {
                value[w].at[y][x] = mass_random_block(3, (uint64_t)(100 * y + x), (uint64_t)w, 0, 0).v[0] % 1000;
                EXPECT_OK(mass_domain_write(d, 0, w, (const mass_gidx[3]){x, y, 0}, one, &value[w].at[y][x], e));
            }
    EXPECT_OK(mass_stepper_create(d, NULL, 0, &stepper, e));
    EXPECT_OK(mass_stepper_advance(stepper, BLEND_STEPS, NULL, e));
    for (int32_t w = 0; w < 2; w++) {
        int64_t shown[SIDE_MAX * SIDE_MAX];
        for (int k = 0; k < BLEND_STEPS; k++) value[w] = blended(&value[w], space, initial);
        EXPECT_OK(mass_domain_read(d, 0, w, zero, m->spaces[0].size, shown, e));
        for (mass_gidx y = 0; y < space->size[1]; y++)
            cr_assert_arr_eq(&shown[y * space->size[0]], value[w].at[y], (size_t)space->size[0] * sizeof *shown,
                             "row %d of %d x %d, torus %u, %d partitions", (int)y, (int)space->size[0],
                             (int)space->size[1], space->torus, partitions);
    }
    mass_stepper_free(stepper);
    mass_domain_free(d);
    mass_device_close(device);
    mass_model_free(m);
    free(m);
}

/* Extents from less than the reach to more than twice of it. */
Test(stepper, stencils_see_their_neighbours_at_every_edge)
{
    for (uint32_t torus = 0; torus < 4; torus++)
        for (mass_gidx nx = 1; nx <= SIDE_MAX; nx += 1 + nx / 4)
            for (mass_gidx ny = 1; ny <= SIDE_MAX; ny += 1 + ny / 4) {
                const mass_space space = {.name = "s", .dimensions_min = 2, .dimensions_max = 2, .torus = torus,
                                          .size = {nx, ny}};
                for (int32_t partitions = 1; partitions <= ny && partitions <= 7; partitions += 2)
                    try_blend(&space, partitions, 1 + (int)(nx % 2));
            }
}

/* ---- watching ---- */

typedef struct stop_at {
    uint64_t step, asked;
} stop_at;

static bool stop_from(void *context, uint64_t step)
{
    stop_at *s = context;
    s->asked = step;
    return step >= s->step;
}

Test(stepper, a_stopped_run_completes_one_more_step)
{
    for (uint64_t at = 0; at < 20; at++) {
        scene s = make_scene(&mass_cpu_table, 1, 1);
        stop_at context = {.step = at};
        start(&s);
        EXPECT_OK(mass_stepper_advance(s.stepper, 30, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
        cr_assert_eq(s.stepper->step, at + 1);
        cr_assert_eq(context.asked, at);
        check_places(&s, at + 1);
        check_tallies(&s, at + 1);
        discard(&s);
    }
}

Test(stepper, a_watch_that_never_stops_changes_nothing)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    stop_at context = {.step = UINT64_MAX};
    start(&s);
    EXPECT_OK(mass_stepper_advance(s.stepper, 150, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
    cr_assert_eq(s.stepper->step, 150);
    check_places(&s, 150);
    check_tallies(&s, 150);
    discard(&s);
}

Test(stepper, a_run_that_replays_stops_soon_and_complete)
{
    for (uint64_t at = 30; at < 110; at += 7) {
        scene s = make_scene(recording_cpu(), 2, 1);
        stop_at context = {.step = at};
        start(&s);
        EXPECT_OK(mass_stepper_advance(s.stepper, 1000, &(mass_step_watch){.stop = stop_from, .context = &context}, e));
        cr_assert(s.stepper->step > at && s.stepper->step <= at + 33, "%llu after %llu",
                  (unsigned long long)s.stepper->step, (unsigned long long)at);
        check_places(&s, s.stepper->step);
        check_tallies(&s, s.stepper->step);
        discard(&s);
    }
}

/* ---- recording ---- */

Test(stepper, steps_are_recorded_once_and_replayed_to_the_same_end)
{
    scene s = make_scene(recording_cpu(), 3, 2);
    start(&s);
    gpu.launches = 0;
    advance(&s, 1001);
    cr_assert_eq(gpu.records, 1);
    cr_assert_eq(gpu.steps, 32);
    /* The first two steps, as ghosts settle in them, and what is left over, the last included. */
    cr_assert_eq(gpu.replays, 31);
    cr_assert_eq(gpu.launches, 3 * 4 * (1001 - 31 * 32));
    check_places(&s, 1001);
    check_tallies(&s, 1001);
    discard(&s);
    cr_assert_eq(gpu.discards, 1);
}

Test(stepper, the_last_step_is_never_replayed)
{
    for (uint64_t last = 30; last <= 70; last++) {
        scene s = make_scene(recording_cpu(), 1, 1);
        start(&s);
        advance(&s, last);
        cr_assert_eq(gpu.replays, last <= 34 ? 0 : last <= 66 ? 1 : 2, "%llu steps", (unsigned long long)last);
        check_places(&s, last);
        check_tallies(&s, last);
        discard(&s);
        cr_assert_eq(gpu.discards, gpu.records);
    }
}

/* However a run is cut, so that recordings meet buffers of either parity and clocks that stand still. */
Test(stepper, replays_wait_until_buffers_stand_as_when_they_were_recorded)
{
    for (uint64_t cut = 1; cut <= 80; cut++)
        for (uint64_t parity = 0; parity < 2; parity++) {
            scene s = make_scene(recording_cpu(), 2, 1);
            start(&s);
            advance(&s, cut);
            advance(&s, cut + 75 + parity);
            check_places(&s, cut + 75 + parity);
            const int before = gpu.replays;
            advance(&s, cut + 251);
            cr_assert_geq(gpu.replays, before + 3);
            cr_assert_eq(gpu.records, 1);
            check_places(&s, cut + 251);
            check_tallies(&s, cut + 251);
            discard(&s);
        }
}

Test(stepper, the_device_is_waited_for_at_the_end)
{
    scene s = make_scene(recording_cpu(), 1, 1);
    start(&s);
    cr_assert_eq(gpu.synchronised, 1);
    advance(&s, 200);
    cr_assert_eq(gpu.synchronised, 2);
    discard(&s);
}

/* ---- replays that a stop condition stops ---- */

static scene make_scene_until(const char *text, int32_t partitions, int32_t worlds)
{
    scene s = make_scene(replaying_cpu((size_t)1 << 30), partitions, worlds);
    const mass_expression_scope scope = {s.model, worlds, 0};
    mass_expression x;
    EXPECT_OK(mass_expression_compile("until", text, &scope, &x, e));
    EXPECT_OK(mass_until_create(s.domain, text, &x, e));
    mass_expression_free(&x);
    start(&s);
    return s;
}

/* A step's sum tells its number, unless one of them counts more often than once, or not at all. */
Test(stepper, a_condition_ends_the_run_at_any_step_of_a_recording)
{
    for (uint64_t held = 1; held <= 140; held += held < 34 ? 3 : 1) {
        char text[64];
        snprintf(text, sizeof text, "sum >= %d", (int)held * PLACES * (PLACES + 1) / 2);
        scene s = make_scene_until(text, 1 + (int32_t)(held % 3), 1 + (int32_t)(held % 2));
        EXPECT_OK(mass_stepper_advance(s.stepper, 1000, NULL, e));
        cr_assert(s.stepper->held);
        cr_assert_eq(s.stepper->step, held, "it held at %llu", (unsigned long long)s.stepper->step);
        check_places(&s, held);
        check_tallies(&s, held);
        cr_assert_eq(replaying_count()->stops_held, held > 2);
        discard(&s);
    }
}

Test(stepper, a_condition_that_never_holds_is_not_waited_for)
{
    scene s = make_scene_until("steady(total, 1)", 2, 1);
    advance(&s, 2000);
    cr_assert_not(s.stepper->held);
    check_places(&s, 2000);
    check_tallies(&s, 2000);
    cr_assert_eq(replaying_count()->replays, 62);
    cr_assert_eq(replaying_count()->looks_alone, 2000 - 62 * 32);
    cr_assert_leq(replaying_count()->waits, 1);
    discard(&s);
}

/* ---- failures ---- */

Test(stepper, a_failing_device_ends_the_run_at_the_last_complete_step)
{
    for (int at = 1; at <= 24; at++) {
        scene s = make_scene(recording_cpu(), 1, 1);
        start(&s);
        gpu.launches = 0;
        gpu.fail_at = at;
        mass_error e = {0};
        cr_assert_eq(mass_stepper_advance(s.stepper, 10, NULL, &e), MASS_FAILED);
        cr_assert_str_eq(e.text, "the device gave up");
        cr_assert_eq(s.stepper->step, (uint64_t)(at - 1) / 4);
        cr_assert_eq(gpu.launches, at);
        discard(&s);
    }
}

Test(stepper, a_callback_that_the_device_cannot_run_is_refused)
{
    scene s = make_scene(&mass_cpu_table, 1, 1);
    mass_callback unknown = turn;
    unknown.form_count = 0;
    const mass_callback *const before = s.model->phases[2].callback;
    s.model->phases[2].callback = &unknown;
    mass_stepper *stepper = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_stepper_create(s.domain, NULL, 0, &stepper, &e), MASS_BAD_PLUGIN);
    cr_assert_str_eq(e.text, "callback turn has no form that this CPU runs");
    cr_assert_null(stepper);
    s.model->phases[2].callback = before;
    discard(&s);
}

Test(stepper, freeing_nothing_is_fine) { mass_stepper_free(NULL); }
