/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and runs of an attribute's elements, in global coordinates. These functions concern the whole run, all its
 * worlds and places, wherever they are. Rank 0 calls them, and the other ranks do out of mass_serve (ranks/call.h),
 * with NULL for data, snapshots and lists. A failure of one rank is a failure of all. Exceptions say so. Main thread.
 */
#ifndef MASS_ENGINE_STATE_BOX_H
#define MASS_ENGINE_STATE_BOX_H

#include "ranks/call.h"
#include "state/domain.h"

/* A box of one world of an attribute, data [extent z][y][x][length]; see mass_run_table. The box has
 * to lie inside the space. */
mass_status mass_domain_read(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                             const mass_gidx extent[3], void *data, mass_error *error);
mass_status mass_domain_write(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                              const mass_gidx extent[3], const void *data, mass_error *error);

/* In several worlds, data [worlds][z][y][x][length]. */
mass_status mass_domain_move(mass_domain *d, const mass_call_box *box, void *data, mass_error *error);
/* The same of this rank's worlds, counted from its first, and of its slab, by no other rank. Places of the box that are
 * another rank's are left out. */
mass_status mass_domain_move_own(mass_domain *d, const mass_call_box *box, void *data, mass_error *error);

/* `count` elements of a box that is this rank's, [worlds][z][y][x], from number `first` on; by no other rank. */
mass_status mass_domain_move_run(mass_domain *d, const mass_call_box *box, int64_t first, int64_t count, void *data,
                                 mass_error *error);
/* The same of all that this rank has of an attribute in canonical order, [worlds][its slab]. And how many places of a
 * space this rank has in a world. */
mass_status mass_domain_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                 mass_error *error);
mass_status mass_domain_write_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, const void *data,
                                  mass_error *error);
int64_t mass_domain_places(const mass_domain *d, uint32_t space);
/* ... or, as attributes of bits are stored, eights of them. Runs of bits count these. */
int64_t mass_domain_stored_places(const mass_domain *d, uint32_t space, bool bits);

#endif
