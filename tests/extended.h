/* SPDX-License-Identifier: Apache-2.0 */
/* How much a test does. */
#ifndef MASS_TESTS_EXTENDED_H
#define MASS_TESTS_EXTENDED_H

#include "../engine/process/sanitized.h"

#include <stdlib.h>

/* All of its cases where tools/test.sh --long runs it, by MASS_TEST_EXTENDED in the environment; else a sample of them.
 * Such a test has the label `sampled`. */
static inline int extended(int sample, int all) { return getenv("MASS_TEST_EXTENDED") ? all : sample; }

/* All of its cases in every run, but a sample of them with a sanitizer, where each takes several times as long; there,
 * too, tools/test.sh --long runs all. Such a test has the label `sampled-sanitized`. */
static inline int unsanitized(int sample, int all) { return MASS_SANITIZED ? extended(sample, all) : all; }

#endif
