/* SPDX-License-Identifier: Apache-2.0 */
/* A run that is viewed in a browser. The thread that steps answers questions between steps, so that no viewer sees the
 * middle of a step. Without viewers it does nothing. The server is a module (view/http). Main thread; with several
 * ranks on rank 0, while the others serve its calls (run/serve.h). */
#ifndef MASS_ENGINE_VIEW_H
#define MASS_ENGINE_VIEW_H

#include "state/domain.h"
#include "io/input/events.h"
#include "plugin/host.h"
#include "view/address.h"

typedef struct mass_view mass_view;

/* A request to restart the run. Borrowed for a call. */
typedef struct mass_view_wish {
    const mass_setting *settings; /* [count] other values, as --set takes them */
    uint32_t count;
    uint64_t seed;
} mass_view_wish;

/* The facts about the run. All texts and the model are borrowed. */
typedef struct mass_view_plan {
    const mass_model *model;
    const char *command; /* command that repeats this run */
    const char *device;
    int threads;         /* 0: unknown */
    uint64_t seed, first_step, last_step;
    bool wait;           /* wait for a viewer before the first step, without a limit */
    bool go;             /* with control: do not begin paused */
    double stay;         /* else: seconds that it waits for viewers without a terminal, before the first step and at the
                            end */
    uint64_t every;      /* steps between the counts of charts; 0: not given */
    bool by_row;         /* mass_view_row gets the tallies of steps */
    bool keeps;          /* the run has a checkpoint folder */
    bool quiet;
    const char *no_restart; /* why it cannot be restarted; NULL: it can, by */
    mass_status (*restart)(void *restarter, const mass_view_wish *, mass_error *error); /* this function, which refuses
                                                                                           known mistakes */
    void *restarter;
    /* Records events of the current step and sets places. *command becomes the command that repeats the run from now
     * on. */
    mass_status (*draw)(void *drawer, const mass_event *list, size_t count, const char **command, mass_error *error);
    void *drawer;
} mass_view_plan;

/* Opens the module and listens; no question is answered yet. handed: what mass_view_hand_over returned before the
 * process became this run, or 0. Returns MASS_NO_DEVICE if the module or its library is missing. On failure *out is
 * unchanged. */
mass_status mass_view_open(const char *text, int handed, mass_view **out, mass_error *error);
/* Ends the server, waits for its thread, and removes the path of its socket. NULL is allowed, as for all functions
 * below but mass_view_hand_over, mass_view_row and mass_view_run_on. */
void mass_view_free(mass_view *);

/* Begins to answer, and prints the address, but not in a run to which another one handed over. With control the run is
 * paused, unless plan->go is set or the run before it was running. The caller frees v, on failure too. */
mass_status mass_view_begin(mass_view *v, const mass_view_plan *plan, mass_domain *d, mass_error *error);

/* Returns whether the run must attend to v after the next step. Called before every step, and cheap enough for that. It
 * must if a chart is due for a point while not every step is counted. It must also if a question waits and may be
 * answered: at most 60 times a second, and for at most a fifth of the run's time, or a sixteenth if an answer takes
 * more than 10 ms. */
bool mass_view_is_due(mass_view *v, uint64_t step);

/* Returns whether mass_view_row, if it gets steps at all, must get every step until v is attended to again. */
bool mass_view_counts_every(const mass_view *v);

/* Returns whether a question came in the last second. */
bool mass_view_is_looked_at(const mass_view *v);

/* Answers what can be answered, between steps, with this step's tallies, and adds the step to charts that are due.
 * Waits while the run is paused or slowed, until a signal, or a request for a checkpoint or another run. */
mass_status mass_view_attend(mass_view *v, uint64_t step, mass_error *error);

/* Returns the next step, at most `last`, at which v must be attended to. The steps before it may take any time: for
 * questions meanwhile, see mass_view_is_due. */
uint64_t mass_view_next(const mass_view *v, uint64_t step, uint64_t last);

/* Returns whether the run is still paused after v was attended to, and must not step. False if v is NULL. */
bool mass_view_is_paused(const mass_view *v);

/* Returns whether a checkpoint was requested since the last call. */
bool mass_view_take_checkpoint(mass_view *v);

/* Returns whether the run must end here because a viewer requested a new one. */
bool mass_view_restarts(const mass_view *v);
/* Then replaces mass_view_free: frees v, also on failure, and the new run serves the same address. Returns the lower of
 * two neighbouring descriptors for it; -1: it failed. */
int mass_view_hand_over(mass_view *v);

/* Adds a step's tallies, [tallies][worlds][words]. Steps must come in order. */
void mass_view_row(mass_view *v, uint64_t step, const int64_t *tallies);

/* Goes on answering after the run has ended and its results are printed. On a terminal it lasts until a signal or a
 * viewer ends it. Otherwise it lasts until a viewer saw the end and none is left, or for plan.stay seconds if none has
 * come. Stores no_run_on, which must remain valid: why the run cannot go on beyond its end; NULL: it can. */
void mass_view_linger(mass_view *v, uint64_t step, const char *no_run_on);

/* Returns the step to which a viewer extends the ended run, once; 0: none does. */
uint64_t mass_view_take_run_on(mass_view *v);

/* Goes on with the run up to last_step, with another command in its plan, which is borrowed. It is then running, and
 * not paused. */
void mass_view_run_on(mass_view *v, uint64_t last_step, const char *command);

double mass_view_seconds(const mass_view *v); /* that answers have taken from the run */

#endif
