/* SPDX-License-Identifier: Apache-2.0 */
/* Tests Minesweeper with known facts about its boards, through the command. */
#ifndef MASS_TESTS_MODELS_MINESWEEPER_H
#define MASS_TESTS_MODELS_MINESWEEPER_H

#include "same.h"

/* Expects that after 60,000 steps of exploring, frequent actions have the values of value iteration. Walks by these
 * values must be the shortest without a mine. `where` has the options of the run. */
void expect_learnt(const char *where, int seed);

/* Expects that every step of small runs has the bits of a plain program. */
void expect_minesweepers(const char *where, int steps);

/* Returns a short run with all parameters that decide its result; `more` sets further ones. */
model minesweeper_model(int nx, int ny, int steps, const char *more);

/* Calls check for several shapes and parameters, with one agent. */
void each_lonely_minesweeper(int steps, void (*check)(const model *m));
/* The same with many agents. */
void each_minesweeper(int steps, void (*check)(const model *m));

#endif
