/* SPDX-License-Identifier: Apache-2.0 */
#include "process/signals.h"
#include "process/crash.h"
#include "process/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU, SIGPWR};
enum { ENDS = sizeof ends / sizeof *ends };

/* Any thread may get a signal, and the main thread reads these. */
static atomic_int end_signal, checkpoint_wanted;
static atomic_int heard; /* another process reported the end first; the same signal may still arrive here */
static struct timespec first_end; /* time of the first request; valid if end_signal is set */
static struct timespec last_checkpoint; /* time of the last request that arrived here */

/* timeout and batch systems signal a program and its group. Signals within this time are one request. */
static const double ONE_REQUEST = 0.2; /* seconds */

/* Work that has begun may end within this time before it is broken off. */
static const double PATIENCE = 0.5; /* seconds */

/* Returns the seconds since a time of the monotonic clock. */
static double since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* Gives the terminal back, restores the signal's default action and raises it, which ends the process. */
static void die_of(int number)
{
    mass_terminal_give_back();
    signal(number, SIG_DFL);
    raise(number);
}

/* Reports once what the ending run waits for, and ends the program if its step is overdue. Runs again each second
 * while a step runs. */
static void on_alarm(int number)
{
    static volatile sig_atomic_t said;
    (void)number;
    const int reason = errno; /* the interrupted plugin code goes on and may read errno */
    if (!said) said = mass_crash_say_waiting();
    if (mass_crash_is_overdue(since(&first_end))) {
        mass_crash_say_overdue();
        die_of(end_signal);
    }
    if (!said || mass_crash_steps()) alarm(1);
    errno = reason;
}

/* Starts a one-second alarm that checks on the requested end. Replaces the handler of SIGALRM. */
static void expect_end(void)
{
    const struct sigaction look = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    if (sigaction(SIGALRM, &look, NULL) == 0) alarm(1);
}

/* Records the first request to end and its time, and starts the alarm. */
static void begin_end(int number)
{
    clock_gettime(CLOCK_MONOTONIC, &first_end);
    end_signal = number;
    expect_end();
}

/* Handles a request to end: records the first. A later one ends the process at once, unless it comes within ONE_REQUEST
 * of the first, is SIGXCPU, or is the one that another process has already reported. */
static void on_end(int number)
{
    if (!end_signal) {
        begin_end(number);
    } else if (heard) {
        heard = 0;
        clock_gettime(CLOCK_MONOTONIC, &first_end);
    } else if (since(&first_end) > ONE_REQUEST && number != SIGXCPU) { /* SIGXCPU repeats every second */
        die_of(number);
    }
}

/* Handles a request for a checkpoint: only records it and its time. */
static void on_checkpoint(int number)
{
    (void)number;
    clock_gettime(CLOCK_MONOTONIC, &last_checkpoint);
    checkpoint_wanted = 1;
}

/* Installs a handler, unless the signal is ignored. */
static void handle(int number, const struct sigaction *action)
{
    struct sigaction before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, action, NULL);
}

/* `ulimit -t` sets both limits: the hard one kills. Lowers the soft limit so that SIGXCPU comes first. */
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

/* ---- one of several processes ---- */

static atomic_int kept_end;
static atomic_bool kept_checkpoint;

/* Handles a signal that asks to end by only storing its number for later. */
static void keep_end(int number) { atomic_store(&kept_end, number); }

/* Handles a request for a checkpoint by only storing it for later. */
static void keep_checkpoint(int number)
{
    (void)number;
    atomic_store(&kept_checkpoint, true);
}

void mass_signals_keep(void)
{
    const struct sigaction end = {.sa_handler = keep_end, .sa_flags = SA_RESTART};
    const struct sigaction checkpoint = {.sa_handler = keep_checkpoint, .sa_flags = SA_RESTART};
    for (int i = 0; i < ENDS; i++) handle(ends[i], &end);
    handle(SIGUSR1, &checkpoint);
    if (end_signal) keep_end(end_signal);
    if (checkpoint_wanted) keep_checkpoint(SIGUSR1);
    end_signal = checkpoint_wanted = 0;
    alarm(0);
}

int mass_signals_take_kept_end(void) { return atomic_exchange(&kept_end, 0); }
int mass_signals_kept_end(void) { return atomic_load(&kept_end); }
bool mass_signals_take_kept_checkpoint(void) { return atomic_exchange(&kept_checkpoint, false); }

void mass_signals_hear(int end, bool checkpoint)
{
    if (checkpoint && since(&last_checkpoint) > PATIENCE) checkpoint_wanted = 1;
    if (!end || end_signal) return;
    heard = 1;
    begin_end(end);
}

int mass_signals_end(void) { return end_signal; }

bool mass_signals_end_is_due(void) { return end_signal && since(&first_end) > PATIENCE; }

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
