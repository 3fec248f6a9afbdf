/* SPDX-License-Identifier: Apache-2.0 */
/* Phases in turn: what comes before and after the loop that lets agents act one after the other (mass_turn in the SDK's
 * launch.h).
 *
 * Before it, the agents of each place become a list, and the agents get their order. After it, the lists of all places
 * are written one after the other to the next arrays. That is the canonical order: the agents of a list are in the
 * order of their ids, and its children get ids that are the largest of the world. Ids number the children that live by
 * (parent, number), world by world. */
#ifndef MASS_KERNELS_TURN_H
#define MASS_KERNELS_TURN_H

#include <mass/impl/launch.h>

/* An agent's place in the order: agents act by ascending key, and by id if keys are equal. */
typedef struct mass_turn_key {
    uint64_t key, id;
    uint32_t agent;
} mass_turn_key;

/* The keys of agents `first` to before `end`, which are of one world. */
typedef struct mass_turn_order_work {
    const uint64_t *id;
    uint32_t first, end;
    uint64_t random_key, step;
    uint32_t phase;
    mass_turn_key *keys, *spare; /* [end - first] */
    uint32_t *order;             /* [end - first] */
} mass_turn_order_work;

/* An attribute of agents. */
typedef struct mass_turn_column {
    const void *from;
    void *to;
    size_t size;
} mass_turn_column;

typedef struct mass_turn_restore_work {
    mass_turn_population *population; /* `first` becomes MASS_NOBODY again, and children get their ids */
    int64_t places; /* of one world */
    int32_t worlds;
    uint64_t *next_id;     /* [worlds] in and out */
    uint32_t *rank;        /* [rows - count] memory for the order of children */
    uint32_t *count;       /* [1] the number of agents afterwards */
    uint32_t *start;       /* [worlds * places + 1] as in mass_agents */
    mass_seats *occupancy; /* as in mass_agents; or NULL */
    const uint32_t *cell;  /* of the agents when the phase began */
    uint64_t *id_to;
    uint32_t *cell_to;
    const uint8_t *lost;
    uint8_t *lost_to;
    uint32_t column_count;
    const mass_turn_column *columns;
} mass_turn_restore_work;

#endif
