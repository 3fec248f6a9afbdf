/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts: copies of places of other partitions, around the places of a partition. Main thread. */
#ifndef MASS_ENGINE_HALO_GHOSTS_H
#define MASS_ENGINE_HALO_GHOSTS_H

#include "state/domain.h"

/* Updates the ghosts of an array that copy this rank's own places. Ghosts along `unread_axes` may stay stale: no
 * callback reads them before a refresh of all axes. Skips ghosts that are valid, and notes those that it updates as
 * valid (mass_array.valid), except along the axis between ranks. Queued. */
mass_status mass_ghosts_refresh(mass_domain *d, uint32_t array, uint32_t unread_axes, mass_error *error);
/* After that: updates `layers` layers of the ghosts that copy other ranks' places, for arrays of one space. Skips
 * arrays that have at least `valid_depth` valid layers (mass_array.valid_depth), and notes the layers of the others as
 * valid. count: at most 256. All ranks call it. Queued. */
mass_status mass_ghosts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t valid_depth,
                                 int32_t layers, mass_error *error);

/* Returns whether mass_ghosts_exchange would do anything. */
bool mass_ghosts_are_stale(const mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t valid_depth);

/* For callbacks that add to places up to `reach` away, in three steps. Before the launches, mass_ghosts_clear sets the
 * ghosts that copy other partitions' places to zero. After them, mass_ghosts_add adds these ghosts to this rank's
 * places. Then mass_ghosts_deliver, which all ranks call, adds the ghosts of all the phase's arrays, of one space, to
 * other ranks' places. From the first of these steps to the next refresh, the ghosts do not have the present values.
 * Queued. */
mass_status mass_ghosts_clear(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_add(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_deliver(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                                mass_error *error);

/* Return the bytes of an array that refresh copies along `axes` if the ghosts are stale, at most `layers` layers deep;
 * and the bytes that clear sets or add adds. Both within this rank or, between_ranks, in exchange and deliver. */
double mass_ghosts_bytes(const mass_domain *d, uint32_t array, uint32_t axes, int32_t layers, bool between_ranks);
double mass_ghosts_exchange_bytes(const mass_domain *d, uint32_t array, int32_t reach, bool between_ranks);

#endif
