/* SPDX-License-Identifier: Apache-2.0 */
/* manage from its words (kernels/manage.h), one agent after the other, for tests. */
#ifndef MANAGE_REFERENCE_H
#define MANAGE_REFERENCE_H

#include "manage.h"

typedef struct agent {
    uint64_t id;
    uint32_t cell;
    uint32_t from;  /* its index in the arrays; of a child, its parent's */
    uint32_t birth; /* of a child: which of its parent's */
    bool open;      /* its world's gate is */
    bool child, alive, moves, lost;
    long double priority; /* of those that were there before */
    uint64_t lot;
} agent;

/* Carries out on a list of agents what they ask for; the children follow at its end, those that were not born as
 * not alive. Returns its length then. next_id, of each world, goes on. */
uint32_t manage_agents(const mass_manage_work *w, agent *all, uint32_t count, uint64_t *next_id);

/* As a kernel does it, on the arrays. */
uint64_t manage_reference(const mass_manage_work *w);

#endif
