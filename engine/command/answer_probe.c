/* SPDX-License-Identifier: Apache-2.0 */
#include "command/answer_probe.h"
#include "device/paranoid/paranoid.h"
#include "plugin/load.h"
#include "plugin/probe.h"
#include "process/progress.h"
#include "process/subprocess.h"
#include "run/stepper.h"
#include "run/subnormals.h"
#include "snapshot/create.h"

#include <time.h>

/* Limits the bins of tallies, except world attributes, and lays out their words again. Contributions to other bins are
 * ignored; no bin is read. */
static void cut_bins(mass_model *model)
{
    model->tally_words = 0;
    for (uint32_t i = 0; i < model->tally_count; i++) {
        mass_tally_def *t = &model->tallies[i];
        if (t->bins > MASS_PROBE_BINS && !mass_tally_is_kept(t)) t->bins = t->words = MASS_PROBE_BINS;
        t->first = model->tally_words;
        model->tally_words += t->words;
    }
}

/* Limits agents to a number that fits a small, crowded space in which half of the places are free for moves. */
static void cut_agents(mass_model *model)
{
    for (uint32_t i = 0; i < model->population_count; i++) {
        mass_population_def *p = &model->populations[i];
        const int64_t places = mass_space_places(&model->spaces[p->space]);
        const int64_t each = p->capacity && p->capacity < MASS_PROBE_COUNT ? p->capacity : MASS_PROBE_COUNT;
        const int64_t most = p->initial == MASS_EVERY_PLACE ? each : (places * each + 1) / 2;
        if (p->count > most) p->count = most;
    }
}

/* Limits of the second trial. It runs several steps, so that rules reach more than their first states. It runs only if
 * that takes no noticeable time. */
enum { MORE_STEPS = 8 };
/* Seconds of a processor for the first trial, and for further steps; WAITING times as much by the clock. */
static const double first_most = 0.02, more_most = 0.02;
enum { WAITING = 20 };
/* Limits of the third trial, for --explain, in a larger space. */
enum { EXPLAINED_STEPS = 512, LOOK_EVERY = 8 /* steps from one search for slow operations to the next */ };
static const double explained_most = 0.3;

/* When something begins, in seconds of two kinds. The processor time of this thread, so that other work on the machine
 * does not change what a trial finds. And the clock, for a plugin that sleeps. */
typedef struct beginning {
    double processor, clock;
} beginning;

static beginning begin(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (beginning){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec, mass_seconds()};
}

/* Returns whether `seconds` of the processor have passed, or WAITING times as many by the clock. */
static bool has_passed(beginning then, double seconds)
{
    const beginning now = begin();
    return now.processor - then.processor >= seconds || now.clock - then.clock >= WAITING * seconds;
}

/* Returns whether a file sets the first agents of a population. */
static bool has_table(const mass_model *m)
{
    bool has = false;
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        const char *file = p->table >= 0 ? m->parameters.slots[p->table].text : NULL;
        has |= p->initial == MASS_FROM_TABLE || (file && file[0]);
    }
    return has;
}

/* One run of a trial. */
typedef struct attempt {
    bool checks;    /* on the paranoid device */
    uint64_t steps; /* at most so many, and after the first only while `seconds` have not passed */
    double seconds;
    char *slow;     /* [MASS_SUBNORMALS_TEXT] receives what makes steps slow; NULL: do not search */
} attempt;

/* Starts the run and executes the steps of an attempt. Searches for slow operations if it asks for that. */
static mass_status advance(mass_stepper *run, mass_domain *domain, const attempt *a, mass_error *error)
{
    mass_status status = mass_stepper_start(run, error);
    const beginning begun = begin();
    for (uint64_t step = 1; status == MASS_OK && step <= a->steps; step++) {
        if (step > 1 && has_passed(begun, a->seconds)) break;
        status = mass_stepper_advance(run, step, NULL, error);
        if (status == MASS_OK && a->slow && !a->slow[0] && step % LOOK_EVERY == 0)
            status = mass_subnormals_look(domain, a->slow, error);
    }
    return status == MASS_OK && a->slow && !a->slow[0] ? mass_subnormals_look(domain, a->slow, error) : status;
}

/* Runs the steps of a trial. A load that refuses does not end it: the pattern may not fit so small a space. */
static mass_status run_steps(mass_engine_host *h, const mass_loaded *loaded, mass_model *model, const attempt *a,
                             mass_error *error)
{
    mass_device *device = NULL;
    mass_domain *domain = NULL;
    mass_stepper *run = NULL;
    /* true if the state starts with values like those of the run */
    bool has_own = !h->opening->resumed && !h->opening->loaded && !has_table(model);
    const mass_domain_options options = {.partitions = 1, .worlds = 1, .seed = h->opening->seed};
    mass_status status = mass_device_open(a->checks ? "paranoid" : "cpu", 1, false, &device, error);
    if (status == MASS_OK) status = mass_domain_create(model, device, &options, &domain, error);
    if (status == MASS_OK && !h->opening->resumed) {
        mass_error refusal = {0};
        has_own &= mass_host_load(h, loaded->entry, domain, &refusal) == MASS_OK && !h->fitted;
    }
    if (status == MASS_OK && a->checks) mass_paranoid_forgive(device, !has_own);
    if (status == MASS_OK) status = mass_stepper_create(domain, NULL, 0, &run, error);
    if (status == MASS_OK) status = advance(run, domain, a, error);
    mass_stepper_free(run);
    mass_domain_free(domain);
    mass_device_close(device);
    return status;
}

/* Opens the plugin's model with the trial's limits on extents, bins and agents. */
static mass_status open_cut(mass_engine_host *host, const mass_loaded *loaded, const mass_opening *cut,
                            mass_model *model, mass_error *error)
{
    const mass_status status = mass_host_open(host, loaded->entry, cut, model, error);
    if (status != MASS_OK) return status;
    cut_bins(model);
    cut_agents(model);
    return MASS_OK;
}

/* Tries the plugin for more steps in a larger space, to find slow numbers. slow: [MASS_SUBNORMALS_TEXT], "" before; the
 * sentence of mass_subnormals_look. dimensions: of the first space. Failures are ignored, and leave "". */
static void try_more(const mass_loaded *loaded, const mass_opening *opening, uint32_t dimensions, char *slow)
{
    mass_engine_host host;
    mass_model model;
    mass_error ignored = {0};
    mass_opening cut = *opening;
    cut.extent_limit = 1;
    for (mass_gidx next = 2, places = 0; places <= MASS_PROBE_PLACES; next++) {
        places = dimensions == 1 ? next : dimensions == 2 ? next * next : next * next * next;
        if (places <= MASS_PROBE_PLACES) cut.extent_limit = next;
    }
    const attempt more = {.steps = EXPLAINED_STEPS, .seconds = explained_most, .slow = slow};
    if (open_cut(&host, loaded, &cut, &model, &ignored) == MASS_OK &&
        run_steps(&host, loaded, &model, &more, &ignored) != MASS_OK)
        slow[0] = '\0';
    mass_model_free(&model);
}

int mass_probe_answer(const char *path, const mass_opening *opening)
{
    mass_error error = {0};
    mass_loaded loaded;
    mass_opening cut = *opening;
    char slow[MASS_SUBNORMALS_TEXT] = "";
    cut.extent_limit = MASS_PROBE_EXTENT;
    cut.quiet = true;
    mass_status status = mass_plugin_load(path, &loaded, &error);
    if (status == MASS_OK) {
        mass_engine_host host;
        mass_model model;
        status = open_cut(&host, &loaded, &cut, &model, &error);
        const beginning begun = begin();
        if (status == MASS_OK) status = run_steps(&host, &loaded, &model, &(attempt){.steps = 1}, &error);
        if (status == MASS_OK) mass_subprocess_passed();
        if (status == MASS_OK && !has_passed(begun, first_most))
            status = run_steps(&host, &loaded, &model, &(attempt){true, MORE_STEPS, more_most, slow}, &error);
        if (status == MASS_OK && !slow[0] && opening->explained && mass_subnormals_may_come(&model))
            try_more(&loaded, &cut, model.spaces[0].dimensions, slow);
        mass_model_free(&model);
    }
    mass_subprocess_report(status, status == MASS_OK ? slow : error.text);
    return status;
}

int mass_probe_answer_cut(const char *path, const mass_opening *opening, int32_t ranks, int32_t partitions)
{
    mass_error ignored = {0}, error = {0};
    mass_loaded loaded;
    mass_opening own = *opening;
    own.quiet = true;
    if (mass_plugin_load(path, &loaded, &ignored) == MASS_OK) {
        mass_engine_host host;
        mass_model model;
        if (mass_host_open(&host, loaded.entry, &own, &model, &ignored) == MASS_OK)
            mass_domain_check_rows(&model, ranks, partitions, &error);
        mass_model_free(&model);
    }
    mass_subprocess_report(error.status, error.text);
    return error.status;
}
