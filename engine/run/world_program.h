/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of small worlds as a program for a GPU, which carries out many of them in one launch (the SDK's
 * world.h). For models of agents whose number is constant and whose places hold any number, on one
 * partition, where one world fits in a processor's memory. Main thread. */
#ifndef MASS_ENGINE_WORLD_PROGRAM_H
#define MASS_ENGINE_WORLD_PROGRAM_H

#include "plan/plan.h"

/* Why the steps of a plan cannot be such a program, a phrase; NULL: they can be, if a block has the memory. */
const char *mass_world_program_why_not(const mass_domain *d, const mass_plan *plan);

/* A program, and on the device what it names by address: its tables, and what lies beside blocks. */
typedef struct mass_small_worlds {
    mass_world_program program;
    mass_buffer tables, beside;
} mass_small_worlds;

/* A program for steps whose tallies nobody looks at, and which begin with the buffers holding the present values that
 * hold them now. *out becomes NULL where steps cannot be such a program, or a block has too little memory for it. */
mass_status mass_world_program_create(const mass_domain *d, const mass_plan *plan, mass_small_worlds **out,
                                      mass_error *error);
void mass_world_program_free(mass_small_worlds *); /* NULL is fine */

#endif
