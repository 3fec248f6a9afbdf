/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run waits for viewers, before its first step and after its last. On a terminal a person ends the wait.
 * Elsewhere it ends by itself, so that no script hangs. */
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "view/state.h"

#include <unistd.h>

static const double SLICE = 0.05;   /* seconds between looks for signals while the run waits */
static const double PATIENCE = 2;   /* seconds without a question or a connection until viewers are taken to be gone */

/* Returns whether messages for people go to a terminal. */
static bool has_terminal(void) { return isatty(mass_standard_people()); }

bool mass_view_begins_alone(mass_view *v)
{
    const bool waits = v->phase == MASS_VIEW_PAUSED && v->step == v->plan.first_step && v->run == 1 && !v->plan.wait;
    if (!waits || has_terminal() || mass_desk_last_asked(v->desk) > 0) return false;
    if (mass_seconds() - v->began < v->plan.stay) return false;
    if (!v->plan.quiet)
        mass_progress_say("mass-engine: nobody has looked at the run for %g s, so it begins; --view-wait makes it wait",
                          v->plan.stay);
    return true;
}

/* Returns whether the end need not be shown any longer. A slow browser may ask nothing for some seconds, but keeps its
 * connection; the server closes connections that are silent for longer. */
static bool is_left(const mass_view *v)
{
    if (mass_desk_is_asked(v->desk) || mass_desk_viewers(v->desk) > 0) return false;
    const double last = mass_desk_last_asked(v->desk), now = mass_seconds();
    if (last > 0 && now - last < PATIENCE) return false;
    return v->end_seen || now - v->ended >= v->plan.stay;
}

/* Reports, unless --quiet, that the run has ended and for how long its page stays. terminal: until Ctrl-C. */
static void say_end(const mass_view *v, bool terminal)
{
    if (v->plan.quiet) return;
    if (terminal) mass_progress_say("mass-engine: the run has ended and can still be looked at; Ctrl-C ends that");
    else if (v->plan.stay > 0)
        mass_progress_say("mass-engine: the run has ended; its page stays until somebody has seen that, %g s at most",
                          v->plan.stay);
}

void mass_view_linger(mass_view *v, uint64_t step, const char *no_run_on)
{
    mass_error ignored = {0};
    if (!v || !v->serving || mass_signals_end()) return;
    const bool terminal = has_terminal();
    v->step = step;
    v->phase = MASS_VIEW_ENDED;
    v->ended = mass_seconds();
    v->end_seen = false;
    v->no_run_on = no_run_on;
    const double seconds = v->seconds; /* answers take no time from a run that has ended */
    say_end(v, terminal);
    while (!mass_signals_end() && !v->restarts && !v->run_on_to && mass_view_answer_all(v, &ignored) == MASS_OK) {
        if (!terminal && is_left(v)) return;
        mass_desk_wait(v->desk, SLICE);
    }
    v->seconds = seconds;
}
