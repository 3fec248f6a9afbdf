/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the writer and the reader of series. */
#ifndef MASS_ENGINE_IO_SERIES_FORMAT_H
#define MASS_ENGINE_IO_SERIES_FORMAT_H

#include "io/folder/names.h"
#include "io/hdf5/library.h"
#include "io/hdf5/writer.h"
#include "io/series/series.h"

#include <hdf5.h>

#define MASS_SERIES_NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

/* Extents of a data set, rows first. */
typedef struct mass_series_shape {
    int rank;
    hsize_t extent[3];
} mass_series_shape;

/* Returns the shape of a series; c NULL: of the steps. */
mass_series_shape mass_series_shape_of(const mass_series_set *set, const mass_series_column *c, uint64_t rows);

/* Returns the value of bin i in the scale of a series' bins: its middle or, if that is unknown, its number. */
double mass_series_bin(const mass_series_column *c, uint32_t i);

/* Writes the scales and parameters to the group of a file that has its series' data sets. */
void mass_series_put_scales(mass_hdf5_writer *w, int64_t group, const mass_series_set *set);

#endif
