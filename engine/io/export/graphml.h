/* SPDX-License-Identifier: Apache-2.0 */
/* Writes networks as GraphML: U. Brandes and others, "GraphML Progress Report" (2002). networkx, igraph and Gephi read
 * it. Main thread. */
#ifndef MASS_ENGINE_IO_EXPORT_GRAPHML_H
#define MASS_ENGINE_IO_EXPORT_GRAPHML_H

#include "snapshot/snapshot.h"

#include <stdio.h>

/* Writes each network of a model, which has some, as a graph: its nodes and edges, with their attributes. What changes
 * is that of the first world. A node's id is its name, or its number if it has none. The snapshot has all
 * attributes. ferror(to) tells of failures. */
void mass_graphml_write(const mass_snapshot *s, FILE *to);

#endif
