/* SPDX-License-Identifier: Apache-2.0 */
/* How groups, data sets and notes are put into the file of a checkpoint that is being written. The first failure is
 * kept in `out`; later calls are harmless (io/hdf5/writer.h). HDF5's ids are int64_t here. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_WRITER_H
#define MASS_ENGINE_IO_CHECKPOINT_WRITER_H

#include "io/checkpoint/layout.h"
#include "io/hdf5/writer.h"
#include "snapshot/snapshot.h"

#include <hdf5.h>

typedef struct mass_checkpoint_writer {
    mass_hdf5_writer out;
    const mass_checkpoint_settings *settings;
    const mass_snapshot *snapshot;
    uint8_t (*hashes)[16], (*tally_hashes)[16]; /* of attributes and tallies that were written */
    hid_t group_list; /* how groups are made */
} mass_checkpoint_writer;

/* Creates the file, which does not exist yet, and the list by which its groups are made. The caller closes both. */
void mass_checkpoint_create(mass_checkpoint_writer *w, const char *path);

/* A group, which the caller closes. A large one is to hold `count` objects: HDF5 takes seconds to add thousands to a
 * header that has no room for them. */
hid_t mass_checkpoint_make_group(mass_checkpoint_writer *w, hid_t at, const char *name);
hid_t mass_checkpoint_make_large_group(mass_checkpoint_writer *w, hid_t at, const char *name, uint32_t count);

/* A data set, without values and with them. The caller adds attributes and closes it. */
hid_t mass_checkpoint_make_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                                const mass_checkpoint_shape *s);
hid_t mass_checkpoint_put_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                               const mass_checkpoint_shape *s, const void *data);

/* A help or a unit, which are for people: text that does not fit an HDF5 attribute is cut. */
void mass_checkpoint_put_note(mass_checkpoint_writer *w, hid_t at, const char *name, const char *text);

/* The group of tallies, of all that are stored; sets w->tally_hashes. */
void mass_checkpoint_put_tallies(mass_checkpoint_writer *w);

#endif
