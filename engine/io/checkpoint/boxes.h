/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes an attribute's data set box by box. In row-major order the boxes are its canonical bytes. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_BOXES_H
#define MASS_ENGINE_IO_CHECKPOINT_BOXES_H

#include "io/checkpoint/layout.h"
#include "io/hdf5/writer.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>

/* Position and size of a box. All zero: the start, before the first box. */
typedef struct mass_box {
    hsize_t start[5], count[5];
    uint64_t first, components; /* its components, numbered in canonical order */
} mass_box;

/* Moves to the next box; false after the last one, and at once if the data set is empty. */
bool mass_box_next(const mass_checkpoint_shape *s, mass_box *b);

/* Read or write one box of a data set; false if HDF5 failed. values: b->components of them, of the type `type`. */
bool mass_box_read(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, void *values);
bool mass_box_write(hid_t set, hid_t type, const mass_checkpoint_shape *s, const mass_box *b, const void *values);

/* Writes all values of a snapshot's attribute to its data set, also those that a source holds, and computes their hash
 * (state_hash.h). */
void mass_checkpoint_put_values(mass_hdf5_writer *w, hid_t set, const mass_snapshot *s, uint32_t attribute,
                                uint8_t hash[16]);

#endif
