/* SPDX-License-Identifier: Apache-2.0 */
/* Writes checkpoints in a thread while the run goes on. */
#include "io/writers.h"

#include "comm/watch.h"
#include "io/checkpoint/checkpoint.h"
#include "io/checkpoint/parts_write.h"
#include "io/checkpoint/survey.h"
#include "io/folder/names.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/standard.h"
#include "snapshot/chunks.h"
#include "snapshot/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_STEP UINT64_MAX

/* Records a step's file as this run's. If memory is short, the file merely is never removed. */
static void own_step(mass_output *o, uint64_t step)
{
    uint64_t *larger = realloc(o->own, (o->own_count + 1) * sizeof *larger);
    if (!larger) return;
    o->own = larger;
    o->own[o->own_count++] = step;
    o->settings.own = o->own;
    o->settings.own_count = o->own_count;
}

/* Returns true if the file's head names it a checkpoint of this run. Does not check the rest. */
static bool is_own(const mass_output *o, const char *path)
{
    mass_run_facts facts;
    char why[300];
    return mass_file_facts(path, &facts) == MASS_FILE_CHECKPOINT && mass_ownership_has(o->plan->owner, &facts, why);
}

/* Records the existing checkpoints of a run that resumes in its own folder, up to its first step. The checkpoint that
 * it starts from need not be written again. */
static void own_resumed(mass_output *o)
{
    mass_error ignored = {0};
    mass_checkpoint_names names = {0};
    char resumed[PATH_MAX], folder[PATH_MAX];
    if (!o->plan->resumed || !o->plan->folder || !realpath(o->plan->folder, folder) ||
        !realpath(o->plan->resumed, resumed))
        return;
    const char *slash = strrchr(resumed, '/');
    if (strncmp(resumed, folder, (size_t)(slash - resumed)) != 0 || folder[slash - resumed] != '\0') return;
    if (mass_checkpoint_list(o->plan->folder, &names, &ignored) == MASS_OK)
        for (size_t i = 0; i < names.count; i++)
            if (names.steps[i] <= o->plan->first_step && is_own(o, names.paths[i])) own_step(o, names.steps[i]);
    mass_checkpoint_names_free(&names);
    snprintf(o->written, sizeof o->written, "%s", o->plan->resumed);
    o->written_step = o->plan->first_step;
}

/* Prepares checkpoints: checks the model and, if the folder exists, whose files are in it; records a resumed run's
 * own. Writes nothing. */
static mass_status create(mass_output *o, mass_error *error)
{
    static const uint64_t none;
    const mass_output_plan *plan = o->plan;
    o->settings = (mass_checkpoint_settings){.folder = plan->folder, .every = plan->checkpoint_every,
                                             .keep = plan->keep, .last_step = plan->last_step,
                                             .inputs = plan->inputs, .own = &none, .owner = plan->owner};
    mass_status status = plan->folder ? mass_checkpoint_check_model(o->model, error) : MASS_OK;
    if (status == MASS_OK && plan->place)
        status = mass_checkpoint_survey(plan->folder, plan->owner, &o->others, error);
    if (status == MASS_OK) own_resumed(o);
    return status;
}

mass_status mass_output_check_place(mass_output *o, mass_error *error)
{
    mass_folder *place = o->made ? o->made : o->plan->place;
    return place ? mass_folder_check(place, error) : MASS_OK;
}

void mass_output_say_lost(uint64_t *lost, const char *what, uint64_t step, const mass_error *why)
{
    char before[60] = "";
    const uint64_t n = ++*lost;
    if (n & (n - 1)) return;
    if (n > 2) snprintf(before, sizeof before, ", nor of the %llu before", (unsigned long long)(n - 1));
    mass_progress_say("mass-engine: %s of step %llu%s: %s; the run goes on", what, (unsigned long long)step, before,
                      why->text);
}

/* Runs in the writing thread: writes o->snapshot to o->path, with the result in o->problem. */
static void *write_checkpoint(void *context)
{
    mass_output *o = context;
    mass_crash_engine_thread();
    mass_standard_locale();
    mass_checkpoint_write(&o->settings, &o->snapshot, o->path, &o->problem);
    if (o->hand_over) mass_main_thread_read_end(o->hand_over);
    return NULL;
}

/* Records a written checkpoint as this run's. Other runs' files are gone now. */
static void own_written(mass_output *o, uint64_t step)
{
    own_step(o, step);
    o->settings.others = NULL;
}

/* Takes the result of a writer that has ended: the path, or the problem, which stays in o->problem and is reported.
 * Frees the snapshot. */
static void take_result(mass_output *o)
{
    mass_error ignored = {0}; /* ranks that cannot be notified are ending */
    o->writing = false;
    if (o->snapshot.source) mass_chunks_end(o->domain, &ignored);
    if (o->problem.status == MASS_OK) {
        memcpy(o->written, o->path, sizeof o->written);
        o->written_step = o->settings.events.applied == o->events.applied ? o->snapshot.step : NO_STEP;
        o->lost_checkpoints = 0;
        own_written(o, o->snapshot.step);
    } else mass_output_say_lost(&o->lost_checkpoints, "no checkpoint", o->snapshot.step, &o->problem);
    mass_snapshot_free(&o->snapshot);
}

void mass_output_finish_writing(mass_output *o)
{
    if (!o->writing) return;
    const char *other = mass_comm_watch_writes(NULL); /* the writer reports its own progress */
    if (o->snapshot.source) mass_main_thread_read_finish(o->hand_over);
    pthread_join(o->writer, NULL);
    mass_comm_watch_writes(other);
    take_result(o);
}

bool mass_output_is_writing(mass_output *o)
{
    if (o->writing && pthread_tryjoin_np(o->writer, NULL) == 0) take_result(o);
    return o->writing;
}

/* Takes a snapshot into o->snapshot. With several ranks, rank 0 has only the numbers, and each rank keeps a copy of
 * its own part. There is no copy for parts: they have to be written before the next step. A failure is in
 * o->problem. */
static mass_status take_snapshot(mass_output *o, mass_domain *d)
{
    o->domain = d;
    if (d->share.comm->size == 1) return mass_domain_save(d, &o->snapshot, &o->problem);
    if (!o->hand_over) o->hand_over = mass_main_thread_read_create();
    if (!o->hand_over) return mass_error_memory(&o->problem, 1, "a checkpoint");
    return mass_domain_save_chunks(d, !o->plan->parts, &o->snapshot, &o->problem);
}

/* Writes a snapshot on the calling thread, as parts by all ranks if the plan says so. Sets o->path. */
static mass_status write_now(mass_output *o, mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    return o->plan->parts && d->share.comm->size > 1 ? mass_parts_write(&o->settings, d, s, o->path, error)
                                                     : mass_checkpoint_write(&o->settings, s, o->path, error);
}

/* Starts the writer thread. Returns false if it cannot be started, and for parts: all ranks write those at once,
 * between steps. */
static bool start_writer(mass_output *o)
{
    const mass_snapshot_source *direct = o->snapshot.source;
    if (direct && o->plan->parts) return false;
    if (direct) {
        mass_main_thread_read_begin(o->hand_over, direct);
        o->snapshot.source = mass_main_thread_read_source(o->hand_over);
    }
    o->writing = pthread_create(&o->writer, NULL, write_checkpoint, o) == 0;
    if (!o->writing) o->snapshot.source = direct;
    return o->writing;
}

/* Hands the current events to the settings. No checkpoint may be in progress. */
static void use_events(mass_output *o)
{
    if (o->settings.events.text != o->events.text) free(o->settings.events.text);
    o->settings.events = o->events;
}

/* Waits for the checkpoint in progress, and brings all rows to disk. Then takes a snapshot and passes it to the writer
 * thread; writes it directly if no thread is started. Failures are only reported. */
static void start_writing(mass_output *o, mass_domain *d, uint64_t step)
{
    mass_output_finish_writing(o);
    use_events(o);
    o->problem = (mass_error){0};
    /* A run that resumes from this checkpoint relies on the rows up to here. */
    bool in_file = mass_output_check_place(o, &o->problem) == MASS_OK, in_text = true;
    if (in_file && o->series) in_file = mass_series_publish(o->series, &o->problem) == MASS_OK;
    if (in_file && o->text) in_text = mass_series_text_sync(o->text, &o->problem) == MASS_OK;
    if (!in_file || !in_text) {
        mass_output_say_lost(&o->lost_checkpoints, "no checkpoint", step, &o->problem);
        o->file_lags |= !in_file;
        o->text_lags |= !in_text;
        return;
    }
    if (take_snapshot(o, d) == MASS_OK) {
        o->snapshot.step = step;
        if (start_writer(o)) return;
        write_now(o, d, &o->snapshot, &o->problem);
        take_result(o);
        return;
    }
    mass_output_say_lost(&o->lost_checkpoints, "no checkpoint", step, &o->problem);
}

bool mass_output_lacks_checkpoint(const mass_output *o, uint64_t step)
{
    return o->plan->folder && !(o->written[0] && o->written_step == step);
}

/* Writes the last checkpoint in this thread, after a check that the folder is still this run's. */
static mass_status write_final_checkpoint(mass_output *o, mass_domain *d, const mass_snapshot *final,
                                          mass_error *error)
{
    use_events(o);
    mass_status status = mass_output_check_place(o, error);
    if (status == MASS_OK) status = write_now(o, d, final, error);
    if (status != MASS_OK) return status;
    memcpy(o->written, o->path, sizeof o->written);
    o->written_step = final->step;
    own_written(o, final->step);
    return MASS_OK;
}

/* Creates the folder, locks it, and looks again at whose files are in it: another run may have created it first. */
static mass_status make_place(mass_output *o, mass_error *error)
{
    const mass_status status = mass_folder_open(o->plan->folder, "checkpoint", &o->made, error);
    return status == MASS_OK ? mass_checkpoint_survey(o->plan->folder, o->plan->owner, &o->others, error) : status;
}

/* Makes the folder, unless it exists, and settles which files of other runs are replaced. */
static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    (void)d;
    (void)step;
    const mass_status status = o->plan->folder && !o->plan->place ? make_place(o, error) : MASS_OK;
    /* This run's series replace those of another run. */
    if (o->others.count > 0 || o->others.series) o->settings.others = &o->others;
    if (o->series) o->others.series = false;
    return status;
}

/* Returns the interval of checkpoints; 0 if there are none. */
static uint64_t every(const mass_output *o) { return o->plan->folder ? o->plan->checkpoint_every : 0; }

/* Starts to write a checkpoint if its step is due or one was requested. A request without a folder is only reported. */
static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    (void)error;
    const uint64_t each = o->plan->checkpoint_every;
    if (wanted && !o->plan->folder) mass_progress_say("mass-engine: no checkpoint: give --checkpoint FOLDER");
    if (o->plan->folder && (wanted || (each && step % each == 0))) start_writing(o, d, step);
    return MASS_OK;
}

/* Returns true if the checkpoint being written is of this step, with the same events applied. */
static bool is_writing_this(const mass_output *o, uint64_t step)
{
    return o->writing && o->snapshot.step == step && o->settings.events.applied == o->events.applied;
}

void mass_output_know_events(mass_output *o, char *text, size_t size, uint64_t applied)
{
    if (o->events.text != o->settings.events.text) free(o->events.text);
    o->events = (mass_recorded_events){text, size, applied};
}

void mass_output_count_events(mass_output *o, uint64_t applied)
{
    if (applied != o->events.applied) o->written_step = NO_STEP;
    o->events.applied = applied;
}

void mass_output_checkpoint_now(mass_output *o, mass_domain *d, uint64_t step)
{
    const double began = mass_seconds();
    if (!o->plan->folder) mass_progress_say("mass-engine: no checkpoint: give --checkpoint FOLDER");
    else if (!is_writing_this(o, step) && mass_output_lacks_checkpoint(o, step)) start_writing(o, d, step);
    o->seconds += mass_seconds() - began;
}

/* Writes the last checkpoint, unless it exists. Without the rows that a resumed run needs it writes none, which is a
 * failure, so it comes after the ends of the series. Adds its failures to the run's. */
static void end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure)
{
    if (!mass_output_lacks_checkpoint(o, final->step)) return;
    if (o->file_is_kept && o->text_is_kept) write_final_checkpoint(o, d, final, failure);
    else
        mass_error_set(failure, MASS_FAILED, "no checkpoint of step %llu, as its rows could not be written",
                       (unsigned long long)final->step);
}

/* Waits for the writing to end, then frees all and closes the folder's lock. */
static void release(mass_output *o)
{
    mass_output_finish_writing(o);
    mass_main_thread_read_free(o->hand_over);
    use_events(o);
    free(o->events.text);
    free(o->own);
    mass_others_free(&o->others);
    mass_folder_close(o->made);
}

void mass_output_attend(mass_output *o)
{
    if (o->writing && o->snapshot.source) mass_main_thread_read_attend(o->hand_over);
}

void mass_output_drain(mass_output *o) { mass_output_finish_writing(o); }

const mass_output_writer mass_output_checkpoints = {
    .create = create, .begin = begin, .every = every, .write = write_due, .end = end, .release = release};
