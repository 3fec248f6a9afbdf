/* SPDX-License-Identifier: Apache-2.0 */
/* Turns that several phases share (.turn): their agents come in one shuffled order. The phases of a turn follow one
 * another in the schedule. A phase in turn that shares none has a turn of its own. */
#ifndef MASS_ENGINE_MODEL_SHARED_TURNS_H
#define MASS_ENGINE_MODEL_SHARED_TURNS_H

#include "model/model.h"

enum { MASS_TURN_PHASES_MAX = 4 }; /* most phases of a turn */

/* Takes .turn of a phase, when all else of it is taken. Refuses it for a phase in which no agents act in turn, or with
 * an order. */
mass_status mass_turn_take_name(const mass_agent_phase *p, mass_phase_def *phase, mass_error *error);

/* Return the first phase of the turn of a phase, and the one after its last. For other phases: the phase itself, and
 * the one after it. */
uint32_t mass_turn_begin(const mass_model *m, uint32_t phase);
uint32_t mass_turn_end(const mass_model *m, uint32_t phase);
/* Returns whether the phase shares its turn with another one. */
bool mass_turn_is_shared(const mass_model *m, uint32_t phase);

/* Lists the populations that the phases of a turn see, each once. Returns how many. first: its first phase. */
uint32_t mass_turn_populations(const mass_model *m, uint32_t first, uint32_t out[MASS_POPULATIONS_MAX]);
/* Returns the most children that an agent of a population may have in a turn. first: its first phase. 0: none of its
 * phases lets that population act. */
uint32_t mass_turn_children(const mass_model *m, uint32_t first, uint32_t population);

/* Returns the largest reach of the phases of a turn. first: its first phase. */
int32_t mass_turn_reach_of(const mass_model *m, uint32_t first);

/* Refuses phases that cannot share the turn that they name. */
mass_status mass_shared_turns_check(const mass_model *m, mass_error *error);

#endif
