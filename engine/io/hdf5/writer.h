/* SPDX-License-Identifier: Apache-2.0 */
/* Writing an HDF5 file that appears whole or not at all: under a temporary name, every return code checked, and the
 * first failure kept, after which calls are harmless and only fail. HDF5's ids are int64_t here. */
#ifndef MASS_ENGINE_IO_HDF5_WRITER_H
#define MASS_ENGINE_IO_HDF5_WRITER_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mass_hdf5_writer {
    int64_t file;
    bool failed, named; /* named: it has its name, whatever failed */
    char reason[200];
} mass_hdf5_writer;

/* Makes a file that any HDF5 since 1.8 reads, and takes room for `bytes` of data, so that a full disk is found before
 * anything is half-written. */
void mass_hdf5_create(mass_hdf5_writer *w, const char *path, size_t bytes);
void mass_hdf5_close(mass_hdf5_writer *w);

/* Takes room for `bytes` after what the file has, before HDF5 fills it and as far as the file system can. HDF5 1.10 may
 * close a file without complaint although its writes failed; with the room taken, they do not. */
void mass_hdf5_reserve(mass_hdf5_writer *w, size_t bytes);

struct mass_ownership;

/* Brings the closed file to disk and gives it its name in `folder`, if what is there is the owner's (NULL: anybody's).
 */
void mass_hdf5_publish(mass_hdf5_writer *w, const char *temporary, const char *path, const char *folder,
                       const struct mass_ownership *owner);

/* Who wrote the file: identity and plugin_hash, in place of what a copied file may say. */
void mass_hdf5_put_owner(mass_hdf5_writer *w, const struct mass_ownership *owner);

/* What its run is made of, behind all else that the file says of itself. */
void mass_hdf5_put_made(mass_hdf5_writer *w, const struct mass_ownership *owner);

/* Keeps why a call failed, and returns its result; the same for one of the system, by errno. */
int64_t mass_hdf5_check(mass_hdf5_writer *w, int64_t result);
void mass_hdf5_failed(mass_hdf5_writer *w);
/* ... and for another reason. */
void mass_hdf5_refused(mass_hdf5_writer *w, const char *why);
/* ... and that the closed file says of itself what it should not. */
void mass_hdf5_unreadable(mass_hdf5_writer *w, const char *why);
/* Closes an id, if it is one. */
void mass_hdf5_done(mass_hdf5_writer *w, int64_t id, int (*close_id)(int64_t));

/* HDF5 attributes: one value of any type or, if count is not 0, an array; a number; a text; and the labels of a data
 * set's axes as dimension scales have them. */
void mass_hdf5_put(mass_hdf5_writer *w, int64_t at, const char *name, int64_t type, uint64_t count, const void *values);
void mass_hdf5_put_u64(mass_hdf5_writer *w, int64_t at, const char *name, uint64_t value);
void mass_hdf5_put_text(mass_hdf5_writer *w, int64_t at, const char *name, const char *text);
void mass_hdf5_put_labels(mass_hdf5_writer *w, int64_t set, const char *const *labels, int rank);

/* A data set of a number type (mass_type), in chunks with checksums; the groups above it are made. The caller adds
 * attributes and closes it with H5Dclose. */
int64_t mass_hdf5_put_data(mass_hdf5_writer *w, const char *path, uint32_t type, int rank, const uint64_t *extent,
                           const void *data);

/* How many data sets of a file can be opened; -1 if not all of its objects can. */
int64_t mass_hdf5_count_sets(const char *path);

#endif
