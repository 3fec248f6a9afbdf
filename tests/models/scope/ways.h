/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the model of agents that see farther than they meet, and meet farther than they change. Each run compares its
 * last state with that of a plain program. */
#ifndef MASS_TESTS_SCOPE_WAYS_H
#define MASS_TESTS_SCOPE_WAYS_H

#include "run.h"

static const char *const scopes[] = {
    "--steps 12",
    "--steps 10 --set meets=0 --set changes=0 --set ants=200",
    "--steps 10 --set meets=4 --set changes=0 --set looks=1 --set ants=250",
    "--steps 10 --set axes=1 --set meets=3 --set changes=2 --set ants=200",
    "--steps 8 --set axes=1 --set meets=4 --set changes=4 --set looks=1 --set torus=0 --set ants=200",
    "--steps 8 --set axes=1 --set meets=1 --set changes=0 --set seats=0 --set ants=300",
    "--steps 8 --size 6x5x7 --set axes=1 --set meets=2 --set changes=1 --set seats=2 --set ants=200",
    "--steps 8 --size 7x6x12 --set meets=2 --set changes=2 --set sees=3 --set torus=3 --set ants=250",
    "--steps 8 --size 5x4 --set axes=1 --set meets=4 --set changes=3 --set seats=3 --set ants=40",
    "--steps 8 --size 300 --set meets=3 --set changes=1 --set torus=0 --set ants=200",
    "--steps 6 --size 48x64 --set meets=2 --set changes=1 --set sees=2 --set looks=1 --set ants=1500"};
enum { SCOPES = sizeof scopes / sizeof *scopes };

/* Returns the options of the command for a run of this model. */
static inline const char *scope_options(const char *more)
{
    return text("--plugin '%s/scope.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

#endif
