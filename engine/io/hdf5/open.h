/* SPDX-License-Identifier: Apache-2.0 */
/* The one way in which this program opens HDF5 files for reading, its own and others', and what is in them.
 *
 * A file is found by its name once. From then on it is read through that descriptor, by a driver that can do nothing
 * else, so that neither a link in the file nor another file that takes its name leads elsewhere. Groups and data sets
 * are reached by links within their file alone, at every level; a data set's bytes lie in its file, packed by no
 * filters but deflate, shuffle and Fletcher-32. HDF5's ids are int64_t here, and negative on failure: mass_hdf5_reason
 * then says why, until HDF5 is called again. One thread at a time may be in HDF5. */
#ifndef MASS_ENGINE_IO_HDF5_OPEN_H
#define MASS_ENGINE_IO_HDF5_OPEN_H

#include "base/error.h"

#include <stdbool.h>

/* Of OURS nothing is taken that this program does not write: data sets come in chunks with checksums and no other
 * filter, types are not shared, and nothing stands before the signature. Of one that another program has REPACKED,
 * chunks, checksums and filters may be others. In a FOREIGN one soft links are followed, which stay in their file. */
typedef enum mass_hdf5_origin { MASS_HDF5_OURS, MASS_HDF5_REPACKED, MASS_HDF5_FOREIGN } mass_hdf5_origin;

/* A regular file that begins as HDF5 does, open for reading. */
typedef struct mass_hdf5_source {
    const char *path; /* what messages call it; borrowed */
    int file;         /* descriptor, owned; 0: none */
    uint64_t size;    /* bytes */
    mass_hdf5_origin origin;
    bool whole; /* a subprocess has checked all of it: what is found to be wrong later is no damage */
} mass_hdf5_source;

/* Finds a file. What is none is MASS_BAD_INPUT, said with `remedy`: "give a file that --checkpoint wrote". On failure
 * *out holds nothing. */
mass_status mass_hdf5_find(const char *path, mass_hdf5_origin origin, const char *remedy, mass_hdf5_source *out,
                           mass_error *error);
/* The same of a descriptor, which becomes the source's: on failure it is closed. */
mass_status mass_hdf5_adopt(int file, const char *path, mass_hdf5_origin origin, const char *remedy,
                            mass_hdf5_source *out, mass_error *error);
void mass_hdf5_close_source(mass_hdf5_source *s); /* all zero is fine */

/* HDF5's file, which is closed with H5Fclose before its source is. */
int64_t mass_hdf5_open(const mass_hdf5_source *s);

/* A file of ours that is to be added to. Its path is this process's own, a temporary name. */
int64_t mass_hdf5_open_to_append(const char *path);

/* A group or a data set below a file or a group, by its name or by a path of names. */
int64_t mass_hdf5_group(int64_t at, const char *path);
int64_t mass_hdf5_set(int64_t at, const char *path, mass_hdf5_origin origin);

/* Where an object is in its file, by which it is found at once: the library looks for a name among all of its group,
 * and of thousands, each a few times, that would take minutes. */
typedef struct mass_hdf5_place {
    unsigned char bytes[16];
} mass_hdf5_place;
bool mass_hdf5_find_place(int64_t object, mass_hdf5_place *out);
int64_t mass_hdf5_group_at(int64_t file, const mass_hdf5_place *place);
int64_t mass_hdf5_set_at(int64_t file, const mass_hdf5_place *place, mass_hdf5_origin origin);

/* One that is virtual and of ours: nothing may be asked of it but its type and its HDF5 attributes, as its extents and
 * values are links to other files, which are not followed. */
int64_t mass_hdf5_virtual_set(int64_t at, const char *path);

/* Whether the last call failed for want of memory. */
bool mass_hdf5_lacks_memory(void);

/* Whether a set was not taken, by the reason, because another filter packs it than those: it may well be whole. */
bool mass_hdf5_is_by_filter(const char *reason);

/* Whether something has kept this thread from reading since mass_hdf5_open or mass_hdf5_begin_reading: the system did
 * not read, or memory could not be had. That says nothing of the file, and is what `error` then says. Asked before a
 * file is called damaged, and before another call is made that may fail. */
bool mass_hdf5_is_hindered(const char *path, mass_error *error);
void mass_hdf5_begin_reading(void);

/* For a source that is whole: refuses with what is found to be wrong all the same, as where an allocation has failed
 * that nobody told of, or somebody has written to the file. False: it is not whole. */
bool mass_hdf5_doubts(const mass_hdf5_source *s, const char *what, mass_error *error);

/* "1.10.8": the library that is in use. */
void mass_hdf5_version(char text[32]);

#endif
