/* SPDX-License-Identifier: Apache-2.0 */
/* A set of pairs of nodes, for generators of simple networks: a hash table of fixed size. */
#ifndef MASS_ENGINE_NETWORK_PAIRS_H
#define MASS_ENGINE_NETWORK_PAIRS_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mass_pairs {
    uint64_t *slots; /* [last + 1] a pair plus 2; 0: free; 1: removed */
    uint64_t last;
    bool directed; /* (a, b) is another pair than (b, a) */
} mass_pairs;

/* Makes room for so many additions. Removals give no room back. The caller sets `directed`, before the first
 * addition. */
mass_status mass_pairs_make(mass_pairs *p, uint64_t additions, mass_error *error);
void mass_pairs_free(mass_pairs *p);

/* Adds a pair. Returns false if it is there already, or if it is of one node. */
bool mass_pairs_add(mass_pairs *p, uint32_t from, uint32_t to);
/* Has the memory for a pair fetched, which must be of two nodes. Changes nothing. */
void mass_pairs_fetch(const mass_pairs *p, uint32_t from, uint32_t to);
/* Removes a pair, which must be there. */
void mass_pairs_remove(mass_pairs *p, uint32_t from, uint32_t to);

#endif
