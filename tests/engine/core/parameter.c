/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: what a declaration may say, what a user may write, and that a value survives being
 * written down. */
#include "../expect.h"
#include "core/parameter.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"red", "green", "blue", NULL};

/* One parameter of each type: the last is a constant. */
static mass_parameters five(void)
{
    static const mass_parameter declared[] = {
        {.name = "count", .type = MASS_INTEGER, .integer = 5, .integer_min = -10, .integer_max = 10},
        {.name = "rate", .type = MASS_REAL, .real = 0.5, .real_min = 0, .real_max = 1, .unit = "1/s"},
        {.name = "file", .type = MASS_TEXT, .text = "none", .help = "a file"},
        {.name = "colour", .type = MASS_CHOICE, .choices = colours, .text = "green"}};
    mass_parameters list = {0};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        EXPECT_OK(mass_parameters_add(&list, &declared[i], e));
    EXPECT_OK(mass_parameters_add_constant(
        &list, &(mass_constant){.name = "pi", .type = MASS_REAL, .real = 3.25}, e));
    return list;
}

static mass_parameter_slot *slot_of(mass_parameters *list, const char *name)
{
    mass_parameter_slot *slot = mass_parameters_find(list, name);
    cr_assert_not_null(slot, "%s", name);
    return slot;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- names and readers ---- */

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

/* What is no number leaves the value as it was. */
#define EXPECT_READ_WHOLE(READ, TYPE, GOOD, BAD)                             \
    do {                                                                     \
        for (size_t i = 0; i < sizeof(GOOD) / sizeof *(GOOD); i++) {         \
            TYPE value = 77;                                                 \
            cr_assert(READ((GOOD)[i].text, &value), "%s", (GOOD)[i].text);   \
            cr_assert_eq(value, (GOOD)[i].value, "%s", (GOOD)[i].text);      \
        }                                                                    \
        for (size_t i = 0; i < sizeof(BAD) / sizeof *(BAD); i++) {           \
            TYPE value = 77;                                                 \
            cr_assert_not(READ((BAD)[i], &value), "'%s'", (BAD)[i]);         \
            cr_assert_eq(value, 77, "'%s'", (BAD)[i]);                       \
        }                                                                    \
    } while (0)

Test(parameter, signed_integers_are_read_whole_or_not_at_all)
{
    static const struct { const char *text; int64_t value; } good[] = {{"0", 0}, {"-0", 0}, {"007", 7},
        {"-12", -12}, {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"", "-", "--1", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "-a", "1\n", "- 1",
        "9223372036854775808", "-9223372036854775809", "99999999999999999999999"};
    EXPECT_READ_WHOLE(mass_read_i64, int64_t, good, bad);
}

Test(parameter, unsigned_integers_are_read_whole_or_not_at_all)
{
    static const struct { const char *text; uint64_t value; } good[] = {{"0", 0}, {"42", 42},
        {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"", "-1", "-0", "+1", " 1", "1 ", "18446744073709551616", "1u", "0b1"};
    EXPECT_READ_WHOLE(mass_read_u64, uint64_t, good, bad);
}

Test(parameter, reals_are_read_whole_finite_or_not_at_all)
{
    static const struct { const char *text; double value; } good[] = {{"0", 0}, {"-1.5", -1.5}, {".25", .25},
        {"1e3", 1000}, {"1e-400", 0}, {"0x1p-3", .125}, {"1.7976931348623157e308", 0x1.fffffffffffffp+1023}};
    static const char *const bad[] = {"", " 1", "1 ", "1,5", "nan", "-nan", "inf", "-inf", "infinity", "1e999",
        "one", "1e", "."};
    EXPECT_READ_WHOLE(mass_read_f64, double, good, bad);
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
        {{.name = "a", .type = 5}, "parameter 'a' has unknown type 5"},
        {{.type = 9}, "parameter '' has unknown type 9"},
        {{.name = "a", .type = MASS_CHOICE}, "parameter 'a' is a choice without choices"},
        {{.name = "a", .type = MASS_CHOICE, .choices = none}, "parameter 'a' is a choice without choices"},
        {{.name = "a b", .type = MASS_TEXT},
         "parameter 'a b' is not named by letters, digits and '_' (at most 63)"},
        {{.type = MASS_TEXT}, "parameter '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "rate", .type = MASS_TEXT}, "parameter 'rate' is declared twice"},
        {{.name = "a", .type = MASS_INTEGER, .integer = 4, .integer_min = 5, .integer_max = 6},
         "parameter 'a' has a default outside its range"},
        {{.name = "b", .type = MASS_INTEGER, .integer = 7, .integer_min = 5, .integer_max = 6},
         "parameter 'b' has a default outside its range"},
        {{.name = "c", .type = MASS_REAL, .real = 1.5, .real_min = 0, .real_max = 1},
         "parameter 'c' has a default outside its range"},
        {{.name = "g", .type = MASS_INTEGER, .integer = 5, .integer_min = 5},
         "parameter 'g' has a range that ends before it begins: an open end is INT64_MIN, INT64_MAX, -INFINITY or "
         "INFINITY"},
        {{.name = "h", .type = MASS_REAL, .real = 5, .real_min = 5},
         "parameter 'h' has a range that ends before it begins: an open end is INT64_MIN, INT64_MAX, -INFINITY or "
         "INFINITY"},
        {{.name = "d", .type = MASS_REAL, .real = (double)NAN}, "parameter 'd' has a default outside its range"},
        {{.name = "f", .type = MASS_CHOICE, .choices = colours, .text = "pink"},
         "parameter 'f' has a default outside its range"}};
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

Test(parameter, no_range_means_every_value)
{
    mass_parameters list = {0};
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "i", .type = MASS_INTEGER}, e));
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "r", .type = MASS_REAL}, e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "i"), "-9223372036854775808", e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "i"), "9223372036854775807", e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "r"), "-1.7976931348623157e308", e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "r"), "1.7976931348623157e308", e));
    mass_parameters_free(&list);
}

/* ---- values ---- */

Test(parameter, a_range_may_have_one_end)
{
    static const struct { mass_parameter p; const char *outside, *inside, *range; } open[] = {
        {{.name = "a", .type = MASS_INTEGER, .integer = 1, .integer_min = 1, .integer_max = INT64_MAX}, "0",
         "9223372036854775807", "at least 1"},
        {{.name = "a", .type = MASS_INTEGER, .integer_min = INT64_MIN, .integer_max = 7}, "8", "-9223372036854775808",
         "at most 7"},
        {{.name = "a", .type = MASS_REAL, .real_max = HUGE_VAL}, "-0.1", "1e300", "at least 0"},
        {{.name = "a", .type = MASS_REAL, .real_min = -HUGE_VAL, .real_max = 0.5}, "0.6", "-1e300", "at most 0.5"}};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        mass_parameters list = {0};
        char text[100], range[MASS_RANGE_SIZE];
        EXPECT_OK(mass_parameters_add(&list, &open[i].p, e));
        EXPECT_OK(mass_parameter_set(&list.slots[0], open[i].inside, e));
        snprintf(text, sizeof text, "parameter a: %s is not %s", open[i].outside, open[i].range);
        EXPECT_REFUSAL(mass_parameter_set(&list.slots[0], open[i].outside, e), MASS_BAD_USAGE, text);
        cr_assert_str_eq(mass_parameter_range(&list.slots[0], range), open[i].range);
        mass_parameters_free(&list);
    }
}

Test(parameter, values_are_set_up_to_the_ends_of_their_range)
{
    mass_parameters list = five();
    EXPECT_OK(mass_parameter_set(slot_of(&list, "count"), "-10", e));
    cr_assert_eq(slot_of(&list, "count")->integer, -10);
    EXPECT_OK(mass_parameter_set(slot_of(&list, "count"), "10", e));
    cr_assert_eq(slot_of(&list, "count")->integer, 10);
    EXPECT_OK(mass_parameter_set(slot_of(&list, "rate"), "0", e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "rate"), "1", e));
    cr_assert_eq(slot_of(&list, "rate")->real, 1.0);
    EXPECT_OK(mass_parameter_set(slot_of(&list, "file"), "", e));
    cr_assert_str_eq(slot_of(&list, "file")->text, "");
    EXPECT_OK(mass_parameter_set(slot_of(&list, "colour"), "blue", e));
    cr_assert_str_eq(slot_of(&list, "colour")->text, "blue");
    for (uint32_t i = 0; i < 4; i++) cr_assert(list.slots[i].given);
    mass_parameters_free(&list);
}

Test(parameter, bad_values_are_refused_and_change_nothing)
{
    static const struct { const char *name, *value, *text; } bad[] = {
        {"count", "11", "parameter count: 11 is not between -10 and 10"},
        {"count", "-11", "parameter count: -11 is not between -10 and 10"},
        {"count", "many", "parameter count: 'many' is not an integer"},
        {"count", "", "parameter count: '' is not an integer"},
        {"count", "99999999999999999999", "parameter count: '99999999999999999999' is not an integer"},
        {"rate", "-0.001", "parameter rate: -0.001 is not between 0 and 1"},
        {"rate", "1.5", "parameter rate: 1.5 is not between 0 and 1"},
        {"rate", "nan", "parameter rate: 'nan' is not a number"},
        {"rate", "1e999", "parameter rate: '1e999' is not a number"},
        {"colour", "Red", "parameter colour: 'Red' is not one of red, green, blue"},
        {"colour", "", "parameter colour: '' is not one of red, green, blue"},
        {"count", "1\n2", "parameter count: '1\\x0a2' is not an integer"}};
    mass_parameters list = five();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT_REFUSAL(mass_parameter_set(slot_of(&list, bad[i].name), bad[i].value, e), MASS_BAD_USAGE,
                       bad[i].text);
        cr_assert_not(slot_of(&list, bad[i].name)->given);
    }
    cr_assert_eq(slot_of(&list, "count")->integer, 5);
    cr_assert_eq(slot_of(&list, "rate")->real, 0.5);
    cr_assert_str_eq(slot_of(&list, "colour")->text, "green");
    mass_parameters_free(&list);
}

Test(parameter, a_refusal_holds_more_choices_than_fit)
{
    char names[100][24];
    const char *choices[101] = {0};
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "choice_number_%d", i);
        choices[i] = names[i];
    }
    mass_parameters list = {0};
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "c", .type = MASS_CHOICE, .choices = choices}, e));
    mass_error error = {0};
    cr_assert_eq(mass_parameter_set(slot_of(&list, "c"), "x", &error), MASS_BAD_USAGE);
    cr_assert_not_null(strstr(error.text, "is not one of choice_number_0, choice_number_1, "));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "c"), "choice_number_99", e));
    mass_parameters_free(&list);
}

Test(parameter, kernels_see_integers_reals_and_the_index_of_a_choice)
{
    mass_parameters list = five();
    EXPECT_OK(mass_parameter_set(slot_of(&list, "count"), "-3", e));
    EXPECT_OK(mass_parameter_set(slot_of(&list, "colour"), "blue", e));
    cr_assert_eq(mass_parameter_bits(slot_of(&list, "count")), (uint64_t)-3);
    cr_assert_eq(mass_parameter_bits(slot_of(&list, "rate")), bits_of(0.5));
    cr_assert_eq(mass_parameter_bits(slot_of(&list, "colour")), 2);
    cr_assert_eq(mass_parameter_bits(slot_of(&list, "file")), 0);
    cr_assert_eq(mass_parameter_bits(slot_of(&list, "pi")), bits_of(3.25));
    mass_parameters_free(&list);
}

Test(parameter, every_number_is_read_back_to_the_same_bits)
{
    mass_parameters list = {0};
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "i", .type = MASS_INTEGER}, e));
    EXPECT_OK(mass_parameters_add(&list, &(mass_parameter){.name = "r", .type = MASS_REAL}, e));
    mass_parameter_slot *integer = slot_of(&list, "i"), *real = slot_of(&list, "r");
    for (uint64_t n = 0; n < 20000; n++) {
        const mass_random4 random = mass_random_block(1, n, 0, 0, 0);
        const uint64_t bits = (uint64_t)random.v[0] << 32 | random.v[1];
        double value;
        char text[64];
        memcpy(&value, &bits, sizeof value);
        integer->integer = (int64_t)(bits >> random.v[2] % 64);
        const int64_t before = integer->integer;
        const char *written = mass_parameter_format(integer, text);
        integer->integer = 0;
        EXPECT_OK(mass_parameter_set(integer, written, e));
        cr_assert_eq(integer->integer, before);
        if (!isfinite(value)) continue;
        real->real = value;
        written = mass_parameter_format(real, text);
        real->real = 0;
        EXPECT_OK(mass_parameter_set(real, written, e));
        cr_assert_eq(bits_of(real->real), bits);
    }
    mass_parameters_free(&list);
}

Test(parameter, texts_are_formatted_as_they_are)
{
    mass_parameters list = five();
    char buffer[64];
    EXPECT_OK(mass_parameter_set(slot_of(&list, "file"), "a b=c, %s", e));
    cr_assert_str_eq(mass_parameter_format(slot_of(&list, "file"), buffer), "a b=c, %s");
    cr_assert_str_eq(mass_parameter_format(slot_of(&list, "colour"), buffer), "green");
    mass_parameters_free(&list);
}
