/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of questions about a run. The server's thread receives them; the run's thread answers them between two steps.
 * So a viewer never sees the middle of a step, and no lock guards the state.
 *
 * The server asks, and takes answers. The run picks up what waits, and answers it or puts it back for later. With
 * nothing asked, a step costs the run one atomic read. A question waits at most 10 s, and is then answered without
 * content (204). Unsent answers have at most 512 MiB; the run refuses further ones. No function waits for another
 * thread, except mass_desk_wait. */
#ifndef MASS_ENGINE_VIEW_DESK_H
#define MASS_ENGINE_VIEW_DESK_H

#include "view/question.h"

typedef struct mass_view_answer {
    int status;       /* of HTTP: 200, or one that has no content */
    const char *type; /* "application/json"; valid for ever */
    void *bytes;      /* [size]; or NULL */
    size_t size;
} mass_view_answer;

/* A question, from its arrival until its answer has been sent. */
typedef struct mass_view_slip {
    mass_view_question question;
    const char *body; /* [body_size] of a POST; the server's, until it frees the slip */
    size_t body_size;
    double until;     /* deadline of the answer, on the clock of mass_seconds */
    void *asker;      /* the server's own data */
    mass_view_answer answer; /* its bytes are owned */
    bool held;        /* the run waits before it answers */
    struct mass_view_slip *next;
} mass_view_slip;

typedef struct mass_desk mass_desk;

/* Makes a desk. NULL: memory or files are short. */
mass_desk *mass_desk_create(void);
void mass_desk_free(mass_desk *); /* frees all slips that nobody has taken, too; NULL is allowed */

/* ---- called by the server's thread ---- */

/* Adds a question, with the server's own data, which its slip then has. Returns false if the desk is full or memory is
 * short. The body remains the caller's. */
bool mass_desk_ask(mass_desk *, const mass_view_question *, const char *body, size_t body_size, void *asker);
/* Returns an answered question, which the server frees by mass_desk_drop; NULL: none now. */
mass_view_slip *mass_desk_take(mass_desk *);
/* Frees a question and its answer, which then no longer count to the limits. */
void mass_desk_drop(mass_desk *, mass_view_slip *);
/* Answers 204 to questions that have waited too long. Returns the milliseconds that the server may sleep; -1: no
 * limit. */
int mass_desk_expire(mass_desk *);
/* Returns a file that becomes readable when there is an answer to take or the server must end. mass_desk_hear_bell
 * makes it unreadable again. */
int mass_desk_bell(const mass_desk *);
void mass_desk_hear_bell(mass_desk *);
/* Returns whether the server must end. */
bool mass_desk_is_closed(const mass_desk *);
/* Sets how many connections of viewers with the token are open. */
void mass_desk_set_viewers(mass_desk *, int count);

/* ---- called by the run's thread ---- */

/* Returns whether a question waits. Costs one atomic read, for every step. */
bool mass_desk_is_asked(const mass_desk *);
/* Takes all waiting questions, in order, as a list; NULL: none. The caller answers each or puts it back. */
mass_view_slip *mass_desk_pick_up(mass_desk *);
/* Gives a question, with its answer, to the server, which frees it, and wakes the server. */
void mass_desk_answer(mass_desk *, mass_view_slip *);
/* Puts a question back, behind the others. It does not end mass_desk_wait. */
void mass_desk_lay_back(mass_desk *, mass_view_slip *);
/* Waits at most `seconds` for a question that was not put back; not at all if there is one. */
void mass_desk_wait(mass_desk *, double seconds);
/* Returns whether `bytes` more may be stored in answers. The limit is for all viewers together. */
bool mass_desk_has_room(const mass_desk *, size_t bytes);
/* Returns when a question last came or was answered, on the clock of mass_seconds; 0: never. */
double mass_desk_last_asked(const mass_desk *);
/* Returns the number that mass_desk_set_viewers has set last; 0 at first. */
int mass_desk_viewers(const mass_desk *);
/* Tells the server to end. */
void mass_desk_close(mass_desk *);

#endif
