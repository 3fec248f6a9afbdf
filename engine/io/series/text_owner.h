/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a text series is. A table has no place for that which all of its readers skip, so that it stands in a file of
 * its own beside it, FILE.run: which run writes FILE, and the hash of what this had written when it was last brought to
 * disk. Nothing of FILE is cut, and nothing added, before that was held against it. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_OWNER_H
#define MASS_ENGINE_IO_SERIES_TEXT_OWNER_H

#include "snapshot/state_hash.h"
#include "io/folder/made.h"
#include "io/folder/ownership.h"

#include <sys/types.h>

/* That FILE.run says that `file`, of the name `path`, is this run's, and that it still begins as that says. Else
 * MASS_BAD_INPUT, with the way out. The owner is a run that resumes. */
mass_status mass_series_text_is_own(const char *path, int file, const mass_ownership *owner, mass_error *error);

/* Whether the file is what a killed run of the same model, seed and parameters has begun, so that it may be begun
 * again: no checkpoint needs what is lost. That is so if it is empty, or no more than its first row counts; or if
 * `begun`, as the folder of checkpoints has this very run, and none of its checkpoints. False while that run goes
 * on. */
mass_status mass_series_text_was_begun(const char *path, const mass_ownership *owner, bool begun, bool *out,
                                       mass_error *error);

/* That FILE.run is not there, or was written by this program, unless with --force: else MASS_BAD_USAGE. */
mass_status mass_series_text_may_own(const char *path, const mass_ownership *owner, mass_error *error);

/* Says that the first `size` bytes of a file, whose hash is `rows`, are this run's, so that it survives a loss of
 * power. On failure (MASS_FAILED) FILE.run is as it was. */
mass_status mass_series_text_own(const char *path, const mass_ownership *owner, off_t size, const XXH3_state_t *rows,
                                 mass_error *error);

/* That a file which this run begins is nobody's: what FILE.run says of another goes. */
void mass_series_text_disown(const char *path);

/* The hash of the first bytes of a file. False, with errno, if they can't be read. */
bool mass_series_text_hash(int file, off_t size, XXH3_state_t *out);

/* ---- FILE.run ---- */

enum { MASS_SERIES_RUN_BYTES = 500 + MASS_MADE_BYTES }; /* the most that it takes, with a zero byte */

typedef struct mass_series_run {
    mass_run_facts facts; /* without plugin_hash and schema */
    uint64_t size;
    char hash[33];
    const char *made; /* what the run is made of (made.h), borrowed; NULL: it does not say, as of versions before */
} mass_series_run;

/* Returns the length. */
int mass_series_run_print(const mass_series_run *r, char text[MASS_SERIES_RUN_BYTES]);

/* Whether a text, which is borrowed, is what that prints. Pure. */
bool mass_series_run_parse(const char *text, mass_series_run *out);

#endif
