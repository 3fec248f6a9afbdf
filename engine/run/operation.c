/* SPDX-License-Identifier: Apache-2.0 */
#include "run/operation.h"
#include "halo/ghosts.h"
#include "halo/linked.h"
#include "model/shared_turns.h"
#include "plan/bind.h"
#include "plan/fuse.h"
#include "plan/overlap.h"
#include "plan/phase.h"
#include "population/anybody.h"
#include "population/gather.h"
#include "population/growth.h"
#include "population/in_turn.h"
#include "population/nearby.h"
#include "population/populate.h"
#include "population/population.h"
#include "population/requests.h"
#include "model/network.h"
#include "population/relink.h"
#include "population/relink_adjacency.h"
#include "population/sprout.h"
#include "process/crash.h"
#include "run/bound_launch.h"
#include "state/stop_condition.h"
#include "state/tally.h"

#include <stdio.h>

/* Tests the condition of a phase in all worlds, for the phase's gates. If ranks split the space, its tally must be
 * reduced. relative: the step is recorded and may stop. */
static mass_status set_gates(mass_domain *d, uint32_t phase, bool relative, mass_error *error)
{
    const mass_condition_def *c = &d->model->phases[phase].condition;
    const size_t worlds = (size_t)d->worlds;
    const bool cut = mass_share_is_split(&d->share);
    const mass_buffer tally = cut ? mass_domain_total(d, c->tally) : mass_domain_tally(d, c->tally);
    mass_gate_work w = {.worlds = d->worlds, .relation = c->relation,
                        .tally = tally.address, .value = c->value,
                        .closed = relative ? d->closed.address : NULL, .gates = mass_phase_gates(d, phase)};
    mass_buffer agents = {0};
    mass_status status = MASS_OK;
    if (c->parameter >= 0) {
        w.parameter = (const uint64_t *)d->parameters.address + (size_t)c->parameter * worlds;
        w.real = d->model->parameters.slots[c->parameter].type == MASS_REAL;
    }
    if (c->population >= 0) {
        status = mass_population_find_starts(d, (uint32_t)c->population, &agents, &w.places, error);
        w.start = agents.address;
    }
    return status == MASS_OK ? d->device->table->conditions->gate(d->device, &w, error) : status;
}

/* Reduces over ranks the tally of a gate, or those of the stop condition. */
static mass_status reduce(mass_domain *d, const mass_plan_operation *op, mass_error *error)
{
    return op->when == MASS_UNTIL ? mass_until_reduce(d, error)
                                  : mass_domain_reduce_tallies(d, &op->index, 1, error);
}

/* Lists the arrays whose ghosts are operands. Returns how many. */
static uint32_t list_arrays(const mass_plan_operation *op, uint32_t arrays[MASS_FIELDS_MOST])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].data == MASS_DATA_GHOSTS) arrays[count++] = op->operands[i].index;
    return count;
}

/* Returns the steps in one launch, at least 1. */
static int32_t steps_of(const mass_plan_step *step) { return step->steps > 1 ? step->steps : 1; }

/* Binds a callback to the arrays of one partition, and launches it there. Need not wait for it. */
static mass_status launch_over(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                               const mass_partition *p, const mass_plan_step *step, mass_error *error)
{
    mass_bound_launch b;
    mass_bind_launch(d, prepared, op, p, step, &b);
    return d->device->table->launch->launch(d->device, &b.work, error);
}

/* Returns the axes along which the launch of an operation's phase reads no ghosts. `op` is the launch, or an
 * operation before it. 0 if the device cannot tell, or has several partitions. */
static uint32_t unread_axes(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                            const mass_plan_step *step)
{
    const mass_launch_operations *t = d->device->table->launch;
    mass_bound_launch b;
    if (!t->around || d->partition_count > 1) return 0;
    while (op->kind != MASS_PLAN_LAUNCH) op++;
    mass_bind_launch(d, prepared, op, d->partitions[d->model->phases[op->phase].space], step, &b);
    return t->around(d->device, &b.work);
}

/* Returns the layers of ghosts that a launch of several steps reads along a cut between ranks. INT32_MAX: all,
 * because it is a single step, or reads those ghosts along other axes too; or there are several partitions, or ranks do
 * not split the space. */
static int32_t depth_of(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                        const mass_plan_step *step)
{
    const mass_phase_def *phase = &d->model->phases[op->phase];
    const mass_space_def *s = &d->model->spaces[phase->space];
    if (step->steps <= 1 || d->partition_count > 1 || !mass_share_is_split(&d->share)) return INT32_MAX;
    const uint32_t others = s->torus & ~(1u << mass_slab_axis(s));
    return others & ~unread_axes(d, prepared, op, step) ? INT32_MAX : step->steps * phase->reach;
}

/* Returns how many layers of valid ghosts there are in addition to those that the launch reads. The launch computes
 * these layers too, so that ranks need no exchange before the next one. 0 for a single step, or if tallies count,
 * because the places would count twice. */
static int32_t margin_of(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *launch,
                         const mass_plan_step *step)
{
    const uint32_t space = d->model->phases[launch->phase].space, axis = mass_slab_axis(&d->model->spaces[space]);
    const mass_partition *p = d->partitions[space];
    const int32_t depth = depth_of(d, prepared, launch, step);
    int32_t valid_depth = depth;
    bool any = false;
    if (mass_plan_is_due(d, launch->counts, step)) return 0;
    for (uint32_t i = 0; depth < INT32_MAX && i < launch->operand_count; i++) {
        const mass_operand *o = &launch->operands[i];
        if (o->data != MASS_DATA_PLACES || o->reach == 0) continue;
        const mass_array *a = &p->arrays[o->index];
        const int32_t has = a->valid >> axis & 1 ? p->layout.ghost[axis] : a->valid_depth;
        valid_depth = !any || has < valid_depth ? has : valid_depth;
        any = true;
    }
    return valid_depth > depth ? valid_depth - depth : 0;
}

/* Returns `count` layers of a rank's partition, from layer `first` on. At the partition's ends it adds `margin` layers
 * of ghosts, limited to the places of the space. */
static mass_partition with_margins(const mass_domain *d, uint32_t space, const mass_partition *p, mass_lidx first,
                                   mass_lidx count, int32_t margin)
{
    const mass_space_def *s = &d->model->spaces[space];
    const uint32_t axis = mass_slab_axis(s);
    const mass_layout *l = &p->layout;
    const bool torus = s->torus >> axis & 1;
    const mass_gidx below = l->origin[axis], above = s->size[axis] - below - l->extent[axis];
    const int32_t low = first > 0 ? 0 : torus || below > margin ? margin : (int32_t)below;
    const int32_t high = first + count < l->extent[axis] ? 0 : torus || above > margin ? margin : (int32_t)above;
    return low || high || count < l->extent[axis] ? mass_partition_layers(d, space, p, first - low, count + low + high)
                                                  : *p;
}

/* Returns true if the exchange is on the short-message path and not overlapped. Edges of several steps are separate
 * launches, for which a GPU has no free processors before the rest is done. If a small exchange serves several
 * passes, that costs more than the overlap saves. layers: those it sends; every: passes that it serves. */
static bool is_short_path(const mass_domain *d, const mass_space_def *s, const uint32_t *arrays, uint32_t count,
                     int32_t layers, int32_t every)
{
    const int64_t places = mass_space_places(s) / s->size[mass_slab_axis(s)] * layers * d->worlds;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) bytes += (size_t)mass_array_bytes(&d->model->arrays[arrays[i]], places);
    return every > 1 && bytes <= d->share.link->short_path;
}

/* Returns the layers at each cut that the launch computes after the exchange, for all its fused steps. 0: no
 * overlap. */
static int32_t edges_of(const mass_domain *d, const mass_plan_operation *op, const mass_plan_step *step)
{
    const uint32_t space = d->model->phases[op->phase].space;
    const int32_t edges = op->edges * steps_of(step);
    const mass_lidx all = d->partitions[space][0].layout.extent[mass_slab_axis(&d->model->spaces[space])];
    return step->overlap && d->share.link && all > 2 * edges ? edges : 0;
}

/* Returns true if a launch writes this array of places. */
static bool writes_places(const mass_plan_operation *launch, uint32_t array)
{
    for (uint32_t i = 0; i < launch->operand_count; i++)
        if (launch->operands[i].data == MASS_DATA_PLACES && launch->operands[i].index == array &&
            launch->operands[i].use & MASS_WRITES)
            return true;
    return false;
}

/* Returns the layers of ghosts that ranks exchange: all that launches read until the next exchange. *every: the
 * number of passes that one exchange serves. */
static int32_t layers_of(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                         const mass_plan_step *step, int32_t *every)
{
    const mass_phase_def *phase = &d->model->phases[op->phase];
    const mass_space_def *s = &d->model->spaces[phase->space];
    const int32_t all = s->ghost[mass_slab_axis(s)], steps = steps_of(step);
    *every = 1;
    if (all <= phase->reach || mass_fuse_why_not(d->model) || mass_fuse_phase(d->model) != op->phase) return all;
    if (depth_of(d, prepared, op, step) < INT32_MAX) *every = mass_fuse_passes(d, steps);
    return steps * phase->reach * *every;
}

int32_t mass_plan_layers(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                         const mass_plan_step *step, int32_t *every)
{
    *every = 1;
    return op->kind == MASS_PLAN_EXCHANGE ? layers_of(d, prepared[op->phase], op, step, every) : 0;
}

int32_t mass_plan_layers_now(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                             const mass_plan_step *step)
{
    uint32_t arrays[MASS_FIELDS_MOST];
    int32_t every;
    if (op->kind != MASS_PLAN_EXCHANGE) return 0;
    const uint32_t count = list_arrays(op, arrays);
    const bool stale = mass_ghosts_are_stale(d, arrays, count, depth_of(d, prepared[op->phase], op, step));
    return stale ? layers_of(d, prepared[op->phase], op, step, &every) : 0;
}

/* Returns true if an array has stale ghosts and the launch that follows `op` does not write it. It is exchanged once,
 * with all its layers. */
static bool has_constant(const mass_domain *d, const mass_plan_operation *op, const uint32_t *arrays, uint32_t count,
                         int32_t valid_depth)
{
    while (op->kind != MASS_PLAN_LAUNCH) op++;
    for (uint32_t i = 0; i < count; i++)
        if (!writes_places(op, arrays[i]) && mass_ghosts_are_stale(d, &arrays[i], 1, valid_depth)) return true;
    return false;
}

/* Exchanges stale ghosts between ranks. If possible, does so at the same time as the next launch, on a second stream:
 * d->edges tells that launch. All ranks call it together. */
static mass_status exchange(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                            const mass_plan_step *step, mass_error *error)
{
    const mass_side_operations *side = d->device->table->side;
    uint32_t arrays[MASS_FIELDS_MOST];
    const uint32_t count = list_arrays(op, arrays);
    const int32_t edges = edges_of(d, op, step), valid_depth = depth_of(d, prepared, op, step);
    const mass_space_def *s = &d->model->spaces[d->model->phases[op->phase].space];
    int32_t every, layers = layers_of(d, prepared, op, step, &every);
    mass_status status = MASS_OK;
    if (has_constant(d, op, arrays, count, valid_depth)) layers = s->ghost[mass_slab_axis(s)];
    if (edges && mass_ghosts_are_stale(d, arrays, count, valid_depth) && !is_short_path(d, s, arrays, count, layers,
                                                                                        every)) {
        status = side->enter(d->device, error);
        d->edges = edges;
    }
    return status == MASS_OK ? mass_ghosts_exchange(d, arrays, count, valid_depth, layers, error) : status;
}

/* Adds the contributions in ghosts to the places that own them. All ranks call it together. */
static mass_status deliver(mass_domain *d, const mass_plan_operation *op, mass_error *error)
{
    uint32_t arrays[MASS_FIELDS_MOST];
    const uint32_t count = list_arrays(op, arrays);
    return mass_ghosts_deliver(d, arrays, count, op->reach, error);
}

/* Records the axes and the layers of valid ghosts of an array. */
static void note_array(mass_array *a, uint32_t valid, int32_t valid_depth)
{
    a->valid = valid;
    a->valid_depth = valid_depth;
}

/* Records which ghosts are valid, of arrays that a launch wrote: after a single step those along the operand's axes
 * `valid`, after several steps `margin` layers. */
static void note_ghosts(mass_domain *d, const mass_plan_operation *launch, bool several, int32_t margin)
{
    const mass_phase_def *phase = &d->model->phases[launch->phase];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_operand *o = &launch->operands[i];
        if (o->data != MASS_DATA_PLACES || !(o->use & MASS_WRITES)) continue;
        for (int32_t k = 0; k < d->partition_count; k++)
            note_array(&d->partitions[phase->space][k].arrays[o->index], several ? 0 : o->valid, margin);
    }
}

/* Launches the edges on the side queue after the exchange, and the other places at the same time. The exchange has
 * entered the side queue and set d->edges, which is 0 afterwards. */
static mass_status launch_beside(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                                 const mass_plan_step *step, int32_t margin, mass_error *error)
{
    const mass_side_operations *side = d->device->table->side;
    const uint32_t space = d->model->phases[op->phase].space;
    const mass_partition *p = d->partitions[space];
    const mass_lidx edges = d->edges, all = p->layout.extent[mass_slab_axis(&d->model->spaces[space])];
    const mass_partition low = with_margins(d, space, p, 0, edges, margin);
    const mass_partition high = with_margins(d, space, p, all - edges, edges, margin);
    const mass_partition middle = mass_partition_layers(d, space, p, edges, all - 2 * edges);
    d->edges = 0;
    mass_status status = launch_over(d, prepared, op, &low, step, error);
    if (status == MASS_OK) status = launch_over(d, prepared, op, &high, step, error);
    if (status == MASS_OK) status = side->leave(d->device, error);
    if (status == MASS_OK) status = launch_over(d, prepared, op, &middle, step, error);
    return status == MASS_OK ? side->join(d->device, error) : status;
}

/* Launches a callback over all partitions of this rank: in a stream over those that have an item, and once if it is
 * over worlds or in turn. Margins or edges are apart if an exchange needs it. Notes which ghosts it made stale. Need
 * not wait. */
static mass_status launch(mass_domain *d, const mass_prepared *prepared, const mass_plan_operation *op,
                          const mass_plan_step *step, mass_error *error)
{
    const mass_phase_def *phase = &d->model->phases[op->phase];
    const int32_t margin = margin_of(d, prepared, op, step);
    const bool once = phase->callback->over == MASS_OVER_WORLDS || mass_phase_is_in_turn(phase);
    const int32_t count = once ? 1 : d->partition_count;
    mass_status status = MASS_OK;
    mass_crash_where(d->model->plugin, phase->callback->name, step->number);
    if (d->edges) status = launch_beside(d, prepared, op, step, margin, error);
    else if (margin) {
        const mass_partition *p = d->partitions[phase->space];
        const mass_lidx all = p->layout.extent[mass_slab_axis(&d->model->spaces[phase->space])];
        const mass_partition more = with_margins(d, phase->space, p, 0, all, margin);
        status = launch_over(d, prepared, op, &more, step, error);
    } else
        for (int32_t k = 0; status == MASS_OK && k < count; k++)
            if (!d->live || d->live[k] > 0)
                status = launch_over(d, prepared, op, &d->partitions[phase->space][k], step, error);
    mass_crash_where(d->model->plugin, NULL, step->number);
    if (status == MASS_OK) note_ghosts(d, op, step->steps > 1, margin);
    return status;
}

/* Launches the phases of a turn that several share, at the first of them. Notes at each which ghosts it made stale. */
static mass_status launch_in_turn(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                                  const mass_plan_step *step, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    if (mass_turn_begin(m, op->phase) == op->phase) {
        char names[MASS_TURN_PHASES_MAX * (MASS_NAME_SIZE + 4)] = "";
        for (uint32_t i = op->phase, end = mass_turn_end(m, op->phase), used = 0; i < end; i++)
            used += (uint32_t)snprintf(names + used, sizeof names - used, "%s%s", i > op->phase ? " or " : "",
                                       m->phases[i].callback->name);
        mass_crash_where(m->plugin, names, step->number);
        status = mass_launch_turn(d, prepared, op, step, error);
        mass_crash_where(m->plugin, NULL, step->number);
    }
    if (status == MASS_OK) note_ghosts(d, op, false, 0);
    return status;
}

/* Lists the arrays of agents that an operation prepares, or whose sums it adds, by kind. Returns how many. */
static uint32_t list_nearby(const mass_plan_operation *op, mass_data data, uint32_t arrays[MASS_FIELDS_MOST])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i].data == data) arrays[count++] = op->operands[i].index;
    return count;
}

/* Copies attributes that a phase reads of agents nearby, and clears the sums that it adds to. */
static mass_status prepare_nearby(mass_domain *d, const mass_plan_operation *op, mass_error *error)
{
    uint32_t before[MASS_FIELDS_MOST], added[MASS_FIELDS_MOST];
    const mass_nearby_arrays arrays = {.before = before, .added = added,
                                       .before_count = list_nearby(op, MASS_DATA_BEFORE, before),
                                       .added_count = list_nearby(op, MASS_DATA_ADDED, added)};
    return mass_nearby_prepare(d, op->phase, op->index, &arrays, error);
}

/* Adds to agents what a phase added to them, if that was kept apart. */
static mass_status add_nearby(mass_domain *d, const mass_plan_operation *op, mass_error *error)
{
    uint32_t added[MASS_FIELDS_MOST];
    const uint32_t count = list_nearby(op, MASS_DATA_ADDED, added);
    return mass_nearby_add(d, op->phase, op->index, added, count, error);
}

/* Discards the requests of a population; of edges, also those for their end. */
static mass_status discard(mass_domain *d, const mass_plan_operation *op, mass_error *error)
{
    mass_status status = MASS_OK;
    if (mass_model_is_of_edges(d->model, op->index)) status = mass_relink_discard(d, op->index, error);
    return status == MASS_OK ? mass_population_discard_requests(d, op->index, op->ignored, error) : status;
}

bool mass_plan_is_due(const mass_domain *d, mass_when when, const mass_plan_step *step)
{
    switch (when) {
    case MASS_ALWAYS: return true;
    case MASS_OBSERVED: return step->observed;
    case MASS_RECORDED: return step->relative;
    case MASS_UNTIL: return d->until && !step->again;
    default: return false;
    }
}

mass_status mass_plan_run(mass_domain *d, mass_prepared *const *prepared, const mass_plan_operation *op,
                          const mass_plan_step *step, mass_error *error)
{
    switch (op->kind) {
    case MASS_PLAN_RESET: return mass_domain_reset_rows(d, op->index, 1, step->later, steps_of(step), error);
    case MASS_PLAN_POPULATE:
        return d->populations[op->index].populated ? MASS_OK : mass_population_populate(d, op->index, error);
    case MASS_PLAN_GUARD_MEMORY: return mass_population_guard_memory(d, step->number, error);
    case MASS_PLAN_ALL_REDUCE: return reduce(d, op, error);
    case MASS_PLAN_GATE: return set_gates(d, op->phase, step->relative, error);
    case MASS_PLAN_REFRESH:
        return mass_ghosts_refresh(d, op->index, unread_axes(d, prepared[op->phase], op, step), error);
    case MASS_PLAN_EXCHANGE: return exchange(d, prepared[op->phase], op, step, error);
    case MASS_PLAN_DELIVER: return deliver(d, op, error);
    case MASS_PLAN_LINK: return mass_linked_refresh(d, op->index, error);
    case MASS_PLAN_EDGES: return mass_relink_refresh(d, op->index, error);
    case MASS_PLAN_RELINK: return mass_relink_decide(d, op->index, mass_phase_gates(d, op->phase), error);
    case MASS_PLAN_GATHER: return mass_anybody_gather(d, op->index, error);
    case MASS_PLAN_INDEX: return mass_anybody_index(d, op->index, error);
    case MASS_PLAN_FULL:
        return mass_share_is_split(&d->share) ? mass_anybody_gather_full(d, op->index, error)
                                              : mass_anybody_find_full(d, op->index, error);
    case MASS_PLAN_COLLECT: return mass_anybody_collect(d, op->index, error);
    case MASS_PLAN_CLEAR: return mass_ghosts_clear(d, op->index, op->reach, error);
    case MASS_PLAN_LAUNCH:
        return mass_turn_is_shared(d->model, op->phase) ? launch_in_turn(d, prepared, op, step, error)
                                                        : launch(d, prepared[op->phase], op, step, error);
    case MASS_PLAN_NEARBY: return prepare_nearby(d, op, error);
    case MASS_PLAN_ADD_NEARBY: return add_nearby(d, op, error);
    case MASS_PLAN_ADD: return mass_ghosts_add(d, op->index, op->reach, error);
    case MASS_PLAN_MANAGE:
        return mass_population_manage(d, op->phase, step->number, step->relative, mass_phase_gates(d, op->phase),
                                      mass_plan_is_due(d, op->counts, step), op->order, error);
    case MASS_PLAN_SPROUT:
        return mass_population_sprout(d, op->index, mass_phase_gates(d, op->phase),
                                      mass_plan_is_due(d, op->counts, step), error);
    case MASS_PLAN_LINE_UP:
        return mass_turn_line_up(d, op->phase, step->number, mass_phase_gates(d, op->phase), error);
    case MASS_PLAN_RESTORE:
        return mass_turn_restore(d, op->phase, op->index, step->number, mass_plan_is_due(d, op->counts, step), error);
    case MASS_PLAN_SWAP: mass_plan_swap_one(d, op, step->relative); return MASS_OK;
    case MASS_PLAN_DISCARD: return discard(d, op, error);
    case MASS_PLAN_CENSUS: return mass_population_census(d, op->index, error);
    case MASS_PLAN_SETTLE:
        return mass_domain_settle(d, op->index, op->before && step->number == 0 && !step->relative, error);
    case MASS_PLAN_LOOK: return mass_until_look(d, step->number, steps_of(step), step->later, step->relative, error);
    default: return MASS_OK;
    }
}
