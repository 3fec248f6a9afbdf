/* SPDX-License-Identifier: Apache-2.0 */
/* The model of mingle.c as a plain program: its state. */
#ifndef MASS_TESTS_MODELS_MINGLE_PLAIN_H
#define MASS_TESTS_MODELS_MINGLE_PLAIN_H

#include "mingle.h"

enum { ANTS, BEES, COWS, KINDS };

typedef struct agent {
    uint64_t id, trail, parent_id, key;
    int64_t place, frame, parent_frame;
    int32_t food;
    float mood;
    int number; /* of a child among those of its parent */
    bool dead, child;
} agent;

typedef struct population {
    agent *list;
    int64_t count, room, seats;
    uint64_t next_id;
} population;

typedef struct world {
    mass_host *host;
    int64_t size[3], places, torus;
    int64_t radius, fertile, deadly, order, order_of_bees, reversed, times, starts, gated, shared;
    int32_t number;
    uint64_t key, step;
    uint32_t phase, gate;
    population all[KINDS];
    int32_t *mark;
    uint8_t *wet;
    int64_t met, least, born, died, unborn, lost, bees_left;
} world;

/* Adds a world's first agents of a kind: `most`, as far as places have seats. The caller frees their list. */
void mingle_begin(world *w, int kind, int64_t most, int64_t seats);

/* Starts, and takes all steps. */
void mingle_run(world *w, uint64_t steps);

/* Returns memory of zeros for so many elements; ends the program without. */
void *mingle_take(int64_t count, size_t size);

#endif
