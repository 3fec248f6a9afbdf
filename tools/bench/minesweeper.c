/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper. Its small board shows the least time of a step, and the effect of many worlds at once. */
#include "check.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MINES_RUNS = 5, MINES_SIZE = 46, MINES_SMALLEST = 5, MINES_AGENTS = 512, MINES_CHECKED = 100 };

static const bench_column mines_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"worlds", "worlds", 1, 6, 0},
    {"init_s", "init ms", 1e3, 9, 2},
    {"step_s", "step us", 1e6, 11, 2},
    {"agent_steps_per_s", "Mstep/s", 1e-6, 10, 2},
    {"of_one_world", "/1 world", 1, 8, 2},
    {"of_one_thread", "/1 thread", 1, 9, 2}};
enum { MINES_COLUMNS = sizeof mines_columns / sizeof *mines_columns };

/* Rates so far, by number of threads; NAN: not measured. */
typedef struct mines_rates {
    double one_world[2], one_thread;
} mines_rates;

/* Fails if the state after MINES_CHECKED steps is not the expected one. */
static mass_status mines_check(bench_run *r, const char *device, const char *expected, mass_error *error)
{
    char hash[33];
    mass_status status = bench_run_advance(r, MINES_CHECKED, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(r, hash, error);
    if (status == MASS_OK && strcmp(hash, expected) != 0)
        status = mass_error_set(error, MASS_FAILED, "minesweeper in %d worlds on %s differs from the CPU after %d "
                                "steps: nothing is measured", r->model->worlds, device, MINES_CHECKED);
    return status;
}

/* Checks and measures one number of worlds and threads, and adds a row to the report. */
static mass_status mines_measure_row(bench_subject *s, bench_model *m, int which, int runs, const char *expected,
                                     mines_rates *rates, bench_report *report, mass_error *error)
{
    bench_run r;
    double step;
    const int threads = s->threads[which];
    mass_status status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = mines_check(&r, s->device, expected, error);
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, NULL, &step, error);
    if (status == MASS_OK) {
        const mass_gidx *size = m->model.spaces[0].size;
        const double rate = (double)m->model.populations[0].count * m->worlds / step;
        const bool one = m->worlds == 1;
        if (one) rates->one_world[which] = rate;
        if (threads == 1) rates->one_thread = rate;
        char label[64];
        snprintf(label, sizeof label, "%" PRId64 "x%" PRId64, size[0], size[1]);
        bench_report_row(report, label, (const double[MINES_COLUMNS]){threads ? threads : NAN, m->worlds, r.seconds,
                         step, rate, one ? NAN : rate / rates->one_world[which],
                         threads == 1 ? NAN : rate / rates->one_thread});
    }
    bench_run_close(&r);
    return status;
}

/* With --size it has as many agents for each place as on the usual board. */
static mass_status mines_measure(bench_subject *s, mass_gidx size, int runs, bench_report *report, mass_error *error)
{
    static const int32_t worlds[] = {1, 64, 1024};
    char agents[24];
    const double share = (double)(size * size) / (MINES_SIZE * MINES_SIZE);
    snprintf(agents, sizeof agents, "%.0f", ceil(MINES_AGENTS * share));
    const mass_setting settings[] = {{"agents", agents, NULL}};
    bench_model model;
    mines_rates rates = {{NAN, NAN}, NAN};
    mass_status status = bench_model_open(&model, "minesweeper", settings, 1, (mass_gidx[3]){size, size, 1}, 2, error);
    for (size_t i = 0; status == MASS_OK && i < sizeof worlds / sizeof *worlds; i++) {
        char expected[33];
        model.worlds = worlds[i];
        status = bench_hash_after(&model, "cpu", bench_cores(), MINES_CHECKED, expected, error);
        for (int k = 0; status == MASS_OK && k < s->count; k++)
            status = mines_measure_row(s, &model, k, runs, expected, &rates, report, error);
    }
    bench_model_close(&model);
    return status;
}

mass_status bench_minesweeper(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "minesweeper", mines_columns, MINES_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    if (status == MASS_OK && o->size && o->size < MINES_SMALLEST)
        status = mass_error_set(error, MASS_BAD_USAGE, "--size %" PRId64 ": minesweeper is measured from %d on",
                                o->size, MINES_SMALLEST);
    if (status == MASS_OK)
        status = mines_measure(&subject, o->size ? o->size : MINES_SIZE, o->runs ? o->runs : MINES_RUNS, &report,
                               error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
