/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are killed while they write checkpoints, and resumed. */
#ifndef MASS_TESTS_MODELS_KILLED_H
#define MASS_TESTS_MODELS_KILLED_H

#include "same.h"

/* Random numbers below `below`, by SplitMix64: the same kills in each run of the test. */
uint64_t draw(uint64_t *state, uint64_t below);
/* In seconds. */
double now(void);

/* Returns a file, which the caller closes, of the checkpoints that get their names in a folder from now on. */
int watch_checkpoints(const char *folder);
/* Waits until `wanted` of them are there or the run has ended. Returns how many there are. */
int wait_for_checkpoints(const process *p, int watch, int wanted);

/* How kills of runs went. */
typedef struct kills {
    uint64_t random; /* state of a generator */
    int resumed;     /* in the middle of a run, which was then resumed */
    int early;       /* before the first checkpoint: the run was started again */
    int late;        /* the run had ended */
} kills;

/* Starts the model with the options `from` and a checkpoint every `every` steps, kills it at a random
 * moment, and lets it end with the options `to`: expects the result of a run that was not killed,
 * that no checkpoint announced by its name was lost, and that nothing but checkpoints is left. */
void kill_and_resume(const model *m, int every, const char *from, const char *to, const char *expected, kills *k);

#endif
