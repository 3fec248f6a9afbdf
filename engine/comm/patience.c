/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/patience.h"
#include "comm/watch.h"
#include "process/progress.h"
#include "process/signals.h"

#include <stdbool.h>
#include <stdio.h>

enum { SAID_AFTER = 60, OF_STOPPED = 2, OF_OTHERS = 10 /* seconds after a signal */ };

static struct {
    double timeout;
    double began, asked; /* the wait; when a signal was found to have come, or 0 */
    bool said, asked_later; /* the signal came after the wait was said */
} patience;

void mass_comm_patience_begin(double timeout) { patience.timeout = timeout; }

static void look_at_signals(const mass_comm *comm, double now)
{
    const int end = comm->rank == 0 ? mass_signals_end() : mass_signals_kept_end();
    if (!end || patience.asked > 0) return;
    patience.asked = now;
    patience.asked_later = patience.said;
}

/* 'T' of a rank that is stopped, 'D' of one that waits for a disk, 'W' of one that writes a file, and else 0. Who waits
 * for a file system that is a process is in no state of its own. */
static char state_of(int32_t rank)
{
    char file[MASS_COMM_FILE_SIZE];
    const char state = mass_comm_watch_state(rank);
    if (state == 'T' || state == 'D') return state;
    return mass_comm_watch_file(rank, file) ? 'W' : 0;
}

/* Of the ranks of this host, one that is stopped, or else one that waits for a disk, or else one that writes; -1: none
 * is. */
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

/* "for rank 0, which is stopped (kill -CONT lets it go on), to write its part of out/ckpt-000000000100.h5" */
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

/* One rank says it for all. */
static bool speaks(const mass_comm *comm, int32_t late) { return comm->rank == (late == 0 ? 1 : 0); }

static void say(const mass_comm *comm, const char *what, double seconds)
{
    char text[600], state;
    const int32_t late = find_late(comm, &state);
    patience.said = true;
    if (!speaks(comm, late)) return;
    describe(comm, what, text);
    mass_progress_say("mass-engine: rank %d on %s has waited %.0f s %s: a signal, as of Ctrl-C, ends the run, "
                      "which then resumes from its last checkpoint", comm->rank, comm->host, seconds, text);
}

static bool is_over(const mass_comm *comm, double now, double seconds)
{
    char state;
    if (patience.asked <= 0) return false;
    const double since = now - patience.asked;
    if (since > OF_STOPPED && find_late(comm, &state) >= 0 && state == 'T') return true;
    return since > OF_OTHERS && (patience.asked_later || (patience.timeout > 0 && seconds > patience.timeout));
}

static void give_up(mass_comm *comm, const char *what, double seconds)
{
    char text[600];
    describe(comm, what, text);
    if (mass_comm_watch_claim(MASS_FAILED))
        mass_progress_say("mass-engine: rank %d on %s: interrupted, after it had waited %.0f s %s; a run resumes "
                          "from its last checkpoint", comm->rank, comm->host, seconds, text);
    comm->table->abort(comm, MASS_FAILED);
}

void mass_comm_waits(mass_comm *comm, const char *what, double seconds)
{
    char state;
    const double now = mass_seconds(), began = now - seconds;
    if (began > patience.began + 0.1 || began < patience.began - 0.1) {
        patience.began = began;
        patience.asked = 0;
        patience.said = patience.asked_later = false;
    }
    look_at_signals(comm, now);
    /* What rank 0 tells next may take as long as it likes, as where somebody looks on who has paused it. */
    if (!patience.said && seconds >= SAID_AFTER && (comm->awaits || find_late(comm, &state) >= 0))
        say(comm, what, seconds);
    if (is_over(comm, now, seconds)) give_up(comm, what, seconds);
}
