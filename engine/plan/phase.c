/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/phase.h"

bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i)
{
    if (phase->callback->over == MASS_OVER_AGENTS || phase->targets[i].access != MASS_WRITE ||
        !m->arrays[phase->targets[i].index].buffered)
        return false;
    for (uint32_t k = 0; k < phase->callback->field_count; k++)
        if (phase->targets[k].access == MASS_READ && phase->targets[k].index == phase->targets[i].index) return true;
    return false;
}

bool mass_phase_is_of_agents(const mass_phase_def *phase, uint32_t access)
{
    if (access == MASS_SCATTER_ADD) return false;
    if (phase->callback->over == MASS_OVER_AGENTS) return access != MASS_PLACE && access != MASS_RACE;
    return access == MASS_RESIDENT || access == MASS_RESIDENT_UPDATE;
}

bool mass_phase_writes_places(const mass_phase_def *phase, uint32_t access)
{
    return access == MASS_RACE || access == MASS_SCATTER_ADD ||
           ((access == MASS_WRITE || access == MASS_UPDATE) && !mass_phase_is_of_agents(phase, access));
}

bool mass_phase_reads_around(const mass_phase_def *phase, uint32_t access)
{
    if (phase->reach == 0) return false;
    return access == MASS_PLACE || (access == MASS_READ && !mass_phase_is_of_agents(phase, access));
}

uint32_t mass_phase_own_axes(const mass_domain *d, const mass_space_def *s)
{
    const uint32_t cut = d->partition_count > 1 ? 1u << mass_slab_axis(s) : 0;
    return s->torus & ~cut;
}

uint32_t *mass_phase_gates(const mass_domain *d, uint32_t phase)
{
    return d->model->phases[phase].conditional ? d->gates + (size_t)phase * (size_t)d->worlds : NULL;
}

bool mass_phase_counts_always(const mass_model *m, const mass_phase_def *phase)
{
    bool needed = phase->cumulative;
    for (uint32_t i = 0; i < phase->callback->field_count; i++)
        needed |= mass_is_tally(phase->targets[i].access) &&
                  m->tallies[phase->targets[i].index].needed;
    return needed;
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
