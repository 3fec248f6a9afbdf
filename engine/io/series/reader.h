/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of reading a file of series share: the file at hand, how it is refused, and how its data sets are
 * opened. Everything here that returns false has set the error. */
#ifndef MASS_ENGINE_IO_SERIES_READER_H
#define MASS_ENGINE_IO_SERIES_READER_H

#include "io/series/format.h"

typedef struct mass_series_reader {
    const char *path;
    const mass_hdf5_source *source;
    hid_t file, group;
    uint64_t version; /* format version of the file */
    bool has_world;   /* its data set was checked */
    mass_series_contents *out;
    mass_error *error;
} mass_series_reader;

/* Refusals; both return false: of what is damaged, in a few words, and of what HDF5 could not read, with its reason. */
bool mass_series_damaged(mass_series_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_series_unreadable(mass_series_reader *r, const char *what);

/* An HDF5 attribute: one value of exactly this type, or a text of at most room - 1 bytes. */
bool mass_series_get(mass_series_reader *r, hid_t at, const char *name, hid_t type, void *out);
bool mass_series_get_text(mass_series_reader *r, hid_t at, const char *name, char *out, size_t room);

/* A data set of the group, any or one of this type and shape; negative if it is refused. The caller closes it. */
hid_t mass_series_find_set(mass_series_reader *r, const char *name);
hid_t mass_series_open_set(mass_series_reader *r, const char *name, hid_t type, const mass_series_shape *shape);

/* Rows from `first` on, as many as `rows` has. False, without a refusal, if HDF5 could not. */
bool mass_series_read_rows(hid_t set, hid_t type, hsize_t first, const mass_series_shape *rows, void *out);

/* A data set that is no series: the worlds, bins of a series, or a parameter, which becomes one of the set. From
 * format 2 on; they come after the series. */
bool mass_series_read_scale(mass_series_reader *r, const char *name);

#endif
