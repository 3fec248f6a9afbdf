/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the checkpoints of a folder and removes old ones. */
#include "io/checkpoint/layout.h"
#include "io/checkpoint/survey.h"
#include "io/folder/lock.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Inserts a checkpoint's path, highest step first. Skips a path that is too long. False without memory. */
static bool add_name(mass_checkpoint_names *names, const char *folder, const char *name,
                     uint64_t step)
{
    char path[PATH_MAX];
    if (!mass_folder_path(folder, name, path)) return true;
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
    bool complete = true, seen = true;
    for (const struct dirent *e; complete && seen && (e = mass_folder_next(entries));) {
        uint64_t step;
        struct stat facts;
        if (!mass_checkpoint_is_name(e->d_name, &step)) continue;
        if (fstatat(dirfd(entries), e->d_name, &facts, 0) != 0) seen = errno == ENOENT || errno == ELOOP;
        else if (S_ISREG(facts.st_mode)) complete = add_name(out, folder, e->d_name, step);
    }
    if (complete && errno)
        mass_error_set(error, MASS_FAILED, "cannot look for checkpoints in %s: %s", folder, strerror(errno));
    closedir(entries);
    if (error->status != MASS_OK) return error->status;
    return complete ? MASS_OK : mass_error_memory(error, PATH_MAX, "a list of checkpoints");
}

void mass_checkpoint_names_free(mass_checkpoint_names *names)
{
    for (size_t i = 0; i < names->count; i++) free(names->paths[i]);
    free(names->paths);
    free(names->steps);
    *names = (mass_checkpoint_names){0};
}

/* Returns true if the list has the step. */
static bool has_step(const uint64_t *steps, size_t count, uint64_t step)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i] == step) return true;
    return false;
}

/* Removes a checkpoint and then its parts, if it has some. Ignores failures. */
static void remove_checkpoint(const char *folder, const char *path)
{
    mass_run_facts facts;
    mass_file_facts(path, &facts);
    if (unlink(path) == 0 && facts.parts[0]) mass_part_sweep(folder, facts.parts, NULL);
}

/* Removes the checkpoints of another run, which --force replaces, from those in the folder, and its series.h5. Keeps
 * `written` and this run's own. Ignores failures. */
static void remove_others(const mass_checkpoint_settings *settings, const mass_checkpoint_names *in_folder,
                          const char *written)
{
    char series[PATH_MAX];
    const mass_others *others = settings->others;
    for (size_t i = 0; i < in_folder->count; i++)
        if (has_step(others->steps, others->count, in_folder->steps[i]) && strcmp(in_folder->paths[i], written) != 0 &&
            !has_step(settings->own, settings->own_count, in_folder->steps[i]))
            remove_checkpoint(settings->folder, in_folder->paths[i]);
    if (others->series && mass_folder_path(settings->folder, MASS_SERIES_FILE, series)) unlink(series);
}

void mass_checkpoint_prune(const mass_checkpoint_settings *settings, const char *written)
{
    mass_error ignored = {0};
    mass_checkpoint_names names;
    size_t kept = 0;
    if (settings->keep == 0 && !settings->others) return;
    if (mass_checkpoint_list(settings->folder, &names, &ignored) == MASS_OK) {
        if (settings->others) remove_others(settings, &names, written);
        for (size_t i = 0; settings->keep > 0 && i < names.count; i++) {
            const bool just = strcmp(names.paths[i], written) == 0;
            if (!just && settings->own && !has_step(settings->own, settings->own_count, names.steps[i])) continue;
            if (++kept > settings->keep && !just) remove_checkpoint(settings->folder, names.paths[i]);
        }
    }
    mass_checkpoint_names_free(&names);
}
