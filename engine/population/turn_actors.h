/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the window of a rank suffices for a phase in turn, from the actors in it and their order (turn_window.h).
 * Main thread. */
#ifndef MASS_ENGINE_POPULATION_TURN_ACTORS_H
#define MASS_ENGINE_POPULATION_TURN_ACTORS_H

#include "state/domain.h"

/* A turn in a step. */
typedef struct mass_turn_call {
    uint32_t phase; /* the first one of the turn */
    uint64_t step;
    const uint32_t *gates; /* on the device; NULL: none */
} mass_turn_call;

/* Finds out if d->turn->ranks->window suffices; the whole space always does. This rank must have its actors already,
 * and the copies of places whose values make the order. It does not agree with other ranks. */
mass_status mass_turn_actors_suffice(mass_domain *d, const mass_turn_call *call, bool *suffices, mass_error *error);

#endif
