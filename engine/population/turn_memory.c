/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_memory.h"

#include <stdlib.h>

/* The most bytes of an order, for each that acts: its entry, and in thin slabs the waits at both cuts of a CPU. */
#define ORDER (3.0 * sizeof(uint64_t) + sizeof(uint32_t) + 4.0 * sizeof(uint32_t))

double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population)
{
    return m->populations[population].in_turn ? sizeof(mass_turn_agent) + sizeof(uint32_t) + ORDER : 0;
}

double mass_turn_bytes_of_actor(const mass_model *m, uint32_t space)
{
    bool acts = false;
    for (uint32_t i = 0; i < m->phase_count; i++)
        acts |= mass_phase_turns_places(&m->phases[i]) && m->phases[i].space == space;
    return acts ? ORDER : 0;
}

double mass_turn_bytes_of_place(const mass_model *m, uint32_t population)
{
    return m->populations[population].in_turn ? sizeof(uint32_t) : 0;
}

void mass_turn_free(mass_population_state *s)
{
    struct mass_turn_memory *t = s->turn;
    if (!t) return;
    mass_buffer_release(&t->agents);
    mass_buffer_release(&t->from_of);
    mass_buffer_release(&t->first);
    mass_buffer_release(&t->counts);
    free(t);
    s->turn = NULL;
}

mass_status mass_turn_create(mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint32_t nobody = MASS_NOBODY;
    mass_population_state *s = &d->populations[population];
    const size_t cells = (size_t)s->places * (size_t)d->worlds, counts = 3 * (size_t)d->worlds;
    if (s->turn) return MASS_OK;
    s->turn = calloc(1, sizeof *s->turn);
    if (!s->turn) return mass_error_memory(error, sizeof *s->turn, "a phase in turn");
    mass_status status = mass_buffer_allocate(d->device, cells * sizeof nobody, &s->turn->first, error);
    if (status == MASS_OK)
        status = mass_buffer_allocate(d->device, counts * sizeof(int64_t), &s->turn->counts, error);
    if (status == MASS_OK) status = mass_buffer_fill(s->turn->first, &nobody, sizeof nobody, cells, error);
    if (status != MASS_OK) mass_turn_free(s);
    return status;
}

/* Replaces a buffer by one of so many bytes, without its contents. On failure the buffer is empty. */
static mass_status replace(mass_domain *d, mass_buffer *b, size_t bytes, mass_error *error)
{
    mass_buffer_release(b);
    return mass_buffer_allocate(d->device, bytes, b, error);
}

mass_status mass_turn_make_room(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    struct mass_turn_memory *t = s->turn;
    if (t->room == s->room) return MASS_OK;
    t->room = 0;
    mass_status status = replace(d, &t->agents, s->room * sizeof(mass_turn_agent), error);
    if (status == MASS_OK) status = replace(d, &t->from_of, s->room * sizeof(uint32_t), error);
    if (status == MASS_OK) t->room = s->room;
    return status;
}
