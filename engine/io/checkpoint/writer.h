/* SPDX-License-Identifier: Apache-2.0 */
/* Writes groups, data sets and notes to the file of a new checkpoint. The writer keeps the first failure in `out`;
 * later calls then do nothing but fail (io/hdf5/writer.h). HDF5 ids are int64_t here. */
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
    hid_t group_list; /* property list for new groups */
} mass_checkpoint_writer;

/* Creates the file, which must not exist, and the property list for groups. The caller closes both. */
void mass_checkpoint_create(mass_checkpoint_writer *w, const char *path);

/* Make a group, which the caller closes. Use the second function if the group will have many objects, `count` of them:
 * HDF5 takes seconds to add thousands of links to a header without reserved space. */
hid_t mass_checkpoint_make_group(mass_checkpoint_writer *w, hid_t at, const char *name);
hid_t mass_checkpoint_make_large_group(mass_checkpoint_writer *w, hid_t at, const char *name, uint32_t count);

/* Make a data set without values, or with values and dimension_labels. The caller adds attributes and closes it. */
hid_t mass_checkpoint_make_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                                const mass_checkpoint_shape *s);
hid_t mass_checkpoint_put_data(mass_checkpoint_writer *w, hid_t at, const char *name, hid_t type,
                               const mass_checkpoint_shape *s, const void *data);

/* Writes a help text or a unit, cut to 999 bytes; NULL: an empty one. */
void mass_checkpoint_put_note(mass_checkpoint_writer *w, hid_t at, const char *name, const char *text);

/* Writes the group of all stored tallies, and sets w->tally_hashes. */
void mass_checkpoint_put_tallies(mass_checkpoint_writer *w);

/* Writes the names of networks' nodes, if there are some. */
void mass_checkpoint_put_networks(mass_checkpoint_writer *w);

#endif
