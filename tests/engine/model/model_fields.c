/* SPDX-License-Identifier: Apache-2.0 */
/* What the names in the fields of a callback become, and the sentence that every other gets. */
#include "../expect.h"
#include "model_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Resolves a world with one phase over the grid. */
static mass_status resolve_with(const mass_callback *c, const char *space, mass_error *error)
{
    mass_model *m = world();
    mass_status status = add_phase(m, c, space, MASS_STEP, error);
    if (status == MASS_OK) status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

static mass_status resolve_field(mass_field f, mass_error *error)
{
    const mass_callback c = callback("act", &f, 1, 0);
    return resolve_with(&c, "grid", error);
}

/* The sentence goes on after the name of the field f. */
static void expect_bad(mass_field f, const char *sentence)
{
    char text[256];
    snprintf(text, sizeof text, "callback act, field f: %s", sentence);
    EXPECT_REFUSAL(resolve_field(f, e), MASS_BAD_PLUGIN, text);
}

Test(model, bad_fields_are_refused)
{
    typedef struct rgb { uint8_t v[3]; } rgb;
    static const mass_field nameless[] = {{NULL, "health", MASS_READ, MASS_U8, 1, 0},
                                          {"a b", "health", MASS_READ, MASS_U8, 1, 0},
                                          {"f", NULL, MASS_READ, MASS_U8, 1, 0}};
    static const char *const unknown[] = {"wealth", "health[", "health[0", "health[0]x", "health[one]", "health[00000]",
                                          "", "a234567890123456789012345678901234567890123456789012345678901234"};
    static const char of_three[] = "attribute 'colour' is interleaved, so that the field's type is a struct of its 3 "
                                   "components";
    static const char births[] = "tally 'births' takes integers, and is added to as SUM: write SUMS(births) of int64_t";
    static const char flow[] = "its type has to be that of attribute 'flow', f32 of 4 bytes";
    static const struct { mass_field f; const char *sentence; } bad[] = {
        {{"f", "health", 0, MASS_U8, 1, 0},
         "it has no access: give it .access = MASS_READ, or another that mass/callback.h lists"},
        {{"f", "health", 8, MASS_U8, 1, 0},
         "it has access 8, which this kind of callback does not: mass/callback.h lists them"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[1]"), "attribute 'health' has components [0] to [0]"},
        {FIELD_OF("f", float, MASS_READ, "flow"), "attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", float, MASS_READ, "flow[3]"), "attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", float, MASS_READ, "flow[-1]"), "attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", int8_t, MASS_READ, "health"), "its type has to be that of attribute 'health', u8 of 1 bytes"},
        {FIELD_OF("f", uint32_t, MASS_UPDATE, "flow[0]"), flow},
        {FIELD_OF("f", double, MASS_WRITE, "flow[0]"), flow},
        {FIELD_OF("f", uint8_t, MASS_READ, "colour"), of_three},
        {FIELD_OF("f", rgb, MASS_READ, "colour[0]"), of_three},
        {FIELD_OF("f", int64_t, MASS_PARAM, "health"), "there is no parameter 'health'"},
        {FIELD_OF("f", int64_t, MASS_PARAM, "file"), "parameter 'file' is a text, which kernels cannot read"},
        {FIELD_OF("f", double, MASS_PARAM, "count"),
         "parameter 'count' is an integer: the field's type has to be int64_t"},
        {FIELD_OF("f", int32_t, MASS_PARAM, "two"),
         "parameter 'two' is an integer: the field's type has to be int64_t"},
        {FIELD_OF("f", float, MASS_PARAM, "rate"), "parameter 'rate' is real: the field's type has to be double"},
        {FIELD_OF("f", int64_t, MASS_SUM, "deaths"), "there is no tally 'deaths'"},
        {FIELD_OF("f", int64_t, MASS_MIN, "births"), births},
        {FIELD_OF("f", int32_t, MASS_SUM, "births"), births},
        {FIELD_OF("f", int64_t, MASS_MAX, "peak"),
         "tally 'peak' takes reals, and is added to as MAX: write MAXES(peak) of double"},
        {FIELD_OF("f", int64_t, MASS_TOTAL, "deaths"), "there is no tally 'deaths'"},
        {FIELD_OF("f", double, MASS_TOTAL, "births"),
         "the value of tally 'births' is an integer: the field's type has to be int64_t"},
        {FIELD_OF("f", int64_t, MASS_TOTAL, "peak"),
         "the value of tally 'peak' is real: the field's type has to be double"}};
    for (size_t i = 0; i < COUNT(nameless); i++)
        EXPECT_REFUSAL(resolve_field(nameless[i], e), MASS_BAD_PLUGIN, "callback act: field 0 has no name or target");
    for (size_t i = 0; i < COUNT(unknown); i++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "space 'grid' has no attribute '%s'", unknown[i]);
        expect_bad((mass_field)FIELD_OF("f", uint8_t, MASS_READ, unknown[i]), sentence);
    }
    for (size_t i = 0; i < COUNT(bad); i++) expect_bad(bad[i].f, bad[i].sentence);
    EXPECT_OK(resolve_field((mass_field)FIELD_OF("f", rgb, MASS_READ, "colour"), e));
    EXPECT_OK(resolve_field((mass_field)FIELD_OF("f", uint8_t, MASS_READ, "health[0]"), e));
}

Test(model, callbacks_without_fields_or_forms_are_refused)
{
    static const char text[] = "callback act has no fields or no forms";
    for (int i = 0; i < 5; i++) {
        mass_callback c = callback("act", touch_health, 1, 0);
        if (i == 0) c.field_count = 0;
        if (i == 1) c.field_count = 257;
        if (i == 2) c.fields = NULL;
        if (i == 3) c.form_count = 0;
        if (i == 4) c.forms = NULL;
        EXPECT_REFUSAL(resolve_with(&c, "grid", e), MASS_BAD_PLUGIN, text);
    }
}

Test(model, an_attribute_of_another_space_is_unknown)
{
    static const mass_field fields[] = {FIELD_OF("f", float, MASS_READ, "flow[0]")};
    const mass_callback c = callback("act", fields, 1, 0);
    EXPECT_REFUSAL(resolve_with(&c, "line", e), MASS_BAD_PLUGIN,
                   "callback act, field f: space 'line' has no attribute 'flow[0]'");
}

Test(model, fields_point_at_what_their_targets_name)
{
    static const mass_field fields[] = {
        FIELD_OF("a", float, MASS_READ, "flow[2]"), FIELD_OF("b", uint8_t, MASS_UPDATE, "health"),
        FIELD_OF("c", double, MASS_PARAM, "rate"), FIELD_OF("d", int64_t, MASS_PARAM, "two"),
        FIELD_OF("e", double, MASS_MAX, "peak"), FIELD_OF("f", int64_t, MASS_SUM, "births"),
        FIELD_OF("g", float, MASS_WRITE, "flow[0]")};
    static const mass_target expected[] = {{MASS_READ, 3}, {MASS_UPDATE, 0}, {MASS_PARAM, 1}, {MASS_PARAM, 3},
                                           {MASS_MAX, 1}, {MASS_SUM, 0}, {MASS_WRITE, 1}};
    static const mass_field on_line[] = {FIELD_OF("a", uint16_t, MASS_WRITE, "health"),
                                         FIELD_OF("t", int64_t, MASS_SUM, "total")};
    mass_model *m = world();
    const mass_callback c = callback("act", fields, COUNT(fields), 0), d = callback("line", on_line, 2, 0);
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    EXPECT_OK(add_phase(m, &d, "line", MASS_START, e));
    EXPECT_OK(mass_model_resolve(m, e));
    for (uint32_t i = 0; i < COUNT(fields); i++) {
        cr_assert_eq(m->phases[0].targets[i].access, expected[i].access);
        cr_assert_eq(m->phases[0].targets[i].index, expected[i].index, "field %s", fields[i].name);
    }
    cr_assert_eq(m->phases[1].targets[0].index, 5);
    cr_assert_eq(m->phases[1].targets[1].index, 2);
    cr_assert(m->phases[0].schedule == MASS_STEP && m->phases[1].schedule == MASS_START);
    cr_assert(m->phases[0].space == 0 && m->phases[1].space == 1);
    cr_assert(m->phases[0].tallies && !m->phases[0].cumulative);
    cr_assert(m->phases[1].tallies && m->phases[1].cumulative);
    discard(m);
}

/* Resolves a model with a callback that reads a tally. Another one counts it in the schedule given; -1: none does. */
static mass_status read_tally(const mass_tally *more, int counted_in, mass_error *error)
{
    static const mass_field reads[] = {FIELD_OF("f", int64_t, MASS_TOTAL, "read")};
    static const mass_field counts[] = {FIELD_OF("g", int64_t, MASS_SUM, "read")};
    const mass_callback c = callback("act", reads, 1, 0), d = callback("count", counts, 1, 0);
    mass_model *m = world();
    mass_status status = mass_model_add_tally(m, more, error);
    if (status == MASS_OK) status = add_phase(m, &c, "grid", MASS_STEP, error);
    if (status == MASS_OK && counted_in >= 0) status = add_phase(m, &d, "grid", (uint32_t)counted_in, error);
    if (status == MASS_OK) status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

Test(model, tallies_that_bodies_read_are_counted_and_have_a_value_before)
{
    const mass_tally plain = {.name = "read", .access = MASS_SUM}, cumulative = {.name = "read", .access = MASS_SUM,
                      .cumulative = 1}, bins = {.name = "read", .access = MASS_SUM, .bins = 4},
                     set = {.name = "read", .access = MASS_SUM, .initial = 3}, zero = {.name = "read",
                      .access = MASS_SUM, .has_initial = 1};
    static const char none[] = "callback act reads tally 'read' in TOTALS, and no phase counts it: add it to SUMS of a "
                               "callback";
    static const char unset[] = "callback act reads tally 'read', which no phase of the start counts: give it "
                                ".initial, the value before it is first counted";
    EXPECT_REFUSAL(read_tally(&plain, -1, e), MASS_BAD_PLUGIN, none);
    EXPECT_REFUSAL(read_tally(&set, -1, e), MASS_BAD_PLUGIN, none);
    EXPECT_REFUSAL(read_tally(&plain, MASS_STEP, e), MASS_BAD_PLUGIN, unset);
    EXPECT_REFUSAL(read_tally(&cumulative, MASS_STEP, e), MASS_BAD_PLUGIN, unset);
    EXPECT_REFUSAL(read_tally(&bins, -1, e), MASS_BAD_PLUGIN,
                   "callback act, field f: tally 'read' counts by bins, and TOTALS reads tallies of one value");
    EXPECT_OK(read_tally(&plain, MASS_START, e));
    EXPECT_OK(read_tally(&set, MASS_STEP, e));
    EXPECT_OK(read_tally(&zero, MASS_STEP, e));
}

Test(model, bits_have_no_addresses_and_agents_have_no_bits)
{
    static const mass_field fields[] = {FIELD_OF("f", bool, MASS_ITEMS, "alive")};
    static const mass_attribute alive = {.space = "grid", .name = "alive", .type = MASS_BIT};
    static const mass_attribute of_agents = {.population = "ants", .name = "awake", .type = MASS_BIT};
    mass_model *m = world();
    const mass_callback c = callback("act", fields, 1, 0);
    EXPECT_OK(mass_model_add_attribute(m, &alive, e));
    EXPECT_OK(mass_model_add_population(m, &(mass_population){.name = "ants", .space = "grid"}, e));
    EXPECT_REFUSAL(mass_model_add_attribute(m, &of_agents, e), MASS_BAD_PLUGIN,
                   "attribute 'awake' is of bits, which agents do not have: use uint8_t");
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, "callback act, field f: attribute 'alive' is of bits, "
                   "which have no addresses that ITEMS could give: make it uint8_t");
    discard(m);
}

/* ---- world attributes ---- */

/* Resolves a model with world attributes `price`, a double, and `memory`, five integers, and a callback over `over`. */
static mass_status resolve_kept(const mass_field *fields, uint32_t count, uint32_t over, mass_error *error)
{
    static const mass_tally price = {.name = "price", .access = MASS_OF_WORLD, .kind = MASS_TALLY_REAL},
                            memory = {.name = "memory", .access = MASS_OF_WORLD, .length = 5};
    mass_callback c = callback("act", fields, count, 0);
    mass_model *m = world();
    c.over = over;
    mass_status status = mass_model_add_tally(m, &price, error);
    if (status == MASS_OK) status = mass_model_add_tally(m, &memory, error);
    if (status == MASS_OK) status = add_phase(m, &c, "grid", MASS_STEP, error);
    if (status == MASS_OK) status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

typedef struct five {
    int64_t values[5];
} five;

Test(model, world_attributes_are_written_once_a_world_and_read_by_all)
{
    static const mass_field reads[] = {FIELD_OF("p", double, MASS_WORLD, "price"),
                                       FIELD_OF("m", five, MASS_WORLD, "memory"),
                                       FIELD_OF("h", uint8_t, MASS_UPDATE, "health")};
    static const mass_field writes[] = {FIELD_OF("p", double, MASS_UPDATE, "price"),
                                        FIELD_OF("m", five, MASS_WRITE, "memory"),
                                        FIELD_OF("c", int64_t, MASS_PARAM, "count")};
    static const mass_field one[] = {FIELD_OF("p", double, MASS_UPDATE, "price"),
                                     FIELD_OF("q", double, MASS_WORLD, "price")};
    static const struct { mass_field f; uint32_t over; const char *sentence; } bad[] = {
        {FIELD_OF("p", double, MASS_WORLD, "births"), MASS_OVER_PLACES,
         "there is no world attribute 'births': MASS_WORLD_ATTRIBUTE declares one"},
        {FIELD_OF("p", double, MASS_UPDATE, "cost"), MASS_OVER_WORLDS, "there is no world attribute 'cost'"},
        {FIELD_OF("p", int64_t, MASS_WORLD, "price"), MASS_OVER_PLACES,
         "world attribute 'price' has 1 value of double, and the field's type has 8 bytes of another type"},
        {FIELD_OF("m", int64_t, MASS_WORLD, "memory"), MASS_OVER_PLACES,
         "world attribute 'memory' has 5 values of int64_t"},
        {FIELD_OF("p", double, MASS_SUM, "price"), MASS_OVER_PLACES,
         "'price' is a world attribute, to which nothing is added: a MASS_ONCE writes it by UPDATES"},
        {FIELD_OF("p", double, MASS_TOTAL, "price"), MASS_OVER_PLACES, "WORLD(price) reads it, and not TOTALS"},
        {FIELD_OF("p", int64_t, MASS_SUM, "births"), MASS_OVER_WORLDS,
         "it has access 5, which this kind of callback does"}};
    EXPECT_OK(resolve_kept(reads, 3, MASS_OVER_PLACES, e));
    EXPECT_OK(resolve_kept(writes, 3, MASS_OVER_WORLDS, e));
    EXPECT_REFUSAL(resolve_kept(reads, 2, MASS_OVER_WORLDS, e), MASS_BAD_PLUGIN,
                   "callback act runs once a world and writes no world attribute: add one to its UPDATES");
    EXPECT_REFUSAL(resolve_kept(one, 2, MASS_OVER_WORLDS, e), MASS_BAD_PLUGIN,
                   "callback act: fields p and q are one world attribute: have 'price' in UPDATES once, which reads it "
                   "too");
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_error error = {0};
        cr_expect_eq(resolve_kept(&bad[i].f, 1, bad[i].over, &error), MASS_BAD_PLUGIN);
        cr_expect(strstr(error.text, bad[i].sentence), "%s", error.text);
    }
}

Test(model, bad_world_attributes_are_refused)
{
    static const struct { mass_tally t; const char *sentence; } bad[] = {
        {{.name = "w", .access = MASS_OF_WORLD, .length = 1025}, "world attribute 'w' has 1 to 1024 values of int64_t"},
        {{.name = "w", .access = MASS_OF_WORLD, .bins = 3}, "and of the members of mass_tally only .initial, .help"},
        {{.name = "w", .access = MASS_OF_WORLD, .kind = MASS_TALLY_FIXED}, "world attribute 'w' has 1 to 1024 values"},
        {{.name = "w", .access = MASS_OF_WORLD, .initial = 0.5},
         "world attribute 'w' is of integers and begins with 0.5"},
        {{.name = "w", .access = MASS_OF_WORLD, .kind = MASS_TALLY_REAL, .initial = NAN}, "give it a finite .initial"},
        {{.name = "w", .access = MASS_SUM, .length = 3}, "tally 'w' has a .length, which world attributes have"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_error error = {0};
        mass_model *m = world();
        cr_expect_eq(mass_model_add_tally(m, &bad[i].t, &error), MASS_BAD_PLUGIN);
        cr_expect(strstr(error.text, bad[i].sentence), "%s", error.text);
        discard(m);
    }
}
