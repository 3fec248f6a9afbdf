/* SPDX-License-Identifier: Apache-2.0 */
#include "model/shared_turns.h"

#include <stdio.h>
#include <string.h>

mass_status mass_turn_take_name(const mass_agent_phase *p, mass_phase_def *phase, mass_error *error)
{
    const char *const name = p->turn ? p->turn : "", *const callback = phase->callback->name;
    if (!name[0]) return MASS_OK;
    if (!mass_phase_is_in_turn(phase) || phase->population < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s does not let agents act in turn, and its phase has "
                              ".turn: leave it out, or make it MASS_IN_TURN", callback);
    if (!mass_name_valid(name))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .turn of its phase, '%s', is not named by "
                              "letters, digits and '_' (at most 63)", callback, name);
    if (phase->turn_order != MASS_TURN_SHUFFLED || phase->turn_reversed)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: its phase shares turn '%s', whose order is "
                              "shuffled, and has %s: leave it out", callback, name,
                              phase->turn_reversed ? ".reversed" : ".order");
    snprintf(phase->turn_name, sizeof phase->turn_name, "%s", name);
    return MASS_OK;
}

/* Returns whether two phases name the same turn. */
static bool are_of_one_turn(const mass_phase_def *a, const mass_phase_def *b)
{
    return a->turn_name[0] && a->schedule == b->schedule && strcmp(a->turn_name, b->turn_name) == 0;
}

uint32_t mass_turn_begin(const mass_model *m, uint32_t phase)
{
    while (phase > 0 && are_of_one_turn(&m->phases[phase - 1], &m->phases[phase])) phase--;
    return phase;
}

uint32_t mass_turn_end(const mass_model *m, uint32_t phase)
{
    while (phase + 1 < m->phase_count && are_of_one_turn(&m->phases[phase], &m->phases[phase + 1])) phase++;
    return phase + 1;
}

bool mass_turn_is_shared(const mass_model *m, uint32_t phase)
{
    return mass_turn_end(m, phase) - mass_turn_begin(m, phase) > 1;
}

uint32_t mass_turn_populations(const mass_model *m, uint32_t first, uint32_t out[MASS_POPULATIONS_MAX])
{
    bool seen[MASS_POPULATIONS_MAX] = {false};
    uint32_t count = 0;
    for (uint32_t i = first, end = mass_turn_end(m, first); i < end; i++)
        for (uint32_t k = 0; k < m->phases[i].population_count; k++) {
            const uint32_t population = m->phases[i].populations[k];
            if (!seen[population]) out[count++] = population;
            seen[population] = true;
        }
    return count;
}

uint32_t mass_turn_children(const mass_model *m, uint32_t first, uint32_t population)
{
    bool acts = false;
    for (uint32_t i = first, end = mass_turn_end(m, first); i < end; i++)
        acts |= m->phases[i].population == (int32_t)population;
    return acts ? m->populations[population].children : 0;
}

int32_t mass_turn_reach_of(const mass_model *m, uint32_t first)
{
    int32_t reach = 0;
    for (uint32_t i = first, end = mass_turn_end(m, first); i < end; i++)
        if (m->phases[i].reach > reach) reach = m->phases[i].reach;
    return reach;
}

/* Checks a phase against an earlier one, `before`, that names the same turn: no other phase is between them, and they
 * have one space and condition, and different populations. */
static mass_status check_pair(const mass_model *m, uint32_t before, uint32_t phase, mass_error *error)
{
    const mass_phase_def *a = &m->phases[before], *b = &m->phases[phase];
    const char *of_a = a->callback->name, *of_b = b->callback->name, *turn = b->turn_name;
    if (mass_turn_begin(m, phase) > before)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callbacks %s and %s share turn '%s', and another phase is "
                              "between theirs: put them one after the other", of_a, of_b, turn);
    if (a->space != b->space)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callbacks %s and %s share turn '%s', and their agents are on "
                              "different spaces", of_a, of_b, turn);
    if (a->population == b->population)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callbacks %s and %s share turn '%s', and both let agents of "
                              "population '%s' act: make them one callback", of_a, of_b, turn,
                              m->populations[b->population].name);
    if (!mass_model_same_condition(a, b))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callbacks %s and %s share turn '%s', and their phases have "
                              "different conditions: give them one", of_a, of_b, turn);
    return MASS_OK;
}

mass_status mass_shared_turns_check(const mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++) {
        for (uint32_t before = 0; status == MASS_OK && before < i; before++)
            if (are_of_one_turn(&m->phases[before], &m->phases[i])) status = check_pair(m, before, i, error);
        if (status == MASS_OK && mass_turn_end(m, i) - mass_turn_begin(m, i) > MASS_TURN_PHASES_MAX)
            status = mass_error_set(error, MASS_BAD_PLUGIN, "more than %d phases share turn '%s'",
                                    MASS_TURN_PHASES_MAX, m->phases[i].turn_name);
    }
    return status;
}
