/* SPDX-License-Identifier: Apache-2.0 */
/* What the writer and the reader of series share. */
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

/* Of a series; c = NULL: of the steps. */
mass_series_shape mass_series_shape_of(const mass_series_set *set, const mass_series_column *c, uint64_t rows);

/* What the scale of a series' bins has for bin i: its middle or, where that is not known, its number. */
double mass_series_bin(const mass_series_column *c, uint32_t i);

/* Puts what is no series into the group of a file whose data sets are there. */
void mass_series_put_scales(mass_hdf5_writer *w, int64_t group, const mass_series_set *set);

#endif
