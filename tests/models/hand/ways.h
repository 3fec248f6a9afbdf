/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of hand, and what a plain loop makes of the same model. */
#ifndef MASS_TESTS_MODELS_HAND_WAYS_H
#define MASS_TESTS_MODELS_HAND_WAYS_H

#include "hand.h"
#include "plain.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Returns the options of the command for a run of this model. */
static inline const char *hand_options(const char *more)
{
    return text("--plugin '%s/hand.so' --seed 1 %s", MASS_TEST_PLUGINS, more);
}

/* Expects a tally of a world. */
static inline void expect_tally(const outcome *o, const char *name, int world, int64_t value, const char *options)
{
    const json_t *found = json_object_get(json_object_get(o->report, "tallies"), name);
    if (json_is_array(found)) found = json_array_get(found, (size_t)world);
    cr_expect(json_is_integer(found) && json_integer_value(found) == value, "%s: %s of world %d is %lld and not %lld",
              options, name, world, (long long)json_integer_value(found), (long long)value);
}

/* Runs so many worlds of a size, with more options, and expects the tallies of the plain loop in each. */
static inline void expect_plain(int nx, int ny, int worlds, int steps, const char *more)
{
    const char *options = hand_options(text("--size %dx%d --worlds %d --steps %d %s", nx, ny, worlds, steps, more));
    outcome o = engine_run(options);
    for (int w = 0; w < worlds; w++) {
        const hand_world plain = hand_after(nx, ny, w, steps);
        expect_tally(&o, "alive", w, plain.alive, options);
        expect_tally(&o, "born", w, plain.born, options);
        expect_tally(&o, "died", w, plain.died, options);
        expect_tally(&o, "trace", w, plain.trace, options);
        expect_tally(&o, "huts_alive", w, HAND_LAST, options);
        expect_tally(&o, "nobody_alive", w, 0, options);
        free(plain.all);
    }
    outcome_free(&o);
}

#endif
