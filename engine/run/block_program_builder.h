/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the tables of a block program. Only block_program.c, world_arrays.c and world_phases.c use it. Main thread. */
#ifndef MASS_ENGINE_BLOCK_PROGRAM_BUILDER_H
#define MASS_ENGINE_BLOCK_PROGRAM_BUILDER_H

#include "run/block_program.h"

enum { MASS_BLOCK_BUILDER_PLACES_MAX = 1 << 20, MASS_BLOCK_BUILDER_ARRAYS_MAX = 512,
    MASS_BLOCK_BUILDER_VALUES_MAX = 512,
       MASS_BLOCK_BUILDER_BOUNDS_MAX = 2 * MASS_WORLD_PHASES };

/* The tables under construction. They are built twice: they are at the start of the block's memory, so offsets of
 * arrays depend on the tables' length. */
typedef struct mass_block_builder {
    const mass_domain *d;
    const mass_plan_list *step;
    uint32_t next;  /* offset of the next array in the block's memory */
    bool too_large; /* the steps do not fit into the tables or the block's memory */
    mass_world_phase phases[2 * MASS_WORLD_PHASES];
    mass_world_call calls[MASS_WORLD_CALLS];
    bool called[MASS_WORLD_CALLS];
    mass_world_bound bounds[MASS_BLOCK_BUILDER_BOUNDS_MAX];
    mass_world_array *arrays;
    mass_world_value *values;
    mass_world_space spaces[MASS_SPACES_MAX + 1]; /* and a space of one place, for defaults */
    mass_world_population populations[MASS_POPULATIONS_MAX];
    uint32_t phase_count, bound_count, array_count, value_count;
    uint32_t counts, threads; /* counts: offset of the numbers of agents, one a population */
    uint32_t *columns; /* [arrays of the model] offset of a column: an array of a population's agents */
    bool gated; /* the last operation was a GATE: the next phase runs under its condition */
    bool turned[MASS_POPULATIONS_MAX]; /* the columns are now in the population's other memory, `spare` */
    uint8_t *swapped;  /* [arrays of the model] 1: the SWAPs so far exchanged the two buffers of places */
    const bool *beside; /* [arrays of the model] true: an array of places in global memory */
    uint64_t next_beside;
    uint32_t *placed;  /* [2][arrays of the model] by buffer: 1 + number in arrays[]; 0: not placed yet */
} mass_block_builder;

/* ---- arrays in the block's memory or in global memory: world_arrays.c ---- */

/* Reserves memory of the block, and returns its offset. If that would be too much, sets too_large and reserves none. */
uint32_t mass_block_builder_take(mass_block_builder *, uint64_t bytes);
/* Sets `spaces`, which mass_block_builder_places needs. */
void mass_block_builder_set_spaces(mass_block_builder *);
/* Adds the columns of a population, and the memory of its manages. `threads` is set before. */
void mass_block_builder_set_population(mass_block_builder *, uint32_t population);
/* Returns the offset of place (0, 0, 0) in one of the two buffers of an array of places. The first call adds the
 * buffer. written: the block stores it after the last step. Returns 0 if too_large is set. */
uint32_t mass_block_builder_places(mass_block_builder *, uint32_t space, uint32_t array, uint32_t buffer, bool written);
/* Return the offset of a value with one number a world. The first call for an address on the device adds the value;
 * tally: NULL if it is only read. If the block has too many, they set too_large and return 0. */
uint32_t mass_block_builder_world_value(mass_block_builder *, const void *global, const mass_tally_def *tally);
/* Return the offset of the value of a tally, or of a parameter, by its number in the model. */
uint32_t mass_block_builder_tally(mass_block_builder *, uint32_t index);
uint32_t mass_block_builder_parameter(mass_block_builder *, uint32_t index);

/* ---- phases: world_phases.c ---- */

/* Appends the phases of a step, and one for its end. After the second step, set_waits finds the phases that end with a
 * barrier. */
void mass_block_builder_add_step(mass_block_builder *);
void mass_block_builder_set_waits(mass_block_builder *);
/* Returns true if a callback over places writes or updates the field, which it does at its own place. */
bool mass_block_builder_is_value(const mass_callback *, uint32_t field, const mass_operand *);
/* Returns true if an operand is a tally of several accumulators (bins or an exact sum). Blocks do not count these. */
bool mass_block_builder_is_wide(const mass_model *, const mass_operand *);

#endif
