/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about a run, between the thread of the server, which hears them, and the thread of the run, which answers
 * them between two steps. So nobody sees the middle of a step, and no lock guards the state.
 *
 * The server asks, and takes answers. The run picks up what waits, and answers it or lays it back for later. With
 * nothing asked, a step costs the run one atomic read. A question waits 10 s at most, and is then answered with
 * nothing (204). Answers that are not sent yet take 512 MiB at most; the run refuses further ones. Nothing here waits
 * for another thread, but mass_desk_wait. */
#ifndef MASS_ENGINE_VIEW_DESK_H
#define MASS_ENGINE_VIEW_DESK_H

#include "view/question.h"

typedef struct mass_view_answer {
    int status;       /* of HTTP: 200, or one that comes with nothing */
    const char *type; /* "application/json"; stays valid */
    void *bytes;      /* [size]; or NULL */
    size_t size;
} mass_view_answer;

/* A question from when it is asked until its answer was sent. */
typedef struct mass_view_slip {
    mass_view_question question;
    const char *body; /* [body_size] of a POST; the server's until it frees the slip */
    size_t body_size;
    double until;     /* when an answer has to be there, on the clock of mass_seconds */
    void *asker;      /* the server's own */
    mass_view_answer answer; /* its bytes are owned */
    bool held;        /* the run waits for something with it */
    struct mass_view_slip *next;
} mass_view_slip;

typedef struct mass_desk mass_desk;

/* NULL without memory. */
mass_desk *mass_desk_create(void);
void mass_desk_free(mass_desk *); /* with the slips that nobody has taken; NULL is fine */

/* ---- the server's thread ---- */

/* False: the desk is full, or there is no memory. The body stays the caller's. */
bool mass_desk_ask(mass_desk *, const mass_view_question *, const char *body, size_t body_size, void *asker);
/* An answered question, which is then the server's to free; NULL: none now. */
mass_view_slip *mass_desk_take(mass_desk *);
void mass_desk_drop(mass_desk *, mass_view_slip *);
/* Answers with 204 what has waited for too long. Returns how many milliseconds the server may sleep; -1: for ever. */
int mass_desk_expire(mass_desk *);
/* Becomes readable when there is an answer to take, or the server is to end, until that is called. */
int mass_desk_bell(const mass_desk *);
void mass_desk_hear_bell(mass_desk *);
bool mass_desk_is_closed(const mass_desk *);
/* How many connections of who may look are open. */
void mass_desk_set_viewers(mass_desk *, int count);

/* ---- the run's thread ---- */

/* Whether anything waits: one read, for every step. */
bool mass_desk_is_asked(const mass_desk *);
/* All that waits, in the order in which it was asked, as a list; the caller answers each or lays it back. */
mass_view_slip *mass_desk_pick_up(mass_desk *);
void mass_desk_answer(mass_desk *, mass_view_slip *);
void mass_desk_lay_back(mass_desk *, mass_view_slip *);
/* Waits so many seconds at most for a question that was not laid back. */
void mass_desk_wait(mass_desk *, double seconds);
/* Whether answers may take more memory; all viewers together are bounded. */
bool mass_desk_has_room(const mass_desk *, size_t bytes);
/* When somebody last asked, or was answered, on the clock of mass_seconds; 0: never. */
double mass_desk_last_asked(const mass_desk *);
int mass_desk_viewers(const mass_desk *);
/* The server is to end. */
void mass_desk_close(mass_desk *);

#endif
