/* SPDX-License-Identifier: Apache-2.0 */
/* Small worlds on a GPU: one block takes a world through many steps in its own fast memory, with no launch and
 * no traffic between phases. The engine writes the program, the device code of the plugin carries it out
 * (kernel_world.h); models see nothing of it.
 *
 * The structs below are known by the kernel's name: where one of them changes, or the launch record, the name does, too
 * (MASS_WORLD_KERNEL). An engine that finds no kernel of the name that it knows uses launches, to the same bits.
 *
 * A block sees one world as if it were the only one: number 0, its agents from 0 on, its cells from 0 on. What
 * is `local` is a byte offset into the block's memory. Tables and pointers are of the GPU. */
#ifndef MASS_WORLD_H
#define MASS_WORLD_H

#include <mass/agents.h>
#include <mass/arithmetic.h>
#include <mass/impl/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Callbacks, phases of a step and fields of a callback, of which a kernel's arguments hold that many. */
enum { MASS_WORLD_CALLS = 8, MASS_WORLD_PHASES = 12, MASS_WORLD_FIELDS = 18 };
enum { MASS_WORLD_THREADS = 512, MASS_WORLD_WARPS = 32 };
#define MASS_WORLD_NONE UINT32_MAX
#define MASS_WORLD_NOBODY UINT8_MAX
#define MASS_WORLD_BESIDE 0x80000000u /* in what is local of an array of places: an offset into the world's part of
                                         memory outside of the block */

/* How the places of a space lie in memory, elements, and in the block's: there without padding. */
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
    uint32_t local;    /* of the first element, of places one of a ghost */
    uint32_t elements; /* room in the block */
    uint32_t stored;   /* 1: written back at the end */
} mass_world_array;

/* One number a world: a parameter, a tally, a random key. A tally has a number for each warp of the block, which
 * together make its value. */
typedef struct mass_world_value {
    int64_t *global; /* [worlds] */
    int64_t neutral; /* of a tally: without any contribution */
    uint32_t local;
    uint32_t access; /* MASS_SUM, MASS_MIN or MASS_MAX; 0: no tally, and only read */
    uint32_t restarts; /* 1: each step */
} mass_world_value;

/* A population whose agents are never born and never die. */
typedef struct mass_world_population {
    const uint32_t *start; /* [worlds * places + 1], as in mass_agents */
    int64_t places;
    uint32_t wider[7]; /* first array of columns (but cell and lost) of 1, 2, 4, 8, 16 and other bytes; end */
    uint32_t fours, fours_a_thread; /* cells, by four, and a thread's share of them */
    uint32_t columns, spare, bytes;              /* local: all its columns together, and where they take turns */
    uint32_t drops; /* 1: requests that no manage has carried out end with a step; 2: and there is none to do so */
    uint32_t starts, id, cell, lost, move, asked, order; /* local */
    uint32_t place_counts; /* local: [places + 1], zero between manages */
    uint32_t stays;  /* local: a bit an agent, and a word more */
    uint32_t occupied; /* local: how many cells have agents, then which ones, in any order; or MASS_WORLD_NONE */
} mass_world_population;

/* What a callback finds in every step, by its number in MASS_WORLD_STEPS. It lies in the kernel's arguments at a place
 * that its code knows, so that instructions have it as they have constants. */
typedef struct mass_world_call {
    uint32_t size[3], torus;
    uint32_t pitch, plane;
    uint32_t none;   /* number of the element that holds the default */
    uint32_t places; /* of the population's space */
    uint32_t rows, sheets; /* 2^32 by the space's extents along x and y, rounded up: what the number of a place, and of
                              a row, is multiplied by in 64 bits to find its row, its sheet; 0: that is the same */
    uint32_t start, move, asked; /* local: first agents of places, requests of agents */
    uint32_t agents;      /* local: how many this world has */
    uint32_t occupied;    /* local, as a population's */
    uint32_t random_keys; /* local */
    uint32_t push;
    int32_t inner_first[3], inner_last[3], ghost[3];
} mass_world_call;

enum { MASS_WORLD_CALL = 1, MASS_WORLD_MANAGE = 2, MASS_WORLD_END_STEP = 3 };

/* One phase of a step. Of fields, the engine gives local offsets. */
typedef struct mass_world_phase {
    uint8_t kind;        /* a callback; manage; the end of a step */
    uint8_t callback;    /* its number in MASS_WORLD_STEPS */
    uint8_t conditional; /* 2: the condition is that of the phase before it */
    uint8_t waits;       /* 1: what comes next begins when all threads are done with it */
    uint8_t population;  /* that is managed, or whose agents a callback meets; MASS_WORLD_NOBODY */
    uint8_t relation;    /* of a condition, as mass_condition has it */
    uint8_t tallies;     /* 1: the callback adds to tallies */
    uint8_t field_count;
    uint32_t tally, bound;   /* of a condition, local */
    uint32_t phase;          /* as in a launch record */
    uint32_t reach;
    uint32_t id, cell, lost; /* local: columns of agents */
    uint32_t columns, spare; /* of manage: where the population's columns lie, and where they will; the same
                                where they come back */
    uint32_t fields[MASS_WORLD_FIELDS];
} mass_world_phase;

/* What a condition compares its tally with: nothing of it changes in a launch. */
typedef struct mass_world_bound {
    double value;
    uint32_t parameter, real, counted; /* local or MASS_WORLD_NONE; whether that is a double; population or
                                          MASS_WORLD_NONE */
    uint32_t local; /* where a double takes what that is in all */
} mass_world_bound;

/* Steps come in pairs, after which all buffers stand as before: the phases of the first step of a pair, then
 * as many of the second. The tables lie together, and at the start of the block's memory. */
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
    uint32_t bytes;       /* of the block's memory, all in all */
    uint32_t threads;
    void *beside;         /* [worlds][beside_bytes], for arrays that no callback looks at but in its own place */
    uint64_t beside_bytes;
    mass_diagnostics *diagnostics, *of_populations; /* of all phases, and of all populations */
    uint32_t phase_count; /* of one step */
    mass_world_call calls[MASS_WORLD_CALLS];
    mass_world_phase phases[2 * MASS_WORLD_PHASES];
} mass_block_program;

/* What MASS_WORLD_STEPS makes: the kernel, one block a world, of (mass_block_program, steps done so far, pairs
 * of steps); and the names of its callbacks, each followed by a semicolon. */
#define MASS_WORLD_KERNEL "mass_world_steps_7"
#define MASS_WORLD_CALLBACKS "mass_world_callbacks"

/* Whether a tally compares with a bound as a mass_condition asks. */
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
