/* SPDX-License-Identifier: Apache-2.0 */
#include "command/answer_probe.h"
#include "plugin/load.h"
#include "plugin/probe.h"
#include "process/subprocess.h"
#include "run/stepper.h"

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
    mass_subprocess_report(status, error.text);
    return status;
}
