/* SPDX-License-Identifier: Apache-2.0 */
#include "population/sprout_requests.h"
#include "population/place_draws.h"
#include "state/tally.h"

double mass_population_sprout_bytes(const mass_model *m, uint32_t population)
{
    const mass_population_def *p = &m->populations[population];
    double bytes = 2 * sizeof(uint32_t);
    if (p->sprouts == 0) return 0;
    for (uint32_t i = p->first_array; i < p->first_array + p->array_count; i++)
        if (m->arrays[i].sprout) bytes += (double)m->arrays[i].element_size * p->sprouts;
    return bytes;
}

/* Returns the number of places of this rank in all worlds. */
static size_t cells_of(const mass_domain *d, uint32_t population)
{
    return (size_t)d->populations[population].places * (size_t)d->worlds;
}

mass_status mass_population_create_sprouts(mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint32_t nothing = 0;
    const mass_population_def *p = &d->model->populations[population];
    mass_population_state *s = &d->populations[population];
    const size_t cells = cells_of(d, population);
    if (p->sprouts == 0) return MASS_OK;
    mass_status status = mass_buffer_allocate(d->device, cells * sizeof nothing, &s->sprout_asked, error);
    if (status == MASS_OK)
        status = mass_buffer_allocate(d->device, (cells + 1) * sizeof nothing, &s->sprout_before, error);
    if (status == MASS_OK && s->first_place)
        status = mass_buffer_allocate(d->device, (size_t)d->worlds * sizeof(uint64_t), &s->sprout_ids, error);
    if (status == MASS_OK) status = mass_buffer_fill(s->sprout_asked, &nothing, sizeof nothing, cells, error);
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++) {
        const mass_array_def *a = &d->model->arrays[p->first_array + i];
        if (!a->sprout) continue;
        const size_t values = cells * p->sprouts;
        status = mass_buffer_allocate(d->device, values * a->element_size, &s->arrays[i].sprout, error);
        if (status == MASS_OK)
            status = mass_buffer_fill(s->arrays[i].sprout, s->arrays[i].initial, a->element_size, values, error);
    }
    return status;
}

void mass_population_free_sprouts(mass_domain *d, uint32_t population)
{
    mass_population_state *s = &d->populations[population];
    for (uint32_t i = 0; s->arrays && i < d->model->populations[population].array_count; i++)
        mass_buffer_release(&s->arrays[i].sprout);
    mass_buffer_release(&s->sprout_asked);
    mass_buffer_release(&s->sprout_before);
    mass_buffer_release(&s->sprout_ids);
}

mass_sprouts mass_population_sprouts(const mass_domain *d, uint32_t population)
{
    return (mass_sprouts){d->populations[population].sprout_asked.address,
                          d->model->populations[population].sprouts, 0};
}

mass_buffer mass_population_sprout_values(const mass_domain *d, uint32_t population, uint32_t array)
{
    return d->populations[population].arrays[array - d->model->populations[population].first_array].sprout;
}

/* Returns a tally's accumulators, or NULL if the tally does not count in this step. */
static int64_t *counter(const mass_domain *d, int tally, bool counted)
{
    const mass_tally_def *t = tally < 0 ? NULL : &d->model->tallies[tally];
    if (!t || (!counted && !t->cumulative && !t->needed)) return NULL;
    return mass_domain_tally_at(d, (uint32_t)tally);
}

mass_sprout_work mass_population_sprout_work(const mass_domain *d, uint32_t population, const uint32_t *gates,
                                             bool counted, mass_sprout_array arrays[MASS_ARRAYS_OF_AGENTS_MAX])
{
    const mass_population_def *p = &d->model->populations[population];
    const mass_population_state *s = &d->populations[population];
    const uint32_t now = s->current, next = now ^ 1u;
    uint64_t *const next_id = (uint64_t *)mass_domain_tally_at(d, p->next_id);
    uint32_t count = 0;
    for (uint32_t i = 2; i < p->array_count && count < MASS_ARRAYS_OF_AGENTS_MAX; i++)
        arrays[count++] = (mass_sprout_array){s->arrays[i].buffer[now].address, s->arrays[i].buffer[next].address,
            d->model->arrays[p->first_array + i].element_size, s->arrays[i].sprout.address, s->arrays[i].initial};
    const bool points = p->position >= 0;
    const int position = points ? (int)(d->model->attributes[p->position].first_array - p->first_array) - 2 : -1;
    return (mass_sprout_work){.points = position,
        .draws = points ? mass_population_point_draws(d, population) : (mass_point_draws){.dimensions = 0},
        .places = s->places, .worlds = d->worlds, .capacity = p->capacity, .gates = gates,
        .asked = s->sprout_asked.address, .before = s->sprout_before.address, .count = s->count.address,
        .start = s->start.address, .occupancy = s->occupancy.address, .id = s->arrays[0].buffer[now].address,
        .id_to = s->arrays[0].buffer[next].address, .cell = s->cell[now].address, .cell_to = s->cell[next].address,
        .lost = s->arrays[1].buffer[now].address, .lost_to = s->arrays[1].buffer[next].address, .array_count = count,
        .arrays = arrays, .id_base = s->first_place ? s->sprout_ids.address : next_id, .next_id = next_id,
        .born = counter(d, p->born, counted), .unborn = counter(d, p->unborn, counted)};
}

mass_status mass_population_drop_sprouts(mass_domain *d, uint32_t population, bool ignored, mass_error *error)
{
    mass_sprout_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    mass_diagnostics *const list = d->diagnostics.address;
    if (!d->populations[population].sprout_asked.device) return MASS_OK;
    mass_sprout_work w = mass_population_sprout_work(d, population, NULL, false, arrays);
    w.before = NULL;
    if (ignored) w.ignored = &list[d->model->phase_count + population].ignored[MASS_IGNORED_REQUEST];
    return d->device->table->agents->sprout->clear(d->device, &w, error);
}
