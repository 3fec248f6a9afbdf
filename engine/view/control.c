/* SPDX-License-Identifier: Apache-2.0 */
/* /run/control: what a viewer asks the run to do, if --view=control is given. */
#include "process/progress.h"
#include "process/signals.h"
#include "text/parameter.h"
#include "view/json.h"
#include "view/state.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double RATE_MOST = 1e9;

/* Makes an answer with status 400 and the reason for a refusal. */
static mass_status refuse(const char *why, mass_view_answer *out, mass_error *error)
{
    return mass_view_answer_json(json_pack("{s:o}", "error", mass_text_json(why)), 400, out, error);
}

/* Lets the run go on up to step `until`, at which it pauses again. Restarts the measurement of speed. */
static void go(mass_view *v, uint64_t until)
{
    v->pause_at = until;
    v->phase = MASS_VIEW_RUNNING;
    v->mark_time = mass_seconds();
    v->mark_step = v->step;
    v->measured = 0;
}

/* Lets the run go to a step, where it pauses. Returns NULL, or the reason for a refusal, as those below. */
static const char *run_to(mass_view *v, const json_t *o)
{
    const json_t *step = json_object_get(o, "step");
    if (!json_is_integer(step) || json_integer_value(step) < 0) return "run_to needs a step, a whole number";
    if ((uint64_t)json_integer_value(step) <= v->step) return "the run is at that step, or beyond it";
    go(v, (uint64_t)json_integer_value(step));
    return NULL;
}

/* Sets the most steps a second; null: no limit. Returns what is wrong with the request, or NULL. */
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

/* Requests a checkpoint. Returns why the run cannot make one, or NULL. */
static const char *ask_checkpoint(mass_view *v)
{
    if (!v->plan.keeps) return "the run keeps no checkpoints: start it with --checkpoint FOLDER";
    v->checkpoint = true;
    return NULL;
}

/* Returns a number with the fewest of 15 to 17 digits that give the same number when read. The caller frees it. NULL:
 * memory is short. */
static char *real_text(double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return strdup(text);
}

/* Returns a value as text for --set. NULL: memory is short, or it is no value. The caller frees it. */
static char *setting_text(const json_t *value)
{
    char *text = NULL;
    int length = -1;
    if (json_is_string(value)) return strdup(json_string_value(value));
    if (json_is_integer(value)) length = asprintf(&text, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) return real_text(json_real_value(value));
    return length < 0 ? NULL : text;
}

/* Checks a setting against the model, before the plugin is asked. */
static mass_status check_setting(const mass_view *v, const char *name, const char *text, mass_error *error)
{
    const mass_parameter_slot *slot = mass_parameters_find(&v->plan.model->parameters, name);
    if (!slot || slot->constant) return mass_error_set(error, MASS_BAD_USAGE, "there is no parameter %s", name);
    if (!text) return mass_error_set(error, MASS_BAD_USAGE, "parameter %s needs a number or a text", name);
    mass_parameter_slot tried = *slot;
    tried.text = NULL;
    const mass_status status = mass_parameter_set(&tried, text, error);
    free(tried.text);
    return status;
}

/* Reads settings from an object's members and checks them, until one is wrong. *count, 0 before, counts the good ones,
 * whose values the caller frees. Their names are the object's. */
static mass_status read_settings(const mass_view *v, json_t *from, mass_setting *settings, uint32_t *count,
                                 mass_error *error)
{
    const char *name;
    json_t *value;
    mass_status status = MASS_OK;
    json_object_foreach(from, name, value) {
        char *text = setting_text(value);
        if (status == MASS_OK) status = check_setting(v, name, text, error);
        settings[*count] = (mass_setting){.name = name, .value = text};
        *count += status == MASS_OK;
        if (status != MASS_OK) free(text);
    }
    return status;
}

/* Requests a new run with the given parameters, and the given seed or else the same. This run then ends. Refuses if
 * the run cannot be started again, and unknown parameters. */
static mass_status wish_restart(mass_view *v, json_t *o, mass_error *error)
{
    const json_t *seed = json_object_get(o, "seed");
    json_t *parameters = json_object_get(o, "parameters");
    if (v->plan.no_restart) return mass_error_set(error, MASS_BAD_USAGE, "%s", v->plan.no_restart);
    if ((seed && !(json_is_integer(seed) && json_integer_value(seed) >= 0)) ||
        (parameters && !json_is_object(parameters)))
        return mass_error_set(error, MASS_BAD_USAGE, "restart takes a seed, a whole number, and parameters, an object");
    mass_setting *settings = calloc(json_object_size(parameters) + 1, sizeof *settings);
    if (!settings) return mass_error_memory(error, sizeof *settings, "parameters");
    mass_view_wish wish = {.settings = settings,
                           .seed = seed ? (uint64_t)json_integer_value(seed) : v->plan.seed};
    mass_status status = read_settings(v, parameters, settings, &wish.count, error);
    if (status == MASS_OK) status = v->plan.restart(v->plan.restarter, &wish, error);
    if (status == MASS_OK) v->restarts = true;
    for (uint32_t i = 0; i < wish.count; i++) free((void *)(uintptr_t)settings[i].value);
    free(settings);
    return status;
}

/* Sets the wish for a run that follows. Returns why it cannot be, or NULL. The text is valid until the next call. */
static const char *restart(mass_view *v, json_t *o)
{
    static mass_error error; /* static, as its text is returned */
    error = (mass_error){0};
    return wish_restart(v, o, &error) == MASS_OK ? NULL : error.text;
}

/* Executes the order `what`; "stop" as the signal of Ctrl-C does. Returns NULL, or the reason for a refusal. */
static const char *follow(mass_view *v, const char *what, json_t *o)
{
    if (strcmp(what, "stop") == 0) {
        mass_signals_hear(SIGINT, false);
        return NULL;
    }
    if (strcmp(what, "restart") == 0) return restart(v, o);
    if (v->phase == MASS_VIEW_ENDED) return mass_view_ask_run_on(v, what, o);
    if (strcmp(what, "run_on") == 0) return "the run has not ended yet: run_to has it stop at a later step";
    if (strcmp(what, "draw") == 0) return mass_view_draw(v, o);
    if (strcmp(what, "checkpoint") == 0) return ask_checkpoint(v);
    if (strcmp(what, "rate") == 0) return set_rate(v, o);
    if (strcmp(what, "run_to") == 0) return run_to(v, o);
    if (strcmp(what, "pause") == 0) v->phase = MASS_VIEW_PAUSED;
    else if (strcmp(what, "go") == 0) go(v, UINT64_MAX);
    else if (strcmp(what, "step") == 0) go(v, v->step + 1);
    else return "'do' is not one of pause, go, step, run_to, run_on, rate, checkpoint, draw, restart, stop";
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
    const char *why = what ? follow(v, what, o) : "this is not a JSON object with a text 'do'";
    json_decref(o);
    if (why) return refuse(why, out, error);
    json_t *done = json_pack("{s:b, s:o}", "ok", 1, "command", mass_text_json(v->plan.command));
    return mass_view_answer_json(done, 200, out, error);
}
