/* mass-engine plot: what is drawn, and what is refused. */
#include "command.h"

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

TestSuite(plot, .init = make_series, .fini = scratch_remove);

static const char *series(void) { return scratch("out/series.h5"); }

Test(plot, draws_with_half_blocks_and_labelled_axes)
{
    const outcome o = RUN("plot", series(), "ramp");
    DONE(o);
    cr_assert_str_empty(o.err);
    static const char *const pieces[] = {"ramp\n", "ramp, world 1", "       181 \u2502", "\n         1 \u2502", "step",
                                         " 90\n", "\u2584", "\u2580"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        cr_assert_not_null(strstr(o.out, pieces[i]), "no '%s' in\n%s", pieces[i], o.out);
    cr_assert_null(strstr(o.out, "\033"), "colours, and no terminal");
    for (const char *line = o.out, *end; (end = strchr(line, '\n')); line = end + 1) {
        int characters = 0;
        for (const char *c = line; c < end; c++) characters += (*c & 0xc0) != 0x80;
        cr_assert_leq(characters, 80);
    }
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

Test(plot, what_is_wrong_with_the_command)
{
    REFUSED(RUN("plot"), MASS_BAD_USAGE, "plot needs a file and names");
    REFUSED(RUN("plot", series()), MASS_BAD_USAGE, "plot needs a file and names");
    REFUSED(RUN("plot", series(), "births", "ramp"), MASS_BAD_USAGE, "joined by commas", "'ramp'");
    REFUSED(RUN("plot", series(), "births", "--bars"), MASS_BAD_USAGE, "plot has no option --bars");
    REFUSED(RUN("plot", series(), "births", "-o"), MASS_BAD_USAGE, "-o needs a value");
    REFUSED(RUN("plot", series(), "births", "-o", "a.pdf"), MASS_BAD_USAGE, "a.pdf does not end in .png");
    REFUSED(RUN("plot", series(), "wolves"), MASS_BAD_USAGE, "has no series 'wolves'; it has population, ramp, births");
    REFUSED(RUN("plot", series(), "births,"), MASS_BAD_USAGE, "has no series ''");
    REFUSED(RUN("plot", series(), "births,ramp", "--bins"), MASS_BAD_USAGE, "one series at once");
}

Test(plot, what_is_wrong_with_the_file)
{
    REFUSED(RUN("plot", scratch("none.h5"), "births"), MASS_BAD_INPUT, "none.h5: No such file");
    file_write_text(scratch("text.h5"), "text");
    REFUSED(RUN("plot", scratch("text.h5"), "births"), MASS_BAD_INPUT, "text.h5 is no whole file of series");
    REFUSED(RUN("plot", scratch("out/ckpt-000000000090.h5"), "births"), MASS_BAD_INPUT, "is no whole file of series");
    REFUSED(RUN("plot", scratch("out"), "births"), MASS_BAD_INPUT, "it is no file");
}

/* ---- gnuplot ---- */

static void without_gnuplot(void) { setenv("PATH", "/nowhere", 1); }

Test(plot, a_png_needs_gnuplot)
{
    const outcome o = RUN_WITH(IN(.prepare = without_gnuplot), "plot", series(), "births", "-o", scratch("a.png"));
    REFUSED(o, MASS_FAILED, "a.png", "gnuplot, which is not installed", "leave out -o");
    cr_assert_eq(folder_count(scratch("")), 2, "a file was left");
}

/* A gnuplot that keeps what it is told, and writes what it is told to. */
static void with_a_recorder(void) { setenv("PATH", path_of("%s:/usr/bin:/bin", scratch("bin")), 1); }

static void make_recorder(const char *end)
{
    folder_make(scratch("bin"));
    file_write_text(scratch("bin/gnuplot"), path_of("#!/bin/sh\ncat > %s\n%s\n", scratch("script"), end));
    chmod(scratch("bin/gnuplot"), 0755);
}

Test(plot, gnuplot_is_told_points_and_labels)
{
    make_recorder("echo done > \"$(sed -n \"s/^set output '\\(.*\\)'/\\1/p\" \"$(dirname $0)/../script\" | sed "
                  "\"s/''/'/g\")\"");
    DONE(RUN_WITH(IN(.prepare = with_a_recorder), "plot", series(), "ramp,births", "-o", scratch("it's.png")));
    cr_assert_str_eq((char *)file_read(scratch("it's.png")).bytes, "done\n");
    const char *script = (const char *)file_read(scratch("script")).bytes;
    static const char *const pieces[] = {"set xlabel 'step'\n", "set ylabel 'ramp, births'\n",
                                         "title 'ramp, world 1' with lines", "\n0 1\n1 3\n2 5\n", "\n90 181\ne\n"};
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

Test(plot, a_png_of_gnuplot_itself)
{
    if (system("command -v gnuplot > /dev/null") != 0) cr_skip_test("gnuplot is not installed");
    DONE(RUN("plot", series(), "births", "-o", scratch("lines.png")));
    DONE(RUN("plot", series(), "births", "--bins", "-o", scratch("bars.png")));
    static const char *const files[] = {"lines.png", "bars.png"};
    for (int i = 0; i < 2; i++) {
        const content png = file_read(scratch(files[i]));
        cr_assert(png.size > 1000 && memcmp(png.bytes, "\211PNG", 4) == 0);
    }
}
