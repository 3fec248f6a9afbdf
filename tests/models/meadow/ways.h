/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of meadow: spaces of one to three dimensions, with many and with few agents. */
#ifndef MASS_TESTS_MODELS_MEADOW_WAYS_H
#define MASS_TESTS_MODELS_MEADOW_WAYS_H

#include "run.h"

#include <criterion/criterion.h>

static const char *const meadows[] = {
    "--size 24x18 --seed 1 --steps 60",
    "--size 97 --seed 2 --steps 50 --set torus=0",
    "--size 9x8x7 --seed 3 --steps 40 --set torus=6 --set hares=300 --set foxes=200",
    "--size 33x14 --seed 4 --steps 40 --set torus=3 --worlds 3 --set foxes=400",
    "--size 31x11 --seed 5 --steps 40 --set torus=2 --set hares=1500 --set foxes=1",
    "--size 1024x40 --seed 6 --steps 6 --set hares=30000 --set foxes=20000"};
enum { MEADOWS = sizeof meadows / sizeof *meadows };

/* Returns the options of the command for a run of this model. */
static inline const char *meadow_options(int i)
{
    return text("--plugin '%s/meadow.so' %s", MASS_TEST_PLUGINS, meadows[i]);
}

/* Returns the sum of a tally, which is a number or one for each world. */
static inline int64_t sum_of(const outcome *o, const char *tally)
{
    const json_t *found = json_object_get(json_object_get(o->report, "tallies"), tally);
    int64_t sum = json_integer_value(found);
    for (size_t i = 0; i < json_array_size(found); i++) sum += json_integer_value(json_array_get(found, i));
    return sum;
}

/* Runs it, and expects both ways to look to agree, and to meet somebody. */
static inline void expect_equal_sights(const char *options)
{
    outcome o = engine_run(options);
    cr_expect_eq(sum_of(&o, "differ"), 0, "%s", options);
    cr_expect_gt(sum_of(&o, "meetings"), 0, "%s", options);
    outcome_free(&o);
}

#endif
