/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn on several threads, to the bits of the plain loop.
 *
 * Worlds are cut into slabs along the outermost axis that has an extent. The agents of a slab are a range, and act in
 * their order, on one thread at a time. Two agents can only matter to each other if they were within a distance when
 * the phase began: sees + changes of the mass_turn_scope. So only the agents within it of a cut are near. A near agent
 * acts when those on the other side that can matter to it, and are before it in order, have had their turn. If it
 * waited for all near agents before it, threads would keep step, and each pause of one would stop the others. Each slab
 * is thicker than that distance, so that no agent beyond the slabs next to it matters.
 *
 * If ranks share the worlds, this process has a part of each (mass_turn_part in the SDK's launch.h). It is cut as if it
 * were a space. If it wraps, agents at its two ends may wait for each other without need.
 *
 * No thread waits for a slab that no thread runs: it leaves its own slab, and runs that one. Of all agents that are
 * left, the first in order waits for nobody. So the phase ends with any number of threads, also with one. */
#ifndef MASS_KERNELS_CPU_TURN_SLABS_H
#define MASS_KERNELS_CPU_TURN_SLABS_H

#include "cpu/team.h"
#include "turn.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { MASS_CPU_TURN_LINE = 64, MASS_CPU_TURN_SIDES = 2 };

/* The near agents of a slab at one of its cuts. */
typedef struct mass_cpu_turn_side {
    uint64_t *near; /* in order: the upper 32 bits of the key, and the place in the order */
    uint32_t count;
    int32_t other;  /* number of the slab on the other side, -1: there is no cut */
    uint32_t *waits; /* [count] for each of them: how many near agents on the other side must have had their turn */
    uint32_t *rank;  /* [count] the number of an agent in `near`, by agent, from the first near one on */
    _Alignas(MASS_CPU_TURN_LINE) atomic_uint acted; /* near agents that have had their turn */
    atomic_uint awaited; /* how many of these the other slab's thread sleeps for (turn_wait.h); 0: it does not */
} mass_cpu_turn_side;

/* A slab of a world, or a whole world. */
typedef struct mass_cpu_turn_slab {
    atomic_int state; /* FREE, TAKEN or DONE */
    int32_t world;
    uint32_t first, end;         /* its agents, which are also its range of the order */
    uint32_t low_end, high_first; /* agents before low_end are near the lower cut, from high_first the upper one */
    uint32_t next;               /* in the order: who acts next */
    int64_t begin_layer, end_layer;
    mass_cpu_turn_side sides[MASS_CPU_TURN_SIDES]; /* the lower cut, and the upper one */
} mass_cpu_turn_slab;

/* The slabs of all open worlds that have agents. Initialize it with zeros. */
typedef struct mass_cpu_turn_slabs {
    mass_cpu_turn_slab *list;
    int32_t count;
    size_t room;
    uint32_t *memory; /* of all waits and ranks */
    size_t memory_room;
    const mass_turn_order_work *order;
    const mass_launch *launch;
    atomic_int left;    /* slabs that are not done */
    atomic_int workers; /* threads that run slabs, or look for one */
} mass_cpu_turn_slabs;

/* Lets the agents act that are at `first` to `end` - 1 of the order, all of one world. */
typedef void mass_cpu_turn_act(void *context, int32_t world, uint32_t first, uint32_t end);

/* Returns the largest number of slabs of a launch whose worlds are cut into at most `most` slabs each. Closed worlds
 * have none. */
int64_t mass_cpu_turn_slabs_most(const mass_launch *l, int most);

/* Cuts each open world that has agents into at most `most` slabs with about the same number of agents. Returns false if
 * out of memory. The order and the launch must live until the slabs have run. The caller frees s->list and
 * s->memory. */
bool mass_cpu_turn_cut(mass_cpu_turn_slabs *s, const mass_turn_order_work *order, const mass_launch *l, int most);

/* Finds the order of the agents of each slab, and who waits for whom. */
void mass_cpu_turn_order_slabs(mass_cpu_turn_slabs *s, mass_cpu_team *team, int threads);

/* Runs slabs until none is left for this thread. Call it once on each thread, at any time after the order is found. If
 * all calls have returned, all agents have had their turn. */
void mass_cpu_turn_run_slabs(mass_cpu_turn_slabs *s, int thread, mass_cpu_turn_act *act, void *context);

/* Sorts agents of one world: writes their order. Returns their entries in this order, each the upper 32 bits of the key
 * and the agent. These are at element `first` of the memory, or at element order->count + first, and the same number of
 * elements at the other place is free. Any thread, of separate ranges at once. */
uint64_t *mass_cpu_turn_sort(const mass_turn_order_work *order, int32_t world, uint32_t first, uint32_t count);
/* Returns whether entry a acts before entry b. Any thread. */
bool mass_cpu_turn_precedes(const mass_turn_order_work *order, int32_t world, uint64_t a, uint64_t b);

#endif
