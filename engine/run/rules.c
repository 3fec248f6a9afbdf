/* SPDX-License-Identifier: Apache-2.0 */
#include "run/rules.h"

enum { FIELDS_MOST = 256 };

/* The bits of what a callback is given, field by field. False: worlds differ in it. */
static bool find_parameters(const mass_domain *d, const mass_phase_def *p, uint64_t *values)
{
    const mass_parameters *list = &d->model->parameters;
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        values[i] = 0;
        if (mass_phase_class(p, i) != MASS_CLASS_WORLD) continue;
        const mass_parameter_slot *slot = &list->slots[p->targets[i].index];
        values[i] = mass_parameter_bits_in(slot, d->share.first_world);
        for (int32_t w = 1; w < d->worlds; w++)
            if (mass_parameter_bits_in(slot, d->share.first_world + w) != values[i]) return false;
    }
    return true;
}

static bool has_bits(const mass_callback *c)
{
    bool has = false;
    for (uint32_t i = 0; i < c->field_count; i++) has |= c->fields[i].type == MASS_BIT;
    return has;
}

static mass_status attach(const mass_domain *d, const mass_phase_def *p, mass_prepared *prepared, mass_rule **rule,
                          const char **why_not, mass_error *error)
{
    uint64_t values[FIELDS_MOST];
    const void *parameters[FIELDS_MOST];
    bool follows = false;
    if (p->callback->field_count > FIELDS_MOST) return MASS_OK;
    if (!find_parameters(d, p, values)) {
        *why_not = has_bits(p->callback) ? "worlds differ in its parameters" : NULL;
        return MASS_OK;
    }
    for (uint32_t i = 0; i < p->callback->field_count; i++) parameters[i] = &values[i];
    mass_status status = mass_rule_ask(p->callback, d->model->note_size, parameters, rule, why_not, error);
    if (status != MASS_OK || !*rule) return status;
    status = d->device->table->launch->follow(d->device, prepared, *rule, &follows, error);
    if (!follows) *why_not = "the device does not follow it";
    return status;
}

mass_status mass_rules_attach(const mass_domain *d, mass_prepared *const *prepared, mass_rule **rules,
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
