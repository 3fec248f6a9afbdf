/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints that must be refused: by a model that does not match, or by all readers if the HDF5 library has changed
 * the file. */
#ifndef MASS_TESTS_CHECKPOINT_REFUSED_H
#define MASS_TESTS_CHECKPOINT_REFUSED_H

#include "snapshot/snapshot.h"

#include <hdf5.h>

/* Expects that a checkpoint of s does not match the model `is`, which it frees. The refusal contains `words` and the
 * path. */
void assert_no_match(const mass_snapshot *s, mass_model is, const char *words);

/* Expects that the reader and the probe refuse a file with the same message, with the path and `words`. */
void assert_refused_by_all(const char *path, const char *words);
/* The same for a checkpoint of s after `change`. */
void assert_change_refused(const mass_snapshot *s, void (*change)(hid_t file), const char *words);

/* Change an attribute, with its own type and size, and all values of a data set. */
void set_attribute(hid_t file, const char *object, const char *name, const void *value);
void set_number(hid_t file, const char *object, const char *name, uint64_t value);
void set_values(hid_t file, const char *name, hid_t type, const void *values);

/* Replaces a data set with one of zeros, or one that is not `stored`, with the engine's attributes. It closes the list,
 * one of H5P_DATASET_CREATE. */
void replace_values(hid_t file, const char *name, hid_t type, const char *mass_type, hid_t list, int rank,
                    const hsize_t *extent, bool stored);
/* Returns the list of a data set in chunks, as in checkpoints. */
hid_t chunks_with_checksums(int rank, const hsize_t *extent);

#endif
