/* SPDX-License-Identifier: Apache-2.0 */
/* Writes files of series. A file is replaced, and never appended to: if a run is killed while HDF5 appends to a file,
 * the file is usually broken. New rows are added to a copy, which is brought to disk and renamed. Copying takes time in
 * proportion to the file's size. So rows are collected until twenty times that time has passed, or until they take too
 * much memory. A resumed run makes its first file from rows that it reads, since HDF5 may write only to files that this
 * process made. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range */
#endif
#include "comm/watch.h"
#include "io/folder/ownership.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"
#include "io/series/format.h"
#include "process/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Publishing copies the file, so it waits for at least half a second, and for twenty times as long as the last one
 * took. But waiting rows take at most MEMORY_BYTES and an eighth of the file. */
#define REST_SECONDS 0.5
#define REST_FACTOR 20
enum { MEMORY_BYTES = 64 << 20, CHUNK_BYTES = 1 << 14, WINDOW_BYTES = 1 << 24 };

struct mass_series_writer {
    const mass_series_set *set;
    char path[PATH_MAX], folder[PATH_MAX];
    char source[PATH_MAX]; /* file whose first `kept` rows are kept; "": none */
    const mass_series_contents *found; /* its description, borrowed; NULL once this process has made the file */
    uint64_t kept, stored; /* rows of the file that are kept, and rows that it has */
    uint64_t first, rows, room; /* step of row 0; rows in memory, which follow those kept; their capacity */
    double *values; /* [room], each a row */
    double published, took; /* time of the last publishing, and its seconds */
};

/* ---- rows in memory ---- */

/* Returns how many values a row has, over all worlds. */
static size_t row_values(const mass_series_writer *s) { return mass_series_row_values(s->set); }

mass_status mass_series_create(const mass_series_set *set, const char *folder, const char *source,
                               const mass_series_contents *contents, uint64_t step, mass_series_writer **out,
                                   mass_error *error)
{
    mass_series_writer *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "a series");
    s->set = set;
    const int length = snprintf(s->path, sizeof s->path, "%s/" MASS_SERIES_FILE, folder);
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    if (length >= (int)sizeof s->path) {
        free(s);
        return mass_error_set(error, MASS_BAD_USAGE, "the checkpoint folder's path is too long: give a shorter one");
    }
    if (source && contents->rows > 0) {
        snprintf(s->source, sizeof s->source, "%s", source);
        s->found = contents;
        s->stored = contents->rows;
        s->first = contents->first;
        s->kept = step < s->first ? 0 : (step - s->first) / set->every + 1;
        if (s->kept > s->stored) s->kept = s->stored;
    }
    s->published = mass_seconds();
    *out = s;
    return MASS_OK;
}

void mass_series_free(mass_series_writer *s)
{
    if (!s) return;
    free(s->values);
    free(s);
}

bool mass_series_has(const mass_series_writer *s, uint64_t step)
{
    const uint64_t rows = s->kept + s->rows;
    return rows > 0 && step <= s->first + (rows - 1) * s->set->every;
}

mass_status mass_series_add(mass_series_writer *s, uint64_t step, const double *values, mass_error *error)
{
    const size_t size = row_values(s);
    if (s->rows == s->room) {
        const uint64_t room = s->room ? 2 * s->room : 64;
        double *larger = realloc(s->values, (size_t)room * size * sizeof *larger);
        if (!larger) return mass_error_memory(error, (size_t)room * size * sizeof *larger, "a series");
        s->values = larger;
        s->room = room;
    }
    if (s->kept + s->rows == 0) s->first = step;
    memcpy(s->values + s->rows * size, values, size * sizeof *values);
    s->rows++;
    return MASS_OK;
}

bool mass_series_is_due(const mass_series_writer *s)
{
    const double rest = s->took * REST_FACTOR > REST_SECONDS ? s->took * REST_FACTOR : REST_SECONDS;
    const double bytes = (double)row_values(s) * sizeof(double);
    return s->rows > 0 && (mass_seconds() - s->published >= rest ||
                           (double)s->rows * bytes > MEMORY_BYTES + (double)s->kept * bytes / 8);
}

/* ---- writing a copy ---- */

typedef struct writer {
    mass_hdf5_writer out;
    const mass_series_writer *series;
    hid_t group;
} writer;

/* Marks the writer as failed if an HDF5 result is negative. Returns the result. */
static hid_t check(writer *w, hid_t result) { return mass_hdf5_check(&w->out, result); }

/* Closes an HDF5 object; a failure marks the writer. */
static void done(writer *w, hid_t id, herr_t (*close_id)(hid_t)) { mass_hdf5_done(&w->out, id, close_id); }

/* Writes one number as an HDF5 attribute of the root. */
static void put_u64(writer *w, const char *name, uint64_t value)
{
    mass_hdf5_put_u64(&w->out, w->out.file, name, value);
}

/* Writes one text as an HDF5 attribute. */
static void put_text(writer *w, hid_t at, const char *name, const char *text)
{
    mass_hdf5_put_text(&w->out, at, name, text);
}

/* Returns the labels of a column's axes; of "step" if c is NULL. */
static const char *labels_of(const mass_series_set *set, const mass_series_column *c)
{
    if (!c || mass_series_length(c) == 1) return c ? "row world" : "row";
    return set->worlds == 1 ? "row bin" : "row world bin";
}

/* Makes a data set without rows, in chunks with checksums. c NULL: for the steps. The caller closes it. */
static hid_t make_set(writer *w, const char *name, hid_t type, const mass_series_column *c)
{
    const mass_series_shape shape = mass_series_shape_of(w->series->set, c, 0);
    hsize_t most[3] = {H5S_UNLIMITED}, chunk[3], room = CHUNK_BYTES / 8;
    for (int i = shape.rank - 1; i > 0; i--) {
        most[i] = shape.extent[i];
        chunk[i] = shape.extent[i] < room ? shape.extent[i] : room;
        room /= chunk[i];
    }
    chunk[0] = room;
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE));
    check(w, H5Pset_chunk(list, shape.rank, chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t space = check(w, H5Screate_simple(shape.rank, shape.extent, most));
    const hid_t set = check(w, H5Dcreate2(w->group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    put_text(w, set, "dimension_labels", labels_of(w->series->set, c));
    done(w, space, H5Sclose);
    done(w, list, H5Pclose);
    return set;
}

/* Makes a column's empty set, with its expression and unit, and the range of its bins if it has one. */
static void make_column(writer *w, const mass_series_column *c)
{
    const hid_t set = make_set(w, c->name, H5T_IEEE_F64LE, c);
    put_text(w, set, "expression", c->expression);
    put_text(w, set, "unit", c->unit);
    if (mass_series_length(c) > 1 && c->lo < c->hi) {
        mass_hdf5_put(&w->out, set, "lo", H5T_IEEE_F64LE, 0, &c->lo);
        mass_hdf5_put(&w->out, set, "hi", H5T_IEEE_F64LE, 0, &c->hi);
    }
    done(w, set, H5Dclose);
}

/* Makes a new file without rows: its facts, empty sets and scales. Leaves it open in w. */
static void make_file(writer *w, const char *path)
{
    const mass_series_set *set = w->series->set;
    const hid_t access = check(w, mass_hdf5_file_access()), first = check(w, H5Pcreate(H5P_FILE_CREATE));
    check(w, H5Pset_obj_track_times(first, 0));
    check(w, H5Pset_attr_phase_change(first, 65535, 0)); /* keeps the file's owner at its beginning */
    w->out.file = w->out.failed ? -1 : check(w, H5Fcreate(path, H5F_ACC_EXCL, first, access));
    done(w, first, H5Pclose);
    done(w, access, H5Pclose);
    put_text(w, w->out.file, "format", MASS_SERIES_FORMAT_NAME);
    put_u64(w, "format_version", MASS_SERIES_FORMAT);
    put_text(w, w->out.file, "engine_version", MASS_ENGINE_VERSION);
    put_text(w, w->out.file, "plugin", set->plugin);
    put_text(w, w->out.file, "schema", set->schema);
    put_text(w, w->out.file, "run", set->run);
    put_u64(w, "seed", set->seed);
    put_u64(w, "worlds", (uint64_t)set->worlds);
    put_u64(w, "first_world", (uint64_t)set->first_world);
    put_u64(w, "log_every", set->every);
    mass_hdf5_put_owner(&w->out, set->owner);
    if (set->text[0]) put_text(w, w->out.file, "text", set->text);
    mass_hdf5_put_made(&w->out, set->owner);
    const hid_t list = check(w, H5Pcreate(H5P_GROUP_CREATE));
    check(w, H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    check(w, H5Pset_obj_track_times(list, 0));
    w->group = check(w, H5Gcreate2(w->out.file, "series", H5P_DEFAULT, list, H5P_DEFAULT));
    done(w, list, H5Pclose);
    done(w, make_set(w, "step", H5T_STD_U64LE, NULL), H5Dclose);
    for (uint32_t i = 0; i < set->count; i++) make_column(w, &set->columns[i]);
    if (!w->out.failed) mass_series_put_scales(&w->out, w->group, set);
}

/* Copies a file from its current offset to the end, within the kernel if it can. */
static void copy_bytes(writer *w, int from, int to)
{
    static const size_t part = 1 << 24;
    ssize_t got = copy_file_range(from, NULL, to, NULL, part, 0);
    if (got < 0 && (errno == EXDEV || errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS)) {
        char bytes[1 << 16];
        while ((got = read(from, bytes, sizeof bytes)) > 0)
            for (ssize_t at = 0, put_now; at < got; at += put_now)
                if ((put_now = write(to, bytes + at, (size_t)(got - at))) < 0) {
                    mass_hdf5_failed(&w->out);
                    return;
                }
    }
    while (got > 0) got = copy_file_range(from, NULL, to, NULL, part, 0);
    if (got < 0) mass_hdf5_failed(&w->out);
}

/* Copies the series' file as it was last written to another name, and opens the copy for appending. Failures mark
 * the writer. */
static void copy_file(writer *w, const char *path)
{
    const int from = open(w->series->source, O_RDONLY | O_CLOEXEC);
    const int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (from < 0 || to < 0) mass_hdf5_failed(&w->out);
    else copy_bytes(w, from, to);
    if (from >= 0) close(from);
    if (to >= 0 && close(to) != 0) mass_hdf5_failed(&w->out);
    if (w->out.failed) return;
    w->out.file = check(w, mass_hdf5_open_to_append(path));
    if (!w->out.failed) w->group = check(w, mass_hdf5_group(w->out.file, "series"));
}

/* Flushes the file and reserves disk space for the rows to append. */
static void reserve(writer *w)
{
    const mass_series_writer *s = w->series;
    check(w, H5Fflush(w->out.file, H5F_SCOPE_LOCAL));
    mass_hdf5_reserve(&w->out, s->rows * (row_values(s) + 1) * sizeof(double) +
                                   (s->set->count + 1) * (size_t)CHUNK_BYTES);
}

/* Appends `count` rows in memory to a data set that has `first` rows. c NULL: to the steps. */
static void append(writer *w, const char *name, hid_t type, const mass_series_column *c, uint64_t first,
                   uint64_t count, const void *rows)
{
    const mass_series_writer *s = w->series;
    const mass_series_shape all = mass_series_shape_of(s->set, c, first + count);
    const mass_series_shape added = mass_series_shape_of(s->set, c, count);
    const hsize_t start[3] = {first};
    const hid_t set = check(w, mass_hdf5_set(w->group, name, MASS_HDF5_OURS));
    check(w, H5Dset_extent(set, all.extent));
    if (count > 0 && !w->out.failed) {
        const hid_t memory = check(w, H5Screate_simple(added.rank, added.extent, NULL));
        const hid_t space = check(w, H5Dget_space(set));
        check(w, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, added.extent, NULL));
        if (!w->out.failed) check(w, H5Dwrite(set, type, memory, space, H5P_DEFAULT, rows));
        done(w, space, H5Sclose);
        done(w, memory, H5Sclose);
    }
    done(w, set, H5Dclose);
}

/* Appends the numbers of `count` steps to "step", which has `first` rows. */
static void append_steps(writer *w, uint64_t first, uint64_t count)
{
    const mass_series_writer *s = w->series;
    uint64_t *steps = malloc((count + 1) * sizeof *steps);
    if (!steps) mass_hdf5_failed(&w->out);
    for (uint64_t i = 0; steps && i < count; i++) steps[i] = s->first + (first + i) * s->set->every;
    if (steps) append(w, "step", H5T_STD_U64LE, NULL, first, count, steps);
    free(steps);
}

/* Appends the rows in memory of one column. from: its values in the first row. */
static void append_column(writer *w, const mass_series_column *c, const double *from)
{
    const mass_series_writer *s = w->series;
    const size_t size = row_values(s), own = mass_series_length(c) * (size_t)s->set->worlds;
    double *column = malloc((s->rows * own + 1) * sizeof *column);
    if (!column) mass_hdf5_failed(&w->out);
    for (uint64_t i = 0; column && i < s->rows; i++)
        memcpy(column + i * own, from + i * size, own * sizeof *column);
    if (column) append(w, c->name, H5T_IEEE_F64LE, c, s->kept, s->rows, column);
    free(column);
}

/* Copies the kept rows of one column from the file that was found, window by window. */
static void take_column(writer *w, uint32_t column)
{
    const mass_series_writer *s = w->series;
    const mass_series_column *c = &s->set->columns[column];
    const size_t own = mass_series_length(c) * (size_t)s->set->worlds;
    const uint64_t most = 1 + WINDOW_BYTES / (own * sizeof(double));
    double *rows = malloc((size_t)(s->kept < most ? s->kept : most) * own * sizeof *rows);
    mass_error error = {0};
    if (!rows) mass_hdf5_failed(&w->out);
    for (uint64_t at = 0, some; !w->out.failed && at < s->kept; at += some) {
        some = s->kept - at < most ? s->kept - at : most;
        if (mass_series_read(s->found, column, at, some, rows, &error) != MASS_OK)
            mass_hdf5_unreadable(&w->out, error.text);
        else append(w, c->name, H5T_IEEE_F64LE, c, at, some, rows);
    }
    free(rows);
}

/* Makes a file with the kept rows. It only reads the file that was found: HDF5 never writes to files of other
 * processes. */
static void take_over(writer *w, const char *path)
{
    const mass_series_writer *s = w->series;
    make_file(w, path);
    for (uint64_t at = 0, some; !w->out.failed && at < s->kept; at += some) {
        some = s->kept - at < WINDOW_BYTES / sizeof(uint64_t) ? s->kept - at : WINDOW_BYTES / sizeof(uint64_t);
        append_steps(w, at, some);
    }
    for (uint32_t c = 0; !w->out.failed && c < s->set->count; c++) take_column(w, c);
}

/* Appends all rows that the series holds to every set. */
static void append_all(writer *w)
{
    const mass_series_set *set = w->series->set;
    const double *from = w->series->values;
    append_steps(w, w->series->kept, w->series->rows);
    for (uint32_t c = 0; !w->out.failed && c < set->count; c++) {
        append_column(w, &set->columns[c], from);
        from += mass_series_length(&set->columns[c]) * (size_t)set->worlds;
    }
}

/* Marks the writer as failed if a set's scale cannot be reached in the written file. */
static void check_scales(writer *w, const mass_series_contents *c)
{
    const hid_t file = mass_hdf5_open(&c->source);
    if (file < 0 || !mass_hdf5_scales_whole(file)) mass_hdf5_unreadable(&w->out, "an axis leads nowhere");
    if (file >= 0) H5Fclose(file);
}

/* Reads the closed copy back, except its values: HDF5 1.10 may close a file without an error although its writes
 * failed. */
static void read_back(writer *w, const char *path)
{
    const mass_series_writer *s = w->series;
    mass_series_contents c;
    mass_error error = {0};
    if (w->out.failed) return;
    const bool whole = mass_series_describe(path, &c, &error) == MASS_OK && c.rows == s->kept + s->rows &&
                       (c.rows == 0 || c.first == s->first) && mass_series_same(&c.set, s->set);
    if (!whole) mass_hdf5_unreadable(&w->out, error.text);
    else if (s->kept == 0 || s->found) check_scales(w, &c); /* a copied file has its scales already */
    mass_series_contents_free(&c);
}

/* Writes the series to the temporary, behind its kept rows, checks it by reading, and publishes it. Failure removes
 * the temporary. */
static bool write_copy(mass_series_writer *s, const char *temporary, char reason[200])
{
    writer w = {.out = {.file = -1}, .series = s, .group = -1};
    unlink(temporary);
    if (s->kept > 0 && s->found) take_over(&w, temporary);
    else if (s->kept > 0) copy_file(&w, temporary);
    else make_file(&w, temporary);
    if (!w.out.failed) reserve(&w);
    if (!w.out.failed) append_all(&w);
    done(&w, w.group, H5Gclose);
    done(&w, w.out.file, H5Fclose);
    read_back(&w, temporary);
    mass_hdf5_publish(&w.out, temporary, s->path, s->folder, s->set->owner);
    if (w.out.failed) unlink(temporary);
    memcpy(reason, w.out.reason, sizeof w.out.reason);
    return !w.out.failed;
}

mass_status mass_series_publish(mass_series_writer *s, mass_error *error)
{
    char temporary[PATH_MAX], reason[200];
    const double began = mass_seconds();
    if (s->rows == 0 && s->kept == s->stored && strcmp(s->source, s->path) == 0) return MASS_OK;
    if (!mass_series_temporary_name(s->folder, s->set->owner, temporary))
        return mass_error_set(error, MASS_BAD_USAGE, "the checkpoint folder's path is too long: give a shorter one");
    mass_hdf5_start();
    const char *other = mass_comm_watch_writes(s->path);
    const bool written = write_copy(s, temporary, reason);
    mass_comm_watch_writes(other);
    s->published = mass_seconds();
    s->took = s->published - began;
    if (!written) return mass_error_set(error, MASS_FAILED, "cannot write %s: %s", s->path, reason);
    s->kept = s->stored = s->kept + s->rows;
    s->rows = 0;
    memcpy(s->source, s->path, sizeof s->source);
    s->found = NULL;
    return MASS_OK;
}
