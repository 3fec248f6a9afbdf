/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which run a file in a folder belongs to. Every file of a run names its run. These functions read that from
 * the first bytes of the file, without the HDF5 library, since a file of unknown origin must be checked before it is
 * opened. */
#ifndef MASS_ENGINE_IO_FOLDER_OWNERSHIP_H
#define MASS_ENGINE_IO_FOLDER_OWNERSHIP_H

#include "base/identity.h"
#include "model/parameter.h"

/* The format names that files contain, each together with its format version. */
#define MASS_CHECKPOINT_FORMAT_NAME "mass-engine checkpoint"
#define MASS_SERIES_FORMAT_NAME "mass-engine series"
#define MASS_EXPORT_FORMAT_NAME "mass-engine fields"
#define MASS_PART_FORMAT_NAME "mass-engine part"

typedef enum mass_file_kind {
    MASS_FILE_FOREIGN, /* not a file of this program, or missing */
    MASS_FILE_CHECKPOINT,
    MASS_FILE_SERIES,
    MASS_FILE_FIELDS,
    MASS_FILE_PART, /* a part of a checkpoint */
    MASS_FILE_INDEX, /* fields.xmf */
    MASS_FILE_UNREAD /* could not be read; errno has the reason. Its owner is unknown */
} mass_file_kind;

/* The facts that identify a run. In a file's facts, "", or `known` false, means that the file does not say. */
typedef struct mass_run_facts {
    char identity[MASS_IDENTITY_SIZE]; /* "": written by a version without identities */
    char run[33];         /* hash of everything that the run was started with */
    char plugin_hash[33]; /* XXH3-128 of the plugin's file */
    char parts[33];       /* token of a checkpoint in parts, and of a part; else "" */
    char plugin[MASS_NAME_SIZE], schema[33];
    bool known;           /* the numbers below are known */
    uint64_t seed, worlds, first_world;
} mass_run_facts;

/* A run, and what it may do to files of other runs. */
typedef struct mass_ownership {
    mass_run_facts facts;
    bool resumed; /* its files have its identity; else its files may also be of the same run, started earlier */
    bool force;   /* other runs' files are replaced */
    const char *made; /* what the run is made of (made.h), to explain differences; borrowed; NULL: not needed */
} mass_ownership;

/* Reads what a file says about its run. *out is empty for a foreign file and one that could not be read. Follows
 * symbolic links. */
mass_file_kind mass_file_facts(const char *path, mass_run_facts *out);
/* Reads what a file says about its run from the first bytes of the file. *out is empty for a foreign file. Pure. */
mass_file_kind mass_bytes_facts(const uint8_t *bytes, size_t size, mass_run_facts *out);

/* Reads from an HDF5 file what its run was made of (made.h). The caller frees it. NULL: the file does not say, or could
 * not be read. */
char *mass_file_made(const char *path);
/* Reads what a run was made of from the first bytes of its HDF5 file. Returns a text within them, which ends with a
 * zero byte; or NULL. Pure. */
const char *mass_bytes_made(const uint8_t *bytes, size_t size);

/* Returns true if a file belongs to this run; facts that it does not have are not compared. If not, `why` describes the
 * other run: "of another run, with seed 3, and this has 4". */
bool mass_ownership_has(const mass_ownership *owner, const mass_run_facts *file, char why[300]);

/* Returns true if two files are of one run, as far as they say: by their identities if both have one, else by all but
 * the build of the plugin. */
bool mass_facts_agree(const mass_run_facts *a, const mass_run_facts *b);

/* Decides for mass_publish: true if the file is this run's, if --force is given, or if `owner` is NULL. False with
 * errno: EEXIST for a file of another run or program, else the reason why it could not be read. */
bool mass_ownership_may_replace(const void *owner, const char *path);

/* Sets the error "PATH belongs to another run, WHY: give another --KIND folder, or --force to replace what is
 * there". */
mass_status mass_ownership_refuse(const char *path, const char *kind, const char *why, mass_error *error);

#endif
