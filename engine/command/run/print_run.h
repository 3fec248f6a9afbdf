/* SPDX-License-Identifier: Apache-2.0 */
/* Executes --print-run: prints a command, or the run of a checkpoint, as a file for --run. */
#ifndef MASS_ENGINE_PRINT_RUN_H
#define MASS_ENGINE_PRINT_RUN_H

#include "command/options/options.h"
#include "io/checkpoint/checkpoint.h"

#include <stdio.h>

/* What the results of a run depend on. */
typedef struct mass_run_summary {
    const char *plugin; /* its name or path */
    const mass_model *model;
    const mass_inputs *inputs;
    int64_t steps;     /* the last step; -1: left out */
    const char *until; /* NULL: left out */
    uint64_t seed;
    int32_t worlds, first_world;
} mass_run_summary;

/* Prints the file of a run, in JSON or YAML: the plugin, the parameters that were given, size, steps, seed, worlds and
 * the files that it starts with. The words, options of a command line, override these. Refuses a sweep, whose table is
 * not there; `what` names the run in that message. */
mass_status mass_print_run_of(FILE *to, const mass_run_summary *run, const char *what, char *const words[], int count,
                              bool json, mass_error *error);

/* Prints the file of the command line, or of a checkpoint, on standard output. */
mass_status mass_print_run(const mass_options *o, mass_error *error);

#endif
