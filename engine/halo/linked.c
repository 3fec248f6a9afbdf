/* SPDX-License-Identifier: Apache-2.0 */
#include "halo/linked.h"
#include "halo/lists.h"
#include "model/network.h"
#include "ranks/rpc.h"
#include "state/edges.h"

#include <stdlib.h>

/* The nodes of other ranks that this rank needs, ascending. */
typedef struct ghosts {
    int64_t *element; /* [count]; owned, as the next one */
    uint32_t *slot;   /* [count] the same numbers: a copy is where its node is */
    int64_t count;
} ghosts;

/* Frees the arrays. The struct keeps their addresses. */
static void free_ghosts(ghosts *g)
{
    free(g->element);
    free(g->slot);
}

/* Marks the nodes of other ranks from which edges come into this rank's nodes, `first` to before `end`. Edges that
 * change may come from any node. Returns how many nodes were not marked before. */
static int64_t mark(const mass_network_def *n, mass_gidx first, mass_gidx end, uint8_t *marks)
{
    const mass_edge_ends *const e = &n->ends;
    const bool changes = n->population >= 0;
    const uint64_t from = changes ? 0 : e->first[first], to = changes ? (uint64_t)e->nodes : e->first[end];
    int64_t count = 0;
    for (uint64_t k = from; k < to; k++) {
        const mass_gidx node = changes ? (mass_gidx)k : (mass_gidx)e->source[k];
        const uint8_t bit = (uint8_t)(1u << node % 8);
        if ((node >= first && node < end) || (marks[node / 8] & bit)) continue;
        marks[node / 8] |= bit;
        count++;
    }
    return count;
}

/* Lists the nodes that this rank needs from others, in ascending order, by all sets of edges of a network. The
 * caller frees the list, also on failure. */
static mass_status list_ghosts(const mass_domain *d, const mass_network_def *n, ghosts *out, mass_error *error)
{
    const mass_space_def *const space = &d->model->spaces[n->space];
    const mass_gidx first = mass_share_first_row(&d->share, space, d->share.comm->rank);
    const mass_gidx end = mass_share_first_row(&d->share, space, d->share.comm->rank + 1);
    const size_t bytes = (size_t)n->ends.nodes / 8 + 1;
    uint8_t *const marks = calloc(bytes, 1);
    if (!marks) return mass_error_memory(error, bytes, "linked nodes of other ranks");
    for (uint32_t i = 0; i < d->model->networks->count; i++)
        if (d->model->networks->list[i].space == n->space)
            out->count += mark(&d->model->networks->list[i], first, end, marks);
    out->element = malloc(((size_t)out->count + 1) * sizeof *out->element);
    out->slot = malloc(((size_t)out->count + 1) * sizeof *out->slot);
    const bool good = out->element && out->slot;
    int64_t used = 0;
    for (mass_gidx i = 0; good && i < n->ends.nodes; i++) {
        if (!(marks[i / 8] >> i % 8 & 1)) continue;
        out->element[used] = i;
        out->slot[used++] = (uint32_t)i;
    }
    free(marks);
    return good ? MASS_OK : mass_error_memory(error, (size_t)out->count * 12, "linked nodes of other ranks");
}

/* Makes the list halo of a network. All copies belong to the rank's first partition. All ranks call
 * it. */
static mass_status make_list(mass_domain *d, const mass_network_def *n, mass_list_halo **out, mass_error *error)
{
    const mass_share *const s = &d->share;
    ghosts g = {0};
    int64_t *const first = malloc(((size_t)s->partitions + 1) * sizeof *first);
    mass_list_copies *const copies = calloc((size_t)d->partition_count, sizeof *copies);
    mass_status status = list_ghosts(d, n, &g, error);
    if (status == MASS_OK && (!first || !copies))
        status = mass_error_memory(error, (size_t)s->partitions * sizeof *first, "linked nodes of other ranks");
    status = mass_rpc_agree(s->comm, status, error);
    if (status == MASS_OK) {
        for (int32_t p = 0; p <= s->partitions; p++) first[p] = mass_share_row(s, &d->model->spaces[n->space], p);
        copies[0] = (mass_list_copies){.element = g.element, .count = g.count, .slot = g.slot};
        status = mass_list_halo_make(d, first, copies, out, error);
    }
    free_ghosts(&g);
    free(copies);
    free(first);
    return status;
}

/* Gets the values that other ranks have. They are sent from where this rank's own ones were copied to.
 * Makes the list halo in the first call. All ranks call it. */
static mass_status get_others(mass_domain *d, uint32_t array, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[array].attribute].space;
    const mass_network_def *const n = mass_model_network_of(d->model, space);
    const size_t size = d->model->arrays[array].element_size, parts = (size_t)d->partition_count;
    mass_list_halo **const list = mass_halos_linked(d, space, mass_list_halo_free, error);
    mass_buffer *const owned = malloc(2 * parts * sizeof *owned), *const copies = owned + parts;
    mass_status status = list && owned ? MASS_OK : mass_error_memory(error, 2 * parts * sizeof *owned, "linked nodes");
    if (status == MASS_OK && !*list) status = make_list(d, n, list, error);
    if (status == MASS_OK) {
        const mass_buffer all = mass_domain_linked(d, array);
        for (size_t p = 0; p < parts; p++) {
            owned[p] = mass_buffer_from(all, (size_t)d->partitions[space][p].layout.origin[0] * size);
            copies[p] = all;
        }
        const mass_list_values values = {owned, copies, size, .owned_stride = n->ends.nodes,
                                         .copies_stride = n->ends.nodes};
        status = mass_list_refresh(d, *list, &values, 1, error);
    }
    free(owned);
    return status;
}

mass_status mass_linked_refresh(mass_domain *d, uint32_t array, mass_error *error)
{
    mass_status status = mass_domain_copy_linked(d, array, error);
    if (!mass_share_is_split(&d->share)) return status;
    if (status == MASS_OK) status = get_others(d, array, error);
    return mass_rpc_abandon(d->share.comm, status, error);
}
