/* SPDX-License-Identifier: Apache-2.0 */
/* What a device is told of a LAUNCH over one partition: its fields' addresses and its launch record. They hold until
 * buffers change places or populations go to other arrays. Main thread. */
#ifndef MASS_ENGINE_PLAN_BIND_H
#define MASS_ENGINE_PLAN_BIND_H

#include "plan/plan.h"

/* Addresses of a callback's fields over a partition, and the memory that they lie in. */
void mass_launch_bind(const mass_domain *d, const mass_plan_operation *launch, const mass_partition *p, void **fields,
                      mass_field_memory *memory);

/* `relative`: the step counts from the device's clock. */
mass_launch mass_launch_record(const mass_domain *d, uint32_t phase, const mass_partition *p, uint64_t step,
                               bool relative);

#endif
