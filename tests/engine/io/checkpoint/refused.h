/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that must be refused: by a model that does not match, or, once the HDF5 library itself has changed
 * them, by all that read them. */
#ifndef MASS_TESTS_CHECKPOINT_REFUSED_H
#define MASS_TESTS_CHECKPOINT_REFUSED_H

#include "snapshot/snapshot.h"

#include <hdf5.h>

/* A checkpoint of s does not match the model `is`, which this frees; the refusal says `words` and the path. */
void assert_no_match(const mass_snapshot *s, mass_model is, const char *words);

/* A file is refused by the reader and by the probe in the same words: the path, and `words` among them. */
void assert_refused_by_all(const char *path, const char *words);
/* ... that is a checkpoint of s after `change`. */
void assert_change_refused(const mass_snapshot *s, void (*change)(hid_t file), const char *words);

/* Changes of an attribute, in its own type and size, and of all values of a data set. */
void set_attribute(hid_t file, const char *object, const char *name, const void *value);
void set_number(hid_t file, const char *object, const char *name, uint64_t value);
void set_values(hid_t file, const char *name, hid_t type, const void *values);

/* Another data set in place of one, with the attributes that the engine gives it; of zeros, or not `stored`. This
 * closes the list, one of H5P_DATASET_CREATE. */
void replace_values(hid_t file, const char *name, hid_t type, const char *mass_type, hid_t list, int rank,
                    const hsize_t *extent, bool stored);
/* The list of a data set in chunks, as checkpoints have it. */
hid_t chunks_with_checksums(int rank, const hsize_t *extent);

#endif
