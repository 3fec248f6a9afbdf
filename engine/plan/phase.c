/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/phase.h"

bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i)
{
    const mass_target *new = &phase->targets[i];
    if (mass_access_of(new->access)->buffer != MASS_BUFFER_NEW || !m->arrays[new->index].buffered) return false;
    for (uint32_t k = 0; k < phase->callback->field_count; k++)
        if (mass_access_keeps_apart(phase->targets[k].access, new->access, phase->callback->over) &&
            phase->targets[k].index == new->index)
            return true;
    return false;
}

bool mass_phase_is_of_agents(const mass_phase_def *phase, uint32_t access)
{
    return mass_access_is_of_agents(access, phase->callback->over);
}

bool mass_phase_writes_places(const mass_phase_def *phase, uint32_t access)
{
    return mass_access_does_to_places(access, phase->callback->over, MASS_EFFECT_WRITES | MASS_EFFECT_ADDS);
}

bool mass_phase_reads_around(const mass_phase_def *phase, uint32_t access)
{
    return phase->reach != 0 && mass_access_of(access)->reach == MASS_REACH_AROUND &&
           mass_access_does_to_places(access, phase->callback->over, MASS_EFFECT_READS);
}

uint32_t mass_phase_own_axes(const mass_domain *d, const mass_space_def *s)
{
    const uint32_t cut = d->share.partitions > 1 ? 1u << mass_slab_axis(s) : 0;
    return s->torus & ~cut;
}

uint32_t *mass_phase_gates(const mass_domain *d, uint32_t phase)
{
    uint32_t *const gates = d->gates.address;
    return d->model->phases[phase].conditional ? gates + (size_t)phase * (size_t)d->worlds : NULL;
}

bool mass_phase_counts_always(const mass_model *m, const mass_phase_def *phase)
{
    bool needed = phase->cumulative;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        needed |= mass_access_is_tally(phase->targets[i].access) && m->tallies[phase->targets[i].index].needed;
    return needed;
}

bool mass_phase_only_counts(const mass_phase_def *phase)
{
    for (uint32_t i = 0; i < phase->callback->field_count; i++) {
        const uint32_t access = phase->targets[i].access;
        if (!mass_access_is_tally(access) && mass_access_of(access)->effect & (MASS_EFFECT_WRITES | MASS_EFFECT_ADDS))
            return false;
    }
    return phase->tallies && phase->callback->over != MASS_OVER_AGENTS;
}

bool mass_schedule_looks_at_tallies(const mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (m->tallies[i].needed) return true;
    return false;
}

/* Whether it does the same to agents that are in no order, but world by world. On a GPU, loops over places with one
 * agent at most find them through the agents where each place is an element of its own, and counts are numbers
 * (kernel_cuda.h). */
static bool needs_no_order(const mass_domain *d, const mass_phase_def *phase)
{
    const mass_model *m = d->model;
    bool needs = phase->callback->over != MASS_OVER_AGENTS &&
                 (phase->callback->over != MASS_OVER_OCCUPIED || d->device->table->agents->occupied_by_order);
    for (uint32_t i = 0; phase->callback->over == MASS_OVER_OCCUPIED && i < phase->callback->field_count; i++) {
        const mass_access_class class = mass_phase_class(phase, i);
        const uint32_t index = phase->targets[i].index;
        if (class == MASS_CLASS_ACCUMULATOR) needs |= m->tallies[index].words != 1 || m->tallies[index].bins != 0;
        else if (class != MASS_CLASS_WORLD) needs |= m->arrays[index].bits;
    }
    return !needs;
}

/* Who comes from another rank takes the place in the arrays of any who has left, which may be of another world. */
static bool leaves_order(const mass_domain *d, const mass_population_state *s)
{
    const mass_agents_operations *agents = d->device->table->agents;
    const bool over_ranks = d->worlds == 1 && (agents->queued || !agents->far);
    return agents->keeps_order && s->seats.device && (!s->first_place || over_ranks);
}

bool mass_phase_keeps_order(const mass_domain *d, uint32_t manage)
{
    const mass_model *m = d->model;
    const mass_phase_def *const phase = &m->phases[manage];
    const mass_population_state *s = &d->populations[phase->population];
    const bool stops = d->closed.device != NULL || !d->device->table->record; /* if somebody dies or is born */
    if (!leaves_order(d, s) || d->partition_count > 1 ||
        m->populations[phase->population].children > 1 || !stops || phase->conditional || phase->schedule != MASS_STEP)
        return false;
    for (uint32_t i = manage + 1; i < m->phase_count; i++) {
        const mass_phase_def *next = &m->phases[i];
        if (next->schedule != MASS_STEP || next->population != phase->population || next->replaced) continue;
        if (!next->callback) return !next->conditional;
        if (!needs_no_order(d, next)) return false;
    }
    return false;
}

bool mass_phase_finds_no_order(const mass_domain *d, uint32_t manage)
{
    const mass_model *m = d->model;
    for (uint32_t i = manage; i-- > 0;)
        if (!m->phases[i].callback && m->phases[i].schedule == m->phases[manage].schedule && !m->phases[i].replaced &&
            m->phases[i].population == m->phases[manage].population)
            return mass_phase_keeps_order(d, i);
    return false;
}

bool mass_schedule_leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule)
{
    bool left = false;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != schedule || p->population != (int32_t)population) continue;
        if (p->callback) left |= p->callback->over == MASS_OVER_AGENTS;
        else if (!p->conditional) left = false;
    }
    return left;
}

bool mass_schedule_lacks_manage(const mass_model *m, uint32_t population, uint32_t schedule)
{
    bool conditional = false;
    for (uint32_t i = 0; i < m->phase_count; i++)
        conditional |= !m->phases[i].callback && m->phases[i].conditional && m->phases[i].schedule == schedule &&
                       m->phases[i].population == (int32_t)population;
    return !conditional && mass_schedule_leaves_requests(m, population, schedule);
}
