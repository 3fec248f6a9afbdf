/* SPDX-License-Identifier: Apache-2.0 */
/* Time series as text, a row as soon as it is there: a .csv, whose header names the columns "step" (and "world",
 * where there are several, with a line for each), the parameters of a sweep, and the series, "NAME[0]", "NAME[1]", ...
 * of one with bins; or a .jsonl, with one object a row of the same, whose values are lists by world where there are
 * several, and lists of bins. What is no number is an empty field, or null. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_H
#define MASS_ENGINE_IO_SERIES_TEXT_H

#include "io/series/series.h"

typedef struct mass_series_text mass_series_text;

typedef struct mass_series_text_start {
    bool resumed;
    uint64_t step; /* at which */
    bool kept;     /* a run may be resumed with the file: whose it is stands beside it (text_owner.h) */
    bool begun;    /* the run was killed before its first checkpoint, as its folder says, and is begun again */
} mass_series_text_start;

/* Checks the name; of a run that starts, that no file has it but that of this run, killed before its first
 * checkpoint; and of one that resumes, that a file that is there is its own (text_owner.h) and holds the rows up to
 * there (text_found.h). With --force any file is replaced by a run that starts, and is its own to one that resumes.
 * Changes nothing yet. set and path are borrowed; without the set's owner no file is anybody's. */
mass_status mass_series_text_create(const mass_series_set *set, const char *path, const mass_series_text_start *start,
                                    mass_series_text **out, mass_error *error);
void mass_series_text_free(mass_series_text *); /* NULL is fine */

/* Empties the file, or drops what follows the rows that are kept. Waits for a named pipe's reader, until a signal asks
 * the run to end (MASS_INTERRUPTED). */
mass_status mass_series_text_begin(mass_series_text *t, mass_error *error);

bool mass_series_text_has(const mass_series_text *t, uint64_t step); /* a row of this step, or one after it */

/* Writes a row. On failure (MASS_FAILED) the file ends with a whole row, and what is missing is tried again with the
 * next one, or by mass_series_text_flush; what a pipe's reader has left behind is lost. */
mass_status mass_series_text_add(mass_series_text *t, uint64_t step, const double *values, mass_error *error);
mass_status mass_series_text_flush(mass_series_text *t, mass_error *error);

/* Brings all rows to disk, where they survive a loss of power, before a checkpoint counts on them, and says beside them
 * whose they are. On failure
 * (MASS_FAILED) it can be tried again. What is no regular file is left alone: no run goes on with it. */
mass_status mass_series_text_sync(mass_series_text *t, mass_error *error);

#endif
