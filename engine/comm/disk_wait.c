/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/disk_wait.h"
#include "comm/watch.h"
#include "process/progress.h"
#include "process/signals.h"

#include <stdbool.h>
#include <stdio.h>

enum { SAID_AFTER = 60, OF_STOPPED = 2, OF_OTHERS = 10 /* seconds after a signal */ };

static struct {
    double timeout;
    bool expects_end; /* all ranks know of a signal that asks for an end */
    double began, asked; /* start of the wait; when a signal was noticed, or 0 */
    bool said, asked_later, asked_before; /* the wait was reported; the signal came after the report; it came before the
                                             wait */
    uint64_t written; /* bytes that other ranks of this host have written, at the last look */
    double moved;     /* when that last grew */
} patience;

void mass_comm_patience_begin(double timeout) { patience.timeout = timeout; }
void mass_comm_patience_expect_end(void) { patience.expects_end = true; }

/* Returns whether a signal has asked for an end. */
static bool end_is_asked(const mass_comm *comm)
{
    return patience.expects_end || (comm->rank == 0 ? mass_signals_end() : mass_signals_kept_end()) != 0;
}

/* Starts the record of a new wait. */
static void begin_wait(const mass_comm *comm, double began)
{
    patience.began = patience.moved = began;
    patience.asked_before = end_is_asked(comm);
    patience.asked = patience.asked_before ? began : 0;
    patience.said = patience.asked_later = false;
    patience.written = 0;
}

/* Records when a signal was first noticed in this wait, and whether that was after the wait was reported. Does nothing
 * once it has recorded one. */
static void look_at_signals(const mass_comm *comm, double now)
{
    if (patience.asked > 0 || !end_is_asked(comm)) return;
    patience.asked = now;
    patience.asked_later = patience.said;
}

/* Records whether other ranks of this host have written since the last look. */
static void look_at_disks(const mass_comm *comm, double now)
{
    uint64_t written = 0;
    for (int32_t i = 0; i < comm->size; i++) written += i == comm->rank ? 0 : mass_comm_watch_written(i);
    if (written > patience.written && patience.written > 0) patience.moved = now;
    patience.written = written;
}

/* Returns 'T' for a rank that is stopped, 'D' for one that waits for a disk, 'W' for one that writes a file, else 0.
 * The kernel has no state of its own for a process that waits for a file system in user space. */
static char state_of(int32_t rank)
{
    char file[MASS_COMM_FILE_SIZE];
    const char state = mass_comm_watch_state(rank);
    if (state == 'T' || state == 'D') return state;
    return mass_comm_watch_file(rank, file) ? 'W' : 0;
}

/* Returns a rank of this host that is stopped, else one that waits for a disk, else one that writes, and stores its
 * state. Returns -1, and state 0, if there is none. */
static int32_t find_late(const mass_comm *comm, char *state)
{
    int32_t late = -1;
    *state = 0;
    for (int32_t i = 0; i < comm->size && *state != 'T'; i++) {
        const char its = i == comm->rank ? 0 : state_of(i);
        if (its == 'T' || (its == 'D' && *state != 'D') || (its == 'W' && !*state)) *state = its, late = i;
    }
    return late;
}

/* Describes the wait: "for rank 0, which is stopped (kill -CONT lets it go on), to write its part of
 * out/ckpt-000000000100.h5". Without a late rank and a file, the text is `what`. */
static void describe(const mass_comm *comm, const char *what, char text[600])
{
    static const char to_write_part[] = ", to write its part of ", to_write[] = ", to write ";
    char state, who[40] = "another rank", file[MASS_COMM_FILE_SIZE];
    const int32_t late = find_late(comm, &state);
    const bool writes = !comm->awaits && late >= 0 && mass_comm_watch_file(late, file);
    if (late >= 0) snprintf(who, sizeof who, "rank %d", (int)late);
    else if (!comm->awaits) return (void)snprintf(text, 600, "%s", what);
    snprintf(text, 600, "for %s%s%s%.400s", who,
             state == 'T'   ? ", which is stopped (kill -CONT lets it go on)"
             : state == 'D' ? ", which waits for a disk" : "",
             comm->awaits ? to_write_part + !(state == 'T' || state == 'D')
             : writes     ? to_write + !(state == 'T' || state == 'D') : "",
             comm->awaits ? comm->awaits : writes ? file : "");
}

/* Returns whether this rank reports the wait: one rank does for all. late: as find_late returns it. */
static bool speaks(const mass_comm *comm, int32_t late) { return comm->rank == (late == 0 ? 1 : 0); }

/* Describes what ends the run: a signal; or, after a signal, time or a second signal. */
static void describe_end(char text[160])
{
    if (patience.asked <= 0) snprintf(text, 160, "a signal, as of Ctrl-C, ends the run");
    else if (patience.timeout <= 0) snprintf(text, 160, "a second signal ends the run");
    else
        snprintf(text, 160, "the run, which a signal asked to end, ends after %.0f s of this (--comm-timeout), or by "
                 "a second signal", patience.timeout);
}

/* Reports the wait, on rank 0 or, if that is late, rank 1. Notes on every rank that it is reported. */
static void say(const mass_comm *comm, const char *what, double seconds)
{
    char text[600], end[160], state;
    const int32_t late = find_late(comm, &state);
    patience.said = true;
    if (!speaks(comm, late)) return;
    describe(comm, what, text);
    describe_end(end);
    mass_progress_say("mass-engine: rank %d on %s has waited %.0f s %s: %s; it then resumes from its last checkpoint",
                      comm->rank, comm->host, seconds, text, end);
}

/* Returns whether the wait must end, as a signal has asked for an end and the other rank is late. */
static bool is_over(const mass_comm *comm, double now, double seconds)
{
    char state;
    if (patience.asked <= 0) return false;
    const double since = now - (patience.asked_before ? patience.moved : patience.asked);
    const double idle = patience.asked_before ? since : seconds;
    if (since > OF_STOPPED && find_late(comm, &state) >= 0 && state == 'T') return true;
    return since > OF_OTHERS && (patience.asked_later || (patience.timeout > 0 && idle > patience.timeout));
}

/* Reports what was waited for, unless another rank has reported why ranks end, and ends all ranks. */
static void give_up(mass_comm *comm, const char *what, double seconds)
{
    char text[600];
    describe(comm, what, text);
    if (mass_comm_watch_claim(MASS_FAILED))
        mass_progress_say_last("mass-engine: rank %d on %s: interrupted, after it had waited %.0f s %s; a run resumes "
                               "from its last checkpoint", comm->rank, comm->host, seconds, text);
    comm->table->abort(comm, MASS_FAILED);
}

void mass_comm_waits(mass_comm *comm, const char *what, double seconds)
{
    char state;
    const double now = mass_seconds(), began = now - seconds;
    if (began > patience.began + 0.1 || began < patience.began - 0.1) begin_wait(comm, began);
    look_at_signals(comm, now);
    if (patience.asked_before) look_at_disks(comm, now);
    /* Rank 0's next call may take any time, for example while a viewer has paused the run. */
    if (!patience.said && seconds >= SAID_AFTER && (comm->awaits || find_late(comm, &state) >= 0))
        say(comm, what, seconds);
    if (is_over(comm, now, seconds)) give_up(comm, what, seconds);
}
