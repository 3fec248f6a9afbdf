/* SPDX-License-Identifier: Apache-2.0 */
/* Writes time series as text, each row at once. A .csv has a header that names the columns: "step", "world" if there
 * are several, the parameters of a sweep, and the series; "NAME[0]", "NAME[1]", ... for a series with bins. It has a
 * line for each step and world. A .jsonl has an object for each step, with the same values; they are lists by world if
 * there are several, and lists of bins. A value without a number is an empty field, or null. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_H
#define MASS_ENGINE_IO_SERIES_TEXT_H

#include "io/series/series.h"

typedef struct mass_series_text mass_series_text;

typedef struct mass_series_text_start {
    bool resumed;
    uint64_t step; /* the step at which the run starts or resumes */
    bool kept;     /* a run may be resumed with the file, so FILE.run stores its owner (text_owner.h) */
    bool begun;    /* the folder shows that the run was killed before its first checkpoint; it starts again */
} mass_series_text_start;

/* Checks the name and an existing file; changes nothing yet. For a run that starts, an existing file has to be this
 * run's, killed before its first checkpoint. For a run that resumes, the file has to be its own (text_owner.h) and hold
 * the rows up to `step` (text_found.h), or be missing. With --force, a run that starts replaces any file, and one that
 * resumes takes any file as its own. set and path are borrowed. If the set has no owner, no file belongs to anybody. */
mass_status mass_series_text_create(const mass_series_set *set, const char *path, const mass_series_text_start *start,
                                    mass_series_text **out, mass_error *error);
void mass_series_text_free(mass_series_text *); /* NULL is allowed */

/* Opens or creates the file, and empties it or removes everything after the kept rows. Before that, stores the owner of
 * a kept file in FILE.run, or removes FILE.run of one that is not kept. Writes the header of an empty .csv. Waits for a
 * named pipe's reader, until a signal asks the run to end (MASS_INTERRUPTED). */
mass_status mass_series_text_begin(mass_series_text *t, mass_error *error);

bool mass_series_text_has(const mass_series_text *t, uint64_t step); /* has a row of this step, or of a later one */

/* Writes a row. After MASS_FAILED the file ends with a complete row. The next row, or mass_series_text_flush, tries the
 * missing rows again. If a pipe's reader has closed it, rows are lost. */
mass_status mass_series_text_add(mass_series_text *t, uint64_t step, const double *values, mass_error *error);
mass_status mass_series_text_flush(mass_series_text *t, mass_error *error);

/* Brings all rows to disk, where they survive a loss of power, and then stores the file's owner in FILE.run. Call it
 * before a checkpoint relies on the rows. After MASS_FAILED it may be called again. Ignores files that are not regular:
 * no run resumes with them. */
mass_status mass_series_text_sync(mass_series_text *t, mass_error *error);

#endif
