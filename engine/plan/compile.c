/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a model's phases to the operations of the plan. */
#include "model/anybody.h"
#include "model/total.h"
#include "plan/overlap.h"
#include "plan/phase.h"
#include "plan/plan.h"
#include "plan/stale.h"
#include "population/growth.h"
#include "population/requests.h"

#include <stdlib.h>

/* A list under construction. All operands share one array, which moves as it grows. While the array grows, an
 * operation has only the number of its operands. It gets their address at the end. */
typedef struct compiler {
    const mass_domain *d;
    const mass_model *m;
    mass_plan *plan;
    mass_plan_list *to;
    uint32_t operand_count;
    mass_manage_order *orders; /* by phase */
    bool *counted; /* by tally: its value has changed since it was settled */
    mass_when when;     /* when the added operations run */
    mass_when observed; /* when operations that serve only tallies run: ALWAYS in lists that end with a report of
                           tallies */
    bool failed;    /* memory ran out */
} compiler;

/* Appends an operation to the list. After a failure, returns a scratch operation that nobody reads. */
static mass_plan_operation *add(compiler *c, mass_plan_kind kind, uint32_t phase, uint32_t index)
{
    static mass_plan_operation none;
    if (c->failed) return &none;
    mass_plan_operation *list = realloc(c->to->list, (c->to->count + 1) * sizeof *list);
    if (!list) {
        c->failed = true;
        return &none;
    }
    c->to->list = list;
    list[c->to->count] = (mass_plan_operation){.kind = kind, .when = c->when, .phase = phase, .index = index,
                                          .counts = MASS_NEVER};
    return &list[c->to->count++];
}

/* Adds an operand to the last operation. */
static void add_operand(compiler *c, mass_operand operand)
{
    if (c->failed) return;
    mass_operand *operands = realloc(c->plan->operands, (c->operand_count + 1) * sizeof *operands);
    if (!operands) {
        c->failed = true;
        return;
    }
    c->plan->operands = operands;
    operands[c->operand_count++] = operand;
    c->to->list[c->to->count - 1].operand_count++;
}

static void add_use(compiler *c, mass_data data, uint32_t index, uint32_t use)
{
    add_operand(c, (mass_operand){.data = data, .index = index, .use = use});
}

/* ---- callbacks ---- */

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
    default: return MASS_DATA_PLACES;
    }
}

/* Returns true if the field adds to places of other partitions, by way of ghosts. */
static bool is_scattered(uint32_t access) { return mass_access_of(access)->buffer == MASS_BUFFER_CLEARED; }

/* Returns the axes along which a callback over places writes the ghosts of its own places in the same launch. */
static uint32_t pushed_by(const mass_domain *d, const mass_phase_def *phase, uint32_t array)
{
    const mass_launch_operations *launch = d->device->table->launch;
    if (phase->callback->over == MASS_OVER_AGENTS || (d->model->arrays[array].bits && !launch->pushes_bits)) return 0;
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
static void add_total(compiler *c, uint32_t tally)
{
    add_use(c, MASS_DATA_TALLY, tally, MASS_READS);
    add_use(c, MASS_DATA_TOTAL, tally, MASS_WRITES);
}

/* Adds the test of a conditional phase, after an all-reduce if the tally has parts on several ranks. */
static void add_gate(compiler *c, uint32_t index)
{
    const mass_condition_def *condition = &c->m->phases[index].condition;
    const bool cut = mass_share_is_split(&c->d->share);
    if (!c->m->phases[index].conditional) return;
    if (cut) {
        add(c, MASS_PLAN_ALL_REDUCE, index, condition->tally);
        add_total(c, condition->tally);
    }
    add(c, MASS_PLAN_GATE, index, 0);
    add_use(c, cut ? MASS_DATA_TOTAL : MASS_DATA_TALLY, condition->tally, MASS_READS);
    if (condition->parameter >= 0) add_use(c, MASS_DATA_PARAMETER, (uint32_t)condition->parameter, MASS_READS);
    if (condition->population >= 0) add_use(c, MASS_DATA_ORDER, (uint32_t)condition->population, MASS_READS);
    add_use(c, MASS_DATA_GATES, index, MASS_WRITES);
}

/* Adds a REFRESH for each array that the phase reads around a place. */
static void add_refreshes(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!mass_phase_reads_around(phase, t->access) || is_repeated(phase, i)) continue;
        add(c, MASS_PLAN_REFRESH, index, t->index);
        add_use(c, MASS_DATA_PLACES, t->index, MASS_READS);
        add_use(c, MASS_DATA_GHOSTS, t->index, MASS_WRITES);
    }
}

/* Adds the EXCHANGE that fills the ghosts which show other ranks' places, each array once. */
static void add_exchange(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    bool any = false;
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        bool read = mass_phase_reads_around(phase, t->access);
        for (uint32_t k = 0; k < i; k++)
            read &= phase->targets[k].index != t->index || !mass_phase_reads_around(phase, phase->targets[k].access);
        if (!read) continue;
        if (!any) add(c, MASS_PLAN_EXCHANGE, index, 0);
        add_use(c, MASS_DATA_PLACES, t->index, MASS_READS);
        add_use(c, MASS_DATA_GHOSTS, t->index, MASS_WRITES);
        any = true;
    }
}

/* Adds CLEAR or ADD for each array with additions to other places. Only a split space has such ghosts. */
static void add_halo_maps(compiler *c, mass_plan_kind kind, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; c->d->share.partitions > 1 && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!is_scattered(t->access)) continue;
        add(c, kind, index, t->index)->reach = phase->reach;
        add_use(c, MASS_DATA_GHOSTS, t->index, kind == MASS_PLAN_CLEAR ? MASS_WRITES : MASS_READS);
        if (kind == MASS_PLAN_ADD) add_use(c, MASS_DATA_PLACES, t->index, MASS_READS | MASS_WRITES);
    }
}

/* Adds the DELIVER that sends to other ranks the sums which the ADDs of the phase leave in ghosts. */
static void add_delivery(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    bool any = false;
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        const mass_target *t = &phase->targets[i];
        if (!is_scattered(t->access)) continue;
        if (!any) add(c, MASS_PLAN_DELIVER, index, 0)->reach = phase->reach;
        add_use(c, MASS_DATA_GHOSTS, t->index, MASS_READS);
        add_use(c, MASS_DATA_PLACES, t->index, MASS_READS | MASS_WRITES);
        any = true;
    }
}

/* Returns the steps in which the tallies of a phase count. */
static mass_when counts_of(const compiler *c, const mass_phase_def *phase)
{
    if (!phase->tallies) return MASS_NEVER;
    return mass_phase_counts_always(c->m, phase) ? MASS_ALWAYS : c->observed;
}

/* Adds the order of the phase's own population, and of others if the phase requires their order. */
static void add_orders(compiler *c, const mass_phase_def *phase)
{
    for (uint32_t p = 0; p < c->m->population_count; p++) {
        const mass_order order = mass_order_required(c->d, phase, p);
        if (phase->population != (int32_t)p && order == MASS_ORDER_ANY) continue;
        add_operand(c, (mass_operand){.data = MASS_DATA_ORDER, .index = p, .use = MASS_READS, .order = order});
    }
}

/* Adds the launch: operand i is field i. Ghosts, orders, requests and gates follow. */
static void add_launch(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    mass_plan_operation *launch = add(c, MASS_PLAN_LAUNCH, index, 0);
    launch->counts = counts_of(c, phase);
    if (c->when == MASS_ALWAYS && mass_phase_only_counts(phase)) launch->when = launch->counts;
    for (uint32_t i = 0; i < phase->callback->field_count; i++) add_operand(c, operand_of(c->d, phase, i));
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        if (mass_phase_reads_around(phase, phase->targets[i].access) && !is_repeated(phase, i))
            add_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_READS, .valid = MASS_AXES_ALL});
        else if (is_scattered(phase->targets[i].access) && c->d->share.partitions > 1)
            add_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_READS | MASS_WRITES, .reach = phase->reach});
        else if (operand_of(c->d, phase, i).valid)
            add_operand(c, (mass_operand){.data = MASS_DATA_GHOSTS, .index = phase->targets[i].index,
                                          .use = MASS_WRITES, .next = mass_phase_swaps(phase, c->m, i),
                                          .valid = operand_of(c->d, phase, i).valid});
    add_orders(c, phase);
    for (uint32_t p = 0; p < c->m->population_count; p++)
        if (mass_phase_asks(phase, p) || mass_phase_may_sprout(c->m, phase, p))
            add_use(c, MASS_DATA_REQUESTS, p, MASS_READS | MASS_WRITES);
    if (phase->conditional) add_use(c, MASS_DATA_GATES, index, MASS_READS);
}

/* ---- any agents of the world, and free places ---- */

/* Adds the uses of the arrays of a population of which callbacks name any agents. */
static void add_anywhere_uses(compiler *c, uint32_t population, uint32_t use)
{
    const mass_population_def *p = &c->m->populations[population];
    for (uint32_t i = 0; i < p->array_count; i++)
        if (i == 0 || c->m->arrays[p->first_array + i].anywhere)
            add_use(c, MASS_DATA_AGENTS, p->first_array + i, use);
}

/* Returns true if the operation's result for a population is there from an earlier phase of the list: no agent has
 * moved since. */
static bool is_there(const compiler *c, mass_plan_kind kind, uint32_t population)
{
    for (uint32_t i = c->to->count; i > 0; i--) {
        const mass_plan_operation *op = &c->to->list[i - 1];
        if (op->kind == kind && op->index == population) return true;
        if ((op->kind == MASS_PLAN_MANAGE || op->kind == MASS_PLAN_SPROUT || op->kind == MASS_PLAN_POPULATE) &&
            op->index == population)
            return false;
    }
    return false;
}

/* Adds what a phase needs that names any agents, or free places. */
static void add_everybody(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    const bool split = mass_share_is_split(&c->d->share);
    for (uint32_t k = 0; k < phase->population_count; k++) {
        const uint32_t p = phase->populations[k];
        if (!mass_phase_meets_anybody(phase, p)) continue;
        if (split) {
            add(c, MASS_PLAN_GATHER, index, p);
            add_anywhere_uses(c, p, MASS_READS);
        }
        if (!mass_phase_finds_ids(phase, p) || (!split && is_there(c, MASS_PLAN_INDEX, p))) continue;
        add(c, MASS_PLAN_INDEX, index, p);
        add_use(c, MASS_DATA_AGENTS, c->m->populations[p].first_array, MASS_READS);
    }
    if (!mass_phase_seeks_places(phase)) return;
    const uint32_t own = (uint32_t)phase->population;
    if (c->d->populations[own].occupancy.device && !split) return; /* the bitmap has them */
    if (is_there(c, MASS_PLAN_FULL, own)) return;
    add(c, MASS_PLAN_FULL, index, own);
    add_use(c, MASS_DATA_ORDER, own, MASS_READS);
}

/* Adds a COLLECT for each array of agents that ranks add to. */
static void add_collects(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; mass_share_is_split(&c->d->share) && i < phase->callback->field_count; i++) {
        if (!mass_phase_is_anywhere(phase, i) || is_repeated(phase, i) ||
            !(mass_access_of(phase->targets[i].access)->effect & MASS_EFFECT_ADDS))
            continue;
        add(c, MASS_PLAN_COLLECT, index, phase->targets[i].index);
        add_use(c, MASS_DATA_AGENTS, phase->targets[i].index, MASS_READS | MASS_WRITES);
    }
}

/* Adds a SWAP for each array with separate old and new values. */
static void add_swaps(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        if (!mass_phase_swaps(phase, c->m, i)) continue;
        add(c, MASS_PLAN_SWAP, index, 0);
        add_use(c, MASS_DATA_PLACES, phase->targets[i].index, 0);
    }
}

/* Returns true if an earlier field of the phase has the same memory apart. */
static bool is_apart_already(const compiler *c, const mass_phase_def *phase, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (phase->targets[k].index == phase->targets[i].index && data_of(c->d, phase, k) == data_of(c->d, phase, i))
            return true;
    return false;
}

/* Adds a NEARBY, or an ADD_NEARBY, for each population of which a field has memory of its own. */
static void add_nearby(compiler *c, mass_plan_kind kind, uint32_t index)
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
            if (!any) add(c, kind, index, phase->populations[k]);
            any = true;
            add_use(c, data, phase->targets[i].index, after ? MASS_READS : MASS_WRITES);
            if (after || data == MASS_DATA_BEFORE)
                add_use(c, MASS_DATA_AGENTS, phase->targets[i].index, after ? MASS_READS | MASS_WRITES : MASS_READS);
        }
    }
}

/* ---- totals that bodies read ---- */

/* Adds the SETTLE of a tally, after an all-reduce if the tally has parts on several ranks. */
static void add_settle(compiler *c, uint32_t phase, uint32_t tally, bool before)
{
    const bool cut = mass_share_is_split(&c->d->share);
    if (cut) {
        add(c, MASS_PLAN_ALL_REDUCE, phase, tally);
        add_total(c, tally);
    }
    add(c, MASS_PLAN_SETTLE, phase, tally)->before = before;
    add_use(c, cut ? MASS_DATA_TOTAL : MASS_DATA_TALLY, tally, MASS_READS);
    add_use(c, MASS_DATA_SETTLED, tally, MASS_WRITES);
    c->counted[tally] = false;
}

/* Adds the SETTLE of every tally that a body reads; before: of those that the start does not count. */
static void settle_all(compiler *c, bool before)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) {
        const mass_tally_def *t = &c->m->tallies[i];
        if (t->read) add_settle(c, MASS_NO_PHASE, i, before || !(t->at_start || t->reduced));
    }
}

/* Notes which tallies a phase counts. */
static void note_counts(compiler *c, const mass_phase_def *phase)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) c->counted[i] |= mass_phase_counts(c->m, phase, i);
}

/* Settles the tallies that a phase reads, and phases before it have counted in this list. */
static void settle_for(compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const uint32_t tally = phase->targets[i].index;
        if (mass_phase_class(phase, i) == MASS_CLASS_TOTAL && c->counted[tally]) add_settle(c, index, tally, false);
    }
}

/* All operations of a phase with a callback. */
static void add_callback(compiler *c, uint32_t index)
{
    settle_for(c, index);
    add_gate(c, index);
    add_everybody(c, index);
    add_nearby(c, MASS_PLAN_NEARBY, index);
    add_refreshes(c, index);
    add_exchange(c, index);
    add_halo_maps(c, MASS_PLAN_CLEAR, index);
    add_launch(c, index);
    add_nearby(c, MASS_PLAN_ADD_NEARBY, index);
    add_halo_maps(c, MASS_PLAN_ADD, index);
    add_delivery(c, index);
    add_collects(c, index);
    add_swaps(c, index);
    note_counts(c, &c->m->phases[index]);
}

/* ---- populations ---- */

/* Adds the operands of a manage that copies agents from the present buffers to the next ones. */
static void add_moves(compiler *c, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    const int tallies[] = {(int)p->next_id, p->born, p->died, p->unborn};
    for (uint32_t next = 0; next < 2; next++) {
        const uint32_t use = next ? MASS_WRITES : MASS_READS;
        add_operand(c, (mass_operand){.data = MASS_DATA_ORDER, .index = population, .use = use, .next = next});
        for (uint32_t i = 0; i < p->array_count; i++)
            add_operand(c, (mass_operand){.data = MASS_DATA_AGENTS, .index = p->first_array + i, .use = use,
                                          .next = next});
    }
    for (uint32_t i = 0; i < p->array_count; i++)
        if (c->m->arrays[p->first_array + i].child) add_use(c, MASS_DATA_CHILDREN, p->first_array + i, MASS_READS);
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        if (tallies[i] >= 0) add_use(c, MASS_DATA_TALLY, (uint32_t)tallies[i], MASS_READS | MASS_WRITES);
}

/* Adds the operands of a manage that keeps agents in place: it writes their order and one array. */
static void add_changes(compiler *c, uint32_t population)
{
    add_use(c, MASS_DATA_ORDER, population, MASS_READS | MASS_WRITES);
    add_use(c, MASS_DATA_AGENTS, c->m->populations[population].first_array + 1, MASS_WRITES);
}

/* Adds the operation by which a manage adds the agents that places bring forth, after its swap. */
static void add_sprout(compiler *c, uint32_t index, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    const int tallies[] = {(int)p->next_id, p->born, p->unborn};
    if (p->sprouts == 0) return;
    add(c, MASS_PLAN_SPROUT, index, population)->counts = c->observed;
    add_use(c, MASS_DATA_REQUESTS, population, MASS_READS | MASS_WRITES);
    add_use(c, MASS_DATA_ORDER, population, MASS_READS | MASS_WRITES);
    for (uint32_t i = p->first_array; i < p->first_array + p->array_count; i++) {
        add_use(c, MASS_DATA_AGENTS, i, MASS_READS | MASS_WRITES);
        if (c->m->arrays[i].sprout) add_use(c, MASS_DATA_SPROUTS, i, MASS_READS | MASS_WRITES);
    }
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        if (tallies[i] >= 0) add_use(c, MASS_DATA_TALLY, (uint32_t)tallies[i], MASS_READS | MASS_WRITES);
    if (c->m->phases[index].conditional) add_use(c, MASS_DATA_GATES, index, MASS_READS);
}

/* Adds the count of a population's agents, if the model has a tally for it. A body may read it in every step. */
static void add_census(compiler *c, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    if (p->alive < 0) return;
    if (!c->m->tallies[p->alive].needed) c->when = c->observed;
    add(c, MASS_PLAN_CENSUS, MASS_NO_PHASE, population);
    add_use(c, MASS_DATA_ORDER, population, MASS_READS);
    add_use(c, MASS_DATA_TALLY, (uint32_t)p->alive, MASS_WRITES);
    c->when = MASS_ALWAYS;
}

/* Returns true if a phase counts a tally that a body reads. */
static bool counts_a_read_tally(const mass_model *m, const mass_phase_def *phase)
{
    bool counts = false;
    for (uint32_t i = 0; i < m->tally_count; i++) counts |= m->tallies[i].read && mass_phase_counts(m, phase, i);
    return counts;
}

/* Adds the manage of a population, its gate and its swap. */
static void add_manage(compiler *c, uint32_t index)
{
    const uint32_t population = (uint32_t)c->m->phases[index].population;
    const mass_manage_order order = c->orders[index];
    add_gate(c, index);
    mass_plan_operation *const manage = add(c, MASS_PLAN_MANAGE, index, population);
    manage->counts = counts_a_read_tally(c->m, &c->m->phases[index]) ? MASS_ALWAYS : c->observed;
    manage->order = order;
    add_use(c, MASS_DATA_REQUESTS, population, MASS_READS | MASS_WRITES);
    if (order.leaves == MASS_ORDER_ANY) add_changes(c, population);
    else add_moves(c, population);
    if (c->m->phases[index].conditional) add_use(c, MASS_DATA_GATES, index, MASS_READS);
    add(c, MASS_PLAN_SWAP, index, 0)->order = order;
    add_use(c, MASS_DATA_ORDER, population, 0);
    add_sprout(c, index, population);
    const int alive = c->m->populations[population].alive;
    if (alive >= 0 && c->m->tallies[alive].read) add_census(c, population);
    note_counts(c, &c->m->phases[index]);
}

/* Adds the operation that places the first agents of a population, once a list. */
static void add_populate(compiler *c, int population)
{
    if (population < 0) return;
    for (uint32_t i = 0; i < c->to->count; i++)
        if (c->to->list[i].kind == MASS_PLAN_POPULATE && c->to->list[i].index == (uint32_t)population) return;
    const mass_population_def *p = &c->m->populations[population];
    add(c, MASS_PLAN_POPULATE, MASS_NO_PHASE, (uint32_t)population);
    for (uint32_t i = 0; i < p->array_count; i++) add_use(c, MASS_DATA_AGENTS, p->first_array + i, MASS_WRITES);
    add_use(c, MASS_DATA_ORDER, (uint32_t)population, MASS_WRITES);
    add_use(c, MASS_DATA_REQUESTS, (uint32_t)population, MASS_WRITES);
}

/* Adds a DISCARD if requests can remain at the end of the schedule. */
static void add_drop(compiler *c, uint32_t population, uint32_t schedule)
{
    if (!mass_schedule_leaves_requests(c->m, population, schedule)) return;
    add(c, MASS_PLAN_DISCARD, MASS_NO_PHASE, population)->ignored = mass_schedule_lacks_manage(c->m, population,
                                                                                               schedule);
    add_use(c, MASS_DATA_REQUESTS, population, MASS_WRITES);
}

/* ---- lists ---- */

static void add_reset(compiler *c, uint32_t tally)
{
    add(c, MASS_PLAN_RESET, MASS_NO_PHASE, tally);
    add_use(c, MASS_DATA_TALLY, tally, MASS_WRITES);
}

/* Adds all phases of a schedule. A population is placed before the first phase that uses it. */
static void add_phases(compiler *c, uint32_t schedule)
{
    for (uint32_t i = 0; i < c->m->phase_count; i++) {
        const mass_phase_def *phase = &c->m->phases[i];
        if (phase->schedule != schedule || phase->replaced) continue;
        if (schedule == MASS_START) {
            add_populate(c, phase->population);
            for (uint32_t k = 1; k < phase->population_count; k++) add_populate(c, (int)phase->populations[k]);
            if (phase->conditional) add_populate(c, phase->condition.population);
        }
        if (phase->callback) add_callback(c, i);
        else add_manage(c, i);
    }
    for (uint32_t p = 0; p < c->m->population_count; p++) {
        if (schedule == MASS_START) add_populate(c, (int)p);
        add_drop(c, p, schedule);
        add_census(c, p);
    }
}

/* Adds the engine's own callbacks. They reduce attributes to tallies over the state at the end of the list. */
static void add_reductions(compiler *c)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) {
        c->when = c->m->tallies[i].read ? MASS_ALWAYS : c->observed;
        if (c->m->tallies[i].reduced) add_reset(c, i);
    }
    for (uint32_t i = 0; i < c->m->phase_count; i++) {
        c->when = counts_a_read_tally(c->m, &c->m->phases[i]) ? MASS_ALWAYS : c->observed;
        if (c->m->phases[i].schedule == MASS_OBSERVE) add_callback(c, i);
    }
    c->when = MASS_ALWAYS;
}

static void add_start(compiler *c)
{
    c->to = &c->plan->start;
    for (uint32_t i = 0; i < c->m->tally_count; i++) add_reset(c, i);
    settle_all(c, true);
    add_phases(c, MASS_START);
    add_reductions(c);
    settle_all(c, false);
}

/* Adds the operation that stops a replay before a population outgrows its memory. */
static void add_guard(compiler *c)
{
    if (!mass_population_can_grow(c->m)) return;
    c->when = MASS_RECORDED;
    add(c, MASS_PLAN_GUARD_MEMORY, MASS_NO_PHASE, 0);
    for (uint32_t p = 0; p < c->m->population_count; p++)
        if (c->m->populations[p].children) add_use(c, MASS_DATA_ORDER, p, MASS_READS);
    c->when = MASS_ALWAYS;
}

/* Resets the tallies that start again in each step, in the steps in which they count. */
static void add_resets(compiler *c)
{
    c->when = mass_schedule_looks_at_tallies(c->m) ? MASS_ALWAYS : c->observed;
    for (uint32_t i = 0; i < c->m->tally_count; i++)
        if (!c->m->tallies[i].cumulative && !c->m->tallies[i].reduced) add_reset(c, i);
    c->when = MASS_ALWAYS;
}

/* Adds the test of the stop condition. Over several ranks, an all-reduce of all tallies comes first. */
static void add_look(compiler *c)
{
    const bool ranks = c->d->share.comm->size > 1;
    c->when = MASS_UNTIL;
    if (ranks) add(c, MASS_PLAN_ALL_REDUCE, MASS_NO_PHASE, 0);
    for (uint32_t i = 0; ranks && i < c->m->tally_count; i++) add_total(c, i);
    add(c, MASS_PLAN_LOOK, MASS_NO_PHASE, 0);
    for (uint32_t i = 0; i < c->m->tally_count; i++)
        add_use(c, ranks ? MASS_DATA_TOTAL : MASS_DATA_TALLY, i, MASS_READS);
    add_use(c, MASS_DATA_UNTIL, 0, MASS_READS | MASS_WRITES);
    c->when = MASS_ALWAYS;
}

/* Adds a loop: the phases run over the chunks of the input one after another. */
static void add_pass(compiler *c)
{
    const mass_stream_def *stream = &c->m->stream;
    const uint32_t read = c->to->count;
    add(c, MASS_PLAN_READ, MASS_NO_PHASE, stream->array);
    add_use(c, MASS_DATA_INPUT, 0, MASS_READS);
    add_operand(c, (mass_operand){.data = MASS_DATA_PLACES, .index = stream->array, .use = MASS_WRITES, .next = true});
    add_phases(c, MASS_STEP);
    add(c, MASS_PLAN_CONSUMED, MASS_NO_PHASE, stream->array)->to = read;
    if (!c->failed) c->to->list[read].to = c->to->count;
    if (stream->total < 0) return;
    add(c, MASS_PLAN_COUNT, MASS_NO_PHASE, (uint32_t)stream->total);
    add_use(c, MASS_DATA_TALLY, (uint32_t)stream->total, MASS_WRITES);
}

static void add_step(compiler *c)
{
    c->to = &c->plan->step;
    c->observed = MASS_OBSERVED;
    add_guard(c);
    add_resets(c);
    if (c->m->stream.read) add_pass(c);
    else add_phases(c, MASS_STEP);
    add_reductions(c);
    settle_all(c, false);
    add_look(c);
}

/* ---- the plan ---- */

/* Gives each operation of a list the address of its operands. */
static void point_at_operands(mass_plan_list *to, const mass_operand **next)
{
    for (uint32_t i = 0; i < to->count; i++) {
        to->list[i].operands = *next;
        *next += to->list[i].operand_count;
    }
}

mass_status mass_plan_create(const mass_domain *d, mass_plan **out, mass_error *error)
{
    mass_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return mass_error_memory(error, sizeof *plan, "the plan");
    compiler c = {.d = d, .m = d->model, .plan = plan, .observed = MASS_ALWAYS};
    c.orders = malloc((d->model->phase_count + 1) * sizeof *c.orders);
    c.counted = calloc(d->model->tally_count + 1, sizeof *c.counted);
    if (!c.orders || !c.counted) {
        free(c.orders);
        free(c.counted);
        free(plan);
        return mass_error_memory(error, (d->model->phase_count + 1) * sizeof *c.orders, "the plan");
    }
    mass_order_settle(d, c.orders);
    add_start(&c);
    add_step(&c);
    c.to = &plan->observe;
    c.observed = MASS_ALWAYS;
    add_reductions(&c);
    settle_all(&c, false);
    free(c.orders);
    free(c.counted);
    const mass_operand *next = plan->operands;
    point_at_operands(&plan->start, &next);
    point_at_operands(&plan->step, &next);
    point_at_operands(&plan->observe, &next);
    if (c.failed || !mass_plan_find_stale(d, plan)) {
        mass_plan_free(plan);
        return mass_error_memory(error, c.operand_count * sizeof *plan->operands, "the plan");
    }
    mass_plan_find_overlaps(d, &plan->start);
    mass_plan_find_overlaps(d, &plan->step);
    *out = plan;
    return MASS_OK;
}
