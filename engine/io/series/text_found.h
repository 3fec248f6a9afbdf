/* SPDX-License-Identifier: Apache-2.0 */
/* What a text series holds that is there already, for a run that goes on with it. A file is its own only if all of it
 * says so: the columns, every row, and their order. */
#ifndef MASS_ENGINE_IO_SERIES_TEXT_FOUND_H
#define MASS_ENGINE_IO_SERIES_TEXT_FOUND_H

#include "io/series/series.h"

#include <sys/types.h>

typedef struct mass_series_text_found {
    off_t end;      /* of the last whole row that the run keeps, or of the header */
    bool has_rows;
    uint64_t last;  /* step of the last row that it keeps */
} mass_series_text_found;

/* Reads `file`, a regular file of the name `path`, of a run that resumes at `step`. Refuses, as MASS_BAD_INPUT, what
 * has not all rows up to there, and what is not of this set; behind these rows, a last line may be cut short, or hold
 * zeros that a loss of power left. An empty file is fine. header: of a .csv, its first line; NULL: it is a .jsonl. */
mass_status mass_series_text_find(const mass_series_set *set, const char *path, int file, const char *header,
                                  uint64_t step, mass_series_text_found *out, mass_error *error);

#endif
