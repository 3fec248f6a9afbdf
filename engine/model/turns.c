/* SPDX-License-Identifier: Apache-2.0 */
#include "model/turns.h"

#include <string.h>

const mass_phase_def *mass_turns_first(const mass_model *m)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (mass_phase_is_in_turn(&m->phases[i])) return &m->phases[i];
    return NULL;
}

/* Returns the attribute by which places act, or -1. The callback must name it, so that it has the present values. */
static int find_of_places(const mass_model *m, const mass_phase_def *p)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES) continue;
        const int attribute = (int)m->arrays[p->targets[i].index].attribute;
        if (strcmp(m->attributes[attribute].name, p->turn_by) == 0) return attribute;
    }
    return -1;
}

mass_status mass_turn_resolve_order(const mass_model *m, mass_phase_def *p, mass_error *error)
{
    const char *const name = p->callback->name;
    if (p->turn_order != MASS_TURN_BY_VALUE) return MASS_OK;
    const int found = p->population < 0 ? find_of_places(m, p)
                                        : mass_model_named_agent_attribute(m, (uint32_t)p->population, p->turn_by);
    if (found < 0 && mass_phase_turns_nodes(p))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .order of its phase is '%s', which is no "
                              "attribute in its list: add it to READS, or name another one or \"id\"", name,
                              p->turn_by);
    if (found < 0 && p->population < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .order of its phase is '%s', which is no "
                              "attribute in its SEES or ALTERS: add it to SEES, or name another one or \"id\"", name,
                              p->turn_by);
    if (found < 0 || m->attributes[found].derived)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .order of its phase is '%s', which population "
                              "'%s' does not have: name an attribute of it, or \"id\"", name, p->turn_by,
                              m->populations[p->population].name);
    const mass_attribute_def *a = &m->attributes[found];
    if (a->length != 1 || a->type == MASS_STRUCT)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .order of its phase is '%s', which is not one "
                              "number: name an attribute without .length, or \"id\"", name, p->turn_by);
    p->turn_array = a->first_array;
    return MASS_OK;
}

/* Returns a distance of a phase: `given`, or `most` if none is given. */
static int32_t distance_of(int32_t given, int32_t most)
{
    return given == 0 ? most : given == MASS_OWN_PLACE ? 0 : given;
}

mass_status mass_turn_take_scope(const mass_agent_phase *p, mass_phase_def *phase, mass_error *error)
{
    const mass_callback *c = phase->callback;
    if (!mass_phase_is_in_turn(phase)) {
        if (!p->meets && !p->changes && !p->shape) return MASS_OK;
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s does not act in turn, and its phase has %s: leave "
                              "it out, or make it MASS_IN_TURN or MASS_IN_TURN_PLACES", c->name,
                              p->shape ? ".shape" : p->meets ? ".meets" : ".changes");
    }
    if (mass_phase_turns_nodes(phase) && (p->meets || p->changes || p->shape))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over nodes in turn, whose entries say how far it "
                              "acts, and its phase has %s: leave it out", c->name,
                              p->shape ? ".shape" : p->meets ? ".meets" : ".changes");
    if (p->meets && phase->population < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s is over places in turn, which meet no agents: its "
                              "phase has no .meets", c->name);
    if (p->shape > MASS_AXES)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the .shape of its phase is %u: give it MASS_SQUARE "
                              "or MASS_AXES", c->name, p->shape);
    const int32_t given[] = {p->meets, p->changes};
    for (int i = 0; i < 2; i++)
        if (given[i] < MASS_OWN_PLACE || given[i] > phase->reach)
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: the %s of its phase is %d, and its radius is "
                                  "%d: give it that at most, or MASS_OWN_PLACE", c->name, i ? ".changes" : ".meets",
                                  given[i], phase->reach);
    phase->turn_scope.meets = distance_of(p->meets, phase->reach);
    phase->turn_scope.changes = distance_of(p->changes, phase->turn_scope.meets);
    phase->turn_scope.axes = p->shape == MASS_AXES;
    return MASS_OK;
}

/* Returns whether field i of a phase writes. */
static bool writes(const mass_phase_def *p, uint32_t i)
{
    return (mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES) != 0;
}

/* Returns whether a phase has an attribute of places both in SEES and in ALTERS. */
static bool sees_what_it_alters(const mass_phase_def *p)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        if (mass_phase_class(p, i) != MASS_CLASS_PLACES || writes(p, i)) continue;
        for (uint32_t k = 0; k < p->callback->field_count; k++)
            if (mass_phase_class(p, k) == MASS_CLASS_PLACES && writes(p, k) &&
                p->targets[k].index == p->targets[i].index)
                return true;
    }
    return false;
}

/* Returns whether bodies over nodes change something at the other ends of edges. */
static bool changes_linked(const mass_phase_def *p)
{
    bool changes = false;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        changes |= mass_phase_class(p, i) == MASS_CLASS_PLACES && writes(p, i) &&
                   !mass_access_of(p->targets[i].access)->own;
    return changes;
}

void mass_turn_resolve_scope(mass_phase_def *p)
{
    mass_turn_scope *const scope = &p->turn_scope;
    if (mass_phase_turns_nodes(p)) {
        *scope = (mass_turn_scope){.changes = changes_linked(p), .sees = 1, .axes = MASS_TURN_ALONG_EDGES};
        return;
    }
    const int32_t met = p->population < 0 ? 0 : scope->meets, sees = sees_what_it_alters(p) ? p->reach : met;
    scope->sees = sees > met ? sees : met;
    if (scope->sees < scope->changes) scope->sees = scope->changes;
}

/* Returns the last phase before phase `turn`, in its schedule, that may have made requests of a population which no
 * manage has applied; or NULL. A manage with a condition may leave them in some worlds. */
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
                                      "have requests of callback %s%s that no manage has applied: declare "
                                      "MANAGES(%s), without a condition, between them", p->callback->name, name,
                                      request->callback->name,
                                      mass_phase_asks(request, p->populations[k]) ? "" : ", as it has .sprouts,", name);
        }
    }
    return MASS_OK;
}
