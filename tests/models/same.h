/* SPDX-License-Identifier: Apache-2.0 */
/* Expects that a model comes to the same bits and tallies however it is run. */
#ifndef MASS_TESTS_MODELS_SAME_H
#define MASS_TESTS_MODELS_SAME_H

#include "run.h"

/* A model with all that decides its result: plugin, size, steps, seed, parameters. */
typedef struct model {
    const char *options;
    const char *state; /* the data set of its attribute */
    int rows;          /* places along the axis that is cut into partitions */
    int steps;         /* at which it ends; not in options */
    const char *population;        /* NULL: none */
    const char *const *attributes; /* of its agents, ended by NULL */
} model;

model life_model(int nx, int ny, int steps, const char *rule, const char *edge);
/* nz = 1 for 2 dimensions; torus: bits 1, 2 and 4 for x, y and z. */
model heat_model(int nx, int ny, int nz, int steps, int radius, int torus, int materials);

/* Of many shapes, all small; calls check for each. */
void each_life(int steps, void (*check)(const model *m));
void each_heat(int steps, void (*check)(const model *m));

/* Run with the options `where`, the model has the result that it has on one CPU thread. */
void expect_same(const model *m, const char *where, const char *expected);
const char *expected_result(const model *m);
/* ... in 1, 2, 3 and 7 partitions, as far as there are rows. */
void expect_same_in_partitions(const model *m, const char *where, const char *expected);

/* Three worlds run together with the options `together` are those that run alone with `apart`: places, agents and
 * tallies. */
void expect_same_worlds(const model *m, const char *together, const char *apart);

/* One leg of a journey: up to a step, with options. */
typedef struct leg {
    int step;
    const char *where;
} leg;

/* A run that stops after each leg and is resumed for the next, the last with step 0 for the model's
 * own end, comes to the same result as one that does not stop. */
void expect_same_resumed(const model *m, const leg *legs, int count);

/* Checks of a model with agents, in every way to run it on the CPU, and on a GPU. */
void same_on_threads(const model *m);
void same_in_partitions(const model *m);
void same_on_paranoid(const model *m);
void same_worlds(const model *m);
void same_resumed(const model *m);
void same_on_gpu(const model *m);
void same_in_partitions_on_gpu(const model *m);
void same_worlds_on_gpu(const model *m);
void same_resumed_on_gpu(const model *m);

#endif
