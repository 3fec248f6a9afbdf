/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for operations of MPI, but never inside MPI, where each waiting rank would use a core. An operation is started
 * and then tested: LOOKS times without a pause, up to LOOKS_THAT_YIELD times with a yield after each test, then with
 * sleeps that grow from 1 to 200 microseconds. A wait ends all ranks after the seconds of --comm-timeout. Waits for
 * rank 0's next call, and for parts of checkpoints, have no such limit (comm/disk_wait.h). Rank 0 gives up first and
 * the others from five seconds later on, one after the other, so that only one line is printed. */
#include "comm/mpi/mpi_comm.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

/* Number of tests before a wait yields after each test, and before it sleeps after each. The first take some
 * microseconds, in which the answer to a short message comes; the second some milliseconds, in which most others
 * come. */
enum { LOOKS = 100, LOOKS_THAT_YIELD = 4000 };
#define TOLD_EVERY 0.5 /* seconds */
static const long SLEEP_LEAST = 1000, SLEEP_MOST = 200000; /* nanoseconds */

/* Reports the text and ends all ranks. */
_Noreturn void mass_mpi_fail(mass_mpi *m, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    m->opening->fail(&m->comm, text);
    __builtin_unreachable();
}

void mass_mpi_check(mass_mpi *m, int result, const char *what)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (result == MPI_SUCCESS) return;
    if (MPI_Error_string(result, text, &length) != MPI_SUCCESS) snprintf(text, sizeof text, "error %d", result);
    mass_mpi_fail(m, "%s: %s", what, text);
}

/* ---- waiting ---- */

typedef struct look {
    const char *what;
    double began, limit; /* on the monotonic clock; limit 0: none */
    long tries, sleep;
    mass_mpi *endless; /* the communicator, if the wait has no limit; else NULL */
    double told;       /* when `waits` was last called */
} look;

/* Returns the monotonic clock's time in seconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the seconds that a rank waits beyond the timeout. Ranks give up one after the other, so that only one
 * reports. A launcher needs a second or two to tell the ranks of other hosts to end. If the launcher is killed
 * (comm/shutdown_watchdog.c), its daemons send SIGTERM a second later. */
static double patience(int32_t rank) { return rank == 0 ? 0 : 5 + 0.05 * (rank < 20 ? rank : 20); }

/* Begins a wait. It has a limit, unless it is for ever, the ranks are patient, or --comm-timeout is 0. */
static look begin(mass_mpi *m, const char *what, bool for_ever)
{
    const bool limited = !for_ever && !m->comm.patient && m->opening->timeout > 0;
    const double limit = limited ? m->opening->timeout + patience(m->comm.rank) : 0;
    const double began = now();
    return (look){what, began, limit, 0, SLEEP_LEAST, for_ever || m->comm.patient ? m : NULL, began};
}

/* Pauses between two tests, and reports an endless wait now and then. Returns true if the wait has exceeded its limit,
 * also while it yields. */
static bool pause_after(look *l)
{
    if (l->tries++ < LOOKS) return false;
    if (l->tries < LOOKS_THAT_YIELD) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){0, l->sleep}, NULL);
        l->sleep = l->sleep * 2 < SLEEP_MOST ? l->sleep * 2 : SLEEP_MOST;
    }
    if (l->endless && now() - l->told > TOLD_EVERY) {
        l->told = now();
        l->endless->opening->waits(&l->endless->comm, l->what, l->told - l->began);
    }
    return l->limit > 0 && now() - l->began > l->limit;
}

/* ---- messages ---- */

/* Ends all ranks if a message is of another length than expected. */
static void check_lengths(mass_mpi *m)
{
    for (size_t i = 0; i < m->count; i++) {
        int bytes = 0;
        if (m->facts[i].receives) MPI_Get_count(&m->statuses[i], MPI_BYTE, &bytes);
        if (m->facts[i].receives && bytes != m->facts[i].bytes)
            mass_mpi_fail(m, "rank %d sent %d bytes, and %d were expected", m->facts[i].rank, bytes,
                          m->facts[i].bytes);
    }
}

/* Ends all ranks on an error of MPI, for MPI_ERR_IN_STATUS on the first error among the requests' statuses. */
static void check_statuses(mass_mpi *m, int result, const char *what)
{
    if (result != MPI_ERR_IN_STATUS) mass_mpi_check(m, result, what);
    else
        for (size_t i = 0; i < m->count; i++)
            if (m->statuses[i].MPI_ERROR != MPI_ERR_PENDING) mass_mpi_check(m, m->statuses[i].MPI_ERROR, what);
}

/* Ends all ranks, and names a rank that a message is missing from or to. */
_Noreturn static void give_up_on_messages(mass_mpi *m, const look *l)
{
    for (size_t i = 0; i < m->count; i++) {
        int done = 0;
        if (m->requests[i] == MPI_REQUEST_NULL) continue;
        if (MPI_Test(&m->requests[i], &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done) continue;
        mass_mpi_fail(m, "waited %.0f s %s %s rank %d, which hangs or cannot be reached (--comm-timeout)",
                      m->opening->timeout, l->what, m->facts[i].receives ? "for" : "to send to", m->facts[i].rank);
    }
    mass_mpi_fail(m, "waited %.0f s %s (--comm-timeout)", m->opening->timeout, l->what);
}

void mass_mpi_wait(mass_mpi *m, const char *what)
{
    look l = begin(m, what, false);
    int done = 0;
    for (;;) {
        check_statuses(m, MPI_Testall((int)m->count, m->requests, &done, m->statuses), what);
        if (done) break;
        if (pause_after(&l)) give_up_on_messages(m, &l);
    }
    m->comm.waited += now() - l.began;
    check_lengths(m);
    m->count = 0;
}

void mass_mpi_wait_for(mass_mpi *m, MPI_Request request, const char *what, bool for_ever)
{
    look l = begin(m, what, for_ever);
    int done = 0;
    for (;;) {
        mass_mpi_check(m, MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
        if (done) break;
        if (pause_after(&l))
            mass_mpi_fail(m, "waited %.0f s %s: another rank hangs or cannot be reached (--comm-timeout)",
                          m->opening->timeout, what);
    }
    m->comm.waited += now() - l.began;
}
