/* SPDX-License-Identifier: Apache-2.0 */
/* halo/ brings copies of what other partitions and ranks hold up to date, and combines contributions back into it.
 *
 * Ghosts: copies of places of other partitions around the places of one. Main thread. */
#ifndef MASS_ENGINE_HALO_GHOSTS_H
#define MASS_ENGINE_HALO_GHOSTS_H

#include "state/domain.h"

/* Makes the ghosts of an array show the present values, where these are this rank's own, but for those along some axes,
 * which nobody reads until a refresh of all. Queued. */
mass_status mass_ghosts_refresh(mass_domain *d, uint32_t array, uint32_t unread_axes, mass_error *error);
/* ... and then so many layers of them where they are other ranks', of the arrays, all of one space, that a callback
 * reads, but for arrays of which `deep` layers at least are right (mass_array.deep). All ranks call it. Queued. */
mass_status mass_ghosts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t deep, int32_t layers,
                                 mass_error *error);

/* Whether it would do anything. */
bool mass_ghosts_are_stale(const mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t deep);

/* For callbacks that add to places up to `reach` away: makes zero the ghosts that show places of other partitions, and
 * after the launches adds them to those that are this rank's own, and then, of all the phase's arrays, to other ranks',
 * for which all ranks call deliver. From the first to the next refresh, the ghosts are not those of the present
 * values. Queued. */
mass_status mass_ghosts_clear(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_add(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_deliver(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                                mass_error *error);

/* Bytes of an array that refresh copies along `axes` if they are stale along these, at most so many layers deep, and
 * that clear makes zero or add adds: to and from places of this rank, or of others, in exchange and deliver. */
double mass_ghosts_bytes(const mass_domain *d, uint32_t array, uint32_t axes, int32_t layers, bool between_ranks);
double mass_ghosts_seam_bytes(const mass_domain *d, uint32_t array, int32_t reach, bool between_ranks);

#endif
