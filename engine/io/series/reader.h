/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the readers of a file of series: its file, refusals, and opening its data sets. Each function here that
 * returns false has set the error, unless its comment says otherwise. */
#ifndef MASS_ENGINE_IO_SERIES_READER_H
#define MASS_ENGINE_IO_SERIES_READER_H

#include "io/series/format.h"

typedef struct mass_series_reader {
    const char *path;
    const mass_hdf5_source *source;
    hid_t file, group;
    uint64_t version; /* format version of the file */
    bool has_world;   /* the data set "world" was checked */
    mass_series_contents *out;
    mass_error *error;
} mass_series_reader;

/* Refuse the file; both return false. The reasons are: damage, in a few words; HDF5 could not read `what`, with its
 * reason. */
bool mass_series_damaged(mass_series_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool mass_series_unreadable(mass_series_reader *r, const char *what);

/* Read an HDF5 attribute: one value of exactly this type, or a text of at most room - 1 bytes. */
bool mass_series_get(mass_series_reader *r, hid_t at, const char *name, hid_t type, void *out);
bool mass_series_get_text(mass_series_reader *r, hid_t at, const char *name, char *out, size_t room);

/* Open a data set of the group: any, or one of this type and shape. Negative, with the error set, on failure. The
 * caller closes it. */
hid_t mass_series_find_set(mass_series_reader *r, const char *name);
hid_t mass_series_open_set(mass_series_reader *r, const char *name, hid_t type, const mass_series_shape *shape);

/* Reads rows from `first` on, as many as `rows` has. False, without an error, if HDF5 failed. */
bool mass_series_read_rows(hid_t set, hid_t type, hsize_t first, const mass_series_shape *rows, void *out);

/* Reads a data set that is not a series: the worlds, the bins of a series, or a parameter, which it adds to the set.
 * Such data sets exist from format 2 on, and come after the series. */
bool mass_series_read_scale(mass_series_reader *r, const char *name);

#endif
