/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/phase.h"

bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i)
{
    const mass_target *new = &phase->targets[i];
    if (mass_phase_class(phase, i) == MASS_CLASS_KEPT) return false;
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
    return phase->reach != 0 && !mass_phase_is_in_turn(phase) && mass_access_of(access)->reach == MASS_REACH_AROUND &&
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
    return phase->tallies && phase->callback->over != MASS_OVER_AGENTS && !mass_phase_is_in_turn(phase) &&
           !phase->callback->asks;
}

bool mass_schedule_looks_at_tallies(const mass_model *m)
{
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (m->tallies[i].needed) return true;
    return false;
}

bool mass_schedule_leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule)
{
    bool left = false;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != schedule) continue;
        if (p->callback) left |= mass_phase_asks(p, population) || mass_phase_may_sprout(m, p, population);
        else if (p->population == (int32_t)population && !p->conditional) left = false;
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
