/* SPDX-License-Identifier: Apache-2.0 */
/* Phases that a plugin declares: their callbacks, and the sentence that every other gets. */
#include "../expect.h"
#include "model_world.h"

#include <mass/streams.h>

static mass_status read_nothing(void *context, uint64_t given, void *data, int64_t room, int64_t *count,
                                mass_error *error)
{
    (void)context, (void)given, (void)data, (void)room, (void)error;
    *count = 0;
    return MASS_OK;
}

Test(phases, none_is_in_turn_with_a_stream)
{
    static const mass_field alter[] = {FIELD_OF("h", uint16_t, MASS_ALTER, "item")};
    mass_callback c = callback("act", alter, 1, 0);
    mass_model m = {0};
    mass_error error = {0};
    c.over = MASS_OVER_TURNS;
    add_space(&m, "items", 1, 8);
    add_attribute(&m, "items", "item", MASS_U16, 1, MASS_PLANES);
    EXPECT_OK(mass_model_add_stream(&m, &(mass_stream){.attribute = "item"}, read_nothing, NULL, e));
    const mass_agent_phase phase = {.schedule = MASS_STEP, .callback = &c};
    cr_assert_eq(mass_model_add_agent_phase(&m, &phase, &error), MASS_OK, "%s", error.text);
    cr_expect_eq(mass_model_resolve(&m, &error), MASS_BAD_PLUGIN);
    cr_expect(strstr(error.text, "without conditions and not in turn, and see their own"), "%s", error.text);
    mass_model_free(&m);
}

Test(model, callbacks_that_no_macro_made_are_refused)
{
    static const char text[] = "phase 0 has no callback that was made by MASS_MAP or MASS_STENCIL of this ABI";
    mass_model *m = world();
    EXPECT_REFUSAL(add_phase(m, NULL, "grid", MASS_STEP, e), MASS_BAD_PLUGIN, text);
    for (int i = 0; i < 5; i++) {
        mass_callback c = callback("touch", touch_health, 1, 0);
        if (i == 0) c.struct_size--;
        if (i == 1) c.name = NULL;
        if (i == 2) c.name = "not a name";
        if (i == 3) c.form_size -= 8;
        if (i == 4) c.field_size -= 4;
        EXPECT_REFUSAL(add_phase(m, &c, "grid", MASS_STEP, e), MASS_BAD_PLUGIN, text);
    }
    cr_assert_eq(m->phase_count, 0);
    discard(m);
}

Test(model, bad_phases_are_refused)
{
    static const struct {
        uint32_t over; int32_t dimensions, radius; const char *space; uint32_t schedule; const char *text;
    } bad[] = {
        {MASS_OVER_AGENTS, 0, 0, "grid", MASS_STEP, "callback touch is over agents: declare its phase with "
         "MASS_DECLARE_AGENTS"},
        {0, 0, 0, "grid", MASS_STEP, "callback touch is over something unknown, 0"},
        {MASS_OVER_PLACES, 0, 0, "grid", 2, "callback touch is in unknown schedule 2"},
        {MASS_OVER_PLACES, 0, 0, "plane", MASS_STEP,
         "callback touch runs over space 'plane', which is not declared before it"},
        {MASS_OVER_PLACES, 3, 0, "grid", MASS_STEP, "callback touch is for 3 dimensions and space 'grid' has 2"},
        {MASS_OVER_PLACES, 2, 0, "line", MASS_STEP, "callback touch is for 2 dimensions and space 'line' has 1"},
        {MASS_OVER_PLACES, -1, 0, "line", MASS_STEP, "callback touch is for -1 dimensions and space 'line' has 1"},
        {MASS_OVER_PLACES, 2, -1, "grid", MASS_STEP, "callback touch has a radius of -1, not 0 to 1024"},
        {MASS_OVER_PLACES, 2, 1025, NULL, MASS_STEP, "callback touch has a radius of 1025, not 0 to 1024"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        mass_callback c = callback("touch", touch_health, 1, bad[i].radius);
        c.over = bad[i].over;
        c.dimensions = bad[i].dimensions;
        EXPECT_REFUSAL(add_phase(m, &c, bad[i].space, bad[i].schedule, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(m->phase_count, 0);
        discard(m);
    }
}

/* So that the placing of agents at the start has the last number of 8 bits to itself, and with it random numbers. */
Test(model, there_are_at_most_255_phases)
{
    mass_model *m = world();
    cr_assert_eq(MASS_PHASES_MAX, 255);
    const mass_callback c = callback("touch", touch_health, 1, 0);
    for (int i = 0; i < MASS_PHASES_MAX; i++) EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    EXPECT_REFUSAL(add_phase(m, &c, "grid", MASS_STEP, e), MASS_BAD_PLUGIN, "more than 255 phases are declared");
    EXPECT_OK(mass_model_resolve(m, e));
    discard(m);
}

Test(model, ghosts_are_as_wide_as_the_widest_stencil_of_a_space)
{
    mass_model *m = world();
    static const mass_field line_health[] = {FIELD_OF("h", uint16_t, MASS_READ, "health")};
    const mass_callback narrow = callback("narrow", touch_health, 1, 1), wide = callback("wide", touch_health, 1, 4),
                        line = callback("line", line_health, 1, 2);
    EXPECT_OK(add_phase(m, &narrow, "grid", MASS_STEP, e));
    EXPECT_OK(add_phase(m, &wide, "grid", MASS_START, e));
    EXPECT_OK(add_phase(m, &narrow, "grid", MASS_STEP, e));
    EXPECT_OK(add_phase(m, &line, "line", MASS_STEP, e));
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert(m->spaces[0].ghost[0] == 4 && m->spaces[0].ghost[1] == 4 && m->spaces[0].ghost[2] == 0);
    cr_assert(m->spaces[1].ghost[0] == 2 && m->spaces[1].ghost[1] == 0 && m->spaces[1].ghost[2] == 0);
    discard(m);
}
