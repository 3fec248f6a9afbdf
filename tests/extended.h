/* SPDX-License-Identifier: Apache-2.0 */
/* How much a test does. */
#ifndef MASS_TESTS_EXTENDED_H
#define MASS_TESTS_EXTENDED_H

#include "../engine/process/sanitized.h"

#include <stdlib.h>

/* Returns `all` if tools/test.sh --long runs the test, which sets MASS_TEST_EXTENDED in the environment; else a sample.
 * Such a test has the label `sampled`. */
static inline int extended(int sample, int all) { return getenv("MASS_TEST_EXTENDED") ? all : sample; }

/* Returns `all` in every run, but a sample with a sanitizer, which makes each case several times slower. There,
 * tools/test.sh --long runs all. Such a test has the label `sampled-sanitized`. */
static inline int unsanitized(int sample, int all) { return MASS_SANITIZED ? extended(sample, all) : all; }

#endif
