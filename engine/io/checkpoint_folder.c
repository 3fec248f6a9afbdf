/* The names in a checkpoint folder: finished checkpoints "ckpt-STEP.h5", STEP of at least 12
 * digits, the series "series.h5", and temporary files ".ckpt-STEP.PROCESS.HOST.tmp" and
 * ".series.PROCESS.HOST.tmp"; and those in a folder of fields: "fields-STEP.h5" and
 * ".fields-STEP.PROCESS.HOST.tmp". */
#include "io/checkpoint_format.h"
#include "io/fields_format.h"
#include "io/series_format.h"

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

static bool name_in(const char *folder, const char *name, char path[PATH_MAX])
{
    const int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return length >= 0 && length < PATH_MAX;
}

bool mass_checkpoint_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "ckpt-%012" PRIu64 ".h5", step);
    return name_in(folder, name, path);
}

/* This machine, in letters that fit a file name. */
static void host_name(char host[65])
{
    if (gethostname(host, 65) != 0) host[0] = '\0';
    host[64] = '\0';
    for (char *c = host; *c; c++)
        if (*c == '/' || (unsigned char)*c <= ' ') *c = '_';
}

bool mass_checkpoint_temporary_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char host[65], name[160];
    host_name(host);
    snprintf(name, sizeof name, ".ckpt-%012" PRIu64 ".%ld.%s.tmp", step, (long)getpid(), host);
    return name_in(folder, name, path);
}

bool mass_series_temporary_name(const char *folder, char path[PATH_MAX])
{
    char host[65], name[160];
    host_name(host);
    snprintf(name, sizeof name, ".series.%ld.%s.tmp", (long)getpid(), host);
    return name_in(folder, name, path);
}

bool mass_fields_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "fields-%012" PRIu64 ".h5", step);
    return name_in(folder, name, path);
}

bool mass_fields_temporary_name(const char *folder, uint64_t step, char path[PATH_MAX])
{
    char host[65], name[160];
    host_name(host);
    snprintf(name, sizeof name, ".fields-%012" PRIu64 ".%ld.%s.tmp", step, (long)getpid(), host);
    return name_in(folder, name, path);
}

bool mass_checkpoint_sync_folder(const char *folder)
{
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return false;
    const bool synced = fsync(file) == 0;
    const int saved = errno;
    close(file);
    errno = saved;
    return synced;
}

/* Reads at least 12 digits, and no leading zero among more. Returns what follows them, or NULL. */
static const char *read_step(const char *text, uint64_t *step)
{
    const size_t digits = strspn(text, "0123456789");
    if (digits < 12 || digits > 20 || (digits > 12 && text[0] == '0')) return NULL;
    char *rest;
    errno = 0;
    *step = strtoull(text, &rest, 10);
    return errno == 0 ? rest : NULL;
}

static bool is_checkpoint(const char *name, uint64_t *step)
{
    if (strncmp(name, "ckpt-", 5) != 0) return false;
    const char *rest = read_step(name + 5, step);
    return rest && strcmp(rest, ".h5") == 0;
}

bool mass_fields_is_name(const char *name, uint64_t *step)
{
    if (strncmp(name, "fields-", 7) != 0) return false;
    const char *rest = read_step(name + 7, step);
    return rest && strcmp(rest, ".h5") == 0;
}

/* ---- temporary files ---- */

static bool is_temporary(const char *name, long *process, char host[65])
{
    uint64_t step;
    const char *rest = strncmp(name, ".series", 7) == 0 ? name + 7
                     : strncmp(name, ".ckpt-", 6) == 0  ? read_step(name + 6, &step)
                     : strncmp(name, ".fields-", 8) == 0 ? read_step(name + 8, &step) : NULL;
    int used = 0;
    if (!rest || sscanf(rest, ".%20ld.%n", process, &used) != 1 || used == 0) return false;
    rest += used;
    const size_t length = strlen(rest);
    if (length < 4 || length > 68 || strcmp(rest + length - 4, ".tmp") != 0) return false;
    memcpy(host, rest, length - 4);
    host[length - 4] = '\0';
    return true;
}

/* Its writer is gone: it is this process, which writes nothing yet, or one of this machine that
 * does not live. Of another machine that is not known, but a day without a change says it. */
static bool is_stale(const char *name, const struct stat *facts)
{
    long process;
    char host[65], here[65];
    if (!is_temporary(name, &process, host)) return false;
    host_name(here);
    if (time(NULL) - facts->st_mtime > 24 * 60 * 60) return true;
    if (strcmp(host, here) != 0) return false;
    return process == (long)getpid() || process <= 0 ||
           (kill((pid_t)process, 0) != 0 && errno == ESRCH);
}

static void sweep(const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries) return;
    for (const struct dirent *e; (e = readdir(entries));) {
        struct stat facts;
        if (fstatat(dirfd(entries), e->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(facts.st_mode) && is_stale(e->d_name, &facts))
            unlinkat(dirfd(entries), e->d_name, 0);
    }
    closedir(entries);
}

static mass_status check_writable(const char *folder, const char *kind, mass_error *error)
{
    char path[PATH_MAX];
    if (!mass_checkpoint_temporary_name(folder, 0, path))
        return mass_error_set(error, MASS_BAD_USAGE,
                              "the %s folder's path is too long: give a shorter one", kind);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return mass_error_set(
            error, errno == ENOSPC || errno == EDQUOT ? MASS_FAILED : MASS_BAD_USAGE,
            "cannot write to the %s folder %s: %s: give another as --%s FOLDER", kind, folder,
            strerror(errno), kind);
    close(file);
    unlink(path);
    return MASS_OK;
}

mass_status mass_checkpoint_prepare(const char *folder, mass_error *error)
{
    return mass_folder_prepare(folder, "checkpoint", error);
}

mass_status mass_folder_prepare(const char *folder, const char *kind, mass_error *error)
{
    struct stat facts;
    if (mkdir(folder, 0777) == 0) {
        char parent[PATH_MAX];
        if (name_in(folder, "..", parent)) mass_checkpoint_sync_folder(parent);
    } else if (errno != EEXIST) {
        return mass_error_set(error, MASS_BAD_USAGE, "cannot make the %s folder %s: %s",
                              kind, folder, strerror(errno));
    }
    if (stat(folder, &facts) == 0 && !S_ISDIR(facts.st_mode))
        return mass_error_set(error, MASS_BAD_USAGE,
                              "%s is not a folder: give --%s another name", folder, kind);
    const mass_status status = check_writable(folder, kind, error);
    if (status == MASS_OK) sweep(folder);
    return status;
}

/* ---- finished checkpoints ---- */

static bool add_name(mass_checkpoint_names *names, const char *folder, const char *name,
                     uint64_t step)
{
    char path[PATH_MAX];
    if (!name_in(folder, name, path)) return true;
    char **paths = realloc(names->paths, (names->count + 1) * sizeof *paths);
    if (paths) names->paths = paths;
    uint64_t *steps = realloc(names->steps, (names->count + 1) * sizeof *steps);
    if (steps) names->steps = steps;
    char *copy = paths && steps ? strdup(path) : NULL;
    if (!copy) return false;
    size_t at = names->count++;
    for (; at > 0 && steps[at - 1] < step; at--) {
        steps[at] = steps[at - 1];
        paths[at] = paths[at - 1];
    }
    steps[at] = step;
    paths[at] = copy;
    return true;
}

mass_status mass_checkpoint_list(const char *folder, mass_checkpoint_names *out, mass_error *error)
{
    *out = (mass_checkpoint_names){0};
    DIR *entries = opendir(folder);
    if (!entries)
        return mass_error_set(error, MASS_BAD_INPUT, "cannot look for checkpoints in %s: %s",
                              folder, strerror(errno));
    bool complete = true;
    for (const struct dirent *e; complete && (e = readdir(entries));) {
        uint64_t step;
        struct stat facts;
        if (is_checkpoint(e->d_name, &step) && fstatat(dirfd(entries), e->d_name, &facts, 0) == 0 &&
            S_ISREG(facts.st_mode))
            complete = add_name(out, folder, e->d_name, step);
    }
    closedir(entries);
    return complete ? MASS_OK : mass_error_memory(error, PATH_MAX, "a list of checkpoints");
}

void mass_checkpoint_names_free(mass_checkpoint_names *names)
{
    for (size_t i = 0; i < names->count; i++) free(names->paths[i]);
    free(names->paths);
    free(names->steps);
    *names = (mass_checkpoint_names){0};
}

static bool is_own(const mass_checkpoint_settings *settings, uint64_t step)
{
    for (size_t i = 0; settings->own && i < settings->own_count; i++)
        if (settings->own[i] == step) return true;
    return !settings->own;
}

void mass_checkpoint_prune(const mass_checkpoint_settings *settings, const char *written)
{
    mass_error ignored = {0};
    mass_checkpoint_names names;
    size_t kept = 0;
    if (settings->keep == 0) return;
    if (mass_checkpoint_list(settings->folder, &names, &ignored) == MASS_OK)
        for (size_t i = 0; i < names.count; i++) {
            if (!is_own(settings, names.steps[i])) continue;
            if (++kept > settings->keep && strcmp(names.paths[i], written) != 0) unlink(names.paths[i]);
        }
    mass_checkpoint_names_free(&names);
}
