/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of around: spaces of one to three dimensions, on tori and bounded, walks from 0 to the radius, and spaces
 * smaller than that. */
#ifndef MASS_TESTS_MODELS_AROUND_WAYS_H
#define MASS_TESTS_MODELS_AROUND_WAYS_H

#include "run.h"

#include <criterion/criterion.h>

static const char *const arounds[] = {
    "--size 24x18 --seed 1 --steps 8",
    "--size 24x18 --seed 1 --steps 0",
    "--size 40 --seed 2 --steps 12 --set torus=0 --set bees=12 --set far=5",
    "--size 9x8x7 --seed 3 --steps 4 --set torus=6 --set ants=200 --set bees=90 --set far=3",
    "--size 12x9 --seed 4 --steps 6 --set torus=1 --worlds 3 --set far=4",
    "--size 5x6 --seed 5 --steps 12 --set torus=3 --set bees=9 --set far=7",
    "--size 6x8 --seed 6 --steps 12 --set torus=2 --set bees=25 --set far=6",
    "--size 7 --seed 7 --steps 12 --set torus=1 --set ants=30 --set bees=4 --set far=7",
    "--size 3x2x8 --seed 8 --steps 8 --set torus=7 --set bees=20 --set far=1",
    "--size 70x10 --seed 9 --steps 2 --set ants=300 --set bees=200 --set far=0",
    "--size 16x12 --seed 10 --steps 3 --set ants=0 --set bees=1 --set torus=0 --set far=-1"};
enum { AROUNDS = sizeof arounds / sizeof *arounds };

static const char *const around_bits[] = {
    "--size 70x18 --seed 1 --steps 6", "--size 600x12 --seed 2 --steps 2 --set torus=0",
    "--size 33x7 --seed 3 --steps 6 --worlds 3 --set torus=2", "--size 40x6x5 --seed 4 --steps 3 --set torus=5"};
enum { AROUND_BITS = sizeof around_bits / sizeof *around_bits };

/* Returns the options of the command for a run of this model. */
static inline const char *around_bits_options(int i)
{
    return text("--plugin '%s/around_bits.so' %s", MASS_TEST_PLUGINS, around_bits[i]);
}

/* Returns the options of the command for a run of this model. */
static inline const char *around_options(int i)
{
    return text("--plugin '%s/around.so' %s", MASS_TEST_PLUGINS, arounds[i]);
}

#endif
