/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of phases in turn that concern a whole schedule. */
#ifndef MASS_ENGINE_MODEL_TURNS_H
#define MASS_ENGINE_MODEL_TURNS_H

#include "model/model.h"

/* Returns the first phase in turn, or NULL. */
const mass_phase_def *mass_turns_first(const mass_model *m);

/* Sets .turn_array, the array by which a phase in turn is ordered. Does nothing if it is not ordered by value. Refuses
 * an attribute that the phase does not have, or that is not one number. */
mass_status mass_turn_resolve_order(const mass_model *m, mass_phase_def *p, mass_error *error);

/* Finds how far the body of a phase in turn meets agents and changes something: .meets, .changes and .axes of its
 * turn_scope. Without .meets it is the reach, without .changes the same as .meets. Refuses .meets, .changes and .shape
 * of other phases, and over nodes. Refuses distances beyond the reach. The phase's reach is known. */
mass_status mass_turn_take_scope(const mass_agent_phase *p, mass_phase_def *phase, mass_error *error);
/* Finds how far the body of a phase in turn sees what others may change, .sees, when its targets are known. For nodes
 * in turn it sets all of the scope. */
void mass_turn_resolve_scope(mass_phase_def *p);

/* Refuses a phase in turn that sees a population whose agents, or places, may have requests of the same schedule that
 * no manage has applied. */
mass_status mass_turns_check(const mass_model *m, mass_error *error);

#endif
