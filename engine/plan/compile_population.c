/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles what happens to populations: the first agents, manages, requests that are dropped, and counts. */
#include "model/network.h"
#include "model/shared_turns.h"
#include "model/total.h"
#include "plan/compile.h"
#include "plan/phase.h"
#include "population/requests.h"

/* Adds the operands of a manage that copies agents from the present buffers to the next ones, with the children's
 * values that it reads and the tallies that it adds to. */
static void add_moves(mass_compiler *c, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    const int tallies[] = {(int)p->next_id, p->born, p->died, p->unborn};
    for (uint32_t next = 0; next < 2; next++) {
        const uint32_t use = next ? MASS_WRITES : MASS_READS;
        mass_compile_operand(c, (mass_operand){.data = MASS_DATA_ORDER, .index = population, .use = use, .next = next});
        for (uint32_t i = 0; i < p->array_count; i++)
            mass_compile_operand(c, (mass_operand){.data = MASS_DATA_AGENTS, .index = p->first_array + i, .use = use,
                                          .next = next});
    }
    for (uint32_t i = 0; i < p->array_count; i++)
        if (c->m->arrays[p->first_array + i].child)
            mass_compile_use(c, MASS_DATA_CHILDREN, p->first_array + i, MASS_READS);
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        if (tallies[i] >= 0) mass_compile_use(c, MASS_DATA_TALLY, (uint32_t)tallies[i], MASS_READS | MASS_WRITES);
}

/* Adds the operands of a manage that keeps agents in place: it writes their order and one array. */
static void add_changes(mass_compiler *c, uint32_t population)
{
    mass_compile_use(c, MASS_DATA_ORDER, population, MASS_READS | MASS_WRITES);
    mass_compile_use(c, MASS_DATA_AGENTS, c->m->populations[population].first_array + 1, MASS_WRITES);
}

/* Adds the operation by which a manage adds the agents that places bring forth, after its swap. Adds nothing if places
 * bring forth none. */
static void add_sprout(mass_compiler *c, uint32_t index, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    const int tallies[] = {(int)p->next_id, p->born, p->unborn};
    if (p->sprouts == 0) return;
    mass_compile_operation(c, MASS_PLAN_SPROUT, index, population)->counts = c->observed;
    mass_compile_use(c, MASS_DATA_REQUESTS, population, MASS_READS | MASS_WRITES);
    mass_compile_use(c, MASS_DATA_ORDER, population, MASS_READS | MASS_WRITES);
    for (uint32_t i = p->first_array; i < p->first_array + p->array_count; i++) {
        mass_compile_use(c, MASS_DATA_AGENTS, i, MASS_READS | MASS_WRITES);
        if (c->m->arrays[i].sprout) mass_compile_use(c, MASS_DATA_SPROUTS, i, MASS_READS | MASS_WRITES);
    }
    for (size_t i = 0; i < sizeof tallies / sizeof *tallies; i++)
        if (tallies[i] >= 0) mass_compile_use(c, MASS_DATA_TALLY, (uint32_t)tallies[i], MASS_READS | MASS_WRITES);
    if (c->m->phases[index].conditional) mass_compile_use(c, MASS_DATA_GATES, index, MASS_READS);
}

void mass_compile_census(mass_compiler *c, uint32_t population)
{
    const mass_population_def *p = &c->m->populations[population];
    if (p->alive < 0) return;
    if (!c->m->tallies[p->alive].needed) c->when = c->observed;
    mass_compile_operation(c, MASS_PLAN_CENSUS, MASS_NO_PHASE, population);
    mass_compile_use(c, MASS_DATA_ORDER, population, MASS_READS);
    mass_compile_use(c, MASS_DATA_TALLY, (uint32_t)p->alive, MASS_WRITES);
    c->when = MASS_ALWAYS;
}

void mass_compile_line_up(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    uint32_t seen[MASS_POPULATIONS_MAX];
    if (!mass_phase_is_in_turn(phase)) return;
    mass_compile_operation(c, MASS_PLAN_LINE_UP, index,
                           mass_phase_turns_places(phase) ? phase->space : (uint32_t)phase->population);
    for (uint32_t k = 0, count = mass_turn_populations(c->m, index, seen); k < count; k++)
        mass_compile_operand(c, (mass_operand){.data = MASS_DATA_ORDER, .index = seen[k], .use = MASS_READS,
                                               .order = MASS_ORDER_SORTED});
    if (phase->conditional) mass_compile_use(c, MASS_DATA_GATES, index, MASS_READS);
}

/* Returns true if a phase of a turn counts a tally that a body reads. */
static bool turn_counts_any_read(const mass_model *m, uint32_t first)
{
    bool counts = false;
    for (uint32_t i = first, end = mass_turn_end(m, first); i < end; i++)
        counts |= mass_phase_counts_any_read(m, &m->phases[i]);
    return counts;
}

/* Takes back what places have become in a turn, and brings each population that its phases see back to canonical
 * order. */
void mass_compile_restore(mass_compiler *c, uint32_t index)
{
    const mass_phase_def *phase = &c->m->phases[index];
    uint32_t seen[MASS_POPULATIONS_MAX];
    if (!mass_phase_is_in_turn(phase)) return;
    if (mass_phase_turns_places(phase)) mass_compile_operation(c, MASS_PLAN_RESTORE, index, phase->space);
    for (uint32_t k = 0, count = mass_turn_populations(c->m, index, seen); k < count; k++) {
        const int alive = c->m->populations[seen[k]].alive;
        mass_compile_operation(c, MASS_PLAN_RESTORE, index, seen[k])->counts =
            turn_counts_any_read(c->m, index) ? MASS_ALWAYS : c->observed;
        add_moves(c, seen[k]);
        if (alive >= 0 && c->m->tallies[alive].needed) mass_compile_census(c, seen[k]);
    }
}

/* Adds the manage of a population, its gate and its swap. */
void mass_compile_manage(mass_compiler *c, uint32_t index)
{
    const uint32_t population = (uint32_t)c->m->phases[index].population;
    const mass_manage_order order = c->orders[index];
    mass_compile_gate(c, index);
    if (mass_model_is_of_edges(c->m, population)) {
        mass_compile_operation(c, MASS_PLAN_RELINK, index, population);
        mass_compile_use(c, MASS_DATA_REQUESTS, population, MASS_READS | MASS_WRITES);
        mass_compile_use(c, MASS_DATA_ORDER, population, MASS_READS);
        if (mass_phase_dies(c->m, &c->m->phases[index]) >= 0)
            mass_compile_use(c, MASS_DATA_ORDER, (uint32_t)mass_phase_dies(c->m, &c->m->phases[index]), MASS_READS);
        if (c->m->phases[index].conditional) mass_compile_use(c, MASS_DATA_GATES, index, MASS_READS);
    }
    mass_plan_operation *const manage = mass_compile_operation(c, MASS_PLAN_MANAGE, index, population);
    manage->counts = mass_phase_counts_any_read(c->m, &c->m->phases[index]) ? MASS_ALWAYS : c->observed;
    manage->order = order;
    mass_compile_use(c, MASS_DATA_REQUESTS, population, MASS_READS | MASS_WRITES);
    if (order.leaves == MASS_ORDER_ANY) add_changes(c, population);
    else add_moves(c, population);
    if (c->m->phases[index].conditional) mass_compile_use(c, MASS_DATA_GATES, index, MASS_READS);
    mass_compile_operation(c, MASS_PLAN_SWAP, index, 0)->order = order;
    mass_compile_use(c, MASS_DATA_ORDER, population, 0);
    add_sprout(c, index, population);
    const int alive = c->m->populations[population].alive;
    if (alive >= 0 && c->m->tallies[alive].needed) mass_compile_census(c, population);
    mass_compile_counts(c, &c->m->phases[index]);
}

void mass_compile_populate(mass_compiler *c, int population)
{
    if (population < 0) return;
    for (uint32_t i = 0; i < c->to->count; i++)
        if (c->to->list[i].kind == MASS_PLAN_POPULATE && c->to->list[i].index == (uint32_t)population) return;
    const mass_population_def *p = &c->m->populations[population];
    mass_compile_operation(c, MASS_PLAN_POPULATE, MASS_NO_PHASE, (uint32_t)population);
    for (uint32_t i = 0; i < p->array_count; i++)
        mass_compile_use(c, MASS_DATA_AGENTS, p->first_array + i, MASS_WRITES);
    mass_compile_use(c, MASS_DATA_ORDER, (uint32_t)population, MASS_WRITES);
    mass_compile_use(c, MASS_DATA_REQUESTS, (uint32_t)population, MASS_WRITES);
}

void mass_compile_drop(mass_compiler *c, uint32_t population, uint32_t schedule)
{
    if (!mass_schedule_leaves_requests(c->m, population, schedule)) return;
    mass_compile_operation(c, MASS_PLAN_DISCARD, MASS_NO_PHASE, population)->ignored =
        mass_schedule_lacks_manage(c->m, population, schedule);
    mass_compile_use(c, MASS_DATA_REQUESTS, population, MASS_WRITES);
}
