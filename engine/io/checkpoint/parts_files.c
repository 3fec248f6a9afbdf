/* SPDX-License-Identifier: Apache-2.0 */
/* A function that returns bool, and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/parts_files.h"

#include "io/checkpoint/parts.h"
#include "io/hdf5/probe.h"
#include "process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 1 << 24 }; /* bytes read before the time is checked again */

/* Returns seconds of the monotonic clock. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Closes the open part's descriptor, frees what was seen, and zeroes *f. */
void mass_part_files_close(mass_part_files *f)
{
    if (f->file > 0) close(f->file);
    free(f->seen);
    *f = (mass_part_files){0};
}

void mass_part_files_name(const mass_reader *r, const mass_part_files *f, uint64_t rank, char path[PATH_MAX])
{
    char real[PATH_MAX], folder[PATH_MAX]; /* the master may be opened through a link */
    const char *master = realpath(r->c->path, real) ? real : r->c->path, *slash = strrchr(master, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - master) : 1, slash ? master : ".");
    if (!mass_part_name(folder[0] ? folder : "/", r->c->step, f->token, (int32_t)rank, path)) path[0] = '\0';
}

bool mass_part_files_refuse(mass_reader *r, const mass_part_files *f, uint64_t rank, const char *what)
{
    char path[PATH_MAX];
    mass_part_files_name(r, f, rank, path);
    return mass_reader_damaged(r, "its part %s %s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path, what);
}

/* Sets the error by errno after a failed call: a missing part is damage, but an unreadable one is not. Returns
 * false. */
static bool refuse_unread(mass_reader *r, const mass_part_files *f, uint64_t rank)
{
    const int cause = errno;
    char path[PATH_MAX];
    if (cause == ENOENT || cause == ELOOP || cause == ENOTDIR || cause == ENXIO) {
        char what[200];
        snprintf(what, sizeof what, "cannot be read (%s)", strerror(cause));
        return mass_part_files_refuse(r, f, rank, what);
    }
    mass_part_files_name(r, f, rank, path);
    if (r->error->status != MASS_OK) return false;
    r->error->obstacle = cause;
    mass_error_set(r->error, cause == EACCES || cause == EPERM ? MASS_BAD_INPUT : MASS_FAILED,
                   "%s cannot be checked: its part %s cannot be read (%s)", r->c->path,
                   strrchr(path, '/') ? strrchr(path, '/') + 1 : path, strerror(cause));
    return false;
}

/* Opens a part in f->file, sets *facts, and closes the former one. It has to be a regular file, no link, of the
 * master's owner. */
static bool open_part(mass_reader *r, mass_part_files *f, uint64_t rank, struct stat *facts)
{
    char path[PATH_MAX];
    struct stat master;
    if (f->file > 0) close(f->file);
    mass_part_files_name(r, f, rank, path);
    f->rank = rank;
    f->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (f->file < 0) {
        f->file = 0;
        return refuse_unread(r, f, rank);
    }
    if (fstat(f->file, facts) != 0) return refuse_unread(r, f, rank);
    if (!S_ISREG(facts->st_mode))
        return mass_part_files_refuse(r, f, rank, "is not a regular file");
    if (fstat(r->c->source.file, &master) == 0 && facts->st_uid == master.st_uid) return true;
    return mass_part_files_refuse(r, f, rank, "belongs to another user than the checkpoint");
}

bool mass_part_files_survey(mass_reader *r, mass_part_files *f)
{
    bool good = true;
    mass_part_seen *seen = f->seen ? NULL : calloc(f->ranks, sizeof *seen);
    if (f->seen) return true;
    if (!seen) return mass_reader_no_memory(r, f->ranks * sizeof *seen);
    f->bytes = 0;
    for (uint64_t rank = 0; good && rank < f->ranks; rank++) {
        struct stat facts;
        good = open_part(r, f, rank, &facts);
        if (!good) break;
        seen[rank] = (mass_part_seen){facts.st_dev, facts.st_ino, facts.st_size};
        if (__builtin_add_overflow(f->bytes, (uint64_t)facts.st_size, &f->bytes)) f->bytes = UINT64_MAX;
    }
    if (!good) free(seen);
    else f->seen = seen;
    return good;
}

bool mass_part_files_fit(const mass_part_files *f, uint64_t rank, const mass_part_extent *extent, bool repacked)
{
    const uint64_t size = (uint64_t)f->seen[rank].size;
    if (repacked) return extent->bytes / MASS_HDF5_PACKED_MOST <= size;
    return extent->end <= size && extent->bytes <= size;
}

void mass_part_files_limit(mass_part_files *f, bool limited)
{
    f->until = limited ? now() + mass_hdf5_patience(f->bytes) : 0;
}

bool mass_part_files_open(mass_reader *r, mass_part_files *f, uint64_t rank)
{
    const mass_part_seen *seen = &f->seen[rank];
    struct stat facts;
    if (f->file > 0 && f->rank == rank) return true;
    if (!open_part(r, f, rank, &facts)) return false;
    return (facts.st_dev == seen->device && facts.st_ino == seen->node && facts.st_size == seen->size) ||
           mass_part_files_refuse(r, f, rank, "was changed while it was read");
}

bool mass_part_files_in_time(mass_reader *r, const mass_part_files *f)
{
    if (f->until <= 0) return true;
    if (mass_signals_check(r->error) != MASS_OK) return false;
    if (now() <= f->until) return true;
    mass_error_set(r->error, MASS_FAILED, "%s cannot be checked in time: reading its parts has not ended within "
                   "%.0f seconds", r->c->path, mass_hdf5_patience(f->bytes));
    return false;
}

bool mass_part_files_read(mass_reader *r, mass_part_files *f, uint64_t rank, uint64_t at, uint64_t bytes, void *out)
{
    if (!mass_part_files_open(r, f, rank)) return false;
    for (char *to = out; bytes > 0;) {
        if (!mass_part_files_in_time(r, f)) return false;
        const ssize_t got = pread(f->file, to, bytes < AT_ONCE ? bytes : AT_ONCE, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refuse_unread(r, f, rank);
        if (got == 0) return mass_part_files_refuse(r, f, rank, "is too short");
        to += got;
        at += (uint64_t)got;
        bytes -= (uint64_t)got;
    }
    return true;
}
