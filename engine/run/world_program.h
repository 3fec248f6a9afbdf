/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of small worlds as a program for a GPU, which carries out many of them in one launch (the SDK's
 * world.h). For models of agents whose number is constant and whose places hold any number, on one
 * partition, where one world fits in a processor's memory. Main thread. */
#ifndef MASS_ENGINE_WORLD_PROGRAM_H
#define MASS_ENGINE_WORLD_PROGRAM_H

#include "domain/domain.h"

/* For steps that begin with the buffers that hold the present values now, and that nobody looks at. *out is
 * NULL where the device, the plugin or the model has no such program. */
mass_status mass_world_program_create(const mass_domain *d, mass_world_program **out, mass_error *error);
void mass_world_program_free(const mass_domain *d, mass_world_program *); /* NULL is fine */

#endif
