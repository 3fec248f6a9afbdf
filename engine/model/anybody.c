/* SPDX-License-Identifier: Apache-2.0 */
#include "model/anybody.h"

/* Returns whether field i is of agents of a population; the model's number. */
static bool is_of(const mass_phase_def *p, uint32_t i, uint32_t population)
{
    return mass_phase_class(p, i) == MASS_CLASS_AGENTS &&
           p->populations[p->callback->fields[i].population] == population;
}

bool mass_phase_meets_anybody(const mass_phase_def *p, uint32_t population)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_phase_is_anywhere(p, i) && is_of(p, i, population)) return true;
    return false;
}

bool mass_phase_finds_ids(const mass_phase_def *p, uint32_t population)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_access_of(p->targets[i].access)->finds_ids && is_of(p, i, population)) return true;
    return false;
}

bool mass_phase_seeks_places(const mass_phase_def *p)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_access_of(p->targets[i].access)->reach == MASS_REACH_FREE) return true;
    return false;
}

bool mass_phase_keeps(const mass_phase_def *p, uint32_t i)
{
    const unsigned effect = mass_access_of(p->targets[i].access)->effect;
    const unsigned changes = MASS_EFFECT_ADDS | (mass_phase_is_anywhere(p, i) ? MASS_EFFECT_WRITES : 0);
    if (mass_phase_class(p, i) != MASS_CLASS_AGENTS || effect != MASS_EFFECT_READS) return false;
    for (uint32_t k = 0; k < p->callback->field_count; k++)
        if (p->targets[k].index == p->targets[i].index && mass_phase_class(p, k) == MASS_CLASS_AGENTS &&
            mass_access_of(p->targets[k].access)->effect & changes)
            return true;
    return false;
}

/* Checks a field that adds to agents. The sums are complete after the phase: no other field may write them. */
static mass_status check_sums(const mass_phase_def *p, uint32_t i, mass_error *error)
{
    for (uint32_t k = 0; k < p->callback->field_count; k++) {
        const mass_access_traits *other = mass_access_of(p->targets[k].access);
        if (p->targets[k].index == p->targets[i].index && mass_phase_class(p, k) == MASS_CLASS_AGENTS &&
            other->effect & MASS_EFFECT_WRITES)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: one that "
                                  "is in ADDS is in no entry that writes; add to the agent itself by ADD_TO(..., SELF, "
                                  "...)", p->callback->name, p->callback->fields[i].name,
                                  p->callback->fields[k].name);
    }
    return MASS_OK;
}

mass_status mass_model_resolve_anybody(mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_access_traits *access = mass_access_of(p->targets[i].access);
        if (mass_phase_class(p, i) != MASS_CLASS_AGENTS) continue;
        mass_population_def *of = &m->populations[p->populations[p->callback->fields[i].population]];
        mass_array_def *array = &m->arrays[p->targets[i].index];
        array->kept |= mass_phase_keeps(p, i);
        array->anywhere |= mass_phase_is_anywhere(p, i);
        array->added |= (access->effect & MASS_EFFECT_ADDS) != 0;
        of->found_by_id |= access->finds_ids;
        of->anywhere |= mass_phase_is_anywhere(p, i);
        if (access->effect & MASS_EFFECT_ADDS) {
            const mass_status status = check_sums(p, i, error);
            if (status != MASS_OK) return status;
        }
        if (access->reach != MASS_REACH_FREE) continue;
        of->sought = true;
        if (of->capacity == 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has FREE_PLACES, and population %s has no "
                                  ".capacity: every place is free; draw one from the random words", p->callback->name,
                                  of->name);
    }
    return MASS_OK;
}
