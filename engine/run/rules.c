/* SPDX-License-Identifier: Apache-2.0 */
#include "run/rules.h"

#include <stdlib.h>
#include <string.h>

/* Most neighbourhoods that the engine probes for all worlds together. */
enum { QUESTIONS_MOST = 1 << 21 };

/* The different sets of parameter values of a callback, and the number of each world's set. */
typedef struct values {
    uint32_t fields, count, most;
    uint64_t *list; /* [most + 1][fields] bits */
    uint8_t *of;    /* [worlds] */
    bool many;      /* there are more than `most`, and `of` is incomplete */
    bool scattered; /* too few consecutive places share a set */
} values;

/* Returns the parameter of a field, or NULL. */
static const mass_parameter_slot *slot_of(const mass_domain *d, const mass_phase_def *p, uint32_t field)
{
    const bool given = mass_phase_class(p, field) == MASS_CLASS_WORLD;
    return given ? &d->model->parameters.slots[p->targets[field].index] : NULL;
}

/* Returns true if a parameter of the callback differs between worlds. */
static bool differs(const mass_domain *d, const mass_phase_def *p)
{
    bool swept = false;
    for (uint32_t i = 0; i < p->callback->field_count; i++) swept |= slot_of(d, p, i) && slot_of(d, p, i)->swept;
    return swept;
}

/* Returns the number of a world's set of values. Writes the set behind the others, with number `count` if it is new;
 * the caller counts it. */
static uint32_t number_of(const mass_domain *d, const mass_phase_def *p, values *v, int32_t world)
{
    uint64_t *own = v->list + (size_t)v->count * v->fields;
    uint32_t number = 0;
    for (uint32_t i = 0; i < v->fields; i++) {
        const mass_parameter_slot *slot = slot_of(d, p, i);
        own[i] = slot ? mass_parameter_bits_in(slot, d->share.first_world + world) : 0;
    }
    while (number < v->count && memcmp(v->list + (size_t)number * v->fields, own, v->fields * sizeof *own) != 0)
        number++;
    return number;
}

/* Returns the mean number of places in a run of worlds with the same values. It assumes equal slabs, so all ranks
 * that share a space get the same number. */
static int64_t places_a_launch(const mass_domain *d, const mass_phase_def *p, const uint8_t *of)
{
    int64_t launches = 1;
    for (int32_t w = 1; w < d->worlds; w++) launches += of[w] != of[w - 1];
    return mass_space_places(&d->model->spaces[p->space]) / d->share.partitions * d->worlds / launches;
}

/* Finds the different sets of values that worlds give to a callback. v->of has the number of each world's set. v->many:
 * there are too many sets for rules. Sets v->scattered, too. *v is zero before. The caller frees v->list and v->of,
 * also on failure. */
static mass_status find_values(const mass_domain *d, const mass_phase_def *p, values *v, mass_error *error)
{
    const size_t most = QUESTIONS_MOST / mass_rule_questions(p->callback, d->model->effects_size);
    v->fields = p->callback->field_count;
    v->most = most < MASS_WORLD_RULES_MOST ? (uint32_t)most : MASS_WORLD_RULES_MOST;
    v->list = calloc((v->most + 1) * (size_t)v->fields, sizeof *v->list);
    v->of = calloc((size_t)d->worlds, 1);
    if (!v->list || !v->of) return mass_error_memory(error, (size_t)d->worlds, "rules");
    const int32_t worlds = differs(d, p) ? d->worlds : 1;
    for (int32_t w = 0; w < worlds && !v->many; w++) {
        const uint32_t number = number_of(d, p, v, w);
        v->many = number == v->most;
        v->count += number == v->count && !v->many;
        v->of[w] = (uint8_t)number;
    }
    v->scattered = !v->many && v->count > 1 && places_a_launch(d, p, v->of) < d->device->table->launch->rule_places;
    return MASS_OK;
}

/* Derives a rule for each set. *why_not: the reason that one has none. If launches could not use several rules, it
 * probes only one set, which may have no rule for another reason. rules->count stays 0 without rules. */
static mass_status ask_each(const mass_callback *c, uint32_t effects_size, const values *v, mass_world_rules *rules,
                            const char **why_not, mass_error *error)
{
    const uint32_t asked = v->many || v->scattered ? 1 : v->count;
    const void **parameters = calloc((size_t)asked * v->fields + 1, sizeof *parameters);
    if (!parameters) return mass_error_memory(error, asked * sizeof *parameters, "rules");
    for (size_t i = 0; i < (size_t)asked * v->fields; i++) parameters[i] = &v->list[i];
    const mass_status status = mass_rule_probe(c, effects_size, parameters, asked, rules->list, why_not, error);
    free(parameters);
    if (status != MASS_OK || !rules->list[0]) return status;
    rules->count = asked;
    if (v->many) *why_not = "its parameters have too many values in different worlds";
    if (v->scattered) *why_not = "too few places have the same of its parameters";
    return MASS_OK;
}

/* Returns true if a rule adds so much to a fixed-point sum that it may overflow. The callback's own loop detects
 * that. */
static bool adds_much(const mass_model *m, const mass_phase_def *p, const mass_rule_output *o)
{
    const int64_t most = INT64_C(1) << 30;
    return o->kind == MASS_RULE_SUM && mass_tally_is_fixed_sum(&m->tallies[p->targets[o->field].index]) &&
           (o->weight >= most || o->weight <= -most);
}

/* If a rule has such a sum, removes all its sums, so that launches with tallies do not use it. Outputs of sums are
 * after those of fields. */
static void leave_large_sums(const mass_model *m, const mass_phase_def *p, mass_rule *rule)
{
    for (uint32_t i = 0; i < rule->output_count; i++)
        if (adds_much(m, p, &rule->outputs[i])) rule->tallies = false;
    while (!rule->tallies && rule->output_count > 0 && rule->outputs[rule->output_count - 1].kind == MASS_RULE_SUM)
        rule->output_count--;
}

/* Derives the rules of a phase's callback, one for each set of values that worlds give. *why_not: why there is none. On
 * failure the caller frees *rules. */
static mass_status ask(const mass_domain *d, const mass_phase_def *p, mass_world_rules *rules, const char **why_not,
                       mass_error *error)
{
    values v = {0};
    mass_status status = find_values(d, p, &v, error);
    rules->list = calloc(v.count + 1, sizeof(mass_rule *));
    rules->of = v.of;
    rules->worlds = d->worlds;
    if (status == MASS_OK && !rules->list) status = mass_error_memory(error, v.count * sizeof(mass_rule *), "rules");
    if (status == MASS_OK) status = ask_each(p->callback, d->model->effects_size, &v, rules, why_not, error);
    for (uint32_t i = 0; status == MASS_OK && i < rules->count; i++)
        leave_large_sums(d->model, p, rules->list[i]);
    free(v.list);
    return status;
}

/* Derives the rules of a phase, and gives them to the device. Without rules *out is unchanged. If the device does not
 * use them, *out has them all the same. */
static mass_status attach(const mass_domain *d, const mass_phase_def *p, mass_prepared *prepared,
                          mass_world_rules **out, const char **why_not, mass_error *error)
{
    bool follows = false;
    mass_world_rules *rules = calloc(1, sizeof *rules);
    if (!rules) return mass_error_memory(error, sizeof *rules, "rules");
    mass_status status = ask(d, p, rules, why_not, error);
    if (status != MASS_OK || *why_not || rules->count == 0) {
        mass_world_rules_free(rules);
        return status;
    }
    *out = rules;
    status = d->device->table->launch->follow(d->device, prepared, rules, &follows, error);
    if (!follows) *why_not = "the device does not follow it";
    return status;
}

mass_status mass_rules_attach(const mass_domain *d, mass_prepared *const *prepared, mass_world_rules **rules,
                              const char **why_not, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    if (!d->device->table->launch->follow) return MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++)
        if (m->phases[i].callback && m->phases[i].schedule == MASS_STEP)
            status = attach(d, &m->phases[i], prepared[i], &rules[i], &why_not[i], error);
    return status;
}
