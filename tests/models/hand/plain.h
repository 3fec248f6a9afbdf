/* SPDX-License-Identifier: Apache-2.0 */
/* The model of hand.c as one sequential loop, without the engine. */
#ifndef MASS_TESTS_MODELS_HAND_PLAIN_H
#define MASS_TESTS_MODELS_HAND_PLAIN_H

#include <stdint.h>
#include <stdio.h>

typedef struct folk {
    int64_t place, energy;
    uint64_t id;
    int kind, tag;
    double size;
    float gene[3], weight;
} folk;

typedef struct hand_world {
    folk *all; /* [alive] by place and id; owned */
    int nx, ny;
    int64_t alive, born, died, trace;
    uint64_t next_id;
} hand_world;

/* Returns a world of that size after a number of steps. The caller frees `all`. */
hand_world hand_after(int nx, int ny, int world, int steps);

/* Writes the agents of a world as a table, in an order that is not theirs. first: writes the header, too. */
void hand_write(const hand_world *w, int world, int first, FILE *to);

#endif
