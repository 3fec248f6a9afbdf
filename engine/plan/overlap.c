/* SPDX-License-Identifier: Apache-2.0 */
/* Overlap of an exchange with a launch. An exchange fills ghosts. Only the edges of a launch over places read these
 * ghosts: the layers along the cuts. So the exchange and then the edges run on a side queue (device/side.h). The
 * launch of all other places runs at the same time. The next operation waits for both. No overlap reaches into the
 * next step.
 *
 * The engine splits a launch under four conditions. It is over places of two or three dimensions and sees no agents.
 * The rank has one partition. It writes nothing that the exchange sends. It is large enough (worthwhile in
 * device/side.h) to win back the cost of the split. The parts may run at the same time, like partitions on several
 * devices. Rows are never divided, because vector loads begin at the start of a row. */
#include "plan/overlap.h"

/* Returns true if the exchange sends the array. */
static bool is_exchanged(const mass_plan_operation *exchange, uint32_t array)
{
    for (uint32_t i = 0; i < exchange->operand_count; i++)
        if (exchange->operands[i].data == MASS_DATA_PLACES && exchange->operands[i].index == array) return true;
    return false;
}

/* Returns true if the operand prevents the overlap. It overwrites what the exchange sends, or it counts by key, so
 * that the host must wait for the launch. */
static bool hinders(const mass_domain *d, const mass_plan_operation *exchange, const mass_operand *o)
{
    if (o->data == MASS_DATA_TALLY) return d->model->tallies[o->index].keys;
    return o->data == MASS_DATA_PLACES && (o->use & MASS_WRITES) && !o->next && is_exchanged(exchange, o->index);
}

/* Returns the number of layers at each cut that wait for the exchange. 0: the launch cannot be split, or is too
 * small to gain by it. */
static int32_t edges_of(const mass_domain *d, const mass_plan_operation *exchange, const mass_plan_operation *launch)
{
    const mass_phase_def *phase = &d->model->phases[launch->phase];
    const mass_layout *l = &d->partitions[phase->space][0].layout;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[phase->space]);
    int32_t edges = 1;
    if (axis == 0 || phase->callback->over != MASS_OVER_PLACES || phase->population_count || d->partition_count > 1 ||
        d->model->racy || d->model->stream.read)
        return 0;
    for (uint32_t i = 0; i < launch->operand_count; i++) {
        const mass_operand *o = &launch->operands[i];
        if (hinders(d, exchange, o)) return 0;
        if (o->data == MASS_DATA_PLACES && o->reach > edges) edges = o->reach;
    }
    const mass_side_operations *side = d->device->table->side;
    if (!side || (int64_t)l->extent[0] * l->extent[1] * l->extent[2] * d->worlds < side->worthwhile) return 0;
    return l->extent[axis] > 2 * edges ? edges : 0;
}

void mass_plan_find_overlaps(const mass_domain *d, mass_plan_list *list)
{
    mass_plan_operation *exchange = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        mass_plan_operation *op = &list->list[i];
        if (op->kind == MASS_PLAN_EXCHANGE) exchange = op;
        if (op->kind != MASS_PLAN_LAUNCH) continue;
        if (exchange && exchange->phase == op->phase && exchange->when == op->when)
            exchange->edges = edges_of(d, exchange, op);
        exchange = NULL;
    }
}

mass_partition mass_partition_layers(const mass_domain *d, uint32_t space, const mass_partition *p, mass_lidx first,
                                     mass_lidx count)
{
    const uint32_t axis = mass_slab_axis(&d->model->spaces[space]);
    mass_partition layers = *p;
    layers.layout.origin[axis] += first;
    layers.layout.extent[axis] = count;
    layers.layout.ghost[axis] += first; /* start of the array, and so of its default element (reach.h) */
    layers.layout.first += first * (axis == 0 ? 1 : axis == 1 ? p->layout.pitch : p->layout.plane);
    return layers;
}
