/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_memory.h"

#include <stdlib.h>

double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population)
{
    const double order = 2.0 * sizeof(uint64_t) + sizeof(uint32_t);
    return m->populations[population].in_turn ? sizeof(mass_turn_agent) + sizeof(uint32_t) + order : 0;
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
    mass_buffer_release(&t->agents);
    mass_buffer_release(&t->from_of);
    mass_buffer_release(&t->first);
    mass_buffer_release(&t->counts);
    mass_buffer_release(&t->order);
    mass_buffer_release(&t->record);
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

/* Replaces a buffer by one of so many bytes. */
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

mass_status mass_turn_make_order_room(mass_domain *d, uint32_t population, uint32_t count, mass_error *error)
{
    struct mass_turn_memory *t = d->populations[population].turn;
    const uint64_t more = count + (uint64_t)count / 2 + 1;
    const uint32_t room = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
    if (t->order.address && count <= t->order_room) return MASS_OK;
    t->order_room = 0;
    const mass_status status = replace(d, &t->order, d->device->table->agents->turn->order_bytes(room), error);
    if (status == MASS_OK) t->order_room = room;
    return status;
}

mass_status mass_turn_make_record_room(mass_domain *d, uint32_t population, size_t bytes, mass_error *error)
{
    mass_buffer *const record = &d->populations[population].turn->record;
    return record->bytes >= bytes ? MASS_OK : replace(d, record, bytes, error);
}
