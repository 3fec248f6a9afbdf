/* SPDX-License-Identifier: Apache-2.0 */
/* The group of the series. Worlds may end at different steps: the axis of steps is that of the longest, and NaN fills
 * the rest, which takes no space where no chunk has a value. */
#include "io/results/writer.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chunk has at least CHUNK_STEPS steps, as the first worlds may end early. */
enum { CHUNK_VALUES = 1 << 13, CHUNK_ROWS = 256, CHUNK_STEPS = 32, STEPS = 1 << 10 };

#define check(W, RESULT) mass_hdf5_check(&(W)->out, (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done(&(W)->out, (ID), (CLOSE))

typedef mass_results_writer writer;

/* Makes an empty data set whose first two axes grow; the third keeps its length. Reals are NaN until they are
 * written. The caller closes it; -1: writing has failed. */
static hid_t make_set(writer *w, const char *name, hid_t type, int rank, const hsize_t chunk[3])
{
    const hsize_t extent[3] = {0, 0, chunk[2]}, most[3] = {H5S_UNLIMITED, H5S_UNLIMITED, chunk[2]};
    const double none = NAN;
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE));
    const hid_t space = check(w, H5Screate_simple(rank, extent, most));
    check(w, H5Pset_chunk(list, rank, chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_obj_track_times(list, 0));
    if (type == H5T_IEEE_F64LE) check(w, H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &none));
    const hid_t set = w->out.failed ? -1
                    : check(w, H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    done(w, space, H5Sclose);
    done(w, list, H5Pclose);
    return set;
}

/* Makes the empty set of a series, with its scales. steps: as many as the first worlds have, or a part of them. */
static void make_series(writer *w, const mass_results_series *s, uint64_t steps, hid_t number, hid_t step)
{
    char name[300];
    const hsize_t width = s->width ? s->width : 1, room = CHUNK_VALUES / width;
    const hsize_t wanted = steps > CHUNK_STEPS ? steps : CHUNK_STEPS;
    const hsize_t along = room < 1 ? 1 : wanted < room ? wanted : room, fit = room / along;
    const hsize_t chunk[3] = {fit < 1 ? 1 : fit < CHUNK_ROWS ? fit : CHUNK_ROWS, along, width};
    const hid_t set = make_set(w, s->name, H5T_IEEE_F64LE, s->binned ? 3 : 2, chunk);
    mass_hdf5_attach_scale(&w->out, set, number, 0);
    mass_hdf5_attach_scale(&w->out, set, step, 1);
    if (s->binned) {
        snprintf(name, sizeof name, "%s-bin", s->name);
        const hid_t bins = mass_hdf5_put_axis(&w->out, w->group, name, width);
        mass_hdf5_attach_scale(&w->out, set, bins, 2);
        done(w, bins, H5Dclose);
    }
    done(w, set, H5Dclose);
}

/* Makes the group, with its columns and empty sets for the steps and each series. Failures are noted in the writer. */
static void make_group(writer *w, const mass_results_source *s, uint64_t steps)
{
    const hsize_t chunk[3] = {STEPS};
    const hid_t list = check(w, H5Pcreate(H5P_GROUP_CREATE));
    check(w, H5Pset_obj_track_times(list, 0));
    w->group = check(w, H5Gcreate2(w->out.file, "series", H5P_DEFAULT, list, H5P_DEFAULT));
    done(w, list, H5Pclose);
    if (w->out.failed) return;
    mass_results_make_columns(w);
    const hid_t number = check(w, mass_hdf5_set(w->group, w->columns[0].name, MASS_HDF5_OURS));
    const hid_t step = make_set(w, "step", H5T_STD_I64LE, 1, chunk);
    mass_hdf5_make_scale(&w->out, step, "step");
    for (uint32_t i = 0; i < s->count && !w->out.failed; i++) make_series(w, &s->list[i], steps, number, step);
    done(w, step, H5Dclose);
    done(w, number, H5Dclose);
}

/* Returns the length of a set of one axis; 0 after a failure. */
static uint64_t length_of(writer *w, const char *name)
{
    const hid_t set = check(w, mass_hdf5_set(w->group, name, MASS_HDF5_OURS));
    const hid_t space = check(w, H5Dget_space(set));
    const hssize_t length = w->out.failed ? 0 : H5Sget_simple_extent_npoints(space);
    done(w, space, H5Sclose);
    done(w, set, H5Dclose);
    return length < 0 ? 0 : (uint64_t)length;
}

/* Extends a set to `extent`, and writes a block of values, of the extents `size`, into it at `from`. */
static void write_block(writer *w, const char *name, hid_t type, int rank, const hsize_t extent[3],
                        const hsize_t from[3], const hsize_t size[3], const void *values)
{
    const hid_t set = check(w, mass_hdf5_set(w->group, name, MASS_HDF5_OURS));
    check(w, H5Dset_extent(set, extent));
    const hid_t space = check(w, H5Dget_space(set)), memory = check(w, H5Screate_simple(rank, size, NULL));
    if (!w->out.failed) check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL));
    if (!w->out.failed) check(w, H5Dwrite(set, type, memory, space, H5P_DEFAULT, values));
    done(w, memory, H5Sclose);
    done(w, space, H5Sclose);
    done(w, set, H5Dclose);
}

/* Reserves disk space for a block of all series, twice its values and two chunks for each. */
static void reserve(writer *w, const mass_results_source *s, uint64_t steps)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < s->count; i++)
        bytes += (2 * w->rows * steps * s->list[i].width + 2 * (uint64_t)CHUNK_VALUES) * sizeof(double);
    check(w, H5Fflush(w->out.file, H5F_SCOPE_LOCAL));
    mass_hdf5_reserve(&w->out, bytes);
}

/* Extends the axis of steps from `before` values to `steps`, which is more. */
static void extend_steps(writer *w, uint64_t every, uint64_t before, uint64_t steps)
{
    const hsize_t extent[3] = {steps}, from[3] = {before}, size[3] = {steps - before};
    int64_t *values = malloc((steps - before) * sizeof *values);
    if (!values) {
        mass_hdf5_failed(&w->out);
        return;
    }
    for (uint64_t i = before; i < steps; i++) values[i - before] = (int64_t)(i * every);
    write_block(w, "step", H5T_STD_I64LE, 1, extent, from, size, values);
    free(values);
}

/* Adds the blocks of all series: the one at hand, and then the next ones. */
static void add_blocks(writer *w, const mass_results_source *s, double *const *values, uint64_t steps)
{
    mass_error error = {0};
    uint64_t longest = length_of(w, "step"), at = 0;
    while (steps > 0 && !w->out.failed) {
        reserve(w, s, steps);
        if (at + steps > longest) extend_steps(w, s->every, longest, at + steps);
        if (at + steps > longest) longest = at + steps;
        for (uint32_t i = 0; i < s->count && !w->out.failed; i++) {
            const mass_results_series *one = &s->list[i];
            const hsize_t extent[3] = {w->before + w->rows, longest, one->width}, from[3] = {w->before, at, 0};
            const hsize_t size[3] = {w->rows, steps, one->width};
            write_block(w, one->name, H5T_IEEE_F64LE, one->binned ? 3 : 2, extent, from, size, values[i]);
        }
        at += steps;
        if (s->next(s->context, &values, &steps, &error) != MASS_OK) mass_hdf5_refused(&w->out, error.text);
    }
}

void mass_results_put_series(writer *w, bool fresh, const mass_results_source *s)
{
    mass_results_column *coordinates = calloc(w->count + 1, sizeof *coordinates);
    double *const *values = NULL;
    uint64_t steps = 0;
    uint32_t count = 0;
    mass_error error = {0};
    if (!coordinates) mass_hdf5_failed(&w->out);
    else if (s->next(s->context, &values, &steps, &error) != MASS_OK) mass_hdf5_refused(&w->out, error.text);
    for (uint32_t i = 0; coordinates && i < w->count; i++) /* the first one is `number` */
        if ((i == 0 || w->columns[i].coordinate) && strcmp(w->columns[i].name, "step") != 0)
            coordinates[count++] = w->columns[i];
    w->columns = coordinates;
    w->count = count;
    if (!w->out.failed && fresh) make_group(w, s, steps);
    else if (!w->out.failed) w->group = check(w, mass_hdf5_group(w->out.file, "series"));
    if (!w->out.failed) mass_results_add_columns(w);
    if (!w->out.failed) add_blocks(w, s, values, steps);
    if (!w->out.failed) done(w, w->group, H5Gclose);
    free(coordinates);
}
