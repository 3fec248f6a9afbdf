/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an HDF5 file that appears complete or not at all: it has a temporary name at first, and every return code is
 * checked. The writer keeps the first failure; later calls then do nothing but fail. HDF5 ids are int64_t here. */
#ifndef MASS_ENGINE_IO_HDF5_WRITER_H
#define MASS_ENGINE_IO_HDF5_WRITER_H

#include "base/error.h"

#include <stdbool.h>

typedef struct mass_hdf5_writer {
    int64_t file;
    bool failed, named; /* named: the file has its final name, even if a later call failed */
    char reason[200];
} mass_hdf5_writer;

/* Creates a file that HDF5 since 1.8 reads, in place of any at `path`, and sets w->file. The writer starts as all zero.
 * Reserves `bytes` bytes, so that a full disk is noticed at once. */
void mass_hdf5_create(mass_hdf5_writer *w, const char *path, size_t bytes);

/* As mass_hdf5_create, into the empty file that is at `path`. It stays the same file, with its locks. */
void mass_hdf5_fill(mass_hdf5_writer *w, const char *path, size_t bytes);

/* Gives back reserved space that was not used, and closes the file, also after a failure. */
void mass_hdf5_close(mass_hdf5_writer *w);

/* Reserves `bytes` bytes after the file's present end, if the file system can. HDF5 1.10 may close a file without an
 * error although writes failed; in reserved space, they do not. */
void mass_hdf5_reserve(mass_hdf5_writer *w, size_t bytes);

struct mass_ownership;

/* Brings the closed file to disk and gives it its name in `folder`. An existing file has to be the owner's; owner NULL:
 * anybody's. Does nothing after a failure. Sets w->named. If it fails before that, the temporary stays. */
void mass_hdf5_publish(mass_hdf5_writer *w, const char *temporary, const char *path, const char *folder,
                       const struct mass_ownership *owner);

/* Writes identity and plugin_hash, if they are known, and replaces those that a copied file has. owner NULL: writes
 * nothing. */
void mass_hdf5_put_owner(mass_hdf5_writer *w, const struct mass_ownership *owner);

/* Writes what the run is made of, if owner->made says so; owner NULL: nothing. Call it after all other attributes of
 * the file. */
void mass_hdf5_put_made(mass_hdf5_writer *w, const struct mass_ownership *owner);

/* Returns `result`; if it is negative, keeps the library's reason. mass_hdf5_failed does so for a failed system call,
 * by errno. */
int64_t mass_hdf5_check(mass_hdf5_writer *w, int64_t result);
void mass_hdf5_failed(mass_hdf5_writer *w);
/* Fails for another reason. */
void mass_hdf5_refused(mass_hdf5_writer *w, const char *why);
/* Fails since the closed file, read back, has wrong contents. */
void mass_hdf5_unreadable(mass_hdf5_writer *w, const char *why);
/* Closes an id, unless it is negative. */
void mass_hdf5_done(mass_hdf5_writer *w, int64_t id, int (*close_id)(int64_t));

/* Write HDF5 attributes: values of any type (one value if `count` is 0, else an array), a number, a text, or labels.
 * The labels name a data set's axes, in the form of dimension scales. */
void mass_hdf5_put(mass_hdf5_writer *w, int64_t at, const char *name, int64_t type, uint64_t count, const void *values);
void mass_hdf5_put_u64(mass_hdf5_writer *w, int64_t at, const char *name, uint64_t value);
void mass_hdf5_put_text(mass_hdf5_writer *w, int64_t at, const char *name, const char *text);
void mass_hdf5_put_labels(mass_hdf5_writer *w, int64_t set, const char *const *labels, int rank);

/* Writes a data set of a mass_type number, of at most 5 axes, in chunks with checksums; the groups above it are
 * created. path: from the file's root. The caller adds attributes and closes it with H5Dclose. */
int64_t mass_hdf5_put_data(mass_hdf5_writer *w, const char *path, uint32_t type, int rank, const uint64_t *extent,
                           const void *data);

/* Returns how many data sets a file has; -1 if it cannot be read, or if the scale of an axis cannot be reached. */
int64_t mass_hdf5_count_sets(const char *path);

#endif
