/* SPDX-License-Identifier: Apache-2.0 */
/* What the declaration of a phase, or of a whole schedule, implies: which fields are of places and which of agents,
 * what it writes, when it counts. Pure. */
#ifndef MASS_ENGINE_PHASE_H
#define MASS_ENGINE_PHASE_H

#include "state/domain.h"

/* Whether a phase reads the old values of field i's array and writes its new ones. */
bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i);

/* Whether a field of that access writes places, or reads places around. */
bool mass_phase_writes_places(const mass_phase_def *phase, uint32_t access);
bool mass_phase_reads_around(const mass_phase_def *phase, uint32_t access);

/* Whether a field of that access is of the population's agents. */
bool mass_phase_is_of_agents(const mass_phase_def *phase, uint32_t access);

/* Axes whose ghosts a partition can fill from its own places: those that wrap and are not cut. */
uint32_t mass_phase_own_axes(const mass_domain *d, const mass_space_def *s);

/* The gates of a conditional phase, NULL of another. */
uint32_t *mass_phase_gates(const mass_domain *d, uint32_t phase);

/* Whether a phase adds to tallies in a step that nobody looks at. */
bool mass_phase_counts_always(const mass_model *m, const mass_phase_def *phase);

/* Whether a phase does nothing but add to tallies: it changes no attribute, and its agents can ask for nothing. */
bool mass_phase_only_counts(const mass_phase_def *phase);

/* Whether some condition looks at a tally in every step. */
bool mass_schedule_looks_at_tallies(const mass_model *m);

/* Whether agents may have asked for something that no manage of the schedule has carried out: such
 * requests end with it. */
bool mass_schedule_leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule);
/* ... and whether none of these could have been carried out: they were made after the last manage, so that they are
 * always ignored, which the user is told. */
bool mass_schedule_lacks_manage(const mass_model *m, uint32_t population, uint32_t schedule);

#endif
