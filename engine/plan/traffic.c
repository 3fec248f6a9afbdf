/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/traffic.h"
#include "halo/ghosts.h"
#include "state/box.h"
#include "state/edges.h"

#include <math.h>

enum { CELL = sizeof(uint32_t), REQUEST = 2 * sizeof(uint32_t), VALUE = sizeof(int64_t) };

/* Returns the places of a space in all worlds of the rank, those that phases run over. */
static double places_of(const mass_domain *d, uint32_t space)
{
    return (double)mass_domain_places(d, space) * d->worlds;
}

/* Returns the bytes that ranks exchange of an array. An array with valid ghosts has none. */
static double bytes_of_exchange(const mass_domain *d, const mass_plan_operation *op, uint32_t array, int32_t layers)
{
    double bytes = 0;
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].data == MASS_DATA_GHOSTS && op->operands[i].index == array)
            bytes += mass_ghosts_bytes(d, array, op->operands[i].valid, layers, true);
    return bytes;
}

/* Returns the bytes of an operand of places. Each agent sees a square or a cube, and agents share what they see: the
 * bytes of the whole array are the most. */
static double bytes_of_places(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                              const mass_traffic *t)
{
    const mass_array_def *array = &d->model->arrays[o->index];
    const uint32_t space = d->model->attributes[array->attribute].space;
    const double size = array->bits ? 0.125 : (double)array->element_size, all = places_of(d, space) * size;
    const mass_phase_def *phase = op->kind == MASS_PLAN_LAUNCH ? &d->model->phases[op->phase] : NULL;
    if (op->kind == MASS_PLAN_REFRESH) return mass_ghosts_bytes(d, o->index, op->axes, INT32_MAX, false);
    if (op->kind == MASS_PLAN_EXCHANGE) return bytes_of_exchange(d, op, o->index, t->layers);
    if (op->kind == MASS_PLAN_ADD) return mass_ghosts_exchange_bytes(d, o->index, op->reach, false);
    if (op->kind == MASS_PLAN_DELIVER) return mass_ghosts_exchange_bytes(d, o->index, op->reach, true);
    if (!phase || phase->callback->over == MASS_OVER_PLACES || phase->callback->over == MASS_OVER_RESIDENTS) return all;
    const double seen = pow(2 * o->reach + 1, d->model->spaces[space].dimensions);
    return fmin(all, t->agents[phase->population] * seen * size);
}

/* Returns the bytes of a population's order. A census reads two cells a world. */
static double bytes_of_order(const mass_domain *d, const mass_plan_operation *op, uint32_t population,
                             const double *agents)
{
    const double places = places_of(d, d->model->populations[population].space);
    if (op->kind == MASS_PLAN_MANAGE || op->kind == MASS_PLAN_POPULATE || op->kind == MASS_PLAN_LINE_UP ||
        op->kind == MASS_PLAN_RESTORE)
        return (places + agents[population]) * CELL;
    if (op->kind != MASS_PLAN_LAUNCH) return 2.0 * CELL * d->worlds;
    return (d->model->phases[op->phase].callback->over == MASS_OVER_AGENTS ? agents[population] : places) * CELL;
}

/* Returns the bytes of ghosts that a halo map moves. They show places of this rank or of others. CLEAR and LAUNCH
 * cover both. */
static double bytes_of_halo_maps(const mass_domain *d, const mass_plan_operation *op, uint32_t array, int32_t reach)
{
    const double own = mass_ghosts_exchange_bytes(d, array, reach, false);
    const double others = mass_ghosts_exchange_bytes(d, array, reach, true);
    return op->kind == MASS_PLAN_ADD ? own : op->kind == MASS_PLAN_DELIVER ? others : own + others;
}

/* Returns the bytes of ghosts that an operation moves for one operand, by the kind of operation: copies within the
 * rank, between ranks, or both. */
static double bytes_of_ghosts(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                              const mass_traffic *t)
{
    const bool of_seams = op->kind == MASS_PLAN_CLEAR || op->kind == MASS_PLAN_ADD || op->kind == MASS_PLAN_DELIVER;
    if (of_seams) return bytes_of_halo_maps(d, op, o->index, op->reach);
    if (o->reach) return bytes_of_halo_maps(d, op, o->index, o->reach);
    if (op->kind == MASS_PLAN_REFRESH) return mass_ghosts_bytes(d, o->index, op->axes, INT32_MAX, false);
    if (op->kind == MASS_PLAN_EXCHANGE) return bytes_of_exchange(d, op, o->index, t->layers);
    return mass_ghosts_bytes(d, o->index, o->valid, INT32_MAX, false) +
           mass_ghosts_bytes(d, o->index, o->valid, INT32_MAX, true);
}

/* Returns the bytes of an array of agents that an operation reads or writes: one element for each agent. */
static double bytes_of_agents(const mass_domain *d, uint32_t array, const double *agents)
{
    const mass_array_def *a = &d->model->arrays[array];
    return agents[d->model->attributes[a->attribute].population] * (double)a->element_size;
}

/* Returns the bytes of a copy of linked nodes. Edges lead to any of them, and to many more than once. */
static double bytes_of_linked(const mass_domain *d, uint32_t array)
{
    return (double)mass_domain_linked(d, array).bytes;
}

double mass_plan_operand_bytes(const mass_domain *d, const mass_plan_operation *op, const mass_operand *o,
                               const mass_traffic *t)
{
    switch (o->data) {
    case MASS_DATA_PLACES: return bytes_of_places(d, op, o, t);
    case MASS_DATA_GHOSTS: return bytes_of_ghosts(d, op, o, t);
    case MASS_DATA_BEFORE:
    case MASS_DATA_ADDED:
    case MASS_DATA_AGENTS: return bytes_of_agents(d, o->index, t->agents);
    case MASS_DATA_LINKED: return bytes_of_linked(d, o->index);
    case MASS_DATA_EDGES: return (double)mass_domain_edge_values(d, o->index).bytes;
    case MASS_DATA_ORDER: return bytes_of_order(d, op, o->index, t->agents);
    case MASS_DATA_REQUESTS: return t->agents[o->index] * REQUEST;
    case MASS_DATA_SETTLED:
    case MASS_DATA_PARAMETER: return (double)d->worlds * VALUE;
    case MASS_DATA_TALLY: return (double)d->worlds * d->model->tallies[o->index].words * VALUE;
    case MASS_DATA_TOTAL: return (double)d->share.worlds * d->model->tallies[o->index].words * VALUE;
    case MASS_DATA_GATES: return (double)d->worlds * sizeof(uint32_t);
    case MASS_DATA_INPUT: return bytes_of_places(d, op, &(mass_operand){.index = op->index}, t);
    case MASS_DATA_CHILDREN:
    case MASS_DATA_SPROUTS:
    case MASS_DATA_UNTIL: break;
    }
    return 0;
}

/* Returns the bytes of all operands of that use. */
static double sum(const mass_domain *d, const mass_plan_operation *op, uint32_t use, const mass_traffic *t)
{
    double bytes = 0;
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].use & use) bytes += mass_plan_operand_bytes(d, op, &op->operands[i], t);
    return bytes;
}

double mass_plan_bytes_read(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t)
{
    return sum(d, op, MASS_READS, t);
}

double mass_plan_bytes_written(const mass_domain *d, const mass_plan_operation *op, const mass_traffic *t)
{
    return sum(d, op, MASS_WRITES, t);
}
