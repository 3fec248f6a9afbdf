/* SPDX-License-Identifier: Apache-2.0 */
#include "process/terminal.h"
#include "process/standard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static atomic_bool taken;
static pid_t owner; /* the process that the terminal belongs to; 0: this program */

/* Returns a number from 1 to 10000 from an environment variable, as shells set it; else `other`. */
static int number_of(const char *variable, int other)
{
    const char *text = getenv(variable);
    const long number = text ? strtol(text, NULL, 10) : 0;
    return number > 0 && number <= 10000 ? (int)number : other;
}

void mass_terminal_size(int file, int *columns, int *rows)
{
    struct winsize size = {0};
    const bool known = ioctl(file, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col > 0 ? size.ws_col : number_of("COLUMNS", 80);
    *rows = known && size.ws_row > 0 ? size.ws_row : number_of("LINES", 24);
}

/* tcgetpgrp fails for a terminal that does not control this program: the program then counts as being in front. */
bool mass_terminal_in_front(void)
{
    const pid_t front = tcgetpgrp(mass_standard_people());
    return front < 0 || front == getpgid(owner);
}

void mass_terminal_belongs_to(pid_t process)
{
    owner = process;
    signal(SIGTTOU, SIG_IGN); /* this process is never in the foreground itself */
}

bool mass_terminal_take(void)
{
    static const char hide[] = "\033[?25l";
    const bool first = !atomic_exchange(&taken, true);
    if (first && owner == 0) mass_standard_tell(hide, sizeof hide - 1);
    return first;
}

bool mass_terminal_taken(void) { return atomic_load(&taken); }

void mass_terminal_give_back(void)
{
    static const char as_it_was[] = "\033[0m\r\033[J\033[?25h";
    struct pollfd terminal = {.fd = mass_standard_people(), .events = POLLOUT};
    const int reason = errno;
    if (atomic_exchange(&taken, false) && poll(&terminal, 1, 0) == 1) {
        mass_standard_tell(as_it_was, sizeof as_it_was - 1);
    }
    errno = reason;
}

/* Handles a fatal signal: gives the terminal back, then ends the process by the same signal. */
static void on_end(int number)
{
    mass_terminal_give_back();
    signal(number, SIG_DFL);
    raise(number);
}

/* Handles a stop from the keyboard: gives the terminal back, then stops this process. */
static void on_stop(int number)
{
    (void)number;
    mass_terminal_give_back();
    raise(SIGSTOP);
}

/* Marks the terminal as not taken: a shell may have overwritten the last picture while the program was stopped. */
static void on_continue(int number)
{
    (void)number;
    atomic_store(&taken, false);
}

/* Installs a handler only if the signal has its default action: an ignored signal, as by nohup, stays ignored. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(number, &action, NULL);
}

void mass_terminal_guard(void)
{
    static const int ends[] = {SIGQUIT, SIGALRM};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) handle(ends[i], on_end);
    handle(SIGTSTP, on_stop);
    handle(SIGCONT, on_continue);
}
