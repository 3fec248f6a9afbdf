/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes that a plugin declares: what is kept of them, and the sentence that every other gets. */
#include "../expect.h"
#include "model/value_names.h"
#include "model_world.h"

#include <math.h>
#include <string.h>

Test(model, an_attribute_is_copied_with_its_default)
{
    mass_model *m = world();
    const world_cell initial = {7, 8, 9};
    mass_member members[3];
    memcpy(members, cell_members, sizeof members);
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "line", .name = "cell", .type = MASS_STRUCT,
                                               .length = 2, .layout = MASS_INTERLEAVED, .initial = &initial,
                                               .element_size = sizeof(world_cell), .member_count = 3,
                                               .members = members, .unit = "1", .help = "what is there"}, e));
    memset(members, 0, sizeof members);
    const mass_attribute_def *a = &m->attributes[m->attribute_count - 1];
    cr_assert(a->space == 1 && a->length == 2 && a->layout == MASS_INTERLEAVED);
    cr_assert_eq(a->component_size, sizeof(world_cell));
    cr_assert_eq(mass_element_size(a), 2 * sizeof(world_cell));
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
#define NO_TYPE "attribute 'a' has none of the types int8_t to uint64_t, float, double and bool; if it is a struct, " \
                "declare its members"
    static const struct { mass_attribute a; const char *text; } bad[] = {
        {{.space = "grid", .name = "a-b", .type = MASS_U8},
         "attribute 'a-b' is not named by letters, digits and '_' (at most 63)"},
        {{.space = "plane", .name = "a", .type = MASS_U8},
         "attribute 'a' belongs to space 'plane', which is not declared before it"},
        {{.space = "grid", .name = "health", .type = MASS_U8}, "attribute 'health' of space 'grid' is declared twice"},
        {{.name = "flow", .type = MASS_U8}, "attribute 'flow' of space 'grid' is declared twice"},
        {{.space = "grid", .name = "a", .type = MASS_BIT, .length = 2, .layout = MASS_INTERLEAVED},
         "attribute 'a' is of bits, which are in planes and not interleaved: use uint8_t"},
        {{.space = "grid", .name = "a", .type = MASS_TYPE_NONE}, "attribute 'a' has unknown type 0"},
        {{.space = "grid", .name = "a", .type = 13}, "attribute 'a' has unknown type 13"},
        {{.space = "grid", .name = "a", .type = MASS_U8, .length = 1025},
         "attribute 'a' has 1025 components, more than 1024"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8},
         NO_TYPE},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .members = cell_members},
         NO_TYPE},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .member_count = 1025,
          .members = cell_members}, NO_TYPE},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 8, .member_count = 2,
          .members = cell_members},
         "attribute 'a': its members have 6 bytes and its struct 8: fill the padding with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 7, .member_count = 3,
          .members = cell_members},
         "attribute 'a': its members have 8 bytes and its struct 7: fill the padding with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 16, .member_count = 2,
          .members = padded},
         "attribute 'a': member 'y' is not a number, or there is padding before it: declare members in order and "
         "fill gaps with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 4, .member_count = 1,
          .members = nested},
         "attribute 'a': member 'x' is not a number, or there is padding before it: declare members in order and "
         "fill gaps with members"},
        {{.space = "grid", .name = "a", .type = MASS_STRUCT, .element_size = 4, .member_count = 1,
          .members = misnamed},
         "member 'x y' is not named by letters, digits and '_' (at most 63)"},
        {{.space = "grid", .name = "a", .type = MASS_F32, .names = {"low", "high"}},
         "attribute 'a' has names of its values, which only integers have"},
        {{.space = "grid", .name = "a", .type = MASS_BIT, .names = {"dead", "alive", "else"}},
         "attribute 'a' has 3 names, and its range has 2 values: name each of them"},
        {{.space = "grid", .name = "a", .type = MASS_I8, .least = -1, .most = 2, .names = {"down", "none", "up"}},
         "attribute 'a' has 3 names, and its range has 4 values: name each of them"},
        {{.space = "grid", .name = "a", .type = MASS_U16, .most = INFINITY, .names = {"one"}},
         "attribute 'a' has 1 name of values, and a range without an end: give it .least and .most"},
        {{.space = "grid", .name = "a", .type = MASS_U8, .names = {"one", "two", "one"}},
         "attribute 'a' has the name 'one' for two values"},
        {{.space = "grid", .name = "a", .type = MASS_U8, .names = {"one", ""}},
         "attribute 'a': name 1 of its values is not of 1 to 63 printable characters"},
        {{.space = "grid", .name = "a", .type = MASS_U8, .names = {"a\nb"}},
         "attribute 'a': name 0 of its values is not of 1 to 63 printable characters"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_REFUSAL(mass_model_add_attribute(m, &bad[i].a, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(m->attribute_count, 4);
        discard(m);
    }
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

Test(model, values_have_names_from_the_least_on)
{
    mass_model *m = world();
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "grid", .name = "spin", .type = MASS_I8,
                                               .least = -1, .most = 1, .names = {"down", "none", "up"}}, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "grid", .name = "kind", .type = MASS_U8,
                                               .names = {"a", NULL, "c"}}, e));
    const mass_attribute_def *spin = &m->attributes[m->attribute_count - 2], *kind = spin + 1;
    cr_assert_str_eq(mass_value_name(spin, -1), "down");
    cr_assert_str_eq(mass_value_name(spin, 1), "up");
    cr_assert_null(mass_value_name(spin, 2));
    cr_assert_null(mass_value_name(spin, -2));
    cr_assert_null(mass_value_name(spin, 0.5));
    cr_assert_null(mass_value_name(spin, NAN));
    cr_assert_str_eq(mass_value_name(kind, 2), "c");
    cr_assert_null(mass_value_name(kind, 1));
    discard(m);
}

/* A bin has the name of the one value in it. */
Test(model, bins_of_one_value_have_its_name)
{
    static const struct { uint32_t bins; double low, high; const char *first, *last; } all[] = {
        {3, -1, 2, "down", "up"}, {3, -1.5, 1.5, "down", "up"}, {2, -1, 1, "down", NULL}, {2, -1, 3, NULL, "up"},
        {8, -1, 1, "down", "up"}, {1, 2, 3, NULL, NULL}};
    for (size_t i = 0; i < COUNT(all); i++) {
        mass_model *m = world();
        EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "grid", .name = "spin", .type = MASS_I8,
                                                   .least = -1, .most = 1, .names = {"down", "none", "up"}}, e));
        const mass_reduction r = {.struct_size = sizeof r, .operation = MASS_HISTOGRAM, .name = "spins",
                                  .space = "grid", .attribute = "spin", .bins = all[i].bins, .low = all[i].low,
                                  .high = all[i].high};
        EXPECT_OK(mass_model_add_reduction(m, &r, e));
        const uint32_t tally = (uint32_t)mass_model_find_tally(m, "spins");
        const char *first = mass_bin_name(m, tally, 0), *last = mass_bin_name(m, tally, all[i].bins - 1);
        cr_assert(all[i].first ? first && !strcmp(first, all[i].first) : !first, "%zu: %s", i, first);
        cr_assert(all[i].last ? last && !strcmp(last, all[i].last) : !last, "%zu: %s", i, last);
        cr_assert_null(mass_bin_name(m, 0, 0), "a tally that is no histogram");
        discard(m);
    }
}

Test(model, types_have_the_sizes_and_names_of_their_c_types)
{
    static const struct { uint32_t type; size_t size; const char *name; } types[] = {
        {MASS_TYPE_OF(int8_t), 1, "i8"}, {MASS_TYPE_OF(uint8_t), 1, "u8"}, {MASS_TYPE_OF(int16_t), 2, "i16"},
        {MASS_TYPE_OF(uint16_t), 2, "u16"}, {MASS_TYPE_OF(int32_t), 4, "i32"}, {MASS_TYPE_OF(uint32_t), 4, "u32"},
        {MASS_TYPE_OF(int64_t), 8, "i64"}, {MASS_TYPE_OF(uint64_t), 8, "u64"}, {MASS_TYPE_OF(float), 4, "f32"},
        {MASS_TYPE_OF(double), 8, "f64"}, {MASS_TYPE_OF(bool), 1, "bit"}, {MASS_TYPE_OF(world_cell), 0, "struct"},
        {MASS_TYPE_NONE, 0, "none"}, {13, 0, "unknown"}, {UINT32_MAX, 0, "unknown"}};
    for (size_t i = 0; i < COUNT(types); i++) {
        cr_assert_eq(mass_type_size(types[i].type), types[i].size);
        cr_assert_str_eq(mass_type_name(types[i].type), types[i].name);
    }
}
