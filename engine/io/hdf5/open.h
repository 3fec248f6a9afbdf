/* SPDX-License-Identifier: Apache-2.0 */
/* Opens HDF5 files for reading, and objects in them, both this program's files and others. All reading goes through
 * here.
 *
 * A file's name is resolved once. From then on a driver reads that descriptor only. So neither a link in the file nor
 * another file with the same name can redirect reads. Groups and data sets are reached only by links within their file,
 * at every level. A data set's bytes are in its file, packed by no filters but deflate, shuffle and Fletcher-32.
 *
 * HDF5 ids are int64_t here, and negative on failure: mass_hdf5_reason then has the reason, until the next HDF5 call.
 * Only one thread at a time may use HDF5. */
#ifndef MASS_ENGINE_IO_HDF5_OPEN_H
#define MASS_ENGINE_IO_HDF5_OPEN_H

#include "base/error.h"

#include <stdbool.h>

/* The origin decides what is accepted. OURS: only what this program writes, which means data sets in chunks with
 * checksums and no other filter, no shared types, and nothing before the signature. REPACKED by another program: other
 * chunks, checksums and filters are accepted. FOREIGN: also soft links that stay in their file. */
typedef enum mass_hdf5_origin { MASS_HDF5_OURS, MASS_HDF5_REPACKED, MASS_HDF5_FOREIGN } mass_hdf5_origin;

/* A regular file that begins as an HDF5 file does, open for reading. */
typedef struct mass_hdf5_source {
    const char *path; /* its name in messages; borrowed */
    int file;         /* descriptor, owned; 0: none */
    uint64_t size;    /* bytes */
    mass_hdf5_origin origin;
    bool whole; /* a subprocess has checked all of it, so a later fault is not damage of the file */
} mass_hdf5_source;

/* Opens a file. MASS_BAD_INPUT if it is not HDF5; the message ends with `remedy`, such as "give a file that
 * --checkpoint wrote"; NULL: with none. On failure *out is empty. */
mass_status mass_hdf5_find(const char *path, mass_hdf5_origin origin, const char *remedy, mass_hdf5_source *out,
                           mass_error *error);
/* Opens a file as mass_hdf5_find does, but by a descriptor, which the source then owns; on failure it is closed. */
mass_status mass_hdf5_adopt(int file, const char *path, mass_hdf5_origin origin, const char *remedy,
                            mass_hdf5_source *out, mass_error *error);
/* Closes the source's descriptor and zeroes the source. Close HDF5 files opened on it first. All zeros are allowed. */
void mass_hdf5_close_source(mass_hdf5_source *s);

/* Opens the source as an HDF5 file, for reading, and forgets this thread's earlier read errors. Close it with H5Fclose
 * before the source. */
int64_t mass_hdf5_open(const mass_hdf5_source *s);

/* Opens a file of this program for appending. The path has to be a temporary name of this process. */
int64_t mass_hdf5_open_to_append(const char *path);

/* Open a group or a data set by its name or path, below a file or a group. Only data sets of FOREIGN files are reached
 * through soft links. The caller closes it. */
int64_t mass_hdf5_group(int64_t at, const char *path);
int64_t mass_hdf5_set(int64_t at, const char *path, mass_hdf5_origin origin);

/* The position of an object in its file, for opening it directly. The library compares a name with all names of its
 * group; looking up thousands of names would take minutes. */
typedef struct mass_hdf5_place {
    unsigned char bytes[16];
} mass_hdf5_place;
/* Find an object's place; and open a group or a data set at its place, if it is accepted as by its name. The caller
 * closes it. */
bool mass_hdf5_find_place(int64_t object, mass_hdf5_place *out);
int64_t mass_hdf5_group_at(int64_t file, const mass_hdf5_place *place);
int64_t mass_hdf5_set_at(int64_t file, const mass_hdf5_place *place, mass_hdf5_origin origin);

/* Opens a virtual data set of this program. Ask only for its type and its HDF5 attributes: its extents and values are
 * links to other files, which are not followed. */
int64_t mass_hdf5_virtual_set(int64_t at, const char *path);

/* Returns true if the last call failed for lack of memory. */
bool mass_hdf5_lacks_memory(void);

/* Returns true if the reason is a filter that is not accepted: the data set itself may be undamaged. */
bool mass_hdf5_is_by_filter(const char *reason);

/* Returns true, with the error set, if the system or a lack of memory has kept this thread from reading since
 * mass_hdf5_open or mass_hdf5_begin_reading. The failure then says nothing about the file. Ask before calling a file
 * damaged, and before any other call that may fail. */
bool mass_hdf5_is_hindered(const char *path, mass_error *error);
/* Forgets earlier read errors of this thread: errno, HDF5's error stack, and what the driver noted. */
void mass_hdf5_begin_reading(void);

/* Refuses a source that was checked as whole, with a fault found later. The cause is then a hidden lack of memory, or a
 * change of the file. Returns false, without an error, if the source was not checked. */
bool mass_hdf5_doubts(const mass_hdf5_source *s, const char *what, mass_error *error);

/* Writes the version of the library in use, such as "1.10.8". */
void mass_hdf5_version(char text[32]);

#endif
