/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that log every step, or every few. Their rows and results must be those of single steps. */
#ifndef MASS_TESTS_MODELS_LOGGED_KNOWN_H
#define MASS_TESTS_MODELS_LOGGED_KNOWN_H

/* Runs case `number` of Life with the options `where`, and compares it with a CPU that computes single steps on bytes.
 * The cases differ in space, rule and edges. */
void logged_expect_same(int number, const char *where);

/* Steps in a pass; runs must be able to end at every step. */
extern const int logged_fuse[];
enum { LOGGED_FUSES = 5, LOGGED_CASES = 24 };

#endif
