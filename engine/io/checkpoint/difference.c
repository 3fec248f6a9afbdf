/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint/difference.h"

#include "base/escape.h"
#include "base/memory_stream.h"
#include "model/swept.h"
#include "snapshot/state_hash.h"
#include "io/checkpoint/layout.h"
#include "io/folder/lock.h"
#include "text/parameter.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE = 100,      /* most bytes of a value in a line; a longer one is cut and gets its hash */
    LINE = 600,       /* most bytes of a line */
    FILES_MOST = 1000 /* most files of a folder that are read */
};

/* ---- printing ---- */

typedef struct printer {
    FILE *to;
    size_t size;
    bool cut;
} printer;

/* Prints one line. The first that does not fit is replaced by a mark, and all later ones are left out. */
static void put(printer *p, const char *kind, const char *name, const char *value)
{
    static const char end[] = MASS_MADE_CUT " - \n";
    char line[LINE];
    const int length = snprintf(line, sizeof line, "%s %s %s\n", kind, name, value);
    if (p->cut) return;
    p->cut = length >= LINE || p->size + (size_t)length + sizeof end > MASS_MADE_BYTES;
    if (!p->cut) p->size += (size_t)length;
    fputs(p->cut ? end : line, p->to);
}

/* Prints one line with a number and no name. */
static void put_number(printer *p, const char *kind, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    put(p, kind, "-", text);
}

/* Writes the beginning of a text, and the hash of the whole value, the `size` bytes of `all`. */
static void shorten(const char *text, const void *all, size_t size, char out[2 * VALUE])
{
    char hash[33];
    mass_checkpoint_hash_bytes(all, size, hash);
    const size_t used = mass_escape(text, strlen(text), out, VALUE);
    snprintf(out + used, 2 * VALUE - used, "... (hash %s)", hash);
}

/* Prints a value, cut with a hash if it is long; a real with the fewest digits that give it again. */
static void print_value(const mass_parameter_slot *slot, char out[2 * VALUE])
{
    char bits[64];
    const char *text = mass_parameter_format(slot, bits);
    for (int digits = 1; slot->type == MASS_REAL && digits <= 17; digits++) {
        snprintf(bits, sizeof bits, "%.*g", digits, slot->real);
        if (strtod(bits, NULL) == slot->real) break;
    }
    if (mass_escape(text, strlen(text), out, VALUE) >= VALUE - 4) shorten(text, text, strlen(text), out);
}

/* Hashes the values of a swept parameter. Choices are hashed by name, since a checkpoint numbers them differently. */
static void hash_swept(const mass_parameter_slot *slot, int32_t worlds, char hex[33])
{
    char value[64];
    uint8_t hash[16];
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    mass_hash_start(&state);
    for (int32_t w = 0; w < worlds; w++) {
        const char *text = slot->type == MASS_CHOICE ? mass_swept_value(slot, w, value) : NULL;
        if (text) XXH3_128bits_update(&state, text, strlen(text) + 1);
        else XXH3_128bits_update(&state, &slot->swept[w], sizeof slot->swept[w]);
    }
    mass_hash_digest(&state, hash);
    mass_hash_format(hash, hex);
}

/* Prints "0.1, 0.2, 0.4", or only the first values and a hash. */
static void print_swept(const mass_parameter_slot *slot, int32_t worlds, char out[2 * VALUE])
{
    char value[64], hash[33];
    size_t used = 0;
    for (int32_t w = 0; w < worlds; w++) {
        const char *text = mass_swept_value(slot, w, value);
        if (used + strlen(text) + 2 > VALUE) {
            hash_swept(slot, worlds, hash);
            snprintf(out + used, 2 * VALUE - used, "%s... (hash %s)", w ? ", " : "", hash);
            return;
        }
        used += (size_t)snprintf(out + used, VALUE - used, "%s%s", w ? ", " : "", text);
    }
}

/* Prints all parameters but constants; swept ones with the values of all worlds. */
static void put_parameters(printer *p, const mass_parameters *list, int32_t worlds)
{
    char value[2 * VALUE];
    for (uint32_t i = 0; i < list->count; i++) {
        const mass_parameter_slot *slot = &list->slots[i];
        if (slot->constant) continue;
        if (slot->swept) print_swept(slot, worlds, value);
        else print_value(slot, value);
        put(p, MASS_MADE_PARAMETER, slot->name, value);
    }
}

/* Prints a space's size, such as 64x64. */
static void put_size(printer *p, const mass_space_def *s)
{
    char text[80] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < s->dimensions && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64, i ? "x" : "", s->size[i]);
    put(p, MASS_MADE_SIZE, s->name, text);
}

/* Adds an input, but not a file of parameters: its values are parameters, which are printed anyway. */
static void put_input(printer *p, const mass_input *input)
{
    char text[300], file[256];
    if (strcmp(input->name, MASS_INPUT_PARAMETERS) == 0) return;
    mass_escape(input->file, strlen(input->file), file, sizeof file);
    snprintf(text, sizeof text, "%s %s", input->hash, file);
    put(p, MASS_MADE_INPUT, input->name, text);
}

mass_status mass_run_made_print(const mass_run_made *made, char **text, mass_error *error)
{
    size_t size;
    printer p = {.to = mass_memory_stream(text, &size)};
    if (!p.to) return mass_error_memory(error, 1, "a run's description");
    put(&p, MASS_MADE_PLUGIN, "-", made->model->plugin);
    put_number(&p, MASS_MADE_SEED, made->seed);
    put_number(&p, MASS_MADE_WORLDS, (uint64_t)made->worlds);
    put_number(&p, MASS_MADE_FIRST_WORLD, (uint64_t)made->first_world);
    for (uint32_t i = 0; i < made->inputs->count; i++) put_input(&p, &made->inputs->list[i]);
    for (uint32_t i = 0; i < made->model->space_count; i++) put_size(&p, &made->model->spaces[i]);
    put_parameters(&p, &made->model->parameters, made->worlds);
    return fclose(p.to) == 0 ? MASS_OK : mass_error_memory(error, size, "a run's description");
}

/* ---- other runs' files ---- */

/* Returns what the checkpoint's run was made from, or NULL on any failure. Opens it in a subprocess first. The
 * caller frees it. */
static char *print_checkpoint(const char *path)
{
    mass_checkpoint *c;
    mass_error ignored = {0};
    char *text = NULL;
    if (mass_checkpoint_open_probed(path, &c, &ignored) != MASS_OK) return NULL;
    const mass_run_made made = {&c->model, &c->inputs, c->seed, c->worlds, c->first_world};
    if (mass_run_made_print(&made, &text, &ignored) != MASS_OK) text = NULL;
    mass_checkpoint_close(c);
    return text;
}

/* Returns true if the file says enough to compare the runs; `why` then names the difference, if any. made: the file's
 * text, or NULL: read it. Opens a checkpoint in a subprocess. */
static bool is_told(const char *path, mass_file_kind kind, const mass_run_facts *file, const char *made,
                    const mass_ownership *owner, char *why)
{
    char *read = made ? NULL : kind == MASS_FILE_CHECKPOINT ? print_checkpoint(path) : mass_file_made(path);
    const char *text = made ? made : read;
    const mass_made_result result = text ? mass_made_tell_apart(text, strlen(text), owner->made, why)
                                         : MASS_MADE_UNKNOWN;
    const mass_run_facts *own = &owner->facts;
    if (result == MASS_MADE_SAME && file->schema[0] && own->schema[0] && strcmp(file->schema, own->schema) != 0)
        snprintf(why, MASS_WHY_ANOTHER, "of another build of its plugin, with other attributes or tallies");
    free(read);
    return result != MASS_MADE_UNKNOWN;
}

/* Returns true for file names of checkpoints, exports and series. */
static bool is_named(const char *name)
{
    uint64_t step;
    return mass_checkpoint_is_name(name, &step) || mass_export_is_name(name, &step) ||
           strcmp(name, MASS_SERIES_FILE) == 0;
}

/* Looks for the difference in at most FILES_MOST other files of the run with the hash `run`, in the folder of `path`:
 * this file's version may store less. Changes `why` only if it finds one. */
static void ask_folder(const char *path, const char run[33], const mass_ownership *owner, char *why)
{
    char folder[PATH_MAX], other[PATH_MAX], otherwise[MASS_WHY_ANOTHER];
    mass_run_facts facts;
    bool told = false;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    DIR *entries = opendir(folder);
    int left = FILES_MOST;
    for (const struct dirent *e; entries && !told && left > 0 && (e = mass_folder_next(entries));) {
        if (!is_named(e->d_name) || !mass_folder_path(folder, e->d_name, other)) continue;
        left--;
        const mass_file_kind kind = mass_file_facts(other, &facts);
        if (strcmp(facts.run, run) != 0) continue;
        told = is_told(other, kind, &facts, NULL, owner, why);
        if (!told && owner->facts.known && !mass_ownership_has(owner, &facts, otherwise))
            memcpy(why, otherwise, sizeof otherwise);
    }
    if (entries) closedir(entries);
}

/* Returns true if the plugin or the seed differs; mass_ownership_has already says so. */
static bool is_plain(const mass_run_facts *own, const mass_run_facts *file)
{
    return own->known && file->known && (strcmp(own->plugin, file->plugin) != 0 || own->seed != file->seed);
}

void mass_tell_apart(const char *path, const mass_run_facts *file, const char *made, const mass_ownership *owner,
                     char why[MASS_WHY_ANOTHER])
{
    const char *run = owner->facts.run;
    if (!owner->made || is_plain(&owner->facts, file) || (run[0] && strcmp(run, file->run) == 0)) return;
    mass_run_facts facts;
    const mass_file_kind kind = made ? MASS_FILE_FOREIGN : mass_file_facts(path, &facts);
    if (!is_told(path, kind, file, made, owner, why) && file->run[0]) ask_folder(path, file->run, owner, why);
}
