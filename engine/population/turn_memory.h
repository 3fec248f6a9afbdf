/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of phases in turn. It belongs to a population, and is kept from phase to phase. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_MEMORY_H
#define MASS_ENGINE_POPULATION_TURN_MEMORY_H

#include "population/turn_places.h"
#include "turn.h"

/* What a population needs in phases in turn. */
struct mass_turn_memory {
    mass_turn_agent *agents; /* [room] */
    mass_turn_array *arrays; /* [array_count of the population] */
    uint32_t *from_of;       /* [room] */
    uint32_t *children;      /* [2 * room] their parents, and memory for their order */
    uint32_t room;
    uint32_t *first;   /* [worlds * places] all MASS_NOBODY between phases */
    int64_t *counts;   /* [3 * worlds] born, died and not born */
    mass_turn turn;    /* of a phase of this population */
    mass_turn_key *keys; /* [2 * order_room] */
    uint32_t *order;     /* [order_room] */
    uint32_t order_room;
    mass_turn_copies copies;
};

/* Makes the memory whose size does not change, once. */
mass_status mass_turn_create(mass_domain *d, uint32_t population, mass_error *error);

/* Make room in the lists for as many agents as the population's arrays have room for, and in the order for `count`. */
mass_status mass_turn_make_room(mass_population_state *s, mass_error *error);
mass_status mass_turn_make_order_room(struct mass_turn_memory *t, uint32_t count, mass_error *error);

/* Return the bytes that phases in turn need, for an agent and for a place. */
double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population);
double mass_turn_bytes_of_place(const mass_model *m, uint32_t population);

void mass_turn_free(mass_population_state *s);

#endif
