/* SPDX-License-Identifier: Apache-2.0 */
#include "model/conditions.h"
#include "model/total.h"

/* Checks that a phase keeps no old and new values apart: in a world that it leaves alone, the new values would not be
 * written. */
static mass_status check_accesses(const mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        for (uint32_t k = 0; k < p->callback->field_count; k++)
            if (mass_access_keeps_apart(p->targets[k].access, p->targets[i].access, p->callback->over) &&
                p->targets[i].index == p->targets[k].index)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s runs under a condition, and may not read "
                                      "and write attribute '%s' as a stencil", p->callback->name,
                                      m->attributes[m->arrays[p->targets[i].index].attribute].name);
    return MASS_OK;
}

/* Checks that a phase before this one, in the same schedule, counts the tally. A tally that restarts in each step is 0
 * until then. World attributes keep their values. */
static mass_status check_counted(const mass_model *m, uint32_t phase, mass_error *error)
{
    const mass_phase_def *p = &m->phases[phase];
    const uint32_t tally = p->condition.tally;
    bool counted = mass_tally_is_kept(&m->tallies[tally]);
    for (uint32_t i = 0; i < phase; i++)
        counted |= m->phases[i].schedule == p->schedule && mass_phase_counts(m, &m->phases[i], tally);
    if (counted) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s%s runs under a condition on tally '%s', which no earlier phase "
                          "of the %s counts, so that it is 0 then: declare one that counts it before",
                          p->callback ? "callback " : "the manage of population ",
                          p->callback ? p->callback->name : m->populations[p->population].name, m->tallies[tally].name,
                          p->schedule == MASS_START ? "start" : "step");
}

mass_status mass_conditions_check(mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (!p->conditional) continue;
        m->tallies[p->condition.tally].needed = true;
        status = check_accesses(m, p, error);
        if (status == MASS_OK) status = check_counted(m, i, error);
    }
    return status;
}
