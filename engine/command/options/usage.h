/* SPDX-License-Identifier: Apache-2.0 */
/* --help: what a command is, how it is called, and its options. */
#ifndef MASS_ENGINE_USAGE_H
#define MASS_ENGINE_USAGE_H

#include "command/options/command_line.h"

#include <stdio.h>

/* Prints it in lines of at most 80 columns. MASS_NO_DEVICE if there is no memory for it. */
mass_status mass_usage_print(const mass_command *c, FILE *to, mass_error *error);

#endif
