/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of small worlds as a program for a GPU, which carries out many of them in one launch (the SDK's
 * world.h). For models of agents whose number is constant and whose places hold any number, on one
 * partition, where one world fits in a processor's memory. Main thread. */
#ifndef MASS_ENGINE_WORLD_PROGRAM_H
#define MASS_ENGINE_WORLD_PROGRAM_H

#include "plan/plan.h"

/* Why the steps of a plan cannot be such a program, a phrase; NULL: they can be, if a block has the memory. */
const char *mass_world_program_why_not(const mass_domain *d, const mass_plan *plan);

/* A program, and the tables on the device that it names by their address. */
typedef struct mass_small_worlds {
    mass_world_program program;
    mass_buffer tables;
} mass_small_worlds;

/* For steps that begin with the buffers that hold the present values now, and that nobody looks at. *out is
 * NULL where they cannot be a program, or one that a block has memory for. */
mass_status mass_world_program_create(const mass_domain *d, const mass_plan *plan, mass_small_worlds **out,
                                      mass_error *error);
void mass_world_program_free(mass_small_worlds *); /* NULL is fine */

#endif
