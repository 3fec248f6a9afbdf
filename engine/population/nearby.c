/* SPDX-License-Identifier: Apache-2.0 */
#include "population/nearby.h"
#include "halo/bands.h"
#include "population/population.h"
#include "ranks/rpc.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAYS_MOST = 512 };

/* Returns the buffers of a population's array, which has its number in the model. */
static mass_agent_buffers *buffers_of(const mass_domain *d, uint32_t population, uint32_t array)
{
    return &d->populations[population].arrays[array - d->model->populations[population].first_array];
}

mass_buffer mass_nearby_array(const mass_domain *d, uint32_t population, uint32_t array, bool added)
{
    const mass_agent_buffers *b = buffers_of(d, population, array);
    return added ? b->added : b->before;
}

/* ---- copies of other ranks' agents ---- */

/* Returns the copies that a phase has of a population, or NULL. */
static mass_band *band_of(const mass_domain *d, uint32_t phase, uint32_t population)
{
    return d->bands ? d->bands[phase * d->model->population_count + population] : NULL;
}

/* Makes the copies of a phase once, and updates them. A phase without reach has none. All ranks call it. */
static mass_status refresh(mass_domain *d, uint32_t phase, uint32_t population, const mass_nearby_arrays *arrays,
                           mass_error *error)
{
    const mass_model *m = d->model;
    const size_t count = (size_t)m->phase_count * m->population_count;
    uint32_t all[ARRAYS_MOST], n = arrays->before_count;
    if (m->phases[phase].reach == 0) return MASS_OK;
    if (!d->bands) d->bands = calloc(count, sizeof *d->bands);
    mass_status status = MASS_OK;
    if (!d->bands) status = mass_error_memory(error, count * sizeof *d->bands, "agents of other ranks");
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status != MASS_OK) return status;
    mass_band **band = &d->bands[phase * m->population_count + population];
    if (n) memcpy(all, arrays->before, n * sizeof *all);
    if (arrays->added_count) memcpy(all + n, arrays->added, arrays->added_count * sizeof *all);
    n += arrays->added_count;
    if (!*band) status = mass_band_make(d, population, m->phases[phase].reach, all, n, band, error);
    return status == MASS_OK ? mass_band_refresh(d, *band, true, error) : status;
}

void mass_nearby_show(const mass_domain *d, uint32_t phase, uint32_t population, mass_agents *agents)
{
    const mass_band *b = band_of(d, phase, population);
    if (!b) return;
    agents->copy_start = b->start.address;
    agents->copy_cell = b->cell.address;
    agents->copy_id = b->values[0].address;
    agents->copy_places = b->places;
}

void mass_nearby_free(mass_domain *d)
{
    const size_t count = (size_t)d->model->phase_count * d->model->population_count;
    for (size_t i = 0; d->bands && i < count; i++) mass_band_free(d->bands[i]);
    free(d->bands);
    d->bands = NULL;
}

/* ---- values ---- */

/* Makes memory for the values of this rank's agents and of copies, if there is too little. Then waits for queued work,
 * loses former contents, and raises the domain's `changes`. */
static mass_status make_room(mass_domain *d, mass_buffer *b, size_t bytes, mass_error *error)
{
    if (b->device && b->bytes >= bytes) return MASS_OK;
    const mass_status status = d->device->table->launch->synchronise(d->device, error);
    mass_buffer_release(b);
    d->changes++;
    return status == MASS_OK ? mass_buffer_allocate(d->device, bytes + bytes / 8, b, error) : status;
}

/* Returns a strided copy of one run of bytes. */
static mass_strided box_of(void *to, const void *from, size_t bytes)
{
    return (mass_strided){.to = to, .from = from, .bytes = bytes, .count = {1, 1, 1}};
}

/* Copies bytes on the device, if there are any. Queued. */
static mass_status copy(mass_domain *d, void *to, const void *from, size_t bytes, mass_error *error)
{
    const mass_strided box = box_of(to, from, bytes);
    return bytes ? d->device->table->memory->copy(d->device, &box, error) : MASS_OK;
}

/* Copies an array to its `before`, and behind it the values of copies: array number `index` of the band. band: NULL if
 * there are no copies, here and below. */
static mass_status keep(mass_domain *d, uint32_t population, uint32_t array, const mass_band *band, uint32_t index,
                        mass_error *error)
{
    mass_buffer *const to = &buffers_of(d, population, array)->before;
    const size_t size = d->model->arrays[array].element_size, own = d->populations[population].room * size;
    const size_t copies = band ? band->count * size : 0;
    mass_status status = make_room(d, to, own + copies, error);
    if (status == MASS_OK)
        status = copy(d, to->address, mass_population_array(d, population, array).address, own, error);
    return status == MASS_OK && copies ? copy(d, (char *)to->address + own, band->values[index].address, copies, error)
                                       : status;
}

/* Makes room for the sums of an array, of all agents and of copies in the band, and sets them to 0. */
static mass_status clear(mass_domain *d, uint32_t population, uint32_t array, const mass_band *band, mass_error *error)
{
    static const uint64_t none = 0;
    mass_buffer *const to = &buffers_of(d, population, array)->added;
    const size_t size = d->model->arrays[array].element_size;
    const size_t count = d->populations[population].room + (band ? (size_t)band->count : 0);
    const mass_status status = make_room(d, to, count * size, error);
    return status == MASS_OK && count ? mass_buffer_fill(*to, &none, size, count, error) : status;
}

mass_status mass_nearby_prepare(mass_domain *d, uint32_t phase, uint32_t population, const mass_nearby_arrays *arrays,
                                mass_error *error)
{
    const bool split = mass_share_is_split(&d->share);
    mass_status status = split ? refresh(d, phase, population, arrays, error) : MASS_OK;
    if (status != MASS_OK) return status;
    const mass_band *band = band_of(d, phase, population);
    for (uint32_t i = 0; status == MASS_OK && i < arrays->before_count; i++)
        status = keep(d, population, arrays->before[i], band, 1 + i, error);
    for (uint32_t i = 0; status == MASS_OK && i < arrays->added_count; i++)
        status = clear(d, population, arrays->added[i], band, error);
    return split ? mass_rpc_abandon(d->share.comm, status, error) : status;
}

/* Returns the number of an array in a band, which has it: the last one, if the array is read, too. */
static uint32_t index_in(const mass_band *band, uint32_t array)
{
    uint32_t i = band->array_count - 1; /* sums come after what is read */
    while (i > 0 && band->arrays[i] != array) i--;
    return i;
}

/* Adds the sums of one array to this rank's agents, and those for copies to the agents of other ranks. */
static mass_status add(mass_domain *d, uint32_t population, uint32_t array, const mass_band *band, mass_error *error)
{
    const mass_memory_operations *memory = d->device->table->memory;
    const size_t size = d->model->arrays[array].element_size, own = d->populations[population].room * size;
    const mass_combination how = {.kind = MASS_COMBINATION_ADD, .size = size};
    char *const sums = buffers_of(d, population, array)->added.address;
    const mass_strided box = box_of(mass_population_array(d, population, array).address, sums, own);
    mass_status status = own ? memory->combine(d->device, &box, &how, error) : MASS_OK;
    if (!band || status != MASS_OK) return status;
    const uint32_t index = index_in(band, array);
    status = copy(d, band->values[index].address, sums + own, band->count * size, error);
    return status == MASS_OK ? mass_band_combine(d, band, index, &how, error) : status;
}

mass_status mass_nearby_add(mass_domain *d, uint32_t phase, uint32_t population, const uint32_t *arrays, uint32_t count,
                            mass_error *error)
{
    const mass_band *band = band_of(d, phase, population);
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < count; i++)
        status = add(d, population, arrays[i], band, error);
    return status;
}
