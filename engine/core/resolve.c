/* Resolving a model: from the names in its callbacks' fields to arrays, parameters and tallies. */
#include "core/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mass_status lay_out_arrays(mass_model *m, mass_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->attribute_count; i++)
        count += m->attributes[i].layout == MASS_PLANES ? m->attributes[i].length : 1;
    m->arrays = calloc(count ? count : 1, sizeof *m->arrays);
    if (!m->arrays) return mass_error_memory(error, count * sizeof *m->arrays, "the attribute registry");
    for (uint32_t s = 0; s < m->space_count; s++) {
        m->spaces[s].first_array = m->array_count;
        for (uint32_t i = 0; i < m->attribute_count; i++) {
            mass_attribute_def *a = &m->attributes[i];
            if (a->space != s) continue;
            a->first_array = m->array_count;
            const bool planes = a->layout == MASS_PLANES;
            for (uint32_t c = 0; c < (planes ? a->length : 1); c++)
                m->arrays[m->array_count++] = (mass_array_def){.attribute = i, .component = c,
                    .element_size = planes ? a->component_size : mass_element_size(a)};
        }
        m->spaces[s].array_count = m->array_count - m->spaces[s].first_array;
    }
    return MASS_OK;
}

/* Splits "temperature[1]" into name and component; a name alone is component 0 and *indexed false. */
static bool split_target(const char *target, char name[MASS_NAME_SIZE], uint32_t *component, bool *indexed)
{
    const char *bracket = strchr(target, '[');
    const size_t length = bracket ? (size_t)(bracket - target) : strlen(target);
    if (length >= MASS_NAME_SIZE) return false;
    memcpy(name, target, length);
    name[length] = '\0';
    *component = 0;
    *indexed = bracket != NULL;
    if (!bracket) return true;
    unsigned index;
    int used = 0;
    if (sscanf(bracket, "[%4u]%n", &index, &used) != 1 || used == 0 || bracket[used] != '\0') return false;
    *component = index;
    return true;
}

static mass_status resolve_attribute(const mass_model *m, const mass_phase_def *p, const mass_field *f,
                                     mass_target *out, mass_error *error)
{
    const char *callback = p->callback->name;
    char name[MASS_NAME_SIZE];
    uint32_t component;
    bool indexed;
    const int index = split_target(f->target, name, &component, &indexed)
                    ? mass_model_find_attribute(m, p->space, name) : -1;
    if (index < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: space '%s' has no attribute '%s'",
                              callback, f->name, m->spaces[p->space].name, f->target);
    const mass_attribute_def *a = &m->attributes[index];
    if (a->layout == MASS_INTERLEAVED) {
        if (indexed || f->size != mass_element_size(a))
            return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' is interleaved, "
                                  "so that the field's type is a struct of its %u components", callback, f->name,
                                  a->name, a->length);
        *out = (mass_target){f->access, a->first_array};
        return MASS_OK;
    }
    if (component >= a->length || (a->length > 1 && !indexed))
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: attribute '%s' has components [0] to "
                              "[%u]", callback, f->name, a->name, a->length - 1);
    if (f->size != a->component_size || f->type != a->type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: its type has to be that of attribute "
                              "'%s', %s of %zu bytes", callback, f->name, a->name, mass_type_name(a->type),
                              a->component_size);
    *out = (mass_target){f->access, a->first_array + component};
    return MASS_OK;
}

static mass_status resolve_parameter(const mass_model *m, const mass_phase_def *p, const mass_field *f,
                                     mass_target *out, mass_error *error)
{
    const mass_parameter_slot *slot = mass_parameters_find(&m->parameters, f->target);
    if (!slot)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no parameter '%s'",
                              p->callback->name, f->name, f->target);
    const uint32_t type = slot->type == MASS_REAL ? MASS_F64 : MASS_I64;
    if (slot->type == MASS_TEXT || f->type != type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: parameter '%s' %s", p->callback->name,
                              f->name, f->target, slot->type == MASS_TEXT ? "is a text, which kernels cannot read"
                              : type == MASS_F64 ? "is real: the field's type has to be double"
                              : "is an integer: the field's type has to be int64_t");
    *out = (mass_target){f->access, (uint32_t)(slot - m->parameters.slots)};
    return MASS_OK;
}

static mass_status resolve_tally(const mass_model *m, mass_phase_def *p, const mass_field *f, mass_target *out,
                                 mass_error *error)
{
    const int index = mass_model_find_tally(m, f->target);
    if (index < 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: there is no tally '%s'",
                              p->callback->name, f->name, f->target);
    const mass_tally_def *t = &m->tallies[index];
    const uint32_t type = t->kind == MASS_TALLY_REAL ? MASS_F64 : MASS_I64;
    if (t->access != f->access || f->type != type)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: tally '%s' is declared with another "
                              "access or type", p->callback->name, f->name, f->target);
    p->tallies = true;
    p->cumulative |= t->cumulative;
    *out = (mass_target){f->access, (uint32_t)index};
    return MASS_OK;
}

static mass_status resolve_field(mass_model *m, mass_phase_def *p, uint32_t i, mass_error *error)
{
    const mass_field *f = &p->callback->fields[i];
    if (!mass_name_valid(f->name) || !f->target)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: field %u has no name or target",
                              p->callback->name, i);
    if (f->access >= MASS_READ && f->access <= MASS_UPDATE)
        return resolve_attribute(m, p, f, &p->targets[i], error);
    if (f->access == MASS_PARAM) return resolve_parameter(m, p, f, &p->targets[i], error);
    if (f->access >= MASS_SUM && f->access <= MASS_MAX) return resolve_tally(m, p, f, &p->targets[i], error);
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s: unknown access %u", p->callback->name,
                          f->name, f->access);
}

/* Which accesses a callback may combine on one array, and whether they need old and new apart. */
static mass_status check_accesses(mass_model *m, const mass_phase_def *p, mass_error *error)
{
    for (uint32_t i = 0; i < p->callback->field_count; i++) {
        const mass_target *a = &p->targets[i];
        for (uint32_t j = i + 1; a->access <= MASS_UPDATE && j < p->callback->field_count; j++) {
            const mass_target *b = &p->targets[j];
            if (b->access > MASS_UPDATE || a->index != b->index || (a->access == MASS_READ && b->access == MASS_READ))
                continue;
            const bool read_write = a->access + b->access == MASS_READ + MASS_WRITE && a->access != b->access;
            if (!read_write || p->callback->radius == 0)
                return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s: fields %s and %s are one attribute: a "
                                      "map takes one UPDATE field, a stencil one READ and one WRITE",
                                      p->callback->name, p->callback->fields[i].name, p->callback->fields[j].name);
            m->arrays[a->index].buffered = true;
        }
    }
    return MASS_OK;
}

static mass_status resolve_phase(mass_model *m, mass_phase_def *p, mass_error *error)
{
    const mass_callback *c = p->callback;
    if (c->field_count == 0 || c->field_count > 256 || !c->fields || c->form_count == 0 || !c->forms)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no fields or no forms", c->name);
    p->targets = calloc(c->field_count, sizeof *p->targets);
    if (!p->targets) return mass_error_memory(error, c->field_count * sizeof *p->targets, "a callback");
    for (uint32_t i = 0; i < c->field_count; i++) {
        const mass_status status = resolve_field(m, p, i, error);
        if (status != MASS_OK) return status;
    }
    mass_space_def *s = &m->spaces[p->space];
    for (uint32_t a = 0; a < s->dimensions; a++)
        if (s->ghost[a] < c->radius) s->ghost[a] = c->radius;
    return check_accesses(m, p, error);
}

mass_status mass_model_resolve(mass_model *m, mass_error *error)
{
    if (m->space_count == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "it declares no space");
    mass_status status = lay_out_arrays(m, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->phase_count; i++) status = resolve_phase(m, &m->phases[i], error);
    if (status == MASS_OK && m->picture.declared) {
        const mass_attribute_def *a = &m->attributes[m->picture.attribute];
        m->picture.array = a->first_array + (a->layout == MASS_PLANES ? m->picture.component : 0);
    }
    return status;
}
