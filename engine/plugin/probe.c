/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/probe.h"
#include "process/signals.h"
#include "process/subprocess.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A task for the subprocess. ranks 0: try the plugin; else: check that these ranks can divide its spaces. */
typedef struct question {
    const char *path;
    const mass_opening *opening;
    int32_t ranks, partitions;
} question;

enum { OTHER_ARGUMENTS = 18 }; /* most arguments other than settings */

/* Makes the arguments with which the subprocess opens the plugin as the caller will, if there are not too many.
 * `texts` owns the texts that are made. */
static mass_status make_arguments(const question *q, const char *arguments[MASS_SUBPROCESS_ARGUMENTS], char **texts,
                                  mass_error *error)
{
    const mass_opening *o = q->opening;
    size_t count = 0, text = 0;
    if (o->setting_count * 2 + OTHER_ARGUMENTS > MASS_SUBPROCESS_ARGUMENTS)
        return mass_error_set(error, MASS_BAD_USAGE, "more than %d parameters are set",
                              (MASS_SUBPROCESS_ARGUMENTS - OTHER_ARGUMENTS) / 2);
    arguments[count++] = q->ranks ? "--probe-cut" : "--probe-plugin";
    arguments[count++] = q->path;
    if (o->resumed) arguments[count++] = "--resumed";
    if (o->loaded) arguments[count++] = "--loaded";
    if (o->explained) arguments[count++] = "--explained";
    for (uint32_t i = 0; i < o->setting_count; i++) {
        if (asprintf(&texts[text], "%s=%s", o->settings[i].name, o->settings[i].value) < 0)
            return mass_error_memory(error, strlen(o->settings[i].value), "a setting");
        arguments[count++] = "--set";
        arguments[count++] = texts[text++];
    }
    if (o->dimensions) {
        char size[80];
        int used = 0;
        for (uint32_t a = 0; a < o->dimensions; a++)
            used += snprintf(size + used, sizeof size - (size_t)used, "%s%" PRId64, a ? "x" : "", o->size[a]);
        if (!(texts[text] = strdup(size))) return mass_error_memory(error, sizeof size, "a setting");
        arguments[count++] = "--size";
        arguments[count++] = texts[text++];
    }
    if (asprintf(&texts[text], "%" PRIu64, o->seed) < 0) return mass_error_memory(error, 32, "a setting");
    arguments[count++] = "--seed";
    arguments[count++] = texts[text++];
    for (int i = 0; q->ranks && i < 2; i++) {
        if (asprintf(&texts[text], "%" PRId32, i ? q->partitions : q->ranks) < 0)
            return mass_error_memory(error, 32, "a setting");
        arguments[count++] = i ? "--partitions" : "--ranks";
        arguments[count++] = texts[text++];
    }
    arguments[count] = NULL;
    return MASS_OK;
}

mass_status mass_probe_judge(const mass_subprocess_result *r, const char *path, int seconds, mass_error *error)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    switch (r->outcome) {
    case MASS_SUBPROCESS_FINISHED:
        return MASS_OK;
    case MASS_SUBPROCESS_CRASHED:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s crashes when it is tried: %s%s", name,
                              strsignal(r->number), r->where);
    case MASS_SUBPROCESS_HUNG:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s hangs when it is tried: it was not done in %d s%s", name,
                              seconds, r->where);
    case MASS_SUBPROCESS_EXITED:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s ends the program when it is tried, with exit status %d%s",
                              name, r->number, r->where);
    case MASS_SUBPROCESS_STOPPED:
        return mass_signals_check(error);
    case MASS_SUBPROCESS_NOT_STARTED:
        break;
    }
    return mass_error_set(error, MASS_FAILED, "%s cannot be tried in a child process: %s", name, r->text);
}

/* Runs the subprocess. refuses: the plugin's own refusal is a failure. lenient: a crash, hang or exit of the subprocess
 * is no failure. found, if not NULL, receives what it finds, "" if nothing. */
static mass_status probe(const question *q, bool refuses, bool lenient, mass_probe_findings *found,
                         mass_error *error)
{
    const char *arguments[MASS_SUBPROCESS_ARGUMENTS];
    char *texts[MASS_SUBPROCESS_ARGUMENTS] = {NULL};
    mass_status status = make_arguments(q, arguments, texts, error);
    if (status == MASS_OK) {
        mass_subprocess_result result;
        const mass_subprocess_limits limits = {.seconds = MASS_PROBE_SECONDS, .stop = mass_signals_end,
                                               .more_seconds = found ? 1 : 0};
        mass_subprocess_run(arguments, &limits, &result);
        if (!lenient || result.outcome == MASS_SUBPROCESS_STOPPED)
            status = mass_probe_judge(&result, q->path, MASS_PROBE_SECONDS, error);
        const bool ended = result.outcome == MASS_SUBPROCESS_FINISHED;
        if (status == MASS_OK && found) {
            const bool more = result.passed && ended;
            snprintf(found->broken, MASS_PROBE_TEXT, "%s",
                     more && result.status == MASS_BAD_PLUGIN ? result.text : "");
            snprintf(found->slow, MASS_PROBE_TEXT, "%s", more && result.status == MASS_OK ? result.text : "");
        }
        if (status == MASS_OK && refuses && ended && result.status != MASS_OK)
            status = mass_error_set(error, result.status, "%s", result.text);
    }
    for (size_t i = 0; i < MASS_SUBPROCESS_ARGUMENTS; i++) free(texts[i]);
    return status;
}

mass_status mass_probe_plugin(const char *path, const mass_opening *opening, mass_probe_findings *found,
                              mass_error *error)
{
    return probe(&(question){path, opening, 0, 0}, false, false, found, error);
}

mass_status mass_probe_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions,
                           mass_error *error)
{
    return probe(&(question){path, opening, ranks, partitions}, true, true, NULL, error);
}
