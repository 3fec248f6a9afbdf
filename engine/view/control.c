/* SPDX-License-Identifier: Apache-2.0 */
/* /run/control: what who looks asks the run to do, where --view=control lets them. */
#include "process/progress.h"
#include "process/signals.h"
#include "view/json.h"
#include "view/state.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 1200 };
static const double RATE_MOST = 1e9;

static mass_status refuse(const char *why, mass_view_answer *out, mass_error *error)
{
    return mass_view_answer_json(json_pack("{s:o}", "error", mass_text_json(why)), 400, out, error);
}

static void go(mass_view *v, uint64_t until)
{
    v->pause_at = until;
    v->phase = MASS_VIEW_RUNNING;
    v->mark_time = mass_seconds();
    v->mark_step = v->step;
    v->measured = 0;
}

/* Each returns NULL, or why not. */
static const char *run_to(mass_view *v, const json_t *o)
{
    const json_t *step = json_object_get(o, "step");
    if (!json_is_integer(step) || json_integer_value(step) < 0) return "run_to needs a step, a whole number";
    if ((uint64_t)json_integer_value(step) <= v->step) return "the run is at that step, or beyond it";
    go(v, (uint64_t)json_integer_value(step));
    return NULL;
}

static const char *set_rate(mass_view *v, const json_t *o)
{
    const json_t *rate = json_object_get(o, "steps_a_second");
    if (json_is_null(rate)) v->rate = 0;
    else if (json_is_number(rate) && json_number_value(rate) > 0 && json_number_value(rate) <= RATE_MOST)
        v->rate = json_number_value(rate);
    else return "rate needs steps_a_second, a number above 0, or null";
    v->next_step = 0;
    return NULL;
}

static const char *ask_checkpoint(mass_view *v)
{
    if (!v->plan.keeps) return "the run keeps no checkpoints: start it with --checkpoint FOLDER";
    v->checkpoint = true;
    return NULL;
}

static const char *follow(mass_view *v, const char *what, const json_t *o)
{
    if (strcmp(what, "stop") == 0) {
        mass_signals_hear(SIGINT, false);
        return NULL;
    }
    if (v->phase == MASS_VIEW_ENDED) return "the run has ended";
    if (strcmp(what, "checkpoint") == 0) return ask_checkpoint(v);
    if (strcmp(what, "rate") == 0) return set_rate(v, o);
    if (strcmp(what, "run_to") == 0) return run_to(v, o);
    if (strcmp(what, "pause") == 0) v->phase = MASS_VIEW_PAUSED;
    else if (strcmp(what, "go") == 0) go(v, UINT64_MAX);
    else if (strcmp(what, "step") == 0) go(v, v->step + 1);
    else return "'do' is not one of pause, go, step, run_to, rate, checkpoint, restart, stop";
    return NULL;
}

mass_status mass_view_answer_control(mass_view *v, const char *body, size_t size, mass_view_answer *out,
                                     mass_error *error)
{
    if (!v->address.control) {
        *out = (mass_view_answer){.status = 403};
        return MASS_OK;
    }
    mass_json_begin();
    json_t *o = size ? json_loadb(body, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const char *what = json_string_value(json_object_get(o, "do"));
    const char *why = what ? follow(v, what, o) : "this is no JSON object with a text 'do'";
    json_decref(o);
    return why ? refuse(why, out, error)
               : mass_view_answer_json(json_pack("{s:b}", "ok", 1), 200, out, error);
}
