#include "run/signals.h"
#include "run/terminal.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static volatile sig_atomic_t end_signal, checkpoint_wanted;
static struct timespec first_end; /* of the handler alone */

/* timeout and batch systems signal a program and its group: that is one request. */
static const double ONE_REQUEST = 0.2; /* seconds */

static void on_end(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double since = (double)(now.tv_sec - first_end.tv_sec) + 1e-9 * (double)(now.tv_nsec - first_end.tv_nsec);
    if (!end_signal) {
        first_end = now;
        end_signal = number;
    } else if (since > ONE_REQUEST) {
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

void mass_signals_install(void)
{
    struct sigaction end = {.sa_handler = on_end, .sa_flags = SA_RESTART};
    struct sigaction checkpoint = {.sa_handler = on_checkpoint, .sa_flags = SA_RESTART};
    sigaddset(&end.sa_mask, SIGINT);
    sigaddset(&end.sa_mask, SIGTERM);
    sigaction(SIGINT, &end, NULL);
    sigaction(SIGTERM, &end, NULL);
    sigaction(SIGUSR1, &checkpoint, NULL);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

int mass_signals_end(void) { return end_signal; }

bool mass_signals_take_checkpoint(void)
{
    const bool wanted = checkpoint_wanted != 0;
    checkpoint_wanted = 0;
    return wanted;
}

mass_status mass_signals_check(mass_error *error)
{
    if (!end_signal) return MASS_OK;
    return mass_error_set(error, MASS_INTERRUPTED, "interrupted while it was set up: nothing was written");
}

bool mass_signals_pending(void) { return end_signal != 0 || checkpoint_wanted != 0; }
