/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a table of results: data sets that grow by rows. */
#include "io/results/writer.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_ROWS = 256, CHUNK_VALUES = 1 << 16 };

#define check(W, RESULT) mass_hdf5_check(&(W)->out, (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done(&(W)->out, (ID), (CLOSE))

typedef mass_results_writer writer;

/* Returns HDF5's type of a column's values, in memory and in the file. */
static hid_t type_of(const writer *w, const mass_results_column *c)
{
    return c->kind == MASS_RESULTS_INTEGER ? H5T_STD_I64LE : c->kind == MASS_RESULTS_REAL ? H5T_IEEE_F64LE : w->text;
}

/* Returns a column's values. */
static const void *values_of(const mass_results_column *c)
{
    return c->kind == MASS_RESULTS_INTEGER ? (const void *)c->integers
         : c->kind == MASS_RESULTS_REAL    ? (const void *)c->reals : (const void *)c->texts;
}

/* Opens a column's data set. Texts have no checksums, which mass_hdf5_set asks for. */
static hid_t open_set(writer *w, const mass_results_column *c)
{
    return check(w, c->kind == MASS_RESULTS_TEXT ? H5Dopen2(w->group, c->name, H5P_DEFAULT)
                                                 : mass_hdf5_set(w->group, c->name, MASS_HDF5_OURS));
}

/* Makes an empty data set for a column, which grows, in chunks with checksums; those of texts have none. */
static void make_set(writer *w, const mass_results_column *c)
{
    const int rank = c->binned ? 2 : 1;
    const hsize_t width = c->width ? c->width : 1, fit = CHUNK_VALUES / width;
    const hsize_t extent[2] = {0, c->width}, most[2] = {H5S_UNLIMITED, c->width};
    const hsize_t chunk[2] = {fit < 1 ? 1 : fit < CHUNK_ROWS ? fit : CHUNK_ROWS, width};
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE));
    const hid_t space = check(w, H5Screate_simple(rank, extent, most));
    check(w, H5Pset_chunk(list, rank, chunk));
    if (c->kind != MASS_RESULTS_TEXT) check(w, H5Pset_fletcher32(list)); /* texts of any length have no filters */
    check(w, H5Pset_obj_track_times(list, 0));
    if (!w->out.failed)
        done(w, check(w, H5Dcreate2(w->group, c->name, type_of(w, c), space, H5P_DEFAULT, list, H5P_DEFAULT)),
             H5Dclose);
    done(w, space, H5Sclose);
    done(w, list, H5Pclose);
}

/* Extends a column's data set by the new rows. Refuses a set of another rank. */
static void add_rows(writer *w, const mass_results_column *c)
{
    const int rank = c->binned ? 2 : 1;
    const hsize_t extent[2] = {w->before + w->rows, c->width}, from[2] = {w->before, 0}, size[2] = {w->rows, c->width};
    const hid_t set = open_set(w, c);
    check(w, H5Dset_extent(set, extent));
    const hid_t space = check(w, H5Dget_space(set)), memory = check(w, H5Screate_simple(rank, size, NULL));
    if (H5Sget_simple_extent_ndims(space) != rank) mass_hdf5_refused(&w->out, "its columns are of other bins");
    if (!w->out.failed) check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL));
    if (!w->out.failed && c->width > 0)
        check(w, H5Dwrite(set, type_of(w, c), memory, space, H5P_DEFAULT, values_of(c)));
    done(w, memory, H5Sclose);
    done(w, space, H5Sclose);
    done(w, set, H5Dclose);
}

/* Makes the first column the scale of the rows of all others, and gives bins an axis. */
static void put_scales(writer *w)
{
    char name[300];
    const hid_t scale = open_set(w, &w->columns[0]);
    mass_hdf5_make_scale(&w->out, scale, w->columns[0].name);
    for (uint32_t i = 1; i < w->count && !w->out.failed; i++) {
        const mass_results_column *c = &w->columns[i];
        const hid_t set = open_set(w, c);
        mass_hdf5_attach_scale(&w->out, set, scale, 0);
        if (c->binned) {
            snprintf(name, sizeof name, "%s-bin", c->name);
            const hid_t bins = mass_hdf5_put_axis(&w->out, w->group, name, c->width);
            mass_hdf5_attach_scale(&w->out, set, bins, 1);
            done(w, bins, H5Dclose);
        }
        done(w, set, H5Dclose);
    }
    done(w, scale, H5Dclose);
}

/* Lists the coordinates in the group's "coordinates", for xarray; those that exceed 32 KiB are left out. */
static void name_coordinates(writer *w)
{
    char names[1 << 15] = "";
    for (uint32_t i = 1; i < w->count; i++) {
        const size_t used = strlen(names);
        if (w->columns[i].coordinate && used + strlen(w->columns[i].name) + 2 < sizeof names)
            sprintf(names + used, "%s%s", used ? " " : "", w->columns[i].name);
    }
    if (names[0]) mass_hdf5_put_text(&w->out, w->group, "coordinates", names);
}

void mass_results_make_columns(writer *w)
{
    for (uint32_t i = 0; i < w->count && !w->out.failed; i++) make_set(w, &w->columns[i]);
    if (!w->out.failed) put_scales(w);
    if (!w->out.failed) name_coordinates(w);
}

void mass_results_add_columns(writer *w)
{
    for (uint32_t i = 0; i < w->count && !w->out.failed; i++) add_rows(w, &w->columns[i]);
}
