/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#include "io/hdf5/writer.h"

#include "model/model.h"
#include "io/folder/made.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/hdf5/library.h"
#include "io/hdf5/open.h"
#include "io/hdf5/scales.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20, RANK_MAX = 5, FRAME_BYTES = 1 << 16 };

int64_t mass_hdf5_check(mass_hdf5_writer *w, int64_t result)
{
    if (result < 0 && !w->failed) {
        w->failed = true;
        mass_hdf5_reason(w->reason);
    }
    return result;
}

void mass_hdf5_failed(mass_hdf5_writer *w)
{
    if (!w->failed) snprintf(w->reason, sizeof w->reason, "%s", strerror(errno));
    w->failed = true;
}

void mass_hdf5_refused(mass_hdf5_writer *w, const char *why)
{
    if (!w->failed) snprintf(w->reason, sizeof w->reason, "%s", why);
    w->failed = true;
}

void mass_hdf5_unreadable(mass_hdf5_writer *w, const char *why)
{
    if (!w->failed) snprintf(w->reason, sizeof w->reason, "it cannot be read back (%.100s)", why);
    w->failed = true;
}

void mass_hdf5_done(mass_hdf5_writer *w, int64_t id, int (*close_id)(int64_t))
{
    if (id >= 0) mass_hdf5_check(w, close_id(id));
}

#define check(W, RESULT) mass_hdf5_check((W), (RESULT))
#define done(W, ID, CLOSE) mass_hdf5_done((W), (ID), (CLOSE))

/* ---- the file ---- */

/* Reserves space. If the file system cannot, the other checks have to do. */
void mass_hdf5_reserve(mass_hdf5_writer *w, size_t bytes)
{
    void *handle = NULL;
    struct stat facts;
    check(w, H5Fget_vfd_handle(w->file, H5P_DEFAULT, &handle));
    if (w->failed || bytes == 0 || fstat(*(const int *)handle, &facts) != 0) return;
    if (fallocate(*(const int *)handle, FALLOC_FL_KEEP_SIZE, facts.st_size, (off_t)bytes) != 0 &&
        (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        mass_hdf5_failed(w);
}

/* Makes a file, or fills the one that is there. HDF5's flags start the library, so they come after mass_hdf5_start. */
static void create(mass_hdf5_writer *w, const char *path, bool there, size_t bytes)
{
    mass_hdf5_start();
    const unsigned flags = there ? H5F_ACC_TRUNC : H5F_ACC_EXCL;
    const hid_t access = check(w, H5Pcreate(H5P_FILE_ACCESS)), list = check(w, H5Pcreate(H5P_FILE_CREATE));
    check(w, H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
    check(w, H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
    check(w, H5Pset_file_locking(access, 0, 1));
    check(w, H5Pset_obj_track_times(list, 0));
    w->file = w->failed ? -1 : check(w, H5Fcreate(path, flags, list, access));
    done(w, list, H5Pclose);
    done(w, access, H5Pclose);
    if (!w->failed) mass_hdf5_reserve(w, bytes + bytes / 64 + FRAME_BYTES);
}

void mass_hdf5_create(mass_hdf5_writer *w, const char *path, size_t bytes)
{
    unlink(path); /* left by a failed attempt */
    create(w, path, false, bytes);
}

void mass_hdf5_fill(mass_hdf5_writer *w, const char *path, size_t bytes) { create(w, path, true, bytes); }

/* Gives back reserved space that was not used. */
static void trim(mass_hdf5_writer *w)
{
    void *handle = NULL;
    struct stat facts;
    if (w->failed || H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0 || H5Fget_vfd_handle(w->file, H5P_DEFAULT, &handle) < 0)
        return;
    const int file = *(const int *)handle;
    if (fstat(file, &facts) == 0 && ftruncate(file, facts.st_size) != 0) return; /* keeping the space does no harm */
}

void mass_hdf5_close(mass_hdf5_writer *w)
{
    trim(w);
    done(w, w->file, H5Fclose);
    w->file = -1;
}

void mass_hdf5_publish(mass_hdf5_writer *w, const char *temporary, const char *path, const char *folder,
                       const mass_ownership *owner)
{
    const int file = w->failed ? -1 : open(temporary, O_RDONLY | O_CLOEXEC);
    if (w->failed) return;
    /* fsync is tried once: after a failure the system no longer knows which pages it could not write */
    w->named = file >= 0 && fsync(file) == 0 && mass_publish(temporary, path, mass_ownership_may_replace, owner);
    if (!w->named && errno == EEXIST) {
        w->failed = true;
        snprintf(w->reason, sizeof w->reason, "the file there is not this run's, and stays: move it away, or "
                 "--force to replace it");
    }
    if (!w->named || !mass_folder_sync(folder)) mass_hdf5_failed(w);
    if (file >= 0) close(file);
}

/* ---- HDF5 attributes ---- */

void mass_hdf5_put(mass_hdf5_writer *w, int64_t at, const char *name, int64_t type, uint64_t count, const void *values)
{
    const hsize_t extent = count;
    const hid_t space = check(w, count ? H5Screate_simple(1, &extent, NULL) : H5Screate(H5S_SCALAR));
    const hid_t a = check(w, H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    check(w, H5Awrite(a, type, values));
    done(w, a, H5Aclose);
    done(w, space, H5Sclose);
}

void mass_hdf5_put_u64(mass_hdf5_writer *w, int64_t at, const char *name, uint64_t value)
{
    mass_hdf5_put(w, at, name, H5T_STD_U64LE, 0, &value);
}

void mass_hdf5_put_text(mass_hdf5_writer *w, int64_t at, const char *name, const char *text)
{
    const hid_t type = check(w, H5Tcopy(H5T_C_S1));
    check(w, H5Tset_size(type, strlen(text) + 1));
    check(w, H5Tset_cset(type, H5T_CSET_UTF8));
    mass_hdf5_put(w, at, name, type, 0, text);
    done(w, type, H5Tclose);
}

/* Writes an HDF5 attribute of the file in place of one with the same name. Does nothing for an empty text, or once the
 * writer has failed. */
static void replace_text(mass_hdf5_writer *w, const char *name, const char *text)
{
    if (!text[0] || w->failed) return;
    if (H5Aexists(w->file, name) > 0) check(w, H5Adelete(w->file, name));
    mass_hdf5_put_text(w, w->file, name, text);
}

void mass_hdf5_put_owner(mass_hdf5_writer *w, const mass_ownership *owner)
{
    if (!owner) return;
    replace_text(w, "identity", owner->facts.identity);
    replace_text(w, "plugin_hash", owner->facts.plugin_hash);
}

void mass_hdf5_put_made(mass_hdf5_writer *w, const mass_ownership *owner)
{
    if (owner && owner->made) replace_text(w, MASS_MADE_NAME, owner->made);
}

void mass_hdf5_put_labels(mass_hdf5_writer *w, int64_t set, const char *const *labels, int rank)
{
    const hid_t type = check(w, H5Tcopy(H5T_C_S1));
    check(w, H5Tset_size(type, H5T_VARIABLE)); /* as in the library's own dimension scales */
    mass_hdf5_put(w, set, "DIMENSION_LABELS", type, (uint64_t)rank, labels);
    done(w, type, H5Tclose);
}

/* ---- data sets ---- */

/* Chooses chunks: whole axes from the innermost on as long as they fit, a part of the next one, and 1 of the others. */
static void choose_chunk(int rank, const uint64_t *extent, size_t element, hsize_t chunk[RANK_MAX])
{
    uint64_t room = CHUNK_BYTES / element;
    for (int i = rank - 1; i >= 0; i--) {
        const uint64_t whole = extent[i] > 0 ? extent[i] : 1;
        chunk[i] = whole < room ? whole : room;
        room = chunk[i] < whole ? 1 : room / chunk[i];
    }
}

int64_t mass_hdf5_put_data(mass_hdf5_writer *w, const char *path, uint32_t type, int rank, const uint64_t *extent,
                           const void *data)
{
    hsize_t extents[RANK_MAX], chunk[RANK_MAX];
    for (int i = 0; i < rank; i++) extents[i] = extent[i];
    choose_chunk(rank, extent, mass_type_size(type), chunk);
    const hid_t list = check(w, H5Pcreate(H5P_DATASET_CREATE)), links = check(w, H5Pcreate(H5P_LINK_CREATE));
    check(w, H5Pset_create_intermediate_group(links, 1));
    check(w, H5Pset_chunk(list, rank, chunk));
    check(w, H5Pset_fletcher32(list));
    check(w, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
    check(w, H5Pset_obj_track_times(list, 0));
    const hid_t space = check(w, H5Screate_simple(rank, extents, NULL));
    const hid_t stored = mass_hdf5_number_type(type);
    const hid_t set = check(w, H5Dcreate2(w->file, path, stored, space, links, list, H5P_DEFAULT));
    if (!w->failed) check(w, H5Dwrite(set, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
    done(w, space, H5Sclose);
    done(w, links, H5Pclose);
    done(w, list, H5Pclose);
    return set;
}

/* Adds 1 to *count if the object is a data set. */
static herr_t count_set(hid_t root, const char *name, const H5O_info_t *info, void *count)
{
    (void)root;
    (void)name;
    *(int64_t *)count += info->type == H5O_TYPE_DATASET;
    return 0;
}

int64_t mass_hdf5_count_sets(const char *path)
{
    int64_t count = 0;
    mass_hdf5_source source;
    mass_error ignored = {0};
    if (mass_hdf5_find(path, MASS_HDF5_OURS, NULL, &source, &ignored) != MASS_OK) return -1;
    const hid_t file = mass_hdf5_open(&source);
    const bool whole = file >= 0 && H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, count_set, &count) >= 0 &&
                       mass_hdf5_scales_whole(file);
    if (file >= 0) H5Fclose(file);
    mass_hdf5_close_source(&source);
    return whole ? count : -1;
}
