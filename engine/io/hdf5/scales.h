/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension scales: data sets that say what is along an axis of others, by HDF5's own high-level library, which is how
 * netCDF, xarray and h5py know an axis by name. As mass_hdf5_put and the like, on a file that is being written. */
#ifndef MASS_ENGINE_IO_HDF5_SCALES_H
#define MASS_ENGINE_IO_HDF5_SCALES_H

#include "io/hdf5/writer.h"

#include <stddef.h>

/* A data set of one axis in a group, in chunks with checksums, whose values are all there. The caller closes it. */
int64_t mass_hdf5_put_list(mass_hdf5_writer *w, int64_t group, const char *name, int64_t type, size_t size,
                           uint64_t count, const void *values);

/* Makes a data set of one axis a scale. */
void mass_hdf5_make_scale(mass_hdf5_writer *w, int64_t set, const char *name);

/* A scale of so many places that says nothing but the axis' name, which is the last of its path: netCDF's "dimension
 * without a variable". It takes no room, and groups above it are made. The caller closes it. */
int64_t mass_hdf5_put_axis(mass_hdf5_writer *w, int64_t at, const char *path, uint64_t extent);

/* Makes it the one of an axis of another data set, counted from 0. */
void mass_hdf5_attach_scale(mass_hdf5_writer *w, int64_t set, int64_t scale, unsigned axis);

/* Whether every axis that a data set of a file says to have a scale can be followed to it. They are not under the
 * checksums that the rest of a file is. */
bool mass_hdf5_scales_whole(int64_t file);

#endif
