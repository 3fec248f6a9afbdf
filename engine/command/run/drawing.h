/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a run (io/input/events.h): values that --events or a checkpoint sets at certain steps. A place that a user
 * draws in a browser is an event too, and no change of parameters.
 *
 * A drawn event is recorded before it is applied: the table is written to a temporary file, synced to disk and renamed.
 * So a run that is killed at any moment can be repeated. The table is FOLDER/events.csv of the checkpoints, the file of
 * --events, or a new file. Each checkpoint has all events that were known when it was written; a resumed run also reads
 * events.csv next to it, which has later ones. Events are applied between two steps by the same write as --load, on
 * every device and over ranks. Main thread. */
#ifndef MASS_ENGINE_COMMAND_DRAWING_H
#define MASS_ENGINE_COMMAND_DRAWING_H

#include "base/error.h"
#include "io/input/events.h"

#include <limits.h>

struct mass_session;

typedef struct mass_drawing {
    mass_events events;
    size_t applied;      /* number of events that have been applied to the state */
    char file[PATH_MAX]; /* records what is drawn; "": not chosen yet */
    bool ours;           /* the file exists and has these events */
    bool stale;          /* the file is another run's, which --force replaces */
    size_t drawn;        /* values drawn in this process */
    mass_error failure;  /* of an event that was recorded but could not be applied; ends the run */
} mass_drawing;

/* Reads the known events, once the model is known. Returns MASS_BAD_INPUT or MASS_BAD_USAGE if they are wrong. */
mass_status mass_drawing_read(struct mass_session *s, mass_error *error);
/* Makes the table of the checkpoint folder the file to record in. Refuses a folder of a run with other events; with
 * --force, marks its file as stale. Without a folder it does nothing. Call it before anything is written to the
 * folder. */
mass_status mass_drawing_check_folder(struct mass_session *s, mass_error *error);
/* Prepares recording: removes a stale file, and gives the known events to the writer of checkpoints. Call it after the
 * output has begun and before the first step. */
mass_status mass_drawing_begin(struct mass_session *s, mass_error *error);

/* Returns the step of the next event, at most `last`. */
uint64_t mass_drawing_next(const struct mass_session *s, uint64_t last);
/* Applies the events that are due at the run's current step. Fails if an event was recorded and could not be
 * applied. */
mass_status mass_drawing_apply(struct mass_session *s, mass_error *error);

/* Implements draw of mass_view_plan: records events of the current step and applies them. If they cannot be recorded,
 * none is applied, and *command stays. context: the session. *command becomes the command line that repeats the run
 * from now on, which the session owns. */
mass_status mass_drawing_add(void *context, const mass_event *list, size_t count, const char **command,
                             mass_error *error);

void mass_drawing_free(mass_drawing *); /* may be all zero */

#endif
