/* SPDX-License-Identifier: Apache-2.0 */
/* The values of an attribute in its data set, box by box, which in row-major order are its canonical bytes. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_BOXES_H
#define MASS_ENGINE_IO_CHECKPOINT_BOXES_H

#include "io/checkpoint/layout.h"
#include "io/hdf5/writer.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>

/* Where one is, and how large. All zero is before the first. */
typedef struct mass_box {
    hsize_t start[5], count[5];
    uint64_t first, components; /* the same in canonical order */
} mass_box;

/* The next box; false after the last. */
bool mass_box_next(const mass_checkpoint_shape *s, mass_box *b);

/* Reads or writes one, in the set's own space: false if HDF5 could not. */
bool mass_box_read(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, void *values);
bool mass_box_write(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, const void *values);

/* Writes all values of an attribute of a snapshot, which may have them elsewhere, to its data set, and gives their hash
 * (state_hash.h). */
void mass_checkpoint_put_values(mass_hdf5_writer *w, hid_t set, const mass_snapshot *s, uint32_t attribute,
                                uint8_t hash[16]);

#endif
