/* SPDX-License-Identifier: Apache-2.0 */
#include "process/signals.h"
#include "process/crash.h"
#include "process/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU, SIGPWR};
enum { ENDS = sizeof ends / sizeof *ends };

static volatile sig_atomic_t end_signal, checkpoint_wanted;
static struct timespec first_end; /* once end_signal is set */

/* timeout and batch systems signal a program and its group: that is one request. */
static const double ONE_REQUEST = 0.2; /* seconds */

/* What has begun may end well before it is broken off. */
static const double PATIENCE = 0.5; /* seconds */

static double since_first_end(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - first_end.tv_sec) + 1e-9 * (double)(now.tv_nsec - first_end.tv_nsec);
}

/* A second after a signal that has not ended the run yet. */
static void on_alarm(int number)
{
    (void)number;
    const int reason = errno; /* of the plugin, which goes on */
    if (!mass_crash_say_waiting()) alarm(1);
    errno = reason;
}

static void expect_end(void)
{
    const struct sigaction look = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    if (sigaction(SIGALRM, &look, NULL) == 0) alarm(1);
}

static void on_end(int number)
{
    if (!end_signal) {
        clock_gettime(CLOCK_MONOTONIC, &first_end);
        end_signal = number;
        expect_end();
    } else if (since_first_end() > ONE_REQUEST && number != SIGXCPU) { /* which comes every second from then on */
        mass_terminal_give_back();
        signal(number, SIG_DFL);
        raise(number);
    }
}

static void on_checkpoint(int number)
{
    (void)number;
    checkpoint_wanted = 1;
}

/* Unless it is ignored. */
static void handle(int number, const struct sigaction *action)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, action, NULL);
}

/* `ulimit -t` sets both limits, and the second one kills. */
static void warn_of_time_limit(void)
{
    struct rlimit time;
    if (getrlimit(RLIMIT_CPU, &time) != 0 || time.rlim_cur == RLIM_INFINITY || time.rlim_cur < time.rlim_max) return;
    time.rlim_cur -= time.rlim_cur > 20 ? time.rlim_cur / 20 : time.rlim_cur > 1;
    setrlimit(RLIMIT_CPU, &time);
}

void mass_signals_install(void)
{
    struct sigaction end = {.sa_handler = on_end, .sa_flags = SA_RESTART};
    const struct sigaction checkpoint = {.sa_handler = on_checkpoint, .sa_flags = SA_RESTART};
    for (int i = 0; i < ENDS; i++) sigaddset(&end.sa_mask, ends[i]);
    for (int i = 0; i < ENDS; i++) handle(ends[i], &end);
    handle(SIGUSR1, &checkpoint);
    warn_of_time_limit();
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static atomic_int *left_to;

static void on_left(int number) { atomic_store(left_to, number); }

void mass_signals_leave_to(atomic_int *where)
{
    const struct sigaction leave = {.sa_handler = on_left, .sa_flags = SA_RESTART};
    left_to = where;
    for (int i = 0; i < ENDS; i++) handle(ends[i], &leave);
    signal(SIGUSR1, SIG_IGN);
}

int mass_signals_end(void) { return end_signal; }

bool mass_signals_end_is_due(void) { return end_signal && since_first_end() > PATIENCE; }

bool mass_signals_take_checkpoint(void)
{
    if (!checkpoint_wanted) return false;
    checkpoint_wanted = 0;
    return true;
}

mass_status mass_signals_check(mass_error *error)
{
    if (!end_signal) return MASS_OK;
    return mass_error_set(error, MASS_INTERRUPTED, "interrupted while it was set up: nothing was written");
}

bool mass_signals_pending(void) { return end_signal != 0 || checkpoint_wanted != 0; }
