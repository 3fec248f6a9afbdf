/* SPDX-License-Identifier: Apache-2.0 */
/* The state of reading a text file with edges. read.c reads edge lists with it, and matrix_market.c the lines that only
 * Matrix Market files have. */
#ifndef MASS_ENGINE_NETWORK_READING_H
#define MASS_ENGINE_NETWORK_READING_H

#include "network/edges.h"

enum { MASS_EDGE_WORDS = MASS_EDGE_COLUMNS + 2, MASS_EDGE_NO_COLUMN = -1 };

/* How the ends of edges are written. */
typedef enum mass_edge_naming { MASS_NODES_UNSEEN, MASS_NODES_NUMBERED, MASS_NODES_NAMED } mass_edge_naming;

/* The state of a read. */
typedef struct mass_edge_reading {
    const mass_network *n;
    mass_gidx nodes;             /* of the network; 0: as many as the file has */
    const mass_node_names *known; /* names of nodes; NULL: the list gets them */
    mass_edge_list *list;
    uint64_t line;               /* number of the line that was read last */
    int source, target;          /* which words of a line are the nodes, from 0 */
    int words;                   /* words of each line; 0: no header and no edge has been read yet */
    int column[MASS_EDGE_WORDS]; /* for each word of a line, its column of the list; nodes: MASS_EDGE_NO_COLUMN */
    mass_edge_naming naming;
    bool commas;                 /* the last line that was divided into words has commas */
    uint32_t base;               /* the number of the first node in the file */
    bool matrix;                 /* a Matrix Market file; then: */
    bool symmetric, sized;       /* each entry is for both directions; the line with its size was read */
    bool whole;                  /* its values are integers */
    uint64_t entries, taken;     /* entries that the file says it has; those that have been read */
    mass_error *error;
} mass_edge_reading;

/* Returns MASS_BAD_INPUT; the error is the file, the line and this text. */
mass_status mass_edge_reading_bad(const mass_edge_reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Keeps the lines of edges, for messages. No edge was read yet. */
mass_status mass_edge_reading_keep_lines(mass_edge_reading *r);

/* Return whether a line is the first one of a Matrix Market file; and whether a path has this ending. */
bool mass_matrix_market_is(const char *line);
bool mass_matrix_market_is_named(const char *path);
/* Take the words of the first line, and those of the line with the size: set what *r and its list then know of the
 * matrix. All lines after these are entries. */
mass_status mass_matrix_market_begin(mass_edge_reading *r, char *const *words, int count);
mass_status mass_matrix_market_size(mass_edge_reading *r, char *const *words, int count);
/* Fails if a matrix ends before its size, or has fewer entries than it says. Edge lists pass. */
mass_status mass_matrix_market_end(const mass_edge_reading *r);

#endif
