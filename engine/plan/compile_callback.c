/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a phase with a callback: what comes before its launch, the launch, and what comes after it. */
#include "model/anybody.h"
#include "model/network.h"
#include "model/shared_turns.h"
#include "model/total.h"
#include "plan/compile.h"
#include "plan/phase.h"
#include "population/requests.h"

/* Returns how a field of that access uses its operand: MASS_READS, MASS_WRITES or both. */
static uint32_t use_of(uint32_t access)
{
    const unsigned effect = mass_access_of(access)->effect;
    if (effect & MASS_EFFECT_ADDS) return MASS_READS | MASS_WRITES;
    return (effect & MASS_EFFECT_READS ? MASS_READS : 0) | (effect & MASS_EFFECT_WRITES ? MASS_WRITES : 0);
}

/* Returns true if a field of other agents has memory of its own. If ranks split the population, all fields of agents
 * nearby do, and the copies of other ranks' agents follow. Those of any agents are `of_all` then. */
static bool is_apart(const mass_domain *d, const mass_phase_def *phase, uint32_t i)
{
    const bool split = mass_share_is_split(&d->share);
    if (mass_phase_is_anywhere(phase, i)) return !split && mass_phase_is_apart(phase, i);
    return mass_access_is_nearby(phase->targets[i].access, phase->callback->over) &&
           (split || mass_phase_is_apart(phase, i));
}

/* Returns the kind of data behind field i. */
static mass_data data_of(const mass_domain *d, const mass_phase_def *phase, uint32_t i)
{
    if (is_apart(d, phase, i))
        return mass_access_of(phase->targets[i].access)->effect == MASS_EFFECT_ADDS ? MASS_DATA_ADDED
                                                                                   : MASS_DATA_BEFORE;
    switch (mass_phase_class(phase, i)) {
    case MASS_CLASS_WORLD: return MASS_DATA_PARAMETER;
    case MASS_CLASS_TOTAL: return MASS_DATA_SETTLED;
    case MASS_CLASS_KEPT:
    case MASS_CLASS_ACCUMULATOR: return MASS_DATA_TALLY;
    case MASS_CLASS_REQUEST: return MASS_DATA_CHILDREN;
    case MASS_CLASS_SPROUTS: return MASS_DATA_SPROUTS;
    case MASS_CLASS_AGENTS: return MASS_DATA_AGENTS;
    case MASS_CLASS_LINKED: return MASS_DATA_LINKED;
    case MASS_CLASS_EDGES: return MASS_DATA_EDGES;
    default: return MASS_DATA_PLACES;
    }
}

/* Returns true if the field adds to places of other partitions, by way of ghosts. */
static bool is_scattered(uint32_t access) { return mass_access_of(access)->buffer == MASS_BUFFER_CLEARED; }

/* Returns the axes along which a callback over places writes the ghosts of its own places in the same launch. */
static uint32_t pushed_by(const mass_domain *d, const mass_phase_def *phase, uint32_t array)
{
    const mass_launch_operations *launch = d->device->table->launch;
    if (phase->callback->over == MASS_OVER_AGENTS || mass_phase_is_in_turn(phase) ||
        (d->model->arrays[array].bits && !launch->pushes_bits))
        return 0;
    return mass_phase_own_axes(d, &d->model->spaces[phase->space]) & launch->pushed_axes;
}

/* Returns the operand of field i. */
static mass_operand operand_of(const mass_domain *d, const mass_phase_def *phase, uint32_t i)
{
    const mass_target *t = &phase->targets[i];
    const bool written = mass_phase_writes_places(phase, t->access), scattered = is_scattered(t->access);
    return (mass_operand){.data = data_of(d, phase, i), .index = t->index, .use = use_of(t->access),
                          .next = mass_phase_swaps(phase, d->model, i),
                          .reach = mass_phase_reads_around(phase, t->access) || scattered ? phase->reach : 0,
                          .valid = written && !scattered ? pushed_by(d, phase, t->index) : 0,
                          .of_all = mass_share_is_split(&d->share) && mass_phase_is_anywhere(phase, i)};
}

/* Returns true if an earlier field of the phase has the same array and the same access. */
static bool is_repeated(const mass_phase_def *phase, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (phase->targets[k].index == phase->targets[i].index && phase->targets[k].access == phase->targets[i].access)
            return true;
    return false;
}

/* Adds the operands of an all-reduce: the rank's tally, and its total over all ranks. */
void mass_compile_total(mass_compiler *c, uint32_t tally)
{
    mass_compile_use(c, MASS_DATA_TALLY, tally, MASS_READS);
    mass_compile_use(c, MASS_DATA_TOTAL, tally, MASS_WRITES);
}

/* Adds the test of a conditional phase, after an all-reduce if the tally has parts on several ranks. */
void mass_compile_gate(mass_compiler *c, uint32_t index)
{
    const mass_condition_def *condition = &c->m->phases[index].condition;
    const bool cut = mass_share_is_split(&c->d->share);
    if (!c->m->phases[index].conditional) return;
    if (cut) {
        mass_compile_operation(c, MASS_PLAN_ALL_REDUCE, index, condition->tally);
        mass_compile_total(c, condition->tally);
    }
    mass_compile_operation(c, MASS_PLAN_GATE, index, 0);
    mass_compile_use(c, cut ? MASS_DATA_TOTAL : MASS_DATA_TALLY, condition->tally, MASS_READS);
    if (condition->parameter >= 0) mass_compile_use(c, MASS_DATA_PARAMETER, (uint32_t)condition->parameter, MASS_READS);
    if (condition->population >= 0) mass_compile_use(c, MASS_DATA_ORDER, (uint32_t)condition->population, MASS_READS);
    mass_compile_use(c, MASS_DATA_GATES, index, MASS_WRITES);
}

/* Adds a REFRESH of the ghosts of each array that the phase reads around a place, once. */
static void add_refreshes(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!mass_phase_reads_around(phase, t->access) || is_repeated(phase, i)) continue;
        mass_compile_operation(c, MASS_PLAN_REFRESH, index, t->index);
        mass_compile_use(c, MASS_DATA_PLACES, t->index, MASS_READS);
        mass_compile_use(c, MASS_DATA_GHOSTS, t->index, MASS_WRITES);
    }
}

/* Adds the EXCHANGE that fills the ghosts which show other ranks' places, each array once. */
static void add_exchange(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    bool any = false;
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        bool read = mass_phase_reads_around(phase, t->access);
        for (uint32_t k = 0; k < i; k++)
            read &= phase->targets[k].index != t->index || !mass_phase_reads_around(phase, phase->targets[k].access);
        if (!read) continue;
        if (!any) mass_compile_operation(c, MASS_PLAN_EXCHANGE, index, 0);
        mass_compile_use(c, MASS_DATA_PLACES, t->index, MASS_READS);
        mass_compile_use(c, MASS_DATA_GHOSTS, t->index, MASS_WRITES);
        any = true;
    }
}

/* Adds CLEAR or ADD for each array with additions to other places. Only a split space has such ghosts. */
static void add_halo_maps(mass_compiler *c, mass_plan_kind kind, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; c->d->share.partitions > 1 && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!is_scattered(t->access)) continue;
        mass_compile_operation(c, kind, index, t->index)->reach = phase->reach;
        mass_compile_use(c, MASS_DATA_GHOSTS, t->index, kind == MASS_PLAN_CLEAR ? MASS_WRITES : MASS_READS);
        if (kind == MASS_PLAN_ADD) mass_compile_use(c, MASS_DATA_PLACES, t->index, MASS_READS | MASS_WRITES);
    }
}

/* Adds the DELIVER that sends to other ranks the sums which the ADDs of the phase leave in ghosts. */
static void add_delivery(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    bool any = false;
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!is_scattered(t->access)) continue;
        if (!any) mass_compile_operation(c, MASS_PLAN_DELIVER, index, 0)->reach = phase->reach;
        mass_compile_use(c, MASS_DATA_GHOSTS, t->index, MASS_READS);
        mass_compile_use(c, MASS_DATA_PLACES, t->index, MASS_READS | MASS_WRITES);
        any = true;
    }
}

/* Returns in which steps the additions of a phase to tallies count: mass_plan_operation.counts of its launch. */
static mass_when counts_of(const mass_compiler *c, const mass_phase_def *phase)
{
    if (!phase->tallies) return MASS_NEVER;
    return mass_phase_counts_always(c->m, phase) ? MASS_ALWAYS : c->observed;
}

/* Adds the order of the phase's own population, and of others if the phase requires their order. */
static void add_orders(mass_compiler *c, const mass_phase_def *phase)
{
    for (uint32_t p = 0; p < c->m->population_count; p++) {
        const mass_order order = mass_order_required(c->d, phase, p);
        if (phase->population != (int32_t)p && order == MASS_ORDER_ANY) continue;
        mass_compile_operand(c, (mass_operand){.data = MASS_DATA_ORDER, .index = p, .use = MASS_READS, .order = order});
    }
}

/* Adds the launch: operand i is field i. Ghosts, orders, requests and gates follow. A phase that only counts is
 * launched only in steps in which it counts. */
static void add_launch(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    mass_plan_operation *launch = mass_compile_operation(c, MASS_PLAN_LAUNCH, index, 0);
    launch->counts = counts_of(c, phase);
    if (c->when == MASS_ALWAYS && mass_phase_only_counts(phase)) launch->when = launch->counts;
    for (uint32_t i = 0; i < phase->callback->field_count; i++) mass_compile_operand(c, operand_of(c->d, phase, i));
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        if (mass_phase_reads_around(phase, phase->targets[i].access) && !is_repeated(phase, i))
            mass_compile_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_READS, .valid = MASS_AXES_ALL});
        else if (is_scattered(phase->targets[i].access) && c->d->share.partitions > 1)
            mass_compile_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_READS | MASS_WRITES, .reach = phase->reach});
        else if (operand_of(c->d, phase, i).valid)
            mass_compile_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_WRITES, .next = mass_phase_swaps(phase, c->m, i),
                                          .valid = operand_of(c->d, phase, i).valid});
    add_orders(c, phase);
    for (uint32_t p = 0; p < c->m->population_count; p++)
        if (mass_phase_asks(phase, p) || mass_phase_may_sprout(c->m, phase, p))
            mass_compile_use(c, MASS_DATA_REQUESTS, p, MASS_READS | MASS_WRITES);
    if (phase->conditional) mass_compile_use(c, MASS_DATA_GATES, index, MASS_READS);
}

/* ---- any agents of the world, and free places ---- */

/* Adds the uses of a population's ids, and of its arrays of which callbacks name any agents. */
static void add_anywhere_uses(mass_compiler *c, uint32_t population, uint32_t use)
{
    const mass_population_def *p = &c->m->populations[population];
    for (uint32_t i = 0; i < p->array_count; i++)
        if (i == 0 || c->m->arrays[p->first_array + i].anywhere)
            mass_compile_use(c, MASS_DATA_AGENTS, p->first_array + i, use);
}

/* Returns true if the operation's result for a population is there from an earlier phase of the list: no agent has
 * moved since. */
static bool is_there(const mass_compiler *c, mass_plan_kind kind, uint32_t population)
{
    for (uint32_t i = c->to->count; i > 0; i--) {
        const mass_plan_operation *op = &c->to->list[i - 1];
        if (op->kind == kind && op->index == population) return true;
        if ((op->kind == MASS_PLAN_MANAGE || op->kind == MASS_PLAN_SPROUT || op->kind == MASS_PLAN_POPULATE ||
             (op->kind == MASS_PLAN_RESTORE && c->m->phases[op->phase].population >= 0)) &&
            op->index == population)
            return false;
    }
    return false;
}

/* Adds what a phase needs that names any agents, or free places: to gather agents of all ranks, to index their ids,
 * to find full places. An operation that is there already is not added again; but in a split space, agents are gathered
 * and indexed for each phase. */
static void add_everybody(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    const bool split = mass_share_is_split(&c->d->share);
    for (uint32_t k = 0; k < phase->population_count; k++) {
        const uint32_t p = phase->populations[k];
        if (!mass_phase_meets_anybody(phase, p)) continue;
        if (split) {
            mass_compile_operation(c, MASS_PLAN_GATHER, index, p);
            add_anywhere_uses(c, p, MASS_READS);
        }
        if (!mass_phase_finds_ids(phase, p) || (!split && is_there(c, MASS_PLAN_INDEX, p))) continue;
        mass_compile_operation(c, MASS_PLAN_INDEX, index, p);
        mass_compile_use(c, MASS_DATA_AGENTS, c->m->populations[p].first_array, MASS_READS);
    }
    if (!mass_phase_seeks_places(phase)) return;
    const uint32_t own = (uint32_t)phase->population;
    if (c->d->populations[own].occupancy.device && !split) return; /* the bitmap has them */
    if (is_there(c, MASS_PLAN_FULL, own)) return;
    mass_compile_operation(c, MASS_PLAN_FULL, index, own);
    mass_compile_use(c, MASS_DATA_ORDER, own, MASS_READS);
}

/* Adds a COLLECT for each array of any agents to which the phase adds, once. Does nothing if no space is divided. */
static void add_collects(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        if (!mass_phase_is_anywhere(phase, i) || is_repeated(phase, i) ||
            !(mass_access_of(phase->targets[i].access)->effect & MASS_EFFECT_ADDS))
            continue;
        mass_compile_operation(c, MASS_PLAN_COLLECT, index, phase->targets[i].index);
        mass_compile_use(c, MASS_DATA_AGENTS, phase->targets[i].index, MASS_READS | MASS_WRITES);
    }
}

/* Adds a SWAP for each array with separate old and new values. */
static void add_swaps(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        if (!mass_phase_swaps(phase, c->m, i)) continue;
        mass_compile_operation(c, MASS_PLAN_SWAP, index, 0);
        mass_compile_use(c, MASS_DATA_PLACES, phase->targets[i].index, 0);
    }
}

/* Returns true if an earlier field of the phase has the same memory apart. */
static bool is_apart_already(const mass_compiler *c, const mass_phase_def *phase, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (phase->targets[k].index == phase->targets[i].index && data_of(c->d, phase, k) == data_of(c->d, phase, i))
            return true;
    return false;
}

/* Adds a NEARBY, or an ADD_NEARBY, for each population of which a field has memory of its own. */
static void add_nearby(mass_compiler *c, mass_plan_kind kind, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t k = 0; k < phase->population_count; k++) {
        bool any = false;
        for (uint32_t i = 0; i < phase->callback->field_count; i++) {
            const mass_data data = data_of(c->d, phase, i);
            const bool after = kind == MASS_PLAN_ADD_NEARBY;
            if ((data != MASS_DATA_ADDED && (data != MASS_DATA_BEFORE || after)) || is_apart_already(c, phase, i) ||
                phase->callback->fields[i].population != k)
                continue;
            if (!any) mass_compile_operation(c, kind, index, phase->populations[k]);
            any = true;
            mass_compile_use(c, data, phase->targets[i].index, after ? MASS_READS : MASS_WRITES);
            if (after || data == MASS_DATA_BEFORE)
                mass_compile_use(c, MASS_DATA_AGENTS, phase->targets[i].index,
                                 after ? MASS_READS | MASS_WRITES : MASS_READS);
        }
    }
}

/* Adds an EDGES, which brings edges that change up to date, if bodies follow such edges. */
static void add_edges(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *const phase = &c->m->phases[index];
    const int edges = mass_model_edges_of(c->m, phase->space);
    if (edges < 0 || !mass_network_is_followed(phase)) return;
    mass_compile_operation(c, MASS_PLAN_EDGES, index, (uint32_t)edges);
    mass_compile_use(c, MASS_DATA_ORDER, (uint32_t)edges, MASS_READS);
}

/* Adds a LINK for each array that bodies read of linked nodes, once. */
static void add_links(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        if (mass_phase_class(phase, i) != MASS_CLASS_LINKED || is_repeated(phase, i)) continue;
        mass_compile_operation(c, MASS_PLAN_LINK, index, phase->targets[i].index);
        mass_compile_use(c, MASS_DATA_PLACES, phase->targets[i].index, MASS_READS);
        mass_compile_use(c, MASS_DATA_LINKED, phase->targets[i].index, MASS_WRITES);
    }
}

/* ---- totals that bodies read ---- */

/* Adds the SETTLE of a tally, after an all-reduce if the tally has parts on several ranks. Clears c->counted of it.
 * before: mass_plan_operation.before. */
static void add_settle(mass_compiler *c, uint32_t phase, uint32_t tally, bool before)
{
    const bool cut = mass_share_is_split(&c->d->share);
    if (cut) {
        mass_compile_operation(c, MASS_PLAN_ALL_REDUCE, phase, tally);
        mass_compile_total(c, tally);
    }
    mass_compile_operation(c, MASS_PLAN_SETTLE, phase, tally)->before = before;
    mass_compile_use(c, cut ? MASS_DATA_TOTAL : MASS_DATA_TALLY, tally, MASS_READS);
    mass_compile_use(c, MASS_DATA_SETTLED, tally, MASS_WRITES);
    c->counted[tally] = false;
}

void mass_compile_settle_all(mass_compiler *c, bool before)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) {
        const mass_tally_def *t = &c->m->tallies[i];
        if (t->read) add_settle(c, MASS_NO_PHASE, i, before || !(t->at_start || t->reduced));
    }
}

void mass_compile_counts(mass_compiler *c, const mass_phase_def *phase)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) c->counted[i] |= mass_phase_counts(c->m, phase, i);
}

/* Settles the tallies that a phase reads, and phases before it have counted in this list. */
static void settle_for(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const uint32_t tally = phase->targets[i].index;
        if (mass_phase_class(phase, i) == MASS_CLASS_TOTAL && c->counted[tally]) add_settle(c, index, tally, false);
    }
}

/* Adds the phases of a turn that several share. Their launches are one after the other (run/bound_launch.h). */
static void compile_turn(mass_compiler *c, uint32_t first)
{
    const uint32_t end = mass_turn_end(c->m, first);
    for (uint32_t i = first; i < end; i++) settle_for(c, i);
    for (uint32_t i = first; i < end; i++) mass_compile_gate(c, i);
    mass_compile_line_up(c, first);
    for (uint32_t i = first; i < end; i++) add_launch(c, i);
    mass_compile_restore(c, first);
    for (uint32_t i = first; i < end; i++) mass_compile_counts(c, &c->m->phases[i]);
}

void mass_compile_callback(mass_compiler *c, uint32_t index)
{
    if (mass_turn_is_shared(c->m, index)) {
        if (mass_turn_begin(c->m, index) == index) compile_turn(c, index);
        return;
    }
    settle_for(c, index);
    mass_compile_gate(c, index);
    add_everybody(c, index);
    add_nearby(c, MASS_PLAN_NEARBY, index);
    add_edges(c, index);
    add_links(c, index);
    add_refreshes(c, index);
    add_exchange(c, index);
    add_halo_maps(c, MASS_PLAN_CLEAR, index);
    mass_compile_line_up(c, index);
    add_launch(c, index);
    mass_compile_restore(c, index);
    add_nearby(c, MASS_PLAN_ADD_NEARBY, index);
    add_halo_maps(c, MASS_PLAN_ADD, index);
    add_delivery(c, index);
    add_collects(c, index);
    add_swaps(c, index);
    mass_compile_counts(c, &c->m->phases[index]);
}
