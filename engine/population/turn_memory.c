/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_memory.h"

#include <stdlib.h>
#include <string.h>

double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population)
{
    const double order = 2.0 * sizeof(mass_turn_key) + sizeof(uint32_t);
    return m->populations[population].in_turn ? sizeof(mass_turn_agent) + 3.0 * sizeof(uint32_t) + order : 0;
}

double mass_turn_bytes_of_place(const mass_model *m, uint32_t population)
{
    return m->populations[population].in_turn ? sizeof(uint32_t) : 0;
}

void mass_turn_free(mass_population_state *s)
{
    struct mass_turn_memory *t = s->turn;
    if (!t) return;
    mass_turn_copies_free(&t->copies);
    free(t->agents);
    free(t->arrays);
    free(t->from_of);
    free(t->children);
    free(t->first);
    free(t->counts);
    free(t->keys);
    free(t->order);
    free(t);
    s->turn = NULL;
}

mass_status mass_turn_create(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    const size_t cells = (size_t)s->places * (size_t)d->worlds;
    if (s->turn) return MASS_OK;
    s->turn = calloc(1, sizeof *s->turn);
    if (!s->turn) return mass_error_memory(error, sizeof *s->turn, "a phase in turn");
    s->turn->first = malloc(cells * sizeof *s->turn->first);
    s->turn->counts = calloc(3 * (size_t)d->worlds, sizeof *s->turn->counts);
    s->turn->arrays = calloc(d->model->populations[population].array_count, sizeof *s->turn->arrays);
    if (!s->turn->first || !s->turn->counts || !s->turn->arrays) {
        mass_turn_free(s);
        return mass_error_memory(error, cells * sizeof *s->turn->first, "a phase in turn");
    }
    memset(s->turn->first, 0xff, cells * sizeof *s->turn->first); /* MASS_NOBODY */
    return MASS_OK;
}

mass_status mass_turn_make_room(mass_population_state *s, mass_error *error)
{
    struct mass_turn_memory *t = s->turn;
    if (t->room == s->room) return MASS_OK;
    free(t->agents);
    free(t->from_of);
    free(t->children);
    t->room = 0;
    t->agents = malloc(s->room * sizeof *t->agents);
    t->from_of = malloc(s->room * sizeof *t->from_of);
    t->children = malloc(2 * (size_t)s->room * sizeof *t->children);
    if (!t->agents || !t->from_of || !t->children)
        return mass_error_memory(error, s->room * (sizeof *t->agents + 3 * sizeof *t->children), "a phase in turn");
    t->room = s->room;
    return MASS_OK;
}

mass_status mass_turn_make_order_room(struct mass_turn_memory *t, uint32_t count, mass_error *error)
{
    const size_t room = (size_t)count + count / 2;
    if (count <= t->order_room) return MASS_OK;
    free(t->keys);
    free(t->order);
    t->order_room = 0;
    t->keys = malloc(2 * room * sizeof *t->keys);
    t->order = malloc(room * sizeof *t->order);
    if (!t->keys || !t->order) return mass_error_memory(error, 2 * room * sizeof *t->keys, "a phase in turn");
    t->order_room = (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX);
    return MASS_OK;
}
