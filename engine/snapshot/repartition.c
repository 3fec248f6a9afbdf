/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the state to a new repartition: makes partitions, populations and halos a second time, next to the old ones,
 * and fills them from the old ones of all ranks. As rows follow each other, one rank sends another one box of each
 * attribute of places, and in each world one range of agents. */
#include "snapshot/repartition.h"
#include "halo/counts.h"
#include "halo/exchange.h"
#include "halo/halo.h"
#include "population/gather.h"
#include "population/nearby.h"
#include "population/population.h"
#include "ranks/rpc.h"
#include "ranks/all_to_all.h"
#include "snapshot/memory_check.h"
#include "state/box.h"
#include "state/cells.h"
#include "state/partition.h"

#include <stdlib.h>
#include <string.h>

typedef struct repartition {
    mass_domain *old, *new;
    int64_t *gives, *takes; /* [ranks] elements sent to each rank and received from it */
} repartition;

/* Rows along the slab axis: from `first`, to before `end`. */
typedef struct rows {
    mass_gidx first, end;
} rows;

/* Returns the rows that rank `giver` has and rank `taker` will have; an empty range if there are none. */
static rows rows_between(const repartition *r, const mass_space_def *s, int32_t giver, int32_t taker)
{
    const mass_share *old = &r->old->share, *new = &r->new->share;
    const rows had = {mass_share_first_row(old, s, giver), mass_share_first_row(old, s, giver + 1)};
    const rows has = {mass_share_first_row(new, s, taker), mass_share_first_row(new, s, taker + 1)};
    rows both = {had.first > has.first ? had.first : has.first, had.end < has.end ? had.end : has.end};
    if (both.end < both.first) both.end = both.first;
    return both;
}

/* ---- places ---- */

typedef struct moving_places {
    const repartition *r;
    uint32_t attribute;
} moving_places;

/* Returns the box of places that both the giver had and the taker gets; packed bits count in bytes along x. */
static mass_rpc_box box_of(const moving_places *m, int32_t giver, int32_t taker, bool write)
{
    const mass_domain *d = m->r->old;
    const mass_attribute_def *a = &d->model->attributes[m->attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    const rows both = rows_between(m->r, s, giver, taker);
    const uint32_t slab = mass_slab_axis(s);
    const mass_gidx each = a->type == MASS_BIT && slab == 0 ? 8 : 1;
    mass_rpc_box b = {m->attribute, 0, d->worlds, write, a->type == MASS_BIT, {0, 0, 0},
                       {mass_stored_width(a, s), s->size[1], s->size[2]}};
    b.origin[slab] = both.first / each;
    b.extent[slab] = (both.end + each - 1) / each - b.origin[slab];
    return b;
}

/* Reads a run of the places that rank `to` gets from the old domain, for the exchange. */
static mass_status give_places(void *context, int32_t to, int64_t first, int64_t count, void *data, mass_error *error)
{
    const moving_places *m = context;
    const mass_rpc_box b = box_of(m, m->r->old->share.comm->rank, to, false);
    return mass_domain_move_run(m->r->old, &b, first, count, data, error);
}

/* Writes a run of the places that come from rank `from` into the new domain. */
static mass_status take_places(void *context, int32_t from, int64_t first, int64_t count, const void *data,
                               mass_error *error)
{
    const moving_places *m = context;
    const mass_rpc_box b = box_of(m, from, m->r->old->share.comm->rank, true);
    return mass_domain_move_run(m->r->new, &b, first, count, (void *)(uintptr_t)data, error);
}

/* Moves one attribute of places. Its old arrays are freed at once, also on failure, so that little extra memory is
 * needed. All ranks call it together. */
static mass_status move_places(const repartition *r, uint32_t attribute, mass_error *error)
{
    const mass_attribute_def *a = &r->old->model->attributes[attribute];
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    mass_comm *comm = r->old->share.comm;
    moving_places m = {r, attribute};
    const mass_all_to_all flow = {mass_element_size(a), r->gives, r->takes, give_places, take_places, &m};
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < arrays; k++)
        status = mass_partitions_allocate(r->new, a->first_array + k, error);
    for (int32_t i = 0; i < comm->size; i++) {
        const mass_rpc_box out = box_of(&m, comm->rank, i, false), in = box_of(&m, i, comm->rank, true);
        r->gives[i] = out.worlds * out.extent[0] * out.extent[1] * out.extent[2];
        r->takes[i] = in.worlds * in.extent[0] * in.extent[1] * in.extent[2];
    }
    if (status == MASS_OK) status = mass_all_to_all_run(comm, &flow, error);
    for (uint32_t k = 0; k < arrays; k++) mass_partitions_release(r->old, a->first_array + k);
    return status;
}

/* ---- agents ---- */

/* Agents of a population on the move, by world. Arrays are [ranks][worlds]. */
typedef struct moving_agents {
    const repartition *r;
    uint32_t population, attribute;
    int64_t *first;     /* number of the first agent to send, among this rank's agents */
    int64_t *out, *in;  /* how many agents to send and to receive */
    int64_t *place;     /* number of the first agent received, among this rank's new agents */
    char *column;       /* the attribute of this rank's new agents */
    size_t size;        /* bytes of an element */
} moving_agents;

/* Sets *out to the number of this rank's agents in all earlier worlds, and in this one before row `row`, which is one
 * of its rows or their end. */
static mass_status count_before(const moving_agents *m, const mass_space_def *s, int32_t world, mass_gidx row,
                                int64_t *out, mass_error *error)
{
    mass_domain *d = m->r->old;
    const mass_population_state *p = &d->populations[m->population];
    const int64_t of_row = mass_space_places(s) / s->size[mass_slab_axis(s)];
    const int64_t cell = world * p->places + row * of_row - mass_population_first_place(d, m->population);
    uint32_t agents = 0;
    const mass_status status = mass_cell_find(d, m->population, (uint64_t)cell, &agents, NULL, error);
    *out = agents;
    return status;
}

/* Finds, for each world, the first of this rank's agents that go to rank `to`, and how many go: m->first and m->out,
 * which are 0 before. */
static mass_status find_leaving(moving_agents *m, int32_t to, mass_error *error)
{
    const mass_domain *d = m->r->old;
    const mass_space_def *s = &d->model->spaces[d->model->populations[m->population].space];
    const rows both = rows_between(m->r, s, d->share.comm->rank, to);
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && both.first < both.end && w < d->worlds; w++) {
        const size_t i = (size_t)to * (size_t)d->worlds + (size_t)w;
        int64_t end = 0;
        status = count_before(m, s, w, both.first, &m->first[i], error);
        if (status == MASS_OK) status = count_before(m, s, w, both.end, &end, error);
        m->out[i] = end - m->first[i];
    }
    return status;
}

/* Exchanges the numbers of agents, m->out to m->in, and finds where received ones belong, m->place: by world, and in
 * each world by rank. Sets *total to their number. Collective. */
static mass_status find_coming(moving_agents *m, int64_t *total, mass_error *error)
{
    mass_comm *comm = m->r->old->share.comm;
    const size_t ranks = (size_t)comm->size, worlds = (size_t)m->r->old->worlds;
    mass_message *messages = calloc(2 * ranks, sizeof *messages);
    if (!messages) return mass_error_memory(error, 2 * ranks * sizeof *messages, "ranks");
    for (size_t i = 0; i < ranks; i++) {
        messages[i] = (mass_message){(int32_t)i, m->out + i * worlds, worlds * sizeof *m->out};
        messages[ranks + i] = (mass_message){(int32_t)i, m->in + i * worlds, worlds * sizeof *m->in};
    }
    const mass_status status = comm->table->all_to_all(comm, messages, messages + ranks, error);
    *total = 0;
    for (size_t w = 0; w < worlds; w++)
        for (size_t i = 0; i < ranks; i++) {
            m->place[i * worlds + w] = *total;
            *total += m->in[i * worlds + w];
        }
    free(messages);
    return status;
}

/* Copies elements `first` to `first` + `count` - 1 of those sent to a rank to `data`, or if not `give`, of those
 * received from it, from `data`. They are contiguous in each world. */
static mass_status move_run(moving_agents *m, int32_t rank, int64_t first, int64_t count, char *data, bool give,
                            mass_error *error)
{
    mass_domain *d = m->r->old;
    const size_t row = (size_t)rank * (size_t)d->worlds;
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && count > 0 && w < d->worlds; w++) {
        const int64_t all = (give ? m->out : m->in)[row + (size_t)w];
        const int64_t n = all - first < count ? all - first : count;
        if (n > 0 && give)
            status = mass_population_read_run(d, m->attribute, m->first[row + (size_t)w] + first, n, data, error);
        else if (n > 0) memcpy(m->column + (size_t)(m->place[row + (size_t)w] + first) * m->size, data,
                               (size_t)n * m->size);
        data += n > 0 ? (size_t)n * m->size : 0;
        count -= n > 0 ? n : 0;
        first = first > all ? first - all : 0;
    }
    return status;
}

/* Copies a run of this rank's agents that go to rank `to` into the exchange's buffer. */
static mass_status give_agents(void *context, int32_t to, int64_t first, int64_t count, void *data, mass_error *error)
{
    return move_run(context, to, first, count, data, true, error);
}

/* Copies a run of agents that come from rank `from` into this rank's column of its new agents. */
static mass_status take_agents(void *context, int32_t from, int64_t first, int64_t count, const void *data,
                               mass_error *error)
{
    return move_run(context, from, first, count, (char *)(uintptr_t)data, false, error);
}

/* Moves one attribute of a population to the ranks that hold the agents now. The caller frees *column, also on failure.
 * All ranks call it together. */
static mass_status move_column(moving_agents *m, uint32_t attribute, int64_t total, void **column, mass_error *error)
{
    const repartition *r = m->r;
    const size_t worlds = (size_t)r->old->worlds;
    m->attribute = attribute;
    m->size = mass_element_size(&r->old->model->attributes[attribute]);
    *column = m->column = malloc((size_t)total * m->size + 1);
    if (!m->column) return mass_error_memory(error, (size_t)total * m->size, "a population");
    for (int32_t i = 0; i < r->old->share.comm->size; i++) {
        r->gives[i] = r->takes[i] = 0;
        for (size_t w = 0; w < worlds; w++) {
            r->gives[i] += m->out[(size_t)i * worlds + w];
            r->takes[i] += m->in[(size_t)i * worlds + w];
        }
    }
    const mass_all_to_all flow = {m->size, r->gives, r->takes, give_agents, take_agents, m};
    return mass_all_to_all_run(r->old->share.comm, &flow, error);
}

/* Finds which agents move between all ranks: sets m->first, m->out, m->in and m->place, one block. total: how many
 * agents this rank will have. The caller frees m->first, also on failure. Collective. */
static mass_status find_moving(moving_agents *m, int64_t *total, mass_error *error)
{
    const mass_domain *d = m->r->old;
    const size_t cells = (size_t)d->share.comm->size * (size_t)d->worlds;
    m->first = calloc(4 * cells, sizeof *m->first);
    if (!m->first) return mass_error_memory(error, 4 * cells * sizeof *m->first, "a population");
    m->out = m->first + cells;
    m->in = m->out + cells;
    m->place = m->in + cells;
    mass_status status = MASS_OK;
    for (int32_t i = 0; status == MASS_OK && i < d->share.comm->size; i++) status = find_leaving(m, i, error);
    return status == MASS_OK ? find_coming(m, total, error) : status;
}

/* Moves all attributes of a population. Frees the old population, and sets the agents of the new one. values:
 * [attribute_count of the model]; the caller frees it and its elements. */
static mass_status move_columns(moving_agents *m, void **values, mass_error *error)
{
    const repartition *r = m->r;
    const mass_model *model = r->old->model;
    int64_t total = 0;
    mass_status status = find_moving(m, &total, error);
    for (uint32_t i = 0; status == MASS_OK && i < model->attribute_count; i++)
        if (model->attributes[i].population == (int32_t)m->population)
            status = move_column(m, i, total, &values[i], error);
    if (status != MASS_OK) return status;
    r->new->populations[m->population].sorts_always = r->old->populations[m->population].sorts_always;
    mass_population_free(r->old, m->population);
    return mass_population_set_own(r->new, m->population, (uint64_t)total, values, error);
}

/* Moves one population's agents to their new ranks and counts agents by place again. Collective. */
static mass_status move_agents(const repartition *r, uint32_t population, mass_error *error)
{
    const size_t attributes = r->old->model->attribute_count;
    void **values = calloc(attributes + 1, sizeof *values);
    moving_agents m = {.r = r, .population = population};
    const mass_status status = values ? move_columns(&m, values, error)
                                      : mass_error_memory(error, attributes * sizeof *values, "a population");
    for (size_t i = 0; values && i < attributes; i++) free(values[i]);
    free(values);
    free(m.first);
    return status == MASS_OK ? mass_place_counts_refresh(r->new, population, error) : status;
}

/* Finds the bytes that this rank's new agents will take: in arrays, of all populations; and in host memory until then,
 * of the largest one. Both are 0 before. All ranks call it together. */
static mass_status find_room_of_agents(const repartition *r, double *arrays, double *columns, mass_error *error)
{
    const mass_model *model = r->old->model;
    mass_status status = MASS_OK;
    for (uint32_t p = 0; status == MASS_OK && p < model->population_count; p++) {
        moving_agents m = {.r = r, .population = p};
        int64_t total = 0;
        double bytes = 0;
        status = find_moving(&m, &total, error);
        free(m.first);
        for (uint32_t i = 0; i < model->attribute_count; i++)
            if (model->attributes[i].population == (int32_t)p)
                bytes += (double)mass_element_size(&model->attributes[i]);
        *arrays += (double)total * mass_population_bytes_of_agent(model, p);
        if ((double)total * bytes > *columns) *columns = (double)total * bytes;
    }
    return status;
}

/* ---- places and agents ---- */

/* Copies what does not depend on slabs to the new domain, gives it the rows before[ranks + 1], and allocates what the
 * move needs. On failure the caller frees what there is. */
static mass_status prepare(repartition *r, const int64_t *before, mass_error *error)
{
    const mass_domain *d = r->old;
    mass_domain *n = r->new;
    const size_t ranks = (size_t)d->share.comm->size, bytes = (ranks + 1) * sizeof *before;
    *n = *d;
    memset(n->partitions, 0, sizeof n->partitions);
    memset(n->populations, 0, sizeof n->populations);
    n->halos = NULL;
    n->bands = NULL;
    n->halo_rooms = NULL;
    n->share.before = malloc(bytes);
    r->gives = calloc(2 * ranks, sizeof *r->gives);
    r->takes = r->gives ? r->gives + ranks : NULL;
    if (!n->share.before || !r->gives) return mass_error_memory(error, bytes, "ranks");
    memcpy(n->share.before, before, bytes);
    return MASS_OK;
}

/* Checks the memory, then allocates the new domain's partitions and populations on this rank. Moves nothing. */
static mass_status allocate(const repartition *r, double agents, double columns, mass_error *error)
{
    mass_domain *n = r->new;
    mass_status status = mass_memory_check_repartition(r->old, &n->share, agents, columns, error);
    if (status == MASS_OK) status = mass_partitions_create(n, error);
    for (uint32_t p = 0; status == MASS_OK && p < n->model->population_count; p++)
        status = mass_population_create(n, p, error);
    return status;
}

/* Frees what a repartition makes twice: partitions, populations, halos and the ranks' rows; on this rank. */
static void free_split_parts(mass_domain *d)
{
    mass_partitions_free(d);
    for (uint32_t p = 0; p < d->model->population_count; p++) mass_population_free(d, p);
    mass_nearby_free(d);
    mass_halos_free(d);
    mass_halo_rooms_free(d);
    free(d->share.before);
}

/* Moves all places and agents to the new domain; on success frees the old parts and replaces the domain. Collective. */
static mass_status move_all(repartition *r, mass_error *error)
{
    const mass_model *m = r->old->model;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (m->attributes[i].population < 0) status = move_places(r, i, error);
    for (uint32_t p = 0; status == MASS_OK && p < m->population_count; p++) status = move_agents(r, p, error);
    if (status != MASS_OK) return status;
    free_split_parts(r->old);
    *r->old = *r->new;
    r->old->changes++;
    return MASS_OK;
}

mass_status mass_repartition_move(mass_domain *d, const int64_t *before, mass_error *why, mass_error *error)
{
    mass_domain *new = calloc(1, sizeof *new);
    repartition r = {.old = d, .new = new};
    *why = (mass_error){0};
    mass_status status = new ? MASS_OK : mass_error_memory(why, sizeof *new, "the domain");
    if (status == MASS_OK) status = prepare(&r, before, why);
    mass_status prepared = mass_rpc_agree(d->share.comm, status, why);
    double agents = 0, columns = 0;
    status = prepared == MASS_OK ? find_room_of_agents(&r, &agents, &columns, error) : MASS_OK;
    if (prepared == MASS_OK && status == MASS_OK) {
        prepared = mass_rpc_agree(d->share.comm, allocate(&r, agents, columns, why), why);
        if (prepared == MASS_OK) status = move_all(&r, error);
    }
    if (prepared != MASS_OK && new) free_split_parts(new);
    free(r.gives);
    free(new);
    return status;
}
