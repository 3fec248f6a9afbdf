/* SPDX-License-Identifier: Apache-2.0 */
/* Compares Sugarscape with a plain program, and checks conservation, through the command. */
#ifndef MASS_TESTS_MODELS_SUGARSCAPE_H
#define MASS_TESTS_MODELS_SUGARSCAPE_H

#include "same.h"

/* Expects that every step of small runs, crowded and sparse, is that of the plain program. `where` has the options of
 * the run; ants act all at once or in turn. */
void expect_sugarscapes(const char *where, bool in_turn, int steps);

/* Expects in every step that sugar is conserved, that tallies are those of the state, and that no place has two ants.
 * Returns the number of steps that ants have moved. */
int64_t expect_conserved(const char *where, const char *activation, int seed, int steps);

/* Expects that ants live evenly around the hills' tops, and that as many of 400 remain as in the book. */
void expect_settled(const char *activation);

/* Returns a model with all parameters that decide its result; `more` sets further ones. */
model sugarscape_model(int nx, int ny, int steps, const char *more);

/* Calls check for several shapes and parameters. */
void each_sugarscape(int steps, void (*check)(const model *m));

#endif
