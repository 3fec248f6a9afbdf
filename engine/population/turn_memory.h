/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of phases in turn. It is kept from phase to phase. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_MEMORY_H
#define MASS_ENGINE_POPULATION_TURN_MEMORY_H

#include "population/turn_places.h"
#include "turn.h"

/* What phases in turn share, as one runs at a time. Buffers are the device's memory. */
struct mass_turn_stage {
    mass_buffer order;   /* memory for an order of at most `order_room` agents or places */
    uint32_t order_room;
    mass_buffer record;  /* the mass_turn that launches read, and the tables that it names */
    mass_buffer nan;     /* uint32_t: not 0 if a value that makes the order is not a number */
    mass_buffer rounds;  /* uint64_t[2] as in mass_turn */
    mass_turn turn;      /* the same as the record, in host memory */
    mass_turn_copies copies;
};

/* What a population needs in phases in turn. Buffers are the device's memory. */
struct mass_turn_memory {
    mass_buffer agents;  /* mass_turn_agent[room] */
    mass_buffer from_of; /* uint32_t[room] */
    uint32_t room;       /* 0: neither exists */
    mass_buffer first;   /* uint32_t[worlds * places] all MASS_NOBODY between phases */
    mass_buffer counts;  /* int64_t[3 * worlds] born, died and not born */
};

/* Make the memory whose size does not change, once. */
mass_status mass_turn_stage_create(mass_domain *d, mass_error *error);
mass_status mass_turn_create(mass_domain *d, uint32_t population, mass_error *error);

/* Make room in the lists for as many agents as the population's arrays have room for; in the order for `count`; and for
 * a record of so many bytes. All work that uses the memory must have been waited for. */
mass_status mass_turn_make_room(mass_domain *d, uint32_t population, mass_error *error);
mass_status mass_turn_make_order_room(mass_domain *d, uint32_t count, mass_error *error);
mass_status mass_turn_make_record_room(mass_domain *d, size_t bytes, mass_error *error);

/* Return the bytes that phases in turn need: for an agent; for a place, because of a population; and for a place that
 * acts itself. */
double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population);
double mass_turn_bytes_of_place(const mass_model *m, uint32_t population);
double mass_turn_bytes_of_actor(const mass_model *m, uint32_t space);

void mass_turn_free(mass_population_state *s);
void mass_turn_stage_free(mass_domain *d);

#endif
