/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/print_run.h"
#include "base/memory_stream.h"
#include "command/options/arguments.h"
#include "command/options/run_file.h"
#include "command/options/run_print.h"
#include "command/run/session.h"
#include "io/checkpoint/checkpoint.h"
#include "model/swept.h"
#include "process/standard.h"
#include "text/parameter.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that are being made; NULL after the last one. */
typedef struct word_list {
    char **words;
    int count, room;
    bool short_of_memory;
} word_list;

/* Appends a formatted word. If memory is short, only sets that in the list. */
__attribute__((format(printf, 2, 3))) static void add(word_list *list, const char *format, ...)
{
    va_list arguments;
    char *word = NULL, **larger = list->words;
    if (list->count + 2 > list->room) {
        list->room = list->room ? 2 * list->room : 32;
        larger = realloc(list->words, (size_t)list->room * sizeof *larger);
    }
    if (larger) list->words = larger;
    va_start(arguments, format);
    if (!larger || vasprintf(&word, format, arguments) < 0) list->short_of_memory = true;
    else {
        list->words[list->count++] = word;
        list->words[list->count] = NULL;
    }
    va_end(arguments);
}

/* Adds the parameters that the user gave, as --set. Constants are left out. */
static void add_parameters(word_list *list, const mass_model *m)
{
    char buffer[64];
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *slot = &m->parameters.slots[i];
        if (slot->given && !slot->constant)
            add(list, "--set=%s=%s", slot->name, mass_parameter_format(slot, buffer));
    }
}

/* Adds the files that the run was started with, but for that of --params: the model has its parameters. */
static void add_inputs(word_list *list, const mass_inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->count; i++) {
        const mass_input *input = &inputs->list[i];
        if (strcmp(input->name, "events") == 0) add(list, "--events=%s", input->file);
        else if (strcmp(input->name, MASS_INPUT_PARAMETERS) != 0)
            add(list, "--load=%s=%s", input->name, input->file);
    }
}

/* Adds what the results of a run depend on, as options: plugin, parameters, files, size, steps if they are known,
 * stop condition, seed and worlds. */
static void add_run(word_list *list, const mass_run_summary *r)
{
    char size[80] = "";
    const mass_space_def *space = r->model->space_count ? &r->model->spaces[0] : NULL;
    add(list, "--plugin=%s", r->plugin);
    add_parameters(list, r->model);
    add_inputs(list, r->inputs);
    for (uint32_t a = 0; space && a < space->dimensions; a++)
        snprintf(size + strlen(size), sizeof size - strlen(size), "%s%" PRId64, a ? "x" : "", space->size[a]);
    if (space) add(list, "--size=%s", size);
    if (r->steps >= 0) add(list, "--steps=%" PRId64, r->steps);
    if (r->until) add(list, "--until=%s", r->until);
    add(list, "--seed=%" PRIu64, r->seed);
    if (r->worlds > 1) add(list, "--worlds=%" PRId32, r->worlds);
    if (r->first_world) add(list, "--first-world=%" PRId32, r->first_world);
}

/* Refuses a run whose worlds have parameters of their own. `what` names it. */
static mass_status check_swept(const mass_model *m, const char *what, mass_error *error)
{
    for (uint32_t i = 0; i < m->parameters.count; i++) {
        const mass_parameter_slot *slot = &m->parameters.slots[i];
        if (mass_is_swept(slot) && !slot->constant)
            return mass_error_set(error, MASS_BAD_USAGE, "%s is of a sweep over %s, and does not have its table: print "
                                  "the command that began it", what, slot->name);
    }
    return MASS_OK;
}

/* Prints the words as a file, and frees them. */
static mass_status print_and_free(FILE *to, word_list *list, bool json, mass_error *error)
{
    mass_status status = list->short_of_memory ? mass_error_memory(error, 4096, "a command line") : MASS_OK;
    if (status == MASS_OK) status = mass_run_print(to, list->words, list->count, json, error);
    for (int i = 0; i < list->count; i++) free(list->words[i]);
    free(list->words);
    return status;
}

mass_status mass_print_run_of(FILE *to, const mass_run_summary *run, const char *what, char *const words[], int count,
                              bool json, mass_error *error)
{
    word_list list = {0};
    if (check_swept(run->model, what, error) != MASS_OK) return error->status;
    add_run(&list, run);
    for (int i = 0; i < count; i++) add(&list, "%s", words[i]);
    return print_and_free(to, &list, json, error);
}

/* Prints the run of the checkpoint that the options name, with the words. */
static mass_status print_checkpoint(FILE *to, const mass_options *o, const word_list *words, mass_error *error)
{
    mass_session s = {.options = o, .comm = mass_comm_self()};
    mass_status status = mass_session_open_checkpoint(&s, error);
    const mass_checkpoint *c = s.checkpoint;
    if (status == MASS_OK)
        status = mass_print_run_of(to, &(mass_run_summary){
            .plugin = c->model.plugin, .model = &c->model, .inputs = &c->inputs, .steps = (int64_t)c->last_step,
            .until = c->until.text, .seed = c->seed, .worlds = c->worlds, .first_world = c->first_world},
            c->path, words->words, words->count, o->json, error);
    mass_session_release(&s);
    return status;
}

/* Adds the words of this command line; without the checkpoint's name, which stands for a plugin. */
static mass_status add_arguments(const mass_options *o, word_list *list, mass_error *error)
{
    mass_arguments a;
    if (!mass_arguments_read(&a)) return mass_error_memory(error, 4096, "a command line");
    for (int i = 1, taken; i < a.count; i += taken) {
        const char *value;
        const mass_option *option = mass_arguments_option(&a, i, &taken, &value);
        if (o->of_checkpoint && !option) continue;
        for (int k = i; k < i + taken; k++) add(list, "%s", a.words[k]);
    }
    mass_arguments_free(&a);
    return MASS_OK;
}

/* Prints the file of the command line, or of a checkpoint. */
static mass_status print(FILE *to, const mass_options *o, mass_error *error)
{
    word_list list = {0};
    mass_status status = add_arguments(o, &list, error);
    if (status != MASS_OK) return status;
    if (!o->of_checkpoint) return print_and_free(to, &list, o->json, error);
    status = list.short_of_memory ? mass_error_memory(error, 4096, "a command line")
                                  : print_checkpoint(to, o, &list, error);
    for (int i = 0; i < list.count; i++) free(list.words[i]);
    free(list.words);
    return status;
}

mass_status mass_print_run(const mass_options *o, mass_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return mass_error_memory(error, 4096, "a run");
    mass_status status = print(to, o, error);
    if (fclose(to) != 0 && status == MASS_OK) status = mass_error_memory(error, size, "a run");
    if (status == MASS_OK) fputs(text, mass_standard_results());
    free(text);
    return status == MASS_OK ? mass_standard_results_end(error) : status;
}
