/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of phases: an earlier phase of the same schedule has to count their tallies. */
#include "../expect.h"
#include "model_world.h"

/* What a model of a test has. Phases come in the order of the members. */
typedef struct scheme {
    bool counted_at_start, counted_before, managed_before;
    const char *tally;
    bool of_manage; /* the manage has the condition, and not a callback */
    bool counted_after, managed_after;
    const char *refusal; /* NULL: none */
} scheme;

static const mass_field count_births[] = {FIELD_OF("h", uint8_t, MASS_UPDATE, "health"),
                                          FIELD_OF("n", int64_t, MASS_SUM, "births")};

static mass_status declare(mass_model *m, const scheme *s, mass_error *error)
{
    const mass_condition when = {.tally = s->tally, .relation = MASS_AT_LEAST, .value = 1};
    const mass_manage manage = {.schedule = MASS_STEP, .population = "ants"};
    const mass_manage conditional = {.schedule = MASS_STEP, .population = "ants", .condition = &when};
    const mass_callback counts = callback("counts", count_births, 2, 0), acts = callback("acts", touch_health, 1, 0);
    const char *const sums[] = {"alive", "died"};
    for (int i = 0; i < 2; i++)
        EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = sums[i], .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "open", .access = MASS_OF_WORLD}, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "ants", .space = "grid", .count = 1,
                                                              .alive = "alive", .died = "died"}, e));
    if (s->counted_at_start) EXPECT_OK(add_phase(m, &counts, "grid", MASS_START, e));
    if (s->counted_before) EXPECT_OK(add_phase(m, &counts, "grid", MASS_STEP, e));
    if (s->managed_before) EXPECT_OK(mass_model_add_manage(m, &manage, e));
    if (s->of_manage) EXPECT_OK(mass_model_add_manage(m, &conditional, e));
    else EXPECT_OK(mass_model_add_agent_phase(m, &(mass_agent_phase){.schedule = MASS_STEP, .space = "grid",
                                                                     .callback = &acts, .condition = &when}, e));
    if (s->counted_after) EXPECT_OK(add_phase(m, &counts, "grid", MASS_STEP, e));
    if (s->managed_after) EXPECT_OK(mass_model_add_manage(m, &manage, e));
    return mass_model_resolve(m, error);
}

Test(conditions, look_at_what_an_earlier_phase_counts)
{
    static const char births[] = "callback acts runs under a condition on tally 'births', which no earlier phase of "
                                 "the step counts, so that it is 0 then: declare one that counts it before";
    static const char alive[] = "callback acts runs under a condition on tally 'alive', which no earlier phase of the "
                                "step counts, so that it is 0 then: declare one that counts it before";
    static const char manage[] = "the manage of population ants runs under a condition on tally 'died', which no "
                                 "earlier phase of the step counts, so that it is 0 then: declare one that counts it "
                                 "before";
    static const scheme all[] = {
        {.tally = "births", .refusal = births},
        {.tally = "births", .counted_at_start = true, .refusal = births},
        {.tally = "births", .counted_after = true, .refusal = births},
        {.tally = "births", .managed_before = true, .refusal = births},
        {.tally = "births", .counted_before = true},
        {.tally = "alive", .refusal = alive},
        {.tally = "alive", .managed_after = true, .refusal = alive},
        {.tally = "alive", .managed_before = true},
        {.tally = "died", .of_manage = true, .refusal = manage},
        {.tally = "died", .of_manage = true, .managed_before = true},
        {.tally = "open"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        mass_error error = {0};
        mass_model *m = world();
        const mass_status status = declare(m, &all[i], &error);
        cr_expect_eq(status, all[i].refusal ? MASS_BAD_PLUGIN : MASS_OK, "case %zu: %s", i, error.text);
        cr_expect_str_eq(error.text, all[i].refusal ? all[i].refusal : "", "case %zu", i);
        discard(m);
    }
}
