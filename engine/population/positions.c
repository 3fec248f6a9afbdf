/* SPDX-License-Identifier: Apache-2.0 */
#include "population/positions.h"
#include "model/positions.h"
#include "population/place_draws.h"
#include "population/population.h"

#include <stdlib.h>

/* Returns the buffers of the positions. Sets *size to the bytes of one. */
static mass_agent_buffers *buffers_of(const mass_domain *d, uint32_t population, size_t *size)
{
    const mass_population_def *p = &d->model->populations[population];
    const uint32_t array = d->model->attributes[p->position].first_array;
    *size = d->model->arrays[array].element_size;
    return &d->populations[population].arrays[array - p->first_array];
}

mass_positions mass_population_positions(const mass_domain *d, uint32_t population)
{
    const mass_population_state *s = &d->populations[population];
    size_t size;
    if (d->model->populations[population].position < 0) return (mass_positions){0};
    const mass_agent_buffers *b = buffers_of(d, population, &size);
    return (mass_positions){.at = b->buffer[s->current].address, .to = b->buffer[s->current ^ 1u].address,
                            .child = b->child.address, .size = (uint32_t)size,
                            .type = d->model->attributes[d->model->populations[population].position].type,
                            .at_edge = d->model->populations[population].at_edge};
}

mass_status mass_population_reposition(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    size_t size;
    if (d->model->populations[population].position < 0) return MASS_OK;
    const mass_agent_buffers *b = buffers_of(d, population, &size);
    const mass_reposition_work w = {.places = s->places, .gates = gates, .count = s->count.address, .room = s->room,
        .cell = s->cell[s->current].address, .move = s->move.address, .at = b->buffer[s->current].address,
        .to = b->buffer[s->current ^ 1u].address, .size = size};
    return d->device->table->agents->reposition(d->device, &w, error);
}

mass_status mass_population_set_points(mass_domain *d, uint32_t population, uint32_t count, const uint64_t *id,
                                       const uint32_t *cell, mass_error *error)
{
    const mass_model *m = d->model;
    const mass_population_def *p = &m->populations[population];
    const mass_point_draws draws = mass_population_point_draws(d, population);
    const int64_t places = d->populations[population].places;
    const size_t size = mass_element_size(&m->attributes[p->position]);
    void **values = calloc(m->attribute_count, sizeof *values);
    char *points = malloc(((size_t)count + 1) * size);
    mass_status status = values && points ? MASS_OK : mass_error_memory(error, count * size, "a population");
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) {
        const uint64_t key = mass_random_key(d->seed, (uint64_t)(d->first_world + cell[i] / places));
        double unit[3];
        mass_point_draw_units(&draws, key, id[i], unit);
        mass_point_store(&draws, draws.first_place + cell[i] % places, unit, points + i * size);
    }
    if (status == MASS_OK) {
        values[p->first_attribute + MASS_AGENT_ID] = (void *)(uintptr_t)id; /* it is only read */
        values[p->position] = points;
        status = mass_population_set(d, population, count, id, cell, values, error);
    }
    free(values);
    free(points);
    return status;
}
