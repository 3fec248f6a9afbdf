/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a run (io/input/events.h): those that --events or a checkpoint names happen at their steps. A place that
 * somebody draws in a browser is an event too, and no change of parameters.
 *
 * A drawn event is recorded before it is applied: the table is written to a temporary file, brought to disk and
 * renamed. So a run that is killed at any moment can be repeated. The table is FOLDER/events.csv of the checkpoints,
 * the file of --events, or a new file. Each checkpoint has all events that were known when it was written; a resume
 * also takes events.csv next to it, which has later ones. Events are applied between two steps by the same write as
 * --load, on every device and over ranks. Main thread. */
#ifndef MASS_ENGINE_COMMAND_DRAWING_H
#define MASS_ENGINE_COMMAND_DRAWING_H

#include "base/error.h"
#include "io/input/events.h"

#include <limits.h>

struct mass_session;

typedef struct mass_drawing {
    mass_events events;
    size_t applied;      /* of them, that the state has */
    char file[PATH_MAX]; /* where what is drawn is recorded; "": not chosen yet */
    bool ours;           /* the file is there, with these events */
    bool stale;          /* another run's is there, which --force replaces */
    size_t drawn;        /* so many values, in this process */
    mass_error failure;  /* of a drawing that was recorded and could not be applied, which ends the run */
} mass_drawing;

/* Once the model is there: reads the events that are known. MASS_BAD_INPUT, MASS_BAD_USAGE. */
mass_status mass_drawing_read(struct mass_session *s, mass_error *error);
/* Once the checkpoint folder is known, before anything is written there: refuses that of a run with other events. */
mass_status mass_drawing_check_folder(struct mass_session *s, mass_error *error);
/* Before the first step, when the output has begun. */
mass_status mass_drawing_begin(struct mass_session *s, mass_error *error);

/* The step, at most `last`, before which events happen next. */
uint64_t mass_drawing_next(const struct mass_session *s, uint64_t last);
/* Applies those that are due after the run's present step. */
mass_status mass_drawing_apply(struct mass_session *s, mass_error *error);

/* For mass_view_plan: records events of the present step, and applies them. context: the session. *command: what gives
 * the run again from now on. */
mass_status mass_drawing_add(void *context, const mass_event *list, size_t count, const char **command,
                             mass_error *error);

void mass_drawing_free(mass_drawing *); /* all zero is fine */

#endif
