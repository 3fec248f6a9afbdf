/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a model's phases to the operations of the plan. */
#include "model/network.h"
#include "model/shared_turns.h"
#include "model/total.h"
#include "plan/compile.h"
#include "plan/overlap.h"
#include "plan/phase.h"
#include "plan/stale.h"
#include "population/growth.h"

#include <stdlib.h>

mass_plan_operation *mass_compile_operation(mass_compiler *c, mass_plan_kind kind, uint32_t phase, uint32_t index)
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

void mass_compile_operand(mass_compiler *c, mass_operand operand)
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

void mass_compile_use(mass_compiler *c, mass_data data, uint32_t index, uint32_t use)
{
    mass_compile_operand(c, (mass_operand){.data = data, .index = index, .use = use});
}

/* ---- lists ---- */

/* Adds the RESET of a tally. */
static void add_reset(mass_compiler *c, uint32_t tally)
{
    mass_compile_operation(c, MASS_PLAN_RESET, MASS_NO_PHASE, tally);
    mass_compile_use(c, MASS_DATA_TALLY, tally, MASS_WRITES);
}

/* Places the populations that a phase, or one that shares its turn, uses. */
static void populate_for(mass_compiler *c, uint32_t index)
{
    for (uint32_t i = mass_turn_begin(c->m, index), end = mass_turn_end(c->m, index); i < end; i++) {
        const mass_phase_def *phase = &c->m->phases[i];
        mass_compile_populate(c, phase->population);
        mass_compile_populate(c, mass_phase_dies(c->m, phase));
        for (uint32_t k = 0; k < phase->population_count; k++) mass_compile_populate(c, (int)phase->populations[k]);
        if (phase->conditional) mass_compile_populate(c, phase->condition.population);
        if (phase->callback && mass_network_is_followed(phase))
            mass_compile_populate(c, mass_model_edges_of(c->m, phase->space));
    }
}

/* Adds all phases of a schedule, and at its end discards of requests and counts of agents. In the start, each
 * population is placed before the first phase that uses it, or at the end. */
static void add_phases(mass_compiler *c, uint32_t schedule)
{
    for (uint32_t i = 0; i < c->m->phase_count; i++) {
        const mass_phase_def *phase = &c->m->phases[i];
        if (phase->schedule != schedule || phase->replaced) continue;
        if (schedule == MASS_START) populate_for(c, i);
        if (phase->callback) mass_compile_callback(c, i);
        else mass_compile_manage(c, i);
    }
    for (uint32_t p = 0; p < c->m->population_count; p++) {
        if (schedule == MASS_START) mass_compile_populate(c, (int)p);
        mass_compile_drop(c, p, schedule);
        mass_compile_census(c, p);
    }
}

/* Adds the engine's own callbacks. They reduce attributes to tallies over the state at the end of the list. Before them
 * come the RESETs of these tallies, which add_resets leaves out. Uses c->observed; leaves c->when at ALWAYS. */
static void add_reductions(mass_compiler *c)
{
    for (uint32_t i = 0; i < c->m->tally_count; i++) {
        c->when = c->m->tallies[i].read ? MASS_ALWAYS : c->observed;
        if (c->m->tallies[i].reduced) add_reset(c, i);
    }
    for (uint32_t i = 0; i < c->m->phase_count; i++) {
        c->when = mass_phase_counts_any_read(c->m, &c->m->phases[i]) ? MASS_ALWAYS : c->observed;
        if (c->m->phases[i].schedule == MASS_OBSERVE) mass_compile_callback(c, i);
    }
    c->when = MASS_ALWAYS;
}

/* Adds the operations of the start: resets of all tallies, the phases, the reductions. SETTLEs come before the phases
 * and at the end. */
static void add_start(mass_compiler *c)
{
    c->to = &c->plan->start;
    for (uint32_t i = 0; i < c->m->tally_count; i++) add_reset(c, i);
    mass_compile_settle_all(c, true);
    add_phases(c, MASS_START);
    add_reductions(c);
    mass_compile_settle_all(c, false);
}

/* Adds the operation that stops a replay before a population outgrows its memory, if the model has births. */
static void add_guard(mass_compiler *c)
{
    if (!mass_population_can_grow(c->m)) return;
    c->when = MASS_RECORDED;
    mass_compile_operation(c, MASS_PLAN_GUARD_MEMORY, MASS_NO_PHASE, 0);
    for (uint32_t p = 0; p < c->m->population_count; p++)
        if (c->m->populations[p].children) mass_compile_use(c, MASS_DATA_ORDER, p, MASS_READS);
    c->when = MASS_ALWAYS;
}

/* Resets the tallies that start again in each step, in the steps in which they count. */
static void add_resets(mass_compiler *c)
{
    c->when = mass_schedule_looks_at_tallies(c->m) ? MASS_ALWAYS : c->observed;
    for (uint32_t i = 0; i < c->m->tally_count; i++)
        if (!c->m->tallies[i].cumulative && !c->m->tallies[i].reduced) add_reset(c, i);
    c->when = MASS_ALWAYS;
}

/* Adds the test of the stop condition. Over several ranks, an all-reduce of all tallies comes first. */
static void add_look(mass_compiler *c)
{
    const bool ranks = c->d->share.comm->size > 1;
    c->when = MASS_UNTIL;
    if (ranks) mass_compile_operation(c, MASS_PLAN_ALL_REDUCE, MASS_NO_PHASE, 0);
    for (uint32_t i = 0; ranks && i < c->m->tally_count; i++) mass_compile_total(c, i);
    mass_compile_operation(c, MASS_PLAN_LOOK, MASS_NO_PHASE, 0);
    for (uint32_t i = 0; i < c->m->tally_count; i++)
        mass_compile_use(c, ranks ? MASS_DATA_TOTAL : MASS_DATA_TALLY, i, MASS_READS);
    mass_compile_use(c, MASS_DATA_UNTIL, 0, MASS_READS | MASS_WRITES);
    c->when = MASS_ALWAYS;
}

/* Adds a loop: the phases run over the chunks of the input one after another. Then the items are counted in a tally,
 * if there is one for them. */
static void add_pass(mass_compiler *c)
{
    const mass_stream_def *stream = &c->m->stream;
    const uint32_t read = c->to->count;
    mass_compile_operation(c, MASS_PLAN_READ, MASS_NO_PHASE, stream->array);
    mass_compile_use(c, MASS_DATA_INPUT, 0, MASS_READS);
    mass_compile_operand(c, (mass_operand){.data = MASS_DATA_PLACES, .index = stream->array, .use = MASS_WRITES,
                                           .next = true});
    add_phases(c, MASS_STEP);
    mass_compile_operation(c, MASS_PLAN_CONSUMED, MASS_NO_PHASE, stream->array)->to = read;
    if (!c->failed) c->to->list[read].to = c->to->count;
    if (stream->total < 0) return;
    mass_compile_operation(c, MASS_PLAN_COUNT, MASS_NO_PHASE, (uint32_t)stream->total);
    mass_compile_use(c, MASS_DATA_TALLY, (uint32_t)stream->total, MASS_WRITES);
}

/* Adds the operations of a step: the guard, resets, the phases or the pass of a stream, the reductions, SETTLEs, and
 * the look at the condition. */
static void add_step(mass_compiler *c)
{
    c->to = &c->plan->step;
    c->observed = MASS_OBSERVED;
    add_guard(c);
    add_resets(c);
    if (c->m->stream.read) add_pass(c);
    else add_phases(c, MASS_STEP);
    add_reductions(c);
    mass_compile_settle_all(c, false);
    add_look(c);
}

/* ---- the plan ---- */

/* Gives each operation of a list the address of its operands, from *next on. Moves *next behind them. */
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
    mass_compiler c = {.d = d, .m = d->model, .plan = plan, .observed = MASS_ALWAYS};
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
    mass_compile_settle_all(&c, false);
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
