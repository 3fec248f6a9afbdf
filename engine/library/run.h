/* SPDX-License-Identifier: Apache-2.0 */
/* library/ is the engine as a library (mass/engine.h): runs inside another program. A run is a session of the command,
 * which is stepped by calls. call.c guards each call; the other files have the functions by subject. */
#ifndef MASS_ENGINE_LIBRARY_RUN_H
#define MASS_ENGINE_LIBRARY_RUN_H

#include "command/run/session.h"
#include "command/run/worker.h"

#include <mass/engine.h>
#include <stdatomic.h>

/* A line for people that waits for the program. */
typedef struct mass_engine_line {
    struct mass_engine_line *next;
    char text[];
} mass_engine_line;

/* The series that a run logs, and its rows. */
typedef struct mass_rows {
    mass_run_series series; /* no columns: none */
    mass_engine_column *columns; /* [series.set.count]; owned */
    uint64_t every;       /* 0: no rows are added */
    uint64_t *steps;      /* [room]; owned */
    double *values;       /* [room][row]; owned */
    int64_t *tallies;     /* of one step; owned */
    uint64_t row, room;
} mass_rows;

struct mass_engine {
    mass_engine_now now;
    mass_session session;  /* on ranks above 0: all zero */
    mass_comm *comm;       /* of all ranks that share the run; NULL: it has one rank. Borrowed from ranks.c */
    mass_worker *worker;   /* on ranks above 0: this rank's part; owned */
    char *given;           /* what rank 0 gave last; owned */
    bool over;             /* on ranks above 0: rank 0 has closed the run */
    mass_options options;  /* refers to `words` */
    char **words;          /* [word_count] arguments of a command; owned */
    size_t word_count, room;
    char **where;          /* [where_count] lines of a file, of the parameters from number where_first on; owned */
    uint32_t where_count, where_first;
    atomic_bool busy, interrupted;
    mass_engine_listener *listener; /* NULL: none */
    void *listener_context;
    double told_at;        /* when the listener was called last, or set, by mass_seconds */
    uint32_t viewed;       /* views that are open */
    bool written;          /* values were set, and what depends on them has not been computed yet */
    bool said;             /* ignored requests were reported once */
    uint32_t copies;       /* forks of this program before it was opened */
    mass_expression until; /* of the stop condition, unless it is the session's */
    mass_rows rows;
    mass_engine_line *first, *last; /* messages that wait; owned */
    mass_engine_line *told;    /* the message that was returned last; owned */
    char *description;     /* owned */
    mass_key_list keys;    /* that were read last; owned */
    uint64_t *edges_before[MASS_SPACES_MAX]; /* of networks that were read (edges.c); owned */
};

/* ---- call.c ---- */

/* Begins a call for a run: sets locale and floating point for the engine, and keeps out other calls until
 * mass_library_leave. run NULL: it is being made. Waits for calls of other threads for other runs. Clears *error.
 * MASS_ENGINE_BUSY if another thread uses this run, or if this thread is in a call. MASS_FAILED in a copy of the
 * process by fork, MASS_BAD_USAGE for ranks in another thread than theirs. On failure the call has ended, and its
 * sentence is kept for the thread. */
int mass_library_enter(mass_engine *run, mass_error *error);
/* Begins a call that only rank 0 may make: MASS_BAD_USAGE on the others. */
int mass_library_enter_here(mass_engine *run, mass_error *error);
/* Begin a call that changes the state, or that reads values that depend on it, such as tallies. If the program has set
 * values, they compute these first; if that fails, the run is broken. Only rank 0 may make them. Both fail if the run
 * is broken; the first one also while a view is open. */
int mass_library_enter_to_change(mass_engine *run, mass_error *error);
int mass_library_enter_to_read(mass_engine *run, mass_error *error);

/* Ends the call, and keeps the sentence of a failure for the thread. Returns the status. run NULL: there is none, or it
 * has been freed. */
int mass_library_leave(mass_engine *run, int status, const mass_error *error);

/* Calls the program's listener, which is set, in the middle of a call, in the thread settings of the program. A crash
 * of it is not reported as the plugin's. Returns what it returns. */
int mass_library_call_back(mass_engine *run, const mass_engine_progress *now);

/* Keeps the sentence of a failure for the thread, outside of a call. Returns the status. */
int mass_library_fail(int status, const mass_error *error);

/* Sets the run that messages go to, while it is made; NULL: none. Notes in it which process it belongs to. */
void mass_library_hear(mass_engine *run);

/* ---- ranks.c ---- */

/* Connects the processes that a launcher has started, once, as option ranks asks. *out becomes NULL without that option
 * or with one rank; else it is borrowed. All ranks call it together. MASS_BAD_USAGE if the launcher has started another
 * number of ranks, if another thread has connected them, or after mass_engine_disconnect. */
mass_status mass_library_connect(const mass_options *o, mass_comm **out, mass_error *error);

/* Returns whether a call may come from this thread: with ranks, from the one that connected them. False if no ranks are
 * connected. */
bool mass_library_is_rank_thread(void);

/* Makes the run of all ranks, which call it together. Rank 0 prepares its session by `prepare`, the others open a
 * worker. All ranks get rank 0's result. Sets run->now.rank and .ranks. */
mass_status mass_library_open_ranks(mass_engine *run, mass_status (*prepare)(mass_engine *, mass_error *),
                                    mass_error *error);

/* Ends the run of all ranks: on rank 0 it tells the others, and there it serves rank 0's calls until then. */
void mass_library_close_ranks(mass_engine *run);

/* ---- step.c ---- */

/* Compiles a stop condition and gives it to the domain, in place of the one before. text NULL: none. If the text is
 * wrong, the one before remains. After any other failure the run is broken. */
mass_status mass_library_set_until(mass_engine *run, const char *text, mass_error *error);

/* ---- series.c ---- */

/* Adds a row of this step, if one is due and the last row is of an earlier step. tallies NULL: the domain's. */
mass_status mass_library_add_row(mass_engine *run, uint64_t step, const int64_t *tallies, mass_error *error);
/* Frees what rows own, and clears them. */
void mass_library_free_rows(mass_rows *rows);

/* ---- arrays.c ---- */

/* Returns an attribute by its number; NULL, with the error, if there is none, or if it is of edges (edges.c). */
const mass_attribute_def *mass_library_attribute(const mass_engine *run, uint32_t attribute, mass_error *error);

/* ---- edges.c ---- */

/* Returns the number of "NETWORK.edges.NAME" in calls; -1: there is none. */
int mass_library_find_edges(const mass_model *m, const char *name);
/* Refuses such a name, which mass_library_find_edges has not found. MASS_OK: it is no name of edges. */
mass_status mass_library_refuse_edges(const mass_model *m, const char *name, mass_error *error);
/* Returns whether a number is that of edges that do not change. The two functions below take such numbers alone. */
bool mass_library_is_of_edges(const mass_engine *run, uint32_t attribute);
/* Sets all of *out: an array of all edges, with of_agents 2 and the extents edges, 1, 1, 1, 1. */
void mass_library_describe_edges(const mass_engine *run, uint32_t attribute, mass_engine_array *out);
/* Copies values of edges, of which origin[0] and extent[0] of the box say the first and the number; NULL: all edges.
 * MASS_BAD_USAGE if there are not so many edges, or data has another size. */
mass_status mass_library_read_edges(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data,
                                    uint64_t bytes, mass_error *error);

#endif
