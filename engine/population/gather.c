/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the agents of the run from all ranks, in canonical order: by world, then by place. If ranks hold whole
 * worlds, the agents of each rank follow those of the rank before it. If the space is split, they do so within each
 * world. */
#include "halo/counts.h"
#include "population/gather.h"
#include "population/population.h"
#include "population/table_rows.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- how many ---- */

mass_status mass_population_count(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    uint64_t own = 0;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_COUNT, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    status = mass_rpc_agree(comm, mass_population_count_own(d, population, &own, error), error);
    int64_t all = (int64_t)own;
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, &all, 1, error);
    if (count) *count = status == MASS_OK ? (uint64_t)all : 0;
    return status;
}

mass_status mass_population_count_worlds(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t worlds = (size_t)d->share.worlds;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_COUNT_WORLDS, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    int64_t *all = calloc(worlds, sizeof *all);
    if (!all) status = mass_error_memory(error, worlds * sizeof *all, "counts of agents");
    else status = mass_population_count_worlds_own(d, population, (uint64_t *)all + d->share.first_world, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, all, worlds, error);
    for (size_t w = 0; status == MASS_OK && counts && w < worlds; w++) counts[w] = (uint64_t)all[w];
    free(all);
    return status;
}

mass_status mass_population_count_ranks(mass_domain *d, uint32_t population, uint64_t **out, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t worlds = (size_t)d->worlds, ranks = (size_t)comm->size;
    uint64_t *all = malloc((ranks + 1) * worlds * sizeof *all), *own = all ? all + ranks * worlds : NULL;
    mass_status status = all ? MASS_OK : mass_error_memory(error, ranks * worlds * sizeof *all, "counts of agents");
    if (status == MASS_OK) status = mass_population_count_worlds_own(d, population, own, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, own, worlds * sizeof *own, all, error);
    if (status == MASS_OK) *out = all;
    else free(all);
    return status;
}

mass_status mass_population_find_starts(mass_domain *d, uint32_t population, mass_buffer *out, int64_t *places,
                                        mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    mass_comm *comm = d->share.comm;
    const size_t worlds = (size_t)d->worlds;
    *out = s->first_place ? s->world_starts : s->start;
    *places = s->first_place ? 1 : s->places;
    if (!s->first_place) return MASS_OK;
    uint64_t *counts = malloc(worlds * sizeof *counts), before = 0;
    uint32_t *starts = calloc(worlds + 1, sizeof *starts);
    mass_status status = counts && starts ? MASS_OK : mass_error_memory(error, worlds * 12, "counts of agents");
    if (status == MASS_OK) status = mass_population_count_worlds_own(d, population, counts, error);
    if (status == MASS_OK)
        status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, (int64_t *)counts, worlds, error);
    for (size_t w = 0; status == MASS_OK && w < worlds; w++) {
        before += counts[w];
        starts[w + 1] = (uint32_t)before;
    }
    if (before > UINT32_MAX)
        status = mass_error_set(error, MASS_BAD_USAGE, "a condition counts population %s, which has more than 2^32 "
                                "agents over all ranks", d->model->populations[population].name);
    if (status == MASS_OK) status = mass_buffer_upload(*out, starts, (worlds + 1) * sizeof *starts, error);
    free(starts);
    free(counts);
    return mass_rpc_abandon(comm, status, error);
}

/* ---- of this rank ---- */

/* Reads the worlds of agents (a->type is MASS_I32) or else their places in the run, both derived from their cells. */
static mass_status read_derived_run(mass_domain *d, const mass_attribute_def *a, int64_t first, int64_t count,
                                    void *data, mass_error *error)
{
    const mass_population_state *s = &d->populations[a->population];
    const int64_t places = s->places, before = mass_population_first_place(d, (uint32_t)a->population);
    uint32_t *cell = malloc((size_t)count * sizeof *cell);
    if (!cell) return mass_error_memory(error, (size_t)count * sizeof *cell, "a copy of an attribute");
    const mass_buffer from = mass_buffer_from(s->cell[s->current], (size_t)first * sizeof *cell);
    const mass_status status = mass_buffer_download(from, cell, (size_t)count * sizeof *cell, error);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        if (a->type == MASS_I32) ((int32_t *)data)[i] = d->share.first_world + (int32_t)(cell[i] / places);
        else ((int64_t *)data)[i] = before + cell[i] % places;
    }
    free(cell);
    return status;
}

mass_status mass_population_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                     mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    if (a->derived) return read_derived_run(d, a, first, count, data, error);
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    const size_t size = d->model->arrays[a->first_array].element_size, element = mass_element_size(a);
    char *stage = malloc((size_t)count * size);
    mass_status status = stage ? MASS_OK : mass_error_memory(error, (size_t)count * size, "a copy of an attribute");
    for (uint32_t k = 0; status == MASS_OK && k < arrays; k++) {
        const mass_buffer all = mass_population_array(d, (uint32_t)a->population, a->first_array + k);
        status = mass_buffer_download(mass_buffer_from(all, (size_t)first * size), stage, (size_t)count * size, error);
        for (int64_t i = 0; status == MASS_OK && i < count; i++)
            memcpy((char *)data + (size_t)i * element + k * size, stage + (size_t)i * size, size);
    }
    free(stage);
    return status;
}

/* ---- to rank 0 ---- */

/* The number of agents by part and by rank. Within a part, canonical order is rank after rank. If the space is
 * split, each world is a part. Otherwise there is one part. */
typedef struct division {
    mass_domain *d;
    uint32_t population;
    int32_t parts;
    uint64_t *counts;  /* [parts][ranks] */
    uint64_t *lengths; /* [ranks] bytes of each rank's column in one part */
} division;

/* Frees the members of *v, not *v. */
static void free_division(division *v)
{
    free(v->counts);
    free(v->lengths);
}

/* Makes an empty division. The caller frees it, on failure too. All ranks call it, and fail together. */
static mass_status make_division(mass_domain *d, uint32_t population, division *out, mass_error *error)
{
    const size_t ranks = (size_t)d->share.comm->size;
    const int32_t parts = mass_share_is_split(&d->share) ? d->worlds : 1;
    const size_t count = (size_t)parts * ranks;
    *out = (division){d, population, parts, calloc(count, sizeof *out->counts), calloc(ranks, sizeof *out->lengths)};
    const bool room = out->counts && out->lengths;
    return mass_rpc_agree(d->share.comm, room ? MASS_OK : mass_error_memory(error, count * 8, "ranks"), error);
}

/* Returns the number of agents that this rank holds in the division. */
static uint64_t own_count(const division *v)
{
    uint64_t count = 0;
    for (int32_t part = 0; part < v->parts; part++)
        count += v->counts[part * v->d->share.comm->size + v->d->share.comm->rank];
    return count;
}

typedef mass_status move_part(mass_comm *, const uint64_t *lengths, char *own, char *all, mass_error *error);

/* Moves a column of elements of `size` bytes between the ranks and rank 0, part by part. all: the whole column, on
 * rank 0; NULL on the others. Overwrites v->lengths. */
static mass_status move_column(const division *v, size_t size, char *own, char *all, move_part *move,
                               mass_error *error)
{
    mass_comm *comm = v->d->share.comm;
    mass_status status = MASS_OK;
    for (int32_t part = 0; status == MASS_OK && part < v->parts; part++) {
        uint64_t total = 0;
        for (int32_t r = 0; r < comm->size; r++) total += v->lengths[r] = v->counts[part * comm->size + r] * size;
        status = move(comm, v->lengths, own, all, error);
        own += v->lengths[comm->rank];
        if (all) all += total;
    }
    return status;
}

/* Moves one part of a column from all ranks to rank 0. */
static mass_status gather(mass_comm *comm, const uint64_t *lengths, char *own, char *all, mass_error *error)
{
    return mass_transfer_gather(comm, lengths, own, all, error);
}

/* Moves one part of a column from rank 0 to all ranks. */
static mass_status scatter(mass_comm *comm, const uint64_t *lengths, char *own, char *all, mass_error *error)
{
    return mass_transfer_scatter(comm, lengths, all, own, error);
}

/* Counts the present agents of each part and rank, in v->counts. All ranks call it. */
static mass_status find_division(division *v, mass_error *error)
{
    const int32_t ranks = v->d->share.comm->size;
    uint64_t own = 0, *counts = NULL;
    mass_status status;
    if (!mass_share_is_split(&v->d->share)) {
        status = mass_rpc_agree(v->d->share.comm, mass_population_count_own(v->d, v->population, &own, error), error);
        return status != MASS_OK ? status
                                 : v->d->share.comm->table->all_gather(v->d->share.comm, &own, sizeof own, v->counts,
                                                                       error);
    }
    status = mass_population_count_ranks(v->d, v->population, &counts, error);
    for (int32_t r = 0; status == MASS_OK && r < ranks; r++)
        for (int32_t w = 0; w < v->parts; w++) v->counts[w * ranks + r] = counts[r * v->parts + w];
    free(counts);
    return status;
}

/* Gathers an attribute of all ranks' agents to `data` on rank 0, in canonical order. All ranks call it together; `data`
 * is NULL on the others. */
static mass_status gather_column(const division *v, uint32_t attribute, void *data, mass_error *error)
{
    mass_comm *comm = v->d->share.comm;
    const size_t size = mass_element_size(&v->d->model->attributes[attribute]);
    const uint64_t count = own_count(v);
    char *own = malloc(count * size + 1);
    mass_status status = own ? MASS_OK : mass_error_memory(error, count * size, "a copy of an attribute");
    if (status == MASS_OK && count)
        status = mass_population_read_run(v->d, attribute, 0, (int64_t)count, own, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = move_column(v, size, own, data, gather, error);
    free(own);
    return status;
}

mass_status mass_population_read(mass_domain *d, uint32_t attribute, void *data, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    division v = {0};
    if (comm->size == 1) return mass_population_read_own(d, attribute, data, error);
    mass_status status = mass_rpc_tell(comm, MASS_RPC_READ_AGENTS, &attribute, sizeof attribute, error);
    if (status != MASS_OK) return status;
    status = make_division(d, (uint32_t)d->model->attributes[attribute].population, &v, error);
    if (status == MASS_OK) status = find_division(&v, error);
    if (status == MASS_OK) status = gather_column(&v, attribute, data, error);
    free_division(&v);
    return status;
}

/* ---- from rank 0 ---- */

/* Returns the rank that holds a world of the run. */
static int32_t holder_of_world(const mass_share *s, int32_t world)
{
    int32_t low = 0, high = s->comm->size;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (mass_share_first_world(s, middle) <= world) low = middle;
        else high = middle;
    }
    return low;
}

/* Returns the rank that holds a place of a split space. */
static int32_t holder_of_place(const mass_domain *d, uint32_t population, int64_t place)
{
    const int64_t *first = d->populations[population].first_place;
    int32_t low = 0, high = d->share.comm->size;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (first[middle] <= place) low = middle;
        else high = middle;
    }
    return low;
}

/* Counts one more agent at a place of a world of the run. Rank 0 calls it. */
static void count_agent(division *v, int32_t world, int64_t place)
{
    const mass_domain *d = v->d;
    const int32_t ranks = d->share.comm->size;
    if (d->share.by_world) v->counts[holder_of_world(&d->share, world)]++;
    else v->counts[world * ranks + holder_of_place(d, v->population, place)]++;
}

/* Sends the division from rank 0 to all ranks. */
static mass_status share_division(division *v, mass_error *error)
{
    mass_comm *comm = v->d->share.comm;
    return comm->table->broadcast(comm, v->counts, (size_t)v->parts * (size_t)comm->size * sizeof *v->counts, error);
}

/* Receives this rank's part of a column of elements of `size` bytes. all: the column on rank 0, NULL on the others. The
 * caller frees *out, on failure too. All ranks call it together. */
static mass_status take_column(const division *v, size_t size, const void *all, void **out, mass_error *error)
{
    mass_comm *comm = v->d->share.comm;
    const uint64_t bytes = own_count(v) * size;
    *out = malloc(bytes + 1);
    const mass_status status =
        mass_rpc_agree(comm, *out ? MASS_OK : mass_error_memory(error, bytes, "a population"), error);
    return status == MASS_OK ? move_column(v, size, *out, (char *)(uintptr_t)all, scatter, error) : status;
}

/* Receives each attribute of a population if rank 0 has values of it: own [attribute_count of the model], NULL before;
 * the caller frees its elements. All ranks call it together. */
static mass_status take_columns(const division *v, void *const *all, void **own, mass_error *error)
{
    const mass_model *m = v->d->model;
    mass_comm *comm = v->d->share.comm;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        uint32_t given = all && all[i];
        if (m->attributes[i].population != (int32_t)v->population) continue;
        status = comm->table->broadcast(comm, &given, sizeof given, error);
        if (status == MASS_OK && given)
            status = take_column(v, mass_element_size(&m->attributes[i]), all ? all[i] : NULL, &own[i], error);
    }
    return status;
}

/* ---- in chunks ---- */

mass_status mass_population_divide(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error)
{
    division v = {0};
    mass_status status = make_division(d, population, &v, error);
    if (status == MASS_OK) status = find_division(&v, error);
    if (status == MASS_OK)
        memcpy(counts, v.counts, (size_t)v.parts * (size_t)d->share.comm->size * sizeof *counts);
    free_division(&v);
    return status;
}

void mass_population_count_weights(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                                   uint64_t count, uint64_t *counts)
{
    division v = {.d = d, .population = population, .counts = counts};
    const bool alone = d->share.comm->size == 1;
    if (alone) counts[0] += count;
    for (uint64_t i = 0; !alone && i < count; i++) count_agent(&v, world[i], place[i]);
}

/* Sets the cells of agents, as this rank numbers them, from worlds and places of the run. Returns false if an agent is
 * not on this rank's places, or if cells do not ascend. */
static bool find_cells(const mass_domain *d, uint32_t population, uint64_t count, const int32_t *world,
                       const int64_t *place, uint32_t *cell)
{
    const int64_t places = d->populations[population].places, first = mass_population_first_place(d, population);
    uint32_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        const int64_t w = world[i] - d->share.first_world, p = place[i] - first;
        if (w < 0 || w >= d->worlds || p < 0 || p >= places) return false;
        cell[i] = (uint32_t)(w * places + p);
        if (cell[i] < last) return false;
        last = cell[i];
    }
    return true;
}

/* Sets this rank's agents. Worlds and places are those of the run. The engine checked the checkpoint before, but
 * reads it again here. Memory accesses depend on these cells, so this function checks them too. */
mass_status mass_population_set_own(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                    mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    void *const *columns = values + p->first_attribute;
    if (count >= UINT32_MAX / 5 * 4) /* arrays have a quarter more, for births */
        return mass_error_set(error, MASS_NO_DEVICE, "population %s has %" PRIu64 " agents for one rank, which are too "
                              "many: give more --ranks", p->name, count);
    uint32_t *cell = malloc((count + 1) * sizeof *cell);
    if (!cell) return mass_error_memory(error, count * sizeof *cell, "a population");
    const mass_status status =
        find_cells(d, population, count, columns[MASS_AGENT_WORLD], columns[MASS_AGENT_PLACE], cell)
            ? mass_population_set(d, population, (uint32_t)count, columns[MASS_AGENT_ID], cell, values, error)
            : mass_error_set(error, MASS_BAD_INPUT, "the agents of population %s are not in order", p->name);
    free(cell);
    return status;
}

mass_status mass_population_set_share(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                                      mass_error *error)
{
    mass_status status = mass_population_set_own(d, population, count, values, error);
    status = mass_rpc_agree(d->share.comm, status, error);
    return status == MASS_OK ? mass_place_counts_refresh(d, population, error) : status;
}

/* ---- a table ---- */

void mass_population_free_table(const mass_model *m, mass_population_state *s)
{
    if (!s->own_table) return;
    mass_table_free(m, s->own_table);
    free(s->own_table);
    s->own_table = NULL;
}

/* Counts the rows of a table by the rank that holds their place. Rank 0 calls it. */
static void count_rows(division *v, const mass_table *t)
{
    const int64_t places = mass_space_places(&v->d->model->spaces[v->d->model->populations[v->population].space]);
    for (uint32_t i = 0; i < t->count; i++) count_agent(v, (int32_t)(t->cell[i] / places), t->cell[i] % places);
}

/* Receives next_id of this rank's worlds. If the space is split, rank 0 takes all of it and the others start at 0. */
static mass_status take_next_ids(const division *v, const mass_table *t, mass_table *own, mass_error *error)
{
    const mass_share *s = &v->d->share;
    const size_t bytes = (size_t)v->d->worlds * sizeof *own->next_id;
    own->next_id = calloc(1, bytes);
    const mass_status status =
        mass_rpc_agree(s->comm, own->next_id ? MASS_OK : mass_error_memory(error, bytes, "a population"), error);
    if (status == MASS_OK && !s->by_world && t) memcpy(own->next_id, t->next_id, bytes);
    if (status != MASS_OK || !s->by_world) return status;
    for (int32_t r = 0; r < s->comm->size; r++)
        v->lengths[r] = (uint64_t)mass_share_worlds_of(s, r) * sizeof *own->next_id;
    return mass_transfer_scatter(s->comm, v->lengths, t ? t->next_id : NULL, own->next_id, error);
}

/* Converts cells of the run, which this rank holds, to cells of this rank. */
static void number_cells(const division *v, mass_table *own)
{
    const mass_domain *d = v->d;
    const int64_t all = mass_space_places(&d->model->spaces[d->model->populations[v->population].space]);
    const int64_t places = d->populations[v->population].places, first = mass_population_first_place(d, v->population);
    for (uint32_t i = 0; i < own->count; i++) {
        const int64_t world = own->cell[i] / all - d->share.first_world, place = own->cell[i] % all - first;
        own->cell[i] = (uint32_t)(world * places + place);
    }
}

/* Receives this rank's rows of a table from rank 0 into *own, which the caller frees. All ranks call it together; t is
 * NULL on ranks other than 0. */
static mass_status take_table(const division *v, const mass_table *t, mass_table *own, mass_error *error)
{
    mass_domain *d = v->d;
    uint32_t has_values = t && t->values;
    void *id = NULL, *cell = NULL;
    own->count = (uint32_t)own_count(v);
    mass_status status = take_column(v, sizeof *own->id, t ? t->id : NULL, &id, error);
    own->id = id;
    if (status == MASS_OK) status = take_column(v, sizeof *own->cell, t ? t->cell : NULL, &cell, error);
    own->cell = cell;
    if (status == MASS_OK) number_cells(v, own);
    if (status == MASS_OK) status = take_next_ids(v, t, own, error);
    if (status == MASS_OK)
        status = d->share.comm->table->broadcast(d->share.comm, &has_values, sizeof has_values, error);
    if (status != MASS_OK || !has_values) return status;
    own->values = calloc(d->model->attribute_count + 1u, sizeof *own->values);
    status = mass_rpc_agree(d->share.comm, own->values ? MASS_OK : mass_error_memory(error, 1, "a population"), error);
    return status == MASS_OK ? take_columns(v, t ? t->values : NULL, own->values, error) : status;
}

/* Refuses spaces with too many cells for the 32-bit cells of a table. */
static mass_status check_table(const mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    const double cells = (double)mass_space_places(&d->model->spaces[p->space]) * d->share.worlds;
    if (cells < MASS_CELL_REMOTE) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "population %s: a table of agents is for spaces of up to 2^32 - 4 "
                          "places over all worlds, and there are %.0f", p->name, cells);
}

/* Distributes a table of rank 0 to the ranks that hold its places: s->table is the rank's own part then. t: NULL on
 * other ranks. All ranks call it. */
static mass_status divide_table(mass_domain *d, uint32_t population, const mass_table *t, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    division v = {0};
    mass_status status = check_table(d, population, error);
    if (status == MASS_OK && !(s->own_table = calloc(1, sizeof *s->own_table)))
        status = mass_error_memory(error, sizeof *s->own_table, "a population");
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status == MASS_OK) status = make_division(d, population, &v, error);
    if (status == MASS_OK && t) count_rows(&v, t);
    if (status == MASS_OK) status = share_division(&v, error);
    if (status == MASS_OK) status = take_table(&v, t, s->own_table, error);
    s->table = s->own_table;
    free_division(&v);
    return mass_rpc_agree(d->share.comm, status, error);
}

mass_status mass_population_use_table(mass_domain *d, uint32_t population, const mass_table *table, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    d->populations[population].table = table;
    if (comm->size == 1) return MASS_OK;
    const mass_status status = mass_rpc_tell(comm, MASS_RPC_TABLE, &population, sizeof population, error);
    return status == MASS_OK ? divide_table(d, population, table, error) : status;
}

mass_status mass_population_take_table(mass_domain *d, uint32_t population, mass_table *table, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    mass_status status = MASS_OK;
    if (d->share.comm->size > 1) status = mass_population_use_table(d, population, table, error);
    else if ((s->own_table = calloc(1, sizeof *s->own_table))) {
        *s->own_table = *table;
        *table = (mass_table){0};
        s->table = s->own_table;
    } else status = mass_error_memory(error, sizeof *s->own_table, "a population");
    mass_table_free(d->model, table);
    return status;
}
