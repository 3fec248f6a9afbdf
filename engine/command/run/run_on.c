/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/run_on.h"
#include "command/run/rerun_command.h"
#include "io/picture/space_time.h"
#include "process/progress.h"

#include <stdlib.h>

const char *mass_run_on_hindrance(const mass_session *s)
{
    if (s->run->held) return "the run has ended by its stop condition, which holds: start it again with another one";
    if (s->options->movie) return "the movie of the run is complete: start the run again with more --steps";
    if (s->options->image && mass_space_time_suits(&s->model))
        return "the image of all steps is complete: start the run again with more --steps";
    return NULL;
}

/* Excludes the time between the end and now from the run's times. */
static void leave_out_pause(mass_session *s)
{
    const double pause = mass_seconds() - s->stepped;
    s->began += pause;
    s->initialised += pause;
}

bool mass_run_on(mass_session *s)
{
    const uint64_t to = mass_view_take_run_on(s->view);
    if (!to) return false;
    char *command = mass_again(s->options, s->opening.seed, s->model.seedless, to,
                               s->drawing.drawn ? s->drawing.file : NULL);
    s->last_step = s->plan.last_step = s->prolonged = to;
    mass_output_run_on(s->output, to);
    mass_watch_free(s->watch); /* its terminal has been restored */
    s->watch = NULL;
    mass_view_run_on(s->view, to, command ? command : "");
    free(s->command);
    s->command = command;
    leave_out_pause(s);
    return true;
}
