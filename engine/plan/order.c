/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/order.h"
#include "model/anybody.h"
#include "population/requests.h"

#include "plan/phase.h"

/* Returns true if the effect of a callback on its own population depends on the order of agents. A GPU finds
 * occupied places through the agents, in any order (kernel_cuda.h). It can do so if each place is a separate element
 * and counts are plain numbers. */
static bool depends_on_order(const mass_domain *d, const mass_phase_def *phase)
{
    const mass_model *m = d->model;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        if (mass_access_is_nearby(phase->targets[i].access, phase->callback->over)) return true;
    if (phase->callback->over == MASS_OVER_AGENTS) return false;
    if (phase->callback->over != MASS_OVER_OCCUPIED || phase->population_count > 1 ||
        d->device->table->agents->occupied_requires_order)
        return true;
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const mass_access_class class = mass_phase_class(phase, i);
        const uint32_t index = phase->targets[i].index;
        if (class == MASS_CLASS_WORLD || class == MASS_CLASS_TOTAL || class == MASS_CLASS_KEPT) continue;
        if (class == MASS_CLASS_ACCUMULATOR ? m->tallies[index].words != 1 || m->tallies[index].bins != 0
                                            : m->arrays[index].bits)
            return true;
    }
    return false;
}

mass_order mass_order_required(const mass_domain *d, const mass_phase_def *phase, uint32_t population)
{
    if (mass_phase_meets_anybody(phase, population)) return MASS_ORDER_SORTED;
    if (phase->population == (int32_t)population)
        return depends_on_order(d, phase) ? MASS_ORDER_SORTED : MASS_ORDER_ANY;
    for (uint32_t k = 0; k < phase->population_count; k++)
        if (phase->populations[k] == population) return MASS_ORDER_SORTED;
    return MASS_ORDER_ANY;
}

/* Returns true if the device can leave a population unsorted. An agent from another rank takes the array index of
 * any agent that left, which may be of another world. So several worlds over ranks stay sorted. */
static bool device_can_leave_any(const mass_domain *d, const mass_population_state *s)
{
    const mass_agents_operations *agents = d->device->table->agents;
    const bool over_ranks = d->worlds == 1 && (agents->queued || !agents->remote);
    return agents->takes_any_order && s->occupancy.device && (!s->first_place || over_ranks);
}

/* Returns true if a manage may leave its population unsorted. */
static bool can_leave_any(const mass_domain *d, const mass_phase_def *manage)
{
    const mass_model *m = d->model;
    const mass_population_def *p = &m->populations[manage->population];
    const bool stops = d->closed.device != NULL || !d->device->table->record; /* if an agent dies or is born */
    return (stops || p->constant) && device_can_leave_any(d, &d->populations[manage->population]) &&
           d->partition_count == 1 && p->children <= 1 && p->sprouts == 0 && !manage->conditional &&
           manage->schedule == MASS_STEP;
}

/* Returns the next manage of the population in the same schedule. If a phase before it requires the order, or there
 * is none, returns the number of phases. */
static uint32_t next_manage(const mass_domain *d, uint32_t manage)
{
    const mass_model *m = d->model;
    const mass_phase_def *const phase = &m->phases[manage];
    for (uint32_t i = manage + 1; i < m->phase_count; i++) {
        const mass_phase_def *next = &m->phases[i];
        if (next->schedule != phase->schedule || next->replaced) continue;
        if (!next->callback && next->population == phase->population) return i;
        if (next->callback && mass_order_required(d, next, (uint32_t)phase->population) == MASS_ORDER_SORTED) break;
    }
    return m->phase_count;
}

void mass_order_settle(const mass_domain *d, mass_manage_order *orders)
{
    const mass_model *m = d->model;
    for (uint32_t i = 0; i < m->phase_count; i++) orders[i] = (mass_manage_order){MASS_ORDER_SORTED, MASS_ORDER_SORTED};
    for (uint32_t i = 0; i < m->phase_count; i++) {
        if (m->phases[i].callback || m->phases[i].replaced || !can_leave_any(d, &m->phases[i])) continue;
        const uint32_t next = next_manage(d, i);
        if (next == m->phase_count || m->phases[next].conditional) continue;
        orders[i].leaves = orders[next].finds = MASS_ORDER_ANY;
    }
}
