/* SPDX-License-Identifier: Apache-2.0 */
/* The model eaten as plain loops over lists. */
#ifndef MASS_TESTS_MODELS_EATEN_KNOWN_H
#define MASS_TESTS_MODELS_EATEN_KNOWN_H

#include "same.h"

/* A run of the model. */
typedef struct eaten_run {
    int64_t size[3]; /* 1 along axes that the space does not have */
    int torus, seed, worlds, steps;
} eaten_run;

/* Returns the run's options, without steps. */
const char *eaten_options(const eaten_run *r);

/* Calls check for models of every kind: one to three dimensions, axes that wrap or end. */
void each_eaten(void (*check)(const model *m));

/* Expects of a run with these options, which end it after its steps, the agents of the plain loops, and that each sheep
 * that was eaten died. Returns whether each kind of birth and death happened in every world. */
bool expect_eaten_of(const eaten_run *r, const char *options);

/* Runs every kind with the options `where`. Expects the agents of the plain loops, and that each sheep that was eaten
 * died. */
void expect_eaten(const char *where);

#endif
