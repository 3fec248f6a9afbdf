/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions over tallies: their values against those that the C compiler finds, and what is refused, where. */
#include "text/expression.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 3, FIRST_WORLD = 4 };

static mass_model model;
static int64_t tallies[16][WORLDS];

static void add_tally(const char *name, uint32_t access, uint32_t kind, uint32_t bits, const int64_t values[WORLDS])
{
    mass_error e = {0};
    mass_model_add_tally(&model, &(mass_tally){.name = name, .access = access, .kind = kind, .fraction_bits = bits},
                         &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    memcpy(tallies[model.tally_count - 1], values, WORLDS * sizeof *values);
}

static void make(void)
{
    mass_error e = {0};
    snprintf(model.plugin, sizeof model.plugin, "folk");
    mass_model_add_space(&model, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size =
                                               {4, 3}},
                         NULL, 0, &e);
    add_tally("a", MASS_SUM, MASS_TALLY_INTEGER, 0, (const int64_t[]){7, 8, 9});
    add_tally("b", MASS_SUM, MASS_TALLY_INTEGER, 0, (const int64_t[]){-3, 0, 3});
    add_tally("c", MASS_SUM, MASS_TALLY_FIXED, 2, (const int64_t[]){5, 6, -7});
    add_tally("least", MASS_MIN, MASS_TALLY_REAL, 0, (const int64_t[]){mass_rank_f64(-0.25), INT64_MAX,
                                                                       mass_rank_f64(1e300)});
    add_tally("most", MASS_MAX, MASS_TALLY_INTEGER, 0, (const int64_t[]){-5, INT64_MIN, 5});
    add_tally("big", MASS_SUM, MASS_TALLY_INTEGER, 0,
              (const int64_t[]){(1ll << 53) - 1, (1ll << 53) + 1, -(1ll << 53) - 1});
    mass_model_add_population(&model, &(mass_population){.name = "ants", .alive = "a", .unborn = "b"}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void unmake(void) { mass_model_free(&model); }

TestSuite(expression, .init = make, .fini = unmake);

static mass_expression compiled(const char *text)
{
    mass_expression expression;
    mass_error e = {0};
    mass_expression_compile("--until", text, &(mass_expression_scope){&model, WORLDS, FIRST_WORLD, false}, &expression,
                            &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return expression;
}

static double value(const char *text, int32_t world, uint64_t step)
{
    mass_expression expression = compiled(text);
    const double found = mass_evaluate(expression.program, expression.count, tallies[0], WORLDS, world, step, NULL);
    mass_expression_free(&expression);
    return found;
}

static void expect(const char *text, int32_t world, double wanted)
{
    const double found = value(text, world, 11);
    cr_expect(found == wanted || (isnan(found) && isnan(wanted)), "%s in world %d: %.17g, not %.17g", text, world,
              found, wanted);
}

/* What only steps count has no value at step 0, and neither has what it is a part of; no comparison with it holds. */
Test(expression, what_steps_count_is_nan_before_the_first)
{
    model.tallies[1].late = true;
    cr_expect(isnan(value("b", 0, 0)) && isnan(value("a + b", 0, 0)) && isnan(value("-b[4]", 1, 0)));
    cr_expect(value("a", 0, 0) == 7 && value("b", 0, 1) == -3 && value("step", 0, 0) == 0);
    cr_expect(value("b < 1", 0, 0) == 0 && value("b >= 1", 0, 0) == 0 && value("b == b", 0, 0) == 0);
}

/* The compiler of this file reads the same text, which is to have few parentheses. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#define SAME(EXPRESSION)                                                                           \
    for (int32_t w = 0; w < WORLDS; w++) {                                                         \
        const double a = (double)tallies[0][w], b = (double)tallies[1][w], c = (double)tallies[2][w] / 4;  \
        const double step = 11;                                                                    \
        (void)a, (void)b, (void)c, (void)step;                                                     \
        expect(#EXPRESSION, w, (double)(EXPRESSION));                                              \
    }

Test(expression, operators_bind_and_group_as_in_C)
{
    SAME(1 + 2 * 3.0)
    SAME((1 + 2) * 3)
    SAME(a - b - c)
    SAME(a - (b - c))
    SAME(a / c / 2)
    SAME(a / (c / 2))
    SAME(a + b * c - a / 4)
    SAME(-a * -b)
    SAME(a - -b)
    SAME(+ + a)
    SAME(!a == b)
    SAME(!(a == b))
    SAME(!!a + !b)
    SAME(a < b)
    SAME(a <= b + 1)
    SAME(a > b)
    SAME(a >= 8)
    SAME(a == 8)
    SAME(a != 8)
    SAME((a < 8) == (b < 0))
    SAME(a < 8 == b < 0)
    SAME(b && a)
    SAME(b || a > 8)
    SAME(b || a && c)
    SAME((b || a) && c < 0)
    SAME(a && b || c && b)
    SAME(a > 7 && b > 0)
    SAME(step * 2 + 1 == 23)
    SAME(1.5e2 + .5 + 2. + 1E-3 + 1e+2)
    SAME(a<b||a>-b)
}

Test(expression, division_by_zero_is_that_of_IEEE_754)
{
    expect("a / (b - b)", 0, HUGE_VAL);
    expect("-a / (b - b)", 0, -HUGE_VAL);
    expect("0 / 0", 0, NAN);
    expect("0 / 0 == 0 / 0", 0, 0);
    expect("!(0 / 0)", 0, 0);
}

Test(expression, minima_and_maxima_of_nothing_are_no_number)
{
    expect("least", 0, -0.25);
    expect("least", 1, NAN);
    expect("least", 2, 1e300);
    expect("most", 0, -5);
    expect("most", 1, NAN);
    expect("most < 0 || most >= 0", 1, 0);
}

Test(expression, every_NaN_is_the_canonical_one)
{
    const double found[] = {value("0 / 0", 0, 1), value("-(0 / 0)", 0, 1), value("least", 1, 1), value("-most", 1, 1)};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        cr_expect_eq(mass_bits_f64(found[i]), 0x7ff8000000000000u);
}

Test(expression, integers_are_exact_to_2_to_53_and_rounded_beyond)
{
    expect("big", 0, 9007199254740991.0);
    expect("big == 9007199254740992", 0, 0);
    expect("big == 9007199254740992", 1, 1);
    expect("big == -9007199254740992", 2, 1);
}

Test(expression, worlds_by_their_numbers)
{
    expect("a[4] + a[6]", 1, 16);
    expect("a - a[ 5 ]", 2, 1);
}

Test(expression, counts_of_a_population)
{
    expect("ants.alive + 1", 1, 9);
    expect("ants.unborn", 2, 3);
    expect("ants.refused == ants.unborn", 0, 1); /* the old name */
    mass_expression e = compiled(" ants.alive ");
    cr_expect_eq(mass_expression_tally(&e), 0);
    mass_expression_free(&e);
    e = compiled("a[4]");
    cr_expect_eq(mass_expression_tally(&e), -1);
    mass_expression_free(&e);
}

Test(expression, a_tally_called_step_hides_the_step)
{
    expect("step", 0, 11);
    add_tally("step", MASS_SUM, MASS_TALLY_INTEGER, 0, (const int64_t[]){1, 2, 3});
    expect("step", 2, tallies[model.tally_count - 1][2]);
    expect("step", 2, 3);
}

/* Against a look at all values of the past. */
Test(expression, steady_is_no_change_over_the_last_steps)
{
    static const double past[] = {1, 1, 2, 2, 2, NAN, NAN, NAN, NAN, 3, 3, 0, -0.0, 0, 0};
    enum { STEPS = sizeof past / sizeof *past };
    for (int over = 0; over < 5; over++) {
        mass_steady s;
        mass_steady_clear(&s, 1);
        for (int i = 0; i < STEPS; i++) {
            int same = i >= over;
            for (int k = i - over; same && k < i; k++)
                same = past[k] == past[i] || (isnan(past[k]) && isnan(past[i]));
            cr_expect_eq(mass_steady_take(&s, past[i], over), same, "over %d steps at %d", over, i);
        }
    }
}

Test(expression, steady_remembers_each_world_and_each_place_in_the_text)
{
    mass_expression e = compiled("steady(a, 1) + 10 * steady(steady(b + step, 2) == 0, 1)");
    mass_steady steady[2 * WORLDS + WORLDS];
    cr_assert_eq(e.steady_count, 3);
    mass_steady_clear(steady, e.steady_count * WORLDS);
    for (uint64_t step = 1; step <= 3; step++) {
        tallies[0][1]++;
        for (int32_t w = 0; w < WORLDS; w++)
            cr_expect_eq(mass_evaluate(e.program, e.count, tallies[0], WORLDS, w, step, steady),
                         step == 1 ? 0 : w == 1 ? 10 : 11);
    }
    mass_expression_free(&e);
}

Test(expression, steady_takes_a_value_in_each_step_whatever_stands_beside_it)
{
    mass_expression e = compiled("step == 3 && steady(a, 2)");
    mass_steady steady[WORLDS];
    mass_steady_clear(steady, WORLDS);
    for (uint64_t step = 1; step <= 3; step++)
        cr_expect_eq(mass_evaluate(e.program, e.count, tallies[0], WORLDS, 0, step, steady), step == 3);
    mass_expression_free(&e);
}

/* ---- refusals ---- */

static void refused_text(const char *text, const char *why, const char *shown)
{
    mass_expression expression = {.count = 1};
    mass_error e = {0};
    mass_expression_compile("--until", text, &(mass_expression_scope){&model, WORLDS, FIRST_WORLD, false}, &expression,
                            &e);
    cr_expect_eq(e.status, MASS_BAD_USAGE, "%s is accepted", text);
    cr_expect(!expression.program && expression.count == 0);
    cr_expect_eq(strncmp(e.text, "--until: ", 9), 0);
    cr_expect_not_null(strstr(e.text, why), "%s: '%s' is not in: %s", text, why, e.text);
    const size_t length = strlen(e.text), end = strlen(shown);
    cr_expect(length > end && strcmp(e.text + length - end, shown) == 0, "'%s' is not shown in: %s", shown, e.text);
}

/* The caret stands before what is wrong; the expression is without it. */
static void refused(const char *marked, const char *why)
{
    char text[MASS_EXPRESSION_LENGTH], shown[MASS_EXPRESSION_LENGTH];
    const char *const caret = strchr(marked, '^');
    snprintf(text, sizeof text, "%.*s%s", (int)(caret - marked), marked, caret + 1);
    snprintf(shown, sizeof shown, ": %s", marked);
    refused_text(text, why, shown);
}

Test(expression, a_population_is_not_a_count)
{
    mass_error e = {0};
    refused("^ants", "there is no tally 'ants', which is a population: write ants.alive");
    mass_model_add_population(&model, &(mass_population){.name = "bees"}, &e);
    refused("1 + ^bees", "there is no tally 'bees', which is a population: its model counts it only if it declares a "
                         "tally as its .alive");
}

Test(expression, syntax_errors)
{
    refused("^", "it ends too early");
    refused("a +^", "it ends too early");
    refused("a ^= 3", "'==' compares");
    refused("a ^& b", "'&&' is");
    refused("a ^| b", "'||' is");
    refused("a ^b", "an operator is expected");
    refused("a^, b", "this is one expression: give the option once for each");
    refused("(a^", "')' is expected");
    refused("a^)", "an operator is expected");
    refused("(^)", "a tally or '(' is expected");
    refused("a < b ^< c", "use && or parentheses");
    refused("a == b ^!= c", "use && or parentheses");
    refused("^* a", "is expected");
    refused("a^; b", "an operator is expected");
    refused_text("a\n", "an operator is expected", ": a^\\x0a");
    refused("a ^% 2", "an operator is expected");
}

Test(expression, numbers_that_are_none)
{
    refused("^1e999", "too large");
    refused("^0x10", "this is not a number");
    refused("a > ^1.2.3", "this is not a number");
    refused("^3a", "this is not a number");
    refused("^1e", "this is not a number");
    refused("^.", "this is not a number");
    refused("^inf", "there is no tally 'inf'");
}

Test(expression, names_that_are_not_there)
{
    refused("a + ^wolves > 3", "there is no tally 'wolves'; folk has a, b, c, least, most, big");
    refused("^ants_next_id", "there is no tally 'ants_next_id'");
    refused("^ants.born", "there is no tally 'ants.born': the model counts it only if it declares a tally as its "
                          ".born");
    refused("^bees.alive", "there is no tally 'bees.alive'; ");
    refused("^a.b.c", "there is no tally 'a.b.c'");
}

Test(expression, worlds_that_are_not_there)
{
    refused("a[^3]", "there is no world 3: the run has 4 to 6");
    refused("a[^7]", "there is no world 7");
    refused("a[^-1]", "the number of a world is expected");
    refused("a[^b]", "the number of a world is expected");
    refused("a[^4.5]", "the number of a world is expected");
    refused("a[4^", "']' is expected");
    refused("3^[4]", "an operator is expected");
}

Test(expression, steady_that_is_not_whole)
{
    refused("steady^", "'(' is expected");
    refused("steady(a^)", "',' is expected");
    refused("steady(a, ^b)", "a number of steps is expected");
    refused("steady(a, ^-1)", "a number of steps is expected");
    refused("steady(a, ^1.5)", "a number of steps is expected");
    refused("steady(a, ^1000000000000000)", "a number of steps is expected");
    refused("steady(a, 3^", "')' is expected");
}

Test(expression, what_is_too_long_or_too_deep)
{
    char deep[MASS_EXPRESSION_LENGTH + 2];
    memset(deep, '(', sizeof deep);
    deep[60] = '\0';
    refused_text(deep, "nested too deeply", "");
    memset(deep, '-', 60);
    refused_text(deep, "nested too deeply", "");
    memset(deep, '+', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    mass_expression expression;
    mass_error e = {0};
    mass_expression_compile("--until", deep, &(mass_expression_scope){&model, WORLDS, FIRST_WORLD, false}, &expression,
                            &e);
    cr_expect_str_eq(e.text, "--until: an expression of 401 characters, and 400 are the most");
    char wide[400] = "";
    for (int i = 0; i < 14; i++) strcat(wide, "a||b&&(c==b<a+b*(");
    refused_text(wide, "too many operands", "");
}
