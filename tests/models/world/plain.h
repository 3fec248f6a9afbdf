/* SPDX-License-Identifier: Apache-2.0 */
/* The model of world.c as one sequential loop, without the engine. */
#ifndef MASS_TESTS_MODELS_WORLD_PLAIN_H
#define MASS_TESTS_MODELS_WORLD_PLAIN_H

#include <stdint.h>

enum { MARKET_PAST = 3 };

/* A run of the model. */
typedef struct market_run {
    int size[3]; /* 1 along axes that the space does not have */
    int torus, steps, seed, span, last, weights;
    double speed, weight[MARKET_PAST];
} market_run;

/* One with the parameters' defaults. */
#define MARKET(nx, ny, steps, seed) {{nx, ny, 1}, 0, steps, seed, 5, 2, 3, 0.25, {0.5, 0.25, 0.125}}

typedef struct market {
    int64_t demand, attendance, trace, turns, luck, memory[5];
    double price, past[MARKET_PAST];
} market;

/* Returns tallies and world attributes of a world after the run's steps, 1 or more. */
market market_after(const market_run *r, uint64_t world);

#endif
