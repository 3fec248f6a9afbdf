/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are killed while they write checkpoints, and resumed. */
#ifndef MASS_TESTS_MODELS_KILLED_H
#define MASS_TESTS_MODELS_KILLED_H

#include "same.h"

/* Returns a random number below `below`, by SplitMix64. Each run of the test has the same kills. */
uint64_t draw(uint64_t *state, uint64_t below);
/* In seconds. */
double now(void);

/* Returns a descriptor, which the caller closes, that reports the checkpoints that get their names in a folder from now
 * on. */
int watch_checkpoints(const char *folder);
/* Waits until there are `wanted` of them, or the run has ended. Returns their number. */
int wait_for_checkpoints(const process *p, int watch, int wanted);

/* Counts of kills of runs. */
typedef struct kills {
    uint64_t random; /* state of a generator */
    int resumed;     /* in the middle of a run; the test resumed it */
    int early;       /* before the first checkpoint; the test started the run again */
    int late;        /* the run had ended */
} kills;

/* Starts the model with the options `from` and a checkpoint every `every` steps, kills it at a random moment, and lets
 * it end with the options `to`. It expects the result of a run that was not killed. No checkpoint with its final name
 * may be lost, and no other files may remain. */
void kill_and_resume(const model *m, int every, const char *from, const char *to, const char *expected, kills *k);

#endif
