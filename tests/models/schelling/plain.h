/* SPDX-License-Identifier: Apache-2.0 */
/* Households that move away from neighbours unlike them, as plain loops over a list and a map. */
#ifndef MASS_TESTS_MODELS_SCHELLING_PLAIN_H
#define MASS_TESTS_MODELS_SCHELLING_PLAIN_H

#include "same.h"

/* Calls check for models of several shapes, sparse and nearly full. */
void each_schelling(void (*check)(const model *m));
/* The same for households that act in turn. */
void each_schelling_in_turn(void (*check)(const model *m));

/* Runs each with the options `where`. Expects places and kinds of the plain loops, bit by bit, that no household is
 * lost, and that none shares its place. */
void expect_schelling(const char *where);

#endif
