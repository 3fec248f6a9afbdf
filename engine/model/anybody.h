/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of any agents of the world, and of free places: what a phase with them needs. Any thread. */
#ifndef MASS_ENGINE_ANYBODY_H
#define MASS_ENGINE_ANYBODY_H

#include "model/model.h"

/* Returns whether field i of a phase names any agents of the world. */
static inline bool mass_phase_is_anywhere(const mass_phase_def *p, uint32_t i)
{
    return mass_access_of(p->targets[i].access)->reach == MASS_REACH_ANYBODY;
}
/* Returns whether a phase has such a field of a population. */
bool mass_phase_meets_anybody(const mass_phase_def *p, uint32_t population);
/* Returns whether a phase finds agents of a population by their ids. */
bool mass_phase_finds_ids(const mass_phase_def *p, uint32_t population);
/* Returns whether a phase draws free places for its own population. */
bool mass_phase_seeks_places(const mass_phase_def *p);

/* Checks a phase's fields, which are resolved, and marks in the model which copies, indices and tables they need. */
mass_status mass_model_resolve_anybody(mass_model *m, const mass_phase_def *p, mass_error *error);

#endif
