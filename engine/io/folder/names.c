/* SPDX-License-Identifier: Apache-2.0 */
#include "io/folder/names.h"

#include "base/identity.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool mass_folder_path(const char *folder, const char *name, char path[PATH_MAX])
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length >= 0 && length < PATH_MAX;
}

/* Returns the length of the parent folder's path, without slashes at its end but for the root; 0 if the path names
 * none. */
static size_t parent_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    while (length > 1 && path[length - 1] == '/') length--;
    return length;
}

/* Writes why a path could not be made to `text`, and returns it; if the parent is missing, says how to make it. */
const char *mass_folder_why_not_made(const char *path, int cause, char text[MASS_WHY_NOT_MADE])
{
    char parent[PATH_MAX];
    struct stat facts;
    snprintf(parent, sizeof parent, "%.*s", (int)parent_length(path), path);
    if (cause == ENOENT && parent[0] && stat(parent, &facts) != 0 && errno == ENOENT)
        snprintf(text, MASS_WHY_NOT_MADE, "%s: its folder is made by mkdir -p %s", strerror(cause), parent);
    else snprintf(text, MASS_WHY_NOT_MADE, "%s", strerror(cause));
    return text;
}

bool mass_checkpoint_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "ckpt-%012" PRIu64 ".h5", step);
    return mass_folder_path(folder, name, path);
}

void mass_host_name(char host[65])
{
    if (gethostname(host, 65) != 0) host[0] = '\0';
    host[64] = '\0';
    for (char *c = host; *c; c++)
        if (*c == '/' || (unsigned char)*c <= ' ' || (unsigned char)*c > '~') *c = '_';
    if (!host[0]) snprintf(host, 65, "unknown");
}

/* Writes the path of ".START.IDENTITY-WRITER.tmp". Returns false if it is too long. */
static bool temporary_in(const char *folder, const char *start, const mass_ownership *owner, char path[PATH_MAX])
{
    char name[160];
    snprintf(name, sizeof name, ".%s.%s-%s.tmp", start, owner ? owner->facts.identity : "", mass_writer());
    return mass_folder_path(folder, name, path);
}

bool mass_checkpoint_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step, char path[PATH_MAX])
{
    char start[40];
    snprintf(start, sizeof start, "ckpt-%012" PRIu64, step);
    return temporary_in(folder, start, owner, path);
}

/* Reads a step of at least 12 digits, without a leading zero if there are more. Returns the rest of the text, or
 * NULL. */
static const char *read_step(const char *text, uint64_t *step)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits < 12 || digits > 20 || (digits > 12 && text[0] == '0')) return NULL;
    char *rest;
    errno = 0;
    *step = strtoull(text, &rest, 10);
    return errno == 0 ? rest : NULL;
}

bool mass_part_name(const char *folder, uint64_t step, const char *token, int32_t rank, char path[PATH_MAX])
{
    char name[100];
    snprintf(name, sizeof name, "ckpt-%012" PRIu64 ".%.32s-%05" PRId32 ".h5", step, token, rank);
    return mass_folder_path(folder, name, path);
}

bool mass_part_temporary_name(const char *folder, const char *identity, const char *writer, int32_t rank,
                              char path[PATH_MAX])
{
    char name[160];
    snprintf(name, sizeof name, ".part-%012" PRId32 ".%.32s-%.16s.tmp", rank, identity, writer);
    return mass_folder_path(folder, name, path);
}

bool mass_part_is_name(const char *name, uint64_t *step, char token[33])
{
    if (strncmp(name, "ckpt-", 5) != 0) return false;
    const char *rest = read_step(name + 5, step);
    if (!rest || *rest != '.' || !mass_is_hex(rest + 1, 32) || rest[33] != '-') return false;
    snprintf(token, 33, "%.32s", rest + 1);
    const size_t digits = strspn(rest + 34, "0123456789");
    return digits >= 5 && strcmp(rest + 34 + digits, ".h5") == 0;
}

bool mass_series_temporary_name(const char *folder, const mass_ownership *owner, char path[PATH_MAX])
{
    return temporary_in(folder, "series", owner, path);
}

bool mass_export_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "fields-%012" PRIu64 ".h5", step);
    return mass_folder_path(folder, name, path);
}

bool mass_export_temporary_name(const char *folder, const mass_ownership *owner, uint64_t step, char path[PATH_MAX])
{
    char start[40];
    snprintf(start, sizeof start, "fields-%012" PRIu64, step);
    return temporary_in(folder, start, owner, path);
}

bool mass_folder_sync(const char *folder)
{
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return false;
    const bool synced = fsync(file) == 0;
    const int saved = errno;
    close(file);
    errno = saved;
    return synced;
}

bool mass_checkpoint_is_name(const char *name, uint64_t *step)
{
    if (strncmp(name, "ckpt-", 5) != 0) return false;
    const char *rest = read_step(name + 5, step);
    return rest && strcmp(rest, ".h5") == 0;
}

bool mass_export_is_name(const char *name, uint64_t *step)
{
    if (strncmp(name, "fields-", 7) != 0) return false;
    const char *rest = read_step(name + 7, step);
    return rest && strcmp(rest, ".h5") == 0;
}

/* ---- temporary files ---- */

/* Returns the rest of a temporary file's name, after "STEP" or "series" and a dot; or NULL. */
static const char *temporary_tail(const char *name)
{
    uint64_t step;
    const char *rest = strncmp(name, ".series", 7) == 0   ? name + 7
                     : strncmp(name, ".ckpt-", 6) == 0    ? read_step(name + 6, &step)
                     : strncmp(name, ".part-", 6) == 0    ? read_step(name + 6, &step)
                     : strncmp(name, ".fields-", 8) == 0  ? read_step(name + 8, &step) : NULL;
    return rest && *rest == '.' ? rest + 1 : NULL;
}

/* Returns true for a name that ends in ".IDENTITY-WRITER.tmp", and sets the writer. */
static bool is_temporary(const char *name, char writer[MASS_WRITER_SIZE])
{
    const char *rest = temporary_tail(name);
    if (rest && mass_is_hex(rest, MASS_IDENTITY_SIZE - 1)) rest += MASS_IDENTITY_SIZE - 1;
    if (!rest || *rest != '-' || !mass_is_hex(rest + 1, MASS_WRITER_SIZE - 1) ||
        strcmp(rest + MASS_WRITER_SIZE, ".tmp") != 0)
        return false;
    snprintf(writer, MASS_WRITER_SIZE, "%s", rest + 1);
    return true;
}

/* Returns true for a name that ends in ".PROCESS.HOST.tmp", as an earlier version wrote it. */
static bool is_old_temporary(const char *name, long *process, char host[65])
{
    const char *rest = temporary_tail(name);
    int used = 0;
    if (!rest || sscanf(rest, "%20ld.%n", process, &used) != 1 || used == 0) return false;
    rest += used;
    const size_t length = strlen(rest);
    if (length < 4 || length > 68 || strcmp(rest + length - 4, ".tmp") != 0) return false;
    memcpy(host, rest, length - 4);
    host[length - 4] = '\0';
    return true;
}

/* Returns true if a temporary file's writer has ended: it is the lock's former holder or this process, or the file is a
 * day old. For an earlier version's file, true if that process no longer runs on this machine. */
static bool is_stale(const char *name, const struct stat *facts, const char *former)
{
    long process;
    char host[65], here[65], writer[MASS_WRITER_SIZE];
    const bool ours = is_temporary(name, writer), old = !ours && is_old_temporary(name, &process, host);
    if (!ours && !old) return false;
    if (time(NULL) - facts->st_mtime > 24 * 60 * 60) return true;
    if (ours) return strcmp(writer, former) == 0 || strcmp(writer, mass_writer()) == 0;
    mass_host_name(here);
    if (strcmp(host, here) != 0) return false;
    return process == (long)getpid() || process <= 0 ||
           (kill((pid_t)process, 0) != 0 && errno == ESRCH);
}

bool mass_part_is_orphan(const char *folder, uint64_t step, const char *token)
{
    mass_run_facts master;
    struct stat facts;
    char path[PATH_MAX];
    if (!mass_checkpoint_name(folder, step, path)) return false;
    if (lstat(path, &facts) != 0) return errno == ENOENT;
    return mass_file_facts(path, &master) == MASS_FILE_CHECKPOINT && strcmp(master.parts, token) != 0;
}

/* Returns true if the name is a part that no checkpoint uses, of this token or left by the former writer. */
static bool is_swept(const char *folder, const char *name, const char *token, const char *former)
{
    mass_run_facts part;
    char path[PATH_MAX], own[33];
    uint64_t step;
    if (!mass_part_is_name(name, &step, own) || !mass_folder_path(folder, name, path) ||
        mass_file_facts(path, &part) != MASS_FILE_PART || strcmp(part.parts, own) != 0)
        return false;
    const bool named = token && strcmp(own, token) == 0;
    const bool left = former && former[0] && strncmp(own, former, MASS_WRITER_SIZE - 1) == 0;
    return (named || left) && mass_part_is_orphan(folder, step, own);
}

void mass_part_sweep(const char *folder, const char *token, const char *former)
{
    DIR *entries = opendir(folder);
    if (!entries) return;
    for (const struct dirent *e; (e = readdir(entries));)
        if (is_swept(folder, e->d_name, token, former)) unlinkat(dirfd(entries), e->d_name, 0);
    closedir(entries);
}

void mass_folder_clean(const char *folder, const char *former)
{
    DIR *entries = opendir(folder);
    if (!entries) return;
    for (const struct dirent *e; (e = readdir(entries));) {
        struct stat facts;
        if (fstatat(dirfd(entries), e->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode) && is_stale(e->d_name, &facts, former))
            unlinkat(dirfd(entries), e->d_name, 0);
    }
    closedir(entries);
    mass_part_sweep(folder, NULL, former);
}
