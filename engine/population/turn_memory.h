/* SPDX-License-Identifier: Apache-2.0 */
/* A population's memory for phases in turn. One phase after the other uses it. Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_MEMORY_H
#define MASS_ENGINE_POPULATION_TURN_MEMORY_H

#include "state/domain.h"
#include "turn.h"

/* Buffers are the device's memory. */
struct mass_turn_memory {
    mass_buffer agents;  /* mass_turn_agent[room] */
    mass_buffer from_of; /* uint32_t[room] */
    uint32_t room;       /* 0: neither exists */
    mass_buffer first;   /* uint32_t[worlds * places] all MASS_NOBODY between phases */
    mass_buffer counts;  /* int64_t[3 * worlds] born, died and not born */
};

/* Makes the memory whose size does not change, once. */
mass_status mass_turn_create(mass_domain *d, uint32_t population, mass_error *error);

/* Makes room in the lists for as many agents as the population's arrays have room for, after mass_turn_create. If the
 * room changes, former contents are lost. All work that uses the memory must have been waited for. */
mass_status mass_turn_make_room(mass_domain *d, uint32_t population, mass_error *error);

/* Return the bytes that phases in turn need: for an agent; for a place, because of a population; and for a place that
 * acts itself. */
double mass_turn_bytes_of_agent(const mass_model *m, uint32_t population);
double mass_turn_bytes_of_place(const mass_model *m, uint32_t population);
double mass_turn_bytes_of_actor(const mass_model *m, uint32_t space);

void mass_turn_free(mass_population_state *s); /* does nothing if there is no such memory */

#endif
