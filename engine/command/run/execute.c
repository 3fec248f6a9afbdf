/* SPDX-License-Identifier: Apache-2.0 */
/* Executes --info, --explain and runs, once the options are read; and the steps of a run. */
#include "command/run/execute.h"
#include "command/report/explain.h"
#include "command/run/rerun_command.h"
#include "command/run/info.h"
#include "command/run/job.h"
#include "command/run/restart.h"
#include "command/run/run_on.h"
#include "io/input/table.h"
#include "process/signals.h"
#include "process/standard.h"
#include "process/subprocess.h"
#include "run/ignored.h"
#include "run/serve.h"
#include "snapshot/create.h"

#include <stdlib.h>
#include <string.h>

/* Called after every step: counts agents, shows progress and attends to output. Returns whether the stepper must stop
 * for something. */
static bool stop(void *context, uint64_t step)
{
    mass_session *s = context;
    mass_agent_work_step(&s->agents, s->domain, step);
    s->progress.agents = s->agents.near ? s->agents.done : 0;
    mass_progress_update(&s->progress, step);
    mass_output_attend(s->output);
    return mass_signals_pending() || mass_watch_is_due(s->watch) || mass_view_is_due(s->view, step) ||
           mass_subnormals_are_due(&s->subnormals);
}

/* Returns whether a viewer looks at the run. */
static bool looks(void *context) { return mass_view_is_looked_at(((const mass_session *)context)->view); }

/* Reports the progress of reading a step's items, of which so many are given. */
static void show_input(void *context, uint64_t step, uint64_t given)
{
    mass_session *s = context;
    mass_progress_items(&s->progress, step, given, s->model.stream.items);
}

/* Gives the tallies of a step to those that need every step. */
static mass_status take_row(void *context, uint64_t step, const int64_t *tallies, mass_error *error)
{
    mass_session *s = context;
    if (s->view && s->view_by_row) mass_view_row(s->view, step, tallies);
    return s->output_by_row ? mass_output_row(s->output, s->domain, step, tallies, error) : MASS_OK;
}

/* Reports ignored effects of agents as faults of the run: after the first steps and at the end. */
static mass_status report_ignored(mass_session *s, mass_error *error)
{
    return mass_ignored_report(s->domain, &(mass_ignored_listener){mass_faults_add, &s->faults}, error);
}

static const double VIEW_STAY = 60; /* seconds */

/* Begins to answer viewers, if there is a view. The session owns the command line that they are shown. */
static mass_status begin_view(mass_session *s, mass_error *error)
{
    if (!s->view) return MASS_OK;
    const mass_options *o = s->options;
    s->command = mass_again(o, s->opening.seed, s->model.seedless, 0, NULL);
    const mass_view_plan plan = {.model = &s->model, .command = s->command ? s->command : "",
                                 .device = s->device->table->name(s->device), .threads = o->threads,
                                 .seed = s->opening.seed, .first_step = s->first_step, .last_step = s->last_step,
                                 .wait = o->view_wait, .go = o->view_go,
                                 .stay = o->view_stay < 0 ? VIEW_STAY : (double)o->view_stay, .every = o->view_every,
                                 .by_row = s->view_by_row, .keeps = s->folder[0], .quiet = o->quiet,
                                 .no_restart = mass_restart_hindrance(s), .restart = mass_restart_ask,
                                 .restarter = s->restart, .draw = mass_drawing_add, .drawer = s};
    return mass_view_begin(s->view, &plan, s->domain, error);
}

/* Returns whether a signal or a viewer asks for a checkpoint, and takes both requests. */
static bool is_checkpoint_wanted(mass_session *s)
{
    const bool by_signal = mass_signals_take_checkpoint(), by_viewer = mass_view_take_checkpoint(s->view);
    return by_signal || by_viewer;
}

/* Writes the outputs that are due at this step, and a checkpoint if one is wanted. */
static mass_status keep(mass_session *s, mass_error *error)
{
    return mass_output_at(s->output, s->domain, s->run->step, is_checkpoint_wanted(s), error);
}

/* Returns whether a signal, or a viewer's restart, ends the run. */
static bool is_over(const mass_session *s) { return mass_signals_end() || mass_view_restarts(s->view); }

/* Handles requests of signals and viewers while a viewer has paused or slowed the run. */
static mass_status keep_here(mass_session *s, mass_error *error)
{
    if (is_checkpoint_wanted(s)) mass_output_checkpoint_now(s->output, s->domain, s->run->step);
    const mass_status status = mass_view_attend(s->view, s->run->step, error);
    return status == MASS_OK ? mass_drawing_apply(s, error) : status; /* no event is due here, but a failed drawing ends
                                                                         the run */
}

/* Runs steps up to the next one at which an output, an event or the view is due. */
static mass_status advance(mass_session *s, const mass_step_watch *watcher, mass_error *error)
{
    const uint64_t end = mass_drawing_next(s, s->last_step);
    const uint64_t next = mass_output_next(s->output, s->run->step, end);
    return mass_stepper_advance(s->run, mass_view_next(s->view, s->run->step, next), watcher, error);
}

/* Begins the output, the drawing of events, the view, and the counts of agents and subnormals. Decides whether output
 * and view get the tallies of every step. Called once, before the first step. */
static mass_status begin(mass_session *s, mass_error *error)
{
    bool several;
    const bool rows = mass_stepper_has_rows(s->run, &several);
    s->output_by_row = rows && mass_output_takes_rows(s->output, several);
    s->view_by_row = rows && s->view && s->options->view_every <= 1;
    mass_status status = mass_output_begin(s->output, s->domain, s->run->step, error);
    if (status == MASS_OK) status = mass_drawing_begin(s, error);
    if (status == MASS_OK) status = begin_view(s, error);
    if (status == MASS_OK) status = mass_agent_work_begin(&s->agents, s->domain, s->run->step, error);
    if (status == MASS_OK) mass_subnormals_begin(&s->subnormals, s->domain, !s->options->quiet);
    return status;
}

/* Runs the steps until the last one, the stop condition or a signal. Between runs of steps, it writes the output that
 * is due, applies events, and answers viewers. */
static mass_status step(mass_session *s, mass_error *error)
{
    double places = 0;
    for (uint32_t i = 0; i < s->model.space_count; i++) places += (double)mass_space_places(&s->model.spaces[i]);
    const mass_stream_def *stream = s->model.stream.read ? &s->model.stream : NULL;
    mass_progress_begin(&s->progress, s->first_step, s->last_step,
                        stream ? (double)stream->items : places * s->domain->share.worlds, stream ? "items" : "places",
                        s->options->quiet || s->watch);
    mass_step_watch watcher = {.stop = stop, .looks = looks, .on_input = show_input, .context = s};
    mass_status status = MASS_OK;
    mass_standard_lend(); /* without mass_standard_take_back: files of the run may be open, which that does not know */
    bool first = true;
    while (status == MASS_OK && s->run->step < s->last_step && !s->run->held && !is_over(s)) {
        status = mass_drawing_apply(s, error);
        if (status != MASS_OK || s->run->held) break;
        if (mass_watch_is_due(s->watch)) mass_watch_look(s->watch, s->domain, &s->progress, s->run->step);
        status = mass_view_attend(s->view, s->run->step, error);
        while (status == MASS_OK && mass_view_is_paused(s->view) && !is_over(s)) status = keep_here(s, error);
        if (status != MASS_OK || is_over(s)) break;
        watcher.every = s->output_by_row || (s->view_by_row && mass_view_counts_every(s->view));
        watcher.row = watcher.every ? take_row : NULL;
        status = advance(s, &watcher, error);
        mass_standard_hold();
        if (status == MASS_OK) status = mass_agent_work_count(&s->agents, s->domain, s->run->step, error);
        if (status == MASS_OK && first) status = report_ignored(s, error);
        if (status == MASS_OK && first && s->run->step < s->last_step) status = mass_faults_check(&s->faults, error);
        first = false;
        if (status == MASS_OK && mass_subnormals_are_due(&s->subnormals))
            status = mass_subnormals_say(&s->subnormals, s->domain, error);
        if (status == MASS_OK)
            status = keep(s, error);
    }
    if (status == MASS_OK && !s->run->held) status = mass_drawing_apply(s, error); /* events of the last step */
    mass_progress_end(&s->progress);
    if (status == MASS_OK) status = report_ignored(s, error);
    if (status == MASS_OK && s->run->step > s->first_step)
        status = mass_subnormals_say(&s->subnormals, s->domain, error);
    if (status == MASS_OK) mass_watch_look(s->watch, s->domain, &s->progress, s->run->step);
    mass_watch_end(s->watch);
    return status;
}

void mass_session_release(mass_session *s)
{
    mass_watch_free(s->watch);
    mass_view_free(s->view);
    free(s->command);
    mass_output_free(s->output);
    free(s->made);
    mass_stepper_free(s->run);
    mass_domain_free(s->domain);
    if (s->link) s->link->table->close(s->link);
    mass_device_close(s->device);
    free(s->shares);
    for (uint32_t i = 0; i < s->model.population_count; i++) mass_table_free(&s->model, &s->tables[i]);
    mass_loading_free(&s->loading);
    mass_drawing_free(&s->drawing);
    mass_inputs_free(&s->inputs);
    mass_run_series_free(&s->series);
    mass_expression_free(&s->until);
    mass_model_free(&s->model);
    mass_plugin_unload(&s->loaded);
    mass_checkpoint_close(s->checkpoint);
    mass_folder_close(s->place);
    mass_sweep_free(&s->sweep);
    mass_sweep_rows_free(&s->rows);
    for (size_t i = 0; i < MASS_SWEEP_FILES; i++) free(s->names[i]);
    mass_parameter_file_free(&s->parameters);
    free(s->restored);
    free(s->restored_text);
    mass_faults_free(&s->faults);
}

void mass_session_dismiss_others(mass_session *s)
{
    mass_error ignored = {0}; /* they have ended already */
    if (s->others == MASS_OTHERS_AWAIT_JOB) mass_job_cancel(s->comm);
    else if (s->others == MASS_OTHERS_AWAIT_CALLS) mass_serve_end(s->comm, &ignored);
    s->others = MASS_OTHERS_ENDED;
}

/* Puts this rank's name before an error. It is right for failures of a host, such as a full disk. It is left out for
 * user's input that is refused before the ranks have a run, for faults of the model, and for errors of another rank.
 * Does nothing in a run of one rank. */
static void name_rank(const mass_session *s, mass_error *error)
{
    const mass_error cause = *error;
    if (s->comm->size == 1 || s->others != MASS_OTHERS_AWAIT_CALLS || s->comm->agreed || !cause.text[0]) return;
    if (strncmp(cause.text, "rank ", 5) == 0 || (s->faults.strict && s->faults.count)) return;
    *error = (mass_error){0};
    mass_error_set(error, cause.status, "rank %d on %s: %s", s->comm->rank, s->comm->host, cause.text);
}

/* Executes the steps to the end, notes when that was, reports the result unless a viewer restarts the run, and keeps
 * the view open. Returns MASS_INTERRUPTED if a signal ended it. */
static mass_status run(mass_session *s, mass_error *error)
{
    mass_status status = step(s, error);
    s->stepped = mass_seconds();
    if (status == MASS_OK && !mass_view_restarts(s->view)) {
        status = mass_session_conclude(s, error);
        if (status == MASS_OK) status = mass_faults_check(&s->faults, error); /* faults that were found at the end */
    } else if (s->run->out_of_room) status = mass_session_conclude_short(s, error);
    if (status == MASS_OK && mass_signals_end()) status = MASS_INTERRUPTED;
    if (status == MASS_OK) mass_view_linger(s->view, s->run->step, mass_run_on_hindrance(s));
    return status;
}

mass_status mass_execute(const mass_options *options, mass_comm *comm, mass_error *error)
{
    mass_session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the run");
    mass_restart restart = {.session = s};
    s->restart = &restart;
    s->comm = comm;
    s->began = mass_seconds();
    mass_status status = mass_session_take_options(s, options, error);
    if (status == MASS_OK) status = mass_session_prepare(s, error);
    s->initialised = mass_seconds();
    if (status == MASS_OK) status = begin(s, error);
    do status = status == MASS_OK ? run(s, error) : status;
    while (status == MASS_OK && mass_run_on(s));
    const bool restarts = status == MASS_OK && mass_view_restarts(s->view) && !mass_signals_end();
    name_rank(s, error);
    mass_session_add_seed(s, error);
    if (s->output && s->others == MASS_OTHERS_AWAIT_CALLS) mass_output_drain(s->output);
    mass_session_dismiss_others(s);
    const int handed = restarts ? mass_view_hand_over(s->view) : -1;
    if (restarts) s->view = NULL;
    mass_session_release(s);
    free(s);
    if (restarts) status = mass_restart_become(&restart, handed, error);
    mass_restart_free(&restart);
    return status;
}

mass_status mass_execute_explain(const mass_options *options, mass_comm *comm, mass_error *error)
{
    double agents[MASS_POPULATIONS_MAX] = {0};
    mass_session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the plan");
    s->comm = comm;
    mass_status status = mass_session_take_options(s, options, error);
    if (status == MASS_OK) status = mass_session_plan(s, agents, error);
    if (status == MASS_OK)
        status = mass_explain(&(mass_explanation){.run = s->run, .agents = agents, .json = options->json}, error);
    mass_session_dismiss_others(s);
    mass_session_release(s);
    free(s);
    return status;
}

mass_status mass_execute_check_cut(const mass_options *options, int32_t ranks, mass_error *error)
{
    if (options->resume || (options->load_count > 0 && !options->dimensions)) return MASS_OK;
    mass_session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the run");
    s->comm = mass_comm_self();
    mass_status status = mass_session_take_options(s, options, error);
    s->own.seed_given = true; /* so that no seed is drawn here */
    if (status == MASS_OK) status = mass_session_check_cut(s, ranks, error);
    mass_session_release(s);
    free(s);
    return status;
}

int mass_execute_trial(const mass_options *options)
{
    mass_error error = {0};
    mass_options own = *options;
    own.quiet = true;
    mass_session *s = calloc(1, sizeof *s);
    if (s) {
        s->options = &own;
        s->comm = mass_comm_self();
        mass_session_try(s, mass_subprocess_passed, &error);
        mass_session_release(s);
        free(s);
    } else mass_error_memory(&error, sizeof *s, "the run");
    mass_subprocess_report(error.status, error.text);
    return (int)error.status;
}

mass_status mass_execute_info(const mass_options *options, mass_error *error)
{
    mass_session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the description");
    s->comm = mass_comm_self();
    mass_status status = mass_session_take_options(s, options, error);
    if (status == MASS_OK) status = mass_session_open(s, error);
    if (status == MASS_OK) status = mass_session_add_tallies(s, error);
    if (status == MASS_OK)
        status = mass_info_print(&(mass_info){&s->model, s->loaded.entry, s->loaded.path, options->plugin,
                                              options->partitions, mass_session_worlds(s), options->ranks,
                                              options->share_count == (uint32_t)options->ranks ? options->shares : NULL,
                                              options->edge_shares, options->fuse, options->device, options->json,
                                              options->verbose}, error);
    mass_session_release(s);
    free(s);
    return status;
}
