/* SPDX-License-Identifier: Apache-2.0 */
/* mass-engine plot: what is drawn, and what is refused. */
#include "command.h"
#include "io/series/series.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void make_series(void)
{
    scratch_make();
    DONE(RUN("--plugin", "life", "--size", "32x32", "--seed", "3", "--steps", "90", "--quiet", "--worlds", "2", "--log",
             "ramp=2*step+1", "--log", "births", "--checkpoint", scratch("out")));
    DONE(RUN("--plugin", "heat", "--size", "8x8", "--seed", "3", "--steps", "3", "--quiet", "--log", "maximum",
             "--checkpoint", scratch("heat")));
}

/* Two rows of three worlds: bins 0, 1, 2, ..., of a hundred more in each world, and of a thousand in each row. */
static void write_bins(const char *folder, int32_t worlds, double lo, double hi, const char *unit)
{
    mass_error error = {0};
    mass_series_writer *s;
    mass_series_column column = {.name = "wealth", .expression = "wealth", .length = 10, .lo = lo, .hi = hi};
    strcpy(column.unit, unit);
    const mass_series_set set = {.plugin = "p", .every = 5, .worlds = worlds, .first_world = 4, .count = 1,
                                 .columns = &column};
    cr_assert_eq(mass_series_create(&set, folder_make(folder), NULL, NULL, 0, &s, &error), MASS_OK);
    for (int row = 0; row < 2; row++) {
        double values[30];
        for (int i = 0; i < 10 * worlds; i++) values[i] = 1000 * row + 100 * (i / 10) + i % 10;
        cr_assert_eq(mass_series_add(s, 20 + 5 * (uint64_t)row, values, &error), MASS_OK);
    }
    cr_assert_eq(mass_series_publish(s, &error), MASS_OK, "%s", error.text);
    mass_series_free(s);
}

/* Rows of steps 0 and 5 of so many worlds, `each` of which have the same: growback 1, 2, 3, ... A row has 10 times the
 * world's number, and 1000 more in the second one. */
static void write_sweep(const char *folder, int32_t worlds, int32_t each)
{
    mass_error error = {0};
    mass_series_writer *s;
    mass_series_column columns[] = {{.name = "ants", .expression = "ants"}, {.name = "sugar", .expression = "sugar"}};
    mass_series_set set = {.plugin = "p", .every = 5, .worlds = worlds, .first_world = 4, .count = 2,
                           .columns = columns};
    cr_assert_eq(mass_parameters_add(&set.parameters, &(mass_parameter){.name = "growback", .type = MASS_REAL},
                                     &error), MASS_OK);
    set.parameters.worlds = worlds;
    set.parameters.slots[0].swept = calloc((size_t)worlds, sizeof(uint64_t));
    for (int32_t w = 0; w < worlds; w++)
        memcpy(&set.parameters.slots[0].swept[w], &(double){1 + w / each}, sizeof(double));
    cr_assert_eq(mass_series_create(&set, folder_make(folder), NULL, NULL, 0, &s, &error), MASS_OK);
    for (int row = 0; row < 2; row++) {
        double values[200];
        for (int i = 0; i < 2 * worlds; i++) values[i] = 1000 * row + 10 * (i % worlds);
        cr_assert_eq(mass_series_add(s, 5 * (uint64_t)row, values, &error), MASS_OK);
    }
    cr_assert_eq(mass_series_publish(s, &error), MASS_OK, "%s", error.text);
    mass_series_free(s);
    mass_parameters_free(&set.parameters);
}

static void assert_drawn(const outcome *o, const char *const pieces[])
{
    assert_done(o, 0);
    for (size_t i = 0; pieces[i]; i++)
        cr_assert_not_null(strstr(o->out, pieces[i]), "no '%s' in\n%s", pieces[i], o->out);
}
#define DRAWN(OUTCOME, ...) assert_drawn(&(const outcome[]){OUTCOME}[0], ARGUMENTS(__VA_ARGS__))

/* On a terminal of 80 x 24, without colours. */
static void expect_to_fit(const outcome *o)
{
    int lines = 0;
    assert_done(o, 0);
    cr_assert_null(strstr(o->out, "\033"), "colours, and no terminal");
    for (const char *line = o->out, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        int characters = 0;
        for (const char *c = line; c < end; c++) characters += (*c & 0xc0) != 0x80;
        cr_assert_leq(characters, 80);
    }
    cr_assert_leq(lines, 24);
}

TestSuite(plot, .init = make_series, .fini = scratch_remove);

static const char *series(void) { return scratch("out/series.h5"); }

Test(plot, draws_with_half_blocks_and_labelled_axes)
{
    const outcome o = RUN("plot", series(), "ramp", "--mean");
    DONE(o);
    cr_assert_str_empty(o.err);
    static const char *const pieces[] = {"ramp, mean and standard deviation of 2 worlds\n", "       181 \u2502",
                                         "\n         1 \u2502", "step",
                                         " 90\n", "\u2584", "\u2580"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        cr_assert_not_null(strstr(o.out, pieces[i]), "no '%s' in\n%s", pieces[i], o.out);
    expect_to_fit(&o);
}

/* ---- several worlds ---- */

/* A gnuplot that keeps what it is told, and writes what it is told to. */
static void with_a_recorder(void) { setenv("PATH", path_of("%s:/usr/bin:/bin", scratch("bin")), 1); }

/* A picture of one place. */
static const char dot_png[] =
    "\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\001\000\000\000\001\010\000"
    "\000\000\000\072\176\233\125\000\000\000\012\111\104\101\124\170\234\143\140\007\000\000\011\000\010\040"
    "\043\303\214\000\000\000\000\111\105\116\104\256\102\140\202";

static void make_recorder(const char *end)
{
    if (!file_exists(scratch("bin"))) folder_make(scratch("bin"));
    file_write(scratch("bin/png"), dot_png, sizeof dot_png - 1);
    file_write_text(scratch("bin/gnuplot"), path_of("#!/bin/sh\ncat > %s\n%s\n", scratch("script"), end));
    chmod(scratch("bin/gnuplot"), 0755);
}

/* Ends by writing where it is told to. */
static const char to_output[] = "cat \"$(dirname $0)/png\" > \"$(sed -n \"s/^set output '\\(.*\\)'/\\1/p\" "
                                "\"$(dirname $0)/../script\" | sed \"s/''/'/g\")\"";

Test(plot, lines_are_called_by_their_parameters)
{
    write_sweep(scratch("sweep"), 3, 1);
    const outcome o = RUN("plot", scratch("sweep/series.h5"), "ants");
    DRAWN(o, "           ants\n           a growback = 1   b growback = 2   c growback = 3\n", "\u2502", "ccc", "bb",
          "aa");
    cr_assert_null(strstr(o.out, "world"), "%s", o.out);
    DRAWN(RUN("plot", scratch("sweep/series.h5"), "ants,sugar"), "a ants, growback = 1 ", "f sugar, growback = 3\n");
    write_sweep(scratch("twice"), 4, 2);
    DRAWN(RUN("plot", scratch("twice/series.h5"), "ants"), "a growback = 1, world 4 ", "d growback = 2, world 7\n");
    DRAWN(RUN("plot", series(), "ramp"), "a world 0   b world 1\n");
    DRAWN(RUN("plot", series(), "ramp,births"), "a ramp, world 0 ", "d births, world 1\n");
}

/* Beside the population of 1,024 places, births would be a line along the bottom. */
Test(plot, series_of_unlike_size_have_a_chart_each)
{
    DONE(RUN("life", "--size", "32", "--seed", "3", "--steps", "90", "--quiet", "--log", "large=1000*step", "--log",
             "births", "--checkpoint", scratch("unlike")));
    const outcome o = RUN("plot", scratch("unlike/series.h5"), "large,births");
    DRAWN(o, "           large\n     9e+04 \u2502", "           births\n");
    const char *births = strstr(o.out, "births"), *first = strstr(o.out, "step");
    cr_assert(first && births > first && strstr(births, "step"), "%s", o.out);
    cr_assert_null(strstr(o.out, "a large"), "lines need no letters:\n%s", o.out);
    make_recorder(to_output);
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", scratch("unlike/series.h5"), "large,births", "-o",
                  scratch("two.png")));
    const char *script = (const char *)file_read(scratch("script")).bytes;
    cr_assert(strstr(script, "set multiplot layout 2,1\n") && strstr(script, "set ylabel 'large'") &&
              strstr(script, "set ylabel 'births'"), "%s", script);
}

Test(plot, twenty_runs_have_a_legend_that_fits)
{
    write_sweep(scratch("sweep"), 20, 1);
    const outcome o = RUN("plot", scratch("sweep/series.h5"), "ants");
    expect_to_fit(&o);
    for (int i = 0; i < 20; i++) DRAWN(o, path_of(" %c growback = %d", 'a' + i, i + 1));
}

/* The points of line `number` in what gnuplot is told, with `columns` numbers each. */
static void expect_points(const char *script, int number, int columns, const double *wanted)
{
    const char *at = strchr(strstr(script, "\nplot ") + 1, '\n') + 1;
    for (int i = 0; i < number; i++) at = strstr(at, "\ne\n") + 3;
    for (int i = 0; i < 2 * columns; i++) {
        char *end;
        cr_expect_float_eq(strtod(at, &end), wanted[i], 1e-9, "line %d, number %d: %.20s", number, i, at);
        at = end;
    }
}

static const char *script_of(const char *file, const char *name)
{
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", file, name, "--mean", "-o", scratch("a.png"), "--force"));
    return (const char *)file_read(scratch("script")).bytes;
}

/* Of 0, 10, 20 the standard deviation is 10. */
Test(plot, the_mean_is_in_a_band_of_one_standard_deviation)
{
    make_recorder(to_output);
    write_sweep(scratch("sweep"), 6, 3);
    const char *script = script_of(scratch("sweep/series.h5"), "ants");
    expect_points(script, 0, 3, (const double[]){0, 0, 20, 5, 1000, 1020});
    expect_points(script, 1, 2, (const double[]){0, 10, 5, 1010});
    expect_points(script, 2, 3, (const double[]){0, 30, 50, 5, 1030, 1050});
    expect_points(script, 3, 2, (const double[]){0, 40, 5, 1040});
    cr_expect_not_null(strstr(script, "title 'growback = 2, 3 worlds' with lines"), "%s", script);
    cr_expect_not_null(strstr(script, "set ylabel 'ants, mean and standard deviation'\n"), "%s", script);
    write_sweep(scratch("alone"), 3, 1); /* no two are alike */
    script = script_of(scratch("alone/series.h5"), "ants");
    expect_points(script, 0, 3, (const double[]){0, 0, 20, 5, 1000, 1020});
    expect_points(script, 1, 2, (const double[]){0, 10, 5, 1010});
    cr_expect_not_null(strstr(script, "set ylabel 'ants, mean and standard deviation of 3 worlds'\n"), "%s", script);
}

Test(plot, units_stand_beside_names)
{
    const outcome o = RUN("plot", scratch("heat/series.h5"), "maximum");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "maximum (K)"), "%s", o.out);
}

Test(plot, bars_are_of_the_last_row)
{
    const outcome o = RUN("plot", series(), "ramp", "--bins");
    DONE(o);
    cr_assert_not_null(strstr(o.out, "ramp at step 90"), "%s", o.out);
    cr_assert_not_null(strstr(o.out, "       181 \u2502\u2588"), "%s", o.out);
    cr_assert_not_null(strstr(o.out, "world"), "%s", o.out);
}

Test(plot, bins_are_bars_of_the_last_row)
{
    write_bins(scratch("bins"), 1, -0.25, 2.5, "EUR");
    DRAWN(RUN("plot", scratch("bins/series.h5"), "wealth"), "wealth at step 25\n", "\n      1009 \u2502",
          "\n            -0.25", " EUR ", " 2.5\n");
    DRAWN(RUN("plot", scratch("bins/series.h5"), "wealth", "--at", "20"), "wealth at step 20\n", "\n         9 \u2502");
}

Test(plot, bins_without_edges_have_numbers)
{
    write_bins(scratch("bins"), 3, 0, 0, "");
    DRAWN(RUN("plot", scratch("bins/series.h5"), "wealth"), "wealth at step 25, world 4\n", "\n      1009 \u2502",
          "\n            0  ", " bin ", " 9\n");
    DRAWN(RUN("plot", scratch("bins/series.h5"), "wealth", "--world", "6"), "wealth at step 25, world 6\n",
          "\n      1209 \u2502");
}

Test(plot, bars_of_worlds_are_of_any_row)
{
    DRAWN(RUN("plot", series(), "ramp", "--bins", "--at", "30"), "ramp at step 30", "        61 \u2502\u2588", "world");
}

Test(plot, what_is_wrong_with_bins)
{
    write_bins(scratch("bins"), 3, 0, 0, "");
    const char *bins = scratch("bins/series.h5");
    REFUSED(RUN("plot", bins, "wealth", "--at", "21"), MASS_BAD_USAGE, "no row of step 21: its rows are of every 5 "
            "from 20 to 25");
    REFUSED(RUN("plot", bins, "wealth", "--at", "30"), MASS_BAD_USAGE, "no row of step 30");
    REFUSED(RUN("plot", bins, "wealth", "--at", "0"), MASS_BAD_USAGE, "no row of step 0");
    REFUSED(RUN("plot", bins, "wealth", "--at"), MASS_BAD_USAGE, "--at needs a value");
    REFUSED(RUN("plot", bins, "wealth", "--at", "-5"), MASS_BAD_USAGE, "--at -5 is not an integer from 0 to");
    REFUSED(RUN("plot", bins, "wealth", "--world", "7"), MASS_BAD_USAGE, "has no world 7: it has 4 to 6");
    REFUSED(RUN("plot", bins, "wealth", "--world", "3"), MASS_BAD_USAGE, "has no world 3");
    REFUSED(RUN("plot", bins, "wealth,wealth"), MASS_BAD_USAGE, "'wealth' has bins, and is drawn alone");
    REFUSED(RUN("plot", bins, "wealth", "--mean"), MASS_BAD_USAGE, "--mean is for lines over steps");
    REFUSED(RUN("plot", series(), "births", "--bins", "--mean"), MASS_BAD_USAGE, "--mean is for lines over steps");
    REFUSED(RUN("plot", scratch("heat/series.h5"), "maximum", "--mean"), MASS_BAD_USAGE, "the file has one");
    REFUSED(RUN("plot", series(), "births", "--at", "30"), MASS_BAD_USAGE, "--at is for series with bins");
    REFUSED(RUN("plot", series(), "births", "--bins", "--world", "0"), MASS_BAD_USAGE, "--world is for series with "
            "bins");
}

Test(plot, what_is_wrong_with_the_command)
{
    REFUSED(RUN("plot"), MASS_BAD_USAGE, "plot needs a file and names");
    REFUSED(RUN("plot", series()), MASS_BAD_USAGE, "series.h5 has population, ramp, births: say which, as in "
            "mass-engine plot ", "series.h5 population");
    REFUSED(RUN("plot", series(), "births", "ramp"), MASS_BAD_USAGE, "joined by commas", "'ramp'");
    REFUSED(RUN("plot", series(), "births", "--bars"), MASS_BAD_USAGE, "no option --bars; did you mean --bins?");
    REFUSED(RUN("plot", series(), "births", "-o"), MASS_BAD_USAGE, "-o needs a value");
    REFUSED(RUN("plot", series(), "births", "-o", "a.jpg"), MASS_BAD_USAGE, "a.jpg does not end in .png, .svg or");
    REFUSED(RUN("plot", series(), "wolves"), MASS_BAD_USAGE, "has no series 'wolves'; it has population, ramp, births");
    REFUSED(RUN("plot", series(), "birhts"), MASS_BAD_USAGE, "no series 'birhts'; did you mean 'births'? It has pop");
    REFUSED(RUN("plot", series(), "births,"), MASS_BAD_USAGE, "has no series ''");
    REFUSED(RUN("plot", series(), "births,ramp", "--bins"), MASS_BAD_USAGE, "one series at once");
}

Test(plot, what_is_wrong_with_the_file)
{
    REFUSED(RUN("plot", scratch("none.h5"), "births"), MASS_BAD_INPUT, "none.h5: No such file");
    file_write_text(scratch("text.h5"), "text");
    REFUSED(RUN("plot", scratch("text.h5"), "births"), MASS_BAD_INPUT, "text.h5 is not an HDF5 file that can be read");
    REFUSED(RUN("plot", scratch("out/ckpt-000000000090.h5"), "births"), MASS_BAD_INPUT,
            "is not a whole file of series");
    DONE(RUN("--plugin", "life", "--size", "8x8", "--steps", "2", "--quiet", "--seed", "1", "--checkpoint",
             scratch("none"), "--log", "nothing=0/0"));
    REFUSED(RUN("plot", scratch("none/series.h5"), "nothing"), MASS_BAD_INPUT,
            "there are no numbers to draw of nothing");
}

/* ---- gnuplot ---- */

static void without_gnuplot(void) { setenv("PATH", "/nowhere", 1); }

/* As one leaves it that could not write all, and ends well. */
Test(plot, a_png_that_is_not_whole_is_refused)
{
#define DOT "\"$(dirname $0)/png\""
    static const char *const spoiled[] = {"head -c 60 " DOT, "head -c 1 " DOT, "tail -c +2 " DOT,
                                          "sed s/IDAT/JDAT/ " DOT, "cat " DOT " " DOT};
    for (size_t i = 0; i < sizeof spoiled / sizeof *spoiled; i++) {
        make_recorder(path_of("%s %s", spoiled[i], strchr(to_output, '>')));
        const outcome o = RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", scratch("a.png"));
        REFUSED(o, MASS_FAILED, "a.png", "gnuplot made no whole PNG");
        cr_assert(!file_exists(scratch("a.png")));
    }
}

Test(plot, a_png_needs_gnuplot)
{
    const outcome o = RUN_WITH(IN(.prepare = without_gnuplot), "plot", series(), "births", "-o", scratch("a.png"));
    REFUSED(o, MASS_FAILED, "a.png", "gnuplot, which is not installed", "leave out -o");
    cr_assert_eq(folder_count(scratch("")), 2, "a file was left");
}

Test(plot, gnuplot_is_told_points_and_labels)
{
    make_recorder(to_output);
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "ramp,births", "-o", scratch("it's.png")));
    const content png = file_read(scratch("it's.png"));
    cr_assert(png.size == 99 && memcmp(png.bytes + 91, "IEND", 4) == 0);
    cr_assert(memcmp(png.bytes + 37, "tEXtSoftware", 12) == 0);
    const char *script = (const char *)file_read(scratch("script")).bytes;
    static const char *const pieces[] = {"set xlabel 'step'\n", "set ylabel 'ramp, births'\n",
                                         "title 'ramp, world 1' with lines", "\n0 1\n1 3\n2 5\n", "\n90 181\ne\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        cr_assert_not_null(strstr(script, pieces[i]), "no '%s' in\n%s", pieces[i], script);
}

Test(plot, gnuplot_is_told_where_bins_lie)
{
    write_bins(scratch("bins"), 1, -1, 4, "EUR");
    make_recorder(to_output);
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", scratch("bins/series.h5"), "wealth", "-o", scratch("a.png")));
    const char *script = (const char *)file_read(scratch("script")).bytes;
    static const char *const pieces[] = {"set xlabel 'EUR'\n", "set ylabel 'wealth at step 25'\n", "set boxwidth 0.5 ",
                                         "set xrange [-1:4]\n", " with boxes linecolor rgb ",
                                         "\n-0.75 1000\n-0.25 1001\n",
                                         "\n3.75 1009\ne\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        cr_assert_not_null(strstr(script, pieces[i]), "no '%s' in\n%s", pieces[i], script);
}

Test(plot, a_gnuplot_that_fails_leaves_no_file)
{
    make_recorder("exit 3");
    REFUSED(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", scratch("a.png")), MASS_FAILED,
            "a.png: gnuplot failed");
    cr_assert_eq(folder_count(scratch("")), 4, "a file was left");
}

/* Named instead of the file that a run has written there. */
Test(plot, a_folder)
{
    const outcome of_file = RUN("plot", series(), "ramp"), of_folder = RUN("plot", scratch("out"), "ramp");
    DONE(of_folder);
    cr_assert_str_eq(of_folder.out, of_file.out);
    DONE(RUN("plot", path_of("%s/", scratch("out")), "ramp"));
    REFUSED(RUN("plot", folder_make(scratch("empty")), "ramp"), MASS_BAD_INPUT, "empty is a folder without a series.h5",
            "--log-every N");
}

Test(plot, a_png_of_gnuplot_itself)
{
    if (system("command -v gnuplot > /dev/null") != 0) cr_skip_test("gnuplot is not installed");
    DONE(RUN("plot", series(), "births", "-o", scratch("lines.png")));
    DONE(RUN("plot", series(), "births", "--bins", "-o", scratch("bars.png")));
    write_bins(scratch("bins"), 1, -1, 4, "EUR");
    DONE(RUN("plot", scratch("bins/series.h5"), "wealth", "-o", scratch("bins.png")));
    static const char *const files[] = {"lines.png", "bars.png", "bins.png"};
    for (int i = 0; i < 3; i++) {
        const content png = file_read(scratch(files[i]));
        cr_assert(png.size > 1000 && memcmp(png.bytes, "\211PNG", 4) == 0);
    }
    DONE(RUN("plot", series(), "births", "-o", scratch("lines.png"))); /* which replaces its own */
}

Test(plot, a_png_of_another_program_stays)
{
    make_recorder(to_output);
    file_write_text(scratch("a.png"), "mine");
    REFUSED(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", scratch("a.png")),
            MASS_BAD_USAGE, "a.png exists", "--force");
    cr_assert_eq(file_read(scratch("a.png")).size, 4);
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", scratch("a.png"), "--force"));
    cr_assert_eq(file_read(scratch("a.png")).size, 99);
}

/* ---- ranges ---- */

Test(plot, steps_from_and_to_are_drawn)
{
    make_recorder(to_output);
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "ramp", "--mean", "--from", "30", "--to", "31",
                  "--y-min", "-5", "--y-max", "1e3", "-o", scratch("a.png")));
    const char *script = (const char *)file_read(scratch("script")).bytes;
    expect_points(script, 1, 2, (const double[]){30, 61, 31, 63});
    cr_expect(strstr(script, "\nset xrange [30:31]\n") && strstr(script, "\nset yrange [-5:1000]\n"), "%s", script);
    DRAWN(RUN("plot", series(), "ramp", "--from", "40", "--to", "60", "--y-max", "500"), "500 \u2502", "40 ", " 60\n");
    DRAWN(RUN("plot", series(), "ramp", "--to", "1000000"), " 90\n");
    REFUSED(RUN("plot", series(), "ramp", "--from", "91"), MASS_BAD_USAGE, "no row between --from and --to",
            "of every step from 0 to 90");
    REFUSED(RUN("plot", series(), "ramp", "--from", "9", "--to", "8"), MASS_BAD_USAGE, "--from 9 is after --to 8");
    REFUSED(RUN("plot", series(), "ramp", "--y-min", "9", "--y-max", "8"), MASS_BAD_USAGE, "--y-min 9 is not below");
    REFUSED(RUN("plot", series(), "ramp", "--y-min", "low"), MASS_BAD_USAGE, "--y-min low is not a number");
    REFUSED(RUN("plot", series(), "ramp", "--y-max", "1e308"), MASS_BAD_USAGE, "--y-max 1e308 is not a number up to");
    DRAWN(RUN("plot", series(), "ramp", "--y-min", "0", "--y-max", "5e-324"), "ramp");
    REFUSED(RUN("plot", series(), "ramp", "--bins", "--from", "8"), MASS_BAD_USAGE, "--from and --to are for lines");
}

/* Rows of every fifth step from 20 on. */
Test(plot, steps_between_rows_are_those_that_follow)
{
    write_sweep(scratch("sweep"), 3, 1);
    DRAWN(RUN("plot", scratch("sweep/series.h5"), "ants", "--from", "1"), "           5");
    REFUSED(RUN("plot", scratch("sweep/series.h5"), "ants", "--from", "1", "--to", "4"), MASS_BAD_USAGE,
            "no row between");
}

/* The band of 0, 10, 20 and of 0 at step 0 would begin below 0. */
Test(plot, counts_are_not_drawn_below_0)
{
    make_recorder(to_output);
    DONE(RUN("life", "--size", "8", "--seed", "2", "--steps", "9", "--quiet", "--worlds", "9", "--set", "density=0.1",
             "--log", "births", "--log", "change=births-deaths", "--checkpoint", scratch("few")));
    const char *script = script_of(scratch("few/series.h5"), "births");
    cr_expect_not_null(strstr(script, "\nset yrange [0<*:*]\n"), "%s", script);
    const char *at = strchr(strstr(script, "\nplot ") + 1, '\n') + 1;
    for (double x, low, high; sscanf(at, "%lf %lf %lf", &x, &low, &high) == 3 && *at != 'e'; at = strchr(at, '\n') + 1)
        cr_expect(low >= 0 || *at == '\n', "%.30s", at);
    script = script_of(scratch("few/series.h5"), "change");
    cr_expect_not_null(strstr(script, "\nset yrange [*:*]\n"), "%s", script);
}

/* ---- SVG and PDF ---- */

Test(plot, svg_and_pdf_of_gnuplot_itself)
{
    if (system("gnuplot --version > /dev/null 2>&1") != 0) cr_skip_test("gnuplot is not installed");
    static const char *const kinds[][3] = {{"svg", "<?xml", "Software: mass-engine"},
                                           {"pdf", "%PDF-", "% Software: mass-engine"}};
    for (size_t i = 0; i < 2; i++) {
        const char *file = scratch(path_of("chart.%s", kinds[i][0]));
        DONE(RUN("plot", series(), "births", "-o", file));
        const content made = file_read(file);
        cr_assert_eq(strncmp((const char *)made.bytes, kinds[i][1], strlen(kinds[i][1])), 0);
        cr_assert_not_null(memmem(made.bytes, made.size, kinds[i][2], strlen(kinds[i][2])));
        DONE(RUN("plot", series(), "ramp", "-o", file)); /* in its place */
        file_write_text(file, "of somebody else");
        REFUSED(RUN("plot", series(), "ramp", "-o", file), MASS_BAD_USAGE, "exists", "--force");
        DONE(RUN("plot", series(), "ramp", "-o", file, "--force"));
    }
}

Test(plot, a_gnuplot_without_the_terminal_is_named)
{
    static const char *const kinds[][2] = {{"svg", "no terminal svg, which draws SVG"},
                                           {"pdf", "no terminal pdfcairo, which draws PDF"}};
    make_recorder("exit 77");
    for (size_t i = 0; i < 2; i++) {
        const char *file = scratch(path_of("chart.%s", kinds[i][0]));
        REFUSED(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", file), MASS_FAILED,
                kinds[i][1]);
        cr_assert(!file_exists(file));
        const char *script = (const char *)file_read(scratch("script")).bytes;
        cr_assert_not_null(strstr(script, path_of("if (strstrt(GPVAL_TERMINALS, ' %s ') == 0) exit status 77\n",
                                                  i ? "pdfcairo" : "svg")), "%s", script);
    }
    make_recorder(to_output); /* a PNG, which is neither */
    REFUSED(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "births", "-o", scratch("b.svg")), MASS_FAILED,
            "gnuplot made no whole SVG");
}
