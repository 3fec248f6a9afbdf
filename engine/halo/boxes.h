/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of boxes of places: layers of arrays along an axis. All ranks call the same functions, with the same arguments,
 * in the same order. Queued. Main thread. */
#ifndef MASS_ENGINE_HALO_BOXES_H
#define MASS_ENGINE_HALO_BOXES_H

#include "halo/halo.h"
#include "halo/map.h"

/* Returns the space of an array of places. */
uint32_t mass_boxes_space(const mass_domain *d, uint32_t array);

/* Returns how the integers of an array combine. */
mass_combination mass_boxes_combination(const mass_domain *d, uint32_t array, mass_combination_kind kind);

/* Fills ghosts along the axis of the ranks' boundaries that copy other ranks' places: `depth` layers of some arrays of
 * one space, at least one. The source is the present values there, with their ghosts along the other axes. */
mass_status mass_boxes_refresh(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t depth,
                               mass_error *error);

/* Combines such ghosts into the places of other ranks that they copy, without the ghosts along the other axes. */
mass_status mass_boxes_combine(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t depth,
                               mass_combination_kind kind, mass_error *error);

/* Refresh, and combine, the ghosts of one array that copy places of this rank itself: along any axis, and along that of
 * the boundaries. skip: [partition_count] partitions whose ghosts are not filled; NULL: none. */
mass_status mass_boxes_refresh_own(mass_domain *d, uint32_t array, uint32_t axis, int32_t depth, const bool *skip,
                                   mass_error *error);
mass_status mass_boxes_combine_own(mass_domain *d, uint32_t array, int32_t depth, mass_combination_kind kind,
                                   mass_error *error);

/* Copies one row of values, in the device's memory and as long as one of the array, to all ghosts, along the axis of
 * the boundaries, that copy places of other partitions. */
mass_status mass_boxes_fill(mass_domain *d, uint32_t array, int32_t depth, const void *row, mass_error *error);

#endif
