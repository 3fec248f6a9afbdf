/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are brought to disk before the checkpoint that relies on them. So a resumed run finds all rows up to its step. A
 * failed fsync marks pages as clean. Before the next try, the rows after the last good sync are read back, compared
 * with the hash of what was written, and written again. FILE.run (text_owner.h) is replaced after rows are on disk, and
 * before a text is cut. So it never claims more rows than there are. */
#include "io/series/text.h"
#include "comm/watch.h"
#include "base/memory_stream.h"
#include "io/folder/names.h"
#include "io/series/text_found.h"
#include "io/series/text_owner.h"
#include "io/series/text_rows.h"
#include "process/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK = 50, PATIENCE = 20 }; /* ms between checks of a reader; most checks once the run is to end */

struct mass_series_text {
    const mass_series_set *set;
    mass_series_set plain; /* a copy without parameters; `set` points to it if a resumed file has none */
    const char *path;
    bool json, regular, exclusive; /* exclusive: the file must not exist */
    bool kept;             /* a run may resume with the file, so FILE.run stores its owner */
    int file;
    off_t end;             /* end of the last complete row in the file */
    bool has_rows;
    uint64_t last;         /* step of the last row */
    char *waiting;         /* rows that are not written yet */
    size_t waiting_size;
    int looks;             /* checks of a reader that takes nothing, while the run is to end */
    bool left;             /* the reader has closed the pipe */
    off_t synced;          /* the bytes before it survive a loss of power */
    XXH3_state_t *rest;    /* hash of the bytes after `synced` */
    off_t owned;           /* FILE.run covers the bytes before it; -1: none */
    XXH3_state_t *all;     /* hash of all rows in the file */
    bool named, torn;      /* named: the file's name is on disk; torn: a sync failed, and pages may be lost */
};

/* ---- the file ---- */

/* Returns true if the text has this ending and more before it. */
static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Sets the error for a failed write, from errno. */
static mass_status refuse(const mass_series_text *t, mass_status status, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    return mass_error_set(error, status, "cannot write %s: %s", t->path,
                          mass_folder_why_not_made(t->path, errno, why));
}

/* Makes the first line of a .csv; the caller frees it. */
static mass_status make_header(const mass_series_set *set, char **header, size_t *size, mass_error *error)
{
    FILE *to = mass_memory_stream(header, size);
    if (to) mass_series_text_put_header(to, set);
    return to && fclose(to) == 0 ? MASS_OK : mass_error_memory(error, 1, "a series");
}

/* Reads the whole existing file, and finds where the rows up to `step` end. Refuses a file of another kind. */
static mass_status look_for(mass_series_text *t, const mass_series_set *set, uint64_t step,
                            mass_series_text_found *found, mass_error *error)
{
    char *header = NULL;
    size_t size;
    if (lseek(t->file, 0, SEEK_SET) != 0) return refuse(t, MASS_BAD_USAGE, error);
    mass_status status = t->json ? MASS_OK : make_header(set, &header, &size, error);
    if (status == MASS_OK) status = mass_series_text_find(set, t->path, t->file, header, step, found, error);
    free(header);
    return status;
}

/* Checks the owner of the rows before t->end, and computes their hash, t->all. Anybody may use an empty file. */
static mass_status take_over(mass_series_text *t, mass_error *error)
{
    struct stat facts;
    if (fstat(t->file, &facts) != 0) return refuse(t, MASS_BAD_INPUT, error);
    const mass_ownership *owner = t->set->owner;
    if (t->kept && !owner->force && facts.st_size > 0 &&
        mass_series_text_check_own(t->path, t->file, owner, error) != MASS_OK)
        return error->status;
    if (mass_series_text_hash(t->file, t->end, t->all)) return MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", t->path, strerror(errno));
}

/* Opens the file of a resumed run and keeps it open, so that the checked file is the one written to. Also accepts rows
 * without parameters, as earlier versions wrote them. */
static mass_status open_resumed(mass_series_text *t, uint64_t step, mass_error *error)
{
    mass_series_text_found found = {0};
    mass_error ignored = {0};
    t->file = open(t->path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (t->file < 0) return refuse(t, MASS_BAD_USAGE, error);
    mass_status status = look_for(t, t->set, step, &found, error);
    if (status == MASS_BAD_INPUT && t->set->parameters.count > 0 &&
        look_for(t, &t->plain, step, &found, &ignored) == MASS_OK) {
        t->set = &t->plain;
        *error = (mass_error){0};
        status = MASS_OK;
    }
    t->end = found.end;
    t->has_rows = found.has_rows;
    t->last = found.last;
    return status == MASS_OK ? take_over(t, error) : status;
}

/* Sets *json by the file's ending, and refuses any but .csv and .jsonl. */
static mass_status check_name(const char *path, bool *json, mass_error *error)
{
    *json = ends_with(path, ".jsonl");
    if (*json || ends_with(path, ".csv")) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--series %s ends neither in .csv nor in .jsonl", path);
}

mass_status mass_series_text_create(const mass_series_set *set, const char *path, const mass_series_text_start *start,
                                    mass_series_text **out, mass_error *error)
{
    const bool resumed = start->resumed;
    bool json, force = set->owner && set->owner->force;
    struct stat facts;
    if (check_name(path, &json, error) != MASS_OK) return error->status;
    const bool there = stat(path, &facts) == 0;
    if (there && S_ISDIR(facts.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE, "--series %s is a folder", path);
    if (there && S_ISREG(facts.st_mode) && !resumed && !force && set->owner && start->kept &&
        mass_series_text_was_begun(path, set->owner, start->begun, &force, error) != MASS_OK)
        return error->status;
    if (there && S_ISREG(facts.st_mode) && !resumed && !force)
        return mass_error_set(error, MASS_BAD_USAGE, "--series %s exists: remove it, give another name, or --force "
                              "to replace it", path);
    mass_series_text *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "a series");
    *t = (mass_series_text){.set = set, .path = path, .json = json, .kept = set->owner && start->kept, .file = -1,
                            .regular = !there || S_ISREG(facts.st_mode), .exclusive = !there && !force,
                            .rest = XXH3_createState(), .all = XXH3_createState(), .owned = -1, .plain = *set};
    t->plain.parameters = (mass_parameters){0};
    mass_status status = t->rest && t->all ? MASS_OK : mass_error_memory(error, sizeof *t, "a series");
    if (status == MASS_OK) mass_hash_start(t->all);
    if (status == MASS_OK && resumed && there && t->regular) status = open_resumed(t, start->step, error);
    if (status == MASS_OK && t->kept && t->regular) status = mass_series_text_check_free(path, set->owner, error);
    if (status == MASS_OK) *out = t;
    else mass_series_text_free(t);
    return status;
}

void mass_series_text_free(mass_series_text *t)
{
    if (!t) return;
    if (t->file >= 0) close(t->file);
    XXH3_freeState(t->rest);
    XXH3_freeState(t->all);
    free(t->waiting);
    free(t);
}

/* Sleeps for LOOK milliseconds. */
static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = LOOK * 1000000}, NULL); }

/* Opens the file, or makes it. Waits for a named pipe's reader, until a signal ends the run. Sets t->regular, and
 * locks a regular file: so other runs see that this one is alive. */
static mass_status open_file(mass_series_text *t, mass_error *error)
{
    struct stat facts;
    const int mode = !t->regular ? O_WRONLY : O_RDWR | O_CREAT | (t->exclusive ? O_EXCL : 0);
    while ((t->file = open(t->path, mode | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666)) < 0) {
        const int reason = errno;
        const bool waits = reason == ENXIO && stat(t->path, &facts) == 0 && S_ISFIFO(facts.st_mode);
        errno = reason;
        if (reason == EEXIST)
            return mass_error_set(error, MASS_BAD_USAGE, "cannot write %s: it is a link to nowhere, or another program "
                                  "has just made it: remove it, or give another --series", t->path);
        if (!waits && reason != EINTR)
            return refuse(t, reason == ENOSPC || reason == EDQUOT ? MASS_FAILED : MASS_BAD_USAGE, error);
        if (mass_signals_check(error) != MASS_OK) return error->status;
        nap();
    }
    if (fstat(t->file, &facts) != 0) return refuse(t, MASS_FAILED, error);
    t->regular = S_ISREG(facts.st_mode);
    if (t->regular) flock(t->file, LOCK_EX | LOCK_NB); /* shows other runs that this run is alive */
    return MASS_OK;
}

/* Adds text to the rows that are not written yet. On failure these stay. */
static mass_status wait_with(mass_series_text *t, const char *text, size_t size, mass_error *error)
{
    if (size == 0) return MASS_OK;
    char *larger = realloc(t->waiting, t->waiting_size + size);
    if (!larger) return mass_error_memory(error, t->waiting_size + size, "a series");
    memcpy(larger + t->waiting_size, text, size);
    t->waiting = larger;
    t->waiting_size += size;
    return MASS_OK;
}

/* Stores the file's owner and end, which is on disk, in FILE.run; does nothing if that is unchanged or not kept. */
static mass_status own(mass_series_text *t, mass_error *error)
{
    if (!t->kept || !t->regular || t->owned == t->end) return MASS_OK;
    const mass_status status = mass_series_text_own(t->path, t->set->owner, t->end, t->all, error);
    if (status == MASS_OK) t->owned = t->end;
    return status;
}

/* Stores the owner before anything is cut: the run may be killed just after that. */
mass_status mass_series_text_begin(mass_series_text *t, mass_error *error)
{
    char *header = NULL;
    size_t size = 0;
    mass_status status = t->file < 0 ? open_file(t, error) : MASS_OK;
    if (status == MASS_OK) status = own(t, error);
    if (status != MASS_OK) return status;
    if (!t->kept && t->regular) mass_series_text_disown(t->path);
    if (t->regular && (ftruncate(t->file, t->end) != 0 || lseek(t->file, t->end, SEEK_SET) != t->end))
        return refuse(t, MASS_FAILED, error);
    t->synced = t->end; /* the run that wrote these rows has synced them, before its checkpoint */
    XXH3_64bits_reset(t->rest);
    if (t->json || t->end > 0) return MASS_OK;
    status = make_header(t->set, &header, &size, error);
    if (status == MASS_OK) status = wait_with(t, header, size, error);
    free(header);
    return status == MASS_OK ? mass_series_text_flush(t, error) : status;
}

bool mass_series_text_has(const mass_series_text *t, uint64_t step) { return t->has_rows && step <= t->last; }

/* ---- writing ---- */

/* Returns how many of the first `size` waiting bytes are complete rows, or the header alone. */
static size_t whole_rows(const mass_series_text *t, size_t size)
{
    const size_t lines_of_row = t->json ? 1 : (size_t)t->set->worlds, header = !t->json && t->end == 0;
    size_t lines = 0, whole = 0;
    for (size_t i = 0; i < size; i++)
        if (t->waiting[i] == '\n' && ++lines >= header && (lines - header) % lines_of_row == 0) whole = i + 1;
    return whole;
}

/* Waits a little for a reader that takes nothing. Returns false about a second after the run was asked to end. */
static bool waits(mass_series_text *t)
{
    struct pollfd p = {.fd = t->file, .events = POLLOUT};
    if (mass_signals_end() && t->looks++ >= PATIENCE) return false;
    poll(&p, 1, LOOK);
    return true;
}

/* Writes as write() does, but never returns 0. Tries again after a signal, and waits for a slow reader. */
static ssize_t put(mass_series_text *t, const char *bytes, size_t size)
{
    for (;;) {
        const ssize_t done = write(t->file, bytes, size);
        if (done > 0) {
            t->looks = 0;
            return done;
        }
        if (done == 0) errno = EIO;
        if (errno != EINTR && (errno != EAGAIN || !waits(t))) return -1;
    }
}

/* Writes the waiting rows. On failure, keeps complete rows in the file and removes the rest, if the file is regular. */
mass_status mass_series_text_flush(mass_series_text *t, mass_error *error)
{
    size_t done = 0;
    ssize_t more = 0;
    errno = EPIPE;
    if (t->left) {
        t->waiting_size = 0; /* the reader is gone */
        return refuse(t, MASS_FAILED, error);
    }
    const char *other = mass_comm_watch_writes(t->path);
    while (done < t->waiting_size && (more = put(t, t->waiting + done, t->waiting_size - done)) > 0)
        done += (size_t)more;
    const int reason = errno;
    mass_comm_watch_writes(other);
    const bool whole = done == t->waiting_size;
    t->left = !whole && reason == EPIPE;
    if (!whole && t->regular) done = whole_rows(t, done);
    if (t->left) done = t->waiting_size; /* the reader is gone */
    if (done > 0) XXH3_64bits_update(t->rest, t->waiting, done);
    if (done > 0) XXH3_128bits_update(t->all, t->waiting, done);
    t->end += (off_t)done;
    t->waiting_size -= done;
    if (t->waiting_size > 0) memmove(t->waiting, t->waiting + done, t->waiting_size);
    if (whole) return MASS_OK;
    if (t->regular && (ftruncate(t->file, t->end) != 0 || lseek(t->file, t->end, SEEK_SET) < 0))
        return refuse(t, MASS_FAILED, error);
    errno = reason;
    return refuse(t, MASS_FAILED, error);
}

mass_status mass_series_text_add(mass_series_text *t, uint64_t step, const double *values, mass_error *error)
{
    char *row = NULL;
    size_t size = 0;
    FILE *to = mass_memory_stream(&row, &size);
    if (to) (t->json ? mass_series_text_put_json : mass_series_text_put_csv)(to, t->set, step, values);
    const bool made = to && fclose(to) == 0;
    const mass_status status = made ? wait_with(t, row, size, error) : mass_error_memory(error, 1, "a series");
    free(row);
    if (status != MASS_OK) return status;
    t->last = step;
    t->has_rows = true;
    return mass_series_text_flush(t, error);
}

/* ---- to disk ---- */

/* Makes the file's name durable in its folder, once. False, with errno set, on failure. */
static bool sync_name(mass_series_text *t)
{
    char *path = t->named ? NULL : realpath(t->path, NULL);
    if (!t->named) t->named = path && mass_folder_sync(dirname(path));
    free(path);
    return t->named;
}

/* Writes the unsynced rows again: a failed sync has marked their pages as clean, so only new writes reach the disk.
 * False, with errno, on failure, and if the rows in the file are not those written. */
static bool write_again(mass_series_text *t)
{
    char block[1 << 14];
    XXH3_state_t *again = XXH3_createState();
    off_t at = t->synced;
    bool good = again && XXH3_64bits_reset(again) == XXH_OK;
    while (good && at < t->end) {
        const size_t size = t->end - at < (off_t)sizeof block ? (size_t)(t->end - at) : sizeof block;
        good = pread(t->file, block, size, at) == (ssize_t)size && pwrite(t->file, block, size, at) == (ssize_t)size;
        if (good) XXH3_64bits_update(again, block, size);
        at += (off_t)size;
    }
    if (good && XXH3_64bits_digest(again) != XXH3_64bits_digest(t->rest)) {
        good = false;
        errno = EIO;
    }
    XXH3_freeState(again);
    return good;
}

/* Writes the waiting rows, brings them and the file's name to disk, and then stores the file's owner. Repeats rows
 * of a failed sync. Does nothing more if all this is done. */
static mass_status sync_rows(mass_series_text *t, mass_error *error)
{
    const mass_status status = mass_series_text_flush(t, error);
    if (status != MASS_OK || (t->named && t->synced == t->end && t->owned == t->end))
        return status;
    if (t->torn && !write_again(t)) return refuse(t, MASS_FAILED, error);
    t->torn = fsync(t->file) != 0;
    if (t->torn || !sync_name(t)) return refuse(t, MASS_FAILED, error);
    t->synced = t->end;
    XXH3_64bits_reset(t->rest);
    return own(t, error);
}

mass_status mass_series_text_sync(mass_series_text *t, mass_error *error)
{
    if (!t->regular) return MASS_OK;
    const char *other = mass_comm_watch_writes(t->path);
    const mass_status status = sync_rows(t, error);
    mass_comm_watch_writes(other);
    return status;
}
