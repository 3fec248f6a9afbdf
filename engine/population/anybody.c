/* SPDX-License-Identifier: Apache-2.0 */
#include "population/anybody.h"

/* Returns the length of a hash table: a power of two, at least twice the number of agents. */
static uint64_t slots_for(uint64_t agents)
{
    uint64_t slots = 2;
    while (slots < 2 * agents) slots *= 2;
    return slots;
}

mass_status mass_anybody_make_slots(mass_domain *d, mass_population_state *s, uint64_t agents, mass_error *error)
{
    s->last_slot = (uint32_t)(slots_for(agents) - 1);
    return mass_buffer_allocate(d->device, ((size_t)s->last_slot + 1) * sizeof(uint32_t), &s->slots, error);
}

void mass_anybody_free_room(const mass_population_def *p, mass_population_state *s)
{
    for (uint32_t i = 0; s->arrays && i < p->array_count; i++) {
        mass_buffer_release(&s->arrays[i].of_all);
        mass_buffer_release(&s->arrays[i].sums);
    }
    mass_buffer_release(&s->slots);
    s->room_of_all = 0;
}

mass_status mass_anybody_create(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    const double cells = (double)mass_space_places(&d->model->spaces[p->space]) * d->worlds;
    if (p->sought && cells > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s: free places are drawn for it, and its space has "
                              "%.0f places over all worlds: 2^32 - 1 are the most", p->name, cells);
    if (p->sought && (s->first_place || !s->occupancy.device)) {
        const mass_status status = mass_buffer_allocate(d->device, ((size_t)cells / 32 + 1) * sizeof(mass_seats),
                                                        &s->full, error);
        if (status != MASS_OK) return status;
    }
    if (!p->anywhere || !s->first_place) return MASS_OK;
    return mass_buffer_allocate(d->device, (size_t)d->worlds * sizeof(uint32_t), &s->moved, error);
}

void mass_anybody_free(mass_population_state *s)
{
    mass_buffer_release(&s->full);
    mass_buffer_release(&s->moved);
}

mass_status mass_anybody_index(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const mass_everybody e = mass_anybody_record(d, population);
    const mass_index_work w = {e.id, e.start, e.stride, d->worlds, s->first_place ? s->room_of_all : s->room,
                               s->slots.address, s->last_slot};
    return d->device->table->agents->index(d->device, &w, error);
}

mass_status mass_anybody_find_full(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const mass_full_work w = {s->start.address, s->occupancy.address, (uint64_t)s->places * (uint64_t)d->worlds,
                              d->model->populations[population].capacity, s->full.address};
    return d->device->table->agents->find_full(d->device, &w, error);
}

mass_everybody mass_anybody_record(const mass_domain *d, uint32_t population)
{
    const mass_population_state *s = &d->populations[population];
    const mass_buffer id = s->first_place ? s->arrays[0].of_all : s->arrays[0].buffer[s->current];
    return (mass_everybody){.start = s->first_place ? s->world_starts.address : s->start.address,
        .stride = s->first_place ? 1 : s->places, .id = id.address, .moved = s->moved.address,
        .slots = s->slots.address, .last_slot = s->last_slot};
}

const mass_seats *mass_anybody_full(const mass_domain *d, uint32_t population)
{
    const mass_population_state *s = &d->populations[population];
    return s->full.device ? s->full.address : s->occupancy.address;
}
