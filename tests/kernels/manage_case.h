/* SPDX-License-Identifier: Apache-2.0 */
/* Populations of every kind with all kinds of requests, for tests of manage. */
#ifndef MANAGE_CASE_H
#define MANAGE_CASE_H

#include "manage.h"

#include <stddef.h>

enum { ARRAYS = 8, CHILDREN_MAX = 3, WORLDS_MAX = 3 };
enum { ANY_CELL, ALL_STEP, LINE_STEPS, SWAP, FEW_CELLS, NONE_MOVES, FEW_MOVE, MOTIONS };

/* The parameters of a case; the same shape makes the same population. */
typedef struct shape {
    uint64_t seed;
    int64_t places;
    int32_t worlds;
    uint32_t agents, capacity, conflict, priority_type, order, children, room, motion;
    bool gates, clock, overfull, deaths;
    bool occupancy;    /* places hold at most one agent */
    bool replaced; /* each agent that dies has a child in its place, and no other agent has children */
} shape;

typedef struct population {
    mass_manage_work w;
    mass_agent_array arrays[ARRAYS];
    uint32_t count, gates[WORLDS_MAX], agents_before;
    uint64_t clock, keys[WORLDS_MAX], next_id[WORLDS_MAX];
    int64_t tallies[3][WORLDS_MAX];
} population;

/* Returns the next pseudo-random number below n. */
uint32_t below(uint64_t *state, uint64_t n);
/* Returns pseudo-random bytes; the caller frees them. */
void *noise(size_t bytes, uint64_t *random);

shape any_shape(uint64_t seed);
population *make(const shape *s);
void discard(population *p);
/* Returns the shape in words, valid until the next call. */
const char *name_of(const shape *s, int threads);

void expect_bytes(const char *what, const void *got, const void *expected, size_t bytes, const char *name);
/* Compares the values of the births that are still requested. */
void expect_children(const population *got, const population *expected, const char *name);
/* Makes the occupancy bitmap from the starts of w->places * w->worlds cells. */
void seats_of_starts(const mass_manage_work *w, const uint32_t *start, mass_seats *occupancy);
/* Compares the first n agents, and all single values; also the occupancy bitmap with starts. */
void expect_same(const population *got, const population *expected, size_t n, const char *name);

#endif
