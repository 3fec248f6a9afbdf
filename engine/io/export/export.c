/* SPDX-License-Identifier: Apache-2.0 */
/* Manages the folder of an export and the files of this run in it. */
#include "comm/watch.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "io/checkpoint/difference.h"
#include "io/export/format.h"
#include "io/folder/publish.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t index_bytes_most = (size_t)1 << 30;

struct mass_export {
    mass_export_plan plan;
    const mass_model *model;
    mass_folder *place; /* the folder, if this export has locked it; or NULL */
    bool looked;        /* its contents were checked */
    char index[PATH_MAX];
    char *text; /* the steps' part of the index */
    size_t size;
    uint64_t *steps;
    size_t count;
};

/* ---- existing files ---- */

bool mass_export_has(const mass_export *f, uint64_t step)
{
    for (size_t i = f->count; i-- > 0;)
        if (f->steps[i] == step) return true;
    return false;
}

/* Appends a step and a copy of its text to the index in memory. On failure the index stays. */
static mass_status append(mass_export *f, uint64_t step, const char *text, size_t size, mass_error *error)
{
    char *longer = realloc(f->text, f->size + size + 1);
    if (longer) f->text = longer;
    uint64_t *more = realloc(f->steps, (f->count + 1) * sizeof *more);
    if (more) f->steps = more;
    if (!longer || !more) return mass_error_memory(error, f->size + size, "an index of fields");
    memcpy(f->text + f->size, text, size);
    f->size += size;
    f->steps[f->count++] = step;
    return MASS_OK;
}

/* Keeps steps that the run does not repeat, if their file exists; only a resumed run has such steps. */
static mass_status keep_steps(mass_export *f, const mass_export_index *index, const uint8_t *bytes, mass_error *error)
{
    mass_status status = MASS_OK;
    for (size_t i = 0; status == MASS_OK && f->plan.resumed && i < index->count; i++) {
        const mass_export_entry *e = &index->entries[i];
        char path[PATH_MAX];
        if (e->step <= f->plan.step && mass_export_name(f->plan.folder, e->step, path) && access(path, F_OK) == 0)
            status = append(f, e->step, (const char *)bytes + e->start, e->size, error);
    }
    return status;
}

/* Reads the index that an earlier run wrote, and keeps its steps. Refuses an index that is not whole. */
static mass_status read_index(mass_export *f, mass_error *error)
{
    mass_file file = {0};
    mass_export_index index = {0};
    mass_status status = mass_file_read(f->index, index_bytes_most, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = mass_export_index_parse(f->index, file.bytes, file.size, &index, error);
    if (status == MASS_OK) status = keep_steps(f, &index, file.bytes, error);
    free(index.entries);
    mass_file_free(&file);
    return status;
}

/* Refuses to replace a file that this program did not write. */
static mass_status refuse_foreign(const char *path, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s was not written by this program: move it away, give another "
                          "--fields folder, or --force to replace it", path);
}

/* Refuses a file of another run, and says how the runs differ. Uses `why` as room. */
static mass_status refuse_another(const mass_export *f, const char *path, const mass_run_facts *facts,
                                  char why[MASS_WHY_ANOTHER], mass_error *error)
{
    mass_tell_apart(path, facts, NULL, f->plan.owner, why);
    return mass_ownership_refuse(path, "fields", why, error);
}

/* Checks that an existing index belongs to this run, and keeps its steps if the run resumes. With --force, any other
 * passes. */
static mass_status check_index(mass_export *f, mass_error *error)
{
    mass_run_facts facts;
    char why[MASS_WHY_ANOTHER];
    const mass_ownership *owner = f->plan.owner;
    const mass_file_kind kind = mass_file_facts(f->index, &facts);
    if (kind == MASS_FILE_UNREAD) return mass_error_unread(error, MASS_BAD_INPUT, f->index, errno);
    if (kind == MASS_FILE_INDEX && !mass_ownership_has(owner, &facts, why))
        return owner->force ? MASS_OK : refuse_another(f, f->index, &facts, why, error);
    mass_error problem = {0};
    const mass_status status = read_index(f, &problem);
    if (status == MASS_OK || (owner->force && status == MASS_BAD_INPUT)) return MASS_OK;
    return mass_error_set(error, status, "%s", problem.text);
}

/* Checks that a file of fields belongs to this run. This also covers folders without an index. */
static mass_status check_file(const mass_export *f, const char *path, mass_error *error)
{
    mass_run_facts facts;
    char why[MASS_WHY_ANOTHER];
    const mass_file_kind kind = mass_file_facts(path, &facts);
    if (kind == MASS_FILE_UNREAD) return mass_error_unread(error, MASS_BAD_USAGE, path, errno);
    if (kind != MASS_FILE_FIELDS) return refuse_foreign(path, error);
    return mass_ownership_has(f->plan.owner, &facts, why) ? MASS_OK : refuse_another(f, path, &facts, why, error);
}

/* Refuses a folder with exports that are not this run's, unless --force. A folder that is missing, or that this run
 * may not enter, passes. */
static mass_status check_files(const mass_export *f, mass_error *error)
{
    DIR *entries = f->plan.owner->force ? NULL : opendir(f->plan.folder);
    if (f->plan.owner->force || (!entries && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)))
        return MASS_OK; /* all may be replaced; or the folder does not exist yet, or will be refused later */
    if (!entries)
        return mass_error_set(error, MASS_BAD_USAGE, "cannot look into the fields folder %s: %s", f->plan.folder,
                              strerror(errno));
    mass_status status = MASS_OK;
    for (const struct dirent *e; status == MASS_OK && (e = mass_folder_next(entries));) {
        char path[PATH_MAX];
        uint64_t step;
        if (mass_export_is_name(e->d_name, &step) && mass_export_name(f->plan.folder, step, path))
            status = check_file(f, path, error);
    }
    if (status == MASS_OK && errno)
        status = mass_error_set(error, MASS_BAD_USAGE, "cannot look into the fields folder %s: %s", f->plan.folder,
                                strerror(errno));
    closedir(entries);
    return status;
}

/* Opens and locks the folder, which it makes if needed, unless it is the locked checkpoint folder. */
static mass_status take_place(mass_export *f, mass_error *error)
{
    if (f->place || (f->plan.place && mass_folder_is(f->plan.place, f->plan.folder))) return MASS_OK;
    return mass_folder_open(f->plan.folder, "fields", &f->place, error);
}

/* Locks and checks the folder if it exists, and sets f->looked then; checks the index and the files in any case. A
 * new folder is created only after everything else was checked. */
static mass_status look(mass_export *f, mass_error *error)
{
    struct stat facts;
    f->looked = access(f->plan.folder, F_OK) == 0;
    mass_status status = f->looked ? take_place(f, error) : MASS_OK;
    if (status == MASS_OK && lstat(f->index, &facts) == 0) status = check_index(f, error);
    return status == MASS_OK ? check_files(f, error) : status;
}

mass_status mass_export_create(const mass_export_plan *plan, const mass_model *model, mass_export **out,
                               mass_error *error)
{
    if (model->stream.read)
        return mass_error_set(error, MASS_BAD_USAGE, "%s reads a stream, and has nothing but a piece of it at a time: "
                              "leave out --fields", model->plugin);
    mass_export *f = calloc(1, sizeof *f);
    if (!f) return mass_error_memory(error, sizeof *f, "fields");
    f->plan = *plan;
    f->model = model;
    mass_status status = MASS_OK;
    if ((size_t)snprintf(f->index, PATH_MAX, "%s/" MASS_EXPORT_INDEX, plan->folder) >= PATH_MAX)
        status = mass_error_set(error, MASS_BAD_USAGE, "the fields folder's path is too long: give a shorter one");
    else status = look(f, error);
    if (status == MASS_OK) *out = f;
    else mass_export_free(f);
    return status;
}

void mass_export_free(mass_export *f)
{
    if (!f) return;
    mass_folder_close(f->place);
    free(f->text);
    free(f->steps);
    free(f);
}

/* ---- the index ---- */

/* Writes the index to the temporary, syncs it, and publishes it under its name. On failure errno is set. */
static bool put_index(const mass_export *f, const char *temporary)
{
    const int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *to = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!to) {
        if (file >= 0) close(file);
        return false;
    }
    mass_export_index_head(to, &f->plan.owner->facts);
    if (f->size > 0) fwrite(f->text, 1, f->size, to);
    fputs(mass_export_index_tail, to);
    bool good = fflush(to) == 0 && !ferror(to) && fsync(fileno(to)) == 0;
    const int cause = errno;
    if (fclose(to) != 0 && good) return false;
    if (!good) errno = cause;
    return good && mass_publish(temporary, f->index, mass_ownership_may_replace, f->plan.owner);
}

/* Writes and publishes the index, and syncs the folder. *named: the index has its name, even if a later call failed. */
static mass_status write_index(const mass_export *f, bool *named, mass_error *error)
{
    char temporary[PATH_MAX];
    *named = false;
    if (!mass_export_temporary_name(f->plan.folder, f->plan.owner, 0, temporary))
        return mass_error_set(error, MASS_BAD_USAGE, "the fields folder's path is too long: give a shorter one");
    unlink(temporary); /* left by a failed attempt */
    *named = put_index(f, temporary);
    if (*named && mass_folder_sync(f->plan.folder)) return MASS_OK;
    mass_error_set(error, MASS_FAILED, *named ? "%s may not outlive a crash of the machine: %s" : "cannot write %s: %s",
                   f->index, errno == EEXIST ? "the file there is not this run's" : strerror(errno));
    if (!*named) unlink(temporary);
    return MASS_FAILED;
}

/* Returns true if a file of fields may be removed: it is this run's, or --force is given. */
static bool may_go(const mass_export *f, const char *path)
{
    mass_run_facts facts;
    char why[300];
    return mass_file_facts(path, &facts) == MASS_FILE_FIELDS &&
           (f->plan.owner->force || mass_ownership_has(f->plan.owner, &facts, why));
}

/* Removes the files of steps that the index does not name, if may_go allows it. */
static void remove_others(const mass_export *f)
{
    DIR *entries = opendir(f->plan.folder);
    char path[PATH_MAX];
    uint64_t step;
    for (const struct dirent *e; entries && (e = readdir(entries));)
        if (mass_export_is_name(e->d_name, &step) && !mass_export_has(f, step) &&
            mass_export_name(f->plan.folder, step, path) && may_go(f, path))
            unlink(path);
    if (entries) closedir(entries);
}

mass_status mass_export_begin(mass_export *f, mass_folder *checkpoints, mass_error *error)
{
    bool named;
    f->plan.place = checkpoints;
    mass_status status = take_place(f, error);
    if (status == MASS_OK && !f->looked) status = look(f, error); /* another process may have created the folder */
    if (status == MASS_OK) status = write_index(f, &named, error);
    if (status == MASS_OK) remove_others(f); /* the index no longer names them */
    return status;
}

/* Appends the step's text to the index in memory. */
static mass_status describe(mass_export *f, const mass_snapshot *s, mass_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return mass_error_memory(error, 1, "an index of fields");
    mass_status status = mass_export_index_step(to, s, error);
    if (fclose(to) != 0 && status == MASS_OK) status = mass_error_memory(error, size, "an index of fields");
    if (status == MASS_OK) status = append(f, s->step, text, size, error);
    free(text);
    return status;
}

/* Writes a step's file and the new index, if the folder is still this run's. If the index does not get its name,
 * removes the step again. */
static mass_status add(mass_export *f, const mass_snapshot *s, mass_error *error)
{
    const size_t size = f->size, count = f->count;
    char path[PATH_MAX];
    bool named = false;
    mass_folder *const place = f->place ? f->place : f->plan.place;
    mass_status status = place ? mass_folder_check(place, error) : MASS_OK;
    if (status == MASS_OK) status = mass_export_write(f->plan.folder, f->plan.owner, s, error);
    if (status != MASS_OK) return status;
    status = describe(f, s, error);
    if (status == MASS_OK) status = write_index(f, &named, error);
    if (named) return status; /* the index on disk names the step's file, which has to stay */
    f->size = size;
    f->count = count;
    if (mass_export_name(f->plan.folder, s->step, path)) unlink(path);
    return status;
}

mass_status mass_export_add(mass_export *f, const mass_snapshot *s, mass_error *error)
{
    char path[PATH_MAX];
    const char *other = mass_comm_watch_writes(mass_export_name(f->plan.folder, s->step, path) ? path : f->index);
    const mass_status status = add(f, s, error);
    mass_comm_watch_writes(other);
    return status;
}
