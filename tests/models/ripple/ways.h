/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the model of places in turn: of all radii and orders, with edges, worlds and closed steps. Each run compares
 * its last state with that of a plain program. */
#ifndef MASS_TESTS_RIPPLE_WAYS_H
#define MASS_TESTS_RIPPLE_WAYS_H

#include "run.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const ripples[] = {
    "--steps 12",
    "--steps 9 --set radius=0 --set reversed=1",
    "--steps 9 --size 75 --set radius=2 --set torus=0 --set order=1",
    "--steps 7 --size 6x5x4 --set radius=3 --set torus=5",
    "--steps 7 --size 5x4 --set radius=2 --set order=2",
    "--steps 7 --size 7x9 --set radius=3 --set torus=0 --set order=3 --set reversed=1",
    "--steps 9 --size 16x12 --set gated=1 --worlds 3 --set order=4",
    "--steps 6 --size 64x40 --set walkers=900 --set radius=2 --set order=5 --set reversed=1",
    "--steps 6 --size 33x20 --set order=1 --set reversed=1 --set torus=1 --worlds 2",
    "--steps 5 --size 1x1 --set radius=1 --set walkers=0"};
enum { RIPPLES = sizeof ripples / sizeof *ripples };

/* Returns a sweep of which world 1 has values without an order, and is closed. */
static inline const char *ripple_closed_sweep(void)
{
    const char *path = text("%s/sweep.csv", folder_make());
    FILE *to = fopen(path, "w");
    if (!to || fputs("odd,gated\n0,0\n3,2\n0,1\n", to) < 0 || fclose(to) != 0) abort();
    return text("--sweep '%s' --set order=2 --set compared=0 --steps 4", path);
}

/* Returns the options of the command for a run of this model. */
static inline const char *ripple_options(const char *more)
{
    return text("--plugin '%s/ripple.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

#endif
