/* SPDX-License-Identifier: Apache-2.0 */
/* /run/agent: the place and the values of one agent. Agents move and change places in memory, so it is found by its
 * id. For an agent with a position, the answer also has its position and the agents of its population nearby. */
#include "model/positions.h"
#include "population/gather.h"
#include "view/json.h"
#include "view/state.h"
#include "view/world_agents.h"

#include <stdlib.h>
#include <string.h>

enum { NEAR_MOST = 500 }; /* agents nearby that an answer lists */

/* The position of the agent among all agents of its population. */
typedef struct agent {
    mass_world_agents in;
    uint64_t index; /* equal to in.end if there is no such agent */
} agent;

/* Finds the agent by its id. Sets a->index to a->in.end if it is not there. */
static mass_status find(mass_domain *d, const mass_view_question *q, agent *a, mass_error *error)
{
    void *ids = NULL;
    mass_status status = mass_world_agents_find(d, q->population, q->world, &a->in, error);
    if (status == MASS_OK)
        status = mass_world_agents_read(d, d->model->populations[q->population].first_attribute + MASS_AGENT_ID, &a->in,
                                        &ids, error);
    if (status != MASS_OK) return status;
    a->index = a->in.first;
    while (a->index < a->in.end && ((const uint64_t *)ids)[a->index] != q->id) a->index++;
    free(ids);
    return MASS_OK;
}

/* Reads one element of the agent, which the caller frees. With several ranks, reads all agents. */
static mass_status read_one(mass_domain *d, uint32_t attribute, const agent *a, char **out, mass_error *error)
{
    const size_t size = mass_element_size(&d->model->attributes[attribute]);
    char *bytes = malloc(size);
    void *all = NULL;
    if (!bytes) return mass_error_memory(error, size, "an agent");
    mass_status status;
    if (d->share.comm->size == 1)
        status = mass_population_read_run(d, attribute, (int64_t)a->index, 1, bytes, error);
    else {
        status = mass_world_agents_read(d, attribute, &a->in, &all, error);
        if (status == MASS_OK) memcpy(bytes, (char *)all + a->index * size, size);
        free(all);
    }
    if (status == MASS_OK) *out = bytes;
    else free(bytes);
    return status;
}

/* Reads the agent's place and adds it to the answer as x, y and z. */
static mass_status add_place(mass_domain *d, uint32_t population, const agent *a, json_t *to, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    const mass_gidx *size = d->model->spaces[p->space].size;
    char *bytes = NULL;
    int64_t place;
    const mass_status status = read_one(d, p->first_attribute + MASS_AGENT_PLACE, a, &bytes, error);
    if (status != MASS_OK) return status;
    memcpy(&place, bytes, sizeof place);
    free(bytes);
    json_object_set_new(to, "x", json_integer(place % size[0]));
    json_object_set_new(to, "y", json_integer(place / size[0] % size[1]));
    json_object_set_new(to, "z", json_integer(place / size[0] / size[1]));
    return MASS_OK;
}

/* Returns how many places away agents of a population look for others, at least 1. */
static int64_t sight_of(const mass_model *m, uint32_t population)
{
    int64_t reach = 1;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (p->callback && p->population == (int32_t)population && p->reach > reach) reach = p->reach;
    }
    return reach;
}

/* Returns whether two places of a space are at most `most` apart along each axis. */
static bool are_near(const mass_space_def *s, int64_t one, int64_t other, int64_t most)
{
    bool near = true;
    for (uint32_t a = 0; a < s->dimensions; a++) {
        const int64_t by = llabs(one % s->size[a] - other % s->size[a]);
        near &= by <= most || ((s->torus >> a & 1) && s->size[a] - by <= most);
        one /= s->size[a], other /= s->size[a];
    }
    return near;
}

/* Adds where the agent is, in units of places, as `at`; the population's other agents within its reach as `near`, if
 * they are not too many; and the reach. */
static mass_status add_points(mass_domain *d, uint32_t population, const agent *a, json_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    const mass_population_def *p = &m->populations[population];
    const int64_t reach = sight_of(m, population);
    void *points = NULL, *places = NULL;
    double at[2];
    mass_status status = mass_world_agents_read(d, (uint32_t)p->position, &a->in, &points, error);
    if (status == MASS_OK)
        status = mass_world_agents_read(d, p->first_attribute + MASS_AGENT_PLACE, &a->in, &places, error);
    json_t *near = json_array();
    for (uint64_t i = a->in.first; status == MASS_OK && i < a->in.end && json_array_size(near) <= NEAR_MOST; i++) {
        const int64_t *const place = places;
        if (i == a->index || !are_near(&m->spaces[p->space], place[a->index], place[i], reach)) continue;
        mass_positions_in_places(m, population, points, i, at);
        json_array_append_new(near, json_pack("[f, f]", at[0], at[1]));
    }
    if (status == MASS_OK) {
        mass_positions_in_places(m, population, points, a->index, at);
        json_object_set_new(to, "at", json_pack("[f, f]", at[0], at[1]));
        json_object_set_new(to, "reach", json_integer(reach));
        if (json_array_size(near) <= NEAR_MOST) json_object_set(to, "near", near);
    }
    json_decref(near);
    free(points);
    free(places);
    return status;
}

/* Adds the values of all attributes that the view shows, one read each. */
static mass_status add_values(mass_domain *d, uint32_t population, const agent *a, json_t *to, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    json_t *attributes = json_array();
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const mass_attribute_def *def = &m->attributes[i];
        char *bytes = NULL;
        if (!mass_view_is_of_agents(m, i, population)) continue;
        status = read_one(d, i, a, &bytes, error);
        if (status == MASS_OK) json_array_append_new(attributes, mass_view_attribute(def, bytes));
        free(bytes);
    }
    json_object_set_new(to, "attributes", attributes);
    return status;
}

json_t *mass_view_agents_json(const mass_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < m->population_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:i}", "population", m->populations[i].name, "space",
                                              (int)m->populations[i].space));
    return list;
}

mass_status mass_view_answer_agent(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error)
{
    mass_domain *d = v->domain;
    agent a = {0};
    if (q->population >= d->model->population_count || q->world >= d->share.worlds) {
        *out = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    mass_status status = find(d, q, &a, error);
    if (status != MASS_OK) return status;
    mass_json_begin();
    const bool there = a.index < a.in.end;
    json_t *o = json_pack("{s:I, s:I, s:b}", "run", (json_int_t)v->run, "step", (json_int_t)v->step, "there", there);
    if (there) status = add_place(d, q->population, &a, o, error);
    if (there && status == MASS_OK && d->model->populations[q->population].position >= 0)
        status = add_points(d, q->population, &a, o, error);
    if (there && status == MASS_OK) status = add_values(d, q->population, &a, o, error);
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
