/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the nodes of a network between ranks by their edges (--shares edges). Pure arithmetic over whole numbers: all
 * ranks find the same. */
#ifndef MASS_ENGINE_SPLIT_EDGE_SHARES_H
#define MASS_ENGINE_SPLIT_EDGE_SHARES_H

#include "model/network.h"
#include "split/share.h"

/* Sets before[ranks + 1] (share.h) for ranks of so many partitions each. A rank's nodes and the edges that come into
 * them are then about as many as those of any other rank. The edges of all sets count. If there are several networks,
 * that with the most nodes and edges counts. Edges that change are those of the start. Returns false if the
 * model has no network, or if there is one node for each partition; before[] may have been changed then. */
bool mass_edge_shares_find(const mass_model *m, int32_t ranks, int32_t partitions, int64_t *before);

#endif
