/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters: what a user may write, and that a value survives being written down. */
#include "../five_parameters.h"
#include "text/parameter.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
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
        {"count", "5.5", "parameter count: '5.5' is not an integer"},
        {"count", "99999999999999999999", "parameter count: 99999999999999999999 is not between -10 and 10"},
        {"count", "-1e30", "parameter count: -1e30 is not between -10 and 10"},
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
