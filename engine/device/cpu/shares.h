/* SPDX-License-Identifier: Apache-2.0 */
/* A launch on CPUs, cut into shares for its threads; and what becomes of its tallies (tallies.c). */
#ifndef MASS_ENGINE_DEVICE_CPU_SHARES_H
#define MASS_ENGINE_DEVICE_CPU_SHARES_H

#include "device/cpu/cpu.h"

/* A strip of rows as it is copied for a loop (strips.h), in elements, the same for all fields over places. */
typedef struct mass_cpu_strip {
    int64_t rows;  /* at most; 0: loops run on the arrays themselves */
    int64_t pitch, plane;
    int64_t first; /* element of the first place */
    int64_t none;  /* the default element */
    int32_t reach[3]; /* beyond it, along each axis */
    size_t bytes;  /* of all fields */
    char *memory;  /* of the first thread */
} mass_cpu_strip;

typedef struct mass_cpu_shares {
    const mass_work *work;
    const mass_form *form;
    bool by_rule;               /* and not by that form's loop */
    mass_launch launch;         /* with its bins as this device counts them */
    int64_t rows, stretches;    /* of places: a piece is a stretch of a row, or a whole row where `stretches` is 1 */
    mass_lidx width, stretch;   /* of a row, and of a stretch, in places */
    bool in_turn;               /* threads take stretches in turn; else each takes those that lie together */
    int threads;
    int keys;                   /* field that counts by key, or -1 */
    bool bins_in_place;         /* bins are counted where they are */
    int64_t *scratch;           /* accumulators of the first thread; NULL: none */
    mass_cpu_strip strip;
    size_t stride;              /* from one thread's to the next, in accumulators */
    bool unsettles;             /* set by any thread: the callback changed how floats are computed with */
} mass_cpu_shares;

/* The ghosts along x, launch->ghost deep, of some rows of all that was written, for loops that do not write them. */
void mass_cpu_push_rows(const mass_work *w, int64_t first, int64_t last);

/* Before a launch that tallies: chooses how bins are counted, which may take less threads or other pieces, and finds
 * memory for accumulators. Fails without memory, and then nothing but *s has changed. */
mass_status mass_cpu_begin_tallies(mass_cpu *cpu, mass_cpu_shares *s, mass_error *error);
/* Of one thread, in that thread: clears its accumulators and points its tally fields at them. */
void mass_cpu_own_tallies(const mass_cpu_shares *s, int thread, void **fields);
/* After all threads, where they have accumulators: adds these to the tallies. */
void mass_cpu_end_tallies(const mass_cpu_shares *s);

#endif
