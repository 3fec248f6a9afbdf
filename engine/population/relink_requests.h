/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which requests for new edges are applied. The result depends on the requests alone, and
 * not on their order in a list. Host memory; main thread. */
#ifndef MASS_ENGINE_POPULATION_RELINK_REQUESTS_H
#define MASS_ENGINE_POPULATION_RELINK_REQUESTS_H

#include "base/error.h"
#include "comm/comm.h"
#include "state/changing_edges.h"

#include <stdbool.h>

/* Request k of a node, for an edge from `source`. */
typedef struct mass_edge_request {
    uint32_t world, node, k, source;
    uint32_t refused; /* 1: it is not applied; 0 before */
} mass_edge_request;

/* The edges before the phase, as in mass_changing_edges, and those of them that end, sorted. */
typedef struct mass_known_edges {
    bool directed, simple;
    uint64_t nodes;
    const uint64_t *first;
    const uint32_t *source;
    const uint64_t *id;
    const mass_ended_edge *ended;
    uint64_t ended_count;
    const uint8_t *bare; /* [worlds * nodes] 1: the node has no edges, as no agent is there; NULL: none is so */
} mass_known_edges;

/* Sorts edges that end by world and id. */
void mass_relink_sort_ends(mass_ended_edge *ended, uint64_t count);
/* Returns whether an edge is one of those that end, which are sorted. */
bool mass_relink_ends(const mass_ended_edge *ended, uint64_t count, const mass_ended_edge *edge);

/* Marks the requests that are refused. Of requests for the same edge, all but one: that of the lowest node, and of its
 * requests the first. Also requests for edges of bare nodes. In a simple network also requests for loops, and for edges
 * that exist and do not end. */
mass_status mass_relink_judge(const mass_known_edges *known, mass_edge_request *list, uint64_t count,
                              mass_error *error);

#endif
