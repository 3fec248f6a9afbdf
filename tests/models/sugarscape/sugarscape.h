/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape against a plain program, and against what has to be conserved, through the command. */
#ifndef MASS_TESTS_MODELS_SUGARSCAPE_H
#define MASS_TESTS_MODELS_SUGARSCAPE_H

#include "same.h"

/* Every step of small runs, crowded and sparse, is that of the plain program. Run with the options `where`. */
void expect_sugarscapes(const char *where, int steps);

/* In every step sugar is conserved, tallies are those of the state, and no place has two ants. Returns how
 * many steps ants have taken. */
int64_t expect_conserved(const char *where, int seed, int steps);

/* Ants stand evenly around the hills' tops, and as many are left of 400 as in the book. */
void expect_settled(void);

/* With all that decides its result; `more` sets parameters. */
model sugarscape_model(int nx, int ny, int steps, const char *more);

/* Of several shapes and parameters. */
void each_sugarscape(int steps, void (*check)(const model *m));

#endif
