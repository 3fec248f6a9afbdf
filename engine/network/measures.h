/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of a network as a whole: degrees, components, clustering. Components ignore the directions of edges. In
 * clustering, the neighbours of a node are the nodes from which edges come into it. An edge in either direction joins
 * two of them. */
#ifndef MASS_ENGINE_NETWORK_MEASURES_H
#define MASS_ENGINE_NETWORK_MEASURES_H

#include "network/edges.h"

enum { MASS_CLUSTERING_NODES = 1000, MASS_CLUSTERING_PAIRS = 1000 };

typedef struct mass_network_measures {
    uint64_t least, most; /* edges that come into a node */
    double mean;
    mass_gidx components, largest; /* components; nodes of the largest one */
    /* The part of the pairs of a node's neighbours that are joined, after D. J. Watts and S. H. Strogatz (1998), in the
     * mean over nodes; 0 for a node of fewer than two neighbours. Neighbours are the other ends of the edges that come
     * in. Of many nodes, MASS_CLUSTERING_NODES at equal distances count; of a node's many pairs, as many that are drawn
     * evenly as MASS_CLUSTERING_PAIRS says. */
    double clustering;
    mass_gidx sampled; /* nodes that it is of */
} mass_network_measures;

/* Measures a network of at least one node. */
mass_status mass_network_measure(const mass_edge_ends *e, mass_network_measures *out, mass_error *error);

#endif
