/* SPDX-License-Identifier: Apache-2.0 */
/* Halos: lists of runs. A message from one rank to another has the units of several runs, so both ranks have to list
 * these runs in the same order. Both sort them by the part that gets the copies, and then by its layers. This order is
 * unique even on a torus of two ranks, where each is the other's neighbour on both sides. */
#include "halo/halo.h"
#include "halo/map.h"

#include <stdlib.h>

/* A halo of layers, and what it was made for. */
typedef struct layers {
    uint32_t space, axis;
    bool by_rank;
    int32_t depth;
    mass_halo halo;
} layers;

struct mass_halos {
    layers **list; /* [count] made so far */
    uint32_t count;
    struct mass_list_halo *linked[MASS_SPACES_MAX]; /* of networks; NULL: not made */
    mass_list_release *release; /* frees one of these */
};

/* Runs and units in one direction. */
typedef struct amount {
    int64_t runs, units;
} amount;

mass_status mass_halo_add(mass_halo_runs *to, const mass_halo_run *run, mass_error *error)
{
    mass_halo_run *list = realloc(to->list, (to->count + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, (to->count + 1) * sizeof *list, "halos");
    to->list = list;
    list[to->count++] = *run;
    return MASS_OK;
}

/* Orders runs by rank, then partition, then first cell. */
static int by_rank(const void *a, const void *b)
{
    const mass_halo_run *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Finds the runs with both sides on this rank. Runs must be sorted by rank. */
static void find_own(mass_halo_runs *runs, int32_t own)
{
    runs->first_own = runs->own = 0;
    for (uint32_t i = 0; i < runs->count; i++) {
        runs->first_own += runs->list[i].rank < own;
        runs->own += runs->list[i].rank == own;
    }
}

void mass_halo_sort(mass_halo_runs *runs, int32_t own_rank)
{
    if (runs->count) qsort(runs->list, runs->count, sizeof *runs->list, by_rank);
    find_own(runs, own_rank);
}

void mass_halo_free(mass_halo *h)
{
    free(h->owned.list);
    free(h->copies.list);
}

/* ---- layers ---- */

/* Returns the rank of a part that is numbered over all ranks; this rank if ranks do not split the space. */
static int32_t rank_of(const mass_domain *d, const layers *l, int32_t index)
{
    if (!mass_share_is_split(&d->share)) return d->share.comm->rank;
    return l->by_rank ? index : index / d->partition_count;
}

/* Returns the number of the part in its rank: of the partition, or 0 if each rank is one part. */
static int32_t part_of(const mass_domain *d, const layers *l, int32_t index)
{
    return l->by_rank ? 0 : index - d->share.first_partition;
}

/* Adds one run, and the units of a map's entry. */
static void add_amount(amount *to, const mass_halo_map *s) { *to = (amount){to->runs + 1, to->units + s->count}; }

/* Adds the runs for the ghosts of part `index`, counted over all ranks, if this rank has a side of them. amounts: for
 * each rank, what it sends and what it receives. */
static mass_status find_runs(const mass_domain *d, layers *l, int32_t index, amount (*amounts)[2], mass_error *error)
{
    const int32_t own = d->share.comm->rank, taker = rank_of(d, l, index), each = l->by_rank ? d->partition_count : 1;
    mass_status status = MASS_OK;
    mass_halo_map s;
    for (int32_t done = 0;
         status == MASS_OK && mass_halo_map_next(d, l->space, l->axis, each, index, l->depth, &done, &s);) {
        const int32_t giver = rank_of(d, l, s.owner);
        const mass_halo_run owned = {taker, part_of(d, l, s.owner), false, s.place, s.count};
        const mass_halo_run copies = {giver, part_of(d, l, index), true, s.ghost, s.count};
        if (giver != taker) {
            add_amount(&amounts[giver][0], &s);
            add_amount(&amounts[taker][1], &s);
        }
        if (giver == own) status = mass_halo_add(&l->halo.owned, &owned, error);
        if (status == MASS_OK && taker == own) status = mass_halo_add(&l->halo.copies, &copies, error);
    }
    return status;
}

/* Sets the most runs and units that any rank sends or receives. */
static void find_most(mass_halo *h, amount (*amounts)[2], int32_t ranks)
{
    for (int32_t i = 0; i < 2 * ranks; i++) {
        const amount *a = &amounts[i / 2][i % 2];
        if (a->runs > h->most_runs) h->most_runs = a->runs;
        if (a->units > h->most_units) h->most_units = a->units;
    }
}

/* Lists all runs of a halo, sorted. Needs no messages: each rank computes them from the layout of all ranks. */
static mass_status fill(const mass_domain *d, layers *l, mass_error *error)
{
    const size_t ranks = (size_t)d->share.comm->size;
    const bool cut = l->axis == mass_slab_axis(&d->model->spaces[l->space]) && mass_share_is_split(&d->share);
    const int32_t parts = l->by_rank ? 1 : d->partition_count, rank = d->share.comm->rank;
    const int32_t first = cut || !mass_share_is_split(&d->share) ? 0 : rank * parts;
    amount (*amounts)[2] = calloc(ranks, sizeof *amounts);
    mass_status status = amounts ? MASS_OK : mass_error_memory(error, ranks * sizeof *amounts, "halos");
    for (int32_t i = first; status == MASS_OK && i < (cut ? parts * (int32_t)ranks : first + parts); i++)
        status = find_runs(d, l, i, amounts, error);
    if (status == MASS_OK) find_most(&l->halo, amounts, d->share.comm->size);
    find_own(&l->halo.owned, rank); /* already in the order of the ranks that receive them */
    mass_halo_sort(&l->halo.copies, rank);
    free(amounts);
    return status;
}

/* Frees layers with their halo. NULL is allowed. */
static void free_layers(layers *l)
{
    if (l) mass_halo_free(&l->halo);
    free(l);
}

/* Returns the domain's list of halos, which it makes if needed; NULL without memory. */
static struct mass_halos *halos_of(mass_domain *d, mass_error *error)
{
    if (!d->halos && !(d->halos = calloc(1, sizeof *d->halos))) mass_error_memory(error, sizeof *d->halos, "halos");
    return d->halos;
}

/* Adds a halo to those that the domain keeps, and owns from then on. On failure the caller still does. */
static mass_status keep(struct mass_halos *all, layers *l, mass_error *error)
{
    layers **list = realloc(all->list, (all->count + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, (all->count + 1) * sizeof *list, "halos");
    all->list = list;
    list[all->count++] = l;
    return MASS_OK;
}

mass_status mass_halo_of_layers(mass_domain *d, uint32_t space, uint32_t axis, bool by_rank, int32_t depth,
                                const mass_halo **out, mass_error *error)
{
    struct mass_halos *all = halos_of(d, error);
    if (!all) return error->status;
    for (uint32_t i = 0; i < all->count; i++) {
        const layers *l = all->list[i];
        if (l->space != space || l->axis != axis || l->by_rank != by_rank || l->depth != depth) continue;
        *out = &l->halo;
        return MASS_OK;
    }
    layers *l = malloc(sizeof *l);
    if (!l) return mass_error_memory(error, sizeof *l, "halos");
    *l = (layers){.space = space, .axis = axis, .by_rank = by_rank, .depth = depth};
    mass_status status = fill(d, l, error);
    if (status == MASS_OK) status = keep(all, l, error);
    if (status == MASS_OK) *out = &l->halo;
    else free_layers(l);
    return status;
}

struct mass_list_halo **mass_halos_linked(mass_domain *d, uint32_t space, mass_list_release *release,
                                          mass_error *error)
{
    struct mass_halos *const all = halos_of(d, error);
    if (all) all->release = release;
    return all ? &all->linked[space] : NULL;
}

void mass_halos_free(mass_domain *d)
{
    if (!d->halos) return;
    for (uint32_t i = 0; i < MASS_SPACES_MAX; i++)
        if (d->halos->linked[i]) d->halos->release(d->halos->linked[i]);
    for (uint32_t i = 0; i < d->halos->count; i++) free_layers(d->halos->list[i]);
    free(d->halos->list);
    free(d->halos);
    d->halos = NULL;
}
