/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a plugin in this process, timed part by part. */
#ifndef MASS_BENCH_MEASURE_H
#define MASS_BENCH_MEASURE_H

#include "plugin/host.h"
#include "plugin/load.h"
#include "run/stepper.h"

/* A plugin opened for one size. Must not move while it is open. */
typedef struct bench_model {
    mass_loaded loaded;
    mass_opening opening;
    mass_engine_host host;
    mass_model model;
    int32_t worlds; /* of its runs; 0: one */
    bool one_step;  /* a pass; else as many as are fastest */
} bench_model;

/* Finds the plugin as the command does. Settings are borrowed. The plugin is not tried in a child
 * process before: that is what `start` measures. The caller closes it also on failure. */
mass_status bench_model_open(bench_model *m, const char *plugin, const mass_setting *settings, uint32_t setting_count,
                             const mass_gidx size[3], uint32_t dimensions, mass_error *error);
void bench_model_close(bench_model *m);

/* A state on a device, whose steps are done as the command does them. */
typedef struct bench_run {
    bench_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    bool observed;  /* tallies count in every step, and */
    bool reads;     /* ... are handed to the host */
    double seconds; /* from the open device to the state of step 0 being ready */
} bench_run;

/* The caller closes it also on failure. */
mass_status bench_run_open(bench_run *r, bench_model *m, const char *device, int threads, mass_error *error);
void bench_run_close(bench_run *r);

/* Steps, between two synchronisations; adds the seconds between them to *seconds, unless NULL. */
mass_status bench_run_advance(bench_run *r, uint64_t steps, double *seconds, mass_error *error);

/* The only attribute, as mass_domain_read gives it; the caller frees it. */
mass_status bench_run_read(bench_run *r, void **out, mass_error *error);
mass_status bench_run_hash(bench_run *r, char hex[33], mass_error *error);

/* What is measured in turns with the engine. */
typedef struct bench_peer {
    mass_status (*measure)(void *context, mass_error *error);
    void *context;
} bench_peer;

/* Medians, in seconds. */
typedef struct bench_times {
    double first_init, init, step, total; /* total: init and BENCH_GENERATIONS steps */
    char hash[33];                        /* of the state after them */
} bench_times;

/* `runs` times, after a warm-up: opens the device, makes the state, does BENCH_GENERATIONS steps, more steps if
 * those were too short to measure one, and calls the peer. */
mass_status bench_measure(bench_model *m, const char *device, int threads, int runs, const bench_peer *peer,
                          bench_times *out, mass_error *error);

/* Goes on with a run, after a warm-up: `runs` times as many steps as take 0.1 s, and the peer, if there is one. The
 * median in seconds. */
mass_status bench_measure_steps(bench_run *r, int runs, const bench_peer *peer, double *step, mass_error *error);

/* Sorts the values. */
double bench_median(double *values, int count);

/* Cores that this process may use. */
int bench_cores(void);

#endif
