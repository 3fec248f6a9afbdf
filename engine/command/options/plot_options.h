/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of mass-engine plot. Pure. */
#ifndef MASS_ENGINE_PLOT_OPTIONS_H
#define MASS_ENGINE_PLOT_OPTIONS_H

#include "command/options/command_line.h"

typedef struct mass_plot_options {
    const char *file, *names, *output; /* output: NULL for the terminal */
    bool bins, mean, at_given, world_given, from_given, to_given, y_min_given, y_max_given, help, force;
    uint64_t from, to; /* steps */
    double y_min, y_max;
    uint64_t at;    /* step */
    uint64_t world; /* number */
} mass_plot_options;

/* Reads the arguments after "plot". *out borrows their texts. MASS_BAD_USAGE for wrong ones, or without a file, unless
 * --help is given; the names may be missing. */
mass_status mass_plot_options_parse(int count, char *const arguments[], mass_plot_options *out, mass_error *error);

extern const mass_command mass_plot_command;

#endif
