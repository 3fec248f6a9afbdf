/* SPDX-License-Identifier: Apache-2.0 */
#include "io/ownership.h"

#include "io/checkpoint_format.h"
#include "io/fields.h"
#include "io/folder.h"
#include "io/series.h"
#include "run/progress.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 1 << 16 }; /* in which a file says whose it is: that is written first */

/* ---- HDF5 attributes as they are stored: messages of version 3, or 1 in files for older readers ---- */

typedef struct head {
    const uint8_t *bytes;
    size_t size;
} head;

static size_t number_at(const uint8_t *at, int bytes)
{
    size_t number = 0;
    for (int i = bytes; i-- > 0;) number = number << 8 | at[i];
    return number;
}

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

/* Where the value of a message begins whose name stands at `at`, and how long the value is; 0 if it is none. */
static size_t value_of(const head *h, size_t at, size_t name_size, size_t *length)
{
    const uint8_t *name = h->bytes + at;
    size_t type = 0, start = 0;
    if (at >= 9 && name[-9] == 3 && number_at(name - 7, 2) == name_size) {
        type = at + name_size;
        start = type + number_at(name - 5, 2) + number_at(name - 3, 2);
    } else if (at >= 8 && name[-8] == 1 && number_at(name - 6, 2) == name_size) {
        type = at + padded(name_size);
        start = type + padded(number_at(name - 4, 2)) + padded(number_at(name - 2, 2));
    }
    if (start == 0 || type + 8 > h->size || start > h->size) return 0;
    *length = number_at(h->bytes + type + 4, 4);
    return *length <= h->size - start ? start : 0;
}

static const uint8_t *find(const head *h, const char *name, size_t *length)
{
    const size_t name_size = strlen(name) + 1;
    const uint8_t *end = h->bytes + h->size, *at = h->bytes;
    while ((at = memmem(at, (size_t)(end - at), name, name_size))) {
        const size_t start = value_of(h, (size_t)(at - h->bytes), name_size, length);
        if (start > 0) return h->bytes + start;
        at++;
    }
    return NULL;
}

static bool find_text(const head *h, const char *name, char *out, size_t room)
{
    size_t length;
    const uint8_t *value = find(h, name, &length);
    out[0] = '\0';
    if (!value || length == 0 || length > room || value[length - 1] != '\0') return false;
    memcpy(out, value, length);
    return true;
}

static void find_hash(const head *h, const char *name, char out[33])
{
    if (!find_text(h, name, out, 33) || strlen(out) != 32 || !mass_is_hex(out, 32)) out[0] = '\0';
}

static bool find_number(const head *h, const char *name, uint64_t *out)
{
    size_t length;
    const uint8_t *value = find(h, name, &length);
    if (!value || length != sizeof *out) return false;
    memcpy(out, value, sizeof *out);
    return true;
}

static mass_file_kind read_hdf5(const head *h, mass_run_facts *out)
{
    static const char *const formats[] = {"mass-engine checkpoint", "mass-engine series", "mass-engine fields"};
    char format[64];
    uint32_t kind = 0;
    find_text(h, "format", format, sizeof format);
    while (kind < 3 && strcmp(format, formats[kind]) != 0) kind++;
    if (kind == 3) return MASS_FILE_FOREIGN;
    find_hash(h, "identity", out->identity);
    find_hash(h, "run", out->run);
    find_hash(h, "plugin_hash", out->plugin_hash);
    find_hash(h, "schema", out->schema);
    out->known = find_text(h, "plugin", out->plugin, sizeof out->plugin) && find_number(h, "seed", &out->seed) &&
                 find_number(h, "worlds", &out->worlds) && find_number(h, "first_world", &out->first_world);
    return MASS_FILE_CHECKPOINT + (int)kind;
}

/* ---- the index of fields ---- */

static void find_information(const head *h, const char *name, char out[33])
{
    char start[80];
    const int size = snprintf(start, sizeof start, "<Information Name=\"%s\" Value=\"", name);
    const uint8_t *at = memmem(h->bytes, h->size, start, (size_t)size);
    if (!at || (size_t)(h->bytes + h->size - at) < (size_t)size + 33) return;
    if (!mass_is_hex((const char *)at + size, 32)) return;
    memcpy(out, at + size, 32);
    out[32] = '\0';
}

static mass_file_kind read_index(const head *h, mass_run_facts *out)
{
    static const char says[] = "<Information Name=\"format\" Value=\"" MASS_FIELDS_FORMAT_NAME;
    if (!memmem(h->bytes, h->size, says, sizeof says - 1)) return MASS_FILE_FOREIGN;
    find_information(h, "identity", out->identity);
    find_information(h, "run", out->run);
    find_information(h, "plugin_hash", out->plugin_hash);
    return MASS_FILE_INDEX;
}

/* ---- files ---- */

static size_t read_head(const char *path, uint8_t *bytes)
{
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return 0;
    size_t size = 0;
    ssize_t got = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) ? 1 : 0;
    while (got > 0 && size < HEAD_BYTES) {
        got = pread(file, bytes + size, HEAD_BYTES - size, (off_t)size);
        if (got > 0) size += (size_t)got;
    }
    close(file);
    return size;
}

mass_file_kind mass_bytes_facts(const uint8_t *bytes, size_t size, mass_run_facts *out)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    mass_file_kind kind = MASS_FILE_FOREIGN;
    const head h = {bytes, size};
    *out = (mass_run_facts){0};
    if (size > 8 && memcmp(bytes, signature, 8) == 0) kind = read_hdf5(&h, out);
    else if (size > 8 && memcmp(bytes, "<?xml ", 6) == 0) kind = read_index(&h, out);
    if (kind == MASS_FILE_FOREIGN) *out = (mass_run_facts){0};
    return kind;
}

mass_file_kind mass_file_facts(const char *path, mass_run_facts *out)
{
    uint8_t bytes[HEAD_BYTES]; /* not allocated: for want of memory a file is not foreign */
    *out = (mass_run_facts){0};
    return mass_bytes_facts(bytes, read_head(path, bytes), out);
}

/* ---- runs ---- */

/* What differs between a run and a file of another, of all that both say; NULL: nothing. */
static const char *difference(const mass_run_facts *run, const mass_run_facts *file, char why[300])
{
    const bool known = run->known && file->known;
    if (known && strcmp(file->plugin, run->plugin) != 0)
        snprintf(why, 300, "of plugin %s, and this is of %s", file->plugin, run->plugin);
    else if (known && file->seed != run->seed)
        snprintf(why, 300, "with seed %" PRIu64 ", and this has %" PRIu64, file->seed, run->seed);
    else if (file->schema[0] && run->schema[0] && strcmp(file->schema, run->schema) != 0)
        snprintf(why, 300, "with other attributes or tallies");
    else if ((known && (file->worlds != run->worlds || file->first_world != run->first_world)) ||
             (file->run[0] && run->run[0] && strcmp(file->run, run->run) != 0))
        snprintf(why, 300, "with other parameters, sizes or worlds");
    else if (file->plugin_hash[0] && run->plugin_hash[0] && strcmp(file->plugin_hash, run->plugin_hash) != 0)
        snprintf(why, 300, "of another build of its plugin: the plugin's file differs");
    else return NULL;
    return why;
}

bool mass_facts_agree(const mass_run_facts *a, const mass_run_facts *b)
{
    char why[300];
    if (a->identity[0] && b->identity[0]) return strcmp(a->identity, b->identity) == 0;
    mass_run_facts other = *b;
    other.plugin_hash[0] = '\0'; /* a run may be resumed with another build */
    return !difference(a, &other, why);
}

bool mass_ownership_has(const mass_ownership *owner, const mass_run_facts *file, char why[300])
{
    if (!owner->resumed) return !difference(&owner->facts, file, why);
    if (mass_facts_agree(&owner->facts, file)) return true;
    if (!difference(&owner->facts, file, why)) snprintf(why, 300, "which this one does not go on from");
    return false;
}

bool mass_ownership_may_replace(const void *context, const char *path)
{
    const mass_ownership *owner = context;
    mass_run_facts facts;
    char why[300];
    if (!owner || owner->force) return true;
    return mass_file_facts(path, &facts) != MASS_FILE_FOREIGN && mass_ownership_has(owner, &facts, why);
}

mass_status mass_ownership_refuse(const char *path, const char *kind, const char *why, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s belongs to another run, %s: give another --%s folder, or --force "
                          "to replace what is there", path, why, kind);
}

/* ---- a folder of checkpoints ---- */

typedef struct survey {
    mass_ownership *owner;
    mass_others *others;
    mass_error *error;
    char identity[MASS_IDENTITY_SIZE]; /* that this run had before, or "" */
    bool said;
} survey;

static mass_status refuse_foreign(const char *path, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s was not written by this program: move it away, give another "
                          "--checkpoint folder, or --force to replace it", path);
}

/* A file of this run: the identity that it has, or that it has none, as a resume has said of its checkpoint. */
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

static mass_status add_other(survey *s, uint64_t step)
{
    mass_others *o = s->others;
    uint64_t *larger = realloc(o->steps, (o->count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(s->error, (o->count + 1) * sizeof *larger, "a list of checkpoints");
    o->steps = larger;
    o->steps[o->count++] = step;
    return MASS_OK;
}

static mass_status look_at_checkpoint(survey *s, const char *path, uint64_t step)
{
    mass_run_facts facts;
    mass_error ignored = {0};
    char why[300];
    const mass_ownership *owner = s->owner;
    if (mass_file_facts(path, &facts) != MASS_FILE_CHECKPOINT)
        return owner->resumed || owner->force ? MASS_OK : refuse_foreign(path, s->error);
    if (mass_ownership_has(owner, &facts, why)) {
        take_own(s, path, &facts);
        return MASS_OK;
    }
    if (owner->force) return add_other(s, step);
    /* One that is damaged may say anything, and a resume passes over it. */
    if (owner->resumed && mass_checkpoint_probe(path, &ignored) == MASS_BAD_INPUT) return MASS_OK;
    return mass_ownership_refuse(path, "checkpoint", why, s->error);
}

/* A series.h5 that is none is looked at by those who write one. */
static mass_status look_at_series(survey *s, const char *folder)
{
    char path[PATH_MAX], why[300];
    mass_run_facts facts;
    if ((size_t)snprintf(path, sizeof path, "%s/" MASS_SERIES_FILE, folder) >= sizeof path) return MASS_OK;
    if (mass_file_facts(path, &facts) != MASS_FILE_SERIES) return MASS_OK;
    if (mass_ownership_has(s->owner, &facts, why)) {
        take_own(s, path, &facts);
        return MASS_OK;
    }
    s->others->series = true;
    return s->owner->force ? MASS_OK : mass_ownership_refuse(path, "checkpoint", why, s->error);
}

/* Whatever is under the name of a checkpoint, file or not. */
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

mass_status mass_ownership_survey(const char *folder, mass_ownership *owner, mass_others *out, mass_error *error)
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
