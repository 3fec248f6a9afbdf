/* SPDX-License-Identifier: Apache-2.0 */
/* How a checkpoint is laid out in its HDF5 file: names and types, for the writer and the reader. HDF5's ids are int64_t
 * here. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_LAYOUT_H
#define MASS_ENGINE_IO_CHECKPOINT_LAYOUT_H

#include "io/checkpoint/checkpoint.h"
#include "io/folder/names.h"
#include "io/hdf5/library.h"

/* The extents of a data set, outermost first, and the boxes it is stored and streamed in: at most
 * 1 MiB each, and in row-major order they are the canonical bytes one after another. */
typedef struct mass_checkpoint_shape {
    int rank;
    unsigned long long extent[5], box[5];
    char labels[64]; /* "world z y x component", of those that are there, or "agent component"; of bits, "x-bytes" */
} mass_checkpoint_shape;

/* agents: of m->populations, over all worlds. */
mass_checkpoint_shape mass_checkpoint_attribute_shape(const mass_model *m, const mass_attribute_def *a,
                                                      int32_t worlds, const uint64_t *agents);
/* Numbers by world: of a tally its values (axis "bin") or accumulators ("word"), so many in each. */
mass_checkpoint_shape mass_checkpoint_tally_shape(int32_t worlds, const char *axis, uint32_t each);
/* What a tally of keys has in a row, of all worlds. */
mass_checkpoint_shape mass_checkpoint_keys_shape(const char *axis, uint64_t count, size_t element_size);
mass_checkpoint_shape mass_checkpoint_steady_shape(uint32_t count, int32_t worlds);

/* HDF5's type of an attribute's components, a new one to be closed. */
int64_t mass_checkpoint_component_type(const mass_attribute_def *a);

/* HDF5's type of a swept parameter's values, a new one to be closed: texts of `size` bytes of a choice. */
int64_t mass_checkpoint_swept_type(uint32_t parameter_type, size_t size);

/* XXH3-128 of bytes, as of an attribute's. */
void mass_checkpoint_hash_bytes(const void *bytes, size_t size, char hex[33]);

/* "integer"...: [mass_parameter_type], [tally kind], and an access of a tally. */
extern const char *const mass_checkpoint_parameter_kinds[5];
extern const char *const mass_checkpoint_tally_kinds[3];
extern const char *const mass_checkpoint_key_kinds[3]; /* [MASS_KEYS_...] */

/* XXH3-128 of what a model declares to be stored, in the order of names: spaces with their
 * dimensions and torus, populations with their spaces and capacities, attributes with their types and
 * lengths, tallies. False without memory: then it is none. */
bool mass_checkpoint_schema(const mass_model *m, char hex[33]);

/* The index in `to` of the attribute that has the names of attribute i of `from`, or -1. */
int mass_checkpoint_counterpart(const mass_model *from, uint32_t i, const mass_model *to);

/* "space" or "population", which an attribute belongs to. */
const char *mass_checkpoint_owner_kind(const mass_attribute_def *a);

/* Removes what others have, if there is to be, and of the run's own all but the `keep` checkpoints of the highest
 * steps, and `written`, which is its own. */
void mass_checkpoint_prune(const mass_checkpoint_settings *settings, const char *written);

#endif
