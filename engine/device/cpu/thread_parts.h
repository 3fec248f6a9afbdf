/* SPDX-License-Identifier: Apache-2.0 */
/* A launch on CPUs, divided into shares for its threads; and its tallies (tallies.c). */
#ifndef MASS_ENGINE_DEVICE_CPU_THREAD_PARTS_H
#define MASS_ENGINE_DEVICE_CPU_THREAD_PARTS_H

#include "device/cpu/cpu.h"

/* The layout of a block of rows that is copied for a loop (row_blocks.h), in elements. All fields over places have the
 * same. */
typedef struct mass_cpu_row_block {
    int64_t rows;  /* most rows; 0: loops run on the arrays themselves */
    int64_t pitch, plane;
    int64_t first; /* element of the first place */
    int64_t none;  /* element of the default */
    int32_t reach[3]; /* places around the block, along each axis */
    size_t bytes;  /* of all fields */
    char *memory;  /* of the first thread */
} mass_cpu_row_block;

typedef struct mass_cpu_thread_parts {
    const mass_work *work;
    const mass_form *form;
    bool by_rule;               /* a rule runs it, not the form's loop */
    mass_launch launch;         /* with its bins as this device counts them */
    int64_t rows, stretches;    /* of places: a piece is a part of a row, or a whole row if `stretches` is 1 */
    mass_lidx width, stretch;   /* places of a row, and of a part */
    bool in_turn;               /* threads take parts in turn; false: each takes consecutive parts */
    int threads;
    int keys;                   /* field that counts by key, or -1 */
    bool bins_in_place;         /* bins are counted directly in the tally */
    int64_t *scratch;           /* accumulators of the first thread; NULL: none */
    mass_cpu_row_block strip;
    size_t stride;              /* accumulators from one thread's to the next */
    const mass_turn_order_work *order; /* of agents in turn whose order a thread has to find; or NULL */
    mass_cpu_turn_slabs *slabs; /* of agents in turn; NULL: whole worlds */
    bool unsettles;             /* set by any thread: the callback changed how floats are computed */
} mass_cpu_thread_parts;

/* Writes the ghosts along x, launch->ghost deep, of rows `first` to `last` - 1 of all arrays that the callback writes.
 * Rows are numbered through all planes and worlds. For loops that do not write them. */
void mass_cpu_push_rows(const mass_work *w, int64_t first, int64_t last);

/* Before a launch with tallies: chooses how bins are counted, which may reduce threads or change pieces, and reserves
 * memory for accumulators. Sets s->scratch; NULL if none are needed. On failure, for lack of memory, only *s has
 * changed. */
mass_status mass_cpu_begin_tallies(mass_cpu *cpu, mass_cpu_thread_parts *s, mass_error *error);
/* Clears a thread's accumulators and points its tally fields at them. Call it on that thread. */
void mass_cpu_own_tallies(const mass_cpu_thread_parts *s, int thread, void **fields);
/* After all threads: adds their accumulators to the tallies, if they have any. */
void mass_cpu_end_tallies(const mass_cpu_thread_parts *s);

#endif
