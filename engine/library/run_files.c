/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as files: what --run reads and --print-run prints, as JSON. */
#include "base/memory_stream.h"
#include "command/options/run_file.h"
#include "command/options/run_print.h"
#include "command/run/print_run.h"
#include "library/run.h"

#include <stdlib.h>
#include <string.h>

/* Prints the words of a file as JSON. */
static mass_status print(FILE *to, const mass_run_file *f, mass_error *error)
{
    char **words = calloc((size_t)f->count + 1, sizeof *words);
    if (!words) return mass_error_memory(error, f->count * sizeof *words, "a run");
    for (uint32_t i = 0; i < f->count; i++) words[i] = f->words[i].word;
    const mass_status status = mass_run_print(to, words, (int)f->count, true, error);
    free(words);
    return status;
}

/* Closes the stream of a text. status: of the printing; a failure of it is returned. On failure, or if memory
 * was short, frees the text; else *out becomes it. */
static mass_status conclude(FILE *to, char **text, mass_status status, char **out, mass_error *error)
{
    if (fclose(to) != 0 && status == MASS_OK) status = mass_error_memory(error, 4096, "a run");
    if (status == MASS_OK) *out = *text;
    else free(*text);
    return status;
}

int mass_engine_read_run(const char *path, char **json)
{
    mass_error error;
    const int entered = mass_library_enter(NULL, &error);
    if (entered != MASS_OK) return entered;
    char *text = NULL;
    size_t size;
    mass_run_file file = {0};
    FILE *to = mass_memory_stream(&text, &size);
    mass_status status = to ? mass_run_file_read(path, &file, &error) : mass_error_memory(&error, 4096, "a run");
    if (status == MASS_OK) status = print(to, &file, &error);
    if (to) status = conclude(to, &text, status, json, &error);
    mass_run_file_free(&file);
    return mass_library_leave(NULL, status, &error);
}

int mass_engine_run_of(mass_engine *run, char **json)
{
    mass_error error;
    const int entered = mass_library_enter_here(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_session *s = &run->session;
    const char *path = run->options.plugin;
    const mass_run_summary of = {.plugin = path && strchr(path, '/') ? path : s->model.plugin, .model = &s->model,
        .inputs = s->checkpoint ? &s->checkpoint->inputs : &s->inputs, .steps = -1, .seed = s->opening.seed,
        .worlds = mass_session_worlds(s), .first_world = s->domain->first_world};
    char *text = NULL;
    size_t size;
    FILE *to = mass_memory_stream(&text, &size);
    mass_status status = to ? MASS_OK : mass_error_memory(&error, 4096, "a run");
    if (to) status = mass_print_run_of(to, &of, "the run", NULL, 0, true, &error);
    if (to) status = conclude(to, &text, status, json, &error);
    return mass_library_leave(run, status, &error);
}

void mass_engine_free(char *text) { free(text); }
