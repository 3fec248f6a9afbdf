/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the standard models share: states in checkpoints beside those of plain loops. */
#ifndef MASS_TESTS_MODELS_STANDARD_STORED_H
#define MASS_TESTS_MODELS_STANDARD_STORED_H

#include "same.h"

/* Returns the values of an attribute of agents, and sets *count to their number. The caller frees them. */
void *stored_agents(const char *path, const char *population, const char *attribute, size_t each, size_t *count);
/* The same for an attribute of places. */
void *stored_places(const char *path, const char *space, const char *attribute, size_t each, size_t *count);

/* Expects `count` values of `each` bytes, bit by bit. They are those of an attribute of agents, or of places. */
void expect_agents(const char *path, const char *population, const char *attribute, const void *expected, size_t each,
                   size_t count, const char *what);
void expect_places(const char *path, const char *space, const char *attribute, const void *expected, size_t each,
                   size_t count, const char *what);

/* A run of a model that ships, as a plain loop has it too. */
typedef struct standard_run {
    const char *plugin, *options; /* without steps */
    int seed, steps; /* steps: a multiple of 4 */
} standard_run;

/* Runs the model in one world with the options `where`, and writes a checkpoint of every fourth step. Calls begin with
 * the path of step 0's. Then it calls advance for each step. That expects the state of the path, if it is not NULL. At
 * the end it calls `end` with the report. */
void each_step(const standard_run *r, const char *where, void *loop, void (*begin)(void *loop, const char *path),
               void (*advance)(void *loop, const char *path, const char *what),
               void (*end)(void *loop, const outcome *o, const char *what));

#endif
