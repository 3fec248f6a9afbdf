/* SPDX-License-Identifier: Apache-2.0 */
#include "model/turns.h"

const mass_phase_def *mass_turns_first(const mass_model *m)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (mass_phase_is_in_turn(&m->phases[i])) return &m->phases[i];
    return NULL;
}

/* Returns the last phase before phase `turn`, in its schedule, that may have made requests of a population which no
 * manage has carried out; or NULL. A manage with a condition may leave them in some worlds. */
static const mass_phase_def *find_request(const mass_model *m, uint32_t turn, uint32_t population)
{
    const mass_phase_def *request = NULL;
    for (uint32_t i = 0; i < turn; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->schedule != m->phases[turn].schedule) continue;
        if (!p->callback && p->population == (int32_t)population && !p->conditional) request = NULL;
        if (mass_phase_asks(p, population) || mass_phase_may_sprout(m, p, population)) request = p;
    }
    return request;
}

mass_status mass_turns_check(const mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        for (uint32_t k = 0; mass_phase_is_in_turn(p) && k < p->population_count; k++) {
            const mass_phase_def *request = find_request(m, i, p->populations[k]);
            const char *name = m->populations[p->populations[k]].name;
            if (request)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s acts in turn on population '%s', which may "
                                      "have requests of callback %s that no manage has carried out: declare "
                                      "MANAGES(%s), without a condition, between them", p->callback->name, name,
                                      request->callback->name, name);
        }
    }
    return MASS_OK;
}
