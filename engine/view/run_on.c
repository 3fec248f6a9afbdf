/* SPDX-License-Identifier: Apache-2.0 */
/* A run that has ended goes on, if a viewer asks for it. */
#include "process/progress.h"
#include "view/state.h"

#include <string.h>

/* Sets the step to which the ended run goes on. Returns why it cannot, or NULL. */
static const char *set_end(mass_view *v, uint64_t to)
{
    if (v->no_run_on) return v->no_run_on;
    v->run_on_to = to;
    return NULL;
}

/* Extends the run by the requested steps, or by as many as it has had. Returns NULL, or why it cannot, for the
 * viewer. */
static const char *add_steps(mass_view *v, const json_t *o)
{
    const json_t *steps = json_object_get(o, "steps");
    if (steps && !(json_is_integer(steps) && json_integer_value(steps) > 0))
        return "run_on needs steps, a whole number above 0, or none";
    const uint64_t had = v->plan.last_step - v->plan.first_step;
    const uint64_t more = steps ? (uint64_t)json_integer_value(steps) : had ? had : 1;
    if (more > INT64_MAX - v->step) return "run_on has more steps than a run can have";
    return set_end(v, v->step + more);
}

/* Extends the run to the requested step. Returns what is wrong with the request, or NULL. */
static const char *set_step(mass_view *v, const json_t *o)
{
    const json_t *step = json_object_get(o, "step");
    if (!json_is_integer(step) || json_integer_value(step) < 0) return "run_to needs a step, a whole number";
    if ((uint64_t)json_integer_value(step) <= v->step) return "the run is at that step, or beyond it";
    return set_end(v, (uint64_t)json_integer_value(step));
}

const char *mass_view_ask_run_on(mass_view *v, const char *what, const json_t *o)
{
    if (strcmp(what, "run_on") == 0) return add_steps(v, o);
    if (strcmp(what, "run_to") == 0) return set_step(v, o);
    return "the run has ended";
}

uint64_t mass_view_take_run_on(mass_view *v)
{
    const uint64_t to = v ? v->run_on_to : 0;
    if (v) v->run_on_to = 0;
    return to;
}

void mass_view_run_on(mass_view *v, uint64_t last_step, const char *command)
{
    v->plan.last_step = last_step;
    v->plan.command = command;
    v->phase = MASS_VIEW_RUNNING;
    v->pause_at = UINT64_MAX;
    v->mark_time = mass_seconds();
    v->mark_step = v->step;
    v->measured = 0;
}
