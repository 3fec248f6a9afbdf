/* SPDX-License-Identifier: Apache-2.0 */
/* The model of world.c as one sequential loop, without the engine. */
#ifndef MASS_TESTS_MODELS_WORLD_PLAIN_H
#define MASS_TESTS_MODELS_WORLD_PLAIN_H

#include <stdint.h>

typedef struct town {
    int64_t demand, attendance, trace, turns, luck, memory[5];
    double price, past[3];
} town;

/* Returns tallies and world attributes of a world after `steps` steps, 1 or more, of a bounded town of that size. */
town town_after(int nx, int ny, int steps, uint64_t seed, uint64_t world);

#endif
