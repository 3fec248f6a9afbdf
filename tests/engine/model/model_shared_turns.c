/* SPDX-License-Identifier: Apache-2.0 */
/* Turns that phases share: which phases may. */
#include "../expect.h"
#include "model_world.h"

#include "model/shared_turns.h"

static const mass_condition open = {.tally = "open", .relation = MASS_AT_LEAST, .value = 1};

/* Adds two populations on the grid, one on the line, and a world attribute. */
static mass_model *meadow(void)
{
    mass_model *m = world();
    static const char *const names[] = {"wolves", "sheep", "fish"};
    for (int i = 0; i < 3; i++)
        EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = names[i], .space = i < 2 ? "grid" : "line",
                                                                  .count = 1, .children = 3}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "open", .access = MASS_OF_WORLD}, e));
    return m;
}

/* Adds a phase in turn. */
static mass_status add(mass_model *m, const char *population, const mass_agent_phase *more, mass_error *error)
{
    mass_callback c = callback(population ? population : "places", NULL, 0, 0);
    mass_agent_phase phase = *more;
    c.over = MASS_OVER_TURNS;
    c.population_count = population != NULL;
    c.populations = population ? &population : NULL;
    if (!population) {
        c.fields = touch_health;
        c.field_count = 1;
    }
    phase.schedule = MASS_STEP;
    phase.population = population;
    phase.callback = &c;
    return mass_model_add_agent_phase(m, &phase, error);
}

Test(shared_turns, phases_of_a_turn_are_found)
{
    static const mass_agent_phase day = {.turn = "day"}, alone = {.turn = NULL}, night = {.turn = "night"};
    mass_model *m = meadow();
    uint32_t seen[MASS_POPULATIONS_MAX];
    EXPECT_OK(add(m, "wolves", &alone, e));
    EXPECT_OK(add(m, "sheep", &day, e));
    EXPECT_OK(add(m, "wolves", &day, e));
    EXPECT_OK(add(m, "wolves", &night, e));
    EXPECT_OK(add(m, "fish", &alone, e));
    EXPECT_OK(mass_model_resolve(m, e));
    static const uint32_t begin[] = {0, 1, 1, 3, 4}, end[] = {1, 3, 3, 4, 5};
    for (uint32_t i = 0; i < 5; i++) {
        cr_expect_eq(mass_turn_begin(m, i), begin[i]);
        cr_expect_eq(mass_turn_end(m, i), end[i]);
        cr_expect_eq(mass_turn_is_shared(m, i), i == 1 || i == 2);
    }
    cr_expect_eq(mass_turn_populations(m, 1, seen), 2);
    cr_expect(seen[0] == 1 && seen[1] == 0);
    cr_expect(mass_turn_children(m, 1, 0) == 3 && mass_turn_children(m, 1, 1) == 3);
    cr_expect(mass_turn_children(m, 3, 0) == 3 && mass_turn_children(m, 3, 1) == 0);
    discard(m);
}

Test(shared_turns, phases_that_cannot_share_one_are_refused)
{
    static const mass_agent_phase day = {.turn = "day"}, alone = {.turn = NULL}, when = {.turn = "day",
                                  .condition = &open};
    static const struct { const char *of[3]; const mass_agent_phase *phases[3]; const char *text; } bad[] = {
        {{"wolves", "sheep"}, {&day, &when}, "callbacks wolves and sheep share turn 'day', and their phases have "
         "different conditions: give them one"},
        {{"wolves", "wolves"}, {&day, &day}, "callbacks wolves and wolves share turn 'day', and both let agents of "
         "population 'wolves' act: make them one callback"},
        {{"wolves", "fish"}, {&day, &day}, "callbacks wolves and fish share turn 'day', and their agents are on "
         "different spaces"},
        {{"wolves", "sheep", "sheep"}, {&day, &alone, &day}, "callbacks wolves and sheep share turn 'day', and another "
         "phase is between theirs: put them one after the other"},
        {{"wolves", "sheep"}, {&when, &when}, NULL}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = meadow();
        for (int k = 0; k < 3 && bad[i].of[k]; k++) EXPECT_OK(add(m, bad[i].of[k], bad[i].phases[k], e));
        if (bad[i].text) EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, bad[i].text);
        else EXPECT_OK(mass_model_resolve(m, e));
        discard(m);
    }
}

Test(shared_turns, a_turn_has_a_name_and_is_shuffled)
{
    static const struct { const char *population; mass_agent_phase phase; const char *text; } bad[] = {
        {NULL, {.turn = "day"}, "callback places does not let agents act in turn, and its phase has .turn: leave it "
         "out, or make it MASS_IN_TURN"},
        {"sheep", {.turn = "a day"}, "callback sheep: the .turn of its phase, 'a day', is not named by letters, digits "
         "and '_' (at most 63)"},
        {"sheep", {.turn = "day", .order = "id"}, "callback sheep: its phase shares turn 'day', whose order is "
         "shuffled, and has .order: leave it out"},
        {"sheep", {.turn = "day", .reversed = 1}, "callback sheep: its phase shares turn 'day', whose order is "
         "shuffled, and has .reversed: leave it out"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = meadow();
        EXPECT_REFUSAL(add(m, bad[i].population, &bad[i].phase, e), MASS_BAD_PLUGIN, bad[i].text);
        discard(m);
    }
}
