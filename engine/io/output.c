/* SPDX-License-Identifier: Apache-2.0 */
#include "io/output.h"
#include "io/writers.h"

#include "comm/watch.h"
#include "process/progress.h"

#include <stdlib.h>

/* In the order in which they write at a step. Rows come first, since a checkpoint relies on them. Fields come before
 * the checkpoint, since a resumed run expects them. */
typedef enum kind { SERIES, TEXT, FIELDS, CHECKPOINT, MOVIE, IMAGE, NETWORK, AGENTS, KINDS } kind;
static const mass_output_writer *const writers[] = {
    [SERIES] = &mass_output_series,         [TEXT] = &mass_output_text,   [FIELDS] = &mass_output_fields,
    [CHECKPOINT] = &mass_output_checkpoints, [MOVIE] = &mass_output_movie, [IMAGE] = &mass_output_image,
    [NETWORK] = &mass_output_network,       [AGENTS] = &mass_output_agents};

/* The orders in which writers are created and begin. Errors in the model and in file names are found before any folder
 * is changed. */
static const kind made[] = {NETWORK, AGENTS, IMAGE, MOVIE, CHECKPOINT, SERIES, TEXT, FIELDS};
static const kind begun[] = {CHECKPOINT, SERIES, TEXT, FIELDS, IMAGE, MOVIE, NETWORK, AGENTS};
/* The order in which failures at the end are reported. */
static const kind said[] = {MOVIE, SERIES, TEXT, CHECKPOINT, FIELDS, IMAGE, NETWORK, AGENTS};
#define HAS_ALL_KINDS(LIST) _Static_assert(sizeof(LIST) / sizeof *(LIST) == KINDS, #LIST " has every kind once")
HAS_ALL_KINDS(writers);
HAS_ALL_KINDS(made);
HAS_ALL_KINDS(begun);
HAS_ALL_KINDS(said);

mass_status mass_output_create(const mass_output_plan *plan, const mass_model *model, mass_output **out,
                               mass_error *error)
{
    mass_status status = MASS_OK;
    mass_output *o = calloc(1, sizeof *o);
    if (!o) return mass_error_memory(error, sizeof *o, "output");
    o->plan = plan;
    o->model = model;
    for (int i = 0; status == MASS_OK && i < KINDS; i++)
        if (writers[made[i]]->create) status = writers[made[i]]->create(o, error);
    if (status == MASS_OK) *out = o;
    else mass_output_free(o);
    return status;
}

void mass_output_free(mass_output *o)
{
    if (!o) return;
    mass_output_finish_writing(o);
    for (kind i = 0; i < KINDS; i++)
        if (writers[i]->release) writers[i]->release(o);
    free(o);
}

/* Returns what other ranks report while they wait for output, if nothing more precise is known. */
static const char *place_of(const mass_output *o)
{
    const mass_output_plan *p = o->plan;
    return p->folder ? p->folder : p->fields ? p->fields : p->series ? p->series : p->movie ? p->movie
                     : p->image  ? p->image : p->network ? p->network : p->agents_count ? o->agents[0].path : NULL;
}

mass_status mass_output_begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_status status = MASS_OK;
    const char *other = mass_comm_watch_writes(place_of(o));
    for (int i = 0; status == MASS_OK && i < KINDS; i++)
        if (writers[begun[i]]->begin) status = writers[begun[i]]->begin(o, d, step, error);
    mass_comm_watch_writes(other);
    return status;
}

/* Returns the next multiple of `every` after the step, at most `last`; `last` if every is 0. */
static uint64_t next_multiple(uint64_t step, uint64_t every, uint64_t last)
{
    if (every == 0) return last;
    const uint64_t more = every - step % every;
    return more < last - step ? step + more : last;
}

uint64_t mass_output_next(const mass_output *o, uint64_t step, uint64_t last)
{
    for (kind i = 0; i < KINDS; i++)
        if (writers[i]->every) last = next_multiple(step, writers[i]->every(o), last);
    return last;
}

mass_status mass_output_at(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    const double began = mass_seconds();
    const char *other = mass_comm_watch_writes(place_of(o));
    mass_status status = MASS_OK;
    for (kind i = 0; status == MASS_OK && i < KINDS; i++)
        if (writers[i]->write) status = writers[i]->write(o, d, step, wanted, error);
    mass_comm_watch_writes(other);
    if (status == MASS_OK) o->seconds += mass_seconds() - began;
    return status;
}

/* Returns what this rank's output needs of all ranks at the run's end: the state, its chunks, or only the step. */
mass_output_need mass_output_needs(const mass_output *o, uint64_t step)
{
    if ((o->export && !mass_export_has(o->export, step)) || o->plan->network ||
        o->plan->agents_count)
        return MASS_NEEDS_STATE;
    return mass_output_lacks_checkpoint(o, step) ? MASS_NEEDS_CHUNKS : MASS_NEEDS_STEP;
}

/* Reports each failure in a line, unless it was reported when it occurred. The last one goes to *error. Returns the
 * status of the first one. */
static mass_status say_failures(const mass_output *o, const mass_error failures[KINDS], mass_error *error)
{
    mass_status first = MASS_OK;
    const mass_error *last = NULL;
    for (int i = 0; i < KINDS; i++) {
        const mass_error *failure = &failures[said[i]];
        if (failure->status == MASS_OK) continue;
        const bool was_said = last == &failures[MOVIE] && o->no_movie.status != MASS_OK;
        if (last && !was_said) mass_progress_say("mass-engine: %s; the run goes on", last->text);
        if (!last) first = failure->status;
        last = failure;
    }
    return last ? mass_error_set(error, first, "%s", last->text) : MASS_OK;
}

mass_status mass_output_end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *error)
{
    mass_error failures[KINDS] = {0};
    const char *other = mass_comm_watch_writes(place_of(o));
    mass_output_finish_writing(o);
    for (kind i = 0; i < KINDS; i++)
        if (writers[i]->end) writers[i]->end(o, d, final, &failures[i]);
    mass_comm_watch_writes(other);
    return say_failures(o, failures, error);
}

void mass_output_run_on(mass_output *o, uint64_t last_step) { o->settings.last_step = last_step; }

const char *mass_output_checkpoint(const mass_output *o) { return o->written[0] ? o->written : NULL; }
double mass_output_seconds(const mass_output *o) { return o->seconds; }
