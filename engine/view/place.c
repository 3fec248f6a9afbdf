/* SPDX-License-Identifier: Apache-2.0 */
/* /run/place: the attributes of one place, and who is there. */
#include "domain/population.h"
#include "view/json.h"
#include "view/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESIDENTS_MOST = 64 };

#define VALUE(T)                          \
    {                                     \
        T value;                          \
        memcpy(&value, at, sizeof value); \
        return json_integer((json_int_t)value); \
    }

static json_t *value_json(const char *at, uint32_t type)
{
    double real;
    float single;
    switch (type) {
    case MASS_I8: VALUE(int8_t)
    case MASS_U8:
    case MASS_BIT: VALUE(uint8_t)
    case MASS_I16: VALUE(int16_t)
    case MASS_U16: VALUE(uint16_t)
    case MASS_I32: VALUE(int32_t)
    case MASS_U32: VALUE(uint32_t)
    case MASS_I64: VALUE(int64_t)
    case MASS_U64: VALUE(uint64_t)
    case MASS_F32: memcpy(&single, at, sizeof single); return mass_view_number((double)single);
    case MASS_F64: memcpy(&real, at, sizeof real); return mass_view_number(real);
    default: return json_null();
    }
}

/* An attribute of one place or agent: a value, or a list of its components. */
static json_t *attribute_json(const mass_attribute_def *a, const char *bytes)
{
    json_t *value = a->length > 1 ? json_array() : NULL;
    for (uint32_t k = 0; value && k < a->length; k++)
        json_array_append_new(value, value_json(bytes + k * a->component_size, a->type));
    if (!value) value = value_json(bytes, a->type);
    return json_pack("{s:s, s:o, s:o}", "name", a->name, "value", value, "unit", mass_text_json(a->unit));
}

static mass_status add_attributes(mass_domain *d, const mass_view_question *q, json_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        if (a->population >= 0 || a->space != q->space || a->streamed || mass_type_size(a->type) == 0) continue;
        char *bytes = malloc(mass_element_size(a));
        if (!bytes) return mass_error_memory(error, mass_element_size(a), "a place");
        status = mass_domain_read(d, i, q->world, q->at, (const mass_gidx[3]){1, 1, 1}, bytes, error);
        if (status == MASS_OK) json_array_append_new(to, attribute_json(a, bytes));
        free(bytes);
    }
    return status;
}

/* ---- residents ---- */

typedef struct residents {
    json_t *list;
    int64_t shown, more;
} residents;

static mass_status add_resident(mass_domain *d, uint32_t population, int64_t agent, json_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    const mass_population_def *p = &m->populations[population];
    json_t *attributes = json_array();
    uint64_t id = 0;
    mass_status status = mass_population_read_run(d, p->first_attribute + MASS_AGENT_ID, agent, 1, &id, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        const bool own = i - p->first_attribute < MASS_AGENT_COLUMNS;
        if (a->population != (int32_t)population || own || mass_type_size(a->type) == 0) continue;
        char *bytes = malloc(mass_element_size(a));
        if (!bytes) status = mass_error_memory(error, mass_element_size(a), "a place");
        if (bytes) status = mass_population_read_run(d, i, agent, 1, bytes, error);
        if (status == MASS_OK) json_array_append_new(attributes, attribute_json(a, bytes));
        free(bytes);
    }
    json_array_append_new(to, json_pack("{s:s, s:I, s:o}", "population", p->name, "id", (json_int_t)id, "attributes",
                                        attributes));
    return status;
}

/* Agents lie in the order of their places, so that those of a place follow each other. */
static mass_status add_residents(mass_domain *d, uint32_t population, const mass_view_question *q, residents *r,
                                 mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const mass_gidx *size = d->model->spaces[q->space].size;
    const int64_t place = (q->at[2] * size[1] + q->at[1]) * size[0] + q->at[0];
    const int64_t cell = q->world * s->places + place;
    uint32_t start[2] = {0};
    const mass_buffer there = mass_buffer_from(s->start, (size_t)cell * sizeof *start);
    mass_status status = mass_buffer_download(there, start, sizeof start, error);
    for (uint32_t i = start[0]; status == MASS_OK && i < start[1]; i++) {
        if (r->shown == RESIDENTS_MOST) {
            r->more += start[1] - i;
            break;
        }
        r->shown++;
        status = add_resident(d, population, i, r->list, error);
    }
    return status;
}

/* With several ranks nobody knows who stands where. */
static mass_status add_populations(mass_domain *d, const mass_view_question *q, residents *r, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->population_count; i++)
        if (d->model->populations[i].space == q->space) status = add_residents(d, i, q, r, error);
    return status;
}

static bool is_there(const mass_domain *d, const mass_view_question *q)
{
    if (q->space >= d->model->space_count || q->world >= d->share.worlds) return false;
    const mass_gidx *size = d->model->spaces[q->space].size;
    for (int a = 0; a < 3; a++)
        if (q->at[a] < 0 || q->at[a] >= size[a]) return false;
    return true;
}

mass_status mass_view_answer_place(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error)
{
    mass_domain *d = v->domain;
    if (!is_there(d, q)) {
        *out = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    mass_json_begin();
    json_t *attributes = json_array();
    residents r = {.list = json_array()};
    mass_status status = add_attributes(d, q, attributes, error);
    if (status == MASS_OK && d->share.comm->size == 1) status = add_populations(d, q, &r, error);
    json_t *o = json_pack("{s:I, s:o, s:o, s:I}", "step", (json_int_t)v->step, "attributes", attributes, "residents",
                          r.list, "more", (json_int_t)r.more);
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
