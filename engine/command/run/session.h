/* SPDX-License-Identifier: Apache-2.0 */
/* A run, from its options to its report. The files are in the order of what happens: resume.c finds the checkpoint,
 * open_model.c opens the plugin, prepare.c makes all that steps need, execute.c steps, conclude.c reports. Main
 * thread. */
#ifndef MASS_ENGINE_COMMAND_SESSION_H
#define MASS_ENGINE_COMMAND_SESSION_H

#include "comm/comm.h"
#include "command/options/options.h"
#include "command/options/parameter_file.h"
#include "command/run/agent_work.h"
#include "command/run/drawing.h"
#include "command/run/faults.h"
#include "command/run/loading.h"
#include "command/run/run_series.h"
#include "command/run/sweep.h"
#include "command/run/sweep_files.h"
#include "io/checkpoint/difference.h"
#include "io/output.h"
#include "io/picture/watch.h"
#include "plugin/host.h"
#include "plugin/load.h"
#include "population/table.h"
#include "process/progress.h"
#include "run/stepper.h"
#include "run/subnormals.h"
#include "text/expression.h"
#include "view/view.h"

typedef struct mass_session mass_session;

/* Everything that one run owns, released in one place. */
struct mass_session {
    const mass_options *options;
    mass_options own;     /* the options, with what the table of a sweep sets */
    mass_sweep_rows rows; /* of the table; all zero: no sweep */
    char *names[MASS_SWEEP_FILES]; /* names of files if the table makes several runs; owned */
    mass_comm *comm; /* with the other ranks, which execute rank 0's calls (worker.h); borrowed */
    enum { MASS_OTHERS_AWAIT_JOB, MASS_OTHERS_AWAIT_CALLS, MASS_OTHERS_ENDED } others; /* what the other ranks do now */
    mass_checkpoint *checkpoint; /* being resumed; or NULL */
    char checkpoint_path[PATH_MAX], folder[PATH_MAX];
    mass_folder *place; /* the checkpoint folder, held open, if it existed before */
    mass_ownership owner; /* identity of this run */
    char *made;           /* what the run is made of, as text */
    mass_setting *restored; /* the checkpoint's parameters, as settings */
    char (*restored_text)[64];
    mass_parameter_file parameters; /* of --params; all zero: none */
    mass_sweep sweep; /* all zero: none */
    mass_opening opening;
    mass_loaded loaded;
    mass_engine_host host;
    mass_model model;
    mass_expression until;
    mass_run_series series;
    mass_table tables[MASS_POPULATIONS_MAX];
    mass_loading loading; /* of --load; all zero: none */
    mass_inputs inputs; /* files that the run starts with, unless it is resumed */
    mass_drawing drawing; /* all zero: no events */
    mass_device *device;
    int32_t *shares; /* [ranks] measured weights; NULL: not measured, or all equal */
    mass_link *link; /* of all ranks' devices; NULL: none */
    mass_domain *domain;
    mass_stepper *run;
    mass_output_plan plan;
    mass_output *output;
    mass_progress progress;
    mass_watch *watch; /* NULL: no --watch */
    mass_view *view;   /* NULL: no --view */
    char *command;     /* command that repeats the run, for the view; owned */
    bool output_by_row, view_by_row; /* who gets the tallies of every step */
    struct mass_restart *restart; /* handles restarts for the view; borrowed */
    uint64_t first_step, last_step;
    uint64_t prolonged; /* last step that a viewer extended the run to; 0: not extended */
    int32_t tries; /* most steps in one pass that are tried */
    mass_subnormals_watch subnormals;
    mass_agent_work agents;
    mass_faults faults; /* faults found in the model */
    bool seed_is_due, seed_said; /* the seed was drawn and is not printed yet; it has been printed */
    double began, initialised, stepped;
};

/* ---- resume.c ---- */

/* Locks the folder of --checkpoint, else that of --resume, if it exists, and holds it open. Call it before anything in
 * it is read. */
mass_status mass_session_hold_folder(mass_session *s, mass_error *error);

/* Opens the checkpoint of --resume; of a folder, the newest one that is complete. Its folder becomes the run's, unless
 * --checkpoint is given. */
mass_status mass_session_open_checkpoint(mass_session *s, mass_error *error);

/* Takes the checkpoint's parameters, size and seed, as if the user had given them. Leaves out a parameter with an empty
 * text, unless it was given or is a constant. */
mass_status mass_session_restore_opening(mass_session *s, mass_error *error);

/* Restores the domain's state from the checkpoint, on all ranks, and computes what depends on it. */
mass_status mass_session_restore_state(mass_session *s, mass_error *error);

/* Writes the folder of a checkpoint, to which the resumed run writes the next ones: "." if the path has no '/'. */
void mass_folder_of(const char *path, char folder[PATH_MAX]);

/* ---- open_model.c ---- */

/* Takes a copy of the options. Reads the table of a sweep, unless the run is resumed, and takes the options of this run
 * of it. s->comm has to be set. Call it first. */
mass_status mass_session_take_options(mass_session *s, const mass_options *options, mass_error *error);

/* Tries the plugin in a subprocess, loads it, and opens it with the run's parameters, size and seed: those of
 * s->checkpoint if there is one, else of the options. */
mass_status mass_session_open(mass_session *s, mass_error *error);

/* Checks in a subprocess, which opens the plugin, that ranks can divide its spaces. Ignores all other mistakes. */
mass_status mass_session_check_cut(mass_session *s, int32_t ranks, mass_error *error);

/* Adds the tallies of --tally. Call it after a checkpoint was compared with the model: checkpoints do not have
 * these. */
mass_status mass_session_add_tallies(mass_session *s, mass_error *error);

/* Returns the number of the run's worlds: the checkpoint's, else the sweep's, else that of --worlds. Each has to be
 * read before. */
int32_t mass_session_worlds(const mass_session *s);

/* ---- prepare.c ---- */

/* Does all that comes before the first step: the schedule `start`, or the state of a checkpoint. */
mass_status mass_session_prepare(mass_session *s, mass_error *error);

/* Does the part of it that --explain needs, and writes nothing. Makes a stepper, and estimates the agents of each
 * population over all worlds; 0 if they are not known yet. */
mass_status mass_session_plan(mass_session *s, double agents[MASS_POPULATIONS_MAX], mass_error *error);

/* Checks all that can be known of a run without its device, and writes nothing. Calls `passed` once options,
 * parameters, files and output are right. Then fills places of the run's size in host memory, if the plugin or files do
 * that. */
mass_status mass_session_try(mass_session *s, void (*passed)(void), mass_error *error);

/* Refuses a table by step that has fewer values than the run has steps, in any world. Passes if the run makes no
 * step. */
mass_status mass_session_check_tables(const mass_session *s, mass_error *error);

/* Returns the text of the stop condition, that of --until or else the checkpoint's; NULL: none. */
const char *mass_session_until(const mass_session *s);

/* Adds the seed to the error's text if it was drawn and has not been printed. Without an error, does nothing. */
void mass_session_add_seed(const mass_session *s, mass_error *error);

/* ---- execute.c ---- */

/* Ends the other ranks' part in the run: cancels the job that they await, or ends their service of calls. Rank 0 calls
 * it, once. */
void mass_session_dismiss_others(mass_session *s);

/* Frees all that the session owns, but not the session. Members may be all zero. */
void mass_session_release(mass_session *s);

/* ---- conclude.c ---- */

/* Writes the final state, calls the plugin's finish unless the run was interrupted, and reports. Output that could not
 * be written, and values out of range, are failures, but the run is reported all the same. */
mass_status mass_session_conclude(mass_session *s, mass_error *error);

/* Checks that no rule has written values outside of an attribute's range; not of streamed and derived attributes. The
 * error, MASS_BAD_PLUGIN, names the first such attribute. */
mass_status mass_session_check_ranges(const mass_session *s, mass_error *error);

/* Concludes a run that stops after a complete step because memory is short: writes the final state and reports as
 * usual, and then fails with the run's error, which *error has before. If it cannot conclude, the error says both. */
mass_status mass_session_conclude_short(mass_session *s, mass_error *error);

#endif
