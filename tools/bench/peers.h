/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the CPU without the engine. */
#ifndef MASS_BENCH_PEERS_H
#define MASS_BENCH_PEERS_H

#include "base/error.h"
#include "cpu/team.h"

#include <stdbool.h>
#include <stddef.h>

/* Life by hand: one thread, rows of `pitch` bytes in an array with a border of dead places that does not change. */
typedef struct bench_life_loop {
    uint32_t isa; /* mass_isa */
    int64_t width, height, pitch;
    uint8_t *now, *next; /* address of place (0, 0) */
    uint8_t *memory[2];
} bench_life_loop;

/* Makes a loop with the given state. On failure there is nothing to free. */
mass_status bench_life_loop_create(bench_life_loop *l, uint32_t isa, int64_t width, int64_t height,
                                   const uint8_t *state, mass_error *error);
void bench_life_loop_free(bench_life_loop *l);
void bench_life_loop_step(bench_life_loop *l);

/* Copies between arrays of random bytes, by some threads. Each copies its own part if it arrives in time. */
typedef struct bench_copy {
    size_t bytes;
    int threads; /* number of parts */
    mass_cpu_team *team;
    uint8_t *from, *to;
} bench_copy;

mass_status bench_copy_create(bench_copy *c, size_t bytes, int threads, mass_error *error);
void bench_copy_free(bench_copy *c);
void bench_copy_run(bench_copy *c);

/* A radix sort of 64-bit keys, least significant byte first, by some threads. */
typedef struct bench_sort {
    size_t count, *bins; /* [threads][256] */
    int threads, shift;  /* number of parts; the bits to sort by now */
    mass_cpu_team *team;
    uint64_t *keys, *other, sum; /* sum of the keys */
} bench_sort;

/* The caller must free it also on failure. */
mass_status bench_sort_create(bench_sort *s, size_t count, int threads, mass_error *error);
void bench_sort_free(bench_sort *s);
void bench_sort_fill(bench_sort *s); /* draws new random keys */
void bench_sort_run(bench_sort *s);
bool bench_sort_right(const bench_sort *s);

/* Counts bytes by value, one thread, in eight tables, so that equal neighbours do not wait for each other. */
void bench_count_bytes(const void *data, size_t bytes, int64_t counts[256]);

#endif
