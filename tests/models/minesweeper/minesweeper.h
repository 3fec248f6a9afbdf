/* SPDX-License-Identifier: Apache-2.0 */
/* Minesweeper against what is known of its boards, through the command. */
#ifndef MASS_TESTS_MODELS_MINESWEEPER_H
#define MASS_TESTS_MODELS_MINESWEEPER_H

#include "same.h"

/* After 60,000 steps of exploring, what was visited often is worth what value iteration says, and walks that
 * follow it are the shortest that hit no mine. Run with the options `where`. */
void expect_learnt(const char *where, int seed);

/* Every step of small runs is that of a plain program, to the bits. */
void expect_minesweepers(const char *where, int steps);

/* A short run with all that decides its result; `more` sets further parameters. */
model minesweeper_model(int nx, int ny, int steps, const char *more);

/* Of several shapes and parameters; with one agent. */
void each_lonely_minesweeper(int steps, void (*check)(const model *m));
/* ... and with many. */
void each_minesweeper(int steps, void (*check)(const model *m));

#endif
