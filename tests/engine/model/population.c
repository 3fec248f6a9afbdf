/* SPDX-License-Identifier: Apache-2.0 */
/* How populations are drawn: what is kept of it, and what is refused. */
#include "model/model.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t colours[MASS_DRAWN_COLOURS + 1] = {0x102030, 0xffffff, 0};

/* A line with a population of two attributes, drawn so. */
static mass_model *declare(const mass_drawn *drawn, mass_error *error)
{
    mass_model *m = calloc(1, sizeof *m);
    const mass_space line = {.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
    mass_status status = mass_model_add_space(m, &line, NULL, 0, error);
    if (status == MASS_OK)
        status = mass_model_add_population(m, &(mass_population){.name = "ants", .count = 1, .drawn = drawn}, error);
    const mass_attribute attributes[] = {{.population = "ants", .name = "kind", .type = MASS_U8},
                                         {.population = "ants", .name = "weight", .type = MASS_F32},
                                         {.population = "ants", .name = "gene", .type = MASS_U8, .length = 2},
                                         {.population = "ants", .name = "turn", .type = MASS_F32, .unit = "deg"},
                                         {.population = "ants", .name = "twist", .type = MASS_F64, .unit = "Rad"}};
    for (size_t i = 0; status == MASS_OK && i < sizeof attributes / sizeof *attributes; i++)
        status = mass_model_add_attribute(m, &attributes[i], error);
    if (status == MASS_OK) mass_model_resolve(m, error);
    return m;
}

static void discard(mass_model *m)
{
    mass_model_free(m);
    free(m);
}

Test(population, is_drawn_as_declared)
{
    mass_error error = {0};
    mass_model *m = declare(&(mass_drawn){"kind", 2, colours, NULL}, &error);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    cr_expect_eq(m->populations[0].colours, 2);
    cr_expect_arr_eq(m->populations[0].palette, colours, 2 * sizeof *colours);
    cr_expect_str_eq(m->attributes[m->populations[0].drawn].name, "kind");
    discard(m);
}

Test(population, is_drawn_in_one_colour_or_not_at_all)
{
    mass_error error = {0};
    mass_model *one = declare(&(mass_drawn){NULL, 1, colours, NULL}, &error), *none = declare(NULL, &error);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    cr_expect(one->populations[0].colours == 1 && one->populations[0].drawn == -1);
    cr_expect(none->populations[0].colours == 0 && none->populations[0].drawn == -1);
    discard(one);
    discard(none);
}

/* Returns the name of a population's heading, if its drawing names one. */
static const char *heading_of(const char *declared)
{
    static char name[MASS_NAME_SIZE];
    mass_error error = {0};
    mass_model *m = declare(&(mass_drawn){NULL, 1, colours, declared}, &error);
    cr_assert_eq(error.status, MASS_OK, "%s", error.text);
    snprintf(name, sizeof name, "%s", m->attributes[m->populations[0].heading].name);
    discard(m);
    return name;
}

Test(population, has_the_declared_heading_or_its_first_angle)
{
    cr_expect_str_eq(heading_of(NULL), "turn");
    cr_expect_str_eq(heading_of("twist"), "twist");
    cr_expect_str_eq(heading_of("gene"), "gene");
}

Test(population, bad_drawings_are_refused)
{
    static const uint32_t alpha[] = {0xff000000};
    static const char limits[] = "not 1 to 64, and at most 128 with all other populations";
    static const char integer[] = "which chooses the colour that an agent is drawn in, is not an integer attribute "
                                  "of it";
    static const char heading[] = "is not an attribute of it that is a direction: two numbers or more, or an angle "
                                  "with the unit \"rad\" or \"deg\"";
    static const struct { mass_drawn drawn; const char *said; } bad[] = {
        {{NULL, 0, colours, NULL}, limits},
        {{NULL, MASS_DRAWN_COLOURS + 1, colours, NULL}, limits},
        {{NULL, 1, NULL, NULL}, limits},
        {{NULL, 1, alpha, NULL}, "is drawn in colour 0xff000000, which is not 0xRRGGBB"},
        {{"colour", 2, colours, NULL}, integer},
        {{"weight", 2, colours, NULL}, integer},
        {{"gene", 2, colours, NULL}, integer},
        {{NULL, 1, colours, "weight"}, heading},
        {{NULL, 1, colours, "wing"}, heading},
        {{NULL, 1, colours, "place"}, heading}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_error error = {0};
        discard(declare(&bad[i].drawn, &error));
        cr_expect_eq(error.status, MASS_BAD_PLUGIN, "case %zu", i);
        cr_expect_not_null(strstr(error.text, bad[i].said), "case %zu: %s", i, error.text);
    }
}

/* The message names the wrong member. */
Test(population, members_that_cannot_be_are_said)
{
    static const struct { mass_population p; const char *text; } bad[] = {
        {{.name = "ants", .count = 1, .table = "file"},
         "population 'ants': its .table 'file' is not a text parameter declared before it"},
        {{.name = "ants", .count = 1, .initial = MASS_FROM_TABLE},
         "population 'ants': its .table '' is not a text parameter declared before it"},
        {{.name = "ants", .count = 1, .born = "lambs"},
         "population 'ants': its .born 'lambs' is not a tally declared before it as an integer sum"},
        {{.name = "ants", .count = 1, .alive = "living"},
         "population 'ants': its .alive 'living' is not a tally declared before it as an integer sum"},
        {{.name = "ants", .conflict = 3}, "population 'ants': its .conflict is 3: give it MASS_LOWEST_ID, "
         "MASS_HIGHEST_PRIORITY or MASS_LOTTERY"},
        {{.name = "ants", .initial = 5}, "population 'ants': its .initial is 5: give it MASS_RANDOM_PLACES or another "
         "rule that mass/agents.h lists"},
        {{.name = "ants", .children = 256}, "population 'ants' has 256 .children, and an agent may ask for at most "
         "255 at once"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_error error = {0};
        mass_model *m = calloc(1, sizeof *m);
        const mass_space line = {.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
        cr_assert(mass_model_add_space(m, &line, NULL, 0, &error) == MASS_OK);
        cr_expect(mass_model_add_population(m, &bad[i].p, &error) == MASS_BAD_PLUGIN);
        cr_expect_str_eq(error.text, bad[i].text);
        mass_model_free(m);
        free(m);
    }
}

Test(population, all_together_have_a_limit)
{
    mass_error error = {0};
    mass_model *m = declare(&(mass_drawn){NULL, MASS_DRAWN_COLOURS, colours, NULL}, &error);
    const mass_drawn most = {NULL, MASS_DRAWN_COLOURS, colours, NULL}, one = {NULL, 1, colours, NULL};
    cr_assert_eq(mass_model_add_population(m, &(mass_population){.name = "bees", .drawn = &most}, &error), MASS_OK);
    cr_assert_eq(mass_model_add_population(m, &(mass_population){.name = "cats", .drawn = &one}, &error),
                 MASS_BAD_PLUGIN);
    discard(m);
}

/* A population brings a tally and attributes of its own; one of them may be in the way. */
Test(population, one_that_is_refused_leaves_the_model_as_it_was)
{
    mass_error error = {0};
    mass_model *m = calloc(1, sizeof *m);
    const mass_space line = {.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
    cr_assert_eq(mass_model_add_space(m, &line, NULL, 0, &error), MASS_OK);
    cr_assert_eq(mass_model_add_tally(m, &(mass_tally){.name = "ants_next_id", .access = MASS_SUM}, &error), MASS_OK);
    const uint64_t words = m->tally_words;
    const mass_population ants = {.name = "ants", .count = 1, .help = "in the way"};
    cr_expect_eq(mass_model_add_population(m, &ants, &error), MASS_BAD_PLUGIN);
    cr_expect_str_eq(error.text, "tally 'ants_next_id' is declared twice");
    cr_expect(m->population_count == 0 && m->tally_count == 1 && m->tally_words == words && m->attribute_count == 0);
    error = (mass_error){0};
    const mass_population bees = {.name = "bees", .count = 1};
    cr_expect_eq(mass_model_add_population(m, &bees, &error), MASS_OK, "%s", error.text);
    cr_expect(m->population_count == 1 && m->attributes[MASS_AGENT_ID].population == 0);
    discard(m);
}

Test(population, sprouts_without_a_manage_are_refused)
{
    static const struct { uint32_t sprouts, constant; bool managed; const char *words; } all[] = {
        {256, 0, true, "has more than 255 .sprouts"}, {2, 1, true, "is declared constant, and with .sprouts"},
        {2, 0, false, "has .sprouts, and no manage adds them: declare one, MANAGES(ants)"}, {2, 0, true, ""}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mass_error error = {0};
        mass_model *m = calloc(1, sizeof *m);
        const mass_space line = {.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
        const mass_population ants = {.name = "ants", .sprouts = all[i].sprouts, .constant = all[i].constant};
        mass_status status = mass_model_add_space(m, &line, NULL, 0, &error);
        if (status == MASS_OK) status = mass_model_add_population(m, &ants, &error);
        if (status == MASS_OK && all[i].managed)
            status = mass_model_add_manage(m, &(mass_manage){.schedule = MASS_STEP, .population = "ants"}, &error);
        if (status == MASS_OK) status = mass_model_resolve(m, &error);
        cr_expect_eq(status, all[i].words[0] ? MASS_BAD_PLUGIN : MASS_OK, "case %zu", i);
        cr_expect(strstr(error.text, all[i].words), "%s", error.text);
        discard(m);
    }
}
