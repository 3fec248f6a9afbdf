/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the operations of a plan in words, for --explain and --profile. */
#ifndef MASS_ENGINE_PLAN_DESCRIBE_H
#define MASS_ENGINE_PLAN_DESCRIBE_H

#include "plan/plan.h"

#include <stdio.h>

/* Return the kind of an operand, as "places" or "ghosts"; and print its name, as "grid.health" or "ants". */
const char *mass_plan_data_name(mass_data data);
void mass_plan_put_operand(const mass_model *m, const mass_operand *o, FILE *to);

/* Returns the name of an operation, as "refresh". The launch of an engine's own callback is "reduce". */
const char *mass_plan_operation_name(const mass_model *m, const mass_plan_operation *op);
/* Prints the object of an operation: the attribute, population, tally or callback. */
void mass_plan_put_subject(const mass_model *m, const mass_plan_operation *op, FILE *to);
/* Prints the effect of an operation, as "reads health (radius 1), writes health", or nothing. */
void mass_plan_put_detail(const mass_model *m, const mass_plan_operation *op, FILE *to);

/* Returns the steps of an operation, as "always" or "observed". */
const char *mass_plan_when_name(mass_when when);

#endif
