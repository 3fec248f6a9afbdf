/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the file for --run that says what the words of a command line say. Main thread. */
#ifndef MASS_ENGINE_RUN_PRINT_H
#define MASS_ENGINE_RUN_PRINT_H

#include "command/options/options.h"

#include <stdio.h>

/* Prints the options among the words, in the order of --help, in YAML or JSON. The words are without the program's
 * name. A word that is no option is the plugin. Leaves out --json, and options that no run file has. MASS_BAD_USAGE for
 * a text that is not UTF-8, which no such file can have. */
mass_status mass_run_print(FILE *to, char *const words[], int count, bool json, mass_error *error);

#endif
