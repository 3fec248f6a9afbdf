/* SPDX-License-Identifier: Apache-2.0 */
/* The names of nodes, if a file names them by text: node i has the i-th name that came up. */
#ifndef MASS_ENGINE_NETWORK_NODE_NAMES_H
#define MASS_ENGINE_NETWORK_NODE_NAMES_H

#include "base/error.h"

enum { MASS_NODE_NAME_MOST = 255 }; /* bytes */

/* All zeros: no node has a name. */
typedef struct mass_node_names {
    char *bytes;     /* [used] the names, each with a zero byte */
    uint64_t *first; /* [count] where a name begins */
    uint64_t used, bytes_room;
    uint32_t count, room;
    uint32_t *slots; /* [last + 1] a hash table: a node plus 1; 0: free. NULL: no slots yet */
    uint64_t last;
} mass_node_names;

/* Returns the number of the node with a name, or -1. */
int64_t mass_node_names_find(const mass_node_names *names, const char *name);
/* Sets *out to the number of the node with a name, which becomes the next node if no node has it. MASS_BAD_USAGE: it
 * would be node `most` or a later one. */
mass_status mass_node_names_add(mass_node_names *names, const char *name, uint32_t most, uint32_t *out,
                                mass_error *error);
void mass_node_names_free(mass_node_names *names);

/* Returns the name of a node; NULL: it has none. */
static inline const char *mass_node_name(const mass_node_names *names, int64_t node)
{
    return node >= 0 && node < (int64_t)names->count ? names->bytes + names->first[node] : NULL;
}

#endif
