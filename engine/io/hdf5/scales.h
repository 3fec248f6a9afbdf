/* SPDX-License-Identifier: Apache-2.0 */
/* Dimension scales: data sets that describe the axes of others. netCDF, xarray and h5py know axes by them. HDF5's
 * high-level library writes them. These functions use a writer as mass_hdf5_put does. */
#ifndef MASS_ENGINE_IO_HDF5_SCALES_H
#define MASS_ENGINE_IO_HDF5_SCALES_H

#include "io/hdf5/writer.h"

#include <stddef.h>

/* Writes a data set of one axis to a group, in chunks with checksums: `count` values of `size` bytes, at least one. The
 * caller closes it. */
int64_t mass_hdf5_put_list(mass_hdf5_writer *w, int64_t group, const char *name, int64_t type, size_t size,
                           uint64_t count, const void *values);

/* Makes a data set of one axis a dimension scale. */
void mass_hdf5_make_scale(mass_hdf5_writer *w, int64_t set, const char *name);

/* Writes a scale without values, which takes no space: netCDF's "dimension without a variable". The axis' name is the
 * last part of the path; groups above it are created. The caller closes it. */
int64_t mass_hdf5_put_axis(mass_hdf5_writer *w, int64_t at, const char *path, uint64_t extent);

/* Attaches a scale to axis number `axis`, from 0, of another data set. */
void mass_hdf5_attach_scale(mass_hdf5_writer *w, int64_t set, int64_t scale, unsigned axis);

/* Returns true if all references from data sets to their scales lead to a scale. The file's checksums do not cover
 * these references. */
bool mass_hdf5_scales_whole(int64_t file);

#endif
