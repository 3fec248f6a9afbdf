/* SPDX-License-Identifier: Apache-2.0 */
/* What the declaration of a phase or of a schedule implies: the kind of its fields, what it writes, and when it
 * counts. Pure. */
#ifndef MASS_ENGINE_PHASE_H
#define MASS_ENGINE_PHASE_H

#include "state/domain.h"

/* Returns true if field i writes the new values of an array whose old values another field reads, in two buffers. */
bool mass_phase_swaps(const mass_phase_def *phase, const mass_model *m, uint32_t i);

/* Return true if a field of that access writes places, or reads places around its own. */
bool mass_phase_writes_places(const mass_phase_def *phase, uint32_t access);
bool mass_phase_reads_around(const mass_phase_def *phase, uint32_t access);

/* Returns true if a field of that access belongs to the population's agents. */
bool mass_phase_is_of_agents(const mass_phase_def *phase, uint32_t access);

/* Returns the axes whose ghosts a partition can fill from its own places: those that wrap and are not cut. */
uint32_t mass_phase_own_axes(const mass_domain *d, const mass_space_def *s);

/* Returns the gates of a conditional phase, one a world. NULL for any other phase. */
uint32_t *mass_phase_gates(const mass_domain *d, uint32_t phase);

/* Returns true if a phase with a callback adds to tallies even in a step whose tallies are not observed. */
bool mass_phase_counts_always(const mass_model *m, const mass_phase_def *phase);

/* Returns true if a phase with a callback only adds to tallies. Such a phase writes no attribute, and its agents make
 * no requests. */
bool mass_phase_only_counts(const mass_phase_def *phase);

/* Returns true if a condition or a body of the model reads a tally in every step. */
bool mass_schedule_looks_at_tallies(const mass_model *m);

/* Returns true if agents, or places that bring them forth, can have requests that no manage of the schedule applied.
 * The engine discards them at the end of the schedule. */
bool mass_schedule_leaves_requests(const mass_model *m, uint32_t population, uint32_t schedule);
/* Returns true if no manage of the schedule could apply those requests, because they come after the last one. The
 * engine tells the user that they are always ignored. */
bool mass_schedule_lacks_manage(const mass_model *m, uint32_t population, uint32_t schedule);

#endif
