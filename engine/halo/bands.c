/* SPDX-License-Identifier: Apache-2.0 */
/* Units of the halo are rows of a slab, as in counts.c. The agents on consecutive rows are a range of the population's
 * arrays in each world. Counts are exchanged first, so that both sides know the ranges. */
#include "halo/bands.h"
#include "halo/counts.h"
#include "halo/exchange.h"
#include "ranks/rpc.h"
#include "state/cells.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 };

/* Consecutive agents. */
typedef struct range {
    uint32_t first, count;
} range;

struct mass_band_plan {
    const mass_halo *halo; /* NULL: this rank has all places. The domain owns it */
    mass_buffer counts;    /* uint32_t[worlds][2][places] */
    uint32_t *start;       /* [worlds * 2 * places + 1] the band's `start`, on the host */
    uint32_t *cell;        /* [room] the band's `cell`, on the host */
    range *owned;          /* [runs of the halo][worlds] ranges of this rank's agents */
    size_t room;           /* agents that the band has memory for */
};

/* Returns the number of other ranks' cells in a band: on both sides, in all worlds of this rank. */
static size_t cells_of(const mass_domain *d, const mass_band *b) { return (size_t)(d->worlds * 2 * b->places); }

/* ---- create and free ---- */

/* Returns the bytes of an element of the band's array number `index`. */
static size_t size_of(const mass_domain *d, const mass_band *b, uint32_t index)
{
    return d->model->arrays[b->arrays[index]].element_size;
}

/* Allocates start[] of a band, all 0; if the space is split among ranks, also what its exchange needs. All ranks call
 * it. */
static mass_status make_plan(mass_domain *d, mass_band *b, mass_error *error)
{
    const uint32_t space = d->model->populations[b->population].space, zero = 0;
    const size_t cells = cells_of(d, b);
    struct mass_band_plan *p = b->plan;
    mass_status status = mass_buffer_allocate(d->device, (cells + 1) * sizeof zero, &b->start, error);
    if (status == MASS_OK) status = mass_buffer_fill(b->start, &zero, sizeof zero, cells + 1, error);
    if (status != MASS_OK || !mass_share_is_split(&d->share)) return status;
    status = mass_buffer_allocate(d->device, cells * sizeof zero, &p->counts, error);
    if (status == MASS_OK)
        status = mass_halo_of_layers(d, space, mass_slab_axis(&d->model->spaces[space]), true, (int32_t)b->depth,
                                     &p->halo, error);
    if (status != MASS_OK) return status;
    p->start = calloc(cells + 1, sizeof *p->start);
    p->owned = calloc((size_t)p->halo->owned.count * (size_t)d->worlds + 1, sizeof *p->owned);
    return p->start && p->owned ? MASS_OK : mass_error_memory(error, cells * sizeof *p->start, "agents of other ranks");
}

mass_status mass_band_make(mass_domain *d, uint32_t population, int32_t depth, const uint32_t *arrays, uint32_t count,
                           mass_band **out, mass_error *error)
{
    mass_band *b = calloc(1, sizeof *b);
    uint32_t *all = calloc(count + 1, sizeof *all);
    struct mass_band_plan *plan = calloc(1, sizeof *plan);
    mass_buffer *values = calloc(count + 1, sizeof *values);
    mass_status status = MASS_OK;
    if (b && all && plan && values) {
        all[0] = d->model->populations[population].first_array;
        if (count) memcpy(all + 1, arrays, count * sizeof *all);
        *b = (mass_band){.population = population, .depth = depth, .places = depth * mass_counts_row(d, population),
                         .array_count = count + 1, .arrays = all, .values = values, .plan = plan};
        status = make_plan(d, b, error);
    } else {
        status = mass_error_memory(error, count * sizeof *values, "agents of other ranks");
        free(b), free(all), free(plan), free(values);
        b = NULL;
    }
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status == MASS_OK) *out = b;
    else mass_band_free(b);
    return status;
}

void mass_band_free(mass_band *b)
{
    if (!b) return;
    for (uint32_t i = 0; i < b->array_count; i++) mass_buffer_release(&b->values[i]);
    mass_buffer_release(&b->start);
    mass_buffer_release(&b->cell);
    mass_buffer_release(&b->plan->counts);
    free(b->plan->start);
    free(b->plan->cell);
    free(b->plan->owned);
    free(b->plan);
    free(b->values);
    free((uint32_t *)(uintptr_t)b->arrays);
    free(b);
}

/* ---- agents of the band ---- */

/* Returns the first cell of a run of copies, in a world, as the band numbers cells. */
static int64_t cell_of(const mass_domain *d, const mass_band *b, const mass_halo_run *run, int64_t world)
{
    const int64_t row = b->places / b->depth, own = d->populations[b->population].places / row;
    return 2 * world * b->places + (b->depth + run->first - (run->first < 0 ? 0 : own)) * row;
}

/* Turns counts on the device into starts in host memory, and sets the number of the band's agents. Uses only rows
 * that are part of a run: counts of rows beyond a bounded edge may be anything. Refuses more than 2^32 agents. */
static mass_status find_starts(mass_domain *d, mass_band *b, mass_error *error)
{
    struct mass_band_plan *p = b->plan;
    const size_t cells = cells_of(d, b);
    const int64_t row = b->places / b->depth;
    uint32_t *counts = malloc((cells + 1) * sizeof *counts);
    mass_status status = counts ? mass_buffer_download(p->counts, counts, cells * sizeof *counts, error)
                                : mass_error_memory(error, cells * sizeof *counts, "agents of other ranks");
    uint64_t total = 0;
    memset(p->start, 0, (cells + 1) * sizeof *p->start);
    for (uint32_t i = 0; status == MASS_OK && i < p->halo->copies.count; i++)
        for (int32_t w = 0; w < d->worlds; w++) {
            const mass_halo_run *run = &p->halo->copies.list[i];
            const int64_t first = cell_of(d, b, run, w);
            memcpy(p->start + first + 1, counts + first, (size_t)(run->count * row) * sizeof *counts);
        }
    free(counts);
    if (status != MASS_OK) return status;
    for (size_t c = 1; c <= cells; c++) p->start[c] = (uint32_t)(total += p->start[c]);
    if (total > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "population %s has more than 2^32 agents next to a rank's places",
                              d->model->populations[b->population].name);
    b->count = (uint32_t)total;
    return MASS_OK;
}

/* Finds the agents of this rank in each run that other ranks copy, in each world: plan->owned. */
static mass_status find_owned(mass_domain *d, mass_band *b, mass_error *error)
{
    const struct mass_band_plan *p = b->plan;
    const int64_t row = b->places / b->depth, places = d->populations[b->population].places;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; i < p->halo->owned.count; i++)
        for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
            const mass_halo_run *run = &p->halo->owned.list[i];
            const int64_t cell = w * places + run->first * row, end = cell + run->count * row;
            range *r = &p->owned[i * (uint32_t)d->worlds + (uint32_t)w];
            uint32_t after = 0;
            status = mass_cell_find(d, b->population, (uint64_t)cell, &r->first, NULL, error);
            if (status == MASS_OK) status = mass_cell_find(d, b->population, (uint64_t)end, &after, NULL, error);
            r->count = after - r->first;
        }
    return status;
}

/* Makes memory for the agents, and for some more, if there is too little. Then waits for queued work, and loses former
 * contents. */
static mass_status make_room(mass_domain *d, mass_band *b, mass_error *error)
{
    struct mass_band_plan *p = b->plan;
    const size_t room = (size_t)b->count + b->count / 4 + 1;
    if (b->count <= p->room) return MASS_OK;
    mass_status status = d->device->table->launch->synchronise(d->device, error);
    const size_t bytes = room * sizeof *p->cell;
    p->room = 0;
    free(p->cell);
    p->cell = malloc(bytes);
    if (status == MASS_OK && !p->cell) status = mass_error_memory(error, bytes, "agents of other ranks");
    mass_buffer_release(&b->cell);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, bytes, &b->cell, error);
    for (uint32_t i = 0; i < b->array_count; i++) {
        mass_buffer_release(&b->values[i]);
        if (status == MASS_OK) status = mass_buffer_allocate(d->device, room * size_of(d, b, i), &b->values[i], error);
    }
    if (status == MASS_OK) p->room = room;
    return status;
}

/* Computes the cell of each of the band's agents, and copies start[] and cell[] to the device. */
static mass_status upload(mass_domain *d, mass_band *b, mass_error *error)
{
    const struct mass_band_plan *p = b->plan;
    const size_t cells = cells_of(d, b), size = sizeof(uint32_t);
    for (size_t c = 0; c < cells; c++)
        for (uint32_t i = p->start[c]; i < p->start[c + 1]; i++) p->cell[i] = (uint32_t)c;
    const mass_status status = mass_buffer_upload(b->start, p->start, (cells + 1) * size, error);
    return status == MASS_OK && b->count ? mass_buffer_upload(b->cell, p->cell, b->count * size, error) : status;
}

/* Finds which agents the band copies, after agents have moved. All ranks call it. */
static mass_status find_agents(mass_domain *d, mass_band *b, mass_error *error)
{
    mass_status status = mass_counts_refresh(d, b->population, b->depth, b->plan->counts, error);
    if (status == MASS_OK) status = find_starts(d, b, error);
    if (status == MASS_OK) status = find_owned(d, b, error);
    if (status == MASS_OK) status = make_room(d, b, error);
    return status == MASS_OK ? upload(d, b, error) : status;
}

/* ---- values ---- */

/* Some arrays of a band. */
typedef struct agents {
    const mass_band *band;
    uint32_t first;
    const mass_combination *how; /* NULL: copy */
} agents;

/* Returns the number of a column's array in the band. Columns are the worlds of the first array, then those of the
 * next. */
static uint32_t index_of(const mass_halo_values *v, uint32_t column)
{
    return ((const agents *)v->context)->first + column / (uint32_t)v->d->worlds;
}

/* Returns the memory of a run in an array of agents, as a message that needs no packing. */
static mass_message in_place(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    const mass_band *b = ((const agents *)v->context)->band;
    const struct mass_band_plan *p = b->plan;
    const mass_population_state *s = &v->d->populations[b->population];
    const uint32_t index = index_of(v, column), worlds = (uint32_t)v->d->worlds, world = column % worlds;
    const size_t size = size_of(v->d, b, index);
    const uint32_t array = b->arrays[index] - v->d->model->populations[b->population].first_array;
    range r;
    if (run->copies) {
        const int64_t cell = cell_of(v->d, b, run, world);
        r.first = p->start[cell];
        r.count = p->start[cell + run->count * (b->places / b->depth)] - r.first;
    } else r = p->owned[(uint32_t)(run - p->halo->owned.list) * worlds + world];
    char *const all = (run->copies ? b->values[index] : s->arrays[array].buffer[s->current]).address;
    return (mass_message){run->rank, r.count ? all + r.first * size : all, r.count * size};
}

/* Returns the bytes of the agents of a run in one column. */
static size_t bytes(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    return in_place(v, run, column).bytes;
}

/* Returns a strided copy that consists of one element of this many bytes. */
static mass_strided box_of(void *to, const void *from, size_t bytes)
{
    return (mass_strided){.to = to, .from = from, .bytes = bytes, .count = {1, 1, 1}};
}

/* Copies the agents of a run, in one column, into a message. Queued. */
static mass_status pack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, void *to,
                        mass_error *error)
{
    const mass_message m = in_place(v, run, column);
    const mass_strided box = box_of(to, m.data, m.bytes);
    return m.bytes ? v->d->device->table->memory->copy(v->d->device, &box, error) : MASS_OK;
}

/* Copies received values of a run's agents to the copies, or combines them with the owners' values. Queued. */
static mass_status unpack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, const void *from,
                          mass_error *error)
{
    const mass_memory_operations *memory = v->d->device->table->memory;
    const mass_combination *how = ((const agents *)v->context)->how;
    const mass_message m = in_place(v, run, column);
    const mass_strided box = box_of(m.data, from, m.bytes);
    if (m.bytes == 0) return MASS_OK;
    return how ? memory->combine(v->d->device, &box, how, error) : memory->copy(v->d->device, &box, error);
}

static const mass_halo_kind kind = {.alignment = ALIGNMENT, .bytes = bytes, .pack = pack, .unpack = unpack,
                                    .in_place = in_place};

mass_status mass_band_refresh(mass_domain *d, mass_band *b, bool moved, mass_error *error)
{
    const agents all = {.band = b, .first = moved ? 0 : 1};
    const mass_halo_values v = {&kind, d, (b->array_count - all.first) * (uint32_t)d->worlds,
                                .in_place = d->share.link != NULL, .context = &all};
    mass_status status = MASS_OK;
    if (!b->plan->halo) return status;
    if (moved) status = find_agents(d, b, error);
    if (status == MASS_OK) status = mass_halo_refresh(b->plan->halo, &v, error);
    return mass_rpc_abandon(d->share.comm, status, error);
}

mass_status mass_band_combine(mass_domain *d, const mass_band *b, uint32_t index, const mass_combination *how,
                              mass_error *error)
{
    const agents all = {.band = b, .first = index, .how = how};
    const mass_halo_values v = {&kind, d, (uint32_t)d->worlds, .context = &all};
    return b->plan->halo ? mass_halo_combine(b->plan->halo, &v, error) : MASS_OK;
}
