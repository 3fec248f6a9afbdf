/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a part that another program has repacked. Its values are elsewhere in the file than the master says, or in
 * chunks, or compressed. HDF5 reads them after a confined subprocess has read all of the file. The master's hashes tell
 * if they are the values written, as for every part. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_REPACKED_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_REPACKED_H

#include "io/checkpoint/parts_files.h"

/* The part and the attribute that are open. Starts as all zero. */
typedef struct mass_part_repacked {
    mass_hdf5_source source;
    hid_t file;           /* HDF5's id, if `source` is open */
    uint64_t rank;
    uint32_t attribute;   /* the attribute of `column`, if that is open */
    mass_column column;
} mass_part_repacked;

void mass_part_repacked_close(mass_part_repacked *p);

/* Returns true if HDF5 can read a part as a repacked one, and it is a part of this checkpoint. A child process tries
 * it first. False with an error if that is unknown. */
bool mass_part_repacked_is(mass_reader *r, mass_part_files *f, uint64_t rank);

/* Reads `bytes` bytes of a part's `elements` elements of an attribute, from byte `first` on: whole components. */
bool mass_part_repacked_read(mass_reader *r, mass_part_files *f, mass_part_repacked *p, uint64_t rank,
                             uint32_t attribute, uint64_t elements, uint64_t first, uint64_t bytes, void *out);

#endif
