/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: what a declaration may say. */
#include "../five_parameters.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* ---- names ---- */

Test(parameter, a_name_is_letters_digits_and_underscores)
{
    static const char *const good[] = {"a", "Z", "_", "_9", "aB_3", "health"};
    static const char *const bad[] = {"", "9a", "a-b", "a b", "a.b", "a[1]", "\xc3\xa4", "a\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) cr_assert(mass_name_valid(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) cr_assert_not(mass_name_valid(bad[i]), "%s", bad[i]);
    cr_assert_not(mass_name_valid(NULL));
}

Test(parameter, a_name_has_at_most_63_characters)
{
    char name[66] = "";
    memset(name, 'a', 63);
    cr_assert(mass_name_valid(name));
    name[63] = 'a';
    cr_assert_not(mass_name_valid(name));
}

/* ---- declarations ---- */

Test(parameter, a_declaration_is_copied_with_its_default)
{
    mass_parameters list = five();
    cr_assert_eq(list.count, 5);
    cr_assert_eq(slot_of(&list, "count")->integer, 5);
    cr_assert_eq(slot_of(&list, "rate")->real, 0.5);
    cr_assert_str_eq(slot_of(&list, "rate")->unit, "1/s");
    cr_assert_str_eq(slot_of(&list, "rate")->help, "");
    cr_assert_str_eq(slot_of(&list, "file")->text, "none");
    cr_assert_str_eq(slot_of(&list, "file")->help, "a file");
    cr_assert_str_eq(slot_of(&list, "colour")->text, "green");
    for (uint32_t i = 0; i < list.count; i++) {
        cr_assert_not(list.slots[i].given);
        cr_assert_eq(list.slots[i].constant, i == 4);
    }
    cr_assert_null(mass_parameters_find(&list, "rat"));
    mass_parameters_free(&list);
    cr_assert_eq(list.count, 0);
}

Test(parameter, texts_and_choices_may_come_without_a_default)
{
    mass_parameters list = {0};
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "t", .type = MASS_TEXT}, e));
    EXPECT_OK(mass_parameters_add(
        &list, &(mass_parameter){.name = "c", .type = MASS_CHOICE, .choices = colours}, e));
    cr_assert_str_eq(slot_of(&list, "t")->text, "");
    cr_assert_str_eq(slot_of(&list, "c")->text, "red");
    mass_parameters_free(&list);
}

Test(parameter, bad_declarations_are_refused)
{
    static const char *const none[] = {NULL};
    static const struct { mass_parameter p; const char *text; } bad[] = {
        {{.name = "a", .type = 0}, "parameter 'a' has unknown type 0"},
        {{.name = "a", .type = 9}, "parameter 'a' has unknown type 9"},
        {{.type = 9}, "parameter '' has unknown type 9"},
        {{.name = "a", .type = MASS_CHOICE}, "parameter 'a' is a choice without choices"},
        {{.name = "a", .type = MASS_CHOICE, .choices = none}, "parameter 'a' is a choice without choices"},
        {{.name = "a b", .type = MASS_TEXT},
         "parameter 'a b' is not named by letters, digits and '_' (at most 63)"},
        {{.type = MASS_TEXT}, "parameter '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "rate", .type = MASS_TEXT}, "parameter 'rate' is declared twice"},
        {{.name = "a", .type = MASS_INTEGER, .integer = 4, .integer_min = 5, .integer_max = 6},
         "parameter 'a' has the default 4, outside its range: 5 to 6"},
        {{.name = "b", .type = MASS_INTEGER, .integer = 7, .integer_min = 5, .integer_max = 6},
         "parameter 'b' has the default 7, outside its range: 5 to 6"},
        {{.name = "c", .type = MASS_REAL, .real = 1.5, .real_min = 0, .real_max = 1},
         "parameter 'c' has the default 1.5, outside its range: 0 to 1"},
        {{.name = "i", .type = MASS_INTEGER, .integer = -3, .integer_max = INT64_MAX},
         "parameter 'i' has the default -3, outside its range: at least 0"},
        {{.name = "j", .type = MASS_REAL, .real = 0.1, .real_min = (double)-INFINITY},
         "parameter 'j' has the default 0.1, outside its range: at most 0"},
        {{.name = "g", .type = MASS_INTEGER, .integer = 5, .integer_min = 5},
         "parameter 'g' has a range that ends before it begins: an open end is INT64_MIN, INT64_MAX, -INFINITY or "
         "INFINITY"},
        {{.name = "h", .type = MASS_REAL, .real = 5, .real_min = 5},
         "parameter 'h' has a range that ends before it begins: an open end is INT64_MIN, INT64_MAX, -INFINITY or "
         "INFINITY"},
        {{.name = "d", .type = MASS_REAL, .real = (double)NAN},
         "parameter 'd' has the default nan, which is not a number"},
        {{.name = "f", .type = MASS_CHOICE, .choices = colours, .text = "pink"},
         "parameter 'f' has the default 'pink', which is not one of its choices"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_parameters list = five();
        EXPECT_REFUSAL(mass_parameters_add(&list, &bad[i].p, e), MASS_BAD_PLUGIN, bad[i].text);
        mass_parameters_free(&list);
    }
}

Test(parameter, bad_constants_are_refused)
{
    static const struct { mass_constant c; const char *text; } bad[] = {
        {{.name = "a", .type = MASS_TEXT}, "constant 'a' is neither an integer nor a real"},
        {{.type = 0}, "constant '' is neither an integer nor a real"},
        {{.name = "count", .type = MASS_REAL}, "parameter 'count' is declared twice"},
        {{.name = "1", .type = MASS_REAL}, "parameter '1' is not named by letters, digits and '_' (at most 63)"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_parameters list = five();
        EXPECT_REFUSAL(mass_parameters_add_constant(&list, &bad[i].c, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(list.count, 5);
        mass_parameters_free(&list);
    }
}
