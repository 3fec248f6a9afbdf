/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes an operation of the plan moves in memory, for --explain and --profile: every element of its operands
 * once, whatever caches make of it. What depends on the run, as who has children, is left out. */
#ifndef MASS_ENGINE_PLAN_TRAFFIC_H
#define MASS_ENGINE_PLAN_TRAFFIC_H

#include "plan/plan.h"

/* What the plan does not say: how many agents there are, [populations], in all worlds; and how many layers of ghosts an
 * EXCHANGE sends, at most. */
typedef struct mass_traffic {
    const double *agents;
    int32_t layers;
} mass_traffic;

double mass_plan_operand_bytes(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                               const mass_traffic *t);

/* All that it reads, and all that it writes. */
double mass_plan_bytes_read(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t);
double mass_plan_bytes_written(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t);

#endif
