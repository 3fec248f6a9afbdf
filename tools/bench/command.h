/* SPDX-License-Identifier: Apache-2.0 */
/* The command mass-engine, run to its end as a user runs it. */
#ifndef MASS_BENCH_COMMAND_H
#define MASS_BENCH_COMMAND_H

#include "core/error.h"

#include <jansson.h>
#include <limits.h>

/* The one that lies beside this program. */
mass_status bench_command_find(char path[PATH_MAX], mass_error *error);

/* Runs it with arguments[0] "mass-engine" and so on to a NULL, its standard output going to `output`. That it ends with
 * another status than 0 is a failure. */
mass_status bench_command_run(const char *path, char *const arguments[], int output, mass_error *error);

/* The same with --json among the arguments: *answer is what it prints, which the caller releases. */
mass_status bench_command_ask(const char *path, char *const arguments[], json_t **answer, mass_error *error);

#endif
