/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn, next to a plain loop on one core that draws and sorts the order, and lets one agent act after the
 * other. */
#include "check.h"
#include "command.h"
#include "process/progress.h"
#include "population/population.h"
#include "subject.h"
#include "turns_plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_RUNS = 5, TURNS_SETTINGS = 2, TURNS_CHECKED = 5 };

static const bench_column turns_columns[] = {
    {"threads", "threads", 1, 7, 0},
    {"agents", "agents", 1, 9, 0},
    {"radius", "radius", 1, 6, 0},
    {"step_s", "step ms", 1e3, 10, 4},
    {"agents_per_s", "Gagent/s", 1e-9, 9, 3},
    {"plain_s", "plain ms", 1e3, 10, 3},
    {"times_plain", "plain/step", 1, 10, 3}};
enum { TURNS_COLUMNS = sizeof turns_columns / sizeof *turns_columns };

/* A torus with ants. */
typedef struct turns_case {
    const char *label, *ants, *radius;
    mass_gidx size;
} turns_case;

static const turns_case cases[] = {{"1024^2, 10 %", "104857", "1", 1024},
                                   {"1024^2, 10 %, far", "104857", "6", 1024},
                                   {"4096^2, 10 %", "1677721", "1", 4096},
                                   {"4096^2, 80 %", "13421772", "1", 4096}};

/* The plain loop, measured alternately with the engine. */
typedef struct plain_loop {
    bench_ants ants;
    double times[BENCH_RUNS_MAX];
    int count;
} plain_loop;

/* Takes a step of the plain loop, and keeps the seconds. */
static mass_status measure_plain(void *context, mass_error *error)
{
    plain_loop *p = context;
    (void)error;
    const double begin = mass_seconds();
    bench_ants_step(&p->ants);
    p->times[p->count++] = mass_seconds() - begin;
    return MASS_OK;
}

/* Gets what an ant of the engine has eaten, in the mean. */
static mass_status mean_energy(const bench_run *r, uint32_t count, double *mean, mass_error *error)
{
    const mass_model *m = r->domain->model;
    uint32_t attribute = 0;
    uint32_t *energy = malloc(count * sizeof *energy);
    double sum = 0;
    if (!energy) return mass_error_memory(error, count * sizeof *energy, "ants");
    while (strcmp(m->attributes[attribute].name, "energy") != 0) attribute++;
    const mass_status status = mass_population_read_own(r->domain, attribute, energy, error);
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) sum += energy[i];
    *mean = sum / count;
    free(energy);
    return status;
}

/* Compares the state after some steps with that of one CPU thread, and what ants have eaten with the plain loop. */
static mass_status check(bench_model *m, bench_run *r, bench_ants *ants, const turns_case *which, mass_error *error)
{
    char one[33], this[33];
    double mean = 0;
    mass_status status = bench_hash_after(m, "cpu", 1, TURNS_CHECKED, one, error);
    if (status == MASS_OK) status = bench_run_advance(r, TURNS_CHECKED, NULL, error);
    if (status == MASS_OK) status = bench_run_hash(r, this, error);
    if (status == MASS_OK) status = mean_energy(r, ants->count, &mean, error);
    if (status != MASS_OK) return status;
    for (int k = 0; k < TURNS_CHECKED; k++) bench_ants_step(ants);
    const double plain = bench_ants_energy(ants);
    if (strcmp(one, this) == 0 && fabs(mean - plain) < 0.02 * plain) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "turns, %s: an ant has eaten %g in the mean, and %g in the plain loop; "
                          "state %s, and on one CPU thread %s: nothing is measured", which->label, mean, plain, this,
                          one);
}

/* Measures ants with one number of threads, and adds a row to the report. */
static mass_status turns_row(bench_subject *s, const turns_case *which, bench_model *m, int threads, int runs,
                             bench_report *report, mass_error *error)
{
    static plain_loop plain;
    bench_run r = {0};
    double step = 0;
    const uint32_t count = (uint32_t)strtoul(which->ants, NULL, 10);
    const double radius = strtod(which->radius, NULL);
    plain.count = 0;
    mass_status status = MASS_OK;
    if (!bench_ants_make(&plain.ants, which->size, count, (int)radius))
        status = mass_error_memory(error, (size_t)(which->size * which->size), "ants");
    if (status == MASS_OK) status = bench_run_open(&r, m, s->device, threads, error);
    if (status == MASS_OK) status = check(m, &r, &plain.ants, which, error);
    if (status == MASS_OK)
        status = bench_measure_steps(&r, runs, &(bench_peer){measure_plain, &plain}, &step, error);
    if (status == MASS_OK) {
        const double beside = bench_median(plain.times, plain.count);
        bench_report_row(report, which->label, (const double[TURNS_COLUMNS]){
            threads ? threads : NAN, count, radius, step, count / step, beside, beside / step});
    }
    bench_run_close(&r);
    bench_ants_free(&plain.ants);
    return status;
}

/* Measures ants with each number of threads. Closes the model, also on failure. */
static mass_status measure_turns(bench_subject *s, const turns_case *which, int runs, bench_report *report,
                                 mass_error *error)
{
    static bench_model model;
    static mass_setting settings[TURNS_SETTINGS];
    char path[PATH_MAX];
    const mass_gidx size[3] = {which->size, which->size, 1};
    settings[0] = (mass_setting){"ants", which->ants, NULL};
    settings[1] = (mass_setting){"radius", which->radius, NULL};
    model = (bench_model){0};
    mass_status status = bench_beside("../lib/mass/bench/turns.so", path, error);
    if (status == MASS_OK) status = bench_model_open(&model, path, settings, TURNS_SETTINGS, size, 2, error);
    for (int i = 0; status == MASS_OK && i < s->count; i++)
        status = turns_row(s, which, &model, s->threads[i], runs, report, error);
    bench_model_close(&model);
    return status;
}

mass_status bench_turns(const bench_options *o, mass_error *error)
{
    bench_report report;
    bench_subject subject;
    bench_report_begin(&report, "turns", turns_columns, TURNS_COLUMNS, o->json);
    mass_status status = bench_subject_open(&subject, o, &report, error);
    bool found = false;
    for (size_t i = 0; status == MASS_OK && i < sizeof cases / sizeof *cases; i++) {
        if (o->size && cases[i].size != o->size) continue;
        found = true;
        status = measure_turns(&subject, &cases[i], o->runs ? o->runs : TURNS_RUNS, &report, error);
    }
    if (status == MASS_OK && !found) status = bench_size_absent(o, "turns", error);
    bench_subject_close(&subject);
    return bench_report_end(&report, status, error);
}
