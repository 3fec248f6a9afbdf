/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes runs. Options become arguments of a command, so that they mean what they mean there. */
/* for asprintf */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "library/run.h"
#include "command/options/options.h"
#include "command/options/run_file.h"
#include "process/crash.h"
#include "process/limits.h"
#include "process/module.h"
#include "process/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the command ---- */

/* Sets `path` to bin/mass-engine in the folder above the file's folder, or in one of two above that. Returns false if
 * there is none. */
static bool find_above(const char *file, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!realpath(file, folder)) return false;
    for (int up = 0; up < 4; up++) {
        char *slash = strrchr(folder, '/');
        if (!slash) return false;
        *slash = '\0';
        if (up > 0 && (size_t)snprintf(path, PATH_MAX, "%s/bin/mass-engine", folder) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Finds the command, once for the process. A program that is the engine's own, such as a test, needs none. */
static mass_status find_command(mass_error *error)
{
    static bool found;
    char path[PATH_MAX], library[PATH_MAX];
    const char *given = secure_getenv("MASS_ENGINE");
    if (found || strcmp(mass_program_file(), "/proc/self/exe") != 0) return MASS_OK;
    if (given && given[0] == '/') mass_program_set(given);
    else if (mass_module_of((void (*)(void))mass_engine_open, library) && find_above(library, path))
        mass_program_set(path);
    else
        return mass_error_set(error, MASS_FAILED, "libmass does not find the command mass-engine, which tries plugins: "
                              "install both in one place, or put the command's absolute path into MASS_ENGINE");
    found = true;
    return MASS_OK;
}

/* ---- options ---- */

/* The options of a run that are the library's, too. */
static const char *const known[] = {"set", "params", "load", "size", "seed", "worlds", "first-world", "resume",
    "device", "threads", "partitions", "fuse", "no-bits", "no-graph", "no-block", "tally", "strict", NULL};

/* Options of ranks. The program may give them; in a file of a run they are ignored. */
static const char *const of_ranks[] = {"ranks", "comm", "comm-timeout", "shares", "no-overlap", NULL};

/* Returns whether a name is one of a list that NULL ends. */
static bool is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list) != 0) list++;
    return *list != NULL;
}

/* Refuses an option that only the command has. Others are left to the parser. */
static mass_status check_option(const char *name, mass_error *error)
{
    char word[80];
    if (is_among(name, known) || is_among(name, of_ranks)) return MASS_OK;
    if ((size_t)snprintf(word, sizeof word, "--%s", name) >= sizeof word) return MASS_OK;
    const mass_option *option = mass_option_find(&mass_engine_command, word, strlen(word));
    if (!option || strcmp(option->name, name) != 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--%s is an option of the command alone", name);
}

/* Appends a word to the arguments, which own it; NULL: memory was short. There must be room. */
static mass_status add_word(mass_engine *run, char *word, mass_error *error)
{
    if (!word) return mass_error_memory(error, 100, "options");
    run->words[run->word_count++] = word;
    return MASS_OK;
}

/* Returns whether one of the options is of this name, and of the same NAME= if the option is one of many; or resumes a
 * checkpoint that has it. */
static bool is_given(const mass_run_word *w, const mass_engine_option *options, size_t count)
{
    const char *value = strchr(w->word, '=') ? strchr(w->word, '=') + 1 : "";
    const size_t length = strcspn(value, "=") + 1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, "resume") == 0 && mass_run_file_is_resumed(w->option, value)) return true;
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, w->option->name) == 0 &&
            (!w->option->repeated || (options[i].value && strncmp(options[i].value, value, length) == 0)))
            return true;
    return false;
}

/* Notes the line of the file that has the next parameter, for messages. The run owns the text. */
static mass_status add_where(mass_engine *run, const char *path, size_t line, mass_error *error)
{
    char **larger = realloc(run->where, (run->where_count + 1) * sizeof *larger), *where;
    if (larger) run->where = larger;
    if (!larger || asprintf(&where, "%s, line %zu", path, line) < 0)
        return mass_error_memory(error, sizeof *larger, "options");
    run->where[run->where_count++] = where;
    return MASS_OK;
}

/* Adds the words of a file that are options of the library, unless they are given; and its plugin, unless the program
 * names one (`plugin`). */
static mass_status add_file(mass_engine *run, const char *path, bool plugin, const mass_engine_option *options,
                            size_t count, mass_error *error)
{
    mass_run_file file = {0};
    mass_status status = mass_run_file_read(path, &file, error);
    char **larger = status == MASS_OK ? realloc(run->words, (run->room + file.count) * sizeof *larger) : NULL;
    if (status == MASS_OK && !larger) status = mass_error_memory(error, file.count * sizeof *larger, "options");
    if (larger) {
        run->words = larger;
        run->room += file.count;
    }
    for (uint32_t i = 0; status == MASS_OK && i < file.count; i++) {
        const mass_run_word *w = &file.words[i];
        const bool is_plugin = strcmp(w->option->name, "plugin") == 0;
        if ((is_plugin ? plugin : !is_among(w->option->name, known)) || is_given(w, options, count)) continue;
        status = add_word(run, strdup(w->word), error);
        if (status == MASS_OK && strcmp(w->option->name, "set") == 0) status = add_where(run, path, w->line, error);
    }
    mass_run_file_free(&file);
    return status;
}

/* Makes the arguments of a command of a plugin and options, with --quiet and --json. Puts the words of a file of a
 * run in the place of option run. Sets run->where_first. Refuses options of the command alone; others are left to
 * the parser. */
static mass_status make_words(mass_engine *run, const char *plugin, const mass_engine_option *options, size_t count,
                              mass_error *error)
{
    mass_status status = MASS_OK;
    uint32_t settings = 0;
    run->room = 2 * count + 6;
    run->words = calloc(run->room, sizeof *run->words);
    if (!run->words) return mass_error_memory(error, count * sizeof *run->words, "options");
    if (plugin) status = add_word(run, strdup("--plugin"), error);
    if (plugin && status == MASS_OK) status = add_word(run, strdup(plugin), error);
    if (status == MASS_OK) status = add_word(run, strdup("--quiet"), error);
    if (status == MASS_OK) status = add_word(run, strdup("--json"), error); /* so that no seed is printed */
    for (size_t i = 0; status == MASS_OK && i < count; i++) {
        char *word = NULL;
        if (strcmp(options[i].name, "run") == 0) {
            run->where_first = settings;
            status = add_file(run, options[i].value ? options[i].value : "", plugin != NULL, options, count, error);
            continue;
        }
        settings += strcmp(options[i].name, "set") == 0;
        status = check_option(options[i].name, error);
        if (status != MASS_OK) return status;
        if (asprintf(&word, "--%s", options[i].name) < 0) word = NULL;
        status = add_word(run, word, error);
        if (status == MASS_OK && options[i].value) status = add_word(run, strdup(options[i].value), error);
    }
    return status;
}

/* Frees the run, which may be incomplete. */
static void release(mass_engine *run)
{
    mass_session_release(&run->session);
    mass_worker_free(run->worker);
    free(run->given);
    mass_options_free(&run->options);
    mass_expression_free(&run->until);
    mass_library_free_rows(&run->rows);
    for (size_t i = 0; i < run->word_count; i++) free(run->words[i]);
    free(run->words);
    for (uint32_t i = 0; i < run->where_count; i++) free(run->where[i]);
    free(run->where);
    for (mass_engine_line *m = run->first, *next; m; m = next) {
        next = m->next;
        free(m);
    }
    free(run->told);
    mass_key_list_free(&run->keys);
    for (int i = 0; i < MASS_SPACES_MAX; i++) free(run->edges_before[i]);
    free(run->description);
    free(run);
}

/* Makes all that steps need, without outputs and without the stop condition of a checkpoint. A run is not the owner of
 * the folder that it is resumed from: another may be, too. */
static mass_status prepare(mass_engine *run, mass_error *error)
{
    mass_session *s = &run->session;
    s->comm = run->comm ? run->comm : mass_comm_self();
    mass_status status = mass_session_take_options(s, &run->options, error);
    if (status == MASS_OK) status = mass_session_prepare(s, error);
    if (status != MASS_OK) {
        mass_session_add_seed(s, error);
        return status;
    }
    mass_output_free(s->output);
    s->output = NULL;
    mass_folder_close(s->place);
    s->plan.place = s->place = NULL;
    run->now.step = s->run->step;
    return mass_library_set_until(run, NULL, error); /* that of a checkpoint: calls say how far they go */
}

int mass_engine_open(const char *plugin, const mass_engine_option *options, size_t count, mass_engine **out)
{
    mass_error error;
    const int entered = mass_library_enter(NULL, &error);
    if (entered != MASS_OK) return entered;
    mass_engine *run = calloc(1, sizeof *run);
    if (!run) return mass_library_leave(NULL, mass_error_memory(&error, sizeof *run, "the run"), &error);
    mass_library_hear(run);
    mass_status status = find_command(&error);
    if (status == MASS_OK) status = mass_limits_check(&error);
    if (status == MASS_OK) status = make_words(run, plugin, options, count, &error);
    if (status == MASS_OK) status = mass_options_parse((int)run->word_count, run->words, &run->options, &error);
    for (uint32_t i = 0; status == MASS_OK && i < run->where_count; i++)
        run->options.settings[run->where_first + i].where = run->where[i];
    if (status == MASS_OK) status = mass_library_connect(&run->options, &run->comm, &error);
    if (status == MASS_OK)
        status = run->comm ? mass_library_open_ranks(run, prepare, &error) : prepare(run, &error);
    mass_crash_step(NULL, 0);
    if (status == MASS_OK) *out = run;
    else {
        mass_library_hear(NULL);
        release(run);
    }
    return mass_library_leave(NULL, status, &error);
}

void mass_engine_close(mass_engine *run)
{
    mass_error error;
    if (!run || mass_library_enter(run, &error) != MASS_OK) return;
    if (run->comm) mass_library_close_ranks(run);
    mass_library_hear(NULL);
    release(run);
    mass_library_leave(NULL, MASS_OK, &error);
}
