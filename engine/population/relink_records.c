/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_records.h"
#include "population/population.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

size_t mass_edge_record_bytes(const mass_domain *d, uint32_t network)
{
    size_t bytes = sizeof(mass_edge_record);
    for (uint32_t a = 0; a < d->model->networks->attribute_count; a++)
        if (d->model->networks->attributes[a].network == network) bytes += d->model->networks->attributes[a].size;
    return bytes;
}

/* Reads an attribute of this rank's edges. The caller frees *out, on failure too. */
static mass_status read_column(mass_domain *d, uint32_t attribute, uint64_t count, void **out, mass_error *error)
{
    const size_t size = mass_element_size(&d->model->attributes[attribute]);
    *out = malloc((count + 1) * size);
    return *out ? mass_population_read_own(d, attribute, *out, error) : mass_error_memory(error, count * size, "edges");
}

/* Copies a column of `count` edges, with values of `size` bytes, into the records that ranks send. records: from the
 * first value on; bytes: of a record. */
static void put_column(char *records, size_t bytes, uint64_t count, const void *column, size_t size)
{
    for (uint64_t i = 0; i < count; i++) memcpy(records + i * bytes, (const char *)column + i * size, size);
}

mass_status mass_edge_records_make(mass_domain *d, uint32_t population, uint32_t network, char **out, uint64_t *count,
                                   mass_error *error)
{
    const mass_population_def *const p = &d->model->populations[population];
    const struct mass_networks *const all = d->model->networks;
    const int64_t nodes = all->list[network].ends.nodes;
    const size_t bytes = mass_edge_record_bytes(d, network);
    void *id = NULL, *world = NULL, *place = NULL, *source = NULL;
    mass_status status = mass_population_count_own(d, population, count, error);
    *out = status == MASS_OK ? malloc(*count * bytes + 1) : NULL;
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *count * bytes, "edges");
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_ID, *count, &id, error);
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_WORLD, *count, &world, error);
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_PLACE, *count, &place, error);
    if (status == MASS_OK) status = read_column(d, all->list[network].source, *count, &source, error);
    for (uint64_t i = 0; status == MASS_OK && i < *count; i++) {
        const int64_t w = ((const int32_t *)world)[i] - d->share.first_world;
        const mass_edge_record e = {((const uint64_t *)id)[i], (uint32_t)(w * nodes + ((const int64_t *)place)[i]),
                                    ((const uint32_t *)source)[i]};
        memcpy(*out + i * bytes, &e, sizeof e);
    }
    size_t at = sizeof(mass_edge_record);
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        void *column = NULL;
        if (all->attributes[a].network != network) continue;
        status = read_column(d, all->attributes[a].attribute, *count, &column, error);
        if (status == MASS_OK) put_column(*out + at, bytes, *count, column, all->attributes[a].size);
        at += all->attributes[a].size;
        free(column);
    }
    free(id);
    free(world);
    free(place);
    free(source);
    return status;
}

/* ---- new edges ---- */

/* Lists the agents of this rank that are new edges, as their ids tell. The caller frees *out, NULL before. */
static mass_status find_new(mass_domain *d, uint32_t population, const mass_changing_edges *e, uint64_t count,
                            uint32_t **out, uint64_t *found, mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    void *ids = NULL, *cells = NULL;
    mass_status status = MASS_OK;
    const uint64_t *const id =
        mass_buffer_view(d->device, s->arrays[0].buffer[s->current], count * sizeof *id, &ids, &status, error);
    const uint32_t *const cell =
        mass_buffer_view(d->device, s->cell[s->current], count * sizeof *cell, &cells, &status, error);
    uint64_t least = UINT64_MAX, room = 0;
    for (int32_t w = 0; w < d->worlds; w++) least = e->next_id[w] < least ? e->next_id[w] : least;
    *found = 0;
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) {
        if (id[i] < least || id[i] < e->next_id[cell[i] / s->places]) continue;
        if (*found == room) {
            room = 2 * room + 256;
            uint32_t *const larger = realloc(*out, room * sizeof *larger);
            if (!larger) status = mass_error_memory(error, room * sizeof *larger, "edges");
            else *out = larger;
        }
        if (status == MASS_OK) (*out)[(*found)++] = (uint32_t)i;
    }
    free(ids);
    free(cells);
    return status;
}

/* Copies the values of listed agents, `found` indices below `count`, into records, `at` bytes from their beginning.
 * size: of a value; bytes: of a record. Waits for the device. */
static mass_status gather_column(mass_domain *d, mass_buffer column, uint64_t count, size_t size, const uint32_t *list,
                                 uint64_t found, char *records, size_t bytes, size_t at, mass_error *error)
{
    void *copy = NULL;
    mass_status status = MASS_OK;
    const char *const values = mass_buffer_view(d->device, column, count * size, &copy, &status, error);
    for (uint64_t i = 0; status == MASS_OK && i < found; i++)
        memcpy(records + i * bytes + at, values + list[i] * size, size);
    free(copy);
    return status;
}

/* Returns the array of an attribute, with the present values. */
static mass_buffer column_of(const mass_domain *d, uint32_t population, uint32_t attribute)
{
    return mass_population_array(d, population, d->model->attributes[attribute].first_array);
}

mass_status mass_edge_records_make_new(mass_domain *d, uint32_t population, uint32_t network,
                                       const mass_changing_edges *e, uint64_t count, char **out, uint64_t *found,
                                       mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const mass_population_state *const s = &d->populations[population];
    const uint64_t nodes = (uint64_t)all->list[network].ends.nodes, places = (uint64_t)s->places;
    const uint64_t from = (uint64_t)mass_population_first_place(d, population);
    const size_t bytes = mass_edge_record_bytes(d, network);
    uint32_t *list = NULL;
    *found = 0;
    mass_status status = find_new(d, population, e, count, &list, found, error);
    *out = status == MASS_OK ? malloc(*found * bytes + 1) : NULL;
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *found * bytes, "edges");
    if (status == MASS_OK && *found) {
        status = gather_column(d, s->arrays[0].buffer[s->current], count, sizeof(uint64_t), list, *found, *out, bytes,
                               offsetof(mass_edge_record, id), error);
        if (status == MASS_OK)
            status = gather_column(d, s->cell[s->current], count, sizeof(uint32_t), list, *found, *out, bytes,
                                   offsetof(mass_edge_record, number), error);
        if (status == MASS_OK)
            status = gather_column(d, column_of(d, population, all->list[network].source), count, sizeof(uint32_t),
                                   list, *found, *out, bytes, offsetof(mass_edge_record, source), error);
    }
    for (uint64_t i = 0; status == MASS_OK && i < *found; i++) { /* a cell is of this rank's places */
        uint32_t *const number = (uint32_t *)(void *)(*out + i * bytes + offsetof(mass_edge_record, number));
        uint32_t cell;
        memcpy(&cell, number, sizeof cell);
        cell = (uint32_t)(cell / places * nodes + from + cell % places);
        memcpy(number, &cell, sizeof cell);
    }
    size_t at = sizeof(mass_edge_record);
    for (uint32_t a = 0; status == MASS_OK && *found && a < all->attribute_count; a++) {
        if (all->attributes[a].network != network) continue;
        status = gather_column(d, column_of(d, population, all->attributes[a].attribute), count,
                               all->attributes[a].size, list, *found, *out, bytes, at, error);
        at += all->attributes[a].size;
    }
    free(list);
    return status;
}
