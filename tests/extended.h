/* SPDX-License-Identifier: Apache-2.0 */
/* How much a test does. */
#ifndef MASS_TESTS_EXTENDED_H
#define MASS_TESTS_EXTENDED_H

#include <stdlib.h>

/* All of its cases where tools/test.sh --long runs it, by MASS_TEST_EXTENDED in the environment; else a sample of them.
 * Such a test has the label `sampled`. */
static inline int extended(int sample, int all) { return getenv("MASS_TEST_EXTENDED") ? all : sample; }

#endif
