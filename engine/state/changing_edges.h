/* SPDX-License-Identifier: Apache-2.0 */
/* The edges of a network whose edges change, as bodies follow them. The edges themselves are agents of a population
 * (model/network.h). population/relink_adjacency.h makes these arrays of the agents. Each rank has all edges of its
 * worlds. Main thread. */
#ifndef MASS_ENGINE_STATE_CHANGING_EDGES_H
#define MASS_ENGINE_STATE_CHANGING_EDGES_H

#include "model/network.h"
#include "state/domain.h"

/* An edge that ends. Worlds count from the rank's first one. */
typedef struct mass_ended_edge {
    uint64_t id;
    int64_t world;
} mass_ended_edge;

/* The arrays on the device. */
typedef struct mass_edge_arrays {
    mass_buffer first, source; /* as in mass_edges */
    mass_buffer id;  /* uint64_t[count]; none if the host has them */
    mass_buffer cut; /* uint8_t[count] requests of UNLINK */
    mass_buffer values[MASS_EDGE_ATTRIBUTES_MAX]; /* [count + 1] by attribute of the model, the default last */
} mass_edge_arrays;

/* What a device needs to apply changes itself (population/relink_there.h). */
typedef struct mass_relink_memory {
    mass_edge_arrays spare;  /* the next arrays; then the former ones */
    mass_buffer ends;        /* uint8_t[count] as in mass_relink_end_work */
    mass_buffer before;      /* uint64_t[nodes of all worlds + 1] the same */
    mass_buffer ended;       /* uint64_t[ended_entries] as in mass_relink_judge_work */
    mass_buffer key, agent;  /* as in mass_relink_collect_work */
    uint64_t ended_entries, fresh; /* fresh: edges that the manage makes */
} mass_relink_memory;

/* Node i of world w is number w * nodes + i. If the device applies changes (population/relink_there.h), the host has
 * only the numbers, and `first`, `source`, `id` and `ended` are NULL. */
typedef struct mass_changing_edges {
    bool current;     /* the arrays are those of the present agents */
    bool follows;     /* else: those agents are these edges, without `ended`, and all with an id from next_id on */
    mass_ended_edge *ended; /* [ended_count] of all ranks, sorted; edges may be twice */
    uint64_t ended_count;
    uint64_t edges;   /* an undirected one counts once */
    uint64_t *next_id; /* [worlds] above the id of each edge */
    uint64_t *first;  /* [worlds * nodes + 1] as in mass_edges */
    uint32_t *source; /* [count] */
    uint64_t *id;     /* [count] of equal sources the less comes first */
    uint64_t count;
    mass_edge_arrays there;
    mass_relink_memory *memory; /* of changes that the device applies; NULL: the host does. Owned */
} mass_changing_edges;

/* Returns the edges of a network of the model; NULL: they do not change. */
mass_changing_edges *mass_domain_changing_edges(const mass_domain *d, uint32_t network);
/* Returns the edges that are the agents of a population; NULL: its agents are no edges. */
mass_changing_edges *mass_domain_edges_that_are(const mass_domain *d, uint32_t population);
/* Frees the arrays, and sets *e to zeros. */
void mass_changing_edges_clear(mass_changing_edges *e);

#endif
