/* SPDX-License-Identifier: Apache-2.0 */
/* The model eaten as plain loops over lists. */
#ifndef MASS_TESTS_MODELS_EATEN_KNOWN_H
#define MASS_TESTS_MODELS_EATEN_KNOWN_H

#include "same.h"

/* Calls check for models of every kind: one to three dimensions, axes that wrap or end. */
void each_eaten(void (*check)(const model *m));

/* Runs every kind with the options `where`. Expects the agents of the plain loops, and that each sheep that was eaten
 * died. */
void expect_eaten(const char *where);

#endif
