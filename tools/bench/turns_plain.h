/* SPDX-License-Identifier: Apache-2.0 */
/* Ants in turn by hand (models/turns.c): one thread, own arrays. */
#ifndef MASS_BENCH_TURNS_PLAIN_H
#define MASS_BENCH_TURNS_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bench_ants {
    int64_t size; /* of the torus, along both axes */
    uint32_t count;
    int radius;
    uint8_t *sugar;    /* [size * size] */
    bool *taken;       /* [size * size] an ant is there */
    uint32_t *place;   /* [count] */
    uint32_t *energy;  /* [count] */
    uint64_t *key, *spare; /* [count] of the order */
    uint32_t *order, *spare_order; /* [count] */
    uint64_t step;
} bench_ants;

/* Makes the state. Returns false if there is no memory. The caller must free it also then. */
bool bench_ants_make(bench_ants *a, int64_t size, uint32_t count, int radius);
void bench_ants_free(bench_ants *a);

/* Draws an order, and lets all ants act in it. */
void bench_ants_step(bench_ants *a);

/* Returns what an ant has eaten, in the mean. */
double bench_ants_energy(const bench_ants *a);

#endif
