/* SPDX-License-Identifier: Apache-2.0 */
/* The model `anybody` as a plain program: agents in an array, one after the other. */
#ifndef MASS_TESTS_MODELS_ANYBODY_PLAIN_H
#define MASS_TESTS_MODELS_ANYBODY_PLAIN_H

/* A run of the model. */
typedef struct anybody_run {
    int extents[3]; /* 1 along axes that the space does not have */
    int people, movers, seats, seed, steps, worlds;
} anybody_run;

enum { ANYBODY_RUNS = 6 };
extern const anybody_run anybody_runs[ANYBODY_RUNS];

/* Returns the run's options, without steps. */
const char *anybody_options(const anybody_run *r);

/* Expects that a run with these options, which end it after its steps, ends as the plain program does, and that no
 * wealth is lost. */
void expect_anybody_of(const anybody_run *r, const char *options);

/* The same for a run on the device of the options `where`. */
void expect_anybody(const anybody_run *r, const char *where);

#endif
