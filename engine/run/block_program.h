/* SPDX-License-Identifier: Apache-2.0 */
/* Block-resident worlds. The schedule is a table, and a kernel of the plugin runs many of its steps in one launch
 * (the SDK's world.h). A block holds one world in its shared memory. The kernel loads the state once, barriers
 * separate phases, and it stores the state after the last step. The model has agents of a constant number and places
 * without a capacity, on one partition. A world fits in a processor's memory.
 *
 * There may be more worlds than processors. If two do not fit on one processor, arrays of places move from shared to
 * global memory until two do, the largest first. Only arrays that callbacks write or update at their own place may
 * move. Main thread. */
#ifndef MASS_ENGINE_BLOCK_PROGRAM_H
#define MASS_ENGINE_BLOCK_PROGRAM_H

#include "plan/plan.h"

/* Returns the reason that the steps of a plan cannot run in blocks, as a phrase. NULL: they can, if a block has the
 * memory. */
const char *mass_block_program_why_not(const mass_domain *d, const mass_plan *plan);

/* A program and the device memory that it refers to: its tables, and the arrays outside the blocks' shared memory. */
typedef struct mass_block_worlds {
    mass_block_program program;
    mass_buffer tables, beside;
} mass_block_worlds;

/* Makes the program for steps whose tallies are not observed. When it runs, the same buffers must be present as now.
 * If the steps cannot run in blocks, or a block has too little memory, *out is NULL. */
mass_status mass_block_program_create(const mass_domain *d, const mass_plan *plan, mass_block_worlds **out,
                                      mass_error *error);
void mass_block_program_free(mass_block_worlds *); /* accepts NULL */

#endif
