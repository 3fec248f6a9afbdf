/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts as lists of boxes: which layers of a partition's ghosts show which places, of what partition, and how layers
 * lie in memory. Main thread. */
#ifndef MASS_ENGINE_HALO_MAP_H
#define MASS_ENGINE_HALO_MAP_H

#include "state/domain.h"

/* Consecutive layers of ghosts along an axis, and the places that they show. A part is one partition of a space, or
 * `each` that follow each other; parts are numbered over all ranks. */
typedef struct mass_seam {
    mass_lidx ghost; /* the first layer, in the part that has the ghosts */
    int32_t owner;   /* the part that has the places */
    mass_lidx place; /* the first layer there */
    int32_t count;   /* of layers */
} mass_seam;

/* The seams of the first `reach` layers of ghosts on either side of part `index`, as few as the sources lie together.
 * *done counts layers, from 0; false at the end. */
bool mass_seam_next(const mass_domain *d, uint32_t space, uint32_t axis, int32_t each, int32_t index, int32_t reach,
                    int32_t *done, mass_seam *out);

/* Where `count` consecutive layers of an array's present values lie, from layer `at` on; with `corners`, the ghosts of
 * the axes before are part of them. Layers of the same number along the same axis of a space have the same counts and
 * bytes in all partitions. */
typedef struct mass_layers {
    char *at; /* address on the device; of bits, of a word */
    size_t bytes;
    int64_t bits; /* of layers along x of bits: so many in a run, from bit first_bit of the word on; else 0 */
    uint32_t first_bit;
    int64_t count[3], stride[3];
} mass_layers;

mass_layers mass_layers_of(const mass_domain *d, uint32_t array, uint32_t axis, bool corners, const mass_partition *p,
                           mass_lidx at, int32_t count);
/* The same layers one behind the other, at an address. */
mass_layers mass_layers_packed(const mass_layers *l, char *at);
mass_strided mass_layers_copy(const mass_layers *to, const mass_layers *from);
/* Copies layers to others like them. Queued. */
mass_status mass_layers_move(mass_device *device, const mass_layers *to, const mass_layers *from, mass_error *error);
/* Combines layers of integers with others like them. Queued. */
mass_status mass_layers_combine(mass_device *device, const mass_layers *to, const mass_layers *from,
                                const mass_combination *how, mass_error *error);
/* Makes all of layers of bits one value. Queued. */
mass_status mass_layers_fill(mass_device *device, const mass_layers *to, bool value, mass_error *error);
size_t mass_layers_bytes(const mass_layers *l);

#endif
