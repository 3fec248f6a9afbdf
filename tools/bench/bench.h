/* SPDX-License-Identifier: Apache-2.0 */
/* mass-bench measures the engine in its own process, next to the limits of the machine. */
#ifndef MASS_BENCH_H
#define MASS_BENCH_H

#include "base/error.h"

#include <stdbool.h>

enum { BENCH_SEED = 1, BENCH_GENERATIONS = 250, BENCH_RUNS_MAX = 1000 };

typedef struct bench_options {
    const char *command;
    const char *device; /* "cpu", "cuda" or "cuda:N"; NULL: a GPU if one works, else the CPU */
    const char *folder; /* for checkpoints */
    int threads;        /* 0: all cores */
    int ranks;          /* 0: two */
    int runs;           /* 0: the command's default */
    int64_t size;       /* extent along every axis of the only space to measure; 0: all spaces */
    bool json;
} bench_options;

/* Each command measures and prints one table. It prints a row once the results are found right. The first failure ends
 * the table. */
mass_status bench_life(const bench_options *o, mass_error *error);
mass_status bench_heat(const bench_options *o, mass_error *error);
mass_status bench_rules(const bench_options *o, mass_error *error);
mass_status bench_stencils(const bench_options *o, mass_error *error);
mass_status bench_sugarscape(const bench_options *o, mass_error *error);
mass_status bench_minesweeper(const bench_options *o, mass_error *error);
mass_status bench_standard(const bench_options *o, mass_error *error);
mass_status bench_meetings(const bench_options *o, mass_error *error);
mass_status bench_turns(const bench_options *o, mass_error *error);
mass_status bench_networks(const bench_options *o, mass_error *error);
mass_status bench_manage(const bench_options *o, mass_error *error);
mass_status bench_histogram(const bench_options *o, mass_error *error);
mass_status bench_start(const bench_options *o, mass_error *error);
mass_status bench_ranks(const bench_options *o, mass_error *error);
mass_status bench_checkpoint(const bench_options *o, mass_error *error);
mass_status bench_tallies(const bench_options *o, mass_error *error);
mass_status bench_view(const bench_options *o, mass_error *error);

#endif
