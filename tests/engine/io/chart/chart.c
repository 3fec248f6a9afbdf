/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as text: where values stand. */
#include "io/chart/chart.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 10 + 12 /* the margin and the axis */, ROWS = 5 + 3 };

static char *draw(const mass_chart *c, bool colour)
{
    char *text = mass_chart_draw(c, COLUMNS, ROWS, colour);
    cr_assert_not_null(text);
    return text;
}

static void expect(const double *y, size_t count, mass_chart_kind kind, const char *wanted)
{
    const mass_chart_line line = {.label = "y", .y = y};
    char *text = draw(&(mass_chart){"x", "y", kind, 3, 1 + 2 * (double)count, count, 1, &line, .counts = false}, false);
    cr_expect_str_eq(text, wanted, "found\n%s", text);
    free(text);
}

Test(chart, a_line_goes_from_point_to_point)
{
    expect((const double[]){0, 9}, 2, MASS_CHART_LINES,
           "           y\n"
           "         9 \u2502        \u2584\u2580\n"
           "           \u2502      \u2584\u2580  \n"
           "       4.5 \u2502    \u2584\u2580    \n"
           "           \u2502  \u2584\u2580      \n"
           "         0 \u2502\u2584\u2580        \n"
           "           \u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
           "            3   x    5\n");
}

Test(chart, one_value_stands_in_the_middle)
{
    expect((const double[]){4, 4, 4}, 3, MASS_CHART_LINES,
           "           y\n"
           "         6 \u2502          \n"
           "           \u2502          \n"
           "         4 \u2502\u2580\u2580\u2580\u2580\u2580\u2580\u2580\u2580\u2580\u2580\n"
           "           \u2502          \n"
           "         2 \u2502          \n"
           "           \u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
           "            3   x    7\n");
}

Test(chart, what_is_no_number_is_a_gap)
{
    expect((const double[]){0, 0, NAN, HUGE_VAL, NAN, NAN, NAN, 9, 9, 9}, 10, MASS_CHART_LINES,
           "           y\n"
           "         9 \u2502       \u2580\u2580\u2580\n"
           "           \u2502          \n"
           "       4.5 \u2502          \n"
           "           \u2502          \n"
           "         0 \u2502\u2584\u2584        \n"
           "           \u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
           "            3   x   21\n");
}

Test(chart, bars_stand_on_zero)
{
    expect((const double[]){9, 4, 0, 2, 9}, 5, MASS_CHART_BARS,
           "           y\n"
           "         9 \u2502\u2588\u2588      \u2588\u2588\n"
           "           \u2502\u2588\u2588      \u2588\u2588\n"
           "       4.5 \u2502\u2588\u2588\u2584\u2584    \u2588\u2588\n"
           "           \u2502\u2588\u2588\u2588\u2588  \u2584\u2584\u2588\u2588\n"
           "         0 \u2502\u2588\u2588\u2588\u2588  \u2588\u2588\u2588\u2588\n"
           "           \u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
           "            3   x   11\n");
}

Test(chart, of_many_bars_the_highest_are_seen)
{
    double y[1000] = {0};
    y[500] = 9;
    const mass_chart_line line = {.label = "y", .y = y};
    char *text = draw(&(mass_chart){"x", "y", MASS_CHART_BINS, 0, 1, 1000, 1, &line, .counts = false}, false);
    cr_expect_not_null(strstr(text, "9 \u2502     \u2588    \n"), "%s", text);
    free(text);
}

Test(chart, nothing_and_the_extremes)
{
    static const double extremes[] = {-1.7e308, 1.7e308, NAN}, none[] = {NAN, NAN};
    const mass_chart_line lines[] = {{.label = "a", .y = extremes}, {.label = "b", .y = none}};
    for (size_t count = 0; count < 3; count++)
        for (size_t which = 1; which <= 2; which++)
            free(draw(&(mass_chart){"x", "y", MASS_CHART_LINES, 0, 1, count, which, lines, .counts = false}, true));
}

Test(chart, lines_have_colours)
{
    static const double low[] = {0, 0}, high[] = {1, 1};
    const mass_chart_line lines[] = {{.label = "low", .y = low}, {.label = "high", .y = high}};
    char *text = draw(&(mass_chart){"x", "both", MASS_CHART_LINES, 0, 1, 2, 2, lines, .counts = false}, true);
    cr_expect_not_null(strstr(text, "\033[36m\u2588\u2588\033[0m low\n"));
    cr_expect_not_null(strstr(text, "1 \u2502\033[33m\u2580"));
    cr_expect_not_null(strstr(text, "0 \u2502\033[36m\u2584"));
    free(text);
}

#define LINE7 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
#define LINE28 LINE7 LINE7 LINE7 LINE7

Test(chart, lines_without_colours_are_letters)
{
    static const double low[] = {0, 0}, high[] = {1, 1}, middle[] = {0.5, 0.5};
    const mass_chart_line lines[] = {{.label = "low", .y = low}, {.label = "high", .y = high},
                                     {.label = "x = 2", .y = middle}};
    const mass_chart chart = {"x", "three", MASS_CHART_LINES, 0, 1, 2, 3, lines, .counts = false};
    char *text = mass_chart_draw(&chart, 40, 9, false);
    cr_expect_str_eq(text, "           three\n"
                           "           a low     b high    c x = 2\n"
                           "         1 \u2502bbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
                           "           \u2502                            \n"
                           "       0.5 \u2502cccccccccccccccccccccccccccc\n"
                           "           \u2502                            \n"
                           "         0 \u2502aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
                           "           \u2514" LINE28 "\n"
                           "            0            x             1\n", "found\n%s", text);
    free(text);
}

Test(chart, a_band_is_shaded_behind_its_line)
{
    static const double y[] = {5, 5}, low[] = {2, 2}, high[] = {8, 8};
    const mass_chart_line line = {.label = "y", .y = y, .low = low, .high = high};
    char *text = draw(&(mass_chart){"x", "y", MASS_CHART_LINES, 0, 1, 2, 1, &line, .counts = false}, false);
    cr_expect_not_null(strstr(text, "         8 \u2502\u2591\u2591\u2591"), "%s", text);
    cr_expect_not_null(strstr(text, "         5 \u2502\u2580\u2580\u2580"), "%s", text);
    cr_expect_not_null(strstr(text, "         2 \u2502\u2591\u2591\u2591"), "%s", text);
    free(text);
}

/* Lines of a chart's text, and the characters of the longest one. */
static int measure(const char *text, int *widest)
{
    int lines = 0, characters = 0;
    for (*widest = 0; *text; text++) {
        characters = *text == '\n' ? 0 : characters + ((*text & 0xc0) != 0x80);
        lines += *text == '\n';
        *widest = characters > *widest ? characters : *widest;
    }
    return lines;
}

Test(chart, a_legend_of_many_lines_fits)
{
    static const double y[] = {0, 1};
    static char labels[300][24];
    mass_chart_line lines[300];
    for (int i = 0; i < 300; i++) {
        snprintf(labels[i], sizeof labels[i], "growback = %d", i + 1);
        lines[i] = (mass_chart_line){.label = labels[i], .y = y};
    }
    for (size_t count = 2; count <= 300; count = count < 20 ? count + 1 : count * 2) {
        int widest;
        const mass_chart chart = {"x", "y", MASS_CHART_LINES, 0, 1, 2, count, lines, .counts = false};
        char *text = mass_chart_draw(&chart, 80, 22, false);
        cr_expect_eq(measure(text, &widest), 22, "%zu lines\n%s", count, text);
        cr_expect_leq(widest, 80, "%zu lines\n%s", count, text);
        for (size_t i = 0; i < count && count <= 20; i++) cr_expect_not_null(strstr(text, labels[i]), "%s", text);
        cr_expect_eq(strstr(text, " more\n") != NULL, count > 33, "%zu lines\n%s", count, text);
        free(text);
    }
}

/* Counts do not begin below 0, whatever else would be drawn around a line that stays there. */
Test(chart, counts_begin_at_0_at_the_least)
{
    const mass_chart_line line = {.label = "y", .y = (const double[]){0, 0, 0}};
    mass_chart c = {.x_label = "x", .y_label = "y", .x_last = 2, .count = 3, .line_count = 1, .lines = &line};
    char *real = draw(&c, false);
    cr_expect_not_null(strstr(real, "        -1 \u2502"), "%s", real);
    c.counts = true;
    char *counts = draw(&c, false);
    cr_expect(!strstr(counts, "-1") && strstr(counts, "\n         0 \u2502"), "%s", counts);
    free(real);
    free(counts);
}

/* What is beyond the ends of the axis is not drawn, however far away. */
Test(chart, the_axis_ends_where_it_is_told_to)
{
    const mass_chart_line line = {.label = "y", .y = (const double[]){-1e308, 5, 1e308}};
    mass_chart c = {.x_label = "x", .y_label = "y", .x_last = 2, .count = 3, .line_count = 1, .lines = &line,
                    .y_min_given = true, .y_min = 4, .y_max_given = true, .y_max = 8};
    char *both = draw(&c, false);
    cr_expect(strstr(both, "         8 \u2502") && strstr(both, "\n         4 \u2502"), "%s", both);
    c.y_max_given = false;
    c.y_min = 1e300;
    char *above = draw(&c, false); /* of nothing that there is */
    cr_expect_not_null(above);
    free(both);
    free(above);
}
