/* SPDX-License-Identifier: Apache-2.0 */
/* A run that is looked at in a browser: what is asked is answered between its steps, by the thread that steps, so that
 * nobody who looks meets it in the middle of one. Nothing is done while nobody looks. The server is a module of its own
 * (view/http). Main thread; with several ranks on rank 0, while the others serve (run/serve.h). */
#ifndef MASS_ENGINE_VIEW_H
#define MASS_ENGINE_VIEW_H

#include "state/domain.h"
#include "io/input/events.h"
#include "plugin/host.h"
#include "view/address.h"

typedef struct mass_view mass_view;

/* A run that is to begin anew. Borrowed for a call. */
typedef struct mass_view_wish {
    const mass_setting *settings; /* [count] other values, in the form that --set takes them in */
    uint32_t count;
    uint64_t seed;
} mass_view_wish;

/* Who the run is. All texts and the model are borrowed. */
typedef struct mass_view_plan {
    const mass_model *model;
    const char *command; /* that gives this run again */
    const char *device;
    int threads;         /* 0: not known */
    uint64_t seed, first_step, last_step;
    bool wait;           /* for who comes to look, before the first step, however long that takes */
    bool go;             /* ... who may control the run do not find it paused */
    double stay;         /* seconds that it waits for them where there is no terminal, otherwise, and at the end */
    uint64_t every;      /* steps from count to count in charts; 0: nobody has said it */
    bool by_row;         /* mass_view_row is given the tallies of steps */
    bool keeps;          /* there is a folder of checkpoints */
    bool quiet;
    const char *no_restart; /* why it cannot be started anew; NULL: it can, by */
    mass_status (*restart)(void *restarter, const mass_view_wish *, mass_error *error); /* which refuses what it can
                                                                                          tell to be wrong */
    void *restarter;
    /* Records events of the present step, and gives places their values; *command gives the run again from then on. */
    mass_status (*draw)(void *drawer, const mass_event *list, size_t count, const char **command, mass_error *error);
    void *drawer;
} mass_view_plan;

/* Opens the module and listens, with nobody answering yet. handed: what the process had from mass_view_hand_over before
 * it became this run, or 0. MASS_NO_DEVICE: the module or its library is missing.
 * On failure *out is untouched. */
mass_status mass_view_open(const char *text, int handed, mass_view **out, mass_error *error);
void mass_view_free(mass_view *); /* NULL is fine, as for all below */

/* Begins to answer, and prints the address. */
mass_status mass_view_begin(mass_view *v, const mass_view_plan *plan, mass_domain *d, mass_error *error);

/* Asked before every step, and cheap enough for it: whether the step after `step` is to be the last one before v is
 * attended to. A chart is to have a point of it, while not every step is counted; or somebody waits for an answer, and
 * it is time for one: at most 60 times a second, and as rarely as it takes to cost a run a fifth of its time, or a
 * sixteenth where a look takes more than 10 ms. */
bool mass_view_is_due(mass_view *v, uint64_t step);

/* Whether mass_view_row, if it is given steps at all, is to be given every step from here to where v is attended to. */
bool mass_view_counts_every(const mass_view *v);

/* Whether somebody has asked in the last second. */
bool mass_view_is_looked_at(const mass_view *v);

/* Between steps, with the tallies of this one: answers what can be answered, and waits while the run is paused, but not
 * when signals ask for something. held: the state that the run ends with. */
mass_status mass_view_attend(mass_view *v, uint64_t step, mass_error *error);

/* The step, at most `last`, at which it has to be attended to next, however long that takes. */
uint64_t mass_view_next(const mass_view *v, uint64_t step, uint64_t last);

/* Whether the run has to wait where it is: attended to, it was not let on. */
bool mass_view_is_paused(const mass_view *v);

/* Whether a checkpoint was asked for since the last call. */
bool mass_view_take_checkpoint(mass_view *v);

/* Whether the run is to end here, since a new one was asked for; then, in place of mass_view_free: the lower of two
 * descriptors, next to each other, from which the new run opens the same address; -1 without them. */
bool mass_view_restarts(const mass_view *v);
int mass_view_hand_over(mass_view *v);

/* A step's tallies, [tallies][worlds][words], in order. */
void mass_view_row(mass_view *v, uint64_t step, const int64_t *tallies);

/* The run has ended, its results are out: goes on answering, on a terminal until a signal or who looks ends it, else
 * until the end was seen and nobody looks any more, or nobody has come for plan.stay seconds. no_run_on: why the run
 * cannot go on beyond its end, which stays valid; NULL: it can. */
void mass_view_linger(mass_view *v, uint64_t step, const char *no_run_on);

/* The step to which who looks has the run go on beyond its end, once; 0: to none. */
uint64_t mass_view_take_run_on(mass_view *v);

/* The run goes on, up to there; the plan's command is another one. */
void mass_view_run_on(mass_view *v, uint64_t last_step, const char *command);

double mass_view_seconds(const mass_view *v); /* that answers have taken from the run */

#endif
