/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/restart.h"
#include "command/options/arguments.h"
#include "plugin/probe.h"
#include "process/signals.h"
#include "process/standard.h"
#include "process/subprocess.h"
#include "snapshot/create.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *mass_restart_hindrance(const mass_session *s)
{
    const mass_options *o = s->options;
    if (s->comm->size > 1) return "a run over several ranks cannot be started again from here";
    if (o->resume) return "a resumed run keeps its parameters and seed";
    if (o->sweep) return "the worlds of a sweep have their own parameters";
    if (s->folder[0] || o->series || o->fields)
        return "the run writes checkpoints, series or fields, which another one would not go on with";
    return NULL;
}

/* ---- the new command line ---- */

/* Returns whether the viewer gave another value for the parameter of a setting NAME=VALUE. */
static bool is_wished(const mass_view_wish *w, const char *setting)
{
    const size_t length = strcspn(setting, "=");
    for (uint32_t i = 0; i < w->count; i++)
        if (strlen(w->settings[i].name) == length && strncmp(w->settings[i].name, setting, length) == 0) return true;
    return false;
}

/* Returns whether the new run gets an option from the wish, or from the process before it. */
static bool is_replaced(const mass_option *o, const char *value, const mass_view_wish *w)
{
    if (!o) return false;
    return strcmp(o->name, "seed") == 0 || strcmp(o->name, "view-handed") == 0 ||
           (strcmp(o->name, "set") == 0 && is_wished(w, value));
}

/* Appends a word to *count words, which have room and then own it. Returns false if it is NULL, as memory is short; the
 * command line would be incomplete. */
static bool add_word(char **words, int *count, char *word)
{
    if (word) words[(*count)++] = word;
    return word != NULL;
}

/* Returns a new formatted word, or NULL if memory is short. */
__attribute__((format(printf, 1, 2))) static char *print_word(const char *format, ...)
{
    char *word;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&word, format, arguments) < 0) word = NULL;
    va_end(arguments);
    return word;
}

/* Adds the words of this command line without replaced options, then the parameters of the wish, and its seed if the
 * model has one. Returns false if memory is short. */
static bool add_words(char **words, const mass_arguments *a, const mass_session *s, const mass_view_wish *w)
{
    int count = 0;
    bool all = true;
    for (int i = 0, taken; i < a->count; i += taken) {
        const char *value;
        const mass_option *o = mass_arguments_option(a, i, &taken, &value);
        for (int k = i; k < i + taken && !is_replaced(o, value, w); k++)
            all = all && add_word(words, &count, strdup(a->words[k]));
    }
    for (uint32_t i = 0; i < w->count; i++)
        all = all && add_word(words, &count, print_word("--set=%s=%s", w->settings[i].name, w->settings[i].value));
    if (!s->model.seedless) all = all && add_word(words, &count, print_word("--seed=%" PRIu64, w->seed));
    return all;
}

/* Makes the words of the new command line, with space for one more; the caller frees all. NULL: memory is short. */
static char **make_words(const mass_session *s, const mass_view_wish *w)
{
    mass_arguments a;
    if (!mass_arguments_read(&a)) return NULL;
    char **words = calloc((size_t)a.count + w->count + 3, sizeof *words);
    if (words && !add_words(words, &a, s, w)) {
        for (char **word = words; *word; word++) free(*word);
        free(words);
        words = NULL;
    }
    mass_arguments_free(&a);
    return words;
}

/* ---- trying it ---- */

enum { TRIAL_SECONDS = 4 * MASS_PROBE_SECONDS, FILL_SECONDS = MASS_PROBE_SECONDS };

/* Makes the arguments of the subprocess from the words after the program's name, which they borrow and which may be too
 * many. held: an option with bytes. */
static mass_status make_arguments(char *const words[], const char *held,
                                  const char *arguments[MASS_SUBPROCESS_ARGUMENTS], mass_error *error)
{
    size_t count = 0;
    arguments[count++] = "--probe-run";
    arguments[count++] = held;
    for (char *const *word = words + 1; *word; word++) {
        if (count == MASS_SUBPROCESS_ARGUMENTS - 1)
            return mass_error_set(error, MASS_BAD_USAGE, "the new run has too many parameters");
        arguments[count++] = *word;
    }
    arguments[count] = NULL;
    return MASS_OK;
}

/* Prepares the new run in a subprocess, so that a refusal leaves this run as it is. Accepts what the trial had no time
 * or memory for: the new run finds that out. */
static mass_status try_words(const mass_session *s, char *const words[], mass_error *error)
{
    const char *arguments[MASS_SUBPROCESS_ARGUMENTS];
    char held[40];
    snprintf(held, sizeof held, "--held=%.0f", s->device->table->memory->in_host_memory
                                                   ? mass_domain_bytes(&s->model, s->options->partitions,
                                                                       mass_session_worlds(s)) : 0);
    const mass_subprocess_limits limits = {.seconds = TRIAL_SECONDS, .more_seconds = FILL_SECONDS,
                                           .stop = mass_signals_end};
    mass_subprocess_result result;
    mass_status status = make_arguments(words, held, arguments, error);
    if (status != MASS_OK) return status;
    mass_subprocess_run(arguments, &limits, &result);
    if (result.outcome != MASS_SUBPROCESS_HUNG) status = mass_probe_judge(&result, "the new run", TRIAL_SECONDS, error);
    const bool refused = result.outcome == MASS_SUBPROCESS_FINISHED && result.status != MASS_OK;
    const bool unknown = result.status == MASS_NO_DEVICE || result.status == MASS_FAILED;
    if (status == MASS_OK && refused && !unknown)
        status = mass_error_set(error, result.status, "%s", result.text);
    return status;
}

mass_status mass_restart_ask(void *context, const mass_view_wish *wish, mass_error *error)
{
    mass_restart *r = context;
    char **words = make_words(r->session, wish);
    if (!words) return mass_error_memory(error, 1, "the new run");
    const mass_status status = try_words(r->session, words, error);
    mass_restart_free(r);
    r->words = words;
    if (status != MASS_OK) mass_restart_free(r);
    return status;
}

/* ---- becoming it ---- */

/* Marks all files from number `from` on to be closed in the new program. */
static void close_on_exec(int from)
{
    close_range((unsigned)from, ~0u, CLOSE_RANGE_CLOEXEC);
}

mass_status mass_restart_become(mass_restart *r, int handed, mass_error *error)
{
    int count = 0;
    if (handed < 0)
        return mass_error_set(error, MASS_FAILED, "the run cannot be started again: it has no file descriptors left");
    while (r->words[count]) count++;
    if (!add_word(r->words, &count, print_word("--view-handed=%d", handed)))
        return mass_error_memory(error, 1, "the new run");
    dup2(mass_standard_output(), STDOUT_FILENO);
    dup2(mass_standard_people(), STDERR_FILENO);
    close_on_exec(STDERR_FILENO + 1);
    fcntl(handed, F_SETFD, 0);
    fcntl(handed + 1, F_SETFD, 0);
    execv("/proc/self/exe", r->words);
    return mass_error_set(error, MASS_FAILED, "the run cannot be started again: %s", strerror(errno));
}

void mass_restart_free(mass_restart *r)
{
    for (char **word = r->words; word && *word; word++) free(*word);
    free(r->words);
    r->words = NULL;
}
