/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the bytes that an operation of the plan moves in memory, for --explain and --profile. It counts every
 * element of the operands once and ignores caches. It leaves out what depends on the run, as the children of agents. */
#ifndef MASS_ENGINE_PLAN_TRAFFIC_H
#define MASS_ENGINE_PLAN_TRAFFIC_H

#include "plan/plan.h"

/* What the plan does not contain. */
typedef struct mass_traffic {
    const double *agents; /* [populations] agents of all worlds */
    int32_t layers;       /* the most layers of ghosts that an EXCHANGE sends */
} mass_traffic;

/* Returns the bytes that an operation moves for one of its operands on this rank. Estimates agents by t->agents. 0 for
 * values of children and sprouts, and for the stop condition. */
double mass_plan_operand_bytes(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                               const mass_traffic *t);

/* Return the bytes that an operation reads, and the bytes that it writes. An operand that it reads and writes counts in
 * both. */
double mass_plan_bytes_read(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t);
double mass_plan_bytes_written(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t);

#endif
