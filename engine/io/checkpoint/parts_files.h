/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads the files of a checkpoint's parts, which are next to its master. A part's name consists of the step,
 * the token and the rank. It is never opened through a link, and it has to belong to the owner of the master.
 *
 * Before anything is read, the sizes of all files are compared with the master's data. So reading needs no more memory
 * than these sizes allow, and no more time than a subprocess would get. Parts are read as bytes, without HDF5, unless
 * another program has repacked them (parts_repacked.h). */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_FILES_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_FILES_H

#include "io/checkpoint/reader.h"

#include <sys/types.h>

/* The extent of a part, according to the master. */
typedef struct mass_part_extent {
    uint64_t end;   /* offset in the file at which its last value ends */
    uint64_t bytes; /* size of its values */
} mass_part_extent;

typedef struct mass_part_seen {
    dev_t device;
    ino_t node;
    off_t size;
} mass_part_seen;

/* Starts as all zero. */
typedef struct mass_part_files {
    const char *token;    /* part of all names; borrowed */
    uint64_t ranks;
    mass_part_seen *seen; /* [ranks], owned: the files as the survey found them; NULL: not surveyed yet */
    uint64_t bytes;       /* total size of all files */
    int file;             /* descriptor of part `rank`; 0: none is open */
    uint64_t rank;
    double until;         /* deadline of reading, in seconds of the steady clock; 0: none */
} mass_part_files;

void mass_part_files_close(mass_part_files *f);

/* Looks at all files and their total size: they have to be regular files of the master's owner. f->token and f->ranks
 * must be set. Does nothing after it has succeeded. */
bool mass_part_files_survey(mass_reader *r, mass_part_files *f);
/* Returns true if a surveyed file is as long as the master's data needs; a repacked one may be shorter by compression.
 * Sets no error. */
bool mass_part_files_fit(const mass_part_files *f, uint64_t rank, const mass_part_extent *extent, bool repacked);
/* Opens a surveyed file again, unless it is the one that is open. Refuses one that was changed. */
bool mass_part_files_open(mass_reader *r, mass_part_files *f, uint64_t rank);
/* Writes the path of a part; "" if it is too long. */
void mass_part_files_name(const mass_reader *r, const mass_part_files *f, uint64_t rank, char path[PATH_MAX]);

/* If `limited`, makes later reads fail once they take longer than slow disks do, and once a signal asks for an end.
 * Else removes that limit. Call it after the survey, which finds the size. */
void mass_part_files_limit(mass_part_files *f, bool limited);

/* Returns true if there is no limit, or if there is time left and no signal asks for an end; else sets the error. */
bool mass_part_files_in_time(mass_reader *r, const mass_part_files *f);

/* Reads `bytes` bytes of a surveyed part, from byte `at` on, and opens it for that. Fails once time is up. */
bool mass_part_files_read(mass_reader *r, mass_part_files *f, uint64_t rank, uint64_t at, uint64_t bytes, void *out);

/* Refuses the checkpoint because of a part. what: the fault, as the end of the message. Returns false. */
bool mass_part_files_refuse(mass_reader *r, const mass_part_files *f, uint64_t rank, const char *what);

#endif
