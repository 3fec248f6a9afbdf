/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of phases in turn. One phase after the other uses it. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_STAGE_H
#define MASS_ENGINE_POPULATION_TURN_STAGE_H

#include "model/shared_turns.h"
#include "population/turn_nodes.h"
#include "population/turn_places.h"
#include "population/turn_rows.h"
#include "turn.h"

/* For ranks that share the space (turn_ranks.h). */
typedef struct mass_turn_ranks {
    mass_gidx more[MASS_SPACES_MAX]; /* layers of a window on each side of the slab, for all phases of a space */
    mass_turn_window window; /* of the present phase, */
    mass_turn_part part;     /* the same for launches, */
    mass_gidx places;        /* and its places in a world */
    /* The population's agents in the window; during a phase, those that the rank has. */
    mass_population_state other[MASS_POPULATIONS_MAX];
    mass_turn_rows rows[MASS_POPULATIONS_MAX];
} mass_turn_ranks;

/* Buffers are the device's memory. */
struct mass_turn_stage {
    /* By the phases of a turn: */
    mass_buffer order[MASS_TURN_PHASES_MAX]; /* memory for an order of at most `order_room` agents or places */
    uint32_t order_room[MASS_TURN_PHASES_MAX];
    mass_buffer record[MASS_TURN_PHASES_MAX]; /* the mass_turn that launches read, and the tables that it names */
    mass_turn turn[MASS_TURN_PHASES_MAX];     /* the same as the record, in host memory */
    mass_buffer nan;     /* uint32_t: not 0 if a value that makes the order is not a number */
    mass_buffer rounds;  /* uint64_t[2] as in mass_turn */
    mass_turn_population seen[MASS_POPULATIONS_MAX]; /* those that the turn sees, by population */
    mass_turn_copies copies;
    mass_turn_nodes *nodes; /* [phases of the model] owned; NULL: none has been needed */
    mass_turn_ranks *ranks; /* owned; NULL: ranks do not share the space */
};

/* Makes the memory whose size does not change, once. */
mass_status mass_turn_stage_create(mass_domain *d, mass_error *error);

/* Make room in the order of the k-th phase of a turn for `count` actors, and for a record of so many bytes. If there is
 * too little, former contents are lost. All work that uses the memory must have been waited for. */
mass_status mass_turn_make_order_room(mass_domain *d, uint32_t k, uint32_t count, mass_error *error);
mass_status mass_turn_make_record_room(mass_domain *d, uint32_t k, size_t bytes, mass_error *error);

/* Frees all of it, after mass_turn_ranks_free. */
void mass_turn_stage_free(mass_domain *d);

#endif
