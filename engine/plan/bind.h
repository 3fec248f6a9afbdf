/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a device for a LAUNCH over one partition: the addresses of its fields, and its launch record. Both
 * are valid until buffers are swapped or a population gets other arrays. For a phase in turn, mass_turn_show
 * (population/in_turn.h) completes both. Main thread. */
#ifndef MASS_ENGINE_PLAN_BIND_H
#define MASS_ENGINE_PLAN_BIND_H

#include "plan/plan.h"

/* Sets the addresses of a callback's fields over a partition, and describes the memory behind each. fields, memory:
 * [field_count]. */
void mass_launch_bind(const mass_domain *d, const mass_plan_operation *launch, const mass_partition *p, void **fields,
                      mass_field_memory *memory);

/* Returns the launch record of a phase over a partition. If `relative`, the step counts from the device's clock. */
mass_launch mass_launch_record(const mass_domain *d, uint32_t phase, const mass_partition *p, uint64_t step,
                               bool relative);

#endif
