/* SPDX-License-Identifier: Apache-2.0 */
/* Stores which run a text series belongs to. A table has no place for this that all readers skip, so it is in a second
 * file, FILE.run. FILE.run has the run that writes FILE, and the hash of FILE's rows when they were last brought to
 * disk. Before anything in FILE is removed or added, it is compared with FILE.run. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_OWNER_H
#define MASS_ENGINE_IO_SERIES_TEXT_OWNER_H

#include "snapshot/state_hash.h"
#include "io/folder/made.h"
#include "io/folder/ownership.h"

#include <sys/types.h>

/* Checks that FILE.run names this run as the owner of `file`, whose name is `path`, and that the file still begins with
 * the hashed rows. MASS_BAD_INPUT, with a remedy, otherwise. owner: a run that resumes. */
mass_status mass_series_text_check_own(const char *path, int file, const mass_ownership *owner, mass_error *error);

/* Sets *out to true if this run may start again: a killed run of the same model, seed and parameters has begun the
 * file, and no checkpoint needs its rows. This is so if the file is empty, or FILE.run counts at most its first row. It
 * is also so if `begun`: the checkpoint folder has this very run, but none of its checkpoints. *out is false while that
 * run goes on. */
mass_status mass_series_text_was_begun(const char *path, const mass_ownership *owner, bool begun, bool *out,
                                       mass_error *error);

/* Checks that this run may write FILE.run. MASS_BAD_USAGE if it exists and is not of this program, unless --force is
 * given. */
mass_status mass_series_text_check_free(const char *path, const mass_ownership *owner, mass_error *error);

/* Stores in FILE.run that the first `size` bytes of a file, with the hash `rows`, are this run's. It then survives a
 * loss of power. On failure (MASS_FAILED) FILE.run is as before. */
mass_status mass_series_text_own(const char *path, const mass_ownership *owner, off_t size, const XXH3_state_t *rows,
                                 mass_error *error);

/* Removes FILE.run of an earlier run, if this program wrote it: the file that this run begins has no owner. */
void mass_series_text_disown(const char *path);

/* Hashes the first `size` bytes of a file. False, with errno, if they cannot be read. */
bool mass_series_text_hash(int file, off_t size, XXH3_state_t *out);

/* ---- FILE.run ---- */

enum { MASS_SERIES_RUN_BYTES = 500 + MASS_MADE_BYTES }; /* most bytes, with the final zero */

typedef struct mass_series_run {
    mass_run_facts facts; /* without plugin_hash and schema */
    uint64_t size;
    char hash[33];
    const char *made; /* what the run is made of (made.h), borrowed; NULL: written by an earlier version without it */
} mass_series_run;

/* Prints the contents of FILE.run. Returns the length; the text was cut if it is MASS_SERIES_RUN_BYTES or more. */
int mass_series_run_print(const mass_series_run *r, char text[MASS_SERIES_RUN_BYTES]);

/* Parses a text, which is borrowed. Returns false unless mass_series_run_print prints exactly that. Pure. */
bool mass_series_run_parse(const char *text, mass_series_run *out);

#endif
