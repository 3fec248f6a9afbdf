/* SPDX-License-Identifier: Apache-2.0 */
/* network/ makes the edges of a network: it reads them from a file, or draws them by a generator. Then it sorts them by
 * target. It does not depend on models. Host memory; main thread. */
#ifndef MASS_ENGINE_NETWORK_EDGES_H
#define MASS_ENGINE_NETWORK_EDGES_H

#include "base/error.h"
#include "network/node_names.h"

#include <mass/network.h>
#include <stdbool.h>
#include <stdio.h>

enum { MASS_EDGE_COLUMNS = 16, MASS_EDGE_NAME = 64 };
#define MASS_NODES_MOST (INT32_MAX - 4096) /* places of a space along an axis */

/* A column of a file, next to the two nodes: a value for each edge. It has no values if one of its words is no finite
 * number, or if no attribute can have its name. */
typedef struct mass_edge_column {
    char name[MASS_EDGE_NAME];
    double *values;      /* [room of the list]; NULL: there are none */
    uint64_t other_line; /* the first line whose word is no finite number, or whose name is too long; 0: none */
    char other[104];     /* that word, or its beginning */
} mass_edge_column;

/* Edges in the order of the file or of the generator: edge i goes from from[i] to to[i]. All zeros: none. */
typedef struct mass_edge_list {
    uint32_t *from, *to; /* [room] */
    uint64_t *line;      /* [room] of the file, if it has columns or the network is simple; else NULL */
    bool rows;           /* the file is an array: `line` has its rows, from 0 */
    uint64_t count, room;
    mass_gidx nodes;     /* one more than the largest number, or the nodes of a matrix */
    mass_node_names names;
    mass_edge_column columns[MASS_EDGE_COLUMNS];
    uint32_t column_count;
    double scratch;      /* bytes of other memory that making the network took, and that are free again */
} mass_edge_list;

/* Makes room for so many edges, in a list that has none, no lines and no columns. */
mass_status mass_edge_list_reserve(mass_edge_list *list, uint64_t count, mass_error *error);
/* Makes room for one more edge at least. */
mass_status mass_edge_list_grow(mass_edge_list *list, mass_error *error);
void mass_edge_list_free(mass_edge_list *list);
/* Returns the bytes that its edges take. */
double mass_edge_list_bytes(const mass_edge_list *list);
/* Returns what the file has an edge in, for messages: "line" or "row". */
static inline const char *mass_edge_list_unit(const mass_edge_list *list) { return list->rows ? "row" : "line"; }

/* Reads the file of a network. Its nodes have numbers below `nodes`; 0: any numbers. If it names nodes, the names must
 * be in `known`; NULL: the list gets them, in the order of the file. Returns MASS_BAD_INPUT, with the file and the
 * line, if something is wrong with it. The caller frees *out, on failure too. */
typedef mass_status mass_edge_reader(const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                     mass_edge_list *out, mass_error *error);
/* Reads a text file: an edge list or a Matrix Market file. */
mass_edge_reader mass_edge_list_read;

/* Is called with the bytes and edges of a text file that have been read: before the first byte, after each mebibyte,
 * and at the end. of: the bytes of the file; 0: unknown, as for a pipe. A status other than MASS_OK ends the read. */
typedef mass_status mass_edge_watch(void *context, const char *file, uint64_t bytes, uint64_t of, uint64_t edges,
                                    mass_error *error);
/* Sets the watch that all reads call from now on, with its context; NULL: none. */
void mass_edge_list_watch(mass_edge_watch *watch, void *context);

/* Reads the edges from an open text file, otherwise as mass_edge_list_read does; n->file is its name for messages. Does
 * not close the file. */
mass_status mass_edge_list_parse(FILE *file, const mass_network *n, mass_gidx nodes, const mass_node_names *known,
                                 mass_edge_list *out, mass_error *error);
/* Returns the number of edges that would be drawn, in the mean if chance decides it; 0 if there is no such network. */
uint64_t mass_edge_list_expected(const mass_network *n, mass_gidx nodes);
/* Draws the edges of a network of so many nodes. MASS_BAD_USAGE: there is no such network, or many draws for a simple
 * one found no two nodes without an edge; MASS_BAD_PLUGIN: no such generator. The caller frees *out, on failure too. */
mass_status mass_edge_list_draw(const mass_network *n, mass_gidx nodes, mass_edge_list *out, mass_error *error);

/* The edges by the node that they come into, as in mass_edges of the SDK. An edge of an undirected network comes into
 * both of its nodes; if these are the same, once. */
typedef struct mass_edge_ends {
    mass_gidx nodes;
    uint64_t count;
    uint64_t *first;  /* [nodes + 1] */
    uint32_t *source; /* [count] ascending for each node */
    uint64_t *edge;   /* [count] the edge in the list; equal sources have ascending ones. NULL: not needed */
} mass_edge_ends;

/* Sorts a list, whose nodes are all below `nodes`, by what *n says of it. `simple` refuses a second edge between the
 * same nodes: MASS_BAD_INPUT with its line if lines are kept, else MASS_BAD_USAGE. The caller frees *out, on failure
 * too. */
mass_status mass_edge_ends_make(const mass_edge_list *list, const mass_network *n, mass_gidx nodes, mass_edge_ends *out,
                                mass_error *error);
/* The same, but takes the edges out of the list: from[] and to[] are free afterwards, on failure too, and in part
 * before. The lines, names and columns stay. Adds to list->scratch what it takes. */
mass_status mass_edge_ends_take(mass_edge_list *list, const mass_network *n, mass_gidx nodes, mass_edge_ends *out,
                                mass_error *error);
void mass_edge_ends_free(mass_edge_ends *ends);
/* Returns the bytes that they take. */
double mass_edge_ends_bytes(const mass_edge_ends *ends);

#endif
