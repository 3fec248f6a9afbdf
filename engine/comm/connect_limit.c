/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/connect_limit.h"
#include "comm/shutdown_watchdog.h"
#include "base/error.h"
#include "process/crash.h"
#include "process/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

/* Processes take time to start, on a busy host more, however short the timeout of later waits is. */
static const double LEAST = 20; /* seconds */

/* Rank 0 reports first, and its launcher should end the others within LATER. Without that they end one after the other,
 * each APART after the one before. */
static const double LATER = 5, APART = 0.5; /* seconds */

static struct {
    int32_t rank;
    double limit; /* seconds */
    int over[2];  /* a pipe, whose closing tells the thread that the ranks are connected */
    pthread_t thread;
    bool runs;
} meeting;

double mass_comm_time_to_connect(double timeout) { return timeout > 0 && timeout < LEAST ? LEAST : timeout; }

/* The thread: reports and ends this process, leaving the shutdown watchdog, if the ranks are not connected in time.
 * Ranks above 0 wait a little longer, so that mostly rank 0 reports. It returns once they are connected. */
static void *wait_for_it(void *unused)
{
    struct pollfd over = {.fd = meeting.over[0], .events = POLLIN};
    const double later = meeting.rank == 0 ? 0 : LATER + APART * (meeting.rank < 10 ? meeting.rank : 10);
    const double seconds = meeting.limit + later, until = mass_seconds() + seconds;
    char host[256] = "this host";
    mass_crash_engine_thread();
    for (double left = seconds; left > 0; left = until - mass_seconds())
        if (poll(&over, 1, left < 1e6 ? (int)(left * 1e3) + 1 : 1000000000) > 0) return unused;
    gethostname(host, sizeof host - 1);
    mass_progress_say_last("mass-engine: rank %d on %s has not found the other ranks within %.0f s (--comm-timeout): "
                           "does the launcher start mass-engine as each of them?", meeting.rank, host, meeting.limit);
    mass_crash_leave(MASS_FAILED);
    mass_comm_leave_behind();
    _exit(MASS_FAILED);
}

/* Starts the thread, with all signals blocked: the main thread handles them. Without a pipe or a thread there is no
 * limit. */
void mass_comm_connect_begins(int32_t rank, double timeout)
{
    sigset_t all, before;
    meeting.rank = rank;
    meeting.limit = mass_comm_time_to_connect(timeout);
    if (meeting.limit <= 0 || pipe2(meeting.over, O_CLOEXEC) != 0) return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    meeting.runs = pthread_create(&meeting.thread, NULL, wait_for_it, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (meeting.runs) return;
    close(meeting.over[0]);
    close(meeting.over[1]);
}

void mass_comm_connect_ends(void)
{
    if (!meeting.runs) return;
    close(meeting.over[1]);
    pthread_join(meeting.thread, NULL);
    close(meeting.over[0]);
    meeting.runs = false;
}
