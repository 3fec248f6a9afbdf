/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a program of small worlds while they are made: parts of block_program.c, for it alone. Main thread. */
#ifndef MASS_ENGINE_BLOCK_PROGRAM_BUILDER_H
#define MASS_ENGINE_BLOCK_PROGRAM_BUILDER_H

#include "run/block_program.h"

enum { MASS_BLOCK_BUILDER_PLACES_MAX = 1 << 20, MASS_BLOCK_BUILDER_ARRAYS_MAX = 512,
    MASS_BLOCK_BUILDER_VALUES_MAX = 512,
       MASS_BLOCK_BUILDER_BOUNDS_MAX = 2 * MASS_WORLD_PHASES };

/* The tables of a program while they are made. They are made twice: they take the beginning of the block's memory, so
 * that where its arrays lie is known only when the tables' length is. */
typedef struct mass_block_builder {
    const mass_domain *d;
    const mass_plan_list *step;
    uint32_t next;  /* offset in the block's memory at which the next array is placed */
    bool too_large; /* the steps need more than the tables or the block's memory can hold */
    mass_world_phase phases[2 * MASS_WORLD_PHASES];
    mass_world_call calls[MASS_WORLD_CALLS];
    bool called[MASS_WORLD_CALLS];
    mass_world_bound bounds[MASS_BLOCK_BUILDER_BOUNDS_MAX];
    mass_world_array *arrays;
    mass_world_value *values;
    mass_world_space spaces[MASS_SPACES_MAX + 1]; /* and one of a single place, for defaults */
    mass_world_population populations[MASS_POPULATIONS_MAX];
    uint32_t phase_count, bound_count, array_count, value_count;
    uint32_t counts, threads; /* offset of how many agents the world has of each population */
    uint32_t *columns; /* [arrays of the model] offset of a column, that is, an array of a population's agents */
    bool gated; /* the last operation was a GATE: the phase that comes next runs under its condition */
    bool turned[MASS_POPULATIONS_MAX]; /* whether the columns now lie in the population's other memory, `spare` */
    uint8_t *swapped;  /* [arrays of the model] 1: the SWAPs so far have had the two buffers of places change places */
    const bool *beside; /* [arrays of the model] arrays of places that lie outside of the block's memory */
    uint64_t next_beside;
    uint32_t *placed;  /* [2][arrays of the model] by buffer: 1 + its number in arrays[]; 0: it is not there yet */
} mass_block_builder;

/* ---- what lies in the block's memory, or beside it: world_arrays.c ---- */

/* Room in the block's memory. */
uint32_t mass_block_builder_take(mass_block_builder *, uint64_t bytes);
void mass_block_builder_set_spaces(mass_block_builder *);
void mass_block_builder_set_population(mass_block_builder *, uint32_t population);
/* Offset of place (0, 0, 0) in one of the two buffers of an array of places, which is added when it is first asked
 * for. */
uint32_t mass_block_builder_places(mass_block_builder *, uint32_t space, uint32_t array, uint32_t buffer, bool written);
/* Offsets of one number a world, whose address on the device is `global`: of a tally, or, with NULL, one that is only
 * read. */
uint32_t mass_block_builder_value(mass_block_builder *, const void *global, const mass_tally_def *);
uint32_t mass_block_builder_tally(mass_block_builder *, uint32_t index);
uint32_t mass_block_builder_parameter(mass_block_builder *, uint32_t index);

/* ---- phases: world_phases.c ---- */

/* Appends the phases of a step, and sets at the end of the second who waits for whom. */
void mass_block_builder_add_step(mass_block_builder *);
void mass_block_builder_set_waits(mass_block_builder *);
/* Whether a field is an attribute that a callback over places writes or updates, which it does in its own place. */
bool mass_block_builder_is_value(const mass_callback *, uint32_t field, const mass_operand *);
/* Whether an operand is a tally of several accumulators: bins or an exact sum, which blocks do not count. */
bool mass_block_builder_is_wide(const mass_model *, const mass_operand *);

#endif
