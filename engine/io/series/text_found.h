/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an existing text series for a run that resumes with it. The file counts as the run's only if everything in it
 * fits: the columns, every row, and their order. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_FOUND_H
#define MASS_ENGINE_IO_SERIES_TEXT_FOUND_H

#include "io/series/series.h"

#include <sys/types.h>

typedef struct mass_series_text_found {
    off_t end;      /* end of the last row that the run keeps, or of the header */
    bool has_rows;
    uint64_t last;  /* step of the last kept row */
} mass_series_text_found;

/* Reads `file`, a regular file named `path`, for a run that resumes at `step`. Its offset has to be 0, and changes.
 * MASS_BAD_INPUT if it lacks a row up to `step`, or if it does not fit this set. After these rows, the last line may be
 * incomplete, or have zeros from a loss of power. An empty file is allowed. header: the first line of a .csv; NULL: it
 * is a .jsonl. */
mass_status mass_series_text_find(const mass_series_set *set, const char *path, int file, const char *header,
                                  uint64_t step, mass_series_text_found *out, mass_error *error);

#endif
