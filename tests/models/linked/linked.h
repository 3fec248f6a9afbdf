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

/* Compares the state of all worlds with that of a plain program which takes all steps; fails the run where they
 * differ. */
mass_status linked_compare(mass_host *host);

#endif
