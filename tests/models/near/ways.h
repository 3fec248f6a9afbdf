/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of near: spaces of one to three dimensions, on tori and bounded, with reaches from 1 to beyond the space. */
#ifndef MASS_TESTS_MODELS_NEAR_WAYS_H
#define MASS_TESTS_MODELS_NEAR_WAYS_H

#include "run.h"

#include <criterion/criterion.h>

static const char *const nears[] = {
    "--size 24x18 --seed 1 --steps 20",
    "--size 40 --seed 2 --steps 20 --set torus=0 --set bees=12 --set reach=5 --set far=5",
    "--size 9x8x7 --seed 3 --steps 8 --set torus=6 --set ants=200 --set bees=90 --set reach=3",
    "--size 12x9 --seed 4 --steps 12 --set torus=1 --worlds 3 --set reach=4 --set far=4",
    "--size 5x4 --seed 5 --steps 12 --set torus=3 --set bees=9 --set reach=9 --set far=9",
    "--size 6x8 --seed 6 --steps 12 --set torus=3 --set bees=25 --set reach=4 --set far=4",
    "--size 7 --seed 7 --steps 12 --set torus=1 --set ants=30 --set bees=4 --set reach=1024 --set far=1024",
    "--size 3x2x8 --seed 8 --steps 8 --set torus=7 --set bees=20 --set reach=2 --set far=1",
    "--size 300x20 --seed 9 --steps 3 --set ants=900 --set bees=3000 --set reach=1 --set far=1",
    "--size 4x1x7 --seed 10 --steps 8 --set torus=5 --set ants=9 --set bees=8 --set reach=2 --set far=2"};
enum { NEARS = sizeof nears / sizeof *nears };

/* Returns the options of the command for a run of this model. */
static inline const char *near_options(int i)
{
    return text("--plugin '%s/near.so' %s", MASS_TEST_PLUGINS, nears[i]);
}

#endif
