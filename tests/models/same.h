/* SPDX-License-Identifier: Apache-2.0 */
/* Expects that a model has the same bits and tallies however it runs. */
#ifndef MASS_TESTS_MODELS_SAME_H
#define MASS_TESTS_MODELS_SAME_H

#include "run.h"

/* A model with all parameters that decide its result: plugin, size, steps, seed, parameters. */
typedef struct model {
    const char *options;
    const char *state; /* the data set of its attribute; NULL: places have none */
    int rows;          /* places along the axis that partitions divide */
    int steps;         /* last step; not in options */
    const char *population;        /* NULL: none */
    const char *const *attributes; /* of its agents, ended by NULL */
} model;

model life_model(int nx, int ny, int steps, const char *rule, const char *edge);
/* nz = 1 for 2 dimensions; torus: bits 1, 2 and 4 for x, y and z. */
model heat_model(int nx, int ny, int nz, int steps, int radius, int torus, int materials);

/* Call check for many small shapes. */
void each_life(int steps, void (*check)(const model *m));
void each_heat(int steps, void (*check)(const model *m));

/* Expects that the model, run with the options `where`, has the result of one CPU thread. */
void expect_same(const model *m, const char *where, const char *expected);
const char *expected_result(const model *m);

/* Numbers of partitions to try, from the first up to the end. */
typedef struct partition_counts {
    const int *first, *end;
} partition_counts;

/* Returns 1, 2, 3 and 7, as far as the model has rows. With a sanitizer, one of them: models get others in turn. */
partition_counts next_partition_counts(const model *m);
/* Expects the same in those numbers of partitions. */
void expect_same_in_partitions(const model *m, const char *where, const char *expected);

/* Expects that three worlds that run together with the options `together` have the result of three separate runs with
 * `apart`: places, agents and tallies. */
void expect_same_worlds(const model *m, const char *together, const char *apart);

/* One part of a run that is interrupted: up to a step, with options. */
typedef struct leg {
    int step;
    const char *where;
} leg;

/* Expects that a run that stops after each leg and is resumed for the next has the result of one that does not stop.
 * The last leg has step 0, for the model's own end. */
void expect_same_resumed(const model *m, const leg *legs, int count);

/* Check a model with agents, in every way to run it on the CPU, and on a GPU. */
void same_on_threads(const model *m);
void same_in_partitions(const model *m);
void same_on_paranoid(const model *m);
void same_over_two_ranks(const model *m);
void same_over_three_ranks(const model *m);
void same_worlds(const model *m);
void same_resumed(const model *m);
void same_on_gpu(const model *m);
void same_in_partitions_on_gpu(const model *m);
void same_worlds_on_gpu(const model *m);
void same_resumed_on_gpu(const model *m);

#endif
