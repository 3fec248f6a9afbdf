/* SPDX-License-Identifier: Apache-2.0 */
#include "io/output.h"
#include "comm/watch.h"
#include "snapshot/pieces.h"
#include "io/checkpoint/checkpoint.h"
#include "io/checkpoint/parts_write.h"
#include "io/checkpoint/survey.h"
#include "io/export/export.h"
#include "io/folder/names.h"
#include "io/hand_over.h"
#include "io/picture/movie.h"
#include "io/picture/picture.h"
#include "io/picture/space_time.h"
#include "io/series/text.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/standard.h"
#include "snapshot/pieces.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/tally.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_STEP UINT64_MAX

struct mass_output {
    const mass_output_plan *plan;
    const mass_model *model;
    double seconds;
    mass_palette palette;
    mass_movie *movie;
    uint64_t movie_step; /* of the last frame */
    mass_error no_movie; /* why there is none any more */
    mass_space_time *diagram; /* the image, where that is one; or NULL */
    mass_export *export;
    mass_series_writer *series;
    mass_series_text *text;
    int64_t *tallies; /* [tallies][worlds] and */
    double *row;      /* of one logged step, as mass_series_row_values has it */
    bool by_row;      /* rows come by mass_output_row */
    bool file_lags, text_lags; /* rows could not be written, and that was said */
    uint64_t lost_checkpoints, lost_fields; /* since the last that was written */
    /* The checkpoint being written by `writer`, or written last. */
    bool writing;
    pthread_t writer;
    mass_snapshot snapshot;
    mass_domain *domain;       /* of the snapshot; borrowed */
    mass_hand_over *hand_over; /* of what ranks hold; NULL: there is one rank, whose snapshot has all */
    mass_checkpoint_settings settings;
    mass_recorded_events events; /* as the next checkpoint has them; those of settings are of the last. Owned */
    mass_error problem;
    char path[PATH_MAX], written[PATH_MAX];
    uint64_t written_step;
    mass_folder *made;     /* the checkpoint folder, where it was not there before */
    mass_others others;    /* what goes with the first checkpoint */
    uint64_t *own; /* steps of this run's files in the folder, which alone it may remove */
    size_t own_count;
};

/* Counts a step's file as this run's. Without memory for that, it merely stays. */
static void own_step(mass_output *o, uint64_t step)
{
    uint64_t *larger = realloc(o->own, (o->own_count + 1) * sizeof *larger);
    if (!larger) return;
    o->own = larger;
    o->own[o->own_count++] = step;
    o->settings.own = o->own;
    o->settings.own_count = o->own_count;
}

/* One that is damaged, or another run's, is not. */
static bool is_own(const mass_output *o, const char *path)
{
    mass_run_facts facts;
    char why[300];
    return mass_file_facts(path, &facts) == MASS_FILE_CHECKPOINT && mass_ownership_has(o->plan->owner, &facts, why);
}

/* A run that resumes in its own folder goes on with what it had written up to there, and need not
 * write again what it starts from. */
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

static mass_status create_series(mass_output *o, mass_error *error);

mass_status mass_output_create(const mass_output_plan *plan, const mass_model *model, mass_output **out,
                               mass_error *error)
{
    mass_status status = MASS_OK;
    mass_palette palette = {0};
    if (plan->folder) status = mass_checkpoint_check_model(model, error);
    if (status == MASS_OK && (plan->image || plan->movie)) status = mass_picture_check(model, plan->slice, error);
    if (status == MASS_OK && plan->image) status = mass_image_check(plan->image, plan->owner->force, error);
    if (status == MASS_OK && plan->movie) status = mass_movie_check(plan->movie, plan->owner->force, error);
    if (status == MASS_OK && (plan->image || plan->movie)) status = mass_picture_palette(model, &palette, error);
    if (status != MASS_OK) return status;
    mass_output *o = calloc(1, sizeof *o);
    if (!o) return mass_error_memory(error, sizeof *o, "output");
    o->plan = plan;
    o->model = model;
    o->palette = palette;
    static const uint64_t none;
    o->settings = (mass_checkpoint_settings){.folder = plan->folder, .every = plan->checkpoint_every,
                                             .keep = plan->keep, .last_step = plan->last_step,
                                             .inputs = plan->inputs, .own = &none, .owner = plan->owner};
    if (plan->place) status = mass_checkpoint_survey(plan->folder, plan->owner, &o->others, error);
    if (status == MASS_OK) own_resumed(o);
    if (status == MASS_OK) status = create_series(o, error);
    if (status == MASS_OK && plan->fields) {
        const mass_export_plan export = {plan->fields, plan->owner, plan->place, plan->resumed != NULL,
                                         plan->first_step};
        status = mass_export_create(&export, model, &o->export, error);
    }
    if (status == MASS_OK && plan->image && mass_space_time_suits(model))
        status = mass_space_time_create(model, &o->palette, &o->diagram, error);
    if (status == MASS_OK) *out = o;
    else mass_output_free(o);
    return status;
}

/* ---- checkpoints ---- */

/* That the folder is still this run's, before something is written there. */
static mass_status check_place(mass_output *o, mass_error *error)
{
    mass_folder *place = o->made ? o->made : o->plan->place;
    return place ? mass_folder_check(place, error) : MASS_OK;
}

/* Of those that are lost one after the other, the first, second, fourth, eighth ... is said: a full disk may stay full
 * for thousands. */
static void say_lost(uint64_t *lost, const char *what, uint64_t step, const mass_error *why)
{
    char before[60] = "";
    const uint64_t n = ++*lost;
    if (n & (n - 1)) return;
    if (n > 2) snprintf(before, sizeof before, ", nor of the %llu before", (unsigned long long)(n - 1));
    mass_progress_say("mass-engine: %s of step %llu%s: %s; the run goes on", what, (unsigned long long)step, before,
                      why->text);
}

static void *write_checkpoint(void *context)
{
    mass_output *o = context;
    mass_crash_engine_thread();
    mass_standard_locale();
    mass_checkpoint_write(&o->settings, &o->snapshot, o->path, &o->problem);
    if (o->hand_over) mass_hand_over_end(o->hand_over);
    return NULL;
}

/* From now on it is this run's to remove, and what another run had is gone. */
static void own_written(mass_output *o, uint64_t step)
{
    own_step(o, step);
    o->settings.others = NULL;
}

/* Takes the result of a writer that has ended: the path, or the problem, which stays in o->problem. */
static void take_result(mass_output *o)
{
    mass_error ignored = {0}; /* ranks that cannot be told end */
    o->writing = false;
    if (o->snapshot.source) mass_pieces_end(o->domain, &ignored);
    if (o->problem.status == MASS_OK) {
        memcpy(o->written, o->path, sizeof o->written);
        o->written_step = o->settings.events.applied == o->events.applied ? o->snapshot.step : NO_STEP;
        o->lost_checkpoints = 0;
        own_written(o, o->snapshot.step);
    } else say_lost(&o->lost_checkpoints, "no checkpoint", o->snapshot.step, &o->problem);
    mass_snapshot_free(&o->snapshot);
}

static void finish_writing(mass_output *o)
{
    if (!o->writing) return;
    const char *other = mass_comm_watch_writes(NULL); /* as the writer tells */
    if (o->snapshot.source) mass_hand_over_finish(o->hand_over);
    pthread_join(o->writer, NULL);
    mass_comm_watch_writes(other);
    take_result(o);
}

/* Whether a checkpoint is still being written, as HDF5 is for one thread at a time. */
static bool is_writing(mass_output *o)
{
    if (o->writing && pthread_tryjoin_np(o->writer, NULL) == 0) take_result(o);
    return o->writing;
}

/* Of several ranks, each keeps its share. */
static mass_status take_snapshot(mass_output *o, mass_domain *d)
{
    o->domain = d;
    if (d->share.comm->size == 1) return mass_domain_save(d, &o->snapshot, &o->problem);
    if (!o->hand_over) o->hand_over = mass_hand_over_create();
    if (!o->hand_over) return mass_error_memory(&o->problem, 1, "a checkpoint");
    return mass_domain_save_pieces(d, !o->plan->parts, &o->snapshot, &o->problem);
}

/* Writes a snapshot here. */
static mass_status write_now(mass_output *o, mass_domain *d, const mass_snapshot *s, mass_error *error)
{
    return o->plan->parts && d->share.comm->size > 1 ? mass_parts_write(&o->settings, d, s, o->path, error)
                                                     : mass_checkpoint_write(&o->settings, s, o->path, error);
}

/* Parts are written by all ranks at once, between steps. */
static bool start_writer(mass_output *o)
{
    const mass_snapshot_source *direct = o->snapshot.source;
    if (direct && o->plan->parts) return false;
    if (direct) {
        mass_hand_over_begin(o->hand_over, direct);
        o->snapshot.source = mass_hand_over_source(o->hand_over);
    }
    o->writing = pthread_create(&o->writer, NULL, write_checkpoint, o) == 0;
    if (!o->writing) o->snapshot.source = direct;
    return o->writing;
}

/* No checkpoint is being written. */
static void use_events(mass_output *o)
{
    if (o->settings.events.text != o->events.text) free(o->settings.events.text);
    o->settings.events = o->events;
}

/* Takes a snapshot and leaves it to the writer, or writes it here where no thread can be started. */
static void start_writing(mass_output *o, mass_domain *d, uint64_t step)
{
    finish_writing(o);
    use_events(o);
    o->problem = (mass_error){0};
    /* A run that resumes from it goes on with the rows up to there. */
    bool in_file = check_place(o, &o->problem) == MASS_OK, in_text = true;
    if (in_file && o->series) in_file = mass_series_publish(o->series, &o->problem) == MASS_OK;
    if (in_file && o->text) in_text = mass_series_text_sync(o->text, &o->problem) == MASS_OK;
    if (!in_file || !in_text) {
        say_lost(&o->lost_checkpoints, "no checkpoint", step, &o->problem);
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
    say_lost(&o->lost_checkpoints, "no checkpoint", step, &o->problem);
}

static bool lacks_checkpoint(const mass_output *o, uint64_t step)
{
    return o->plan->folder && !(o->written[0] && o->written_step == step);
}

static mass_status write_final_checkpoint(mass_output *o, mass_domain *d, const mass_snapshot *final,
                                          mass_error *error)
{
    use_events(o);
    mass_status status = check_place(o, error);
    if (status == MASS_OK) status = write_now(o, d, final, error);
    if (status != MASS_OK) return status;
    memcpy(o->written, o->path, sizeof o->written);
    o->written_step = final->step;
    own_written(o, final->step);
    return MASS_OK;
}

/* ---- time series ---- */

static mass_status create_series(mass_output *o, mass_error *error)
{
    const mass_output_plan *p = o->plan;
    if (!p->series_set) return MASS_OK;
    const size_t worlds = (size_t)p->series_set->worlds;
    o->tallies = malloc((o->model->tally_words + 1) * worlds * sizeof *o->tallies);
    const size_t values = mass_series_row_values(p->series_set);
    o->row = malloc((values + 1) * sizeof *o->row);
    if (!o->tallies || !o->row) return mass_error_memory(error, values * sizeof *o->row, "a series");
    mass_status status = MASS_OK;
    if (p->folder)
        status = mass_series_create(p->series_set, p->folder, p->series_source, p->series_found, p->first_step,
                                    &o->series, error);
    const mass_series_text_start start = {p->resumed != NULL, p->first_step, p->folder || p->resumed, o->others.begun};
    if (status == MASS_OK && p->series)
        status = mass_series_text_create(p->series_set, p->series, &start, &o->text, error);
    return status;
}

/* The values of a column in one world: of a tally of bins all of them. */
static void fill_values(const mass_output *o, const mass_expression *e, int32_t worlds, int32_t world, uint64_t step,
                        uint32_t length, double *to)
{
    const mass_instruction *i = e->program;
    if (i->bin != MASS_ALL_BINS) {
        *to = mass_evaluate(i, e->count, o->tallies, worlds, world, step, NULL);
        return;
    }
    const int64_t *bins = o->tallies + mass_tally_at(&o->model->tallies[i->index], worlds, world);
    for (uint32_t k = 0; k < length; k++) to[k] = i->late && step == 0 ? NAN : mass_number_of_tally(i, bins + k);
}

/* Of o->tallies. */
static void fill_row(mass_output *o, const mass_domain *d, uint64_t step)
{
    double *to = o->row;
    for (uint32_t c = 0; c < o->plan->series_set->count; c++) {
        const uint32_t length = mass_series_length(&o->plan->series_set->columns[c]);
        for (int32_t w = 0; w < d->share.worlds; w++, to += length)
            fill_values(o, &o->plan->programs[c], d->share.worlds, w, step, length, to);
    }
}

/* Rows that a disk does not take wait in memory, and the run goes on; that is said once of each file. */
static mass_status forgive(bool *lags, const mass_error *problem, mass_error *error)
{
    if (problem->status != MASS_OK && problem->status != MASS_FAILED)
        return mass_error_set(error, problem->status, "%s", problem->text);
    if (problem->status == MASS_FAILED && !*lags)
        mass_progress_say("mass-engine: %s; the run goes on, and its rows wait", problem->text);
    *lags = problem->status == MASS_FAILED;
    return MASS_OK;
}

/* tallies: of the step, [tallies][worlds][words]; NULL: those that the domain has. */
static mass_status add_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies, mass_error *error)
{
    mass_error of_text = {0}, of_file = {0};
    if (!o->plan->series_set || step % o->plan->series_set->every != 0) return MASS_OK;
    const bool to_file = o->series && !mass_series_has(o->series, step);
    const bool to_text = o->text && !mass_series_text_has(o->text, step);
    if (!to_file && !to_text) return MASS_OK;
    mass_status status = MASS_OK;
    if (tallies)
        memcpy(o->tallies, tallies, (size_t)d->model->tally_words * (size_t)d->share.worlds * sizeof *tallies);
    else status = mass_domain_read_tallies(d, o->tallies, error);
    if (status == MASS_OK) fill_row(o, d, step);
    if (status == MASS_OK && to_file) status = mass_series_add(o->series, step, o->row, error);
    if (status == MASS_OK && to_text) mass_series_text_add(o->text, step, o->row, &of_text);
    if (status == MASS_OK && to_text) status = forgive(&o->text_lags, &of_text, error);
    if (status != MASS_OK || !o->series || !mass_series_is_due(o->series) || is_writing(o)) return status;
    if (check_place(o, &of_file) == MASS_OK) mass_series_publish(o->series, &of_file);
    return forgive(&o->file_lags, &of_file, error);
}

/* The first rows, so that what cannot be written is found at once. */
static mass_status begin_series(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_status status = o->text ? mass_series_text_begin(o->text, error) : MASS_OK;
    if (status == MASS_OK) status = add_row(o, d, step, NULL, error);
    if (status == MASS_OK && o->text) status = mass_series_text_flush(o->text, error);
    if (status == MASS_OK && o->text && o->plan->folder) status = mass_series_text_sync(o->text, error);
    return status == MASS_OK && o->series ? mass_series_publish(o->series, error) : status;
}

/* What a checkpoint counts on. */
static mass_status end_series(mass_output *o, mass_error *error)
{
    const mass_status status = o->series ? check_place(o, error) : MASS_OK;
    return o->series && status == MASS_OK ? mass_series_publish(o->series, error) : status;
}

/* ... where it goes to a file, too. */
static mass_status sync_text(mass_output *o, mass_error *error)
{
    return o->text && o->plan->folder ? mass_series_text_sync(o->text, error) : MASS_OK;
}

/* ---- fields ---- */

static mass_status add_fields(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_snapshot snapshot;
    if (mass_export_has(o->export, step)) return MASS_OK;
    finish_writing(o);
    mass_status status = mass_domain_save(d, &snapshot, error);
    if (status != MASS_OK) return status;
    snapshot.step = step;
    status = mass_export_add(o->export, &snapshot, error);
    mass_snapshot_free(&snapshot);
    return status;
}

/* A step that a disk does not take is said, and missing. */
static void try_fields(mass_output *o, mass_domain *d, uint64_t step)
{
    mass_error problem = {0};
    if (add_fields(o, d, step, &problem) == MASS_OK) o->lost_fields = 0;
    else say_lost(&o->lost_fields, mass_export_has(o->export, step) ? "fields" : "no fields", step, &problem);
}

static mass_status begin_fields(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    const mass_status status = mass_export_begin(o->export, o->made ? o->made : o->plan->place, error);
    return status == MASS_OK ? add_fields(o, d, step, error) : status;
}

/* ---- pictures ---- */

static mass_status put_frame(mass_output *o, const mass_raster *raster, mass_error *error)
{
    mass_status status = MASS_OK;
    const double delay = 100 / o->plan->movie_rate; /* hundredths of a second */
    const char *other = mass_comm_watch_writes(o->plan->movie);
    if (!o->movie)
        status = mass_movie_open(&o->movie, o->plan->movie, raster->width, raster->height, &o->palette, delay,
                                 o->plan->owner->force, error);
    if (status == MASS_OK) status = mass_movie_add(o->movie, raster, error);
    mass_comm_watch_writes(other);
    return status;
}

/* problem: of the file. */
static mass_status add_frame(mass_output *o, mass_domain *d, uint64_t step, mass_error *problem, mass_error *error)
{
    mass_raster raster;
    const mass_status status = mass_picture_draw(d, o->plan->slice, MASS_MOVIE_LIMIT, &o->palette, &raster, error);
    if (status != MASS_OK) return status;
    o->movie_step = step;
    put_frame(o, &raster, problem);
    mass_raster_free(&raster);
    return problem->status;
}

/* A frame that a disk does not take ends the movie, and not the run. */
static mass_status try_frame(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    const mass_status status = add_frame(o, d, step, &o->no_movie, error);
    if (o->no_movie.status == MASS_OK) return status;
    mass_movie_abandon(o->movie);
    o->movie = NULL;
    mass_progress_say("mass-engine: no movie: %s; the run goes on", o->no_movie.text);
    return MASS_OK;
}

static mass_status write_image(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_raster raster;
    mass_status status = o->diagram
        ? mass_space_time_end(o->diagram, d, step, &raster, error)
        : mass_picture_draw(d, o->plan->slice, MASS_IMAGE_LIMIT, &o->palette, &raster, error);
    if (status != MASS_OK) return status;
    const char *other = mass_comm_watch_writes(o->plan->image);
    status = mass_image_write_png(o->plan->image, &raster, &o->palette, o->plan->owner->force, error);
    mass_comm_watch_writes(other);
    mass_raster_free(&raster);
    return status;
}

static mass_status end_movie(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    if (!o->movie) return mass_error_set(error, o->no_movie.status, "%s", o->no_movie.text);
    const mass_status status = o->movie_step == step ? MASS_OK : add_frame(o, d, step, error, error);
    if (status != MASS_OK) return status;
    mass_movie *movie = o->movie;
    o->movie = NULL;
    const char *other = mass_comm_watch_writes(o->plan->movie);
    const mass_status closed = mass_movie_close(movie, error);
    mass_comm_watch_writes(other);
    return closed;
}

/* ---- the run's calls ---- */

/* What ranks that wait are told of, where nothing more is known. */
static const char *place_of(const mass_output *o)
{
    const mass_output_plan *p = o->plan;
    return p->folder ? p->folder : p->fields ? p->fields : p->series ? p->series : p->movie ? p->movie : p->image;
}

/* A folder that is yet to be made waits until nothing else can be refused; another run may have come first. */
static mass_status make_place(mass_output *o, mass_error *error)
{
    const mass_status status = mass_folder_open(o->plan->folder, "checkpoint", &o->made, error);
    return status == MASS_OK ? mass_checkpoint_survey(o->plan->folder, o->plan->owner, &o->others, error) : status;
}

static mass_status begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    mass_status status = o->plan->folder && !o->plan->place ? make_place(o, error) : MASS_OK;
    /* What another run logged is replaced by what is logged. */
    if (o->others.count > 0 || o->others.series) o->settings.others = &o->others;
    if (o->series) o->others.series = false;
    if (status == MASS_OK) status = begin_series(o, d, step, error);
    if (status == MASS_OK && o->export) status = begin_fields(o, d, step, error);
    if (status == MASS_OK && o->diagram) status = mass_space_time_at(o->diagram, d, step, error);
    return status == MASS_OK && o->plan->movie ? add_frame(o, d, step, error, error) : status;
}

mass_status mass_output_begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error)
{
    const char *other = mass_comm_watch_writes(place_of(o));
    const mass_status status = begin(o, d, step, error);
    mass_comm_watch_writes(other);
    return status;
}

static uint64_t next_multiple(uint64_t step, uint64_t every, uint64_t last)
{
    if (every == 0) return last;
    const uint64_t more = every - step % every;
    return more < last - step ? step + more : last;
}

uint64_t mass_output_next(const mass_output *o, uint64_t step, uint64_t last)
{
    if (o->plan->folder) last = next_multiple(step, o->plan->checkpoint_every, last);
    if (o->plan->series_set && !o->by_row) last = next_multiple(step, o->plan->series_set->every, last);
    if (o->plan->movie) last = next_multiple(step, o->plan->movie_every, last);
    if (o->export) last = next_multiple(step, o->plan->fields_every, last);
    if (o->diagram) last = next_multiple(step, mass_space_time_every(o->diagram), last);
    return last;
}

bool mass_output_takes_rows(mass_output *o, bool several)
{
    enum { EVERY_MOST = 16 }; /* beyond it, steps without tallies gain more than steps that wait for nobody */
    const mass_series_set *set = o->plan->series_set;
    return o->by_row = set && set->every < (several ? EVERY_MOST : 2);
}

mass_status mass_output_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies, mass_error *error)
{
    const double began = mass_seconds();
    const mass_status status = add_row(o, d, step, tallies, error);
    o->seconds += mass_seconds() - began;
    return status;
}

static mass_status write_due(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    mass_status status = add_row(o, d, step, NULL, error);
    if (status != MASS_OK) return status; /* no checkpoint counts on a row that is lost */
    const uint64_t every = o->plan->checkpoint_every, fields_every = o->plan->fields_every;
    /* Before the checkpoint, from which a resumed run goes on with the fields that are there. */
    if (o->export && fields_every && step % fields_every == 0) try_fields(o, d, step);
    if (wanted && !o->plan->folder) mass_progress_say("mass-engine: no checkpoint: give --checkpoint FOLDER");
    if (o->plan->folder && (wanted || (every && step % every == 0))) start_writing(o, d, step);
    if (o->movie && step % o->plan->movie_every == 0) status = try_frame(o, d, step, error);
    return status == MASS_OK && o->diagram ? mass_space_time_at(o->diagram, d, step, error) : status;
}

mass_status mass_output_at(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error)
{
    const double began = mass_seconds();
    const char *other = mass_comm_watch_writes(place_of(o));
    const mass_status status = write_due(o, d, step, wanted, error);
    mass_comm_watch_writes(other);
    if (status == MASS_OK) o->seconds += mass_seconds() - began;
    return status;
}

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
    else if (!is_writing_this(o, step) && lacks_checkpoint(o, step)) start_writing(o, d, step);
    o->seconds += mass_seconds() - began;
}

mass_output_need mass_output_needs(const mass_output *o, uint64_t step)
{
    if (o->export && !mass_export_has(o->export, step)) return MASS_NEEDS_STATE;
    return lacks_checkpoint(o, step) ? MASS_NEEDS_PIECES : MASS_NEEDS_STEP;
}

/* The last checkpoint, if a run can go on from it with the rows up to there. */
static mass_status end_checkpoints(mass_output *o, mass_domain *d, const mass_snapshot *final, bool has_rows,
                                   mass_error *error)
{
    if (!lacks_checkpoint(o, final->step)) return MASS_OK;
    if (has_rows) return write_final_checkpoint(o, d, final, error);
    return mass_error_set(error, MASS_FAILED, "no checkpoint of step %llu, as its rows could not be written",
                          (unsigned long long)final->step);
}

typedef enum kind { MOVIE, SERIES, TEXT, CHECKPOINT, FIELDS, IMAGE, KINDS } kind;

/* Each failure is a line: all but the last are said here, if they were not when they came. The status is that of the
 * first. */
static mass_status say_failures(const mass_output *o, const mass_error failures[KINDS], mass_error *error)
{
    mass_status first = MASS_OK;
    const mass_error *last = NULL;
    for (kind i = 0; i < KINDS; i++) {
        if (failures[i].status == MASS_OK) continue;
        const bool was_said = last == &failures[MOVIE] && o->no_movie.status != MASS_OK;
        if (last && !was_said) mass_progress_say("mass-engine: %s; the run goes on", last->text);
        if (!last) first = failures[i].status;
        last = &failures[i];
    }
    return last ? mass_error_set(error, first, "%s", last->text) : MASS_OK;
}

mass_status mass_output_end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *error)
{
    mass_error failures[KINDS] = {0};
    const char *other = mass_comm_watch_writes(place_of(o));
    finish_writing(o);
    const bool in_file = end_series(o, &failures[SERIES]) == MASS_OK;
    const bool in_text = sync_text(o, &failures[TEXT]) == MASS_OK;
    if (o->export && !mass_export_has(o->export, final->step)) mass_export_add(o->export, final, &failures[FIELDS]);
    end_checkpoints(o, d, final, in_file && in_text, &failures[CHECKPOINT]);
    if (o->text && in_text) mass_series_text_flush(o->text, &failures[TEXT]);
    if (o->plan->image) write_image(o, d, final->step, &failures[IMAGE]);
    if (o->plan->movie) end_movie(o, d, final->step, &failures[MOVIE]);
    mass_comm_watch_writes(other);
    return say_failures(o, failures, error);
}

void mass_output_run_on(mass_output *o, uint64_t last_step) { o->settings.last_step = last_step; }

void mass_output_attend(mass_output *o)
{
    if (o->writing && o->snapshot.source) mass_hand_over_attend(o->hand_over);
}

void mass_output_drain(mass_output *o) { finish_writing(o); }

const char *mass_output_checkpoint(const mass_output *o) { return o->written[0] ? o->written : NULL; }
double mass_output_seconds(const mass_output *o) { return o->seconds; }

void mass_output_free(mass_output *o)
{
    if (!o) return;
    finish_writing(o);
    mass_hand_over_free(o->hand_over);
    use_events(o);
    free(o->events.text);
    free(o->own);
    mass_others_free(&o->others);
    if (o->movie) mass_movie_abandon(o->movie);
    mass_space_time_free(o->diagram);
    mass_export_free(o->export);
    mass_series_free(o->series);
    mass_series_text_free(o->text);
    mass_folder_close(o->made);
    free(o->tallies);
    free(o->row);
    free(o);
}
