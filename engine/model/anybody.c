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

/* Returns whether field i adds to agents as far away as `reach`. */
static bool adds(const mass_phase_def *p, uint32_t i, mass_access_reach reach)
{
    const mass_access_traits *access = mass_access_of(p->targets[i].access);
    return access->effect == MASS_EFFECT_ADDS && access->reach == reach;
}

/* Checks that an attribute is not added to by two entries: sums of agents nearby and of any agents are apart. */
static mass_status check_sums(const mass_phase_def *p, uint32_t i, mass_error *error)
{
    for (uint32_t k = 0; adds(p, i, MASS_REACH_ANYBODY) && k < p->callback->field_count; k++)
        if (p->targets[k].index == p->targets[i].index && adds(p, k, MASS_REACH_NEARBY))
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: have it in "
                                  "ADDS or in ADDS_ANYBODY", p->callback->name, p->callback->fields[k].name,
                                  p->callback->fields[i].name);
    return MASS_OK;
}

mass_status mass_model_resolve_anybody(mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_access_traits *access = mass_access_of(p->targets[i].access);
        if (mass_phase_class(p, i) != MASS_CLASS_AGENTS) continue;
        const mass_status status = check_sums(p, i, error);
        if (status != MASS_OK) return status;
        mass_population_def *of = &m->populations[p->populations[p->callback->fields[i].population]];
        mass_array_def *array = &m->arrays[p->targets[i].index];
        array->anywhere |= mass_phase_is_anywhere(p, i);
        array->added_anywhere |= mass_phase_is_anywhere(p, i) && access->effect == MASS_EFFECT_ADDS;
        of->found_by_id |= access->finds_ids;
        of->anywhere |= mass_phase_is_anywhere(p, i);
        if (access->reach != MASS_REACH_FREE) continue;
        of->sought = true;
        if (of->capacity == 0)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has FREE_PLACES, and population %s has no "
                                  ".capacity: every place is free; draw one from the random words", p->callback->name,
                                  of->name);
    }
    return MASS_OK;
}
