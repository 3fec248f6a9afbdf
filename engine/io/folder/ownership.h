/* SPDX-License-Identifier: Apache-2.0 */
/* Whose files are in a folder. Every file of a run says which run that is, and this reads it from the first bytes of
 * the file, without the HDF5 library: a file that anybody may have put there is asked before it is opened. */
#ifndef MASS_ENGINE_IO_FOLDER_OWNERSHIP_H
#define MASS_ENGINE_IO_FOLDER_OWNERSHIP_H

#include "base/identity.h"
#include "model/parameter.h"

/* What the files say to be, of which each has its format's number beside it. */
#define MASS_CHECKPOINT_FORMAT_NAME "mass-engine checkpoint"
#define MASS_SERIES_FORMAT_NAME "mass-engine series"
#define MASS_EXPORT_FORMAT_NAME "mass-engine fields"
#define MASS_PART_FORMAT_NAME "mass-engine part"

typedef enum mass_file_kind {
    MASS_FILE_FOREIGN, /* none of ours, or not there */
    MASS_FILE_CHECKPOINT,
    MASS_FILE_SERIES,
    MASS_FILE_FIELDS,
    MASS_FILE_PART, /* of a checkpoint */
    MASS_FILE_INDEX, /* fields.xmf */
    MASS_FILE_UNREAD /* could not be looked at, as errno says: it may be anybody's */
} mass_file_kind;

/* What a run is; in a file, "" or `known` false for what it does not say. */
typedef struct mass_run_facts {
    char identity[MASS_IDENTITY_SIZE]; /* "": of a version that gave none */
    char run[33];         /* hash of all that it was started with */
    char plugin_hash[33]; /* XXH3-128 of the plugin's file */
    char parts[33];       /* of a checkpoint in parts, and of a part: the token of the set; else "" */
    char plugin[MASS_NAME_SIZE], schema[33];
    bool known;           /* the rest is */
    uint64_t seed, worlds, first_world;
} mass_run_facts;

/* A run and what it may do to others' files. */
typedef struct mass_ownership {
    mass_run_facts facts;
    bool resumed; /* its files are those of its identity, and else those of the same run, started anew */
    bool force;   /* others' are replaced */
    const char *made; /* of what, as made.h has it, to say how others differ; borrowed; NULL: nobody asks */
} mass_ownership;

/* What a file says of its run; all empty of a foreign one, and of one that could not be read. Follows symbolic
 * links. */
mass_file_kind mass_file_facts(const char *path, mass_run_facts *out);
/* The same of its first bytes. Pure. */
mass_file_kind mass_bytes_facts(const uint8_t *bytes, size_t size, mass_run_facts *out);

/* What the run of an HDF5 file was made of, as made.h has it; the caller frees it. NULL: it does not say, or could not
 * be read. */
char *mass_file_made(const char *path);
/* The same of its first bytes: within them, and ended by a zero byte. Pure. */
const char *mass_bytes_made(const uint8_t *bytes, size_t size);

/* Whether a file is of this run. If not, `why` becomes what the other one is: "of another run, with seed 3, and this
 * has 4". */
bool mass_ownership_has(const mass_ownership *owner, const mass_run_facts *file, char why[300]);

/* Whether two files are of one run, as far as they say. */
bool mass_facts_agree(const mass_run_facts *a, const mass_run_facts *b);

/* A mass_may_replace: the file is of this run, or --force was given. Without an owner everything may be replaced. False
 * with errno: EEXIST for another's file, else why it could not be looked at. */
bool mass_ownership_may_replace(const void *owner, const char *path);

/* "PATH belongs to another run, WHY: give another --KIND folder, or --force to replace what is there". */
mass_status mass_ownership_refuse(const char *path, const char *kind, const char *why, mass_error *error);

#endif
