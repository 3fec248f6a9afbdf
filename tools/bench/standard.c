/* SPDX-License-Identifier: Apache-2.0 */
/* Standard models of agents that meet, on places and in continuous space. A CPU runs them next to plain programs with
 * the same rules. */
#include "check.h"
#include "points_plain.h"
#include "process/progress.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "standard_plain.h"
#include "subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STANDARD_RUNS = 5, STANDARD_SETTINGS = 5, STANDARD_CHECKED = 10 };

static const bench_column standard_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"agents", "agents", 1, 9, 0},
    {"steps", "steps", 1, 6, 0},
    {"init_s", "init ms", 1e3, 9, 2},
    {"step_s", "step ms", 1e3, 10, 4},
    {"total_s", "total ms", 1e3, 10, 3},
    {"plain_total_s", "plain ms", 1e3, 10, 3},
    {"of_plain", "/plain", 1, 7, 3}};
enum { STANDARD_COLUMNS = sizeof standard_columns / sizeof *standard_columns };

/* One model of a size, and the plain program beside it. */
typedef struct standard_case {
    const char *label, *plugin;
    mass_setting settings[STANDARD_SETTINGS];
    mass_gidx size[3];
    int steps;
    bool on_gpus; /* it is measured on GPUs too */
    double (*plain)(int steps); /* what the program of this size returns; NULL: it is measured on GPUs alone */
    double (*result)(const mass_snapshot *s); /* the same of the engine's state; NULL: only hashes are compared */
    double tolerance;
    bool gathers; /* agents gather, and a step takes longer then: it is measured in the run of `steps` steps */
} standard_case;

/* ---- results of plain programs and of the engine ---- */

/* Returns a tally's value, which is an integer of one world. The model must have it. */
static double standard_tally(const mass_snapshot *s, const char *name)
{
    return (double)s->tallies[mass_model_find_tally(s->model, name)];
}

/* Run a plain program for some steps, and return its result; _result: the same from the engine's state. */
static double wolf_sheep_small(int steps)
{
    return bench_plain_wolf_sheep(&(bench_meadow){25, 60, 40, 5, 13, 20, 0.2, 0.1}, steps);
}
static double wolf_sheep_large(int steps)
{
    return bench_plain_wolf_sheep(&(bench_meadow){100, 1000, 500, 5, 13, 10, 0.4, 0.2}, steps);
}
static double wolf_sheep_1000(int steps)
{
    return bench_plain_wolf_sheep(&(bench_meadow){1000, 100000, 50000, 5, 13, 10, 0.4, 0.2}, steps);
}
static double wolf_sheep_result(const mass_snapshot *s)
{
    return standard_tally(s, "eaten") / standard_tally(s, "lambs");
}

static double schelling_small(int steps) { return bench_plain_schelling(40, 1000, 1, 3, 0, 3, steps); }
static double schelling_large(int steps) { return bench_plain_schelling(100, 8000, 2, 8, 0, 3, steps); }
static double schelling_500(int steps) { return bench_plain_schelling(500, 200000, 1, 0, 0.375, 3, steps); }
static double schelling_2000(int steps) { return bench_plain_schelling(2000, 3200000, 1, 0, 0.375, 3, steps); }
static double schelling_result(const mass_snapshot *s)
{
    return standard_tally(s, "alike") / standard_tally(s, "neighbours");
}

static double boltzmann_small(int steps) { return bench_plain_boltzmann(100, steps); }
static double boltzmann_large(int steps) { return bench_plain_boltzmann(1000000, steps); }
static double boltzmann_result(const mass_snapshot *s)
{
    return standard_tally(s, "poor") / (double)s->agents[0];
}

static double el_farol_small(int steps) { return bench_plain_el_farol(100, 0.6, steps); }
static double el_farol_large(int steps) { return bench_plain_el_farol(1000000, 0.6, steps); }
static double el_farol_result(const mass_snapshot *s) { return standard_tally(s, "visits") / (double)s->agents[0]; }

static double circles_small(int steps) { return bench_plain_circles(1000, 5, steps); }
static double circles_large(int steps) { return bench_plain_circles(1000000, 50, steps); }
static double circles_result(const mass_snapshot *s) { return standard_tally(s, "pairs") / (double)s->agents[0]; }

static double boids_small(int steps) { return bench_plain_boids(200, 20, 5, steps); }
static double boids_large(int steps) { return bench_plain_boids(400, 10, 15, steps); }
static double boids_80000(int steps) { return bench_plain_boids(80000, 80, 5, steps); }
static double boids_1000000(int steps) { return bench_plain_boids(1000000, 283, 5, steps); }
static double boids_result(const mass_snapshot *s)
{
    const mass_tally_def *seen = &s->model->tallies[mass_model_find_tally(s->model, "seen")];
    return mass_tally_value(seen, s->tallies + mass_tally_at(seen, 1, 0));
}

static const standard_case standard_cases[] = {
    {"wolf-sheep 25^2", "wolf-sheep", {BENCH_SMALL_MEADOW}, {25, 25, 1}, 100, false, wolf_sheep_small,
     wolf_sheep_result, 0.25, false},
    {"wolf-sheep 100^2", "wolf-sheep", {{0}}, {100, 100, 1}, 100, false, wolf_sheep_large, wolf_sheep_result,
     0.05, false},
    {"wolf-sheep 1000^2", "wolf-sheep", {{"sheep", "100000", NULL}, {"wolves", "50000", NULL}}, {1000, 1000, 1}, 20,
     true, wolf_sheep_1000, wolf_sheep_result, 0.02, false},
    {"schelling 40^2", "schelling", {{"households", "1000", NULL}, {"needs", "3", NULL}}, {40, 40, 1}, 20, false,
     schelling_small, schelling_result, 0.06, false},
    {"schelling 100^2", "schelling", {{"households", "8000", NULL}, {"needs", "8", NULL}, {"radius", "2", NULL}},
     {100, 100, 1}, 20, false, schelling_large, schelling_result, 0.03, false},
    {"schelling 500^2", "schelling", {{0}}, {500, 500, 1}, 20, true, schelling_500, schelling_result, 0.01, false},
    {"schelling 2000^2", "schelling", {{0}}, {2000, 2000, 1}, 20, true, schelling_2000, schelling_result, 0.01, false},
    {"boltzmann 10^2", "boltzmann", {{"people", "100", NULL}}, {10, 10, 1}, 100, false, boltzmann_small,
     boltzmann_result, 0.2, false},
    {"boltzmann 1000^2", "boltzmann", {{"people", "1000000", NULL}}, {1000, 1000, 1}, 100, true, boltzmann_large,
     boltzmann_result, 0.01, false},
    {"el-farol 100", "el-farol", {{0}}, {10, 10, 1}, 100, false, el_farol_small, el_farol_result, 8, false},
    {"el-farol 10^6", "el-farol", {{"people", "1000000", NULL}}, {10, 10, 1}, 100, true, el_farol_large,
     el_farol_result, 4, false},
    {"circles 10^3", "circles", {{0}}, {5, 5, 5}, 100, false, circles_small, circles_result, 3, true},
    {"circles 10^6", "circles", {{0}}, {50, 50, 50}, 20, true, circles_large, circles_result, 0.2, true},
    {"circles 10^7", "circles", {{0}}, {108, 108, 108}, 20, true, NULL, NULL, 0, true},
    {"boids 200", "boids", {{0}}, {20, 20, 1}, 100, false, boids_small, boids_result, 6, true},
    {"boids 400", "boids", {{"birds", "400", NULL}, {"sight", "15", NULL}}, {10, 10, 1}, 100, false, boids_large,
     boids_result, 20, true},
    {"boids 80000", "boids", {{"birds", "80000", NULL}}, {80, 80, 1}, 20, true, boids_80000, boids_result, 1, true},
    {"boids 10^6", "boids", {{"birds", "1000000", NULL}}, {283, 283, 1}, 20, true, boids_1000000,
     boids_result, 0.5, true}};

/* ---- rows ---- */

typedef struct standard_row {
    const standard_case *which;
    bench_model model;
    int threads;
    double inits[BENCH_RUNS_MAX], totals[BENCH_RUNS_MAX], plains[BENCH_RUNS_MAX], step;
    double engine, plain; /* results */
    int64_t agents;
} standard_row;

/* Returns the error of a row whose results differ. */
static mass_status standard_wrong(const standard_row *row, const char *what, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "standard, %s: %s: nothing is measured", row->which->label, what);
}

/* Gets the result of the engine's state, and its number of agents. */
static mass_status standard_read(standard_row *row, bench_run *r, mass_error *error)
{
    mass_snapshot s;
    const mass_status status = mass_domain_save(r->domain, &s, error);
    if (status != MASS_OK) return status;
    row->agents = (int64_t)s.agents[0];
    row->engine = row->which->result ? row->which->result(&s) : NAN;
    mass_snapshot_free(&s);
    return MASS_OK;
}

/* Runs the model from the start to its last step, and the plain program. */
static mass_status standard_run(standard_row *row, const bench_subject *s, int k, mass_error *error)
{
    bench_run r;
    mass_status status = bench_run_open(&r, &row->model, s->device, row->threads, error);
    r.observed = true;
    row->inits[k] = row->totals[k] = r.seconds;
    if (status == MASS_OK) status = bench_run_advance(&r, (uint64_t)row->which->steps, &row->totals[k], error);
    if (status == MASS_OK) status = standard_read(row, &r, error);
    bench_run_close(&r);
    if (status != MASS_OK || s->on_gpu) return status;
    const double began = mass_seconds();
    row->plain = row->which->plain(row->which->steps);
    row->plains[k] = mass_seconds() - began;
    if (row->plain < 0) return mass_error_memory(error, 1, "the program to compare with");
    return MASS_OK;
}

/* Measures a step of a run that goes on. */
static mass_status standard_measure_step(standard_row *row, const bench_subject *s, int runs, mass_error *error)
{
    bench_run r;
    mass_status status = bench_run_open(&r, &row->model, s->device, row->threads, error);
    if (status == MASS_OK) status = bench_run_advance(&r, (uint64_t)row->which->steps, NULL, error);
    if (status == MASS_OK) status = bench_measure_steps(&r, runs, NULL, &row->step, error);
    bench_run_close(&r);
    return status;
}

/* Compares the state with that of one CPU thread, and the result with the plain program's. */
static mass_status standard_check(standard_row *row, const bench_subject *s, mass_error *error)
{
    char one[33], this[33];
    mass_status status = bench_hash_after(&row->model, "cpu", 1, STANDARD_CHECKED, one, error);
    if (status == MASS_OK)
        status = bench_hash_after(&row->model, s->device, row->threads, STANDARD_CHECKED, this, error);
    if (status != MASS_OK) return status;
    if (strcmp(one, this) != 0) return standard_wrong(row, "the state is not that of one CPU thread", error);
    if (s->on_gpu || !row->which->result || fabs(row->engine - row->plain) <= row->which->tolerance) return MASS_OK;
    return standard_wrong(row, "the plain program comes to another result", error);
}

/* Measures a row: all runs, and then its results are compared. Adds it to the report. */
static mass_status standard_measure(standard_row *row, const bench_subject *s, int runs, bench_report *report,
                                    mass_error *error)
{
    mass_status status = MASS_OK;
    for (int k = 0; status == MASS_OK && k < runs; k++) status = standard_run(row, s, k, error);
    if (status == MASS_OK) status = standard_check(row, s, error);
    if (status == MASS_OK && !row->which->gathers) status = standard_measure_step(row, s, runs, error);
    if (status != MASS_OK) return status;
    const double total = bench_median(row->totals, runs), plain = s->on_gpu ? NAN : bench_median(row->plains, runs);
    if (row->which->gathers) row->step = (total - bench_median(row->inits, runs)) / row->which->steps;
    bench_report_row(report, row->which->label, (const double[STANDARD_COLUMNS]){
        row->threads ? row->threads : NAN, (double)row->agents, row->which->steps, bench_median(row->inits, runs),
        row->step, total, plain, plain / total});
    return MASS_OK;
}

/* Measures a model with each number of threads. */
static mass_status standard_measure_case(const standard_case *which, bench_subject *s, int runs, bench_report *report,
                                         mass_error *error)
{
    static standard_row row;
    uint32_t settings = 0;
    while (settings < STANDARD_SETTINGS && which->settings[settings].name) settings++;
    row = (standard_row){.which = which};
    mass_status status = bench_model_open(&row.model, which->plugin, which->settings, settings, which->size,
                                          which->size[2] > 1 ? 3 : 2, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++) {
        row.threads = s->threads[i];
        status = standard_measure(&row, s, runs, report, error);
    }
    bench_model_close(&row.model);
    return status;
}

mass_status bench_standard(const bench_options *o, mass_error *error)
{
    const int runs = o->runs ? o->runs : STANDARD_RUNS;
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "standard", standard_columns, STANDARD_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    bool found = false;
    for (size_t i = 0; status == MASS_OK && i < sizeof standard_cases / sizeof *standard_cases; i++) {
        const standard_case *which = &standard_cases[i];
        if ((o->size && which->size[0] != o->size) || (subject.on_gpu ? !which->on_gpus : !which->plain)) continue;
        found = true;
        status = standard_measure_case(which, &subject, runs, &report, error);
    }
    if (status == MASS_OK && !found) status = bench_size_absent(o, "standard", error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
