/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a checkpoint's parts, which are next to its master. A part is opened by its name, made of the step, the
 * token and the rank, and never through a link; it has to belong to the user of the master. What the master says of
 * the parts is compared with the sizes of all files before anything is read. So reading takes what their sizes allow,
 * and no more time than a subprocess would get. Parts are read as bytes, without HDF5, unless another program has
 * repacked them (parts_repacked.h). */
#ifndef MASS_ENGINE_IO_CHECKPOINT_PARTS_FILES_H
#define MASS_ENGINE_IO_CHECKPOINT_PARTS_FILES_H

#include "io/checkpoint/reader.h"

#include <sys/types.h>

/* What the master says is in a part. */
typedef struct mass_part_extent {
    uint64_t end;   /* its values end there at last, in bytes from the beginning of the file */
    uint64_t bytes; /* that they take */
} mass_part_extent;

typedef struct mass_part_seen {
    dev_t device;
    ino_t node;
    off_t size;
} mass_part_seen;

/* Begun with all zero. */
typedef struct mass_part_files {
    const char *token;    /* that all names have; borrowed */
    uint64_t ranks;
    mass_part_seen *seen; /* [ranks], owned: the files as they were looked at first; NULL: not yet */
    uint64_t bytes;       /* of all files */
    int file;             /* open, of part `rank`; 0: none */
    uint64_t rank;
    double until;         /* seconds of the steady clock, by which all has to be read; 0: any time */
} mass_part_files;

void mass_part_files_close(mass_part_files *f);

/* Looks at all files: regular ones, of the master's owner. */
bool mass_part_files_survey(mass_reader *r, mass_part_files *f);
/* Whether a file is as long as the master says; of one that was repacked, as long as that takes. */
bool mass_part_files_fit(const mass_part_files *f, uint64_t rank, const mass_part_extent *extent, bool repacked);
/* Opens a file again, after they have been looked at. */
bool mass_part_files_open(mass_reader *r, mass_part_files *f, uint64_t rank);
void mass_part_files_name(const mass_reader *r, const mass_part_files *f, uint64_t rank, char path[PATH_MAX]);

/* From here on reading fails where it has not ended in as much time as slow disks take, and where a signal asks for an
 * end; or, with false, does not. */
void mass_part_files_limit(mass_part_files *f, bool limited);

/* Whether there is time left for reading. */
bool mass_part_files_in_time(mass_reader *r, const mass_part_files *f);

/* `bytes` of a part, from byte `at` on, once they have been looked at. */
bool mass_part_files_read(mass_reader *r, mass_part_files *f, uint64_t rank, uint64_t at, uint64_t bytes, void *out);

/* Refuses the checkpoint for a part: false. */
bool mass_part_files_refuse(mass_reader *r, const mass_part_files *f, uint64_t rank, const char *what);

#endif
