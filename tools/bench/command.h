/* SPDX-License-Identifier: Apache-2.0 */
/* Other programs, the command mass-engine above all, run to their end as a user runs them. */
#ifndef MASS_BENCH_COMMAND_H
#define MASS_BENCH_COMMAND_H

#include "base/error.h"

#include <jansson.h>
#include <limits.h>

/* A file by its path from the folder of this program. */
mass_status bench_beside(const char *relative, char path[PATH_MAX], mass_error *error);

/* The mass-engine that lies beside this program. */
mass_status bench_command_find(char path[PATH_MAX], mass_error *error);

/* Runs a program, found as a shell finds it, with arguments[0] "mass-engine" and so on to a NULL, its standard output
 * going to `output`. That it ends with another status than 0 is a failure. */
mass_status bench_command_run(const char *path, char *const arguments[], int output, mass_error *error);

/* The same of one that prints a JSON object, such as mass-engine with --json: *answer is it, which the caller
 * releases. */
mass_status bench_command_ask(const char *path, char *const arguments[], json_t **answer, mass_error *error);

#endif
