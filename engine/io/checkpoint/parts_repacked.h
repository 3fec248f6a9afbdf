/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a checkpoint that another program has repacked. Its values are elsewhere in the file than the master says,
 * or in chunks, or compressed. They are read by HDF5, once a confined subprocess has read all of the file. Whether they
 * are those written, the master's hashes tell, as of every part. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_REPACKED_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_REPACKED_H

#include "io/checkpoint/parts_files.h"

/* The part and the attribute that are open. Begun with all zero. */
typedef struct mass_part_repacked {
    mass_hdf5_source source;
    hid_t file;           /* of a source that is open */
    uint64_t rank;
    uint32_t attribute;   /* of a column that is open */
    mass_column column;
} mass_part_repacked;

void mass_part_repacked_close(mass_part_repacked *p);

/* Whether HDF5 reads a part as one of these. False with an error if that cannot be found out. */
bool mass_part_repacked_is(mass_reader *r, mass_part_files *f, uint64_t rank);

/* `bytes` of the `elements` that a part has of an attribute, from byte `first` of these on: whole components. */
bool mass_part_repacked_read(mass_reader *r, mass_part_files *f, mass_part_repacked *p, uint64_t rank,
                             uint32_t attribute, uint64_t elements, uint64_t first, uint64_t bytes, void *out);

#endif
