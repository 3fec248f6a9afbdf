/* SPDX-License-Identifier: Apache-2.0 */
/* How much a test does. */
#ifndef MASS_TESTS_EXTENDED_H
#define MASS_TESTS_EXTENDED_H

#include "../engine/process/sanitized.h"

#include <stddef.h>
#include <stdlib.h>

/* Returns `all` if tools/test.sh --long runs the test, which sets MASS_TEST_EXTENDED in the environment; else a sample.
 * Such a test has the label `sampled`. */
static inline int extended(int sample, int all) { return getenv("MASS_TEST_EXTENDED") ? all : sample; }

/* Returns `all` in every run, but a sample with a sanitizer, which makes each case several times slower. There,
 * tools/test.sh --long runs all. Such a test has the label `sampled-sanitized`. */
static inline int unsanitized(int sample, int all) { return MASS_SANITIZED ? extended(sample, all) : all; }

/* Returns whether the case of a number takes part: one of `each` with a sanitizer, all where unsanitized() returns
 * `all`. Cases that are run in several ways add the way's number to theirs, so that every way
 * has its cases. */
static inline int takes_part(size_t number, int each) { return number % (size_t)unsanitized(each, 1) == 0; }

#endif
