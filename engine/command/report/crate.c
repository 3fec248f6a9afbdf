/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/crate.h"
#include "base/file.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/folder/temporary.h"
#include "process/progress.h"
#include "text/json.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define FILE_NAME "ro-crate-metadata.json"
#define ENGINE "#mass-engine"
#define PROFILE "https://w3id.org/ro/wfrun/process/0.5"

enum { OWN_MAX = 64 << 20 /* bytes of a crate's file */ };

/* A crate that is being made. */
typedef struct making {
    const mass_crate *crate;
    char root[PATH_MAX]; /* the folder, without links */
    json_t *graph, *inputs, *outputs, *parts; /* lists */
} making;

/* ---- entities ---- */

/* Returns a reference to an entity. */
static json_t *reference(const char *id) { return json_pack("{s:s}", "@id", id); }

/* Appends an entity with an id, a type and a name to the graph, which owns it. */
static json_t *add_entity(making *m, const char *id, const char *type, const char *name)
{
    json_t *o = json_pack("{s:s, s:s, s:o}", "@id", id, "@type", type, "name", mass_text_json(name));
    json_array_append_new(m->graph, o);
    return o;
}

/* Appends a path to `to` as a part of a URI: all bytes but those that stand for themselves are escaped. What does not
 * fit `size` bytes is cut off. */
static void escape(const char *path, char *to, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    size_t used = strlen(to);
    for (; *path && used + 4 < size; path++)
        used += (size_t)snprintf(to + used, size - used, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

/* Writes the id of a file: its path in the crate, or else its URI. Returns whether it is in the crate. */
static bool make_id(const making *m, const char *path, char id[4 * PATH_MAX])
{
    char whole[PATH_MAX];
    const size_t length = strlen(m->root);
    const bool known = realpath(path, whole) != NULL;
    const bool inside = known && strncmp(whole, m->root, length) == 0 && whole[length] == '/';
    strcpy(id, inside ? "" : known ? "file://" : "");
    escape(inside ? whole + length + 1 : known ? whole : path, id, 4 * PATH_MAX);
    return inside;
}

/* Adds the XXH3-128 of a file, whose entity is `of`, as an identifier, with an entity of its own. */
static void add_hash(making *m, json_t *of, const char *id, const char *hash)
{
    char own[4 * PATH_MAX + 16];
    snprintf(own, sizeof own, "#xxh3-%s", id);
    json_t *o = add_entity(m, own, "PropertyValue", "XXH3-128");
    json_object_set_new(o, "propertyID", json_string("https://xxhash.com"));
    json_object_set_new(o, "value", json_string(hash));
    json_object_set_new(of, "identifier", reference(own));
}

/* Computes the size and the XXH3-128 of a file, in hexadecimal. Returns false if it cannot be read. */
static bool look_at(const char *path, uint64_t *size, char hex[33])
{
    static char bytes[1 << 16];
    XXH3_state_t *state = XXH3_createState();
    FILE *from = state ? fopen(path, "rbe") : NULL;
    bool whole = from && XXH3_128bits_reset(state) == XXH_OK;
    *size = 0;
    for (size_t got; whole && (got = fread(bytes, 1, sizeof bytes, from)) > 0; *size += got)
        XXH3_128bits_update(state, bytes, got);
    whole = whole && !ferror(from);
    if (whole) {
        const XXH128_hash_t h = XXH3_128bits_digest(state);
        snprintf(hex, 33, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
    }
    if (from) fclose(from);
    XXH3_freeState(state);
    return whole;
}

/* Returns the media type of a file of output; NULL: unknown. */
static const char *media_type(const char *path)
{
    static const char *const types[][2] = {{".h5", "application/x-hdf5"}, {".csv", "text/csv"}, {".png", "image/png"},
        {".gif", "image/gif"}, {".jsonl", "application/jsonl"}, {".graphml", "application/graphml+xml"},
        {".xmf", "application/xml"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcmp(dot, types[i][0]) == 0) return types[i][1];
    return NULL;
}

/* Adds a file, and a reference to it to a list; one in the crate also to its parts. A file that cannot be read has no
 * size and no hash. */
static void add_file(making *m, const char *path, json_t *list)
{
    char id[4 * PATH_MAX], own[33];
    uint64_t size;
    const char *slash = strrchr(path, '/'), *type = media_type(path);
    const bool inside = make_id(m, path, id);
    json_t *o = add_entity(m, id, "File", slash ? slash + 1 : path);
    const bool read = look_at(path, &size, own);
    if (read) json_object_set_new(o, "contentSize", json_integer((json_int_t)size));
    if (type) json_object_set_new(o, "encodingFormat", json_string(type));
    if (read) add_hash(m, o, id, own);
    json_array_append_new(list, reference(id));
    if (inside) json_array_append_new(m->parts, reference(id));
}

/* ---- files of output ---- */

/* Adds the files of a folder that have names of the run's output, in the order of their names. Leaves out others,
 * and the crate itself. */
static mass_status add_folder(making *m, const char *folder, mass_error *error)
{
    static const char *const names[] = {"ckpt-*.h5", MASS_SERIES_FILE, "events.csv", "fields-*.h5", "fields.xmf"};
    struct dirent **found;
    char path[PATH_MAX];
    const int count = scandir(folder, &found, NULL, alphasort);
    if (count < 0) return mass_error_unread(error, MASS_FAILED, folder, errno);
    for (int i = 0; i < count; i++) {
        bool ours = false;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) ours |= fnmatch(names[k], found[i]->d_name, 0) == 0;
        if (ours && mass_folder_path(folder, found[i]->d_name, path)) add_file(m, path, m->outputs);
        free(found[i]);
    }
    free(found);
    return MASS_OK;
}

/* Adds all files of output that are there. A folder that has checkpoints and fields is listed once. */
static mass_status add_outputs(making *m, mass_error *error)
{
    const mass_crate *c = m->crate;
    mass_status status = c->checkpoints ? add_folder(m, c->checkpoints, error) : MASS_OK;
    if (status == MASS_OK && c->fields && !(c->checkpoints && strcmp(c->fields, c->checkpoints) == 0))
        status = add_folder(m, c->fields, error);
    for (size_t i = 0; i < sizeof c->files / sizeof *c->files; i++)
        if (c->files[i] && access(c->files[i], F_OK) == 0) add_file(m, c->files[i], m->outputs);
    return status;
}

/* ---- the run ---- */

/* Adds a value that the run began with, and its reference to the inputs. What is no number or text is written as
 * JSON. */
static void add_value(making *m, const char *name, const json_t *value)
{
    char id[200], *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    snprintf(id, sizeof id, "#value-%.150s", name);
    json_t *o = add_entity(m, id, "PropertyValue", name);
    if (text && !json_is_number(value)) json_object_set_new(o, "value", json_string(text));
    else json_object_set_new(o, "value", json_deep_copy(value));
    free(text);
    json_array_append_new(m->inputs, reference(id));
}

/* Adds parameters that have a value, seed and the like, the files that the run began with, and the checkpoint that
 * it was resumed from. */
static void add_inputs(making *m, const json_t *result)
{
    static const char *const own[] = {"seed", "size", "worlds", "first_world", "sweep"};
    const mass_crate *c = m->crate;
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(result, "parameters"), name, value)
        if (!json_is_null(value)) add_value(m, name, value);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char apart[40];
        snprintf(apart, sizeof apart, "run.%s", own[i]);
        value = json_object_get(result, own[i]);
        if (value) add_value(m, apart, value);
    }
    for (uint32_t i = 0; c->inputs && i < c->inputs->count; i++)
        add_file(m, c->inputs->list[i].file, m->inputs);
    if (c->resumed) add_file(m, c->resumed, m->inputs);
}

/* Adds the engine and the model, which it runs, with their versions, and the hash of the plugin if its file can be
 * read. */
static void add_software(making *m, const json_t *result)
{
    const mass_crate *c = m->crate;
    const char *model = json_string_value(json_object_get(result, "plugin"));
    const char *version = json_string_value(json_object_get(result, "version"));
    char hash[33];
    uint64_t size;
    json_t *o = add_entity(m, ENGINE, "SoftwareApplication", "mass-engine");
    json_object_set_new(o, "softwareVersion", json_string(MASS_ENGINE_VERSION));
    json_object_set_new(o, "softwareAddOn", reference("#model"));
    o = add_entity(m, "#model", "SoftwareApplication", model ? model : c->plugin);
    if (version && version[0]) json_object_set_new(o, "softwareVersion", json_string(version));
    if (look_at(c->plugin, &size, hash)) add_hash(m, o, "model", hash);
}

/* Returns a time as a new text in ISO 8601, in UTC. */
static json_t *time_json(time_t at)
{
    char text[40];
    struct tm parts;
    gmtime_r(&at, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return json_string(text);
}

/* Adds the run: what it is called, its command and times, its inputs and outputs, and the state hash among these. end:
 * when it ended. */
static void add_run(making *m, const json_t *result, time_t end)
{
    const mass_crate *c = m->crate;
    const char *model = json_string_value(json_object_get(result, "plugin"));
    char name[300];
    snprintf(name, sizeof name, "%.200s to step %lld", model ? model : "a model",
             (long long)json_integer_value(json_object_get(result, "steps")));
    json_t *o = add_entity(m, "#run", "CreateAction", name);
    json_object_set_new(o, "description", mass_text_json(c->command ? c->command : ""));
    json_object_set_new(o, "instrument", reference(ENGINE));
    json_object_set_new(o, "startTime", time_json(end - (time_t)c->seconds));
    json_object_set_new(o, "endTime", time_json(end));
    json_object_set_new(o, "actionStatus", reference("http://schema.org/CompletedActionStatus"));
    json_object_set(o, "object", m->inputs);
    json_object_set(o, "result", m->outputs);
    json_t *state = add_entity(m, "#state", "PropertyValue", "state hash");
    json_object_set_new(state, "propertyID", json_string("state_hash of mass-engine"));
    json_object_set(state, "value", json_object_get(result, "state_hash"));
    json_array_append_new(m->outputs, reference("#state"));
}

/* Adds what every crate begins with: the file itself, the folder and the profile. end: when the run ended. */
static void add_root(making *m, const json_t *result, time_t end)
{
    const char *model = json_string_value(json_object_get(result, "plugin"));
    char name[300];
    snprintf(name, sizeof name, "A run of %.200s", model ? model : "a model");
    json_t *o = add_entity(m, FILE_NAME, "CreativeWork", "The description of this folder");
    json_object_set_new(o, "conformsTo", reference("https://w3id.org/ro/crate/1.1"));
    json_object_set_new(o, "about", reference("./"));
    o = add_entity(m, "./", "Dataset", name);
    json_object_set_new(o, "conformsTo", reference(PROFILE));
    json_object_set_new(o, "description", json_string("Files of a run of mass-engine"));
    json_object_set_new(o, "datePublished", time_json(end));
    json_object_set(o, "hasPart", m->parts);
    json_object_set_new(o, "mentions", reference("#run"));
    json_object_set_new(add_entity(m, PROFILE, "CreativeWork", "Process Run Crate"), "version", json_string("0.5"));
}

/* ---- the file ---- */

/* Reports why the crate cannot be written, from errno. */
static mass_status refuse(const char *folder, mass_status status, mass_error *error)
{
    char why[MASS_WHY_NOT_MADE];
    return mass_error_set(error, status, "cannot write --crate %s: %s", folder,
                          mass_folder_why_not_made(folder, errno, why));
}

/* Reports that another program's description is there, and --force. */
static mass_status refuse_there(const char *path, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "--crate: %s exists, and is not one that mass-engine wrote: give "
                          "another folder, or --force to replace it", path);
}

/* Returns whether a file may be replaced: all with --force, else descriptions of this program. errno becomes EEXIST if
 * not. */
static bool may_replace(const void *force, const char *path)
{
    mass_file file = {0};
    mass_error ignored = {0};
    if (*(const bool *)force) return true;
    const bool read = mass_file_read(path, OWN_MAX, MASS_FAILED, &file, &ignored) == MASS_OK;
    const bool ours = read && strstr((const char *)file.bytes, "\"" ENGINE "\"");
    mass_file_free(&file);
    errno = EEXIST;
    return ours;
}

mass_status mass_crate_check(const char *folder, bool force, mass_error *error)
{
    char path[PATH_MAX], parent[PATH_MAX];
    struct stat there;
    if (!mass_folder_path(folder, FILE_NAME, path)) {
        errno = ENAMETOOLONG;
        return refuse(folder, MASS_BAD_USAGE, error);
    }
    if (stat(folder, &there) != 0) { /* it is made at the end of the run */
        snprintf(parent, sizeof parent, "%s", folder);
        for (size_t end = strlen(parent); end > 1 && parent[end - 1] == '/'; end--) parent[end - 1] = '\0';
        char *slash = strrchr(parent, '/');
        if (slash) slash[slash == parent] = '\0';
        if (errno == ENOENT && access(slash ? parent : ".", W_OK | X_OK) == 0) return MASS_OK;
        return refuse(folder, MASS_BAD_USAGE, error);
    }
    if (!S_ISDIR(there.st_mode)) errno = ENOTDIR;
    if (!S_ISDIR(there.st_mode) || access(folder, W_OK | X_OK) != 0) return refuse(folder, MASS_BAD_USAGE, error);
    return lstat(path, &there) != 0 || may_replace(&force, path) ? MASS_OK : refuse_there(path, error);
}

/* Makes the text of the crate. The caller frees it. NULL: memory is short, or *error says what failed. */
static char *make_text(making *m, mass_error *error)
{
    json_t *result = json_loads(m->crate->result, 0, NULL);
    const time_t end = time(NULL);
    m->graph = json_array();
    m->inputs = json_array();
    m->outputs = json_array();
    m->parts = json_array();
    add_root(m, result, end);
    add_software(m, result);
    add_inputs(m, result);
    const mass_status status = add_outputs(m, error);
    add_run(m, result, end);
    json_t *all = json_pack("{s:[s, s], s:O}", "@context", "https://w3id.org/ro/crate/1.1/context",
                            "https://w3id.org/ro/terms/workflow-run/context", "@graph", m->graph);
    char *text = status == MASS_OK ? json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(all);
    json_decref(m->graph);
    json_decref(m->inputs);
    json_decref(m->outputs);
    json_decref(m->parts);
    json_decref(result);
    return text;
}

/* Writes the text under its name, through a temporary file that is on disk before it gets the name. Refuses a file
 * that is there and may not be replaced. */
static mass_status publish(const mass_crate *c, const char *path, const char *text, mass_error *error)
{
    mass_temporary t;
    mass_status status = MASS_OK;
    if (!mass_temporary_make(path, &t)) return refuse(c->folder, MASS_FAILED, error);
    const size_t size = strlen(text);
    size_t done = 0;
    for (ssize_t put = 1; put > 0 && done < size; done += put > 0 ? (size_t)put : 0)
        put = write(t.file, text + done, size - done);
    if (done < size || fsync(t.file) != 0 || !mass_publish(t.path, path, may_replace, &c->force))
        status = errno == EEXIST ? refuse_there(path, error) : refuse(c->folder, MASS_FAILED, error);
    mass_temporary_end(&t);
    return status;
}

mass_status mass_crate_write(const mass_crate *c, mass_error *error)
{
    making m = {.crate = c};
    char path[PATH_MAX];
    if ((mkdir(c->folder, 0777) != 0 && errno != EEXIST) || !realpath(c->folder, m.root) ||
        !mass_folder_path(c->folder, FILE_NAME, path))
        return refuse(c->folder, MASS_FAILED, error);
    mass_json_begin();
    char *text = make_text(&m, error);
    if (error->status == MASS_OK && (!text || !mass_json_is_whole())) mass_error_memory(error, 1 << 16, "--crate");
    if (error->status == MASS_OK) publish(c, path, text, error);
    free(text);
    return error->status;
}
