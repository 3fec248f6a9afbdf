/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that see several populations: whose attributes a field may have, and what is refused. */
#include "../expect.h"
#include "model_world.h"

#include <string.h>

static void add_population(mass_model *m, const char *name, const char *space)
{
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = name, .space = space, .count = 1}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.population = name, .name = "age", .type = MASS_I32}, e));
}

/* A callback over residents of ants with one field, of the number-th of the populations that it sees. */
static mass_status declare(mass_model *m, uint32_t over, uint32_t access, uint32_t number, const char *const *seen,
                           uint32_t count, mass_error *error)
{
    mass_field field = FIELD_OF("f", int32_t, access, "age");
    field.population = number;
    mass_callback c = callback("meet", &field, 1, 0);
    c.over = over;
    c.populations = seen;
    c.population_count = count;
    add_space(m, "field", 2, 8);
    add_space(m, "yard", 2, 8);
    add_population(m, "ants", "field");
    add_population(m, "bees", "field");
    add_population(m, "cats", "yard");
    const mass_status status = mass_model_add_agent_phase(
        m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "ants", .callback = &c}, error);
    return status == MASS_OK ? mass_model_resolve(m, error) : status;
}

Test(sight, a_field_is_of_the_population_that_it_says)
{
    static const char *const seen[] = {"ants", "bees"};
    for (uint32_t number = 0; number < 2; number++) {
        mass_model m = {0};
        mass_error error = {0};
        cr_assert_eq(declare(&m, MASS_OVER_RESIDENTS, MASS_RESIDENT, number, seen, 2, &error), MASS_OK, "%s",
                     error.text);
        cr_expect_eq(m.attributes[m.arrays[m.phases[0].targets[0].index].attribute].population, (int32_t)number);
        cr_expect(m.phases[0].population_count == 2 && m.phases[0].populations[1] == 1);
        mass_model_free(&m);
    }
}

Test(sight, what_cannot_be_seen_is_refused)
{
    static const struct { uint32_t over, access, number, count; const char *seen[6], *sentence; } bad[] = {
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 2, 2, {"ants", "bees"},
         "field f: it is of population 2 of those that the callback sees, which are 2"},
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 0, 2, {"ants", "owls"},
         "callback meet sees population 'owls', which is not declared before it"},
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 0, 2, {"ants", "cats"},
         "callback meet runs over population 'ants' and sees 'cats', which is on another space"},
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 0, 2, {"bees", "ants"},
         "over population 'ants', and lists 'bees' as its own"},
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 0, 3, {"ants", "bees", "bees"}, "lists population 'bees' twice"},
        {MASS_OVER_RESIDENTS, MASS_RESIDENT, 0, 5, {"ants", "bees", "a", "b", "c"},
         "callback meet sees 5 populations: it may see 4"},
        {MASS_OVER_AGENTS, MASS_UPDATE, 1, 2, {"ants", "bees"},
         "UPDATES takes attributes of population 'ants' alone, and 'age' is of 'bees'"},
        {MASS_OVER_AGENTS, MASS_FREE_PLACES, 1, 2, {"ants", "bees"},
         "FREE_PLACES takes attributes of population 'ants' alone, and 'age' is of 'bees'"},
        {MASS_OVER_AGENTS, MASS_FREE_PLACES, 0, 1, {"ants"},
         "callback meet has FREE_PLACES, and population ants has no .capacity: every place is free"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_model m = {0};
        mass_error error = {0};
        cr_expect_eq(declare(&m, bad[i].over, bad[i].access, bad[i].number, bad[i].seen, bad[i].count, &error),
                     MASS_BAD_PLUGIN, "%zu", i);
        cr_expect(strstr(error.text, bad[i].sentence), "%s", error.text);
        mass_model_free(&m);
    }
}

/* A callback over places of the space declared first, or of another, with one field of the first population that it
 * sees. */
static mass_status declare_places(mass_model *m, uint32_t access, const char *space, const char *const *seen,
                                  uint32_t count, mass_error *error)
{
    mass_field field = FIELD_OF("f", int32_t, access, "age");
    mass_callback c = callback("look", &field, 1, 2);
    c.populations = seen;
    c.population_count = count;
    add_space(m, "field", 2, 8);
    add_space(m, "yard", 2, 8);
    add_population(m, "ants", "field");
    add_population(m, "cats", "yard");
    const mass_status status =
        mass_model_add_phase(m, &(mass_phase){.schedule = MASS_STEP, .space = space, .callback = &c}, error);
    return status == MASS_OK ? mass_model_resolve(m, error) : status;
}

Test(sight, places_see_populations_and_have_none)
{
    static const char *const ants[] = {"ants"}, *const cats[] = {"cats"};
    for (int yard = 0; yard < 2; yard++) {
        mass_model m = {0};
        mass_error error = {0};
        cr_assert_eq(declare_places(&m, MASS_NEARBY, yard ? "yard" : "field", yard ? cats : ants, 1, &error), MASS_OK,
                     "%s", error.text);
        cr_expect_eq(m.phases[0].population, -1);
        cr_expect(m.phases[0].population_count == 1 && m.phases[0].populations[0] == (uint32_t)yard);
        cr_expect_eq(m.spaces[yard].ghost[0], 0, "it reads no places around");
        mass_model_free(&m);
    }
}

Test(sight, what_places_cannot_see_is_refused)
{
    static const struct { uint32_t access; const char *seen[2], *sentence; } bad[] = {
        {MASS_NEARBY, {"cats"}, "callback look runs over space 'field' and sees population 'cats', which is on space "
                                "'yard': give its phase .space = \"yard\""},
        {MASS_NEARBY, {"owls"}, "callback look sees population 'owls', which is not declared before it"},
        {MASS_NEARBY, {"ants", "ants"}, "callback look lists population 'ants' twice"},
        {MASS_NEARBY, {NULL}, "field f: it is of population 0 of those that the callback sees, which are 0"},
        {MASS_NEARBY_ADD, {"ants"}, "field f: it has access 18, which this kind of callback does not"},
        {MASS_RESIDENT, {"ants"}, "field f: it has access 10, which this kind of callback does not"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_model m = {0};
        mass_error error = {0};
        cr_expect_eq(declare_places(&m, bad[i].access, "field", bad[i].seen,
                                    (bad[i].seen[0] != NULL) + (bad[i].seen[1] != NULL), &error),
                     MASS_BAD_PLUGIN, "%zu", i);
        cr_expect(strstr(error.text, bad[i].sentence), "%s", error.text);
        mass_model_free(&m);
    }
}

/* Returns the status of a phase in turn within a radius of 4. */
static mass_status declare_turn(mass_model *m, int32_t reach, mass_error *error)
{
    const mass_field fields[] = {FIELD_OF("f", int32_t, MASS_UPDATE, "age")};
    static const char *const ants[] = {"ants"};
    mass_callback c = callback("act", fields, 1, 4);
    c.over = MASS_OVER_TURNS;
    c.population_count = 1;
    c.populations = ants;
    add_space(m, "field", 2, 8);
    add_population(m, "ants", "field");
    return mass_model_add_agent_phase(
        m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "ants", .callback = &c, .reach = reach}, error);
}

Test(sight, a_phase_in_turn_has_the_radius_of_its_callback_or_less)
{
    for (int32_t reach = 0; reach <= 4; reach++) {
        mass_model m = {0};
        mass_error error = {0};
        cr_assert_eq(declare_turn(&m, reach, &error), MASS_OK, "%s", error.text);
        cr_expect_eq(m.phases[0].reach, reach ? reach : 4);
        mass_model_free(&m);
    }
    mass_model m = {0};
    mass_error error = {0};
    cr_expect_eq(declare_turn(&m, 5, &error), MASS_BAD_PLUGIN);
    cr_expect(strstr(error.text, "callback act acts in turn within a radius of 4, and its phase has a .reach of 5"),
              "%s", error.text);
    mass_model_free(&m);
}

/* Returns the status of a model with a phase that has an order: over ants in turn, or over places at once. */
static mass_status declare_order(mass_model *m, uint32_t over, const char *order, mass_error *error)
{
    const mass_field fields[] = {FIELD_OF("f", int32_t, MASS_UPDATE, over == MASS_OVER_TURNS ? "age" : "grass")};
    static const char *const ants[] = {"ants"};
    mass_callback c = callback("act", fields, 1, 1);
    c.over = over;
    c.population_count = over == MASS_OVER_TURNS;
    c.populations = ants;
    add_space(m, "field", 2, 8);
    add_attribute(m, "field", "grass", MASS_I32, 1, MASS_PLANES);
    add_population(m, "ants", "field");
    const mass_agent_phase phase = {.schedule = MASS_STEP, .population = over == MASS_OVER_TURNS ? "ants" : NULL,
                                    .callback = &c, .order = order};
    const mass_status status = mass_model_add_agent_phase(m, &phase, error);
    return status == MASS_OK ? mass_model_resolve(m, error) : status;
}

Test(sight, places_in_turn_are_of_no_population)
{
    mass_model m = {0};
    mass_error error = {0};
    mass_callback c = callback("act", NULL, 0, 1);
    c.over = MASS_OVER_TURNS;
    add_space(&m, "field", 2, 8);
    add_population(&m, "ants", "field");
    const mass_agent_phase phase = {.schedule = MASS_STEP, .population = "ants", .callback = &c};
    cr_expect_eq(mass_model_add_agent_phase(&m, &phase, &error), MASS_BAD_PLUGIN);
    cr_expect(strstr(error.text, "callback act is over places in turn, and its phase names population 'ants'"), "%s",
              error.text);
    mass_model_free(&m);
}

Test(sight, only_a_phase_in_turn_has_an_order)
{
    static const struct {
        uint32_t over;
        const char *order, *line;
    } all[] = {{MASS_OVER_TURNS, NULL, NULL}, {MASS_OVER_TURNS, "id", NULL}, {MASS_OVER_TURNS, "age", NULL},
               {MASS_OVER_TURNS, "place", "the .order of its phase is 'place', which population 'ants' does not have"},
               {MASS_OVER_TURNS, "size", "the .order of its phase is 'size', which population 'ants' does not have"},
               {MASS_OVER_PLACES, "grass", "callback act does not act in turn, and its phase has .order"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        mass_model m = {0};
        mass_error error = {0};
        const mass_status status = declare_order(&m, all[i].over, all[i].order, &error);
        cr_expect_eq(status, all[i].line ? MASS_BAD_PLUGIN : MASS_OK, "%zu: %s", i, error.text);
        if (all[i].line) cr_expect(strstr(error.text, all[i].line), "%s", error.text);
        mass_model_free(&m);
    }
}

/* Returns the status of a phase over ants with two fields of one attribute. */
static mass_status declare_both(mass_model *m, uint32_t one, uint32_t other, int32_t reach, mass_error *error)
{
    const mass_field fields[] = {FIELD_OF("f", int32_t, one, "age"), FIELD_OF("g", int32_t, other, "age")};
    mass_callback c = callback("meet", fields, 2, 0);
    c.over = MASS_OVER_AGENTS;
    add_space(m, "field", 2, 8);
    add_population(m, "ants", "field");
    const mass_status status = mass_model_add_agent_phase(
        m, &(mass_agent_phase){.schedule = MASS_STEP, .population = "ants", .callback = &c, .reach = reach}, error);
    return status == MASS_OK ? mass_model_resolve(m, error) : status;
}

/* Returns which memory of its own a field needs besides another of the attribute: 'b': before, 'a': added. */
static const char *apart(uint32_t one, uint32_t other)
{
    mass_model m = {0};
    mass_error error = {0};
    cr_expect_eq(declare_both(&m, one, other, 0, &error), MASS_OK, "%s", error.text);
    const mass_array_def *a = &m.arrays[m.phases[0].targets[0].index];
    const char *const is = a->before ? (a->added ? "ba" : "b") : a->added ? "a" : "";
    mass_model_free(&m);
    return is;
}

Test(sight, attributes_of_anybody_are_kept_apart_if_other_fields_have_them)
{
    cr_expect_str_eq(apart(MASS_UPDATE, MASS_ANYBODY_ADD), "a");
    cr_expect_str_eq(apart(MASS_ANYBODY_ADD, MASS_WRITE), "a");
    cr_expect_str_eq(apart(MASS_READ, MASS_ANYBODY_ADD), "a");
    cr_expect_str_eq(apart(MASS_ANYBODY, MASS_ANYBODY_ADD), "a");
    cr_expect_str_eq(apart(MASS_ANYBODY, MASS_UPDATE), "b");
    cr_expect_str_eq(apart(MASS_ANYBODY, MASS_READ), "");
    cr_expect_str_eq(apart(MASS_ANYBODY_ADD, MASS_ANYBODY_ADD), "");
}

Test(sight, one_attribute_is_in_adds_or_in_adds_anybody)
{
    mass_model m = {0};
    mass_error error = {0};
    cr_expect_neq(declare_both(&m, MASS_NEARBY_ADD, MASS_ANYBODY_ADD, 1, &error), MASS_OK);
    cr_expect(strstr(error.text, "fields f and g are one attribute: have it in ADDS or in ADDS_ANYBODY"), "%s",
              error.text);
    mass_model_free(&m);
}
