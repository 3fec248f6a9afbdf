/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a plugin in this process, measured part by part. */
#ifndef MASS_BENCH_MEASURE_H
#define MASS_BENCH_MEASURE_H

#include "plugin/host.h"
#include "plugin/load.h"
#include "run/stepper.h"

/* A plugin that is open for one size. Do not move it while it is open. */
typedef struct bench_model {
    mass_loaded loaded;
    mass_opening opening;
    mass_engine_host host;
    mass_model model;
    int32_t worlds; /* worlds of its runs; 0: one */
    bool one_step;  /* one step in a pass; else as many as are fastest */
} bench_model;

/* Finds the plugin as the command does. The caller keeps the settings. It does not try the plugin in a child process
 * first; the command `start` measures that. The caller must close it also on failure. */
mass_status bench_model_open(bench_model *m, const char *plugin, const mass_setting *settings, uint32_t setting_count,
                             const mass_gidx size[3], uint32_t dimensions, mass_error *error);
void bench_model_close(bench_model *m);

/* A state on a device; its steps run as the command's do. */
typedef struct bench_run {
    bench_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    bool observed;  /* tallies count in every step */
    bool reads;     /* ... and are copied to the host */
    double seconds; /* from the open device to the state of step 0 */
} bench_run;

/* The caller must close it also on failure. */
mass_status bench_run_open(bench_run *r, bench_model *m, const char *device, int threads, mass_error *error);
void bench_run_close(bench_run *r);

/* Runs steps between two synchronisations, and adds the seconds to *seconds, unless NULL. */
mass_status bench_run_advance(bench_run *r, uint64_t steps, double *seconds, mass_error *error);

/* Reads the only attribute, as mass_domain_read does. The caller frees *out. */
mass_status bench_run_read(bench_run *r, void **out, mass_error *error);
mass_status bench_run_hash(bench_run *r, char hex[33], mass_error *error);

/* A peer that is measured alternately with the engine. */
typedef struct bench_peer {
    mass_status (*measure)(void *context, mass_error *error);
    void *context;
} bench_peer;

/* Medians, in seconds. */
typedef struct bench_times {
    double first_init, init, step, total; /* total: initialisation and BENCH_GENERATIONS steps */
    char hash[33];                        /* of the state after these steps */
} bench_times;

/* Measures `runs` times, after a warm-up. Each time it opens the device, makes the state, runs BENCH_GENERATIONS steps,
 * and calls the peer. It runs more steps if those were too short to measure one. */
mass_status bench_measure(bench_model *m, const char *device, int threads, int runs, const bench_peer *peer,
                          bench_times *out, mass_error *error);

/* Continues a run, after a warm-up. It runs `runs` times as many steps as take 0.1 s, and calls the peer each time, if
 * there is one. *step is the median in seconds. */
mass_status bench_measure_steps(bench_run *r, int runs, const bench_peer *peer, double *step, mass_error *error);

/* Returns the median. Sorts the values. */
double bench_median(double *values, int count);

/* Returns the number of cores that this process may use. */
int bench_cores(void);

#endif
