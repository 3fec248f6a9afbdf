/* SPDX-License-Identifier: Apache-2.0 */
/* What it costs that agents see others, that they claim one another, and that places read a total. And how much longer
 * than one world many of a small model take. A row with something beside it is measured in turns with that. */
#include "check.h"
#include "command.h"
#include "standard_plain.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MEETING_RUNS = 5, MEETING_SETTINGS = 6, MEETING_CHECKED = 5 };

static const bench_column meeting_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"worlds", "worlds", 1, 6, 0},
    {"agents", "agents", 1, 9, 0},
    {"step_s", "step ms", 1e3, 10, 4},
    {"agents_per_s", "Gagent/s", 1e-9, 9, 3},
    {"beside_s", "beside ms", 1e3, 10, 4},
    {"beside", "/beside", 1, 8, 3}};
enum { MEETING_COLUMNS = sizeof meeting_columns / sizeof *meeting_columns };

/* A model, and the one beside it. */
typedef struct meeting {
    const char *label, *plugin; /* NULL: the bench's own model */
    mass_setting settings[MEETING_SETTINGS];
    mass_gidx size; /* along both axes */
    int32_t worlds;
    const char *beside; /* the bench's own model with another `of`; NULL: one world beside many, else nothing */
} meeting;

/* A model that is open, and its settings. Do not move it. */
typedef struct open_meeting {
    bench_model model;
    mass_setting settings[MEETING_SETTINGS];
} open_meeting;

static const meeting meetings[] = {
    {"sums 8192^2", NULL, {{"of", "sums", NULL}, {"people", "10000000", NULL}}, 8192, 1, NULL},
    {"claims 8192^2", NULL, {{"of", "claims", NULL}, {"people", "10000000", NULL}}, 8192, 1, NULL},
    {"total 16384^2", NULL, {{"of", "total", NULL}}, 16384, 1, "count"},
    {"wolf-sheep 25^2", "wolf-sheep", {BENCH_SMALL_MEADOW}, 25, 100, NULL},
    {"schelling 40^2", "schelling", {{"households", "1000", NULL}, {"needs", "3", NULL}}, 40, 100, NULL},
    {"boltzmann 10^2", "boltzmann", {{"people", "100", NULL}}, 10, 100, NULL},
    {"el-farol 100", "el-farol", {{0}}, 10, 100, NULL}};

/* Opens the model of a row in `worlds` worlds, with another `of` unless that is NULL. */
static mass_status meeting_open(open_meeting *m, const meeting *which, const char *of, int32_t worlds,
                                mass_error *error)
{
    char path[PATH_MAX];
    const char *plugin = which->plugin;
    uint32_t count = 0;
    memcpy(m->settings, which->settings, sizeof m->settings);
    while (count < MEETING_SETTINGS && m->settings[count].name) count++;
    if (of) m->settings[0].value = of;
    m->model = (bench_model){0};
    if (!plugin) {
        const mass_status status = bench_beside("../lib/mass/bench/meetings.so", path, error);
        if (status != MASS_OK) return status;
        plugin = path;
    }
    const mass_gidx size[3] = {which->size, which->size, 1};
    const mass_status status = bench_model_open(&m->model, plugin, m->settings, count, size, 2, error);
    m->model.one_step = true;
    m->model.worlds = worlds;
    return status;
}

/* A run beside the measured one. */
typedef struct other_run {
    bench_run run;
    double times[BENCH_RUNS_MAX];
    uint64_t steps;
    int count;
} other_run;

/* Runs the other model, and keeps the seconds that it took. */
static mass_status measure_other(void *context, mass_error *error)
{
    other_run *o = context;
    o->times[o->count] = 0;
    return bench_run_advance(&o->run, o->steps, &o->times[o->count++], error);
}

/* Measures a step, beside another run if `other` is not NULL. */
static mass_status meeting_measure(bench_run *r, other_run *other, int runs, double *step, double *beside,
                                   mass_error *error)
{
    *beside = NAN;
    if (!other) return bench_measure_steps(r, runs, NULL, step, error);
    double alone;
    mass_status status = bench_measure_steps(&other->run, 1, NULL, &alone, error);
    if (status != MASS_OK) return status;
    other->steps = (uint64_t)ceil(0.1 / alone);
    other->count = 0;
    status = bench_measure_steps(r, runs, &(bench_peer){measure_other, other}, step, error);
    if (status == MASS_OK) *beside = bench_median(other->times, runs) / (double)other->steps;
    return status;
}

/* Checks the state after some steps, and measures a step. */
static mass_status meeting_row(bench_subject *s, const meeting *which, bench_model *m, bench_model *beside, int threads,
                               int runs, bench_report *report, mass_error *error)
{
    bench_run r = {0};
    other_run other = {0};
    char one[33], this[33];
    double step, other_step = NAN, agents = 0;
    mass_status status = bench_hash_after(m, "cpu", bench_cores(), MEETING_CHECKED, one, error);
    if (status == MASS_OK) status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = bench_run_advance(&r, MEETING_CHECKED, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(&r, this, error);
    if (status == MASS_OK && strcmp(one, this) != 0)
        status = mass_error_set(error, MASS_FAILED, "meetings, %s: the state is not that of the CPU: nothing is "
                                "measured", which->label);
    r.observed = true;
    if (status == MASS_OK && beside) status = bench_run_open(&other.run, beside, s->device, threads, error);
    other.run.observed = true;
    if (status == MASS_OK) status = meeting_measure(&r, beside ? &other : NULL, runs, &step, &other_step, error);
    if (status == MASS_OK) {
        for (uint32_t i = 0; i < m->model.population_count; i++) agents += (double)m->model.populations[i].count;
        agents *= m->worlds;
        bench_report_row(report, which->label, (const double[MEETING_COLUMNS]){
            threads ? threads : NAN, m->worlds, agents, step, agents / step, other_step, step / other_step});
    }
    if (beside) bench_run_close(&other.run);
    bench_run_close(&r);
    return status;
}

/* Measures a meeting with each number of threads. Closes the models, also on failure. */
static mass_status measure_meeting(bench_subject *s, const meeting *which, int runs, bench_report *report,
                                   mass_error *error)
{
    static open_meeting model, other;
    const bool beside = which->beside || which->worlds > 1;
    mass_status status = meeting_open(&model, which, NULL, which->worlds, error);
    if (status == MASS_OK && beside) status = meeting_open(&other, which, which->beside, 1, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++)
        status = meeting_row(s, which, &model.model, beside ? &other.model : NULL, s->threads[i], runs, report, error);
    if (beside) bench_model_close(&other.model);
    bench_model_close(&model.model);
    other.model = model.model = (bench_model){0};
    return status;
}

mass_status bench_meetings(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "meetings", meeting_columns, MEETING_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    bool found = false;
    for (size_t i = 0; status == MASS_OK && i < sizeof meetings / sizeof *meetings; i++) {
        if (o->size && meetings[i].size != o->size) continue;
        found = true;
        status = measure_meeting(&subject, &meetings[i], o->runs ? o->runs : MEETING_RUNS, &report, error);
    }
    if (status == MASS_OK && !found) status = bench_size_absent(o, "meetings", error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
