/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a network's edges, on a device that has all of them (population/relink_there.h).
 *
 * A row is a node of a world: node i of world w is row w * nodes + i. An entry is an edge as it comes into a node: an
 * undirected edge has two, but one if it joins a node to itself. Entries are sorted by row, source and id. Each edge is
 * an agent on one of its nodes, and agents are sorted by row and id. Addresses are on the device unless marked as
 * host. */
#ifndef MASS_KERNELS_RELINK_H
#define MASS_KERNELS_RELINK_H

#include <mass/impl/launch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MASS_RELINK_COLUMNS_MOST = 66 };

typedef struct mass_relink_entries {
    uint64_t nodes, rows; /* of one world; of all worlds, fewer than 2^32 */
    uint64_t count;
    bool directed;
    const uint64_t *first;  /* [rows + 1] */
    const uint32_t *source; /* [count] */
    const uint64_t *id;     /* [count] */
} mass_relink_entries;

/* The agents with the last of which a node's edges end: a node is bare if none is on it. Both NULL: edges do not depend
 * on agents. */
typedef struct mass_relink_dwellers {
    const uint32_t *start;       /* [rows + 1] as in mass_agents; or */
    const mass_seats *occupancy; /* the same */
} mass_relink_dwellers;

/* Finds the edges that end, and counts the requests for new ones. Worlds with a closed gate keep their marks and
 * requests. */
typedef struct mass_relink_end_work {
    mass_relink_entries entries;
    uint8_t *cut;          /* [count] in: not 0: the edge is to end. Out: 0 in open worlds. Aligned to 16 bytes */
    uint8_t *ends;         /* [count] out: 1: an entry of an edge that ends; else 0 */
    const uint32_t *gates; /* [worlds] not 0: closed; or NULL */
    const uint64_t *agent_id;
    const uint32_t *start; /* [rows + 1] as in mass_agents */
    uint32_t *asked;       /* [agents] in and out: edges that end ask to die. None has asked before */
    const uint32_t *wished; /* [rows] mass_sprouts.asked; NULL: no body may ask for edges */
    uint64_t *before;      /* [rows + 1] out: requests of all rows before, in open worlds */
    mass_relink_dwellers dwellers;
} mass_relink_end_work;

typedef struct mass_relink_counts {
    uint64_t edges, entries; /* that end: they are marked, or of bare nodes */
    uint64_t requests;
} mass_relink_counts;

/* Values of the requests of one attribute. */
typedef struct mass_relink_values {
    char *value; /* [most][rows] */
    size_t size;
} mass_relink_values;

/* Decides which requests for new edges are refused, and takes those back. Requests for the same edge become one: that
 * of the lowest row and number. A request for an edge of a bare node is refused. */
typedef struct mass_relink_judge_work {
    mass_relink_entries entries;
    const uint8_t *ends;    /* as from mass_relink_end_work */
    const uint64_t *before; /* the same */
    uint64_t requests;      /* before[rows], below 2^32 */
    uint32_t *wished;       /* [rows] in and out: mass_sprouts.asked */
    const uint32_t *source; /* [most][rows] the other ends of requested edges */
    bool simple;            /* an edge that is there, or joins a node to itself, is refused */
    uint32_t value_count;
    const mass_relink_values *values; /* [value_count] host: gaps of refused requests are closed in them. They may have
                                         `source` among them */
    uint64_t *ended; /* [counts.entries] out: the numbers of the entries of `ends`, ascending */
    mass_relink_dwellers dwellers;
} mass_relink_judge_work;

/* Finds the agents that are new edges, and sorts their entries. */
typedef struct mass_relink_collect_work {
    uint64_t nodes, rows;
    int32_t worlds;
    bool directed;
    uint32_t agents;
    const uint64_t *id;      /* [agents] */
    const uint32_t *cell;    /* [agents] rows */
    const uint32_t *source;  /* [agents] the other ends */
    const uint64_t *next_id; /* [worlds] host: agents with at least this id are new */
    uint64_t expected;       /* the new agents; if there are others, or a source is no node, nothing is written */
    uint64_t *key;           /* [entries] out: row << mass_relink_shift(nodes) | source */
    uint32_t *agent;         /* [entries] out: the agent of each. Both have room for two entries of each new agent, or
                                for one if the network is directed */
} mass_relink_collect_work;

typedef struct mass_relink_found {
    uint64_t agents, entries;
    uint32_t stray; /* the first new agent whose source is no node; UINT32_MAX: there is none */
} mass_relink_found;

/* A value of each entry. */
typedef struct mass_relink_column {
    const void *old;   /* [old.count] */
    const void *fresh; /* [agents] values of agents; NULL: 0 */
    void *to;          /* [old.count - ended_count + fresh_count] */
    size_t size;
} mass_relink_column;

/* Makes the entries after a change: the old ones without those that ended, and the new ones. An old entry comes before
 * a new one of the same row and source. */
typedef struct mass_relink_merge_work {
    mass_relink_entries old; /* if its count is 0, its arrays are not read */
    uint64_t ended_count, fresh_count;
    const uint64_t *ended; /* as from mass_relink_judge_work */
    const uint64_t *key;   /* as from mass_relink_collect_work */
    const uint32_t *agent; /* the same */
    uint64_t *first;       /* [rows + 1] out */
    uint32_t *source;      /* out */
    uint32_t column_count;
    mass_relink_column columns[MASS_RELINK_COLUMNS_MOST];
} mass_relink_merge_work;

/* Returns how many bits the number of a node takes: 1 to 32. */
static inline int mass_relink_shift(uint64_t nodes)
{
    int bits = 1;
    while (bits < 32 && nodes > UINT64_C(1) << bits) bits++;
    return bits;
}

#endif
