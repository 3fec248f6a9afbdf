/* SPDX-License-Identifier: Apache-2.0 */
#include "population/sprout.h"
#include "halo/counts.h"
#include "population/capacity.h"
#include "population/population.h"
#include "population/sprout_requests.h"
#include "ranks/rpc.h"
#include "state/tally.h"

#include <stdlib.h>

/* ---- over ranks ---- */

/* Reads `values` of the first cell of each world, and of the end of the last one: out[worlds + 1]. */
static mass_status read_of_worlds(const mass_domain *d, uint32_t population, mass_buffer values, uint32_t *out,
                                  mass_error *error)
{
    const size_t apart = (size_t)d->populations[population].places * sizeof *out;
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w <= d->worlds; w++)
        status = mass_buffer_download(mass_buffer_from(values, (size_t)w * apart), &out[w], sizeof *out, error);
    return status;
}

/* Sets ids[world] to the id of this rank's first sprout. Each rank has a share of the next ids. Sprouts must be counted
 * (sprout_before). before[worlds + 1] and the second half of ids[2 * worlds] are scratch. All ranks call it. */
static mass_status find_ids(mass_domain *d, uint32_t population, uint32_t *before, int64_t *ids, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t worlds = (size_t)d->worlds;
    int64_t *const shares = ids + worlds;
    mass_status status = read_of_worlds(d, population, d->populations[population].sprout_before, before, error);
    if (status == MASS_OK)
        status = mass_buffer_download(mass_domain_tally(d, d->model->populations[population].next_id), shares,
                                      worlds * sizeof *shares, error);
    for (size_t w = 0; w < worlds; w++) ids[w] = (int64_t)before[w + 1] - before[w];
    if (status == MASS_OK) status = comm->table->scan(comm, ids, worlds, error);
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, shares, worlds, error);
    for (size_t w = 0; w < worlds; w++) ids[w] = (int64_t)((uint64_t)ids[w] + (uint64_t)shares[w]);
    return status;
}

/* Sets sprout_ids to the first id of this rank's sprouts in each world. Does nothing if ranks do not split the space.
 * Else all call it, and a failure of one ends all. */
static mass_status share_ids(mass_domain *d, uint32_t population, mass_error *error)
{
    const size_t worlds = (size_t)d->worlds;
    if (!d->populations[population].first_place) return MASS_OK;
    uint32_t *before = calloc(worlds + 1, sizeof *before);
    int64_t *ids = calloc(2 * worlds, sizeof *ids);
    mass_status status = before && ids ? MASS_OK : mass_error_memory(error, worlds * 20, "new agents");
    if (status == MASS_OK) status = find_ids(d, population, before, ids, error);
    if (status == MASS_OK)
        status = mass_buffer_upload(d->populations[population].sprout_ids, ids, worlds * sizeof *ids, error);
    free(before);
    free(ids);
    return mass_rpc_abandon(d->share.comm, status, error);
}

/* ---- requests of agents ---- */

/* Moves the requests of `count` agents from index `from` on to a larger index, `to`, in each of `number` rows. `room`:
 * the elements of a row. stage: memory for `count` elements. Does nothing without the buffer. */
static mass_status move_rows(mass_buffer rows, size_t size, uint32_t number, uint32_t room, uint32_t from, uint32_t to,
                             uint32_t count, void *stage, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && rows.device && k < number; k++) {
        const size_t row = (size_t)k * room;
        status = mass_buffer_download(mass_buffer_from(rows, (row + from) * size), stage, count * size, error);
        if (status == MASS_OK)
            status = mass_buffer_upload(mass_buffer_from(rows, (row + to) * size), stage, count * size, error);
    }
    return status;
}

/* Moves the requests of a closed world, which follow its agents from index `from` to `to`, and the values of
 * requested children. */
static mass_status move_requests(const mass_domain *d, uint32_t population, uint32_t from, uint32_t to, uint32_t count,
                                 mass_error *error)
{
    const mass_population_def *p = &d->model->populations[population];
    const mass_population_state *s = &d->populations[population];
    size_t size = sizeof(int64_t);
    for (uint32_t i = 0; i < p->array_count; i++)
        if (d->model->arrays[p->first_array + i].element_size > size)
            size = d->model->arrays[p->first_array + i].element_size;
    if (count == 0 || from == to) return MASS_OK;
    void *stage = malloc(size * count);
    if (!stage) return mass_error_memory(error, size * count, "requests of agents");
    const struct { mass_buffer rows; size_t size; uint32_t number; } all[] = {
        {s->move, sizeof(uint32_t), 1}, {s->asked, sizeof(uint32_t), 1},
        {s->child_cell, sizeof(uint32_t), p->children}, {s->remote_move, sizeof(int64_t), 1},
        {s->remote_child, sizeof(int64_t), p->children}};
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && i < sizeof all / sizeof *all; i++)
        status = move_rows(all[i].rows, all[i].size, all[i].number, s->room, from, to, count, stage, error);
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++)
        status = move_rows(s->arrays[i].child, d->model->arrays[p->first_array + i].element_size, p->children, s->room,
                           from, to, count, stage, error);
    free(stage);
    return status;
}

/* Removes the requests of agents `first` to before `end`. */
static mass_status reset_requests(const mass_population_state *s, uint32_t first, uint32_t end, mass_error *error)
{
    static const uint32_t stay = MASS_CELL_STAY, nothing = 0;
    if (first == end) return MASS_OK;
    const size_t at = first * sizeof stay;
    const mass_status status = mass_buffer_fill(mass_buffer_from(s->move, at), &stay, sizeof stay, end - first, error);
    if (status != MASS_OK) return status;
    return mass_buffer_fill(mass_buffer_from(s->asked, at), &nothing, sizeof nothing, end - first, error);
}

/* Does the work of settle_requests for each world. The last world comes first, since agents only get larger indices.
 * gates [worlds], start and before [worlds + 1] are in host memory: read_of_worlds reads the last two. */
static mass_status settle_worlds(const mass_domain *d, uint32_t population, const uint32_t *gates,
                                 const uint32_t *start, const uint32_t *before, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t w = d->worlds - 1; status == MASS_OK && w >= 0; w--) {
        const uint32_t first = start[w] + before[w], end = start[w + 1] + before[w + 1];
        status = gates[w] ? move_requests(d, population, start[w], first, start[w + 1] - start[w], error)
                          : reset_requests(&d->populations[population], first, end, error);
    }
    return status;
}

/* Brings requests of agents to the indices that the agents get, before they get them. Only worlds with a closed gate
 * have requests, since this follows a manage. `after`: the number of agents with the sprouts. */
static mass_status settle_requests(const mass_domain *d, uint32_t population, const uint32_t *gates, uint32_t after,
                                   mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    const size_t worlds = (size_t)d->worlds;
    if (!gates) return reset_requests(s, 0, after, error);
    const mass_buffer all = d->gates;
    uint32_t *values = malloc((3 * worlds + 2) * sizeof *values);
    if (!values) return mass_error_memory(error, 3 * worlds * sizeof *values, "requests of agents");
    uint32_t *const start = values + worlds, *const before = start + worlds + 1;
    mass_status status = mass_buffer_download(
        mass_buffer_from(all, (size_t)((const char *)gates - (const char *)all.address)), values,
        worlds * sizeof *values, error);
    if (status == MASS_OK) status = read_of_worlds(d, population, s->start, start, error);
    if (status == MASS_OK) status = read_of_worlds(d, population, s->sprout_before, before, error);
    if (status == MASS_OK) status = settle_worlds(d, population, values, start, before, error);
    free(values);
    return status;
}

/* ---- all together ---- */

/* Enlarges the arrays for the sprouts, if needed. If the space is divided, all ranks have memory before any writes. */
static mass_status make_room(mass_domain *d, uint32_t population, uint64_t after, mass_error *error)
{
    mass_status status = MASS_OK;
    if (after > d->populations[population].room) status = mass_population_enlarge(d, population, after, error);
    return d->populations[population].first_place ? mass_rpc_agree(d->share.comm, status, error) : status;
}

/* Adds the sprouts to this rank's agents, which are `after` then, and swaps the buffers. */
static mass_status grow(mass_domain *d, uint32_t population, const uint32_t *gates, bool counted, uint64_t after,
                        mass_error *error)
{
    mass_sprout_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    const mass_sprout_work w = mass_population_sprout_work(d, population, gates, counted, arrays);
    mass_status status = settle_requests(d, population, gates, (uint32_t)after, error);
    if (status == MASS_OK) status = d->device->table->agents->sprout->grow(d->device, &w, error);
    if (status == MASS_OK) d->populations[population].current ^= 1u;
    return status;
}

mass_status mass_population_sprout(mass_domain *d, uint32_t population, const uint32_t *gates, bool counted,
                                   mass_error *error)
{
    const mass_sprout_operations *there = d->device->table->agents->sprout;
    mass_sprout_array arrays[MASS_ARRAYS_OF_AGENTS_MAX];
    const mass_sprout_work w = mass_population_sprout_work(d, population, gates, counted, arrays);
    mass_comm *comm = d->share.comm;
    uint64_t born = 0, agents = 0;
    bool any = false;
    mass_status status = there->count(d->device, &w, &born, &any, error);
    if (status == MASS_OK) status = mass_population_count_own(d, population, &agents, error);
    if (d->populations[population].first_place) status = mass_rpc_abandon(comm, status, error);
    if (status == MASS_OK) status = share_ids(d, population, error);
    if (status == MASS_OK) status = make_room(d, population, agents + born, error);
    if (status != MASS_OK) return status;
    if (born) status = grow(d, population, gates, counted, agents + born, error);
    if (status == MASS_OK && any) status = there->clear(d->device, &w, error);
    if (!d->populations[population].first_place) return status;
    status = mass_rpc_abandon(comm, status, error);
    return status == MASS_OK ? mass_place_counts_refresh(d, population, error) : status;
}
