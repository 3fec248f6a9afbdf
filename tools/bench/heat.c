/* SPDX-License-Identifier: Apache-2.0 */
/* Diffusion of one material, beside a copy of as many bytes. */
#include "check.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5, STEPS_AT_SIZE = 1, STEPS_AT_ODD_SIZE = 100 };
static const float ALPHA = 0.1f;

static const bench_column columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"init_s", "init ms", 1e3, 9, 2},
    {"first_init_s", "first ms", 1e3, 9, 2},
    {"step_s", "step us", 1e6, 11, 2},
    {"total_s", "total ms", 1e3, 11, 2},
    {"places_per_s", "Gplace/s", 1e-9, 9, 3},
    {"limit_places_per_s", "limit", 1e-9, 8, 2},
    {"of_limit", "/limit", 1, 7, 3},
    {"of_one_thread", "/1 thread", 1, 9, 2}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static float at(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z)
{
    return f[(bench_wrap(z, size[2]) * size[1] + bench_wrap(y, size[1])) * size[0] + bench_wrap(x, size[0])];
}

/* Sum of the places `r` away along each axis, in the order of the model's own sum: it has to be the
 * same to the last bit. */
static float around(const float *f, const mass_gidx size[3], mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx r)
{
    const float flat = (at(f, size, x - r, y, z) + at(f, size, x + r, y, z)) +
                       (at(f, size, x, y - r, z) + at(f, size, x, y + r, z));
    return size[2] == 1 ? flat : flat + (at(f, size, x, y, z - r) + at(f, size, x, y, z + r));
}

static void reference(const float *now, float *next, const mass_gidx size[3], int radius)
{
    const float axes = size[2] == 1 ? 2 : 3;
    for (mass_gidx z = 0; z < size[2]; z++)
        for (mass_gidx y = 0; y < size[1]; y++)
            for (mass_gidx x = 0; x < size[0]; x++) {
                const float here = at(now, size, x, y, z), near = around(now, size, x, y, z, 1);
                float laplacian = near - 2 * axes * here;
                if (radius == 2)
                    laplacian = (16 * near - around(now, size, x, y, z, 2) - 30 * axes * here) * (1.0f / 12);
                next[(z * size[1] + y) * size[0] + x] = here + ALPHA * laplacian;
            }
}

static void reference_r1(const void *now, void *next, const mass_gidx size[3]) { reference(now, next, size, 1); }
static void reference_r2(const void *now, void *next, const mass_gidx size[3]) { reference(now, next, size, 2); }

typedef struct shape {
    uint32_t dimensions;
    int radius;
    mass_gidx size, odd_size[3];
} shape;

static const shape shapes[] = {
    {2, 1, 512, {613, 377, 1}}, {2, 1, 4096, {0}}, {2, 1, 16384, {0}},
    {2, 2, 512, {613, 377, 1}}, {2, 2, 4096, {0}}, {2, 2, 16384, {0}},
    {3, 1, 64, {61, 37, 43}},   {3, 1, 512, {0}},
    {3, 2, 64, {61, 37, 43}},   {3, 2, 512, {0}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static mass_status measure_copy(void *context, mass_error *error) { return bench_limit_measure(context, error); }

static mass_status open_model(bench_model *m, const shape *s, const mass_gidx size[3], mass_error *error)
{
    static const mass_setting settings[2][7] = {
        {{"radius", "1", NULL}, {"materials", "1", NULL}, {"start", "random", NULL}, {"heat_steps", "0", NULL},
         {"edge_x", "torus", NULL}, {"edge_y", "torus", NULL}, {"edge_z", "torus", NULL}},
        {{"radius", "2", NULL}, {"materials", "1", NULL}, {"start", "random", NULL}, {"heat_steps", "0", NULL},
         {"edge_x", "torus", NULL}, {"edge_y", "torus", NULL}, {"edge_z", "torus", NULL}}};
    return bench_model_open(m, "heat", settings[s->radius - 1], 7, size, s->dimensions, error);
}

/* A size that is nobody's favourite, long enough for everything that repeats. */
static mass_status check_odd_size(bench_subject *subject, const shape *s, mass_error *error)
{
    bench_model model;
    mass_status status = open_model(&model, s, s->odd_size, error);
    for (int i = 0; status == MASS_OK && i < subject->count; i++)
        status = bench_check(&model, subject->device, subject->threads[i], STEPS_AT_ODD_SIZE,
                             s->radius == 1 ? reference_r1 : reference_r2, error);
    bench_model_close(&model);
    return status;
}

static mass_status measure_row(bench_subject *subject, bench_model *m, const shape *s, int threads, int runs,
                               double *one_thread, bench_report *report, mass_error *error)
{
    const double places = (double)mass_space_places(&m->model.spaces[0]);
    bench_times t;
    bench_limit *limit = calloc(1, sizeof *limit);
    if (!limit) return mass_error_memory(error, sizeof *limit, "times");
    mass_status status = bench_limit_create(limit, subject, (size_t)places * sizeof(float), threads, error);
    const bench_peer peer = {measure_copy, limit};
    if (status == MASS_OK)
        status = bench_check(m, subject->device, threads, STEPS_AT_SIZE,
                             s->radius == 1 ? reference_r1 : reference_r2, error);
    if (status == MASS_OK) status = bench_measure(m, subject->device, threads, runs, &peer, &t, error);
    if (status == MASS_OK && subject->on_gpu) status = bench_check_hash(m, subject->device, t.hash, error);
    if (status == MASS_OK) {
        const double rate = places / t.step, most = bench_limit_rate(limit) / (2 * sizeof(float));
        char label[64];
        snprintf(label, sizeof label, "%" PRId64 "^%u, radius %d", s->size, s->dimensions, s->radius);
        if (threads == 1) *one_thread = rate;
        bench_report_row(report, label, (const double[COLUMNS]){threads ? threads : NAN, t.init, t.first_init, t.step,
                         t.total, rate, most, rate / most, threads == 1 ? NAN : rate / *one_thread});
    }
    bench_limit_free(limit);
    free(limit);
    return status;
}

static mass_status measure_shape(bench_subject *subject, const shape *s, int runs, bench_report *report,
                                 mass_error *error)
{
    bench_model model;
    double one_thread = NAN;
    const mass_gidx size[3] = {s->size, s->size, s->dimensions == 3 ? s->size : 1};
    mass_status status = s->odd_size[0] ? check_odd_size(subject, s, error) : MASS_OK;
    if (status != MASS_OK) return status;
    status = open_model(&model, s, size, error);
    for (int i = 0; status == MASS_OK && i < subject->count; i++)
        status = measure_row(subject, &model, s, subject->threads[i], runs, &one_thread, report, error);
    bench_model_close(&model);
    return status;
}

mass_status bench_heat(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "heat", columns, COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    bool measured = false;
    for (int i = 0; status == MASS_OK && i < SHAPES; i++) {
        if (o->size && o->size != shapes[i].size) continue;
        measured = true;
        status = measure_shape(&subject, &shapes[i], o->runs ? o->runs : RUNS, &report, error);
    }
    if (status == MASS_OK && !measured)
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": heat is measured at 64, 512, 4096 and "
                                "16384", o->size);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
