/* SPDX-License-Identifier: Apache-2.0 */
#include "network/measures.h"

#include <mass/random.h>
#include <stdlib.h>

/* ---- components: sets of nodes, which every edge joins ---- */

/* Returns the node that stands for a node's set, and shortens the way there. */
static uint32_t root_of(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

/* Finds the components and the largest one, whose numbers in *out are 0 before. The least node of each stands for
 * it. */
static mass_status find_components(const mass_edge_ends *e, mass_network_measures *out, mass_error *error)
{
    const size_t nodes = (size_t)e->nodes;
    uint32_t *const parent = malloc(2 * nodes * sizeof *parent), *const size = parent + nodes;
    if (!parent) return mass_error_memory(error, 2 * nodes * sizeof *parent, "a network's components");
    for (size_t i = 0; i < nodes; i++) parent[i] = (uint32_t)i, size[i] = 0;
    for (size_t i = 0; i < nodes; i++)
        for (uint64_t k = e->first[i]; k < e->first[i + 1]; k++) {
            const uint32_t a = root_of(parent, (uint32_t)i), b = root_of(parent, e->source[k]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (size_t i = 0; i < nodes; i++) {
        const uint32_t root = root_of(parent, (uint32_t)i);
        out->components += size[root]++ == 0;
        if (size[root] > out->largest) out->largest = size[root];
    }
    free(parent);
    return MASS_OK;
}

/* ---- clustering ---- */

/* Returns whether an edge from `source` comes into a node, whose sources are sorted. */
static bool comes_from(const mass_edge_ends *e, uint32_t node, uint32_t source)
{
    uint64_t low = e->first[node], high = e->first[node + (size_t)1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (e->source[middle] < source) low = middle + 1;
        else high = middle;
    }
    return low < e->first[node + (size_t)1] && e->source[low] == source;
}

/* Returns whether an edge of either direction joins two nodes. */
static bool are_joined(const mass_edge_ends *e, uint32_t a, uint32_t b)
{
    return comes_from(e, a, b) || comes_from(e, b, a);
}

/* Lists the neighbours of a node, each once, ascending and without the node itself. Returns their number. */
static uint64_t list_neighbours(const mass_edge_ends *e, mass_gidx node, uint32_t *list)
{
    uint64_t count = 0;
    for (uint64_t k = e->first[node]; k < e->first[node + 1]; k++)
        if (e->source[k] != node && (count == 0 || list[count - 1] != e->source[k])) list[count++] = e->source[k];
    return count;
}

/* Returns the part of the pairs of neighbours that are joined; 0 without a pair. Of many pairs, draws a sample. */
static double joined_part(const mass_edge_ends *e, mass_gidx node, const uint32_t *list, uint64_t count)
{
    const double pairs = (double)count * (double)(count - 1) / 2;
    uint64_t joined = 0;
    if (count < 2) return 0;
    if (pairs <= MASS_CLUSTERING_PAIRS) {
        for (uint64_t i = 1; i < count; i++)
            for (uint64_t k = 0; k < i; k++) joined += are_joined(e, list[i], list[k]);
        return (double)joined / pairs;
    }
    for (uint64_t i = 0; i < MASS_CLUSTERING_PAIRS; i++) {
        const mass_random4 r = mass_random_block(0, (uint64_t)node, i, 0, 0);
        const uint32_t a = mass_below_u32((uint32_t)count, r.v[0], r.v[1]);
        const uint32_t b = mass_below_u32((uint32_t)count - 1, r.v[2], r.v[3]);
        joined += are_joined(e, list[a], list[b + (b >= a)]);
    }
    return (double)joined / MASS_CLUSTERING_PAIRS;
}

/* Finds the mean clustering of the nodes, or of a sample of them in even distances. out->most is known. */
static mass_status find_clustering(const mass_edge_ends *e, mass_network_measures *out, mass_error *error)
{
    const mass_gidx nodes = e->nodes;
    out->sampled = nodes < MASS_CLUSTERING_NODES ? nodes : MASS_CLUSTERING_NODES;
    uint32_t *const list = malloc(((size_t)out->most + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, ((size_t)out->most + 1) * sizeof *list, "a network's clustering");
    double sum = 0;
    for (mass_gidx i = 0; i < out->sampled; i++) {
        const mass_gidx node = nodes / out->sampled * i + nodes % out->sampled * i / out->sampled;
        sum += joined_part(e, node, list, list_neighbours(e, node, list));
    }
    out->clustering = sum / (double)out->sampled;
    free(list);
    return MASS_OK;
}

mass_status mass_network_measure(const mass_edge_ends *e, mass_network_measures *out, mass_error *error)
{
    *out = (mass_network_measures){.least = UINT64_MAX, .mean = (double)e->count / (double)e->nodes};
    for (mass_gidx i = 0; i < e->nodes; i++) {
        const uint64_t own = e->first[i + 1] - e->first[i];
        if (own < out->least) out->least = own;
        if (own > out->most) out->most = own;
    }
    const mass_status status = find_components(e, out, error);
    return status == MASS_OK ? find_clustering(e, out, error) : status;
}
