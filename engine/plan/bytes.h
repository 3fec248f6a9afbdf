/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation of the plan moves in memory: every element of its operands once, whatever caches make of it. What
 * depends on the run, as who has children, is left out. */
#ifndef MASS_ENGINE_PLAN_BYTES_H
#define MASS_ENGINE_PLAN_BYTES_H

#include "plan/plan.h"

/* agents: [populations] how many there are, in all worlds. */
double mass_plan_operand_bytes(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                               const double *agents);

/* All that it reads, and all that it writes. */
double mass_plan_bytes_read(const mass_domain *d, const mass_plan_operation *op, const double *agents);
double mass_plan_bytes_written(const mass_domain *d, const mass_plan_operation *op, const double *agents);

#endif
