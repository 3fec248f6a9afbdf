/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes and runs of an attribute's elements, in global coordinates. These functions concern the whole run: all worlds
 * and places, on any rank. Rank 0 calls them. The other ranks call them in mass_serve (ranks/rpc.h), with NULL for
 * data, snapshots and lists. If one rank fails, all fail. Exceptions are marked. Each write makes all ghosts of the
 * attribute stale, and recordings invalid. Main thread. */
#ifndef MASS_ENGINE_STATE_BOX_H
#define MASS_ENGINE_STATE_BOX_H

#include "ranks/rpc.h"
#include "state/domain.h"

/* Read or write a box of one world of an attribute; data [extent z][y][x][length], a bit as a byte; see
 * mass_run_table. MASS_BAD_PLUGIN if the box is not inside the space and the world of the run. */
mass_status mass_domain_read(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                             const mass_gidx extent[3], void *data, mass_error *error);
mass_status mass_domain_write(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                              const mass_gidx extent[3], const void *data, mass_error *error);

/* Reads a box in several worlds, or writes it if box->write; data [worlds][z][y][x][length]. MASS_BAD_PLUGIN if the box
 * is not inside the space and the worlds of the run. */
mass_status mass_domain_move(mass_domain *d, const mass_rpc_box *box, void *data, mass_error *error);
/* Moves the part of a box that this rank holds. Worlds count from this rank's first one. Places of other ranks are left
 * out; `data` is of the whole box, and a read leaves theirs as it is. No other rank calls it. */
mass_status mass_domain_move_own(mass_domain *d, const mass_rpc_box *box, void *data, mass_error *error);

/* Moves `count` elements of a box of this rank, [worlds][z][y][x], from element `first` on; the box must have them.
 * Worlds count from this rank's first one. No other rank calls it. */
mass_status mass_domain_move_run(mass_domain *d, const mass_rpc_box *box, int64_t first, int64_t count, void *data,
                                 mass_error *error);
/* Read or write elements of this rank's part of an attribute, in canonical order, [worlds][its slab], which must have
 * them. No other rank calls these. mass_domain_places returns the number of places of a space that this rank has in a
 * world. */
mass_status mass_domain_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                 mass_error *error);
mass_status mass_domain_write_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, const void *data,
                                  mass_error *error);
int64_t mass_domain_places(const mass_domain *d, uint32_t space);
/* Returns the same number; with `bits`, in bytes of eight places, as attributes of bits are stored. Runs of bits count
 * these bytes. */
int64_t mass_domain_stored_places(const mass_domain *d, uint32_t space, bool bits);

#endif
