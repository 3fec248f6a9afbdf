/* SPDX-License-Identifier: Apache-2.0 */
#include "io/hdf5/scales.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>

enum { CHUNK_BYTES = 1 << 20 };

#define check(W, RESULT) mass_hdf5_check((W), (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done((W), (ID), (CLOSE))

int64_t mass_hdf5_put_list(mass_hdf5_writer *w, int64_t group, const char *name, int64_t type, size_t size,
                           uint64_t count, const void *values)
{
    const hsize_t extent = count, most = CHUNK_BYTES / size, chunk = count < most ? count : most;
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE)), space = check(w, H5Screate_simple(1, &extent, NULL));
    check(w, H5Pset_chunk(list, 1, &chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t set = check(w, H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    if (!w->failed) check(w, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    done(w, space, H5Sclose);
    done(w, list, H5Pclose);
    return set;
}

int64_t mass_hdf5_put_axis(mass_hdf5_writer *w, int64_t at, const char *path, uint64_t extent)
{
    const hsize_t size = extent, chunk = extent == 0 ? 1 : extent < CHUNK_BYTES ? extent : CHUNK_BYTES;
    char name[80];
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE)), links = check(w, H5Pcreate(H5P_LINK_CREATE));
    const hid_t space = check(w, H5Screate_simple(1, &size, NULL));
    check(w, H5Pset_create_intermediate_group(links, 1));
    check(w, H5Pset_chunk(list, 1, &chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t set = check(w, H5Dcreate2(at, path, H5T_STD_U8LE, space, links, list, H5P_DEFAULT));
    snprintf(name, sizeof name, "This is a netCDF dimension but not a netCDF variable.%10llu",
             (unsigned long long)extent);
    mass_hdf5_make_scale(w, set, name);
    done(w, space, H5Sclose);
    done(w, links, H5Pclose);
    done(w, list, H5Pclose);
    return set;
}

void mass_hdf5_make_scale(mass_hdf5_writer *w, int64_t set, const char *name)
{
    if (!w->failed) check(w, H5DSset_scale(set, name));
}

void mass_hdf5_attach_scale(mass_hdf5_writer *w, int64_t set, int64_t scale, unsigned axis)
{
    if (!w->failed) check(w, H5DSattach_scale(set, scale, axis));
}

/* Counts a scale of an axis; never stops the iteration. */
static herr_t count_scale(hid_t set, unsigned axis, hid_t scale, void *count)
{
    (void)set, (void)axis, (void)scale;
    ++*(int *)count;
    return 0;
}

/* Returns true if every axis of a data set has exactly one scale that can be opened. */
static bool has_scales(hid_t set)
{
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    bool whole = rank >= 0;
    for (int i = 0; whole && i < rank; i++) {
        int count = 0;
        whole = H5DSiterate_scales(set, (unsigned)i, NULL, count_scale, &count) >= 0 && count == 1;
    }
    H5Sclose(space);
    return whole;
}

/* Checks a data set with attached scales. Stops the iteration with -1 if a scale cannot be reached. */
static herr_t look_at(hid_t root, const char *name, const H5O_info_t *info, void *context)
{
    (void)context;
    if (info->type != H5O_TYPE_DATASET || H5Aexists_by_name(root, name, "DIMENSION_LIST", H5P_DEFAULT) == 0) return 0;
    const hid_t set = H5Dopen2(root, name, H5P_DEFAULT);
    const bool whole = set >= 0 && has_scales(set);
    if (set >= 0) H5Dclose(set);
    return whole ? 0 : -1;
}

bool mass_hdf5_scales_whole(int64_t file) { return H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, NULL) >= 0; }
