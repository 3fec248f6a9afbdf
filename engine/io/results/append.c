/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a file of results: a new one, or a copy with more rows that replaces it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* copy_file_range */
#endif
#include "io/results/writer.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"
#include "io/hdf5/library.h"
#include "io/hdf5/open.h"
#include "process/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define check(W, RESULT) mass_hdf5_check(&(W)->out, (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done(&(W)->out, (ID), (CLOSE))

typedef mass_results_writer writer;

/* Fills the temporary file with attributes and all columns, without rows. Leaves the group open in w->group. The file
 * stays the one that is locked: another command would remove a file without a lock, as left by a dead writer. */
static void make_file(writer *w, const char *path, const mass_results_head *head)
{
    mass_hdf5_fill(&w->out, path, 0);
    if (w->out.failed) return;
    const uint64_t format = 1, total = (uint64_t)head->total;
    mass_hdf5_put_u64(&w->out, w->out.file, "mass_results", format);
    mass_hdf5_put_u64(&w->out, w->out.file, "seed", head->seed);
    mass_hdf5_put_u64(&w->out, w->out.file, "total", total);
    mass_hdf5_put_text(&w->out, w->out.file, "made", head->made);
    const hid_t list = check(w, H5Pcreate(H5P_GROUP_CREATE));
    check(w, H5Pset_obj_track_times(list, 0));
    w->group = check(w, H5Gcreate2(w->out.file, "sweep", H5P_DEFAULT, list, H5P_DEFAULT));
    done(w, list, H5Pclose);
    mass_results_make_columns(w);
}

/* Writes all bytes. Returns false with errno on failure. */
static bool put_all(int file, const char *bytes, ssize_t size)
{
    for (ssize_t at = 0, put; at < size; at += put)
        if ((put = write(file, bytes + at, (size_t)(size - at))) < 0) return false;
    return true;
}

/* Copies the bytes of a file from its start, by reading and writing. Returns false with errno on failure. */
static bool copy_bytes(int from, int to)
{
    char bytes[1 << 16];
    ssize_t got;
    if (lseek(from, 0, SEEK_SET) != 0 || lseek(to, 0, SEEK_SET) != 0 || ftruncate(to, 0) != 0) return false;
    while ((got = read(from, bytes, sizeof bytes)) > 0)
        if (!put_all(to, bytes, got)) return false;
    return got == 0;
}

/* Copies a whole file into another, in the file system if that can. Returns false with errno on failure. */
static bool copy(const char *path, int to)
{
    const int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return false;
    ssize_t got = copy_file_range(from, NULL, to, NULL, 1 << 24, 0);
    while (got > 0) got = copy_file_range(from, NULL, to, NULL, 1 << 24, 0);
    const bool whole = got == 0 || copy_bytes(from, to);
    const int reason = errno;
    close(from);
    errno = reason;
    return whole;
}

/* Copies the file to a temporary one, and opens that and its group /sweep. */
static void open_copy(writer *w, const char *path, const mass_temporary *t)
{
    if (!copy(path, t->file)) {
        mass_hdf5_failed(&w->out);
        return;
    }
    w->out.file = check(w, mass_hdf5_open_to_append(t->path));
    w->group = w->out.failed ? -1 : check(w, mass_hdf5_group(w->out.file, "sweep"));
}

/* Any file may be replaced: the caller has looked at it. */
static bool may_replace(const void *context, const char *path)
{
    (void)context, (void)path;
    return true;
}

/* Brings the closed file to disk and gives it its name. Does nothing after a failure. */
static void publish(writer *w, const char *temporary, const char *path)
{
    const int file = w->out.failed ? -1 : open(temporary, O_RDONLY | O_CLOEXEC);
    if (w->out.failed) return;
    if (file < 0 || fsync(file) != 0 || !mass_publish(temporary, path, may_replace, NULL)) mass_hdf5_failed(&w->out);
    if (file >= 0) close(file);
}

/* Makes the new file under its temporary name, with all rows, and closes it. Sets head->copied to minus the seconds
 * that the new rows took. */
static void make(writer *w, const char *path, bool fresh, mass_results_head *head,
                 const mass_results_source *series, const mass_temporary *t)
{
    mass_hdf5_start();
    w->text = check(w, H5Tcopy(H5T_C_S1));
    check(w, H5Tset_size(w->text, H5T_VARIABLE));
    check(w, H5Tset_cset(w->text, H5T_CSET_UTF8));
    if (fresh) make_file(w, t->path, head);
    else open_copy(w, path, t);
    const double began = mass_seconds();
    mass_results_add_columns(w);
    done(w, w->group, H5Gclose);
    if (series && !w->out.failed) mass_results_put_series(w, fresh, series);
    head->copied = began - mass_seconds();
    mass_hdf5_close(&w->out);
}

mass_status mass_results_append(const char *path, bool fresh, mass_results_head *head,
                                const mass_results_column *columns, uint32_t count, uint64_t rows,
                                const mass_results_source *series, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    mass_temporary t;
    writer w = {.out = {.file = -1}, .group = -1, .text = -1, .columns = columns, .count = count,
                .before = fresh ? 0 : (uint64_t)head->rows, .rows = rows};
    if (!mass_temporary_make(path, &t))
        return mass_error_set(error, MASS_FAILED, "cannot write --results %s: %s", path,
                              mass_folder_why_not_made(path, errno, why));
    const double began = mass_seconds();
    make(&w, path, fresh, head, series, &t);
    done(&w, w.text, H5Tclose);
    publish(&w, t.path, path);
    mass_temporary_end(&t);
    head->copied += mass_seconds() - began;
    if (!w.out.failed) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "cannot write --results %s: %s", path, w.out.reason);
}
