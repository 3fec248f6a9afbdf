/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/probe.h"
#include "core/child.h"
#include "plugin/load.h"
#include "run/signals.h"
#include "run/stepper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments by which the child opens the plugin as the caller will. Pieces are owned by `texts`. */
static mass_status make_arguments(const char *path, const mass_opening *o,
                                  const char *arguments[MASS_CHILD_ARGUMENTS], char **texts, mass_error *error)
{
    size_t count = 0, text = 0;
    if (o->setting_count * 2 + 12 > MASS_CHILD_ARGUMENTS)
        return mass_error_set(error, MASS_BAD_USAGE, "more than %d parameters are set",
                              (MASS_CHILD_ARGUMENTS - 12) / 2);
    arguments[count++] = "--probe-plugin";
    arguments[count++] = path;
    if (o->resumed) arguments[count++] = "--resumed";
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
    arguments[count] = NULL;
    return MASS_OK;
}

mass_status mass_probe_judge(const mass_child_result *r, const char *path, int seconds, mass_error *error)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    switch (r->outcome) {
    case MASS_CHILD_FINISHED:
        return MASS_OK;
    case MASS_CHILD_CRASHED:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s crashes when it is tried: %s%s", name,
                              strsignal(r->number), r->where);
    case MASS_CHILD_HUNG:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s hangs when it is tried: it was not done in %d s%s", name,
                              seconds, r->where);
    case MASS_CHILD_EXITED:
        return mass_error_set(error, MASS_BAD_PLUGIN, "%s ends the program when it is tried, with exit status %d%s",
                              name, r->number, r->where);
    case MASS_CHILD_STOPPED:
        return mass_signals_check(error);
    case MASS_CHILD_NOT_STARTED:
        break;
    }
    return mass_error_set(error, MASS_FAILED, "%s cannot be tried in a child process: %s", name, r->text);
}

mass_status mass_probe_plugin(const char *path, const mass_opening *opening, mass_error *error)
{
    const char *arguments[MASS_CHILD_ARGUMENTS];
    char *texts[MASS_CHILD_ARGUMENTS] = {NULL};
    mass_status status = make_arguments(path, opening, arguments, texts, error);
    if (status == MASS_OK) {
        mass_child_result result;
        const mass_child_limits limits = {.seconds = MASS_PROBE_SECONDS, .stop = mass_signals_end};
        mass_child_run(arguments, &limits, &result);
        status = mass_probe_judge(&result, path, MASS_PROBE_SECONDS, error);
    }
    for (size_t i = 0; i < MASS_CHILD_ARGUMENTS; i++) free(texts[i]);
    return status;
}

/* Few bins, as there are few places: what is added to others is ignored, and nobody reads them. */
static void cut_bins(mass_model *model)
{
    model->tally_words = 0;
    for (uint32_t i = 0; i < model->tally_count; i++) {
        mass_tally_def *t = &model->tallies[i];
        if (t->bins > MASS_PROBE_BINS) t->bins = t->words = MASS_PROBE_BINS;
        t->first = model->tally_words;
        model->tally_words += t->words;
    }
}

/* The run itself. A refused load does not end it: the pattern may not fit a space this small. */
static mass_status run_one_step(mass_engine_host *h, const mass_loaded *loaded, mass_model *model, mass_error *error)
{
    mass_device *device = NULL;
    mass_domain *domain = NULL;
    mass_stepper *run = NULL;
    const mass_domain_options options = {.partitions = 1, .worlds = 1, .seed = h->opening->seed};
    cut_bins(model);
    mass_status status = mass_device_open("cpu", 1, false, &device, error);
    if (status == MASS_OK) status = mass_domain_create(model, device, &options, &domain, error);
    if (status == MASS_OK && !h->opening->resumed) {
        mass_error refusal = {0};
        mass_host_load(h, loaded->entry, domain, &refusal);
    }
    if (status == MASS_OK) status = mass_stepper_create(domain, NULL, 0, &run, error);
    if (status == MASS_OK) status = mass_stepper_start(run, error);
    if (status == MASS_OK) status = mass_stepper_advance(run, 1, NULL, error);
    mass_stepper_free(run);
    mass_domain_free(domain);
    mass_device_close(device);
    return status;
}

int mass_probe_answer(const char *path, const mass_opening *opening)
{
    mass_error error = {0};
    mass_loaded loaded;
    mass_opening cut = *opening;
    cut.extent_limit = MASS_PROBE_EXTENT;
    cut.quiet = true;
    mass_status status = mass_plugin_load(path, &loaded, &error);
    if (status == MASS_OK) {
        mass_engine_host host;
        mass_model model;
        status = mass_host_open(&host, loaded.entry, &cut, &model, &error);
        if (status == MASS_OK) status = run_one_step(&host, &loaded, &model, &error);
        mass_model_free(&model);
    }
    mass_child_report(status, error.text);
    return status;
}
