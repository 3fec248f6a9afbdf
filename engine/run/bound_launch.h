/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments of a launch. Main thread. */
#ifndef MASS_ENGINE_RUN_BOUND_LAUNCH_H
#define MASS_ENGINE_RUN_BOUND_LAUNCH_H

#include "device/launch.h"
#include "run/operation.h"

enum { MASS_FIELDS_MOST = 256 }; /* most fields of a callback */

typedef struct mass_bound_launch {
    void *fields[MASS_FIELDS_MOST];
    mass_field_memory memory[MASS_FIELDS_MOST];
    mass_launch record;
    mass_work work; /* names the others */
} mass_bound_launch;

/* Sets the arguments of a launch over one partition. *b must not move afterwards. */
void mass_bind_launch(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                      const mass_partition *p, const mass_plan_step *step, mass_bound_launch *b);

/* Launches the phases that share a turn together. op: the launch of the first; those of the others follow it. */
mass_status mass_launch_turn(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                             const mass_plan_step *step, mass_error *error);

#endif
