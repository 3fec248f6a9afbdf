/* SPDX-License-Identifier: Apache-2.0 */
#include "comm/shutdown_watchdog.h"
#include "comm/ancestor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Long enough for a launcher that reaches all hosts: it gives ranks a second between SIGTERM and SIGKILL. */
static const double GRACE = 2; /* seconds */

enum { PARENT, RANK, BOTH };

/* Returns the monotonic clock's time in seconds. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns whether both processes end within the time. Stops polling a process that has ended. */
static bool both_end(struct pollfd ends[BOTH], double seconds)
{
    const double until = now() + seconds;
    while (ends[PARENT].fd >= 0 || ends[RANK].fd >= 0) {
        const double left = until - now();
        if (left <= 0) return false;
        poll(ends, BOTH, (int)(left * 1e3) + 1);
        for (int i = 0; i < BOTH; i++)
            if (ends[i].fd >= 0 && ends[i].revents) ends[i].fd = -1;
    }
    return true;
}

/* Sends a signal to the process of a pidfd, unless there is none. Ignores failures. */
static void send_to(const struct pollfd *end, int number)
{
    if (end->fd >= 0) syscall(SYS_pidfd_send_signal, end->fd, number, NULL, 0);
}

/* Runs in the process that is left behind. Of the rank's files it keeps only the two pidfds that it polls: mpirun waits
 * until every process has closed the ranks' standard files. It sends SIGKILL, as mpirun answers SIGTERM with messages
 * and SIGSEGV. */
_Noreturn static void stay(int parent, int rank)
{
    struct pollfd ends[BOTH] = {[PARENT] = {0, POLLIN, 0}, [RANK] = {1, POLLIN, 0}};
    setsid();
    dup2(parent, 0);
    dup2(rank, 1);
    close_range(2, ~0U, 0);
    if (!both_end(ends, GRACE)) {
        send_to(&ends[RANK], SIGKILL);
        send_to(&ends[PARENT], SIGKILL);
    }
    for (;;) syscall(SYS_exit_group, 0);
}

void mass_comm_leave_behind(void)
{
    const pid_t id = getppid();
    /* A batch system's process that started this rank is not killed: it has other work, too. */
    const int parent = mass_comm_is_launcher(id) ? (int)syscall(SYS_pidfd_open, id, 0) : -1;
    const int rank = parent < 0 ? -1 : (int)syscall(SYS_pidfd_open, getpid(), 0);
    sigset_t all, before;
    if (rank < 0 || getppid() != id) return;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* a handler of the rank must not run in the other process */
    if (fork() == 0) stay(parent, rank);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
