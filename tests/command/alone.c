/* SPDX-License-Identifier: Apache-2.0 */
/* The models that ship, with nothing or little but their names: what they show to somebody who has read nothing. */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(alone, SCRATCH);

static outcome ran(const char *const arguments[])
{
    const outcome o = command_run(NULL, arguments);
    assert_done(&o, 0);
    return o;
}
#define RAN(...) ran(ARGUMENTS("--threads", "1", __VA_ARGS__))

/* ---- the seed ---- */

static void expect_seed(const outcome *o, bool told)
{
    cr_expect_eq(strstr(o->err, "seed") != NULL, told, "%s", o->err);
}

Test(alone, a_seed_is_told_where_random_numbers_are_drawn_and_nowhere_else)
{
    const char *rows = scratch("rows.csv");
    file_write_text(rows, "heat\n1\n2\n");
    const outcome seedless[] = {
        RAN("--plugin", "heat", "--steps", "1"), RAN("--plugin", "heat", "--steps", "1", "--sweep", rows),
        RAN("--plugin", "life", "--steps", "1", "--set", path_of("pattern=%s", data_file("acorn.rle"))),
        RAN("--plugin", "histogram", "--set", path_of("input=%s", rows))};
    for (size_t i = 0; i < sizeof seedless / sizeof *seedless; i++) expect_seed(&seedless[i], false);
    const outcome seeded[] = {RAN("--plugin", "heat", "--steps", "1", "--set", "start=random"),
                              RAN("--plugin", "life", "--steps", "1"), RAN("--plugin", "vector", "--size", "8x8")};
    for (size_t i = 0; i < sizeof seeded / sizeof *seeded; i++) expect_seed(&seeded[i], true);
}

Test(alone, without_random_numbers_all_runs_are_one)
{
#define HEAT "--plugin", "heat", "--steps", "3", "--quiet", "--checkpoint", scratch("out")
    DONE(RUN(HEAT));
    DONE(RUN(HEAT)); /* it would be another run's folder */
}

/* ---- numbers ---- */

/* The most digits of a number with a point or an exponent in the lines of tallies; leading zeros are none. */
static int digits_of_reals(const char *text)
{
    int most = 0;
    for (const char *c = text; *c;) {
        if (!isdigit((unsigned char)*c)) {
            c++;
            continue;
        }
        int digits = 0;
        bool real = false;
        for (; isdigit((unsigned char)*c) || *c == '.'; c++) {
            real |= *c == '.';
            digits += isdigit((unsigned char)*c) && (digits || *c != '0');
        }
        if (real && digits > most) most = digits;
    }
    return most;
}

Test(alone, numbers_have_six_digits)
{
    const outcome heat = RAN("--plugin", "heat", "--steps", "50");
    const outcome vector = RAN("--plugin", "vector", "--size", "99x9", "--seed", "1");
    cr_expect_eq(digits_of_reals(strstr(heat.err, "  total")), 6, "%s", heat.err);
    cr_expect_eq(digits_of_reals(strstr(vector.err, "  dot")), 6, "%s", vector.err);
}

/* ---- models ---- */

static double tally(const outcome *o, const char *name)
{
    json_t *report = outcome_json(o), *value = json_object_get(json_object_get(report, "tallies"), name);
    cr_assert(json_is_number(value), "%s", name);
    const double number = json_number_value(value);
    json_decref(report);
    return number;
}

Test(alone, heat_is_of_an_edge_that_is_hot_and_warms_the_plate)
{
    const outcome o = RAN("--plugin", "heat", "--json", "--tally", "warmth=mean(temperature[0])");
    cr_expect_eq(tally(&o, "maximum"), 100);
    cr_expect_gt(tally(&o, "warmth"), 5);
}

Test(alone, minesweeper_tells_how_well_its_agents_do)
{
    const char *text = scratch("learnt.csv");
    RAN("--plugin", "minesweeper", "--seed", "1", "--steps", "3000", "--log-every", "1500", "--series", text);
    double early, late;
    const char *rows = (const char *)file_read(text).bytes;
    cr_assert_eq(sscanf(rows, "step,success\n0,\n1500,%lf\n3000,%lf\n", &early, &late), 2, "%s", rows);
    cr_expect(early > 0 && early < late && late <= 1, "%g, then %g", early, late);
}

/* A mine is worth -1 and the flag 1, which is what pictures show; nothing else is worth as much. */
Test(alone, minesweeper_draws_what_places_are_worth)
{
    const outcome o = RAN("--plugin", "minesweeper", "--seed", "1", "--steps", "500", "--json", "--tally",
                          "bins=hist(value,4,-1,1)", "--tally", "most=max(value)", "--tally", "least=min(value)",
                          "--image", scratch("board.png"));
    cr_expect(tally(&o, "most") == 1 && tally(&o, "least") == -1);
    cr_expect(file_exists(scratch("board.png")));
}

/* The counts at the ends of the lines that have bars. */
static long long sum_of_bars(const char *text, int *bars)
{
    long long sum = 0;
    char *copy = kept(strdup(text)), *rest = NULL;
    *bars = 0;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "histogram: ", 11) == 0 && strchr(line, '#')) sum += atoll(strrchr(line, ' ')), ++*bars;
    return sum;
}

Test(alone, histogram_draws_bars_that_come_to_all_items)
{
    const char *input = scratch("letters");
    file_write_text(input, "aaaaaaaaaaaabbbzzz\xff");
    int bars;
    const outcome o = RAN("--plugin", "histogram", "--set", path_of("input=%s", input));
    cr_expect_eq(sum_of_bars(o.err, &bars), 19, "%s", o.err);
    cr_expect_eq(bars, 3, "%s", o.err); /* a and b, z, and 255 */
    cr_expect_not_null(strstr(o.err, " 97 to 106  ######################################## 15\n"), "%s", o.err);
    const outcome none = RAN("--plugin", "histogram", "--set", path_of("input=%s", input), "--set", "rows=0");
    cr_expect(sum_of_bars(none.err, &bars) == 0 && bars == 0, "%s", none.err);
}

Test(alone, histogram_logs_its_counts)
{
    const char *input = scratch("letters"), *text = scratch("counts.csv");
    file_write_text(input, "abc");
    RAN("--plugin", "histogram", "--set", path_of("input=%s", input), "--log-every", "1", "--series", text);
    cr_expect_eq(strncmp((const char *)file_read(text).bytes, "step,counts[0],counts[1],", 25), 0);
}

Test(alone, histogram_shows_what_comes_out_and_says_that_it_has_no_input)
{
    int bars;
    const outcome o = RAN("--plugin", "histogram");
    cr_expect_not_null(strstr(o.err, "no --set input=FILE was given"), "%s", o.err);
    cr_expect_gt(sum_of_bars(o.err, &bars), 0);
}
