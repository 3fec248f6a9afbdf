/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in turn: what comes before and after the launch that lets agents act one after the other (mass_turn in the
 * SDK's launch.h).
 *
 * Before it, the agents of each place become a list. After it, the lists of all places are written one after the other
 * to the next arrays. That is the canonical order: the agents of a list are in the order of their ids, and its children
 * get ids that are the largest of the world. Ids number the children that live by their numbers, world by world. The
 * arrays have a row for each child that may be born (mass_turn_population), so births need no shared counter. Rows of
 * the dead stay until the phase ends, so that handles stay valid. */
#ifndef MASS_KERNELS_TURN_H
#define MASS_KERNELS_TURN_H

#include <mass/impl/launch.h>
#include <stdbool.h>

/* Addresses are on the kernel's device unless marked as host. */

/* The order in which the agents or places of open worlds act (impl/turn_keys.h). `turn` is in host memory. Its order or
 * its rounds are set. */
typedef struct mass_turn_order_work {
    mass_turn *turn;
    mass_turn_keys keys;
    const uint64_t *id;    /* [count]; NULL: places act */
    const uint32_t *start; /* as in mass_agents; NULL: places act */
    uint32_t count;
    int64_t places;        /* of one world, or of the part of it that this process has */
    mass_turn_part part;
    int32_t worlds;
    const uint32_t *gates; /* [worlds] not 0: closed; or NULL */
    const uint64_t *random_keys; /* [worlds] */
    uint64_t step;
    uint32_t phase;
    void *memory;          /* of the bytes that the device asks for */
    bool shared;           /* other phases share the turn: the order is found at once */
} mass_turn_order_work;

/* An attribute of agents. */
typedef struct mass_turn_column {
    const void *from;
    void *to;
    size_t size;
} mass_turn_column;

typedef struct mass_turn_restore_work {
    const mass_turn_population *population; /* host; `first` becomes MASS_NOBODY again, and children get their ids */
    int64_t places; /* of one world */
    int32_t worlds;
    uint64_t *next_id;     /* [worlds] in and out */
    uint32_t *count;       /* [1] the number of agents afterwards */
    uint32_t *start;       /* [worlds * places + 1] as in mass_agents, in and out */
    mass_seats *occupancy; /* as in mass_agents; or NULL */
    uint64_t *id_to;
    uint32_t *cell_to;
    const uint8_t *lost;
    uint8_t *lost_to;
    uint32_t column_count;
    const mass_turn_column *columns; /* host */
    uint32_t *from_of;     /* [count * (1 + children)] memory: the number that each agent had */
    int64_t *tallies[3];   /* [worlds] to which born, died and unborn are added; or NULL */
} mass_turn_restore_work;

/* The places of a partition, and a copy of a whole space in row-major order. */
typedef struct mass_turn_places_work {
    char *place;   /* the partition's first element */
    char *copy;
    size_t size;   /* bytes of an element; 0: bits in the array, a byte each in the copy */
    int32_t worlds;
    int64_t world_stride, plane, pitch; /* of the array, in places */
    int64_t origin[3], extent[3];       /* of the partition */
    int64_t space[3];                   /* extents of the space */
} mass_turn_places_work;

/* A set of edges that nodes in turn follow. */
typedef struct mass_turn_set {
    const uint64_t *first;  /* as in mass_edges */
    const uint32_t *source;
    int64_t each;           /* as in mass_edges */
    bool both_ways;         /* an edge is only in the list of the node that it comes into */
} mass_turn_set;

/* The search for the nodes that edges join (mass_turn_joined). */
typedef struct mass_turn_join_work {
    mass_turn_set sets[1 + MASS_EDGE_SETS];
    uint32_t set_count;
    uint64_t nodes;      /* of a world */
    uint64_t rows;       /* `nodes`, or the nodes of all worlds if worlds have edges of their own in a set */
    uint64_t *first;     /* [rows + 1] out */
    uint32_t *node;      /* out, with room for all edges of each set, and twice those of sets both ways */
    bool counts_pairs;   /* find the most pairs, too */
} mass_turn_join_work;

#endif
