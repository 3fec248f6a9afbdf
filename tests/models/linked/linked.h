/* SPDX-License-Identifier: Apache-2.0 */
/* What the bodies of linked.c and the plain program in plain.c compute alike. */
#ifndef MASS_TESTS_MODELS_LINKED_H
#define MASS_TESTS_MODELS_LINKED_H

#include <mass/arithmetic.h>
#include <mass/plugin.h>

/* Mixes what a body meets: the result depends on the order. */
MASS_FN uint64_t linked_mix(uint64_t trail, int64_t value)
{
    return (trail * 6364136223846793005u + (uint64_t)value) * 31 + 7;
}

/* Returns the first value of a node. */
MASS_FN uint64_t linked_first(int64_t node) { return linked_mix((uint64_t)node * 7919 + 3, node); }

/* What a node does that has seen such values: an edge ends with the last one, and so many new ones are asked for. The
 * node at the other end of one is often the next one, so that two nodes ask for the same. A walker may
 * die. */
MASS_FN int linked_ends(uint64_t seen) { return seen >> 11 & 1 && seen >> 13 & 1; }
MASS_FN int linked_links(uint64_t seen) { return (int)(seen >> 17 & 3); }
MASS_FN int linked_dies(uint64_t seen) { return (seen >> 29 & 7) == 0; }
MASS_FN int64_t linked_other(uint64_t seen, int i, int64_t node, int64_t nodes)
{
    const uint64_t way = seen >> (8 * i + 23);
    return way & 3 ? (int64_t)(way >> 2 & 0xffff) % nodes : (node + (way & 4 ? 1 : nodes - 1)) % nodes;
}

/* Compares the state of all worlds with that of a plain program which takes all steps; fails the run where they
 * differ. */
mass_status linked_compare(mass_host *host);

#endif
