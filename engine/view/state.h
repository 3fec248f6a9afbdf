/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a viewed run, which the files of this folder share. Main thread. */
#ifndef MASS_ENGINE_VIEW_STATE_H
#define MASS_ENGINE_VIEW_STATE_H

#include "view/desk.h"
#include "view/authorize.h"
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
    bool at_hand;      /* the host can read the tallies of each step when it is complete */
    bool possible;     /* every step, or every plan.every-th, can be counted */
    bool every;        /* every step is counted, from the last attended one on */
    double due;        /* otherwise: time of the next point */
    double asked;      /* when a point was found to be due; 0: none */
    uint64_t asked_at; /* the step before that point */
    double from;       /* time and step at which the steps since the last point began */
    uint64_t from_step;
    double plain, cost; /* seconds of a step without a point; seconds that a point adds */
    uint32_t in_turn;  /* points in consecutive steps */
} mass_view_counting;

struct mass_view {
    mass_view_address address;
    int listening;       /* -1: the server has taken it */
    int kept;            /* a copy of the socket, for a run that follows; or -1 */
    char token[MASS_VIEW_TOKEN_SIZE];
    mass_desk *desk;
    const mass_view_module *module;
    mass_view_server *server; /* until the thread has it */
    pthread_t thread;
    bool serving;
    mass_view_plan plan;
    mass_domain *domain; /* borrowed */
    mass_view_pictures pictures;
    mass_histories histories;
    mass_view_rows rows;
    mass_view_log log;
    uint32_t run;
    bool goes;           /* the run before this one was running when this one was requested */
    mass_view_phase phase;
    uint64_t step;       /* the last attended step */
    uint64_t pause_at;   /* step to pause at; UINT64_MAX: none */
    double rate;         /* most steps a second; 0: no limit */
    double next_step;    /* with a rate: when the next step may begin */
    bool redrawn;        /* places were drawn, so frames of this step have changed */
    bool checkpoint;     /* a checkpoint is requested */
    bool restarts;
    double began, ended; /* when serving began, and when the run ended */
    bool end_seen;       /* a viewer has got an answer since the end */
    const char *no_run_on; /* why it cannot go on beyond its end; NULL: it can */
    uint64_t run_on_to;    /* requested new last step; 0: none */
    double due, seconds; /* when the next answers may be given; seconds that all have taken */
    mass_view_counting counting;
    double mark_time, measured; /* when the measurement of speed began; measured steps a second */
    uint64_t mark_step;         /* step at which it began */
};

/* Answers the questions that can be answered now. (view.c) */
mass_status mass_view_answer_all(mass_view *v, mass_error *error);
/* Returns whether a run, paused before its first step, begins because no viewer has come, and then says so. (wait.c) */
bool mass_view_begins_alone(mass_view *v);
/* Extends an ended run. Returns NULL, or the reason for a refusal. (run_on.c) */
const char *mass_view_ask_run_on(mass_view *v, const char *what, const json_t *o);

/* Decides how charts can count, when the run begins to be served. (counting.c) */
void mass_view_counting_begin(mass_view *v);
/* Returns the steps between the counts of charts; 0: the interval varies. */
uint64_t mass_view_counted(const mass_view *v);
/* Returns whether charts need the run to stop after the next step, and notes when that began. Called at every step. */
bool mass_view_is_point_due(mass_view *v, uint64_t step);
/* Adds the current step to the charts, if it is to be a point. */
mass_status mass_view_add_point(mass_view *v, mass_error *error);
/* Chooses whether charts count every step until v is attended to again. Called at the end of each time that it is. */
void mass_view_go_on_counting(mass_view *v);
/* Returns the next step, at most `last`, at which charts need the run to stop. */
uint64_t mass_view_next_point(const mass_view *v, uint64_t step, uint64_t last);

/* ---- answers to one kind of question each; answer->status is 200, or 400: there is no such thing ---- */

/* Describes the model and the run. (describe.c) */
mass_status mass_view_answer_model(mass_view *v, mass_view_answer *out, mass_error *error);
/* Reports state, speed, tallies and messages of the run. Adds the step's row to the charts first. The status is 400 if
 * there is no such world. (numbers.c) */
mass_status mass_view_answer_numbers(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                     mass_error *error);
/* Reports the attributes and the agents of a place. (place.c) */
mass_status mass_view_answer_place(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error);
/* Returns an attribute of one place or agent, whose element is in `bytes`: name, value and unit, and `words` if values
 * have names. */
json_t *mass_view_attribute(const mass_attribute_def *a, const char *bytes);
/* Returns whether an attribute is of a population and declared by the model: not its id or another of the engine's own,
 * and not a struct. */
bool mass_view_is_of_agents(const mass_model *m, uint32_t attribute, uint32_t population);
/* Reports the place and the attributes of an agent; lists the populations. (agent.c) */
mass_status mass_view_answer_agent(mass_view *v, const mass_view_question *q, mass_view_answer *out,
                                   mass_error *error);
json_t *mass_view_agents_json(const mass_model *m);
/* Reports values for arrows, and clips the question; lists the attributes that arrows can show. (arrows.c) */
mass_status mass_view_answer_arrows(mass_view *v, mass_view_question *q, mass_view_answer *out, mass_error *error);
json_t *mass_view_arrows_json(const mass_model *m);
/* Reports the edges of a network; lists the networks. (network.c) */
mass_status mass_view_answer_edges(mass_view *v, const mass_view_question *q, mass_view_answer *out, mass_error *error);
json_t *mass_view_networks_json(const mass_model *m);
/* Draws places of a paused run, and returns NULL or the reason for a refusal, valid until the next call; lists what can
 * be drawn. (draw.c) */
const char *mass_view_draw(mass_view *v, const json_t *o);
json_t *mass_view_brushes_json(const mass_model *m);
/* Does what the body requests, and answers with the run's command. The status is 403 if control is not allowed, 400,
 * with the reason, if the run refuses. (control.c) */
mass_status mass_view_answer_control(mass_view *v, const char *body, size_t size, mass_view_answer *out,
                                     mass_error *error);

#endif
