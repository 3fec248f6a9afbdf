/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts edges by the node that they come into: it counts the edges of each node, puts them there in the order of the
 * list, and sorts those of each node by the other end. */
#include "network/edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 48 }; /* edges of a node that are sorted by insertion */

/* An end of an edge, for the sort. */
typedef struct end {
    uint32_t source;
    uint64_t edge;
} end;

/* Orders sources (for qsort). */
static int by_source(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Orders edges by source, then number (for qsort). */
static int by_source_and_edge(const void *a, const void *b)
{
    const end *x = a, *y = b;
    const int order = (x->source > y->source) - (x->source < y->source);
    return order ? order : (x->edge > y->edge) - (x->edge < y->edge);
}

/* Sorts few ends in place. edge: NULL if edges have no numbers. Those of equal sources keep their order. */
static void sort_few(uint32_t *source, uint64_t *edge, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        const uint32_t own = source[i];
        const uint64_t number = edge ? edge[i] : 0;
        uint64_t to = i;
        for (; to > 0 && source[to - 1] > own; to--) {
            source[to] = source[to - 1];
            if (edge) edge[to] = edge[to - 1];
        }
        source[to] = own;
        if (edge) edge[to] = number;
    }
}

/* Sorts many ends by the other end, and equal ones by the number of the edge, in memory of its own. */
static mass_status sort_many(uint32_t *source, uint64_t *edge, uint64_t count, mass_error *error)
{
    end *const ends = malloc((size_t)count * sizeof *ends);
    if (!ends) return mass_error_memory(error, (size_t)count * sizeof *ends, "a network");
    for (uint64_t i = 0; i < count; i++) ends[i] = (end){source[i], edge[i]};
    qsort(ends, (size_t)count, sizeof *ends, by_source_and_edge);
    for (uint64_t i = 0; i < count; i++) source[i] = ends[i].source, edge[i] = ends[i].edge;
    free(ends);
    return MASS_OK;
}

/* Sorts the ends of every node by the node at the other end. Equal ones keep the order of the list, if edges are
 * numbered. */
static mass_status sort_all(mass_edge_ends *e, mass_error *error)
{
    mass_status status = MASS_OK;
    for (mass_gidx i = 0; status == MASS_OK && i < e->nodes; i++) {
        const uint64_t first = e->first[i], count = e->first[i + 1] - first;
        if (count <= FEW) sort_few(e->source + first, e->edge ? e->edge + first : NULL, count);
        else if (e->edge) status = sort_many(e->source + first, e->edge + first, count, error);
        else qsort(e->source + first, (size_t)count, sizeof *e->source, by_source);
    }
    return status;
}

/* Returns whether edge i also comes into the node that it is from. */
static bool comes_back(const mass_edge_list *list, const mass_network *n, uint64_t i)
{
    return !n->directed && list->from[i] != list->to[i];
}

/* Puts the end of an edge behind those that its node has. At first, next[node] is where the node's ends begin. */
static void put(mass_edge_ends *e, uint64_t *next, uint32_t node, uint32_t source, uint64_t edge)
{
    const uint64_t at = next[node]++;
    e->source[at] = source;
    if (e->edge) e->edge[at] = edge;
}

/* Fills in all ends, once they are counted. Meanwhile first[i + 1] is the place for the next end of node i; at last it
 * is behind them. */
static void fill(const mass_edge_list *list, const mass_network *n, mass_edge_ends *e)
{
    uint64_t *const next = e->first + 1;
    for (mass_gidx i = e->nodes; i > 0; i--) e->first[i] = e->first[i - 1];
    for (uint64_t i = 0; i < list->count; i++) {
        put(e, next, list->to[i], list->from[i], i);
        if (comes_back(list, n, i)) put(e, next, list->from[i], list->to[i], i);
    }
}

/* Sets first[i + 1] to the number of ends of the nodes up to i, and count to that of all. first[] must be 0 before. */
static void count_ends(const mass_edge_list *list, const mass_network *n, mass_edge_ends *e)
{
    for (uint64_t i = 0; i < list->count; i++) {
        e->first[list->to[i] + (uint64_t)1]++;
        if (comes_back(list, n, i)) e->first[list->from[i] + (uint64_t)1]++;
    }
    for (mass_gidx i = 0; i < e->nodes; i++) e->first[i + 1] += e->first[i];
    e->count = e->first[e->nodes];
}

/* Reports the first edge in the list that has the nodes of an earlier one; returns MASS_OK if there is none. The
 * ends must be sorted and numbered. */
static mass_status refuse_double(const mass_edge_list *list, const mass_network *n, const mass_edge_ends *e,
                                 mass_error *error)
{
    uint64_t found = UINT64_MAX;
    for (mass_gidx i = 0; i < e->nodes; i++)
        for (uint64_t k = e->first[i] + 1; k < e->first[i + 1]; k++)
            if (e->source[k] == e->source[k - 1] && e->edge[k] < found) found = e->edge[k];
    if (found == UINT64_MAX) return MASS_OK;
    if (!list->line)
        return mass_error_set(error, MASS_BAD_USAGE, "network '%s': two edges join nodes %" PRIu32 " and %" PRIu32,
                              n->name, list->from[found], list->to[found]);
    const char *const unit = mass_edge_list_unit(list), *const from = mass_node_name(&list->names, list->from[found]);
    if (from)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %" PRIu64 ": a line before it joins nodes %s and %s "
                              "too, and network '%s' has at most one edge between two nodes", n->file,
                              list->line[found], from, mass_node_name(&list->names, list->to[found]), n->name);
    return mass_error_set(error, MASS_BAD_INPUT, "%s, %s %" PRIu64 ": a %s before it joins nodes %" PRIu32 " and %"
                          PRIu32 " too, and network '%s' has at most one edge between two nodes", n->file, unit,
                          list->line[found], unit, list->from[found], list->to[found], n->name);
}

mass_status mass_edge_ends_make(const mass_edge_list *list, const mass_network *n, mass_gidx nodes, mass_edge_ends *out,
                                mass_error *error)
{
    *out = (mass_edge_ends){.nodes = nodes};
    out->first = calloc((size_t)nodes + 1, sizeof *out->first);
    if (!out->first) return mass_error_memory(error, ((size_t)nodes + 1) * sizeof *out->first, "a network");
    count_ends(list, n, out);
    const size_t room = (size_t)out->count + 1;
    out->source = malloc(room * sizeof *out->source);
    const bool numbered = list->column_count || n->simple || n->links;
    if (numbered) out->edge = malloc(room * sizeof *out->edge);
    if (!out->source || (!out->edge && numbered))
        return mass_error_memory(error, room * (sizeof *out->source + sizeof *out->edge), "a network");
    fill(list, n, out);
    const mass_status status = sort_all(out, error);
    return status == MASS_OK && n->simple ? refuse_double(list, n, out, error) : status;
}

double mass_edge_ends_bytes(const mass_edge_ends *ends)
{
    const double each = sizeof *ends->source + (ends->edge ? sizeof *ends->edge : 0);
    return ((double)ends->nodes + 1) * sizeof *ends->first + (double)ends->count * each;
}

void mass_edge_ends_free(mass_edge_ends *ends)
{
    free(ends->first);
    free(ends->source);
    free(ends->edge);
    *ends = (mass_edge_ends){0};
}
