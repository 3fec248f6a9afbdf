/* SPDX-License-Identifier: Apache-2.0 */
/* Small worlds: the schedule as a table that a kernel of the plugin carries out, many steps a launch (the SDK's
 * world.h). A block holds one world in its shared memory: state comes in once, barriers separate phases, and it goes
 * back after the last step. For models of agents whose number is constant and whose places hold any number, on one
 * partition, if a world fits in a processor's memory.
 *
 * If there are more worlds than processors and two do not fit on one, arrays of places move from shared memory to
 * global memory, the largest first, until two do. Only arrays that callbacks write or update at their own place may
 * move. Main thread. */
#ifndef MASS_ENGINE_BLOCK_PROGRAM_H
#define MASS_ENGINE_BLOCK_PROGRAM_H

#include "plan/plan.h"

/* Why the steps of a plan cannot be such a program, a phrase; NULL: they can be, if a block has the memory. */
const char *mass_block_program_why_not(const mass_domain *d, const mass_plan *plan);

/* A program, and on the device what it names by address: its tables, and what lies beside blocks. */
typedef struct mass_block_worlds {
    mass_block_program program;
    mass_buffer tables, beside;
} mass_block_worlds;

/* A program for steps whose tallies nobody looks at, and which begin with the buffers holding the present values that
 * hold them now. *out becomes NULL where steps cannot be such a program, or a block has too little memory for it. */
mass_status mass_block_program_create(const mass_domain *d, const mass_plan *plan, mass_block_worlds **out,
                                      mass_error *error);
void mass_block_program_free(mass_block_worlds *); /* NULL is fine */

#endif
