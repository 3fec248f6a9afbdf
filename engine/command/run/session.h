/* SPDX-License-Identifier: Apache-2.0 */
/* A run from its options to its report, in the order in which it happens: resume.c finds what it goes on from,
 * open_model.c opens its plugin, prepare.c makes all that stepping needs, execute.c steps, conclude.c reports. Main
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

/* Everything that one run holds, released in one place. */
struct mass_session {
    const mass_options *options;
    mass_options own;     /* what they are with what the table of a sweep says */
    mass_sweep_rows rows; /* of the table; all zero: none */
    char *names[MASS_SWEEP_FILES]; /* of files, where the table makes several runs; owned */
    mass_comm *comm; /* with the other ranks, which do what rank 0 calls for (worker.h); borrowed */
    enum { MASS_OTHERS_AWAIT_JOB, MASS_OTHERS_AWAIT_CALLS, MASS_OTHERS_ENDED } others; /* what they do meanwhile */
    mass_checkpoint *checkpoint; /* being resumed, or NULL */
    char checkpoint_path[PATH_MAX], folder[PATH_MAX];
    mass_folder *place; /* the checkpoint folder, where it was there before; held */
    mass_ownership owner; /* what this run is */
    char *made;           /* and is made of, as text */
    mass_setting *restored; /* the checkpoint's parameters as settings */
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
    mass_loading loading; /* of --load; all zero: nothing */
    mass_inputs inputs; /* files that the run starts with, where it is not resumed */
    mass_drawing drawing; /* all zero: there are no events */
    mass_device *device;
    int32_t *shares; /* [ranks] as they were measured; NULL: they were not, or came out all the same */
    mass_link *link; /* of all ranks' devices; NULL: there is none */
    mass_domain *domain;
    mass_stepper *run;
    mass_output_plan plan;
    mass_output *output;
    mass_progress progress;
    mass_watch *watch; /* NULL: nobody looks on */
    mass_view *view;   /* the same, in a browser */
    char *command;     /* that gives the run again, for the view; owned */
    bool output_by_row, view_by_row; /* who is given every step's tallies as they come */
    struct mass_restart *restart; /* what the view may ask for; borrowed */
    uint64_t first_step, last_step;
    uint64_t prolonged; /* the last step, where who looks had the run go on to it; 0: nobody did */
    int32_t tries; /* steps at once that are tried at most */
    mass_subnormals_watch subnormals;
    mass_agent_work agents;
    mass_faults faults; /* what was found against the model */
    bool seed_is_due, seed_said; /* it was drawn, and nobody has been told; or somebody has */
    double began, initialised, stepped;
};

/* ---- resume.c ---- */

/* Holds the checkpoint folder, if it is there, before anything in it is looked at. */
mass_status mass_session_hold_folder(mass_session *s, mass_error *error);

/* Opens the checkpoint of --resume, the newest one of a folder that is whole. */
mass_status mass_session_open_checkpoint(mass_session *s, mass_error *error);

/* Takes the checkpoint's parameters and size, as if the user had given them. */
mass_status mass_session_restore_opening(mass_session *s, mass_error *error);

/* Gives the domain the checkpoint's state. */
mass_status mass_session_restore_state(mass_session *s, mass_error *error);

/* The folder that a checkpoint lies in, where the resumed run puts the next ones. */
void mass_folder_of(const char *path, char folder[PATH_MAX]);

/* ---- open_model.c ---- */

/* Reads the table of a sweep, and takes the options as its run has them. First of all. */
mass_status mass_session_take_options(mass_session *s, const mass_options *options, mass_error *error);

/* Opens the plugin with the parameters, size and seed that the run has. */
mass_status mass_session_open(mass_session *s, mass_error *error);

/* Whether ranks can cut the spaces of the plugin, which is opened for that in a process of its own. What else is wrong
 * is nothing to it. */
mass_status mass_session_check_cut(mass_session *s, int32_t ranks, mass_error *error);

/* Adds what --tally says: after a checkpoint was compared with the model, which has nothing of this. */
mass_status mass_session_add_tallies(mass_session *s, mass_error *error);

/* How many worlds the run has. */
int32_t mass_session_worlds(const mass_session *s);

/* ---- prepare.c ---- */

/* All that comes before the first step: the schedule `start`, or the state of a checkpoint. */
mass_status mass_session_prepare(mass_session *s, mass_error *error);

/* As much of it as --explain takes, which writes nothing: a stepper, and how many agents each population may have, in
 * all worlds; 0 where nobody can tell yet. */
mass_status mass_session_plan(mass_session *s, double agents[MASS_POPULATIONS_MAX], mass_error *error);

/* What can be known of a run without its device: calls `passed` once options, parameters, files and output are right;
 * then fills places of the run's size in host memory, if the plugin or files do that. Writes nothing. */
mass_status mass_session_try(mass_session *s, void (*passed)(void), mass_error *error);

/* The text of the stop condition; NULL: there is none. */
const char *mass_session_until(const mass_session *s);

/* Adds a seed that was drawn, and that nobody was told, to a failure. */
void mass_session_add_seed(const mass_session *s, mass_error *error);

/* ---- conclude.c ---- */

/* Writes the final state, calls the plugin's finish, and reports. */
mass_status mass_session_conclude(mass_session *s, mass_error *error);

/* The same of a run that stops for want of memory, after a complete step: its state and report come as ever, and then
 * it fails as it had. */
mass_status mass_session_conclude_short(mass_session *s, mass_error *error);

#endif
