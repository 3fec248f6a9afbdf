/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of points1 to points3: on tori and bounded, with each kind of edge, cells of all sizes, and distances from 0 to
 * beyond the space. */
#ifndef MASS_TESTS_MODELS_POINTS_WAYS_H
#define MASS_TESTS_MODELS_POINTS_WAYS_H

#include "run.h"

#include <criterion/criterion.h>

typedef struct points_run {
    int dimensions;
    const char *options;
} points_run;

static const points_run points_runs[] = {
    {1, "--size 17 --seed 1 --steps 20 --set sight=2.5"},
    {1, "--size 9 --seed 2 --steps 20 --set sight=20 --set torus=0 --set edge=1"},
    {1, "--size 300 --seed 3 --steps 8 --set specks=900 --set motes=600 --set cell=0.3 --set sight=0.7 --set edge=2"},
    {2, "--size 9x8 --seed 4 --steps 20"},
    {2, "--size 9x8 --seed 5 --steps 20 --set edge=2 --set torus=1 --set sight=9"},
    {2, "--size 4x9 --seed 6 --steps 12 --worlds 3 --set sight=3 --set specks=200"},
    {2, "--size 30x20 --seed 7 --steps 6 --set torus=2 --set edge=1 --set sight=2.3 --set specks=900 --set cell=7.1"},
    {2, "--size 1x7 --seed 8 --steps 12 --set specks=90 --set sight=1"},
    {3, "--size 5x3x8 --seed 9 --steps 8 --set torus=2 --set cell=0.1 --set sight=0.3 --set specks=300"},
    {3, "--size 7x6x9 --seed 10 --steps 8 --set torus=0 --set edge=2 --set motes=0 --set sight=0"},
    {3, "--size 12x9x10 --seed 11 --steps 4 --set specks=1500 --set motes=500 --set sight=1"}};
enum { POINTS_RUNS = sizeof points_runs / sizeof *points_runs };

/* Returns the options of the command for a run of this model. */
static inline const char *points_options(int i)
{
    return text("--plugin '%s/points%d.so' %s", MASS_TEST_PLUGINS, points_runs[i].dimensions, points_runs[i].options);
}

/* Runs of blur.c. */
static const char *const blur_runs[] = {"--seed 1 --steps 6", "--seed 2 --steps 4 --set torus=0",
                                        "--seed 3 --steps 5 --set torus=7 --set cell=0.3 --worlds 3",
                                        "--seed 4 --steps 3 --set torus=2 --set cell=40"};
enum { BLUR_RUNS = sizeof blur_runs / sizeof *blur_runs };

/* Returns the options of the command for a run of this model. */
static inline const char *blur_options(int i)
{
    return text("--plugin '%s/blur.so' %s", MASS_TEST_PLUGINS, blur_runs[i]);
}

/* Runs of seeded.c. */
static const char *const seeded_runs[] = {"--seed 1 --steps 30", "--seed 2 --steps 12 --worlds 3 --set torus=0",
                                          "--seed 3 --steps 25 --set cell=7.1 --set torus=3 --size 5x11"};
enum { SEEDED_RUNS = sizeof seeded_runs / sizeof *seeded_runs };

/* Returns the options of the command for a run of this model. */
static inline const char *seeded_options(int i)
{
    return text("--plugin '%s/seeded.so' %s", MASS_TEST_PLUGINS, seeded_runs[i]);
}

/* Runs of veer1.c to veer3.c: the last ones are long, so that each of several ranks plays a part of the space. */
static const points_run veer_runs[] = {
    {2, "--size 9x8 --seed 1 --steps 8"},
    {2, "--size 9x8 --seed 2 --steps 8 --set torus=1 --set edge=2 --set meets=3 --set changes=2 --set sight=1.5"},
    {1, "--size 40 --seed 3 --steps 8 --set torus=0 --set edge=1 --set cell=0.3 --set meets=3 --set sight=3"},
    {2, "--size 5x7 --seed 4 --steps 6 --worlds 3 --set cell=7.1 --set flies=100 --set sight=0.6"},
    {2, "--size 2x3 --seed 5 --steps 6 --set meets=3 --set changes=3 --set sight=3"},
    {3, "--size 4x5x6 --seed 6 --steps 5 --set torus=5 --set cell=0.1 --set flies=200 --set meets=3"},
    {2, "--size 12x90 --seed 7 --steps 5 --set flies=500 --set lures=300 --set torus=0"},
    {1, "--size 700 --seed 8 --steps 5 --set flies=500 --set lures=300 --set meets=3 --set sight=2"},
    {3, "--size 5x4x70 --seed 9 --steps 4 --set flies=500 --set lures=300 --set torus=3 --set edge=2"}};
enum { VEER_RUNS = sizeof veer_runs / sizeof *veer_runs };

/* Returns the options of the command for a run of this model. */
static inline const char *veer_options(int i)
{
    return text("--plugin '%s/veer%d.so' %s", MASS_TEST_PLUGINS, veer_runs[i].dimensions, veer_runs[i].options);
}

/* Returns how many rows or layers a run's partitions divide. */
static inline int points_rows(const points_run *r)
{
    int size[3] = {0};
    sscanf(r->options, "--size %dx%dx%d", &size[0], &size[1], &size[2]);
    return size[r->dimensions - 1];
}

#endif
