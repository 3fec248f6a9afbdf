/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the options of a run file before those of the command line, which override them. */
#include "command/options/run_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of a command line. */
typedef struct command_line {
    char *const *words;
    int count;
} command_line;

/* Returns the option of word i, or NULL for another word, as a plugin's name. Sets its value, "" if it has none, and
 * how many words both take. */
static const mass_option *option_at(const command_line *c, int i, int *taken, const char **value)
{
    const char *word = c->words[i], *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const mass_option *o = mass_option_find(&mass_engine_command, word, length);
    const bool next = o && o->value && !o->bare && !equals && i + 1 < c->count;
    *taken = next ? 2 : 1;
    *value = equals ? equals + 1 : next ? c->words[i + 1] : "";
    return o;
}

/* Finds the file of --run; NULL: none. The last one counts, as of other options. */
static const char *find_file(const command_line *c)
{
    const char *path = NULL;
    for (int i = 0, taken; i < c->count; i += taken) {
        const char *value;
        const mass_option *o = option_at(c, i, &taken, &value);
        if (o && strcmp(o->name, "run") == 0) path = value;
    }
    return path;
}

/* Returns whether two values of an option name the same: NAME=VALUE of the same name, or equal texts without names. */
static bool have_one_name(const char *a, const char *b)
{
    const size_t length = strcspn(a, "=");
    return strncmp(a, b, length) == 0 && (b[length] == '=' || b[length] == '\0') && strcspn(b, "=") == length;
}

/* Returns whether a resumed run takes this option from its checkpoint. The path of a plugin is not one of these. */
bool mass_run_file_is_resumed(const mass_option *o, const char *value)
{
    static const char *const names[] = {"set", "params", "load", "size", "seed", "worlds", "first-world", "sweep",
                                        "events", NULL};
    if (strcmp(o->name, "plugin") == 0) return !strchr(value, '/');
    for (size_t i = 0; names[i]; i++)
        if (strcmp(o->name, names[i]) == 0) return true;
    return false;
}

/* Returns whether the command line overrides a word of the file. It may give the same option, with the same name if
 * the option may be repeated, or another plugin. It may give --resume, if a resumed run keeps what the word says. */
static bool is_overridden(const command_line *c, const mass_run_word *w)
{
    const char *equals = strchr(w->word, '='), *own = equals ? equals + 1 : "";
    for (int i = 0, taken; i < c->count; i += taken) {
        const char *value;
        const mass_option *o = option_at(c, i, &taken, &value);
        if (!o && c->words[i][0] != '-' && strcmp(w->option->name, "plugin") == 0) return true;
        if (!o) continue;
        if (o == w->option && (!o->repeated || have_one_name(own, value))) return true;
        if (strcmp(o->name, "resume") == 0 && mass_run_file_is_resumed(w->option, own)) return true;
    }
    return false;
}

/* Appends a copy of a word to lists with room for it, and where it is from: a line of a file, or NULL. Returns false if
 * memory is short. */
static bool append(mass_run_words *w, const char *word, const char *path, size_t line)
{
    char *where = NULL;
    if (path && asprintf(&where, "%s, line %zu", path, line) < 0) return false;
    w->where[w->count] = where;
    w->words[w->count] = strdup(word);
    return w->words[w->count++] != NULL;
}

/* Makes the list: the file's words that the command line does not override, then all others but --run. On failure
 * the caller frees what *out has. */
static mass_status merge(const command_line *c, const char *path, const mass_run_file *f, mass_run_words *out,
                         mass_error *error)
{
    const size_t most = (size_t)c->count + f->count + 1;
    out->words = calloc(most, sizeof *out->words);
    out->where = calloc(most, sizeof *out->where);
    bool whole = out->words && out->where;
    for (uint32_t i = 0; whole && i < f->count; i++)
        if (!is_overridden(c, &f->words[i])) whole = append(out, f->words[i].word, path, f->words[i].line);
    for (int i = 0, taken; whole && i < c->count; i += taken) {
        const char *value;
        const mass_option *o = option_at(c, i, &taken, &value);
        if (o && strcmp(o->name, "run") == 0) continue;
        for (int k = i; whole && k < i + taken; k++) whole = append(out, c->words[k], NULL, 0);
    }
    return whole ? MASS_OK : mass_error_memory(error, most * sizeof *out->words, "a command line");
}

mass_status mass_run_words_make(int count, char *const arguments[], mass_run_words *out, mass_error *error)
{
    const command_line c = {arguments, count};
    const char *path = find_file(&c);
    mass_run_file file;
    *out = (mass_run_words){0};
    if (!path) return MASS_OK;
    if (!path[0]) return mass_error_set(error, MASS_BAD_USAGE, "--run needs a value");
    mass_status status = mass_run_file_read(path, &file, error);
    if (status == MASS_OK) status = merge(&c, path, &file, out, error);
    mass_run_file_free(&file);
    return status;
}

void mass_run_words_free(mass_run_words *w)
{
    for (uint32_t i = 0; w->words && w->where && i < w->count; i++) {
        free(w->words[i]);
        free(w->where[i]);
    }
    free(w->words);
    free(w->where);
    *w = (mass_run_words){0};
}
