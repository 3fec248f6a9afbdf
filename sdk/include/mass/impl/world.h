/* SPDX-License-Identifier: Apache-2.0 */
/* Block-resident worlds on a GPU: one block computes many steps of a world in its own fast memory, with no launch and
 * no traffic between phases. The engine writes the program, and the device code of the plugin runs it (kernel_world.h).
 * Models do not see it.
 *
 * The kernel's name stands for the structs below and the launch record: if one of them changes, so does the name
 * (MASS_WORLD_KERNEL). An engine that finds no kernel of the name that it knows uses launches, with the same bits.
 *
 * A block sees one world as if it were the only one: number 0, its agents from 0 on, its cells from 0 on. Members
 * called `local` are byte offsets into the block's memory. Tables and pointers are in the GPU's memory. */
#ifndef MASS_WORLD_H
#define MASS_WORLD_H

#include <mass/agents.h>
#include <mass/arithmetic.h>
#include <mass/impl/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most callbacks, phases of a step and fields of a callback that a kernel's arguments can hold. */
enum { MASS_WORLD_CALLS = 8, MASS_WORLD_PHASES = 12, MASS_WORLD_FIELDS = 18 };
enum { MASS_WORLD_THREADS = 512, MASS_WORLD_WARPS = 32 };
#define MASS_WORLD_NONE UINT32_MAX
#define MASS_WORLD_NOBODY UINT8_MAX
#define MASS_WORLD_BESIDE 0x80000000u /* in `local` of an array of places: an offset into the world's part of the memory
                                         outside of the block */

/* The layout of a space in memory, in elements, and in the block's memory, where it has no padding. */
typedef struct mass_world_space {
    int64_t world_stride, plane, pitch;
    int64_t local_plane, local_pitch;
    mass_lidx extent[3];
    int32_t ghost[3];
} mass_world_space;

enum { MASS_WORLD_PLACES = 1, MASS_WORLD_AGENTS = 2, MASS_WORLD_CELLS = 3, MASS_WORLD_STARTS = 4 };

/* An array: elements of places with their ghosts, or of agents, cells of agents, first agents of places. */
typedef struct mass_world_array {
    void *global;      /* place (0, 0, 0) of world 0, or agent 0 of all worlds */
    uint32_t kind;
    uint32_t owner;    /* number of its space, or of its population */
    uint32_t size;     /* bytes of an element */
    uint32_t local;    /* of the first element; for places, that is a ghost's */
    uint32_t elements; /* capacity in the block */
    uint32_t stored;   /* 1: written back at the end */
} mass_world_array;

/* One number for each world: a parameter, a tally, a random key. A tally has a number for each warp of the block; their
 * combination is its value. */
typedef struct mass_world_value {
    int64_t *global; /* [worlds] */
    int64_t neutral; /* value of a tally without contributions */
    uint32_t local;
    uint32_t access; /* MASS_SUM, MASS_MIN or MASS_MAX; 0: it is no tally, and only read */
    uint32_t restarts; /* 1: it restarts in each step */
} mass_world_value;

/* A population without births and deaths. */
typedef struct mass_world_population {
    const uint32_t *start; /* [worlds * places + 1], as in mass_agents */
    int64_t places;
    uint32_t wider[7]; /* first array of the columns (except cell and lost) of 1, 2, 4, 8, 16 and other bytes; end */
    uint32_t fours, fours_a_thread; /* number of groups of four cells, and a thread's part of them */
    uint32_t columns, spare, bytes;              /* local: all its columns together, and the second buffer that they
                                                    alternate with; bytes of either */
    uint32_t drops; /* 1: requests that no manage has applied are discarded at the end of a step; 2: ... and no manage
                       exists */
    uint32_t starts, id, cell, lost, move, asked, order; /* local */
    uint32_t place_counts; /* local: [places + 1], zero between manages */
    uint32_t stays;  /* local: one bit for each agent, and a word more */
    uint32_t occupied; /* local: the number of cells with agents, then these cells, in any order; or MASS_WORLD_NONE */
} mass_world_population;

/* The data that a callback uses in every step, by its number in MASS_WORLD_STEPS. It is in the kernel's arguments at a
 * position that is known when the code is compiled, so instructions use it as constants. */
typedef struct mass_world_call {
    uint32_t size[3], torus;
    uint32_t pitch, plane;
    uint32_t none;   /* number of the element with the default */
    uint32_t places; /* number of places of the population's space */
    uint32_t rows, sheets; /* 2^32 divided by the space's extents along x and y, rounded up. The number of a place, or
                              of a row, times it in 64 bits gives its row, or its sheet, in the upper half; 0: that is
                              the same number */
    uint32_t start, move, asked; /* local: first agents of places, requests of agents */
    uint32_t agents;      /* local: number of agents in this world */
    uint32_t occupied;    /* local: as that of a population */
    uint32_t random_keys; /* local */
    uint32_t push;
    int32_t inner_first[3], inner_last[3], ghost[3];
} mass_world_call;

enum { MASS_WORLD_CALL = 1, MASS_WORLD_MANAGE = 2, MASS_WORLD_END_STEP = 3 };

/* One phase of a step. The engine sets the local offsets of its fields. */
typedef struct mass_world_phase {
    uint8_t kind;        /* a callback; manage; the end of a step */
    uint8_t callback;    /* its number in MASS_WORLD_STEPS */
    uint8_t conditional; /* 1: it has a condition; 2: the same as that of the phase before it */
    uint8_t waits;       /* 1: the next phase begins when all threads have finished it */
    uint8_t population;  /* the one that is managed, or whose agents a callback sees; MASS_WORLD_NOBODY */
    uint8_t relation;    /* of a condition, as in mass_condition */
    uint8_t tallies;     /* 1: the callback adds to tallies */
    uint8_t field_count;
    uint32_t tally, bound;   /* of a condition, local */
    uint32_t phase;          /* as in a launch record */
    uint32_t reach;
    uint32_t id, cell, lost; /* local: columns of agents */
    uint32_t columns, spare; /* of manage: the buffer with the population's columns, and that for the result; the same
                                if the columns stay in their buffer */
    uint32_t fields[MASS_WORLD_FIELDS];
} mass_world_phase;

/* The bound of a condition. It does not change in a launch. */
typedef struct mass_world_bound {
    double value;
    uint32_t parameter, real, counted; /* local or MASS_WORLD_NONE; 1 if that is a double; population or
                                          MASS_WORLD_NONE */
    uint32_t local; /* where the block stores the resulting double */
} mass_world_bound;

/* Steps come in pairs, after which all buffers are in their first position again: the phases of the first step of a
 * pair, then as many of the second. The tables are together, at the start of the block's memory. */
typedef struct mass_block_program {
    uint32_t struct_size;
    int32_t worlds, first_world;
    const void *tables;
    uint32_t table_bytes; /* multiple of 16 */
    uint32_t arrays, array_count;
    uint32_t values, value_count;
    uint32_t bounds, bound_count;
    uint32_t spaces, populations, population_count;
    uint32_t counts;      /* local: [population_count] agents of this world */
    uint32_t bytes;       /* bytes of the block's memory, in total */
    uint32_t threads;
    void *beside;         /* [worlds][beside_bytes], for arrays that callbacks use only at their own place */
    uint64_t beside_bytes;
    mass_diagnostics *diagnostics, *of_populations; /* of all phases, and of all populations */
    uint32_t phase_count; /* of one step */
    mass_world_call calls[MASS_WORLD_CALLS];
    mass_world_phase phases[2 * MASS_WORLD_PHASES];
} mass_block_program;

/* The result of MASS_WORLD_STEPS: the kernel, and the names of its callbacks, each followed by a semicolon. The kernel
 * has one block for each world; its arguments are (mass_block_program, steps done so far, pairs of steps). */
#define MASS_WORLD_KERNEL "mass_world_steps_7"
#define MASS_WORLD_CALLBACKS "mass_world_callbacks"

/* Returns 1 if a tally compares with a bound as a mass_condition requires, else 0. */
MASS_FN int mass_relation_holds(uint32_t relation, double tally, double bound)
{
    switch (relation) {
    case MASS_AT_MOST: return tally <= bound;
    case MASS_LESS: return tally < bound;
    case MASS_AT_LEAST: return tally >= bound;
    default: return tally > bound;
    }
}

#ifdef __cplusplus
}
#endif
#endif
