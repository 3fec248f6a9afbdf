/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/survey.h"

#include "io/checkpoint/checkpoint.h"
#include "io/checkpoint/difference.h"
#include "io/folder/lock.h"
#include "io/folder/names.h"
#include "process/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct survey {
    mass_ownership *owner;
    mass_others *others;
    mass_error *error;
    char identity[MASS_IDENTITY_SIZE]; /* this run's earlier identity, or "" */
    bool said, has_own; /* said: a file without identity was reported; has_own: this run has a checkpoint */
} survey;

/* Refuses to replace a file that this program did not write. */
static mass_status refuse_foreign(const char *path, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s was not written by this program: move it away, give another "
                          "--checkpoint folder, or --force to replace it", path);
}

/* Takes a file of this run: uses its identity. If it has none, reports that once; a resumed run has reported it. */
static void take_own(survey *s, const char *path, const mass_run_facts *facts)
{
    if (facts->identity[0]) {
        if (!s->identity[0]) memcpy(s->identity, facts->identity, sizeof s->identity);
    } else if (!s->said && !s->owner->resumed) {
        mass_progress_say("mass-engine: %s is of a version that gave runs no identity; it is taken as this run's",
                          path);
        s->said = true;
    }
}

/* Appends a step of another run's checkpoints, which this run may replace. */
static mass_status add_other(survey *s, uint64_t step)
{
    mass_others *o = s->others;
    uint64_t *larger = realloc(o->steps, (o->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(s->error, (o->count + 1) * sizeof *larger, "a list of checkpoints");
    o->steps = larger;
    o->steps[o->count++] = step;
    return MASS_OK;
}

/* Takes one file as this run's, as another run's to replace, or refuses it. A damaged file may be checked in a
 * subprocess. */
static mass_status look_at_checkpoint(survey *s, const char *path, uint64_t step)
{
    mass_run_facts facts;
    mass_error problem = {0};
    char why[MASS_WHY_ANOTHER];
    const mass_ownership *owner = s->owner;
    const mass_file_kind kind = mass_file_facts(path, &facts);
    if (kind == MASS_FILE_UNREAD && !owner->resumed && !owner->force)
        return mass_error_unread(s->error, MASS_BAD_USAGE, path, errno);
    if (kind != MASS_FILE_CHECKPOINT)
        return owner->resumed || owner->force ? MASS_OK : refuse_foreign(path, s->error);
    if (mass_ownership_has(owner, &facts, why)) {
        take_own(s, path, &facts);
        s->has_own = true;
        return MASS_OK;
    }
    if (owner->force) return add_other(s, step);
    /* a damaged file may name any run, and a resumed run ignores it */
    const mass_status status = owner->resumed ? mass_checkpoint_probe(path, &problem) : MASS_OK;
    if (status == MASS_BAD_INPUT && !problem.obstacle) return MASS_OK;
    if (status != MASS_OK) return mass_error_set(s->error, status, "%s", problem.text);
    mass_tell_apart(path, &facts, NULL, owner, why);
    return mass_ownership_refuse(path, "checkpoint", why, s->error);
}

/* Looks at series.h5: takes this run's; marks another run's for replacement, or refuses it without --force. Leaves
 * what is no series. Sets others->begun. Call it after look_at_entries. */
static mass_status look_at_series(survey *s, const char *folder)
{
    char path[PATH_MAX], why[MASS_WHY_ANOTHER];
    mass_run_facts facts;
    if ((size_t)snprintf(path, sizeof path, "%s/" MASS_SERIES_FILE, folder) >= sizeof path) return MASS_OK;
    const mass_file_kind kind = mass_file_facts(path, &facts);
    if (kind == MASS_FILE_UNREAD && !s->owner->force) return mass_error_unread(s->error, MASS_BAD_USAGE, path, errno);
    if (kind != MASS_FILE_SERIES) return MASS_OK;
    if (mass_ownership_has(s->owner, &facts, why)) {
        take_own(s, path, &facts);
        s->others->begun = !s->owner->resumed && !s->has_own;
        return MASS_OK;
    }
    s->others->series = true;
    if (!s->owner->force) mass_tell_apart(path, &facts, NULL, s->owner, why);
    return s->owner->force ? MASS_OK : mass_ownership_refuse(path, "checkpoint", why, s->error);
}

/* Looks at each entry with the name of a checkpoint, whatever it is. */
static mass_status look_at_entries(survey *s, const char *folder)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return mass_error_set(s->error, MASS_BAD_USAGE, "cannot look into the checkpoint folder %s: %s", folder,
                              strerror(errno));
    mass_status status = MASS_OK;
    for (const struct dirent *e; status == MASS_OK && (e = mass_folder_next(entries));) {
        char path[PATH_MAX];
        uint64_t step;
        if (mass_checkpoint_is_name(e->d_name, &step) &&
            (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < sizeof path)
            status = look_at_checkpoint(s, path, step);
    }
    if (status == MASS_OK && errno)
        status = mass_error_set(s->error, MASS_BAD_USAGE, "cannot look into the checkpoint folder %s: %s", folder,
                                strerror(errno));
    closedir(entries);
    return status;
}

mass_status mass_checkpoint_survey(const char *folder, mass_ownership *owner, mass_others *out, mass_error *error)
{
    survey s = {.owner = owner, .others = out, .error = error};
    mass_status status = look_at_entries(&s, folder);
    if (status == MASS_OK) status = look_at_series(&s, folder);
    if (status == MASS_OK && !owner->resumed && s.identity[0])
        memcpy(owner->facts.identity, s.identity, sizeof s.identity);
    if (status == MASS_OK && (out->count > 0 || out->series))
        mass_progress_say("mass-engine: --force: what another run has in %s goes once this one has a checkpoint there",
                          folder);
    return status;
}

void mass_others_free(mass_others *others)
{
    free(others->steps);
    *others = (mass_others){0};
}
