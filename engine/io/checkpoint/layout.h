/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a checkpoint in its HDF5 file: names and types, for the writer and the reader. HDF5 ids are int64_t
 * here. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_LAYOUT_H
#define MASS_ENGINE_IO_CHECKPOINT_LAYOUT_H

#include "io/checkpoint/checkpoint.h"
#include "io/folder/names.h"
#include "io/hdf5/library.h"

/* The extents of a data set, outermost first, and of the boxes in which it is stored and streamed. A box has at most 1
 * MiB. In row-major order, the boxes are the canonical bytes. */
typedef struct mass_checkpoint_shape {
    int rank;
    unsigned long long extent[5], box[5];
    char labels[64]; /* the axes it has of "world z y x component" or "agent component"; for bits "x-bytes" */
} mass_checkpoint_shape;

/* Returns the shape of an attribute. agents: by population of m, over all worlds. */
mass_checkpoint_shape mass_checkpoint_attribute_shape(const mass_model *m, const mass_attribute_def *a,
                                                      int32_t worlds, const uint64_t *agents);
/* Returns the shape of `each` numbers a world: a tally's values (axis "bin") or accumulators (axis "word"). Without the
 * axis if `each` is at most 1. */
mass_checkpoint_shape mass_checkpoint_tally_shape(int32_t worlds, const char *axis, uint32_t each);
/* Returns the shape of a list of `count` elements, as for a tally that counts by key. */
mass_checkpoint_shape mass_checkpoint_keys_shape(const char *axis, uint64_t count, size_t element_size);
/* Returns the shape of a number for each of `count` steady() calls and each world. */
mass_checkpoint_shape mass_checkpoint_steady_shape(uint32_t count, int32_t worlds);

/* Returns HDF5's type of an attribute's components, which the caller closes; negative: HDF5 failed. */
int64_t mass_checkpoint_component_type(const mass_attribute_def *a);

/* Returns HDF5's type of a swept parameter's values, which the caller closes; for a choice, texts of `size` bytes. */
int64_t mass_checkpoint_swept_type(uint32_t parameter_type, size_t size);

/* Computes the XXH3-128 of bytes, as for attributes in version 1. */
void mass_checkpoint_hash_bytes(const void *bytes, size_t size, char hex[33]);

/* Names of parameter types [mass_parameter_type], of tally kinds, and of key kinds. */
extern const char *const mass_checkpoint_parameter_kinds[5];
extern const char *const mass_checkpoint_tally_kinds[3];
extern const char *const mass_checkpoint_key_kinds[3]; /* [MASS_KEYS_...] */

/* Computes the XXH3-128 of a model's stored declarations, in order of names: spaces with dimensions and torus;
 * populations with spaces and capacities; attributes with types and lengths; tallies. False if memory is short; hex is
 * then undefined. */
bool mass_checkpoint_schema(const mass_model *m, char hex[33]);

/* Returns the index in `to` of the attribute with the names of attribute i of `from`, or -1. */
int mass_checkpoint_counterpart(const mass_model *from, uint32_t i, const mass_model *to);

/* Returns "space" or "population", the kind of an attribute's owner. */
const char *mass_checkpoint_owner_kind(const mass_attribute_def *a);

/* Removes files after a checkpoint was written: those of settings->others, and this run's checkpoints except the `keep`
 * ones of the highest steps. Parts go with their checkpoint. `written`, a path, always stays. Ignores failures. */
void mass_checkpoint_prune(const mass_checkpoint_settings *settings, const char *written);

#endif
