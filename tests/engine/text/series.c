/* SPDX-License-Identifier: Apache-2.0 */
/* The series that a model declares: names, units, and what is refused. */
#include "text/expression.h"
#include "text/series.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mass_model model;

static void make(void)
{
    mass_error e = {0};
    snprintf(model.plugin, sizeof model.plugin, "folk");
    mass_model_add_tally(&model, &(mass_tally){.name = "a", .access = MASS_SUM, .unit = "kg"}, &e);
    mass_model_add_tally(&model, &(mass_tally){.name = "b", .access = MASS_SUM}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void unmake(void) { mass_model_free(&model); }

TestSuite(series, .init = make, .fini = unmake);

static const mass_series_def *added(const mass_series *l)
{
    mass_error e = {0};
    mass_model_add_series(&model, l, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return &model.series[model.series_count - 1];
}

Test(series, is_named_by_its_tally_and_has_its_unit)
{
    const mass_series_def *l = added(&(mass_series){.expression = "a"});
    cr_assert_str_eq(l->name, "a");
    cr_assert_str_eq(l->unit, "kg");
}

Test(series, of_an_expression_has_a_name_and_unit_of_its_own)
{
    const mass_series_def *l = added(&(mass_series){.name = "share", .expression = "a / b", .unit = "%"});
    cr_assert_str_eq(l->name, "share");
    cr_assert_str_eq(l->expression, "a / b");
    cr_assert_str_eq(l->unit, "%");
    cr_assert_str_eq(added(&(mass_series){.name = "mass", .expression = "a", .unit = "g"})->unit, "g");
    cr_assert_str_eq(added(&(mass_series){.name = "twice", .expression = "2 * a"})->unit, "");
}

static void refused(const mass_series *l, const char *why)
{
    mass_error e = {0};
    const uint32_t before = model.series_count;
    mass_model_add_series(&model, l, &e);
    cr_expect_eq(e.status, MASS_BAD_PLUGIN);
    cr_expect_eq(model.series_count, before);
    cr_expect_not_null(strstr(e.text, why), "no '%s' in: %s", why, e.text);
}

Test(series, what_a_plugin_has_to_mend)
{
    refused(&(mass_series){.expression = NULL}, "is not named");
    refused(&(mass_series){.expression = "a + b"}, "'a + b' is not named");
    refused(&(mass_series){.name = "step", .expression = "a"}, "'step' is not named");
    refused(&(mass_series){.name = "x", .expression = NULL}, "it ends too early");
    refused(&(mass_series){.name = "x", .expression = "a + c"}, "there is no tally 'c'");
    refused(&(mass_series){.name = "x", .expression = "steady(a, 3)"}, "steady()");
    added(&(mass_series){.expression = "a"});
    refused(&(mass_series){.expression = "a"}, "declared twice");
}

Test(series, names)
{
    static const char *const good[] = {"a", "A_9", "ants.alive", "_", "steady", "a.b.c"},
                            *const bad[] = {"", "9a", ".a", "a.", "a..b", "a b", "a/b", "a-b", "step", "world",
                                            "\303\244"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) cr_expect(mass_series_name_valid(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) cr_expect_not(mass_series_name_valid(bad[i]), "%s", bad[i]);
    char longest[2 * MASS_NAME_SIZE + 1];
    memset(longest, 'a', sizeof longest);
    longest[2 * MASS_NAME_SIZE] = '\0';
    cr_expect_not(mass_series_name_valid(longest));
    longest[2 * MASS_NAME_SIZE - 1] = '\0';
    cr_expect(mass_series_name_valid(longest));
}
