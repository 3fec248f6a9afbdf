/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what a page tells a run to do. Refused in one line with nothing changed; or done, with a pace, a step to
 * pause at and values of parameters that a run can have. */
#include "harness.h"
#include "text/parameter.h"
#include "view/json.h"
#include "view/state.h"

#include <math.h>
#include <string.h>

enum { STEP = 1000 };

static const char *const edges[] = {"torus", "bounded", NULL};
static const mass_parameter declared[] = {
    {.name = "number", .type = MASS_INTEGER, .integer_min = -1000, .integer_max = 1000},
    {.name = "share", .type = MASS_REAL, .real_min = 0, .real_max = 1},
    {.name = "pattern", .type = MASS_TEXT, .text = ""},
    {.name = "edge", .type = MASS_CHOICE, .choices = edges}};
enum { DECLARED = sizeof declared / sizeof *declared };

static mass_model model;
static mass_domain domain = {.share.worlds = 2};

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    mass_error error = {0};
    for (int i = 0; i < DECLARED; i++)
        ALWAYS(mass_parameters_add(&model.parameters, &declared[i], &error) == MASS_OK);
    mass_model_add_space(&model, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2,
                                               .size = {4, 3}}, NULL, 0, &error);
    mass_model_add_attribute(&model, &(mass_attribute){.space = "grid", .name = "value", .type = MASS_U8, .most = 7},
                             &error);
    ALWAYS(error.status == MASS_OK);
    return 0;
}

/* As the run has it, which takes what the model does. */
static mass_status restart(void *restarter, const mass_view_wish *wish, mass_error *error)
{
    (void)restarter;
    ALWAYS(wish->seed <= INT64_MAX);
    for (uint32_t i = 0; i < wish->count; i++) {
        const mass_parameter_slot *slot = mass_parameters_find(&model.parameters, wish->settings[i].name);
        ALWAYS(slot);
        mass_parameter_slot tried = *slot;
        tried.text = NULL;
        ALWAYS(mass_parameter_set(&tried, wish->settings[i].value, error) == MASS_OK);
        free(tried.text);
    }
    return MASS_OK;
}

/* Places that there are, and values in the range. */
static mass_status draw(void *drawer, const mass_event *list, size_t count, const char **command, mass_error *error)
{
    const mass_events_of of = {&model, domain.share.worlds, 0};
    (void)drawer, (void)command;
    ALWAYS(count > 0);
    for (size_t i = 0; i < count; i++)
        ALWAYS(mass_event_place(&of, &list[i], error) == MASS_OK && list[i].value[0] <= 7);
    return MASS_OK;
}

static void check_answer(const mass_view_answer *a)
{
    json_t *said = json_loadb(a->bytes, a->size, 0, NULL);
    const char *why = json_string_value(json_object_get(said, "error"));
    ALWAYS(said && (a->status == 200 || a->status == 400) && (a->status == 400) == (why && why[0]));
    if (why) ALWAYS_ONE_LINE(why);
    json_decref(said);
}

static bool is_as_before(const mass_view *v, const mass_view *before)
{
    return v->phase == before->phase && v->pause_at == before->pause_at && v->rate == before->rate &&
           v->checkpoint == before->checkpoint && v->restarts == before->restarts;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_view v = {.address.control = true, .pause_at = UINT64_MAX, .step = STEP, .rate = 5, .domain = &domain,
                   .phase = size % 3 ? MASS_VIEW_PAUSED : MASS_VIEW_RUNNING,
                   .plan = {.model = &model, .command = "", .restart = restart, .draw = draw, .keeps = size % 2}};
    const mass_view before = v;
    mass_view_answer answer = {0};
    mass_error error = {0};
    ALWAYS(mass_view_answer_control(&v, (const char *)bytes, size, &answer, &error) == MASS_OK);
    check_answer(&answer);
    if (answer.status == 400) ALWAYS(is_as_before(&v, &before));
    ALWAYS(v.rate >= 0 && v.rate <= 1e9 && v.pause_at > STEP && v.phase < MASS_VIEW_PHASES);
    free(answer.bytes);
    return 0;
}
