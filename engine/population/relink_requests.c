/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_requests.h"

#include <stdlib.h>
#include <string.h>

/* ---- edges that end ---- */

/* Orders edges that end by world, then id (for qsort and bsearch). */
static int by_world_and_id(const void *first, const void *second)
{
    const mass_ended_edge *a = first, *b = second;
    if (a->world != b->world) return a->world < b->world ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

void mass_relink_sort_ends(mass_ended_edge *ended, uint64_t count)
{
    qsort(ended, count, sizeof *ended, by_world_and_id);
}

bool mass_relink_ends(const mass_ended_edge *ended, uint64_t count, const mass_ended_edge *edge)
{
    return count && bsearch(edge, ended, count, sizeof *ended, by_world_and_id);
}

/* ---- new edges ---- */

/* A request as it is compared: equal ones have the same world and ends. */
typedef struct compared {
    uint32_t world, low, high; /* of a directed network: the source and the node */
    uint32_t node, k;
    uint64_t at; /* in the list */
} compared;

/* Orders requests by world and both ends, then by the node that requests and the number of its request (for qsort). */
static int by_ends(const void *first, const void *second)
{
    const compared *a = first, *b = second;
    const uint32_t x[] = {a->world, a->low, a->high, a->node, a->k}, y[] = {b->world, b->low, b->high, b->node, b->k};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Returns whether there is an edge from `source` into the node of a request that does not end. */
static bool is_there(const mass_known_edges *known, const mass_edge_request *r)
{
    const uint64_t number = r->world * known->nodes + r->node;
    uint64_t low = known->first[number], high = known->first[number + 1];
    const uint64_t end = high;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (known->source[middle] < r->source) low = middle + 1;
        else high = middle;
    }
    for (; low < end && known->source[low] == r->source; low++) {
        const mass_ended_edge edge = {known->id[low], r->world};
        if (!mass_relink_ends(known->ended, known->ended_count, &edge)) return true;
    }
    return false;
}

/* Returns whether a request is for an edge of a bare node. */
static bool is_of_bare(const mass_known_edges *known, const mass_edge_request *r)
{
    const uint64_t first = r->world * known->nodes;
    return known->bare && (known->bare[first + r->node] || known->bare[first + r->source]);
}

mass_status mass_relink_judge(const mass_known_edges *known, mass_edge_request *list, uint64_t count,
                              mass_error *error)
{
    compared *const sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) return mass_error_memory(error, count * sizeof *sorted, "requests for edges");
    for (uint64_t i = 0; i < count; i++) {
        const mass_edge_request *const r = &list[i];
        const bool turned = !known->directed && r->node < r->source;
        sorted[i] = (compared){r->world, turned ? r->node : r->source, turned ? r->source : r->node, r->node, r->k, i};
    }
    qsort(sorted, count, sizeof *sorted, by_ends);
    for (uint64_t i = 0; i < count; i++) {
        const compared *const c = &sorted[i];
        mass_edge_request *const r = &list[c->at];
        const bool again = i && c[-1].world == c->world && c[-1].low == c->low && c[-1].high == c->high;
        r->refused = again || is_of_bare(known, r) ||
                     (known->simple && (r->node == r->source || is_there(known, r)));
    }
    free(sorted);
    return MASS_OK;
}
