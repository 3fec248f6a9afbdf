/* SPDX-License-Identifier: Apache-2.0 */
/* People who give money, as plain loops over a list. */
#ifndef MASS_TESTS_MODELS_BOLTZMANN_PLAIN_H
#define MASS_TESTS_MODELS_BOLTZMANN_PLAIN_H

#include "same.h"

/* Calls check for models of several shapes that give to anybody, and on the same place. */
void each_boltzmann(void (*check)(const model *m));
/* The same for people who act in turn. */
void each_boltzmann_in_turn(void (*check)(const model *m));

/* Runs each with the options `where`. Expects places and money of the plain loops, bit by bit, and that no money is
 * lost. */
void expect_boltzmann(const char *where);

/* Expects that the entropy of the money grows until its distribution is exponential. `to`: to whom people give. */
void expect_settled(const char *to);

/* Expects the share of people without money of the settled state. It is known: who gives 1 in each step, and gets a
 * Poisson number from all others, is a queue of type M/D/1. */
void expect_known_poor(void);

#endif
