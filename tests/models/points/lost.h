/* SPDX-License-Identifier: Apache-2.0 */
/* What astray.c asks for in vain: it changes nothing, and each kind is reported once. */
#ifndef MASS_TESTS_MODELS_POINTS_LOST_H
#define MASS_TESTS_MODELS_POINTS_LOST_H

#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

static const char place_words[] = "asks by MIGRATE or CHILD_TO for a place, which is ignored, as agents of population "
                                  "specks have positions";
static const char number_words[] = "callback astray_move asks to move by an infinity, or by what is no number";

/* Returns how often a text contains some words. */
static inline int lines_with(const char *words, const char *in)
{
    int count = 0;
    for (const char *at = strstr(in, words); at; at = strstr(at + 1, words)) count++;
    return count;
}

/* Runs a model that asks for `asks` in step 40, which no trial reaches, with these options. It expects the state of a
 * run that asks for nothing, and so many lines about places and about numbers. */
static inline void expect_ignored(const char *options, int asks, int places, int numbers)
{
    const char *plain = text("--plugin '%s/astray.so' --seed 3 --steps 43 %s", MASS_TEST_PLUGINS, options);
    process p = engine_start(text("%s --set when=40 --set asks=%d", plain, asks));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%s, asks=%d: %s", options, asks, o.errors);
    cr_expect_eq(lines_with(place_words, o.errors), places, "%s, asks=%d: %s", options, asks, o.errors);
    cr_expect_eq(lines_with(number_words, o.errors), numbers, "%s, asks=%d: %s", options, asks, o.errors);
    cr_expect_eq(lines_with("mass-engine: ", o.errors), places + numbers, "%s, asks=%d: %s", options, asks, o.errors);
    cr_expect(strstr(engine_known_result(plain), o.hash), "%s, asks=%d: another state", options, asks);
    outcome_free(&o);
}

/* The same for all kinds of requests. MIGRATE is in two callbacks. */
static inline void expect_all_ignored(const char *options)
{
    enum { MIGRATES = 1, MIGRATES_TO = 2, BEARS_AT_PLACE = 4, MOVES_TO_NAN = 8, BEARS_AT_INFINITY = 16 };
    expect_ignored(options, MIGRATES, 2, 0);
    expect_ignored(options, MIGRATES_TO, 1, 0);
    expect_ignored(options, BEARS_AT_PLACE, 1, 0);
    expect_ignored(options, MOVES_TO_NAN, 0, 1);
    expect_ignored(options, BEARS_AT_INFINITY, 0, 1);
    expect_ignored(options, 31, 2, 1);
}

#endif
