/* SPDX-License-Identifier: Apache-2.0 */
/* /run/place: the attributes of one place, and its agents. */
#include "model/value_names.h"
#include "population/gather.h"
#include "state/box.h"
#include "state/cells.h"
#include "view/json.h"
#include "view/state.h"

#include <stdlib.h>
#include <string.h>

enum { RESIDENTS_MOST = 64 };

/* Returns a new list of the names of values, null for a value without a name. */
static json_t *words_json(const mass_attribute_def *a, const char *bytes)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < a->length; k++) {
        const mass_number value = mass_number_at(a->type, bytes + k * a->component_size);
        const char *name = mass_value_name(a, mass_number_double(value));
        json_array_append_new(list, name ? mass_text_json(name) : json_null());
    }
    return list;
}

json_t *mass_view_attribute(const mass_attribute_def *a, const char *bytes)
{
    json_t *value = a->length > 1 ? json_array() : NULL;
    for (uint32_t k = 0; value && k < a->length; k++)
        json_array_append_new(value, mass_view_value(mass_number_at(a->type, bytes + k * a->component_size)));
    if (!value) value = mass_view_value(mass_number_at(a->type, bytes));
    json_t *o = json_pack("{s:s, s:o, s:o}", "name", a->name, "value", value, "unit", mass_text_json(a->unit));
    if (a->name_count) json_object_set_new(o, "words", words_json(a, bytes));
    return o;
}

bool mass_view_is_of_agents(const mass_model *m, uint32_t attribute, uint32_t population)
{
    const mass_attribute_def *a = &m->attributes[attribute];
    const bool own = attribute - m->populations[population].first_attribute < MASS_AGENT_COLUMNS;
    return a->population == (int32_t)population && !own && mass_type_size(a->type) > 0;
}

/* Adds all attributes of the place. Skips those of agents and streams and those without numbers. */
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
        if (status == MASS_OK) json_array_append_new(to, mass_view_attribute(a, bytes));
        free(bytes);
    }
    return status;
}

/* ---- agents of a place ---- */

/* The agents of one population on a place. They are consecutive, as agents are ordered by place. */
typedef struct residents {
    uint32_t population;
    uint64_t first, count, all; /* all: agents of the population */
} residents;

/* Returns the number of the question's place. */
static int64_t place_of(const mass_domain *d, const mass_view_question *q)
{
    const mass_gidx *size = d->model->spaces[q->space].size;
    return (q->at[2] * size[1] + q->at[1]) * size[0] + q->at[0];
}

/* Finds, in a run of one rank, the agents on the question's place: the first of them and how many. */
static mass_status find_here(mass_domain *d, const mass_view_question *q, residents *r, mass_error *error)
{
    const mass_population_state *s = &d->populations[r->population];
    const int64_t cell = q->world * s->places + place_of(d, q);
    uint32_t first = 0, count = 0;
    const mass_status status = mass_cell_find(d, r->population, (uint64_t)cell, &first, &count, error);
    r->first = first;
    r->count = count;
    return status;
}

/* Returns the index of the first of `count` ascending places that is not below `place`. */
static uint64_t find_place(const int64_t *places, uint64_t count, int64_t place)
{
    uint64_t low = 0;
    while (low < count) {
        const uint64_t middle = low + (count - low) / 2;
        if (places[middle] < place) low = middle + 1;
        else count = middle;
    }
    return low;
}

/* Finds the agents of a place, if there are several ranks. No rank knows where others store their agents, so rank 0
 * reads the places of all. Also sets r->all. */
static mass_status find_anywhere(mass_domain *d, const mass_view_question *q, residents *r, mass_error *error)
{
    const uint32_t places_of = d->model->populations[r->population].first_attribute + MASS_AGENT_PLACE;
    const int64_t place = place_of(d, q);
    uint64_t *counts = calloc((size_t)d->share.worlds, sizeof *counts), before = 0;
    mass_status status = mass_population_count(d, r->population, &r->all, error);
    if (status == MASS_OK && counts) status = mass_population_count_worlds(d, r->population, counts, error);
    int64_t *places = status == MASS_OK ? malloc((size_t)(r->all + 1) * sizeof *places) : NULL;
    if (status == MASS_OK && (!places || !counts))
        status = mass_error_memory(error, (size_t)(r->all + 1) * sizeof *places, "a place");
    if (status == MASS_OK) status = mass_population_read(d, places_of, places, error);
    if (status == MASS_OK) {
        for (int32_t w = 0; w < q->world; w++) before += counts[w];
        const uint64_t from = find_place(places + before, counts[q->world], place);
        r->first = before + from;
        r->count = find_place(places + before, counts[q->world], place + 1) - from;
    }
    free(places);
    free(counts);
    return status;
}

/* Reads an attribute of the first `count` of them, which the caller frees. With several ranks it reads that of all
 * agents, whose number r->all is. */
static mass_status read_residents(mass_domain *d, uint32_t attribute, const residents *r, uint64_t count, char **out,
                                  mass_error *error)
{
    const size_t size = mass_element_size(&d->model->attributes[attribute]);
    const bool alone = d->share.comm->size == 1;
    char *bytes = malloc(size * (size_t)(alone ? count : r->all));
    if (!bytes) return mass_error_memory(error, size * (size_t)(alone ? count : r->all), "a place");
    const mass_status status = alone ? mass_population_read_run(d, attribute, (int64_t)r->first, (int64_t)count, bytes,
                                                                error)
                                     : mass_population_read(d, attribute, bytes, error);
    if (status == MASS_OK && !alone) memmove(bytes, bytes + r->first * size, count * size);
    if (status == MASS_OK) *out = bytes;
    else free(bytes);
    return status;
}

/* Adds each attribute of the model to the lists of the agents, attributes[count]. */
static mass_status add_columns(mass_domain *d, const residents *r, uint64_t count, json_t *const attributes[],
                               mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char *bytes = NULL;
        if (!mass_view_is_of_agents(m, i, r->population)) continue;
        status = read_residents(d, i, r, count, &bytes, error);
        for (uint64_t k = 0; status == MASS_OK && k < count; k++)
            json_array_append_new(attributes[k], mass_view_attribute(a, bytes + k * mass_element_size(a)));
        free(bytes);
    }
    return status;
}

/* Adds the first `count` of them, at most RESIDENTS_MOST, each as its population, id and attributes. */
static mass_status add_residents(mass_domain *d, const residents *r, uint64_t count, json_t *to, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[r->population];
    json_t *attributes[RESIDENTS_MOST];
    char *ids = NULL;
    mass_status status = read_residents(d, p->first_attribute + MASS_AGENT_ID, r, count, &ids, error);
    if (status != MASS_OK) return status;
    for (uint64_t k = 0; k < count; k++) {
        attributes[k] = json_array();
        json_array_append_new(to, json_pack("{s:s, s:o, s:o}", "population", p->name, "id",
                                            mass_view_value(mass_number_at(MASS_U64, ids + k * sizeof(uint64_t))),
                                            "attributes", attributes[k]));
    }
    free(ids);
    return add_columns(d, r, count, attributes, error);
}

/* Adds the agents on a place, as many as fit the answer. *more counts the others. */
static mass_status add_populations(mass_domain *d, const mass_view_question *q, json_t *to, uint64_t *more,
                                   mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->population_count; i++) {
        residents r = {.population = i};
        if (d->model->populations[i].space != q->space) continue;
        status = d->share.comm->size == 1 ? find_here(d, q, &r, error) : find_anywhere(d, q, &r, error);
        const uint64_t room = RESIDENTS_MOST - json_array_size(to), shown = r.count < room ? r.count : room;
        if (status == MASS_OK && shown) status = add_residents(d, &r, shown, to, error);
        *more += r.count - shown;
    }
    return status;
}

/* Returns whether the question's space, world and place exist. */
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
    json_t *agents = json_array();
    uint64_t more = 0;
    mass_status status = add_attributes(d, q, attributes, error);
    if (status == MASS_OK) status = add_populations(d, q, agents, &more, error);
    json_t *o = json_pack("{s:I, s:o, s:o, s:I}", "step", (json_int_t)v->step, "attributes", attributes, "residents",
                          agents, "more", (json_int_t)more);
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
