/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts as lists of boxes: which layers of a partition's ghosts copy which places of which partition, and where layers
 * are in memory. Main thread. */
#ifndef MASS_ENGINE_HALO_MAP_H
#define MASS_ENGINE_HALO_MAP_H

#include "state/domain.h"

/* Consecutive layers of ghosts along an axis, and the places that they copy. A part is one partition of a space, or
 * `each` consecutive ones; parts are numbered over all ranks. */
typedef struct mass_halo_map {
    mass_lidx ghost; /* the first layer, in the part that has the ghosts */
    int32_t owner;   /* the part that has the places */
    mass_lidx place; /* the first layer of places there */
    int32_t count;   /* of layers */
} mass_halo_map;

/* Finds the next entry for the first `reach` layers of ghosts on either side of part `index`. Entries are as long as
 * the places are contiguous. Ghosts beyond a bounded edge have no entry. *done counts layers and begins at 0. Returns
 * false at the end. */
bool mass_halo_map_next(const mass_domain *d, uint32_t space, uint32_t axis, int32_t each, int32_t index, int32_t reach,
                    int32_t *done, mass_halo_map *out);

/* The memory of `count` consecutive layers of an array's present values, from layer `at` on. With `corners`, it
 * includes ghosts of the axes before. Layers of the same number along the same axis of a space have the same counts and
 * bytes in all partitions. */
typedef struct mass_layers {
    char *at; /* address on the device; for bits, of a word */
    size_t bytes;
    int64_t bits; /* layers along x of bits: length of a run, from bit first_bit of the word on; else 0 */
    uint32_t first_bit;
    int64_t count[3], stride[3];
} mass_layers;

/* Returns such layers of a partition, in all worlds that this rank has. */
mass_layers mass_layers_of(const mass_domain *d, uint32_t array, uint32_t axis, bool corners, const mass_partition *p,
                           mass_lidx at, int32_t count);
/* Returns the same layers, stored contiguously at an address. */
mass_layers mass_layers_packed(const mass_layers *l, char *at);
/* Returns the copy from layers to others of the same shape. They must not be runs of bits. */
mass_strided mass_layers_copy(const mass_layers *to, const mass_layers *from);
/* Copies layers to others of the same shape. Queued. */
mass_status mass_layers_move(mass_device *device, const mass_layers *to, const mass_layers *from, mass_error *error);
/* Combines layers of integers with others of the same shape. Queued. */
mass_status mass_layers_combine(mass_device *device, const mass_layers *to, const mass_layers *from,
                                const mass_combination *how, mass_error *error);
/* Sets all of layers of bits, along x, to one value. Queued. */
mass_status mass_layers_fill(mass_device *device, const mass_layers *to, bool value, mass_error *error);
/* Returns the bytes that layers take if they are stored contiguously. */
size_t mass_layers_bytes(const mass_layers *l);

#endif
