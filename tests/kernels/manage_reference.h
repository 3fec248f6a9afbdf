/* SPDX-License-Identifier: Apache-2.0 */
/* A plain implementation of manage (kernels/manage.h), one agent after the other, for tests. */
#ifndef MANAGE_REFERENCE_H
#define MANAGE_REFERENCE_H

#include "manage.h"

typedef struct agent {
    uint64_t id;
    uint32_t cell;
    uint32_t from;  /* its index in the arrays; of a child, its parent's */
    uint32_t birth; /* number of a child among its parent's */
    bool open;      /* the gate of its world is open */
    bool child, alive, moves, lost;
    long double priority; /* of agents that were there before */
    uint64_t lot;
} agent;

/* Applies the requests of a list of agents. Children follow at its end; those that are not born are not alive. Returns
 * the new length. next_id of each world advances. */
uint32_t manage_agents(const mass_manage_work *w, agent *all, uint32_t count, uint64_t *next_id);

/* The same on the arrays, as a kernel does it. */
uint64_t manage_reference(const mass_manage_work *w);

#endif
