/* SPDX-License-Identifier: Apache-2.0 */
/* People who give money, as plain loops over a list. */
#ifndef MASS_TESTS_MODELS_BOLTZMANN_PLAIN_H
#define MASS_TESTS_MODELS_BOLTZMANN_PLAIN_H

#include "same.h"

/* Calls check for models of several shapes that give to anybody, and on the same place. */
void each_boltzmann(void (*check)(const model *m));

/* Runs each with the options `where`. Expects places and money of the plain loops, bit by bit, and that no money is
 * lost. */
void expect_boltzmann(const char *where);

#endif
