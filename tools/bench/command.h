/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs, mainly the command mass-engine, to their end as a user does. */
#ifndef MASS_BENCH_COMMAND_H
#define MASS_BENCH_COMMAND_H

#include "base/error.h"

#include <jansson.h>
#include <limits.h>

/* Finds a file by its path from the folder of this program. */
mass_status bench_beside(const char *relative, char path[PATH_MAX], mass_error *error);

/* Finds the mass-engine in the folder of this program. */
mass_status bench_command_find(char path[PATH_MAX], mass_error *error);

/* Runs a program, which it finds as a shell does. The arguments are "mass-engine" and so on, ended by NULL. Standard
 * output goes to `output`. Another status than 0 is a failure. */
mass_status bench_command_run(const char *path, char *const arguments[], int output, mass_error *error);

/* The same for a program that prints a JSON object, such as mass-engine with --json. The caller releases *answer. */
mass_status bench_command_ask(const char *path, char *const arguments[], json_t **answer, mass_error *error);

#endif
