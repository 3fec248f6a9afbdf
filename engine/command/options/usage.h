/* SPDX-License-Identifier: Apache-2.0 */
/* --help: what a command does, how it is called, and its options. */
#ifndef MASS_ENGINE_USAGE_H
#define MASS_ENGINE_USAGE_H

#include "command/options/command_line.h"

#include <stdio.h>

/* Prints the help in lines of at most 80 columns. Returns MASS_NO_DEVICE if memory is short. */
mass_status mass_usage_print(const mass_command *c, FILE *to, mass_error *error);

#endif
