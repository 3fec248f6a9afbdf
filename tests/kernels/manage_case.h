/* SPDX-License-Identifier: Apache-2.0 */
/* Populations of every kind that ask for everything, for tests of manage. */
#ifndef MANAGE_CASE_H
#define MANAGE_CASE_H

#include "manage.h"

#include <stddef.h>

enum { ARRAYS = 8, CHILDREN_MAX = 3, WORLDS_MAX = 3 };
enum { ANY_CELL, ALL_STEP, LINE_STEPS, SWAP, FEW_CELLS, NONE_MOVES, FEW_MOVE, MOTIONS };

/* What a case is made from; the same shape makes the same population. */
typedef struct shape {
    uint64_t seed;
    int64_t places;
    int32_t worlds;
    uint32_t agents, capacity, conflict, priority_type, order, children, room, motion;
    bool gates, clock, overfull, deaths;
    bool occupancy;    /* where places hold one agent */
    bool replaced; /* who dies has a child in its place, and nobody else has one */
} shape;

typedef struct population {
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    uint32_t count, gates[WORLDS_MAX], agents_before;
    uint64_t clock, keys[WORLDS_MAX], next_id[WORLDS_MAX];
    int64_t tallies[3][WORLDS_MAX];
} population;

/* Pseudo-random: the next number below n. */
uint32_t below(uint64_t *state, uint64_t n);
/* So many bytes of them; the caller frees them. */
void *noise(size_t bytes, uint64_t *random);

shape any_shape(uint64_t seed);
population *make(const shape *s);
void discard(population *p);
/* In words; valid until the next call. */
const char *name_of(const shape *s, int threads);

void expect_bytes(const char *what, const void *got, const void *expected, size_t bytes, const char *name);
/* The values of the births that are still asked for. */
void expect_children(const population *got, const population *expected, const char *name);
/* Seats that say what the starts do, of w->places * w->worlds cells. */
void seats_of_starts(const mass_manage_work *w, const uint32_t *start, mass_seats *occupancy);
/* The first n agents, and all there is one of; seats also beside starts. */
void expect_same(const population *got, const population *expected, size_t n, const char *name);

#endif
