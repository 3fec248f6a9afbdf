/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves, sheep and grass as plain loops over lists. */
#ifndef MASS_TESTS_MODELS_WOLF_SHEEP_PLAIN_H
#define MASS_TESTS_MODELS_WOLF_SHEEP_PLAIN_H

#include "same.h"

/* Calls check for models of several shapes, with few agents and many, of axes that wrap or end. The animals act all at
 * once or in turn. */
void each_wolf_sheep(bool in_turn, void (*check)(const model *m));

/* Runs each with the options `where`. Expects grass and agents of the plain loops in every step, bit by bit, and that
 * sheep and wolves that are neither there at first nor born do not die. */
void expect_wolf_sheep(const char *where, bool in_turn);

#endif
