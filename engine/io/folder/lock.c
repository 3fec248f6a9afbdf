/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder/lock.h"

#include "comm/watch.h"
#include "base/identity.h"
#include "io/folder/names.h"
#include "process/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NOTE_BYTES = 1000, TRIES = 100, HOST_SIZE = 65 };

struct mass_folder {
    char path[PATH_MAX];
    const char *kind;
    int folder, lock; /* descriptors; lock: -1 if the file system has no locks */
};

/* The contents of the lock's file: the process that holds the lock, or held it last. */
typedef struct note {
    char writer[MASS_WRITER_SIZE], host[HOST_SIZE], since[24];
    long process;
} note;

/* ---- the note ---- */

static const char note_start[] = "mass-engine lock\n";
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

/* Writes who holds the lock into it: writer, host, process, time. A failure is ignored. */
static void put_note(int lock)
{
    char text[NOTE_BYTES], host[HOST_SIZE], since[24];
    const time_t now = time(NULL);
    struct tm parts;
    mass_host_name(host);
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    const int size = snprintf(text, sizeof text, "%swriter %s\nhost %s\nprocess %ld\nsince %s\n", note_start,
                              mass_writer(), host, (long)getpid(), since);
    /* a reader of half a note gets no name, which does no harm; nor does a missing note */
    if (pwrite(lock, text, (size_t)size, 0) == size && ftruncate(lock, size) != 0) return;
}

/* Reads the note. Returns false if the file is foreign. An empty file, zeros after a loss of power, and a note that
 * is cut off give an empty note. */
static bool get_note(int lock, note *out)
{
    char text[NOTE_BYTES + 1] = "";
    int end = 0;
    *out = (note){0};
    const ssize_t size = pread(lock, text, NOTE_BYTES, 0);
    bool blank = size >= 0 && size < NOTE_BYTES;
    for (ssize_t i = 0; i < size; i++) blank = blank && text[i] == '\0';
    if (blank) return true;
    if (size < 0 || strncmp(text, note_start, sizeof note_start - 1) != 0) return false;
    if (sscanf(text + sizeof note_start - 1,
               "writer %16[0-9a-f]\nhost %64[" LETTERS "]\nprocess %ld\nsince %23[0-9TZ:-]\n%n",
               out->writer, out->host, &out->process, out->since, &end) != 4 || end == 0)
        *out = (note){0};
    return true;
}

/* ---- refusals ---- */

/* Refuses the folder for a write error: MASS_FAILED if its disk is full, else MASS_BAD_USAGE. */
static mass_status cannot_write(const mass_folder *f, int cause, mass_error *error)
{
    return mass_error_set(error, cause == ENOSPC || cause == EDQUOT ? MASS_FAILED : MASS_BAD_USAGE,
                          "cannot write to the %s folder %s: %s: give another as --%s FOLDER", f->kind, f->path,
                          strerror(cause), f->kind);
}

/* Refuses a lock file that this program did not make. */
static mass_status foreign_lock(const mass_folder *f, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s/" MASS_FOLDER_LOCK " is not a lock of this program: move it "
                          "away, or give another --%s FOLDER", f->path, f->kind);
}

/* Refuses a locked folder, and names the holder. Waits up to a tenth of a second, since the holder writes its name
 * just after it has the lock. */
static mass_status refuse_held(const mass_folder *f, int lock, mass_error *error)
{
    note who = {0};
    for (int i = 0; i < 20 && !who.writer[0]; i++) {
        if (i > 0) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        if (!get_note(lock, &who)) return foreign_lock(f, error);
    }
    if (!who.writer[0])
        return mass_error_set(error, MASS_BAD_USAGE, "the %s folder %s is in use by another run: wait for its end, or "
                              "give another as --%s FOLDER", f->kind, f->path, f->kind);
    return mass_error_set(error, MASS_BAD_USAGE, "the %s folder %s is in use by a run on %s, process %ld, since %s: "
                          "wait for its end, or give another as --%s FOLDER", f->kind, f->path, who.host, who.process,
                          who.since, f->kind);
}

/* ---- the lock ---- */

/* Returns true if the name in the folder still is the file that is open. */
static bool same_file(int file, int folder, const char *name)
{
    struct stat held, there;
    return fstat(file, &held) == 0 && fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* Locks a whole file for its descriptor, without waiting. Returns 0 or an errno. */
static int lock_file(int file)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(file, F_OFD_SETLK, &all) != 0)
        if (errno != EINTR) return errno;
    return 0;
}

/* Returns true if the cause is a file system without locks. */
static bool has_no_locks(int cause)
{
    return cause == ENOLCK || cause == ENOSYS || cause == EOPNOTSUPP || cause == EINVAL || cause == EPROTONOSUPPORT;
}

/* Opens the lock's file, which it creates if needed, and checks that it is this program's. Returns -1 with the error
 * set on failure. */
static int open_lock(const mass_folder *f, mass_error *error)
{
    struct stat facts;
    note former;
    const int file = openat(f->folder, MASS_FOLDER_LOCK,
                            O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    if (file < 0) {
        if (errno == ELOOP || errno == EISDIR || errno == ENXIO) foreign_lock(f, error);
        else cannot_write(f, errno, error);
        return -1;
    }
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && get_note(file, &former)) return file;
    foreign_lock(f, error);
    close(file);
    return -1;
}

/* Takes the lock, and refuses a folder whose lock another process holds. Its last holder may remove the file just
 * before this process locks it: then tries with a new one. If the file system has no locks, says so and succeeds
 * without one. */
static mass_status take_lock(mass_folder *f, mass_error *error)
{
    for (int i = 0; i < TRIES; i++) {
        const int file = open_lock(f, error);
        if (file < 0) return error->status;
        const int cause = lock_file(file);
        if (cause == 0 && same_file(file, f->folder, MASS_FOLDER_LOCK)) {
            f->lock = file;
            return MASS_OK;
        }
        if (cause == EAGAIN || cause == EACCES) refuse_held(f, file, error);
        else if (has_no_locks(cause))
            mass_progress_say("mass-engine: the file system of %s has no locks (%s): see that no other run writes "
                              "there", f->path, strerror(cause));
        else if (cause) cannot_write(f, cause, error);
        close(file);
        if (cause) return error->status;
    }
    return mass_error_set(error, MASS_BAD_USAGE, "the %s folder %s is in use by other runs: give another as --%s "
                          "FOLDER", f->kind, f->path, f->kind);
}

/* Removes the lock's file, if it still has its name, unlocks it, and closes the folder. */
static void let_go(mass_folder *f)
{
    if (f->lock >= 0) {
        if (same_file(f->lock, f->folder, MASS_FOLDER_LOCK)) unlinkat(f->folder, MASS_FOLDER_LOCK, 0);
        close(f->lock);
    }
    if (f->folder >= 0) close(f->folder);
    f->lock = f->folder = -1;
}

/* ---- the folder ---- */

/* Makes the folder, unless it exists, and syncs its parent. Makes no parents. */
static mass_status make_folder(const mass_folder *f, mass_error *error)
{
    struct stat facts;
    char why[MASS_WHY_NOT_MADE];
    if (mkdir(f->path, 0777) == 0) {
        char parent[PATH_MAX + 4];
        snprintf(parent, sizeof parent, "%s/..", f->path);
        mass_folder_sync(parent);
    } else if (errno != EEXIST)
        return mass_error_set(error, MASS_BAD_USAGE, "cannot make the %s folder %s: %s", f->kind, f->path,
                              mass_folder_why_not_made(f->path, errno, why));
    if (stat(f->path, &facts) == 0 && !S_ISDIR(facts.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE, "%s is not a folder: give --%s another name", f->path, f->kind);
    return MASS_OK;
}

/* Opens the folder, checks that files can be created in it, and takes its lock. */
static mass_status hold(mass_folder *f, mass_error *error)
{
    f->folder = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0 || faccessat(AT_FDCWD, f->path, W_OK | X_OK, AT_EACCESS) != 0)
        return cannot_write(f, errno, error);
    return take_lock(f, error);
}

/* Takes the folder over: removes the temporary files of a former holder that was killed, and writes this one's note. */
static void move_in(const mass_folder *f)
{
    note former = {0};
    if (f->lock >= 0) get_note(f->lock, &former);
    mass_folder_clean(f->path, former.writer);
    if (f->lock >= 0) put_note(f->lock);
}

const struct dirent *mass_folder_next(DIR *entries)
{
    errno = 0;
    return readdir(entries);
}

mass_status mass_folder_open(const char *path, const char *kind, mass_folder **out, mass_error *error)
{
    mass_folder *f = calloc(1, sizeof *f);
    if (!f) return mass_error_memory(error, sizeof *f, "a folder");
    *f = (mass_folder){.kind = kind, .folder = -1, .lock = -1};
    mass_status status = MASS_OK;
    if (strlen(path) > PATH_MAX - 128)
        status = mass_error_set(error, MASS_BAD_USAGE, "the %s folder's path is too long: give a shorter one", kind);
    else snprintf(f->path, sizeof f->path, "%s", path);
    const char *other = mass_comm_watch_writes(f->path);
    if (status == MASS_OK) status = make_folder(f, error);
    if (status == MASS_OK) status = hold(f, error);
    mass_comm_watch_writes(other);
    if (status != MASS_OK) {
        mass_folder_close(f);
        return status;
    }
    move_in(f);
    *out = f;
    return MASS_OK;
}

void mass_folder_close(mass_folder *f)
{
    if (!f) return;
    let_go(f);
    free(f);
}

bool mass_folder_is(const mass_folder *f, const char *path)
{
    struct stat held, there;
    return fstat(f->folder, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

mass_status mass_folder_check(mass_folder *f, mass_error *error)
{
    mass_error problem = {0};
    if (f->lock < 0 || (mass_folder_is(f, f->path) && same_file(f->lock, f->folder, MASS_FOLDER_LOCK))) return MASS_OK;
    mass_folder again = *f;
    again.folder = again.lock = -1;
    if (hold(&again, &problem) != MASS_OK) {
        let_go(&again);
        return mass_error_set(error, MASS_FAILED, "the folder was taken away: %s", problem.text);
    }
    let_go(f);
    *f = again;
    move_in(f);
    return MASS_OK;
}
