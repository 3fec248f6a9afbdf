/* Declarations: what a plugin may declare, the sentence that every other gets, and what its names
 * become. */
#include "core/model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT_REFUSAL(CALL, STATUS, TEXT)                                                         \
    do {                                                                                           \
        mass_error error_ = {0}, *e = &error_;                                                     \
        cr_assert_eq((CALL), (STATUS), "not refused as '%s' but %d '%s'", (TEXT), error_.status,   \
                     error_.text);                                                                 \
        cr_assert_eq(error_.status, (STATUS));                                                     \
        cr_assert_str_eq(error_.text, (TEXT));                                                     \
    } while (0)

#define EXPECT_OK(CALL)                                                                            \
    do {                                                                                           \
        mass_error error_ = {0}, *e = &error_;                                                     \
        cr_assert_eq((CALL), MASS_OK, "%s", error_.text);                                          \
        cr_assert_str_empty(error_.text);                                                          \
    } while (0)

#define COUNT(ARRAY) ((uint32_t)(sizeof(ARRAY) / sizeof *(ARRAY)))

/* ---- a model to add to, and callbacks that were not made by macros ---- */

static void add_space(mass_model *m, const char *name, uint32_t dimensions, mass_gidx extent)
{
    mass_space s = {.name = name, .dimensions_min = dimensions, .dimensions_max = dimensions};
    for (uint32_t a = 0; a < dimensions; a++) s.size[a] = extent;
    EXPECT_OK(mass_model_add_space(m, &s, NULL, 0, e));
}

static void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type, uint32_t length,
                          uint32_t layout)
{
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = space, .name = name, .type = type,
                                               .length = length, .layout = layout}, e));
}

/* grid (2-D): health u8, flow f32 x 3 in planes, colour u8 x 3 interleaved; line (1-D): health u16.
 * Parameters count, rate, file; constant two; tallies births (sum), peak (real maximum), total
 * (cumulative sum). */
static mass_model *world(void)
{
    mass_model *m = calloc(1, sizeof *m);
    add_space(m, "grid", 2, 16);
    add_space(m, "line", 1, 8);
    add_attribute(m, "grid", "health", MASS_U8, 0, MASS_PLANES);
    add_attribute(m, "line", "health", MASS_U16, 1, MASS_PLANES);
    add_attribute(m, "grid", "flow", MASS_F32, 3, MASS_PLANES);
    add_attribute(m, "grid", "colour", MASS_U8, 3, MASS_INTERLEAVED);
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "count", .type = MASS_INTEGER}, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "rate", .type = MASS_REAL}, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &(mass_parameter){.name = "file", .type = MASS_TEXT}, e));
    EXPECT_OK(mass_parameters_add_constant(&m->parameters,
                                           &(mass_constant){.name = "two", .type = MASS_INTEGER, .integer = 2}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "births", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "peak", .access = MASS_MAX, .kind = MASS_TALLY_REAL}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "total", .access = MASS_SUM, .cumulative = 1}, e));
    return m;
}

static void discard(mass_model *m)
{
    mass_model_free(m);
    cr_assert(m->attributes == NULL && m->phases == NULL && m->space_count == 0);
    free(m);
}

static void idle_loop(const void *fields, const mass_launch *launch, const mass_range *range)
{
    (void)fields;
    (void)launch;
    (void)range;
}

static const mass_form forms[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, idle_loop, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, idle_loop, NULL, 1, 1, 1, 0}};

static mass_callback callback(const char *name, const mass_field *fields, uint32_t count, int32_t radius)
{
    return (mass_callback){.struct_size = sizeof(mass_callback), .over = MASS_OVER_PLACES, .name = name,
        .dimensions = 0, .radius = radius, .field_count = count, .field_size = sizeof(mass_field),
        .fields = fields, .form_count = COUNT(forms), .form_size = sizeof(mass_form), .forms = forms};
}

#define FIELD_OF(NAME, TYPE, ACCESS, TARGET) {NAME, TARGET, ACCESS, MASS_TYPE_OF(TYPE), sizeof(TYPE)}

static mass_status add_phase(mass_model *m, const mass_callback *c, const char *space, uint32_t schedule,
                             mass_error *error)
{
    return mass_model_add_phase(m, &(mass_phase){.schedule = schedule, .space = space, .callback = c}, error);
}

/* ---- spaces ---- */

static mass_status add_space_of(mass_space s, const mass_gidx *size, uint32_t dimensions, mass_error *error)
{
    mass_model *m = world();
    const uint32_t before = m->space_count;
    const mass_status status = mass_model_add_space(m, &s, size, dimensions, error);
    cr_assert_eq(m->space_count, before + (status == MASS_OK));
    discard(m);
    return status;
}

Test(model, a_space_has_the_extents_of_the_plugin_or_of_the_user)
{
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .size = {4, 5}, .torus = 7};
    mass_model *m = calloc(1, sizeof *m);
    EXPECT_OK(mass_model_add_space(m, &s, NULL, 0, e));
    cr_assert_eq(m->spaces[0].dimensions, 2);
    cr_assert(m->spaces[0].size[0] == 4 && m->spaces[0].size[1] == 5 && m->spaces[0].size[2] == 1);
    cr_assert_eq(m->spaces[0].torus, MASS_AXIS_X | MASS_AXIS_Y);
    discard(m);
    m = calloc(1, sizeof *m);
    EXPECT_OK(mass_model_add_space(m, &s, (const mass_gidx[3]){9, 1, 1}, 1, e));
    cr_assert_eq(m->spaces[0].dimensions, 1);
    cr_assert(m->spaces[0].size[0] == 9 && m->spaces[0].size[1] == 1 && m->spaces[0].size[2] == 1);
    cr_assert_eq(m->spaces[0].torus, MASS_AXIS_X);
    cr_assert_eq(mass_space_places(&m->spaces[0]), 9);
    discard(m);
}

Test(model, bad_spaces_are_the_plugins_to_mend)
{
    static const struct { mass_space s; const char *text; } bad[] = {
        {{.name = "a b", .dimensions_min = 1, .dimensions_max = 1, .size = {4}},
         "space 'a b' is not named by letters, digits and '_' (at most 63)"},
        {{.dimensions_min = 1, .dimensions_max = 1, .size = {4}},
         "space '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "grid", .dimensions_min = 1, .dimensions_max = 1, .size = {4}}, "space 'grid' is declared twice"},
        {{.name = "s", .dimensions_min = 0, .dimensions_max = 1, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 4, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 3, .dimensions_max = 2, .size = {4}},
         "space 's' has to have 1 to 3 dimensions"},
        {{.name = "s", .dimensions_min = 2, .dimensions_max = 2, .size = {4}}, "space s has 2 dimensions and not 1"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {4, 4}}, "space s has 1 dimension and not 2"},
        {{.name = "s", .dimensions_min = 2, .dimensions_max = 3, .size = {4}},
         "space s has 2 to 3 dimensions and not 1"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 1}, "space s: an extent of 0 is not at least 1"},
        {{.name = "s", .dimensions_min = 3, .dimensions_max = 3, .size = {4, -2, 1}},
         "space s: an extent of -2 is not at least 1"},
        {{.name = "s", .dimensions_min = 1, .dimensions_max = 1, .size = {INT32_MAX}},
         "space s: an extent of 2147483647 is beyond what can be addressed"}};
    for (size_t i = 0; i < COUNT(bad); i++)
        EXPECT_REFUSAL(add_space_of(bad[i].s, NULL, 0, e), MASS_BAD_PLUGIN, bad[i].text);
}

Test(model, bad_sizes_are_the_users_to_mend)
{
    static const struct { mass_gidx size[3]; uint32_t dimensions; const char *text; } bad[] = {
        {{5}, 1, "space s has 2 to 3 dimensions and not 1"},
        {{0, 5}, 2, "space s: an extent of 0 is not at least 1"},
        {{5, -1}, 2, "space s: an extent of -1 is not at least 1"},
        {{INT32_MAX - 4095, 1}, 2, "space s: an extent of 2147479552 is beyond what can be addressed"},
        {{INT64_MAX, 1}, 2, "space s: an extent of 9223372036854775807 is beyond what can be addressed"},
        {{1 << 26, 1 << 26}, 2, "space s: so many places are beyond what can be addressed"},
        {{1 << 30, 1 << 30, 1 << 30}, 3, "space s: so many places are beyond what can be addressed"}};
    const mass_space s = {.name = "s", .dimensions_min = 2, .dimensions_max = 3, .size = {4, 4}};
    for (size_t i = 0; i < COUNT(bad); i++)
        EXPECT_REFUSAL(add_space_of(s, bad[i].size, bad[i].dimensions, e), MASS_BAD_USAGE, bad[i].text);
    EXPECT_OK(add_space_of(s, (const mass_gidx[3]){INT32_MAX - 4096, 1, 1}, 2, e));
}

Test(model, there_are_at_most_16_spaces)
{
    mass_model *m = calloc(1, sizeof *m);
    char name[8];
    for (int i = 0; i < MASS_SPACES_MAX; i++) {
        snprintf(name, sizeof name, "s%d", i);
        add_space(m, name, 1, 4);
    }
    const mass_space s = {.name = "more", .dimensions_min = 1, .dimensions_max = 1, .size = {4}};
    EXPECT_REFUSAL(mass_model_add_space(m, &s, NULL, 0, e), MASS_BAD_PLUGIN, "more than 16 spaces are declared");
    discard(m);
}

/* ---- attributes ---- */

typedef struct cell {
    uint32_t id;
    uint16_t kind, more;
} cell;
static const mass_member cell_members[] = {{"id", MASS_U32, 0}, {"kind", MASS_U16, 4}, {"more", MASS_U16, 6}};

Test(model, an_attribute_is_copied_with_its_default)
{
    mass_model *m = world();
    const cell initial = {7, 8, 9};
    mass_member members[3];
    memcpy(members, cell_members, sizeof members);
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "line", .name = "cell", .type = MASS_STRUCT,
                                               .length = 2, .layout = MASS_INTERLEAVED, .initial = &initial,
                                               .element_size = sizeof(cell), .member_count = 3, .members = members,
                                               .unit = "1", .help = "what is there"}, e));
    memset(members, 0, sizeof members);
    const mass_attribute_def *a = &m->attributes[m->attribute_count - 1];
    cr_assert(a->space == 1 && a->length == 2 && a->layout == MASS_INTERLEAVED);
    cr_assert_eq(a->component_size, sizeof(cell));
    cr_assert_eq(mass_element_size(a), 2 * sizeof(cell));
    cr_assert_arr_eq(a->initial, &initial, sizeof initial);
    cr_assert_str_eq(a->members[1].name, "kind");
    cr_assert_eq(a->members[2].offset, 6);
    cr_assert_str_eq(a->help, "what is there");
    cr_assert_str_eq(a->unit, "1");
    discard(m);
}

Test(model, an_attribute_without_length_default_or_texts_has_plain_ones)
{
    mass_model *m = world();
    const mass_attribute_def *a = &m->attributes[0];
    cr_assert(a->length == 1 && a->layout == MASS_PLANES && a->component_size == 1 && a->initial[0] == 0);
    cr_assert_str_empty(a->help);
    cr_assert_str_empty(a->unit);
    add_attribute(m, "grid", "single", MASS_F64, 1, MASS_INTERLEAVED);
    cr_assert_eq(m->attributes[m->attribute_count - 1].layout, MASS_PLANES); /* one component is both */
    discard(m);
}

Test(model, names_belong_to_their_space)
{
    mass_model *m = world();
    cr_assert_eq(mass_model_find_space(m, NULL), 0);
    cr_assert_eq(mass_model_find_space(m, "line"), 1);
    cr_assert_eq(mass_model_find_space(m, "li"), -1);
    cr_assert_eq(mass_model_find_attribute(m, 0, "health"), 0);
    cr_assert_eq(mass_model_find_attribute(m, 1, "health"), 1);
    cr_assert_eq(mass_model_find_attribute(m, 1, "flow"), -1);
    cr_assert_eq(mass_model_find_tally(m, "peak"), 1);
    cr_assert_eq(mass_model_find_tally(m, "flow"), -1);
    const mass_model empty = {0};
    cr_assert_eq(mass_model_find_space(&empty, NULL), -1);
    discard(m);
}

Test(model, bad_attributes_are_refused)
{
    static const mass_member padded[] = {{"x", MASS_U32, 0}, {"y", MASS_F64, 8}}, nested[] = {{"x", MASS_STRUCT, 0}},
                             misnamed[] = {{"x y", MASS_U32, 0}};
    static const struct { mass_attribute a; const char *text; } bad[] = {
        {{.space = "grid", .name = "a-b", .type = MASS_U8},
         "attribute 'a-b' is not named by letters, digits and '_' (at most 63)"},
        {{.space = "plane", .name = "a", .type = MASS_U8},
         "attribute 'a' belongs to space 'plane', which is not declared before it"},
        {{.space = "grid", .name = "health", .type = MASS_U8}, "attribute 'health' of space 'grid' is declared twice"},
        {{.name = "flow", .type = MASS_U8}, "attribute 'flow' of space 'grid' is declared twice"},
        {{.space = "grid", .name = "a", .type = MASS_BIT},
         "attribute 'a' is of bits, which this ABI only reserves: use u8"},
        {{.space = "grid", .name = "a", .type = MASS_TYPE_NONE}, "attribute 'a' has unknown type 0"},
        {{.space = "grid", .name = "a", .type = 13}, "attribute 'a' has unknown type 13"},
        {{.space = "grid", .name = "a", .type = MASS_U8, .length = 1025},
         "attribute 'a' has 1025 components, more than 1024"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8},
         "attribute 'a' is a struct whose members are not declared"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .members = cell_members},
         "attribute 'a' is a struct whose members are not declared"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .member_count = 1025,
          .members = cell_members}, "attribute 'a' is a struct whose members are not declared"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .member_count = 2,
          .members = cell_members},
         "attribute 'a': its members have 6 bytes and its struct 8: fill the padding with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 7, .member_count = 3,
          .members = cell_members},
         "attribute 'a': its members have 8 bytes and its struct 7: fill the padding with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 16, .member_count = 2,
          .members = padded},
         "attribute 'a': member 'y' is no number, or there is padding before it: declare members in order and "
         "fill gaps with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 4, .member_count = 1,
          .members = nested},
         "attribute 'a': member 'x' is no number, or there is padding before it: declare members in order and "
         "fill gaps with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 4, .member_count = 1,
          .members = misnamed},
         "member 'x y' is not named by letters, digits and '_' (at most 63)"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_REFUSAL(mass_model_add_attribute(m, &bad[i].a, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(m->attribute_count, 4);
        discard(m);
    }
}

/* ---- tallies ---- */

Test(model, bad_tallies_are_refused)
{
    static const char unfit[] = "tally 't' has to be an integer, a fixed-point sum of at most 62 fraction bits, or "
                                "a real minimum or maximum";
    static const struct { mass_tally t; const char *text; } bad[] = {
        {{.name = "", .access = MASS_SUM}, "tally '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "births", .access = MASS_SUM}, "tally 'births' is declared twice"},
        {{.name = "t"}, "tally 't' has no access: give it .access = MASS_SUM, MASS_MIN or MASS_MAX"},
        {{.name = "t", .access = MASS_PARAM}, unfit},
        {{.name = "t", .access = MASS_MAX + 1}, unfit},
        {{.name = "t", .access = MASS_SUM, .kind = MASS_TALLY_REAL}, unfit},
        {{.name = "t", .access = MASS_SUM, .kind = 3}, unfit},
        {{.name = "t", .access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 63}, unfit}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_REFUSAL(mass_model_add_tally(m, &bad[i].t, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(m->tally_count, 3);
        discard(m);
    }
}

Test(model, a_tally_that_nobody_added_to_is_0)
{
    for (uint32_t access = MASS_SUM; access <= MASS_MAX; access++)
        for (uint32_t kind = MASS_TALLY_INTEGER; kind <= MASS_TALLY_REAL; kind++) {
            const mass_tally_def t = {.access = access, .kind = kind};
            cr_assert_eq(mass_tally_value(&t, &(int64_t){mass_tally_neutral(&t)}), 0.0);
        }
}

Test(model, tallies_are_reported_in_their_own_unit)
{
    const mass_tally_def integer = {.access = MASS_MIN, .kind = MASS_TALLY_INTEGER};
    const mass_tally_def fixed = {.access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 4};
    cr_assert_eq(mass_tally_value(&integer, &(int64_t){-12}), -12.0);
    cr_assert_eq(mass_tally_value(&fixed, &(int64_t){-40}), -2.5);
}

/* The order of IEEE 754 numbers as integers: the bits of positive ones, and those of the others
 * below them, turned round. */
static int64_t rank_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

Test(model, a_real_tally_is_the_number_of_its_rank)
{
    static const double values[] = {1.5, -1.5, 1e300, -1e300, 5e-324, -5e-324, 0};
    const mass_tally_def t = {.access = MASS_MAX, .kind = MASS_TALLY_REAL};
    for (size_t i = 0; i < COUNT(values); i++) cr_assert_eq(mass_tally_value(&t, &(int64_t){rank_of(values[i])}), values[i]);
}

/* ---- phases ---- */

static const mass_field touch_health[] = {FIELD_OF("h", uint8_t, MASS_UPDATE, "health")};

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
        if (i == 3) c.form_size += 8;
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

Test(model, there_are_at_most_256_phases)
{
    mass_model *m = world();
    const mass_callback c = callback("touch", touch_health, 1, 0);
    for (int i = 0; i < MASS_PHASES_MAX; i++) EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    EXPECT_REFUSAL(add_phase(m, &c, "grid", MASS_STEP, e), MASS_BAD_PLUGIN, "more than 256 phases are declared");
    EXPECT_OK(mass_model_resolve(m, e));
    discard(m);
}

/* ---- names resolved ---- */

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

Test(model, a_model_without_a_space_is_refused)
{
    mass_model *m = calloc(1, sizeof *m);
    EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN, "it declares no space");
    discard(m);
}

Test(model, bad_fields_are_refused)
{
    typedef struct rgb { uint8_t v[3]; } rgb;
    static const struct { mass_field f; const char *text; } bad[] = {
        {{NULL, "health", MASS_READ, MASS_U8, 1}, "callback act: field 0 has no name or target"},
        {{"a b", "health", MASS_READ, MASS_U8, 1}, "callback act: field 0 has no name or target"},
        {{"f", NULL, MASS_READ, MASS_U8, 1}, "callback act: field 0 has no name or target"},
        {{"f", "health", 0, MASS_U8, 1}, 
         "callback act, field f: it has no access: give it .access = MASS_READ, or another that mass/callback.h lists"},
        {{"f", "health", 8, MASS_U8, 1}, 
         "callback act, field f: it has access 8, which this kind of callback does not: mass/callback.h lists them"},
        {FIELD_OF("f", uint8_t, MASS_READ, "wealth"),
         "callback act, field f: space 'grid' has no attribute 'wealth'"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health["),
         "callback act, field f: space 'grid' has no attribute 'health['"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[0"),
         "callback act, field f: space 'grid' has no attribute 'health[0'"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[0]x"),
         "callback act, field f: space 'grid' has no attribute 'health[0]x'"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[one]"),
         "callback act, field f: space 'grid' has no attribute 'health[one]'"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[00000]"),
         "callback act, field f: space 'grid' has no attribute 'health[00000]'"},
        {FIELD_OF("f", uint8_t, MASS_READ, ""), "callback act, field f: space 'grid' has no attribute ''"},
        {FIELD_OF("f", uint8_t, MASS_READ,
                  "a234567890123456789012345678901234567890123456789012345678901234"),
         "callback act, field f: space 'grid' has no attribute "
         "'a234567890123456789012345678901234567890123456789012345678901234'"},
        {FIELD_OF("f", uint8_t, MASS_READ, "health[1]"),
         "callback act, field f: attribute 'health' has components [0] to [0]"},
        {FIELD_OF("f", float, MASS_READ, "flow"), "callback act, field f: attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", float, MASS_READ, "flow[3]"),
         "callback act, field f: attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", float, MASS_READ, "flow[-1]"),
         "callback act, field f: attribute 'flow' has components [0] to [2]"},
        {FIELD_OF("f", int8_t, MASS_READ, "health"),
         "callback act, field f: its type has to be that of attribute 'health', u8 of 1 bytes"},
        {FIELD_OF("f", uint32_t, MASS_UPDATE, "flow[0]"),
         "callback act, field f: its type has to be that of attribute 'flow', f32 of 4 bytes"},
        {FIELD_OF("f", double, MASS_WRITE, "flow[0]"),
         "callback act, field f: its type has to be that of attribute 'flow', f32 of 4 bytes"},
        {FIELD_OF("f", uint8_t, MASS_READ, "colour"),
         "callback act, field f: attribute 'colour' is interleaved, so that the field's type is a struct of its 3 "
         "components"},
        {FIELD_OF("f", rgb, MASS_READ, "colour[0]"),
         "callback act, field f: attribute 'colour' is interleaved, so that the field's type is a struct of its 3 "
         "components"},
        {FIELD_OF("f", int64_t, MASS_PARAM, "health"), "callback act, field f: there is no parameter 'health'"},
        {FIELD_OF("f", int64_t, MASS_PARAM, "file"),
         "callback act, field f: parameter 'file' is a text, which kernels cannot read"},
        {FIELD_OF("f", double, MASS_PARAM, "count"),
         "callback act, field f: parameter 'count' is an integer: the field's type has to be int64_t"},
        {FIELD_OF("f", int32_t, MASS_PARAM, "two"),
         "callback act, field f: parameter 'two' is an integer: the field's type has to be int64_t"},
        {FIELD_OF("f", float, MASS_PARAM, "rate"),
         "callback act, field f: parameter 'rate' is real: the field's type has to be double"},
        {FIELD_OF("f", int64_t, MASS_SUM, "deaths"), "callback act, field f: there is no tally 'deaths'"},
        {FIELD_OF("f", int64_t, MASS_MIN, "births"),
         "callback act, field f: tally 'births' is a SUM of integers: write FIELD(f, int64_t, SUM, births)"},
        {FIELD_OF("f", int32_t, MASS_SUM, "births"),
         "callback act, field f: tally 'births' is a SUM of integers: write FIELD(f, int64_t, SUM, births)"},
        {FIELD_OF("f", int64_t, MASS_MAX, "peak"),
         "callback act, field f: tally 'peak' is a MAX of reals: write FIELD(f, double, MAX, peak)"}};
    for (size_t i = 0; i < COUNT(bad); i++) EXPECT_REFUSAL(resolve_field(bad[i].f, e), MASS_BAD_PLUGIN, bad[i].text);
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

Test(model, arrays_lie_space_by_space_and_component_by_component)
{
    mass_model *m = world();
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert_eq(m->array_count, 6); /* grid: health, flow x 3, colour; line: health */
    static const struct { uint32_t attribute, component; size_t size; } expected[] = {
        {0, 0, 1}, {2, 0, 4}, {2, 1, 4}, {2, 2, 4}, {3, 0, 3}, {1, 0, 2}};
    for (uint32_t i = 0; i < 6; i++) {
        cr_assert_eq(m->arrays[i].attribute, expected[i].attribute);
        cr_assert_eq(m->arrays[i].component, expected[i].component);
        cr_assert_eq(m->arrays[i].element_size, expected[i].size);
        cr_assert_not(m->arrays[i].buffered);
    }
    cr_assert(m->spaces[0].first_array == 0 && m->spaces[0].array_count == 5);
    cr_assert(m->spaces[1].first_array == 5 && m->spaces[1].array_count == 1);
    cr_assert_eq(m->attributes[2].first_array, 1);
    cr_assert_eq(m->attributes[1].first_array, 5);
    discard(m);
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

/* Two fields on one array: allowed, and if so, whether old and new are kept apart. */
static void expect_pair(uint32_t first, uint32_t second, int32_t radius, bool allowed, bool buffered)
{
    const mass_field fields[] = {FIELD_OF("f", float, first, "flow[1]"), FIELD_OF("x", uint8_t, MASS_UPDATE, "health"),
                                 FIELD_OF("g", float, second, "flow[1]")};
    const mass_callback c = callback("act", fields, 3, radius);
    mass_model *m = world();
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    if (allowed) {
        EXPECT_OK(mass_model_resolve(m, e));
        for (uint32_t i = 0; i < m->array_count; i++)
            cr_assert_eq(m->arrays[i].buffered, buffered && i == 2, "array %u", i);
    } else {
        EXPECT_REFUSAL(mass_model_resolve(m, e), MASS_BAD_PLUGIN,
                       "callback act: fields f and g are one attribute: a map takes one UPDATE field, a stencil one "
                       "READ and one WRITE");
    }
    discard(m);
}

Test(model, a_stencil_may_read_and_write_one_array_and_no_other_pair_is_allowed)
{
    for (uint32_t first = MASS_READ; first <= MASS_UPDATE; first++)
        for (uint32_t second = MASS_READ; second <= MASS_UPDATE; second++)
            for (int32_t radius = 0; radius <= 1; radius++) {
                const bool reads = first == MASS_READ && second == MASS_READ;
                const bool swaps = radius > 0 && ((first == MASS_READ && second == MASS_WRITE) ||
                                                  (first == MASS_WRITE && second == MASS_READ));
                expect_pair(first, second, radius, reads || swaps, swaps);
            }
}

/* Two fields of attributes of places, of which one is added to. */
static mass_status resolve_scattered(mass_field first, mass_field second, mass_error *error)
{
    const mass_field fields[] = {first, second};
    const mass_callback c = callback("act", fields, 2, 1);
    mass_model *m = world();
    add_attribute(m, "grid", "pile", MASS_I64, 2, MASS_PLANES);
    add_attribute(m, "grid", "count", MASS_I16, 0, MASS_PLANES);
    EXPECT_OK(add_phase(m, &c, "grid", MASS_STEP, e));
    const mass_status status = mass_model_resolve(m, error);
    discard(m);
    return status;
}

Test(model, what_is_added_to_is_an_integer_of_32_or_64_bits)
{
    const mass_field read = FIELD_OF("g", int64_t, MASS_READ, "pile[1]");
    EXPECT_REFUSAL(resolve_scattered((mass_field)FIELD_OF("f", int16_t, MASS_SCATTER_ADD, "count"), read, e),
                   MASS_BAD_PLUGIN, "callback act, field f: it adds to attribute 'count' of type i16: SCATTER_ADD "
                   "takes i32, u32, i64 and u64");
    EXPECT_REFUSAL(resolve_scattered((mass_field)FIELD_OF("f", float, MASS_SCATTER_ADD, "flow[2]"), read, e),
                   MASS_BAD_PLUGIN, "callback act, field f: it adds to attribute 'flow[2]' of type f32: SCATTER_ADD "
                   "takes i32, u32, i64 and u64");
    EXPECT_OK(resolve_scattered((mass_field)FIELD_OF("f", int64_t, MASS_SCATTER_ADD, "pile[0]"), read, e));
}

Test(model, what_is_added_to_is_in_no_other_field)
{
    static const uint32_t others[] = {MASS_READ, MASS_WRITE, MASS_UPDATE, MASS_SCATTER_ADD};
    for (size_t i = 0; i < COUNT(others); i++) {
        const mass_field adds = FIELD_OF("f", int64_t, MASS_SCATTER_ADD, "pile[0]");
        const mass_field other = FIELD_OF("g", int64_t, others[i], "pile[0]");
        EXPECT_REFUSAL(resolve_scattered(adds, other, e), MASS_BAD_PLUGIN,
                       "callback act: fields f and g are one attribute: one that is added to by SCATTER is in no "
                       "other field of the callback");
    }
}

/* ---- pictures ---- */

static const uint32_t palette[] = {0x000000, 0xffffff};

Test(model, a_picture_draws_the_array_of_its_component)
{
    mass_model *m = world();
    EXPECT_OK(mass_model_set_picture(m, &(mass_picture){.space = "grid", .attribute = "flow", .component = 2,
                                             .low = -1, .high = 1, .colours = 2, .palette = palette}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert(m->picture.declared && m->picture.attribute == 2 && m->picture.array == 3);
    cr_assert_eq(m->picture.palette[1], 0xffffff);
    discard(m);
    m = world();
    EXPECT_OK(mass_model_set_picture(m, &(mass_picture){.attribute = "colour", .component = 1, .high = 255,
                                             .colours = 2, .palette = palette}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    cr_assert(m->picture.array == 4 && m->picture.component == 1);
    discard(m);
}

Test(model, bad_pictures_are_refused)
{
    static const char colours[] = "the picture needs 2 to 256 colours and low < high";
    static const struct { mass_picture p; const char *text; } bad[] = {
        {{.space = "grid", .attribute = "wealth", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute 'wealth', which is not declared before it"},
        {{.space = "plane", .attribute = "health", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute 'health', which is not declared before it"},
        {{.space = "grid", .high = 1, .colours = 2, .palette = palette},
         "the picture draws attribute '', which is not declared before it"},
        {{.space = "grid", .attribute = "flow", .component = 3, .high = 1, .colours = 2, .palette = palette},
         "the picture draws component 3 of attribute 'flow', which is no number there"},
        {{.space = "line", .attribute = "cell", .high = 1, .colours = 2, .palette = palette},
         "the picture draws component 0 of attribute 'cell', which is no number there"},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 1, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 257, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = 1, .colours = 2}, colours},
        {{.space = "grid", .attribute = "flow", .low = 1, .high = 1, .colours = 2, .palette = palette}, colours},
        {{.space = "grid", .attribute = "flow", .high = (double)NAN, .colours = 2, .palette = palette}, colours}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "line", .name = "cell", .type = MASS_STRUCT,
                      .element_size = sizeof(cell), .member_count = 3, .members = cell_members}, e));
        EXPECT_REFUSAL(mass_model_set_picture(m, &bad[i].p, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_not(m->picture.declared);
        discard(m);
    }
}

/* ---- types ---- */

Test(model, types_have_the_sizes_and_names_of_their_c_types)
{
    static const struct { uint32_t type; size_t size; const char *name; } types[] = {
        {MASS_TYPE_OF(int8_t), 1, "i8"}, {MASS_TYPE_OF(uint8_t), 1, "u8"}, {MASS_TYPE_OF(int16_t), 2, "i16"},
        {MASS_TYPE_OF(uint16_t), 2, "u16"}, {MASS_TYPE_OF(int32_t), 4, "i32"}, {MASS_TYPE_OF(uint32_t), 4, "u32"},
        {MASS_TYPE_OF(int64_t), 8, "i64"}, {MASS_TYPE_OF(uint64_t), 8, "u64"}, {MASS_TYPE_OF(float), 4, "f32"},
        {MASS_TYPE_OF(double), 8, "f64"}, {MASS_BIT, 0, "bit"}, {MASS_TYPE_OF(cell), 0, "struct"},
        {MASS_TYPE_NONE, 0, "none"}, {13, 0, "unknown"}, {UINT32_MAX, 0, "unknown"}};
    for (size_t i = 0; i < COUNT(types); i++) {
        cr_assert_eq(mass_type_size(types[i].type), types[i].size);
        cr_assert_str_eq(mass_type_name(types[i].type), types[i].name);
    }
}
