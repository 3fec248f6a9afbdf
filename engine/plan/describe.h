/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a plan in words, for --explain and --profile. */
#ifndef MASS_ENGINE_PLAN_DESCRIBE_H
#define MASS_ENGINE_PLAN_DESCRIBE_H

#include "plan/plan.h"

#include <stdio.h>

/* Of an operand: "places", "ghosts"; and of what of them, by name: "grid.health", "ants". */
const char *mass_plan_data_name(mass_data data);
void mass_plan_put_operand(const mass_model *m, const mass_operand *o, FILE *to);

/* "refresh", and "reduce" for a launch of the engine's own callbacks. */
const char *mass_plan_operation_name(const mass_model *m, const mass_plan_operation *op);
/* What it is done to: the attribute, population, tally or callback. */
void mass_plan_put_subject(const mass_model *m, const mass_plan_operation *op, FILE *to);
/* What it does: "reads health (radius 1), writes health"; or nothing. */
void mass_plan_put_detail(const mass_model *m, const mass_plan_operation *op, FILE *to);

/* "always", "observed" ... */
const char *mass_plan_when_name(mass_when when);

#endif
