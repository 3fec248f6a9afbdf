/* SPDX-License-Identifier: Apache-2.0 */
#include "model/claims.h"

#include <stdio.h>
#include <string.h>

/* The claims of one name, as the phases of a schedule leave them one after the other. */
typedef struct claims {
    const mass_model *m;
    uint32_t attribute;         /* of the claims */
    int name_length;            /* of their name, in the attribute's */
    const mass_phase_def *open; /* the phase whose claims are not decided yet, or NULL */
    const mass_phase_def *paired, *ended; /* the phase whose pairs hold, or the manage that ended the last; or NULL */
} claims;

static const char suffix_of_claims[] = "_claims", suffix_of_pairs[] = "_pairs";

/* Returns the attribute of a target that is an array. */
static const mass_attribute_def *attribute_of(const mass_model *m, const mass_target *t)
{
    return &m->attributes[m->arrays[t->index].attribute];
}

/* Returns whether an attribute has the pairs of these claims. */
static bool has_pairs(const claims *c, const mass_attribute_def *a)
{
    return a->claims == MASS_OF_PAIRS && strlen(a->name) == (size_t)c->name_length + strlen(suffix_of_pairs) &&
           strncmp(a->name, c->m->attributes[c->attribute].name, (size_t)c->name_length) == 0;
}

bool mass_claims_are_decided(const mass_model *m, const mass_phase_def *p)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_phase_class(p, i) == MASS_CLASS_AGENTS && attribute_of(m, &p->targets[i])->claims == MASS_OF_PAIRS &&
            (mass_access_of(p->targets[i].access)->effect & MASS_EFFECT_WRITES))
            return true;
    return false;
}

/* Returns the accesses of a phase to the claims, or if `pairs` to the pairs, of its own population, as effects. */
static uint32_t effects(const claims *c, const mass_phase_def *p, bool pairs)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_target *t = &p->targets[i];
        const bool own = mass_phase_class(p, i) == MASS_CLASS_AGENTS;
        if (!own || mass_access_is_nearby(t->access, p->callback->over)) continue;
        const mass_attribute_def *a = attribute_of(c->m, t);
        if (pairs ? has_pairs(c, a) : a == &c->m->attributes[c->attribute]) all |= mass_access_of(t->access)->effect;
    }
    return all;
}

/* Returns whether the callback of a phase reads agents nearby. */
static bool sees_nearby(const mass_phase_def *p)
{
    bool sees = false;
    for (uint32_t i = 0; i < p->callback->field_count; i++)
        sees |= mass_access_is_nearby(p->targets[i].access, p->callback->over);
    return sees;
}

/* Returns whether a population makes these claims, or can be claimed. */
static bool takes_part(const claims *c, int32_t population)
{
    bool part = false;
    for (uint32_t i = 0; i < c->m->attribute_count; i++)
        part |= c->m->attributes[i].population == population && has_pairs(c, &c->m->attributes[i]);
    return part;
}

/* Refuses claims that no DECIDES follows before the manage, or in the step if `manage` is NULL. */
static mass_status refuse_open(const claims *c, const mass_phase_def *manage, mass_error *error)
{
    const char *name = c->m->attributes[c->attribute].name;
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s claims in CLAIMS(%.*s), and no DECIDES(%.*s) follows "
                          "%s%s: add it to the schedule", c->open->callback->name, c->name_length, name,
                          c->name_length, name, manage ? "before the manage of " : "in the step",
                          manage ? c->m->populations[manage->population].name : "");
}

/* Checks that a callback with PAIRS runs while there are pairs, and that its phase reaches the partners. */
static mass_status check_pairs(const claims *c, const mass_phase_def *p, mass_error *error)
{
    const char *name = c->m->attributes[c->attribute].name, *callback = p->callback->name;
    if (!c->paired)
        return c->ended
                   ? mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads PAIRS(%.*s), and the manage of %s "
                                    "before it ends them: put the callback before the manage", callback,
                                    c->name_length, name, c->m->populations[c->ended->population].name)
                   : mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads PAIRS(%.*s), and no DECIDES(%.*s) is "
                                    "before it in the step: add one", callback, c->name_length, name, c->name_length,
                                    name);
    if (sees_nearby(p) && p->reach < c->paired->reach)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s reads PAIRS(%.*s), whose partners are up to %d "
                              "places away, and reaches %d: give its phase .reach = %d", callback, c->name_length, name,
                              c->paired->reach, p->reach, c->paired->reach);
    return MASS_OK;
}

/* Takes one phase of the schedule. A manage of either population ends pairs, and is refused while claims are
 * undecided. A decision needs claims before it. A callback that reads pairs needs a decision. */
static mass_status take(claims *c, const mass_phase_def *p, mass_error *error)
{
    if (!p->callback) {
        if (!takes_part(c, p->population)) return MASS_OK;
        if (c->open) return refuse_open(c, p, error);
        if (c->paired) c->ended = p;
        c->paired = NULL;
        return MASS_OK;
    }
    const uint32_t of_claims = effects(c, p, false), of_pairs = effects(c, p, true);
    if (of_pairs & MASS_EFFECT_WRITES) { /* a phase of the decision; the last one clears the claims */
        if (!c->open && (of_claims & MASS_EFFECT_WRITES))
            return mass_error_set(error, MASS_BAD_PLUGIN, "DECIDES(%.*s) follows no callback with CLAIMS(%.*s) in the "
                                  "step: put it after one", c->name_length, c->m->attributes[c->attribute].name,
                                  c->name_length, c->m->attributes[c->attribute].name);
        if (of_claims & MASS_EFFECT_WRITES) c->open = NULL, c->paired = p;
        return MASS_OK;
    }
    if (of_claims & MASS_EFFECT_WRITES) c->open = p;
    return of_pairs ? check_pairs(c, p, error) : MASS_OK;
}

mass_status mass_claims_check(const mass_model *m, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        for (uint32_t schedule = MASS_START; a->claims == MASS_OF_CLAIMS && schedule <= MASS_STEP; schedule++) {
            const size_t length = strlen(a->name), suffix = strlen(suffix_of_claims);
            if (length <= suffix || strcmp(a->name + length - suffix, suffix_of_claims) != 0)
                return mass_error_set(error, MASS_BAD_PLUGIN, "attribute '%s' has .claims, and its name does not end "
                                      "in %s: MASS_CLAIMS declares it", a->name, suffix_of_claims);
            claims c = {.m = m, .attribute = i, .name_length = (int)(length - suffix)};
            for (uint32_t p = 0; status == MASS_OK && p < m->phase_count; p++)
                if (m->phases[p].schedule == schedule) status = take(&c, &m->phases[p], error);
            if (status == MASS_OK && c.open) status = refuse_open(&c, NULL, error);
        }
    }
    return status;
}
