/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range */
#endif
#include "io/results/results.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"
#include "io/hdf5/library.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_ROWS = 256, CHUNK_VALUES = 1 << 16 };

#define check(W, RESULT) mass_hdf5_check((W), (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done((W), (ID), (CLOSE))

/* A file that is being made. */
typedef struct writer {
    mass_hdf5_writer out;
    hid_t group, text; /* text: the type of texts */
    const mass_results_column *columns;
    uint32_t count;
    uint64_t before, rows; /* rows before, and new ones */
} writer;

/* ---- columns ---- */

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
    return check(&w->out, c->kind == MASS_RESULTS_TEXT ? H5Dopen2(w->group, c->name, H5P_DEFAULT)
                                                       : mass_hdf5_set(w->group, c->name, MASS_HDF5_OURS));
}

/* Makes an empty data set for a column, which grows. */
static void make_set(writer *w, const mass_results_column *c)
{
    const int rank = c->binned ? 2 : 1;
    const hsize_t width = c->width ? c->width : 1, fit = CHUNK_VALUES / width;
    const hsize_t extent[2] = {0, c->width}, most[2] = {H5S_UNLIMITED, c->width};
    const hsize_t chunk[2] = {fit < 1 ? 1 : fit < CHUNK_ROWS ? fit : CHUNK_ROWS, width};
    const hid_t list = check(&w->out, H5Pcreate(H5P_DATASET_CREATE));
    const hid_t space = check(&w->out, H5Screate_simple(rank, extent, most));
    check(&w->out, H5Pset_chunk(list, rank, chunk));
    if (c->kind != MASS_RESULTS_TEXT) check(&w->out, H5Pset_fletcher32(list)); /* texts of any length have no filters */
    check(&w->out, H5Pset_obj_track_times(list, 0));
    if (!w->out.failed)
        done(&w->out, check(&w->out, H5Dcreate2(w->group, c->name, type_of(w, c), space, H5P_DEFAULT, list,
                                                 H5P_DEFAULT)), H5Dclose);
    done(&w->out, space, H5Sclose);
    done(&w->out, list, H5Pclose);
}

/* Adds the new rows of a column. */
static void add_rows(writer *w, const mass_results_column *c)
{
    const int rank = c->binned ? 2 : 1;
    const hsize_t extent[2] = {w->before + w->rows, c->width}, from[2] = {w->before, 0}, size[2] = {w->rows, c->width};
    const hid_t set = open_set(w, c);
    check(&w->out, H5Dset_extent(set, extent));
    const hid_t space = check(&w->out, H5Dget_space(set)), memory = check(&w->out, H5Screate_simple(rank, size, NULL));
    if (H5Sget_simple_extent_ndims(space) != rank) mass_hdf5_refused(&w->out, "its columns are of other bins");
    if (!w->out.failed) check(&w->out, H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL));
    if (!w->out.failed && c->width > 0)
        check(&w->out, H5Dwrite(set, type_of(w, c), memory, space, H5P_DEFAULT, values_of(c)));
    done(&w->out, memory, H5Sclose);
    done(&w->out, space, H5Sclose);
    done(&w->out, set, H5Dclose);
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
            done(&w->out, bins, H5Dclose);
        }
        done(&w->out, set, H5Dclose);
    }
    done(&w->out, scale, H5Dclose);
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

/* ---- the file ---- */

/* Makes a file with all columns, empty. */
static void make_file(writer *w, const char *path, const mass_results_head *head)
{
    mass_hdf5_create(&w->out, path, 0);
    if (w->out.failed) return;
    const uint64_t format = 1, total = (uint64_t)head->total;
    mass_hdf5_put_u64(&w->out, w->out.file, "mass_results", format);
    mass_hdf5_put_u64(&w->out, w->out.file, "seed", head->seed);
    mass_hdf5_put_u64(&w->out, w->out.file, "total", total);
    mass_hdf5_put_text(&w->out, w->out.file, "made", head->made);
    const hid_t list = check(&w->out, H5Pcreate(H5P_GROUP_CREATE));
    check(&w->out, H5Pset_obj_track_times(list, 0));
    w->group = check(&w->out, H5Gcreate2(w->out.file, "sweep", H5P_DEFAULT, list, H5P_DEFAULT));
    done(&w->out, list, H5Pclose);
    for (uint32_t i = 0; i < w->count && !w->out.failed; i++) make_set(w, &w->columns[i]);
    if (!w->out.failed) put_scales(w);
    if (!w->out.failed) name_coordinates(w);
}

/* Copies a whole file into another. False with errno on failure. */
static bool copy(const char *path, int to)
{
    char bytes[1 << 16];
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return false;
    ssize_t got = copy_file_range(from, NULL, to, NULL, 1 << 24, 0);
    while (got > 0) got = copy_file_range(from, NULL, to, NULL, 1 << 24, 0);
    if (got < 0 && lseek(from, 0, SEEK_SET) == 0 && lseek(to, 0, SEEK_SET) == 0 && ftruncate(to, 0) == 0)
        while ((got = read(from, bytes, sizeof bytes)) > 0)
            if (write(to, bytes, (size_t)got) != got) got = -1;
    const int reason = errno;
    close(from);
    errno = reason;
    return got == 0;
}

/* Copies the file to a temporary one, and opens that. */
static void open_copy(writer *w, const char *path, const mass_temporary *t)
{
    if (!copy(path, t->file)) {
        mass_hdf5_failed(&w->out);
        return;
    }
    w->out.file = check(&w->out, mass_hdf5_open_to_append(t->path));
    w->group = w->out.failed ? -1 : check(&w->out, mass_hdf5_group(w->out.file, "sweep"));
}

/* Any file may be replaced: the caller has looked at it. */
static bool may_replace(const void *context, const char *path)
{
    (void)context, (void)path;
    return true;
}

/* Brings the closed file to disk and gives it its name. */
static void publish(writer *w, const char *temporary, const char *path)
{
    const int file = w->out.failed ? -1 : open(temporary, O_RDONLY | O_CLOEXEC);
    if (w->out.failed) return;
    if (file < 0 || fsync(file) != 0 || !mass_publish(temporary, path, may_replace, NULL)) mass_hdf5_failed(&w->out);
    if (file >= 0) close(file);
}

/* Makes the new file under its temporary name. */
static void make(writer *w, const char *path, bool fresh, const mass_results_head *head, const mass_temporary *t)
{
    mass_hdf5_start();
    w->text = check(&w->out, H5Tcopy(H5T_C_S1));
    check(&w->out, H5Tset_size(w->text, H5T_VARIABLE));
    check(&w->out, H5Tset_cset(w->text, H5T_CSET_UTF8));
    if (fresh) make_file(w, t->path, head);
    else open_copy(w, path, t);
    for (uint32_t i = 0; i < w->count && !w->out.failed; i++) add_rows(w, &w->columns[i]);
    done(&w->out, w->group, H5Gclose);
    mass_hdf5_close(&w->out);
}

mass_status mass_results_append(const char *path, bool fresh, const mass_results_head *head,
                                const mass_results_column *columns, uint32_t count, uint64_t rows, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    mass_temporary t;
    writer w = {.out = {.file = -1}, .group = -1, .text = -1, .columns = columns, .count = count,
                .before = fresh ? 0 : (uint64_t)head->rows, .rows = rows};
    if (!mass_temporary_make(path, &t))
        return mass_error_set(error, MASS_FAILED, "cannot write --results %s: %s", path,
                              mass_folder_why_not_made(path, errno, why));
    make(&w, path, fresh, head, &t);
    done(&w.out, w.text, H5Tclose);
    publish(&w, t.path, path);
    mass_temporary_end(&t);
    if (!w.out.failed) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "cannot write --results %s: %s", path, w.out.reason);
}
