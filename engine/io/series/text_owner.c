/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/text_owner.h"
#include "io/checkpoint/difference.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAY_OUT ": give another --series, or --force to go on with it"

/* ---- contents of FILE.run ---- */

int mass_series_run_print(const mass_series_run *r, char text[MASS_SERIES_RUN_BYTES])
{
    const mass_run_facts *f = &r->facts;
    return snprintf(text, MASS_SERIES_RUN_BYTES, "mass-engine text series %d\nidentity %s\nrun %s\nplugin %s\n"
                    "seed %" PRIu64 "\nworlds %" PRIu64 "\nfirst_world %" PRIu64 "\nbytes %" PRIu64 "\nhash %s\n%s",
                    r->made ? 2 : 1, f->identity, f->run, f->plugin, f->seed, f->worlds, f->first_world, r->size,
                    r->hash, r->made ? r->made : "");
}

/* Returns true for a text of 32 hexadecimal digits. */
static bool is_hash(const char text[33]) { return strlen(text) == 32 && mass_is_hex(text, 32); }

/* sscanf accepts more than print writes, so the result is printed again and compared. */
bool mass_series_run_parse(const char *text, mass_series_run *out)
{
    char again[MASS_SERIES_RUN_BYTES];
    int version, end = -1;
    mass_run_facts *f = &out->facts;
    *out = (mass_series_run){.facts.known = true};
    const int found = sscanf(text, "mass-engine text series %1d identity %32s run %32s plugin %63s seed %" SCNu64
                             " worlds %" SCNu64 " first_world %" SCNu64 " bytes %" SCNu64 " hash %32s%n", &version,
                             f->identity, f->run, f->plugin, &f->seed, &f->worlds, &f->first_world, &out->size,
                             out->hash, &end);
    if (found == 9 && version == 2 && end > 0 && text[end] == '\n') out->made = text + end + 1;
    return found == 9 && is_hash(f->identity) && is_hash(f->run) && is_hash(out->hash) && out->size <= INT64_MAX &&
           mass_series_run_print(out, again) < MASS_SERIES_RUN_BYTES && strcmp(text, again) == 0;
}

_Static_assert(MASS_NAME_SIZE == 64, "the format of scanf has 63 letters");

/* ---- FILE.run ---- */

/* Returns the path of FILE.run, in the folder of the file itself if FILE is a link. The caller frees it; NULL: out of
 * memory. */
static char *name_of(const char *path)
{
    struct stat facts;
    char *real = lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode) ? realpath(path, NULL) : strdup(path);
    if (!real && errno != ENOMEM) real = strdup(path); /* a link whose target does not exist */
    char *name = real ? malloc(strlen(real) + sizeof ".run") : NULL;
    if (name) sprintf(name, "%s.run", real);
    free(real);
    return name;
}

typedef enum found { ABSENT, FOREIGN, FOUND, UNREADABLE } found;

typedef struct said {
    mass_series_run run;
    char text[MASS_SERIES_RUN_BYTES]; /* the text that `run` was read from */
} said;

/* Reads FILE.run, and checks its form but not its owner. If it is UNREADABLE, errno has the reason. */
static found find(const char *name, said *out)
{
    struct stat facts;
    size_t size = 0;
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return errno == ENOENT ? ABSENT : errno == ELOOP || errno == ENXIO ? FOREIGN : UNREADABLE;
    const bool regular = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    ssize_t got = regular;
    while (size < sizeof out->text && (got > 0 || (got < 0 && errno == EINTR)))
        if ((got = pread(file, out->text + size, sizeof out->text - size, (off_t)size)) > 0) size += (size_t)got;
    const int cause = errno;
    close(file);
    errno = cause;
    if (got < 0) return UNREADABLE;
    if (!regular || size == sizeof out->text) return FOREIGN;
    out->text[size] = '\0';
    return strlen(out->text) == size && mass_series_run_parse(out->text, &out->run) ? FOUND : FOREIGN;
}

/* Decides for mass_publish: a FILE.run of this program may be replaced, even that of another run; with --force, any
 * file. Returns true if so; else sets errno. */
static bool may_replace(const void *owner, const char *name)
{
    said r;
    const found there = ((const mass_ownership *)owner)->force ? FOUND : find(name, &r);
    if (there == FOREIGN || there == ABSENT) errno = EEXIST;
    return there == FOUND;
}

void mass_series_text_disown(const char *path)
{
    said r;
    char *name = name_of(path);
    if (name && find(name, &r) == FOUND) unlink(name);
    free(name);
}

bool mass_series_text_hash(int file, off_t size, XXH3_state_t *out)
{
    char block[1 << 14];
    mass_hash_start(out);
    for (off_t at = 0; at < size;) {
        const size_t most = size - at < (off_t)sizeof block ? (size_t)(size - at) : sizeof block;
        const ssize_t got = pread(file, block, most, at);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO;
        if (got <= 0) return false;
        XXH3_128bits_update(out, block, (size_t)got);
        at += got;
    }
    return true;
}

/* Writes the hash so far as 32 hexadecimal digits. */
static void digest(const XXH3_state_t *state, char hex[33])
{
    uint8_t hash[16];
    mass_hash_digest(state, hash);
    mass_hash_format(hash, hex);
}

/* ---- the owner of a series ---- */

/* Checks that this run's file still begins with the rows that FILE.run counts; reads and hashes them all. */
static mass_status check_rows(const char *path, int file, const mass_series_run *r, mass_error *error)
{
    struct stat facts;
    char hash[33] = "";
    XXH3_state_t *rows = XXH3_createState();
    if (!rows) return mass_error_memory(error, sizeof *rows, "a series");
    bool read = fstat(file, &facts) == 0;
    if (read && r->size > 0 && (uint64_t)facts.st_size >= r->size) {
        read = mass_series_text_hash(file, (off_t)r->size, rows);
        digest(rows, hash);
    }
    const int cause = errno;
    XXH3_freeState(rows);
    if (!read) return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", path, strerror(cause));
    if (r->size == 0 && facts.st_size > 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s was begun by this run, which ended before it knew what of it "
                              "is on disk: remove it, or --force to go on with it", path);
    if (strcmp(hash, r->hash) == 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "%s is not as this run wrote it" WAY_OUT, path);
}

/* Compares FILE.run, whose path is `name`, with the run and with the file. MASS_BAD_INPUT unless both belong to this
 * run. */
static mass_status judge(const char *path, const char *name, int file, const mass_ownership *owner, mass_error *error)
{
    said r;
    char why[MASS_WHY_ANOTHER];
    const found there = find(name, &r);
    if (there == UNREADABLE)
        return mass_error_set(error, MASS_BAD_INPUT, "cannot read %s: %s", name, strerror(errno));
    if (there != FOUND)
        return mass_error_set(error, MASS_BAD_INPUT, "%s is not known to be this run's, as %s %s" WAY_OUT, path, name,
                              there == ABSENT ? "is not there" : "does not say so");
    if (mass_ownership_has(owner, &r.run.facts, why)) return check_rows(path, file, &r.run, error);
    mass_tell_apart(name, &r.run.facts, r.run.made, owner, why);
    return mass_error_set(error, MASS_BAD_INPUT, "%s belongs to another run, %s" WAY_OUT, path, why);
}

mass_status mass_series_text_check_own(const char *path, int file, const mass_ownership *owner, mass_error *error)
{
    char *name = name_of(path);
    if (!name) return mass_error_memory(error, strlen(path), "a series");
    const mass_status status = judge(path, name, file, owner, error);
    free(name);
    return status;
}

/* Returns true if the first `size` bytes of a file can be read, and have at most so many lines. */
static bool has_lines(int file, uint64_t size, uint64_t most_lines)
{
    char bytes[1 << 12];
    uint64_t lines = 0;
    for (uint64_t at = 0; lines <= most_lines && at < size;) {
        const size_t most = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        const ssize_t got = pread(file, bytes, most, (off_t)at);
        if (got <= 0) return false;
        for (ssize_t i = 0; i < got; i++) lines += bytes[i] == '\n';
        at += (uint64_t)got;
    }
    return lines <= most_lines;
}

/* Applies the rule of mass_series_text_was_begun to an open file that no run writes. */
static bool is_begun(const char *path, int file, const mass_series_run *r, const mass_ownership *owner, bool begun)
{
    const size_t length = strlen(path);
    const bool json = length > 6 && strcmp(path + length - 6, ".jsonl") == 0; /* else header and worlds */
    if (strcmp(r->facts.run, owner->facts.run) != 0) return false;
    return (begun && strcmp(r->facts.identity, owner->facts.identity) == 0) ||
           has_lines(file, r->size, json ? 1 : 1 + r->facts.worlds);
}

mass_status mass_series_text_was_begun(const char *path, const mass_ownership *owner, bool begun, bool *out,
                                       mass_error *error)
{
    said r;
    struct stat facts;
    char *name = name_of(path);
    *out = false;
    if (!name) return mass_error_memory(error, strlen(path), "a series");
    const found there = find(name, &r);
    if (there == UNREADABLE) mass_error_unread(error, MASS_BAD_USAGE, name, errno);
    free(name);
    if (there == UNREADABLE) return error->status;
    if (there == FOREIGN) return MASS_OK;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return mass_error_unread(error, MASS_BAD_USAGE, path, errno);
    const bool ended = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    const bool empty = fstat(file, &facts) == 0 && facts.st_size == 0;
    *out = ended && (there == FOUND ? is_begun(path, file, &r.run, owner, begun) : empty);
    close(file);
    return MASS_OK;
}

mass_status mass_series_text_check_free(const char *path, const mass_ownership *owner, mass_error *error)
{
    said r;
    char *name = name_of(path);
    mass_status status = name ? MASS_OK : mass_error_memory(error, strlen(path), "a series");
    const found there = status != MASS_OK || owner->force ? ABSENT : find(name, &r);
    if (there == UNREADABLE) status = mass_error_unread(error, MASS_BAD_USAGE, name, errno);
    if (there == FOREIGN)
        status = mass_error_set(error, MASS_BAD_USAGE, "%s exists, and names no run that writes %s: remove it, "
                                "give another --series, or --force to replace it", name, path);
    free(name);
    return status;
}

/* Writes the note into the temporary file and brings it to disk. False, with errno set, on failure. */
static bool put(const mass_temporary *t, const mass_series_run *r)
{
    char text[MASS_SERIES_RUN_BYTES];
    const size_t size = (size_t)mass_series_run_print(r, text);
    size_t done = 0;
    for (ssize_t more; done < size; done += more > 0 ? (size_t)more : 0) {
        more = write(t->file, text + done, size - done);
        if (more == 0) errno = EIO;
        if (more == 0 || (more < 0 && errno != EINTR)) return false;
    }
    return fsync(t->file) == 0;
}

/* Writes the note of who owns a series and publishes it; then syncs its folder. Changes `name`. Returns false with
 * errno. */
static bool publish(char *name, const mass_ownership *owner, const mass_series_run *r)
{
    mass_temporary t;
    if (!mass_temporary_make(name, &t)) return false;
    const bool good = put(&t, r) && mass_publish(t.path, name, may_replace, owner);
    const int cause = errno;
    mass_temporary_end(&t);
    errno = cause;
    return good && mass_folder_sync(dirname(name));
}

mass_status mass_series_text_own(const char *path, const mass_ownership *owner, off_t size, const XXH3_state_t *rows,
                                 mass_error *error)
{
    mass_series_run r = {.facts = owner->facts, .size = (uint64_t)size, .made = owner->made};
    char *name = name_of(path);
    if (!name) return mass_error_memory(error, strlen(path), "a series");
    digest(rows, r.hash);
    const bool good = publish(name, owner, &r);
    const int cause = errno;
    free(name);
    if (good) return MASS_OK;
    return mass_error_set(error, MASS_FAILED, "cannot write %s.run: %s", path,
                          cause == EEXIST ? "another program made a file there, which stays" : strerror(cause));
}
