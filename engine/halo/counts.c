/* SPDX-License-Identifier: Apache-2.0 */
/* A unit of the halo is a row of a slab, and each world of it is a column. */
#include "halo/counts.h"
#include "halo/exchange.h"
#include "ranks/rpc.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 32 };

/* Counts on rows along the slowest axis, `depth` on either side of a rank's places. */
typedef struct place_counts {
    const mass_domain *d;
    const mass_population_state *s;
    int64_t row; /* places of a row */
    int64_t own, depth;
    int64_t words; /* 32-bit words of a row in a message between hosts */
    mass_buffer to; /* uint32_t[worlds][2][depth * row] */
    const mass_seats *occupancy; /* bitmap of places that hold one agent, in host memory: counts are sent as bits */
    /* If agents are in the memory of a GPU: its operations. Other ranks may read `band` rows of this rank: its first
     * `low` rows and its last ones. The agents on their places are [worlds][band * row], on the device and on the host.
     * `place_counts` has the received counts, as in `to`, before they go to the device. */
    const mass_remote_operations *remote;
    int64_t low, band;
    uint32_t *counts_there;
    const uint32_t *counts;
    void *place_counts;
} place_counts;

/* Describes the counts on `depth` rows around this rank's places, in host memory or on a GPU. */
static place_counts crowds_of(const mass_domain *d, uint32_t population, int64_t depth, mass_buffer to)
{
    const mass_population_state *s = &d->populations[population];
    const int64_t row = mass_counts_row(d, population), own = s->places / row;
    const mass_remote_operations *remote = d->device->table->agents->remote;
    const mass_seats *occupancy = remote ? NULL : s->occupancy.address;
    return (place_counts){.d = d, .s = s, .row = row, .own = own, .depth = depth, .to = to,
                    .words = occupancy ? (row + WORD - 1) / WORD : row, .occupancy = occupancy, .remote = remote,
                    .low = depth < own ? depth : own, .band = 2 * depth < own ? 2 * depth : own};
}

int64_t mass_counts_row(const mass_domain *d, uint32_t population)
{
    const mass_space_def *space = &d->model->spaces[d->model->populations[population].space];
    return mass_space_places(space) / space->size[mass_slab_axis(space)];
}

/* Returns the number, 0 to 2 * depth - 1, of a copied row among those next to a rank's places. copy: counted from the
 * rank's first row; negative before it. */
static int64_t row_beside(const place_counts *c, int64_t copy)
{
    return c->depth + copy - (copy < 0 ? 0 : c->own);
}

/* Counts the agents on rows that others read, on the device. With `here`, also copies the counts to the host, and
 * stages memory for the received ones. Does nothing if the host reads the device's memory. */
static mass_status count(place_counts *c, bool here, mass_error *error)
{
    if (!c->remote) return MASS_OK;
    const mass_status status = c->remote->count_bands(c->d->device, c->s->start.address, c->s->occupancy.address,
                                                      c->s->places,
        c->d->worlds, c->low * c->row, c->band * c->row, &c->counts_there, here ? &c->counts : NULL, error);
    return status == MASS_OK && here ? c->remote->stage(c->d->device, c->to.bytes, &c->place_counts, error) : status;
}

/* Returns the index of the counts of a row of this rank, which others may read. */
static int64_t counts_at(const place_counts *c, int64_t world, int64_t row)
{
    return (world * c->band + (row < c->low ? row : row - (c->own - c->band))) * c->row;
}

/* Packs which places of a row hold an agent, from a cell on. Bits after the row may be anything. */
static void pack_bits(const place_counts *c, uint64_t cell, uint32_t *to)
{
    const uint64_t last = (uint64_t)c->d->worlds * (uint64_t)c->s->places / WORD, bit = cell % WORD;
    for (int64_t i = 0; i < c->row; i += WORD, cell += WORD) {
        const uint64_t at = cell / WORD, behind = at < last ? c->occupancy[at + 1].held : 0;
        *to++ = (uint32_t)((c->occupancy[at].held | behind << WORD) >> bit);
    }
}

/* Returns the bytes of a run's rows of one world in a message. */
static size_t bytes(const mass_halo_values *v, const mass_halo_run *run, uint32_t world)
{
    (void)world;
    return (size_t)(run->count * ((const place_counts *)v->context)->words) * sizeof(uint32_t);
}

/* Packs the counts on the places of a row of this rank: as bits if a place holds at most one agent, unless the
 * device has counted. */
static void pack_row(const place_counts *c, int64_t world, int64_t row, uint32_t *to)
{
    const int64_t cell = world * c->s->places + row * c->row;
    const uint32_t *const start = (const uint32_t *)c->s->start.address + cell;
    if (c->remote) memcpy(to, c->counts + counts_at(c, world, row), (size_t)c->row * sizeof *to);
    else if (c->occupancy) pack_bits(c, (uint64_t)cell, to);
    else
        for (int64_t i = 0; i < c->row; i++) to[i] = start[i + 1] - start[i];
}

/* Writes the counts, or the bits, of a run's rows of one world into a message in host memory. */
static mass_status pack(const mass_halo_values *v, const mass_halo_run *run, uint32_t world, void *to,
                        mass_error *error)
{
    const place_counts *c = v->context;
    (void)error;
    for (int64_t k = 0; k < run->count; k++) pack_row(c, world, run->first + k, (uint32_t *)to + k * c->words);
    return MASS_OK;
}

/* Unpacks a row of bits to counts of 0 or 1. */
static void unpack_bits(const place_counts *c, const uint32_t *from, uint32_t *to)
{
    for (int64_t i = 0; i < c->row; i += WORD, from++)
        for (int64_t k = 0, n = c->row - i < WORD ? c->row - i : WORD; k < n; k++) to[i + k] = *from >> k & 1;
}

/* Copies the received counts of a run's rows of one world into the counts, in host memory. */
static mass_status unpack(const mass_halo_values *v, const mass_halo_run *run, uint32_t world, const void *from,
                          mass_error *error)
{
    const place_counts *c = v->context;
    uint32_t *to = (uint32_t *)(c->remote ? c->place_counts : c->to.address) +
                   (2 * world * c->depth + row_beside(c, run->first)) * c->row;
    (void)error;
    if (!c->occupancy) memcpy(to, from, (size_t)(run->count * c->row) * sizeof *to);
    for (int64_t k = 0; c->occupancy && k < run->count; k++)
        unpack_bits(c, (const uint32_t *)from + k * c->words, to + k * c->row);
    return MASS_OK;
}

/* Returns the GPU's memory of a run's counts, as a message that needs no packing. */
static mass_message in_place(const mass_halo_values *v, const mass_halo_run *run, uint32_t world)
{
    const place_counts *c = v->context;
    uint32_t *const at = run->copies
        ? (uint32_t *)c->to.address + (2 * world * c->depth + row_beside(c, run->first)) * c->row
        : c->counts_there + counts_at(c, world, run->first);
    return (mass_message){run->rank, at, (size_t)(run->count * c->row) * sizeof *at};
}

static const mass_halo_kind kind = {.alignment = sizeof(uint32_t), .in_host_memory = true, .bytes = bytes,
                                    .pack = pack, .unpack = unpack, .in_place = in_place};

/* Returns the halo between the ranks' slabs, `depth` rows deep. The domain keeps it. All ranks call it. */
static mass_status find_halo(mass_domain *d, uint32_t population, int64_t depth, const mass_halo **out,
                             mass_error *error)
{
    const uint32_t space = d->model->populations[population].space;
    return mass_halo_of_layers(d, space, mass_slab_axis(&d->model->spaces[space]), true, (int32_t)depth, out, error);
}

mass_status mass_counts_refresh(mass_domain *d, uint32_t population, int64_t depth, mass_buffer to, mass_error *error)
{
    place_counts c = crowds_of(d, population, depth, to);
    const bool over_link = c.remote && d->share.link;
    const mass_halo_values v = {&kind, d, (uint32_t)d->worlds, .in_place = over_link, .context = &c};
    const mass_halo *h = NULL;
    mass_status status = find_halo(d, population, depth, &h, error);
    if (status == MASS_OK) status = count(&c, !over_link, error);
    if (status == MASS_OK) status = mass_halo_refresh(h, &v, error);
    if (status == MASS_OK && c.remote && !over_link) status = c.remote->send(d->device, to.address, to.bytes, error);
    return mass_rpc_abandon(d->share.comm, status, error);
}

mass_status mass_place_counts_refresh(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_population_state *s = &d->populations[population];
    if (s->crowd_places == 0) return MASS_OK;
    return mass_counts_refresh(d, population, s->crowd_places / mass_counts_row(d, population), s->place_counts, error);
}

mass_status mass_place_counts_list(mass_domain *d, uint32_t population, bool gives, mass_seen_run **runs,
                                   uint32_t *count,
                             mass_error *error)
{
    const int64_t row = mass_counts_row(d, population);
    const place_counts c = crowds_of(d, population, d->populations[population].crowd_places / row, (mass_buffer){0});
    const mass_halo *h = NULL;
    const mass_status status = find_halo(d, population, c.depth, &h, error);
    if (status != MASS_OK) return status;
    const mass_halo_runs *all = gives ? &h->owned : &h->copies;
    *count = 0;
    *runs = malloc(((size_t)all->count * (size_t)d->worlds + 1) * sizeof **runs);
    if (!*runs) return mass_error_memory(error, all->count * sizeof **runs, "counts of agents");
    for (uint32_t i = 0; i < all->count; i++)
        for (int64_t w = 0; w < d->worlds; w++) {
            const mass_halo_run *run = &all->list[i];
            const int64_t first = gives ? w * c.s->places + run->first * row
                                        : (2 * w * c.depth + row_beside(&c, run->first)) * row;
            (*runs)[(*count)++] = (mass_seen_run){run->rank, (uint32_t)(run->count * row), (uint64_t)first};
        }
    return MASS_OK;
}
