/* SPDX-License-Identifier: Apache-2.0 */
/* How the parts of a space divide the edges of a network. A part is a partition, or all partitions of a rank. The edges
 * of networks whose edges change are those of the start. Host memory; main thread. */
#ifndef MASS_ENGINE_SPLIT_EDGE_CUTS_H
#define MASS_ENGINE_SPLIT_EDGE_CUTS_H

#include "model/network.h"
#include "split/share.h"

typedef struct mass_edge_part {
    mass_gidx nodes;
    uint64_t edges;   /* that come into its nodes, as mass_edge_ends counts them */
    uint64_t cut;     /* of these, from nodes of other parts */
    mass_gidx ghosts; /* different nodes of other parts from which these come */
} mass_edge_part;

typedef struct mass_edge_cuts {
    mass_edge_part *parts; /* [count] */
    int32_t count;
    uint64_t edges, cut;   /* sums over the parts */
    double balance;        /* the most edges of a part, relative to the mean; 1 if there are none */
} mass_edge_cuts;

/* Counts the edges of a network by part: `each` partitions, one after the other, are a part. The caller frees *out, on
 * failure too. */
mass_status mass_edge_cuts_find(const mass_share *share, const mass_model *m, const mass_network_def *n, int32_t each,
                                mass_edge_cuts *out, mass_error *error);
void mass_edge_cuts_free(mass_edge_cuts *cuts);
/* Returns the fraction of the edges that come from another part; 0 without edges. */
double mass_edge_cuts_fraction(const mass_edge_cuts *cuts);

#endif
