/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, STEPS_AT_SIZE = 1, STEPS_AT_ODD_SIZE = 100 };

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

/* Measures a copy once. */
static mass_status measure_copy(void *context, mass_error *error) { return bench_limit_measure(context, error); }

/* Opens the shape's model with a size. */
static mass_status open_model(bench_model *m, const bench_shape *s, const mass_gidx size[3], mass_error *error)
{
    return bench_model_open(m, s->plugin, s->settings, s->setting_count, size, s->dimensions, error);
}

/* Checks an unusual size, with enough steps for everything that repeats. */
static mass_status check_odd_size(bench_subject *subject, const bench_shape *s, mass_error *error)
{
    bench_model model;
    mass_status status = open_model(&model, s, s->odd_size, error);
    for (int i = 0; status == MASS_OK && i < subject->count; i++)
        status = bench_check(&model, subject->device, subject->threads[i], STEPS_AT_ODD_SIZE, s->reference, error);
    bench_model_close(&model);
    return status;
}

/* Checks and measures a shape with one number of threads, and adds a row to the report. Rates are places a second. */
static mass_status measure_row(bench_subject *subject, bench_model *m, const bench_shape *s, int threads, int runs,
                               double *one_thread, bench_report *report, mass_error *error)
{
    const double places = (double)mass_space_places(&m->model.spaces[0]);
    bench_times t;
    bench_limit *limit = calloc(1, sizeof *limit);
    if (!limit) return mass_error_memory(error, sizeof *limit, "times");
    mass_status status = bench_limit_create(limit, subject, (size_t)places * sizeof(float), threads, error);
    const bench_peer peer = {measure_copy, limit};
    if (status == MASS_OK)
        status = bench_check(m, subject->device, threads, STEPS_AT_SIZE, s->reference, error);
    if (status == MASS_OK) status = bench_measure(m, subject->device, threads, runs, &peer, &t, error);
    if (status == MASS_OK && subject->on_gpu) status = bench_check_hash(m, subject->device, t.hash, error);
    if (status == MASS_OK) {
        const double rate = places / t.step, most = bench_limit_rate(limit) / (2 * sizeof(float));
        char label[64];
        snprintf(label, sizeof label, "%s %" PRId64 "^%u", s->label, s->size, s->dimensions);
        if (threads == 1) *one_thread = rate;
        bench_report_row(report, label, (const double[COLUMNS]){threads ? threads : NAN, t.init, t.first_init, t.step,
                         t.total, rate, most, rate / most, threads == 1 ? NAN : rate / *one_thread});
    }
    bench_limit_free(limit);
    free(limit);
    return status;
}

/* Checks and measures a shape with each number of threads. */
static mass_status measure_shape(bench_subject *subject, const bench_shape *s, int runs, bench_report *report,
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

/* Lists the sizes for the message about another size: "64, 512 and 4096". */
static void list_sizes(const bench_shape *shapes, int count, char *text, size_t room)
{
    mass_gidx sizes[16];
    int n = 0;
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < n; k++) known |= sizes[k] == shapes[i].size;
        if (!known && n < 16) sizes[n++] = shapes[i].size;
    }
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        snprintf(text + strlen(text), room - strlen(text), "%s%" PRId64, i == 0 ? "" : i + 1 < n ? ", " : " and ",
                 sizes[i]);
}

mass_status bench_shapes(const char *command, const bench_shape *shapes, int count, const bench_options *o,
                         mass_error *error)
{
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, command, columns, COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    bool measured = false;
    for (int i = 0; status == MASS_OK && i < count; i++) {
        if (o->size && o->size != shapes[i].size) continue;
        measured = true;
        status = measure_shape(&subject, &shapes[i], o->runs ? o->runs : RUNS, &report, error);
    }
    if (status == MASS_OK && !measured) {
        char sizes[160];
        list_sizes(shapes, count, sizes, sizeof sizes);
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": %s is measured at %s", o->size, command,
                                sizes);
    }
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
