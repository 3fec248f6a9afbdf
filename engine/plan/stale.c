/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/stale.h"

#include <stdlib.h>

/* Returns the axes along which an array's ghosts copy places. Ghosts beyond a bounded edge keep their values. */
static uint32_t copied_axes(const mass_domain *d, const mass_space_def *s)
{
    return s->torus | (d->share.partitions > 1 ? 1u << mass_slab_axis(s) : 0);
}

/* Marks the ghosts that a REFRESH or EXCHANGE fills as valid. Returns the axes along which they were stale. */
static uint32_t freshened(const mass_domain *d, const mass_plan_operation *op, uint32_t array, uint32_t *valid)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[d->model->arrays[array].attribute].space];
    const uint32_t between = mass_share_is_split(&d->share) ? 1u << mass_slab_axis(s) : 0;
    const uint32_t local = d->partition_count == 1 ? ~between : MASS_AXES_ALL, stale = ~valid[array];
    valid[array] |= op->kind == MASS_PLAN_EXCHANGE ? MASS_AXES_ALL : MASS_AXES_ALL & ~between;
    return op->kind == MASS_PLAN_EXCHANGE ? between & stale : copied_axes(d, s) & local & stale;
}

/* Updates valid[array], the axes along which ghosts show the present values, for one operation. `operands` are those
 * of the operation, writable. */
static void follow_ghosts(const mass_domain *d, mass_plan_operation *op, mass_operand *operands, uint32_t *valid)
{
    if (op->kind == MASS_PLAN_REFRESH) op->axes = freshened(d, op, op->index, valid);
    if (op->kind == MASS_PLAN_EXCHANGE) op->axes = 0;
    for (uint32_t i = 0; op->kind == MASS_PLAN_EXCHANGE && i < op->operand_count; i++)
        if (operands[i].data == MASS_DATA_GHOSTS)
            op->axes |= operands[i].valid = freshened(d, op, operands[i].index, valid);
    for (uint32_t i = 0; op->kind == MASS_PLAN_LAUNCH && i < op->operand_count; i++)
        if (op->operands[i].data == MASS_DATA_PLACES && (op->operands[i].use & MASS_WRITES))
            valid[op->operands[i].index] = op->operands[i].valid;
}

/* Updates valid[] as this operation leaves the ghosts. Notes in the operation which axes it has to fill. */
static void follow_operation(const mass_domain *d, const mass_plan *plan, mass_plan_operation *op, uint32_t *valid)
{
    follow_ghosts(d, op, plan->operands + (op->operands - plan->operands), valid);
}

bool mass_plan_find_stale(const mass_domain *d, mass_plan *plan)
{
    const mass_plan_list *start = &plan->start, *step = &plan->step;
    const mass_model *m = d->model;
    uint32_t *valid = calloc(m->array_count + 1, sizeof *valid);
    if (!valid) return false;
    for (uint32_t i = 0; i < m->array_count; i++) valid[i] = MASS_AXES_ALL;
    for (uint32_t i = 0; i < start->count; i++) follow_operation(d, plan, &start->list[i], valid);
    for (uint32_t i = 0; i < 2 * step->count; i++) follow_operation(d, plan, &step->list[i % step->count], valid);
    free(valid);
    return true;
}
