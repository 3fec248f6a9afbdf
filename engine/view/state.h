/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share of a run that is looked at. Main thread. */
#ifndef MASS_ENGINE_VIEW_STATE_H
#define MASS_ENGINE_VIEW_STATE_H

#include "view/desk.h"
#include "view/guard.h"
#include "view/history.h"
#include "view/json.h"
#include "view/log.h"
#include "view/module.h"
#include "view/pictures.h"
#include "view/rows.h"
#include "view/view.h"

#include <jansson.h>

#include <pthread.h>

/* Which steps charts count. */
typedef struct mass_view_counting {
    bool at_hand;      /* of every step there is something to read once it is done */
    bool possible;     /* every step, or every plan.every-th, can be counted */
    bool every;        /* every step is, from the one that was attended to last on */
    double due;        /* when the next point may be, otherwise */
    double asked;      /* when it was found to be due; 0: it was not */
    uint64_t asked_at; /* the step before it */
    double from;       /* when the steps since the last point began, and behind which step */
    uint64_t from_step;
    double plain, cost; /* seconds of a step without a point; of a point beyond that */
    uint32_t in_turn;  /* points in consecutive steps */
} mass_view_counting;

struct mass_view {
    mass_view_address address;
    int listening;       /* -1: the server has it */
    int kept;            /* the same socket, for a run that follows; or -1 */
    char token[MASS_VIEW_TOKEN_SIZE];
    mass_desk *desk;
    const mass_view_module *module;
    mass_view_server *server; /* until a thread has it */
    pthread_t thread;
    bool serving;
    mass_view_plan plan;
    mass_domain *domain; /* borrowed */
    mass_view_pictures pictures;
    mass_histories histories;
    mass_view_rows rows;
    mass_view_log log;
    uint32_t run;
    bool goes;           /* the run before this one went when this was asked for */
    mass_view_phase phase;
    uint64_t step;       /* that is attended to */
    uint64_t pause_at;   /* the step to pause at; UINT64_MAX: none */
    double rate;         /* steps a second at most; 0: as fast as it goes */
    double next_step;    /* when the next may begin, with a rate */
    bool redrawn;        /* places were drawn: frames of this step are not what they were */
    bool checkpoint;     /* is wanted */
    bool restarts;
    double began, ended; /* when the run began to be served, and when it ended */
    bool end_seen;       /* somebody was answered since then */
    const char *no_run_on; /* why it cannot go on beyond its end; NULL: it can */
    uint64_t run_on_to;    /* the step that it is to go on to; 0: none */
    double due, seconds; /* when the next look may be; what all took */
    mass_view_counting counting;
    double mark_time, measured; /* steps a second, measured since then, */
    uint64_t mark_step;         /* from this one on */
};

/* Answers what can be answered now. (view.c) */
mass_status mass_view_answer_all(mass_view *v, mass_error *error);
/* Whether a run that is paused before its first step begins, since nobody has come to look. (wait.c) */
bool mass_view_begins_alone(mass_view *v);
/* Of a run that has ended: has it go on. Returns NULL, or why not. (run_on.c) */
const char *mass_view_ask_run_on(mass_view *v, const char *what, const json_t *o);

/* counting.c */
void mass_view_counting_begin(mass_view *v);
/* Steps from count to count of all that charts have; 0: of some steps they have nothing. */
uint64_t mass_view_counted(const mass_view *v);
/* Whether the step after this one is to be the last before v is attended to, as charts have it. For every step. */
bool mass_view_is_point_due(mass_view *v, uint64_t step);
/* Of the step that is attended to, if it is to have a point; and once the run goes on. */
mass_status mass_view_add_point(mass_view *v, mass_error *error);
void mass_view_go_on_counting(mass_view *v);
/* As mass_view_next, for charts alone. */
uint64_t mass_view_next_point(const mass_view *v, uint64_t step, uint64_t last);

/* ---- each answers one kind of question; answer->status is 200, or tells why not ---- */

/* describe.c */
mass_status mass_view_answer_model(mass_view *v, mass_view_answer *out, mass_error *error);
/* numbers.c */
mass_status mass_view_answer_numbers(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                     mass_error *error);
/* place.c */
mass_status mass_view_answer_place(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error);
/* An attribute of one place or agent, as an object; and whether one is a population's own, that its model declares. */
json_t *mass_view_attribute(const mass_attribute_def *a, const char *bytes);
bool mass_view_is_of_agents(const mass_model *m, uint32_t attribute, uint32_t population);
/* agent.c */
mass_status mass_view_answer_agent(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error);
json_t *mass_view_agents_json(const mass_model *m); /* of which populations */
/* arrows.c; and which attributes arrows can show */
mass_status mass_view_answer_arrows(mass_view *v, mass_view_question *q, mass_view_answer *out, mass_error *error);
json_t *mass_view_arrows_json(const mass_model *m);
/* draw.c: NULL, or why not; and what can be drawn */
const char *mass_view_draw(mass_view *v, const json_t *o);
json_t *mass_view_brushes_json(const mass_model *m);
/* control.c: does what the body asks for, too */
mass_status mass_view_answer_control(mass_view *v, const char *body, size_t size, mass_view_answer *out,
                                     mass_error *error);

#endif
