/* SPDX-License-Identifier: Apache-2.0 */
/* The agents of the run, where ranks hold whole worlds: canonical order is by world, so that those of all ranks lie one
 * rank behind the other. */
#include "domain/call.h"
#include "domain/population.h"
#include "domain/transfer.h"

#include <stdlib.h>
#include <string.h>

/* ---- how many ---- */

mass_status mass_population_count(mass_domain *d, uint32_t population, uint64_t *count, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    uint64_t own = 0;
    mass_status status = mass_call_tell(comm, MASS_CALL_COUNT, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    status = mass_call_agree(comm, mass_population_count_own(d, population, &own, error), error);
    int64_t all = (int64_t)own;
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, &all, 1, error);
    if (count) *count = status == MASS_OK ? (uint64_t)all : 0;
    return status;
}

mass_status mass_population_count_worlds(mass_domain *d, uint32_t population, uint64_t *counts, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t worlds = (size_t)d->share.worlds;
    mass_status status = mass_call_tell(comm, MASS_CALL_COUNT_WORLDS, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    int64_t *all = calloc(worlds, sizeof *all);
    if (!all) status = mass_error_memory(error, worlds * sizeof *all, "counts of agents");
    else status = mass_population_count_worlds_own(d, population, (uint64_t *)all + d->share.first_world, error);
    status = mass_call_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, all, worlds, error);
    for (size_t w = 0; status == MASS_OK && counts && w < worlds; w++) counts[w] = (uint64_t)all[w];
    free(all);
    return status;
}

/* ---- of this rank ---- */

static mass_status read_derived_run(mass_domain *d, const mass_attribute_def *a, int64_t first, int64_t count,
                                    void *data, mass_error *error)
{
    const mass_population_state *s = &d->populations[a->population];
    const int64_t places = mass_space_places(&d->model->spaces[a->space]);
    uint32_t *cell = malloc((size_t)count * sizeof *cell);
    if (!cell) return mass_error_memory(error, (size_t)count * sizeof *cell, "a copy of an attribute");
    const mass_buffer from = mass_buffer_from(s->cell[s->current], (size_t)first * sizeof *cell);
    const mass_status status = mass_buffer_download(from, cell, (size_t)count * sizeof *cell, error);
    for (int64_t i = 0; status == MASS_OK && i < count; i++) {
        if (a->type == MASS_I32) ((int32_t *)data)[i] = d->share.first_world + (int32_t)(cell[i] / places);
        else ((int64_t *)data)[i] = cell[i] % places;
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

/* lengths[ranks]: bytes of an attribute that each rank has. */
static mass_status gather_lengths(mass_domain *d, uint64_t own, uint64_t *lengths, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    return comm->table->all_gather(comm, &own, sizeof own, lengths, error);
}

/* This rank's, with worlds counted from the run's first; the caller frees *out. */
static mass_status read_share(mass_domain *d, uint32_t attribute, void **out, uint64_t *bytes, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t size = mass_element_size(a);
    uint64_t count;
    mass_status status = mass_population_count_own(d, (uint32_t)a->population, &count, error);
    if (status != MASS_OK) return status;
    *bytes = count * size;
    *out = malloc(*bytes + 1);
    if (!*out) return mass_error_memory(error, *bytes, "a copy of an attribute");
    return count ? mass_population_read_run(d, attribute, 0, (int64_t)count, *out, error) : MASS_OK;
}

mass_status mass_population_read(mass_domain *d, uint32_t attribute, void *data, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    if (comm->size == 1) return mass_population_read_own(d, attribute, data, error);
    mass_status status = mass_call_tell(comm, MASS_CALL_READ_AGENTS, &attribute, sizeof attribute, error);
    if (status != MASS_OK) return status;
    void *own = NULL;
    uint64_t bytes = 0, *lengths = calloc((size_t)comm->size, sizeof *lengths);
    if (!lengths) status = mass_error_memory(error, (size_t)comm->size * sizeof *lengths, "ranks");
    if (status == MASS_OK) status = read_share(d, attribute, &own, &bytes, error);
    status = mass_call_agree(comm, status, error);
    if (status == MASS_OK) status = gather_lengths(d, bytes, lengths, error);
    if (status == MASS_OK) status = mass_transfer_gather(comm, lengths, own, data, error);
    free(own);
    free(lengths);
    return status;
}

/* ---- from rank 0 ---- */

/* What rank 0 gives of agents, and what this rank gets of them. */
typedef struct division {
    mass_domain *d;
    uint64_t *counts;  /* [ranks] agents of each */
    uint64_t *lengths; /* [ranks] bytes of a column of each */
} division;

/* Agents of each rank, from how many there are in each world of the run, which rank 0 knows. */
static mass_status divide(mass_domain *d, const uint64_t *worlds, division *out, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t ranks = (size_t)comm->size;
    *out = (division){d, calloc(ranks, sizeof *out->counts), calloc(ranks, sizeof *out->lengths)};
    const bool room = out->counts && out->lengths;
    const mass_status status =
        mass_call_agree(comm, room ? MASS_OK : mass_error_memory(error, ranks * sizeof *out->counts, "ranks"), error);
    if (status != MASS_OK) return status;
    for (int32_t r = 0; worlds && r < comm->size; r++) {
        const int32_t first = mass_share_first_world(d->share.worlds, r, comm->size);
        for (int32_t w = 0; w < mass_share_worlds_of(&d->share, r); w++) out->counts[r] += worlds[first + w];
    }
    return comm->table->broadcast(comm, out->counts, ranks * sizeof *out->counts, error);
}

static void free_division(division *v)
{
    free(v->counts);
    free(v->lengths);
}

/* A column of elements of `size` bytes. The caller frees *out. */
static mass_status take_column(const division *v, size_t size, const void *all, void **out, mass_error *error)
{
    mass_comm *comm = v->d->share.comm;
    for (int32_t r = 0; r < comm->size; r++) v->lengths[r] = v->counts[r] * size;
    *out = malloc(v->lengths[comm->rank] + 1);
    const mass_status status = mass_call_agree(
        comm, *out ? MASS_OK : mass_error_memory(error, v->lengths[comm->rank], "a population"), error);
    return status == MASS_OK ? mass_transfer_scatter(comm, v->lengths, all, *out, error) : status;
}

/* Every attribute of a population that rank 0 has values of: own [attribute_count of the model]. */
static mass_status take_columns(const division *v, uint32_t population, void *const *all, void **own,
                                mass_error *error)
{
    const mass_model *m = v->d->model;
    mass_comm *comm = v->d->share.comm;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        uint32_t given = all && all[i];
        if (m->attributes[i].population != (int32_t)population) continue;
        status = comm->table->broadcast(comm, &given, sizeof given, error);
        if (status == MASS_OK && given)
            status = take_column(v, mass_element_size(&m->attributes[i]), all ? all[i] : NULL, &own[i], error);
    }
    return status;
}

/* ---- a snapshot ---- */

/* Agents of this rank's worlds, whose numbers are of the run. All of a checkpoint was checked before. */
static mass_status set_agents(mass_domain *d, uint32_t population, uint64_t count, void *const *values,
                              mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    const uint64_t *id = values[p->first_attribute + MASS_AGENT_ID];
    const int32_t *world = values[p->first_attribute + MASS_AGENT_WORLD];
    const int64_t *place = values[p->first_attribute + MASS_AGENT_PLACE];
    const int64_t places = mass_space_places(&d->model->spaces[p->space]);
    uint32_t *cell = malloc((count + 1) * sizeof *cell);
    if (!cell) return mass_error_memory(error, count * sizeof *cell, "a population");
    for (uint64_t i = 0; i < count; i++)
        cell[i] = (uint32_t)((world[i] - d->share.first_world) * places + place[i]);
    const mass_status status = mass_population_set(d, population, (uint32_t)count, id, cell, values, error);
    free(cell);
    return status;
}

static mass_status restore_share(mass_domain *d, uint32_t population, const mass_snapshot *s, void **own,
                                 mass_error *error)
{
    uint64_t *worlds = s ? calloc((size_t)s->worlds, sizeof *worlds) : NULL;
    division v = {0};
    if (s && !worlds)
        return mass_call_abandon(d->share.comm, mass_error_memory(error, (size_t)s->worlds * 8, "a population"), error);
    if (s) mass_snapshot_count_agents(s, population, worlds);
    mass_status status = divide(d, worlds, &v, error);
    if (status == MASS_OK) status = take_columns(&v, population, s ? s->attributes : NULL, own, error);
    if (status == MASS_OK) status = set_agents(d, population, v.counts[d->share.comm->rank], own, error);
    free_division(&v);
    free(worlds);
    return status;
}

mass_status mass_population_restore(mass_domain *d, uint32_t population, const mass_snapshot *s, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t attributes = d->model->attribute_count;
    if (comm->size == 1) return set_agents(d, population, s->agents[population], s->attributes, error);
    mass_status status = mass_call_tell(comm, MASS_CALL_RESTORE_AGENTS, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    void **own = calloc(attributes + 1, sizeof *own);
    if (!own) status = mass_error_memory(error, attributes * sizeof *own, "a population");
    status = mass_call_agree(comm, status, error);
    if (status == MASS_OK) status = mass_call_agree(comm, restore_share(d, population, s, own, error), error);
    for (size_t i = 0; own && i < attributes; i++) free(own[i]);
    free(own);
    return status;
}

/* ---- a table ---- */

void mass_population_free_table(const mass_model *m, mass_population_state *s)
{
    mass_table *t = s->own_table;
    if (!t) return;
    for (uint32_t i = 0; t->values && i < m->attribute_count; i++) free(t->values[i]);
    free(t->values);
    free(t->id);
    free(t->cell);
    free(t->next_id);
    free(t);
    s->own_table = NULL;
}

/* The rows of each world, which are in canonical order. */
static mass_status count_rows(const mass_domain *d, uint32_t population, const mass_table *t, uint64_t **out,
                              mass_error *error)
{
    const int64_t places = mass_space_places(&d->model->spaces[d->model->populations[population].space]);
    *out = calloc((size_t)d->share.worlds, sizeof **out);
    if (!*out) return mass_error_memory(error, (size_t)d->share.worlds * sizeof **out, "a population");
    for (uint32_t i = 0; i < t->count; i++) (*out)[t->cell[i] / places]++;
    return MASS_OK;
}

/* next_id of this rank's worlds. */
static mass_status take_next_ids(const division *v, const mass_table *t, mass_table *own, mass_error *error)
{
    const mass_share *s = &v->d->share;
    for (int32_t r = 0; r < s->comm->size; r++)
        v->lengths[r] = (uint64_t)mass_share_worlds_of(s, r) * sizeof *own->next_id;
    own->next_id = malloc(v->lengths[s->comm->rank]);
    const mass_status status = mass_call_agree(
        s->comm, own->next_id ? MASS_OK : mass_error_memory(error, v->lengths[s->comm->rank], "a population"), error);
    return status == MASS_OK ? mass_transfer_scatter(s->comm, v->lengths, t ? t->next_id : NULL, own->next_id, error)
                             : status;
}

static mass_status take_table(const division *v, uint32_t population, const mass_table *t, mass_table *own,
                              mass_error *error)
{
    mass_domain *d = v->d;
    const int64_t places = mass_space_places(&d->model->spaces[d->model->populations[population].space]);
    uint32_t has_values = t && t->values;
    void *id = NULL, *cell = NULL;
    own->count = (uint32_t)v->counts[d->share.comm->rank];
    mass_status status = take_column(v, sizeof *own->id, t ? t->id : NULL, &id, error);
    own->id = id;
    if (status == MASS_OK) status = take_column(v, sizeof *own->cell, t ? t->cell : NULL, &cell, error);
    own->cell = cell;
    for (uint32_t i = 0; status == MASS_OK && i < own->count; i++)
        own->cell[i] -= (uint32_t)(d->share.first_world * places);
    if (status == MASS_OK) status = take_next_ids(v, t, own, error);
    if (status == MASS_OK)
        status = d->share.comm->table->broadcast(d->share.comm, &has_values, sizeof has_values, error);
    if (status != MASS_OK || !has_values) return status;
    own->values = calloc(d->model->attribute_count + 1u, sizeof *own->values);
    status = mass_call_agree(d->share.comm, own->values ? MASS_OK : mass_error_memory(error, 1, "a population"), error);
    return status == MASS_OK ? take_columns(v, population, t ? t->values : NULL, own->values, error) : status;
}

static mass_status divide_table(mass_domain *d, uint32_t population, const mass_table *t, mass_error *error)
{
    mass_population_state *s = &d->populations[population];
    uint64_t *worlds = NULL;
    division v = {0};
    s->own_table = calloc(1, sizeof *s->own_table);
    mass_status status = s->own_table ? MASS_OK : mass_error_memory(error, sizeof *s->own_table, "a population");
    if (status == MASS_OK && t) status = count_rows(d, population, t, &worlds, error);
    status = mass_call_agree(d->share.comm, status, error);
    if (status == MASS_OK) status = divide(d, worlds, &v, error);
    if (status == MASS_OK) status = take_table(&v, population, t, s->own_table, error);
    s->table = s->own_table;
    free_division(&v);
    free(worlds);
    return mass_call_agree(d->share.comm, status, error);
}

mass_status mass_population_use_table(mass_domain *d, uint32_t population, const mass_table *table, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    d->populations[population].table = table;
    if (comm->size == 1) return MASS_OK;
    const mass_status status = mass_call_tell(comm, MASS_CALL_TABLE, &population, sizeof population, error);
    return status == MASS_OK ? divide_table(d, population, table, error) : status;
}
