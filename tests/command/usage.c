/* SPDX-License-Identifier: Apache-2.0 */
/* Options and values that the command refuses, and what it tells of itself. */
#include "../extended.h"
#include "command.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

TestSuite(usage, SCRATCH);

Test(usage, nothing_to_do)
{
    REFUSED(command_run(NULL, (const char *const[]){NULL}), MASS_BAD_USAGE, "mass-engine life", "--resume", "--help");
}

Test(usage, unknown_options)
{
    REFUSED(RUN("--plugin", "life", "--stpes", "3"), MASS_BAD_USAGE, "no option --stpes; did you mean --steps?");
    REFUSED(RUN("--plugin", "life", "--colour", "3"), MASS_BAD_USAGE, "there is no option --colour", "--help");
    REFUSED(RUN("--plugin", "life", "--resumed"), MASS_BAD_USAGE, "there is no option --resumed");
    REFUSED(RUN("--plugin", "life", "--json=yes"), MASS_BAD_USAGE, "--json takes no value");
}

Test(usage, control_characters_stay_on_one_line)
{
    REFUSED(RUN("--one\n\033[31mtwo"), MASS_BAD_USAGE, "there is no option --one\\x0a\\x1b[31mtwo");
}

Test(usage, missing_values)
{
    static const char *const options[] = {"--plugin", "--resume", "--set", "--size", "--steps", "--seed", "--worlds",
        "--first-world", "--sweep", "--device", "--threads", "--partitions", "--checkpoint", "--checkpoint-every",
        "--keep", "--image", "--movie", "--movie-every", "--slice", "--until", "--log", "--log-every", "--series"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        REFUSED(RUN(options[i]), MASS_BAD_USAGE, options[i], "needs a value");
    REFUSED(RUN("--plugin="), MASS_BAD_USAGE, "--plugin needs a value");
}

Test(usage, numbers_that_are_none)
{
    static const char *const options[] = {"--steps", "--seed", "--worlds", "--first-world", "--threads", "--partitions",
        "--checkpoint-every", "--keep", "--movie-every", "--slice", "--log-every"};
    static const char *const values[] = {"ten", "", "-1", "1.5", "1e30", "1.25e1", "1e", " 1", "0x10", "1 ",
                                         "+1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            if ((i + k) % (size_t)unsanitized(5, 1) == 0)
                REFUSED(RUN("--plugin", "life", path_of("%s=%s", options[i], values[k])), MASS_BAD_USAGE, options[i],
                        "is not an integer from");
}

Test(usage, numbers_that_are_too_small)
{
    static const char *const options[] = {"--worlds", "--threads", "--partitions", "--checkpoint-every",
                                          "--movie-every"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        REFUSED(RUN("--plugin", "life", options[i], "0"), MASS_BAD_USAGE, options[i], "from 1 to");
}

Test(usage, numbers_that_are_too_large)
{
    REFUSED(RUN("--plugin", "life", "--threads", "1025"), MASS_BAD_USAGE, "--threads 1025", "from 1 to 1024");
    REFUSED(RUN("--plugin", "life", "--worlds", "2147483648"), MASS_BAD_USAGE, "--worlds 2147483648");
}

Test(usage, steps_that_cannot_be_fused)
{
    REFUSED(RUN("--plugin", "life", "--fuse", "65"), MASS_BAD_USAGE, "--fuse 65", "from 1 to 64");
    REFUSED(RUN("--plugin", "life", "--fuse", "0"), MASS_BAD_USAGE, "--fuse 0", "from 1 to 64");
    REFUSED(RUN("--plugin", "life", "--fuse", "4", "--device", "paranoid"), MASS_BAD_USAGE,
            "--fuse 4: paranoid takes one of life's steps at once, as the device has no way to");
    REFUSED(RUN("--plugin", "life", "--fuse", "4", "--no-bits", "--device", "cpu"), MASS_BAD_USAGE,
            "--fuse 4: cpu takes", "as --no-bits runs it without a rule");
    REFUSED(RUN("--plugin", "sugarscape", "--fuse", "2"), MASS_BAD_USAGE,
            "--fuse 2: sugarscape takes one step after the other, as the model has agents");
}

Test(usage, seeds_end_where_json_does)
{
    REFUSED(RUN("--plugin", "life", "--seed", "9223372036854775808"), MASS_BAD_USAGE, "--seed", "2^63 - 1");
    outcome o = RUN("--plugin", "life", "--size", "8x8", "--steps", "1", "--json", "--quiet", "--seed",
                    "9223372036854775807");
    DONE(o);
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&o), "seed")), INT64_MAX);
}

Test(usage, sizes_that_are_none)
{
    static const char *const sizes[] = {"0", "0x8", "8x0", "-4x4", "4x-4", "", "x", "4x", "x4", "4x4x", "4x4x4x4",
        "4X4", "4,4", "4.5x4", "four", "99999999999999999999x4", "4 x4", "9223372036854775808x1"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        REFUSED(RUN("--plugin", "life", path_of("--size=%s", sizes[i])), MASS_BAD_USAGE, "--size");
}

Test(usage, sizes_beyond_what_can_be_addressed)
{
    static const char *const sizes[] = {"4294967296x4", "4x9223372036854775807", "2147483647x1"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        REFUSED(RUN("--plugin", "life", "--size", sizes[i]), MASS_BAD_USAGE, "life: space grid",
                "beyond what can be addressed");
    REFUSED(RUN("--plugin", "heat", "--size", "2000000000x2000000000x2000000000"), MASS_BAD_USAGE, "heat: space grid",
            "beyond what can be addressed");
}

/* The size of a run's state, as the report has it. */
static const char *size_of(const char *plugin, const char *size)
{
    const outcome o = RUN(plugin, "--size", size, "--steps", "1", "--json", "--quiet", "--seed", "1");
    DONE(o);
    return kept(json_dumps(json_object_get(outcome_json(&o), "size"), JSON_COMPACT));
}

Test(usage, one_number_is_the_size_along_every_axis)
{
    cr_assert_str_eq(size_of("life", "24"), "[24,24]");
    cr_assert_str_eq(size_of("heat", "16"), "[16,16]");
    cr_assert_str_eq(size_of("life", "1e1x2e1"), "[10,20]");
    DONE(RUN("life", "--size", "24", "--steps", "2", "--quiet", "--seed", "1", "--checkpoint", scratch("square")));
    DONE(RUN("--resume", scratch("square"), "--steps", "4", "--quiet"));
}

Test(usage, a_plugin_needs_no_option)
{
    const outcome word = RUN("life", "--size", "16", "--steps", "2e0", "--seed", "1", "--json", "--quiet"),
                  option = RUN("--plugin=life", "--size", "16x16", "--steps", "2", "--seed", "1", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&word, 0), outcome_hash(&option, 0));
}

Test(usage, misspelt_names_are_suggested)
{
    REFUSED(RUN("lfie"), MASS_BAD_PLUGIN, "no plugin lfie was found", "did you mean life?");
    REFUSED(RUN("--plugin", "sugarscpae.so"), MASS_BAD_PLUGIN, "did you mean sugarscape?");
    file_write_text(scratch("sweep.csv"), "alhpa\n0.1\n");
    REFUSED(RUN("heat", "--sweep", scratch("sweep.csv")), MASS_BAD_INPUT, "'alhpa'", "did you mean 'alpha'?");
    file_write_text(scratch("a.yaml"), "alhpa: 0.1\n");
    REFUSED(RUN("heat", "--params", scratch("a.yaml")), MASS_BAD_USAGE, "line 1", "did you mean 'alpha'?");
    REFUSED(RUN("life", "--set", "zzz=1"), MASS_BAD_USAGE, "no parameter 'zzz'; it has pattern");
}

/* A model that refuses a value may do so before all its parameters are declared. One that refuses its defaults, too,
 * leaves open which there are. */
Test(usage, misspelt_names_are_suggested_before_values_are_refused)
{
    const char *const meant = "life: there is no parameter 'densty'; did you mean 'density'? It has pattern";
    REFUSED(RUN("life", "--set", "densty=1", "--set", "density=1.1"), MASS_BAD_USAGE, meant);
    REFUSED(RUN("--info", "life", "--set", "densty=1", "--set", "density=1.1"), MASS_BAD_USAGE, meant);
    file_write_text(scratch("a.yaml"), "density: 2\ndensty: 1\n");
    REFUSED(RUN("life", "--params", scratch("a.yaml")), MASS_BAD_USAGE,
            "a.yaml, line 2: there is no parameter 'densty'");
    file_write_text(scratch("sweep.csv"), "density\n1.1\n");
    REFUSED(RUN("life", "--sweep", scratch("sweep.csv"), "--set", "densty=1"), MASS_BAD_USAGE, meant);
    REFUSED(RUN("life", "--sweep", scratch("sweep.csv"), "--set", "x=1"), MASS_BAD_INPUT,
            "line 2: life: parameter density");
    REFUSED(RUN(bad_plugin("table-demanding"), "--set", "folk_conut=9"), MASS_BAD_PLUGIN,
            "table: attribute 'wealth' has the range 7 to 0, in which nothing is; it declares no parameter "
            "'folk_conut' before that: did you mean 'folk_count'?");
    DONE(RUN(bad_plugin("table-demanding"), "--set", "folk_count=9", "--seed", "1"));
}

Test(usage, misspelt_tallies_are_suggested)
{
    REFUSED(RUN("life", "--until", "brths > 3"), MASS_BAD_USAGE, "no tally 'brths'; did you mean 'births'? life has");
    REFUSED(RUN("life", "--until", "stedy(births, 3)"), MASS_BAD_USAGE, "did you mean 'steady'?");
    REFUSED(RUN("life", "--log", "populaton", "--series", scratch("a.csv")), MASS_BAD_USAGE, "'population'?");
    REFUSED(RUN("sugarscape", "--until", "ants.brn > 3"), MASS_BAD_USAGE, "did you mean 'ants.born'?");
    REFUSED(RUN("life", "--until", "wolves == 0"), MASS_BAD_USAGE, "no tally 'wolves'; life has population");
}

Test(usage, misspelt_attributes_are_suggested)
{
    REFUSED(RUN("life", "--load", "helth=a.csv"), MASS_BAD_USAGE, "did you mean health? life has grid.health");
    REFUSED(RUN("heat", "--load", "grid.temprature[1]=a.csv"), MASS_BAD_USAGE, "did you mean grid.temperature?");
    REFUSED(RUN("life", "--tally", "a=sum(helth)"), MASS_BAD_USAGE, "no attribute 'helth'; did you mean 'health'?");
    REFUSED(RUN("sugarscape", "--tally", "a=sum(ant.wealth)"), MASS_BAD_USAGE, "did you mean 'ants.wealth'?");
    REFUSED(RUN("sugarscape", "--tally", "a=sum(ants.welth)"), MASS_BAD_USAGE, "did you mean 'ants.wealth'?");
    /* Spelt right, but of agents. */
    REFUSED(RUN("sugarscape", "--tally", "a=sum(wealth)"), MASS_BAD_USAGE, "did you mean 'ants.wealth'?");
    REFUSED(RUN("boids", "--tally", "a=mean(position)"), MASS_BAD_USAGE, "space 'sky' has no attribute 'position'; "
            "did you mean 'birds.position'?");
    REFUSED(RUN("histogram", "--tally", "a=mean(itm)"), MASS_BAD_USAGE, "no attribute 'itm'; --tally cannot take "
            "'item'\n");
    REFUSED(RUN("life", "--tally", "a=sum(zzz)"), MASS_BAD_USAGE, "no attribute 'zzz'; --info lists them");
}

Test(usage, misspelt_commands_are_suggested)
{
    REFUSED(RUN("plto"), MASS_BAD_USAGE, "no plugin and no command plto; did you mean mass-engine plot?");
    REFUSED(RUN("plto", "series.h5", "births"), MASS_BAD_USAGE, "no command plto; did you mean plot?");
    REFUSED(RUN("inof", "life"), MASS_BAD_USAGE, "no command inof; did you mean --info?");
    REFUSED(RUN("resume", "build"), MASS_BAD_USAGE, "no command resume; did you mean --resume?");
    REFUSED(RUN("--quiet", "plot", "series.h5", "births"), MASS_BAD_USAGE, "plot comes first");
    REFUSED(RUN("life", "heat"), MASS_BAD_USAGE, "one plugin at a time: life or heat");
    REFUSED(RUN("run"), MASS_BAD_USAGE, "there is no command run; name a model alone, as in mass-engine life");
}

Test(usage, whole_numbers_of_parameters_may_have_an_exponent)
{
    DONE(RUN("sugarscape", "--size", "32", "--steps", "1", "--quiet", "--seed", "1", "--set", "ants=1e2"));
    REFUSED(RUN("sugarscape", "--set", "ants=1.25e1"), MASS_BAD_USAGE, "parameter ants: '1.25e1' is not an integer");
}

Test(usage, sizes_of_the_wrong_dimension)
{
    REFUSED(RUN("--plugin", "life", "--size", "8x8x8"), MASS_BAD_USAGE,
            "mass-engine: --size 8x8x8: life: space grid has 2 dimensions and not 3");
    REFUSED(RUN("--plugin", "histogram", "--size", "8x8"), MASS_BAD_USAGE, "has 1 dimension and not 2");
}

Test(usage, parameters_that_are_none)
{
    REFUSED(RUN("--plugin", "life", "--set", "densty=0.3"), MASS_BAD_USAGE, "life: there is no parameter 'densty'",
            "did you mean 'density'?",             "pattern, rule, density, edge, x, y");
    REFUSED(RUN("--plugin", "life", "--set", "density"), MASS_BAD_USAGE, "--set density", "NAME=VALUE");
    REFUSED(RUN("--plugin", "life", "--set", "=3"), MASS_BAD_USAGE, "NAME=VALUE");
}

Test(usage, constants_are_not_to_be_set)
{
    REFUSED(RUN("--plugin", "life", "--set", "birth=8"), MASS_BAD_USAGE, "there is no parameter 'birth'");
}

Test(usage, parameters_out_of_range)
{
    REFUSED(RUN("--plugin", "life", "--set", "density=1.01"), MASS_BAD_USAGE,
            "life: parameter density: 1.01 is not between 0 and 1");
    REFUSED(RUN("--plugin", "life", "--set", "density=-1e-9"), MASS_BAD_USAGE, "density", "between 0 and 1");
    REFUSED(RUN("--plugin", "heat", "--set", "materials=3"), MASS_BAD_USAGE,
            "heat: parameter materials: 3 is not between 1 and 2");
    REFUSED(RUN("--plugin", "heat", "--set", "alpha=0.2", "--set", "radius=2"), MASS_BAD_USAGE, "parameter alpha",
            "unstable");
}

Test(usage, parameters_that_are_not_numbers)
{
    static const char *const values[] = {"many", "", "nan", "inf", "1e999", "0.1x", " 0.1"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        REFUSED(RUN("--plugin", "life", "--set", path_of("density=%s", values[i])), MASS_BAD_USAGE,
                "life: parameter density", "is not a number");
    static const char *const integers[] = {"one", "", "1.5", "1 "};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        REFUSED(RUN("--plugin", "heat", "--set", path_of("materials=%s", integers[i])), MASS_BAD_USAGE,
                "heat: parameter materials", "is not an integer");
    REFUSED(RUN("--plugin", "heat", "--set", "materials=9223372036854775808"), MASS_BAD_USAGE,
            "heat: parameter materials: 9223372036854775808 is not between 1 and 2");
}

Test(usage, choices_and_rules)
{
    REFUSED(RUN("--plugin", "life", "--set", "edge=round"), MASS_BAD_USAGE,
            "life: parameter edge: 'round' is not one of torus, dead");
    REFUSED(RUN("--plugin", "life", "--set", "rule=B9/S23"), MASS_BAD_USAGE, "life: parameter rule");
}

Test(usage, more_partitions_than_rows)
{
    REFUSED(RUN("--plugin", "life", "--size", "64x6", "--partitions", "7", "--checkpoint", scratch("out")),
            MASS_BAD_USAGE, "--partitions 7", "6 rows", "grid");
    cr_assert_not(file_exists(scratch("out")), "a folder was made for nothing");
}

Test(usage, resumed_runs_keep_what_they_have)
{
    static const char *const options[] = {"--set=density=0.5", "--size=9x9", "--seed=1", "--worlds=2",
                                          "--first-world=1"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        REFUSED(RUN("--resume", scratch(""), options[i]), MASS_BAD_USAGE, "a resumed run keeps");
}

Test(usage, options_that_need_another)
{
    REFUSED(RUN("--plugin", "life", "--checkpoint-every", "5"), MASS_BAD_USAGE, "--checkpoint FOLDER");
    REFUSED(RUN("--plugin", "life", "--keep", "5"), MASS_BAD_USAGE, "--checkpoint FOLDER");
    REFUSED(RUN("--plugin", "life", "--movie-every", "5"), MASS_BAD_USAGE, "--movie FILE.gif");
    REFUSED(RUN("--plugin", "life", "--slice", "0"), MASS_BAD_USAGE, "--image FILE.png");
    REFUSED(RUN("--info"), MASS_BAD_USAGE, "--info needs a plugin");
}

Test(usage, what_was_meant_is_named)
{
    REFUSED(RUN("info", "life"), MASS_BAD_USAGE, "did you mean --info?");
    REFUSED(RUN("explain", "life"), MASS_BAD_USAGE, "did you mean --explain?");
    REFUSED(RUN("life", "--device", "gpu"), MASS_BAD_USAGE, "cuda, cuda:N, cuda:N,M");
}

Test(usage, many_settings)
{
    const char *arguments[200] = {"--plugin", "life", "--size", "8x8", "--steps", "1"};
    size_t count = 6;
    for (int i = 0; i < 60; i++) {
        arguments[count++] = "--set";
        arguments[count++] = path_of("density=0.%d", 10 + i % 60);
    }
    DONE(command_run(NULL, arguments));
}

/* ---- what it tells of itself ---- */

Test(usage, help_mentions_every_option)
{
    static const char *const options[] = {"--plugin", "--resume", "--info", "--list", "--version", "--help", "--set",
        "--size", "--steps", "--seed", "--worlds", "--first-world", "--sweep", "--device", "--threads", "--partitions",
        "--checkpoint ", "--checkpoint-every", "--keep", "--image", "--movie ", "--movie-every", "--slice", "--json",
        "--quiet", "--force", "--explain PLUGIN", "auto", "cpu", "paranoid", "cuda", "MASS_PLUGIN_PATH", "SIGUSR1",
        "130"};
    const outcome o = RUN("--help");
    DONE(o);
    cr_assert_str_empty(o.err);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        cr_assert_not_null(strstr(o.out, options[i]), "--help does not mention %s", options[i]);
    cr_assert_null(strstr(o.out, "--probe"), "--help mentions what is internal");
    cr_assert_str_eq(RUN("-h").out, o.out);
}

Test(usage, version_is_one_line)
{
    const outcome o = RUN("--version");
    DONE(o);
    cr_assert_str_empty(o.err);
    cr_assert_eq(line_count(o.out), 1);
    cr_assert_eq(strncmp(o.out, "mass-engine 0.", 14), 0, "%s", o.out);
    cr_assert_not_null(strstr(o.out, "ABI 0.4"));
}

/* The last line says by what a process is confined that reads others' files. */
Test(usage, verbose_version_says_what_there_is)
{
    const outcome o = RUN("--version", "--verbose");
    assert_done(&o, 0);
    cr_assert_eq(line_count(o.out), 5);
    cr_assert(strstr(o.out, "\nHDF5 1.") && strstr(o.out, "\nCUDA: ") && strstr(o.out, "\nMPI: "), "%s", o.out);
    cr_assert(strstr(o.out, "\nconfinement: seccomp") || strstr(o.out, "\nconfinement: no seccomp"), "%s", o.out);
    REFUSED(RUN("--plugin", "life", "--verbose"), MASS_BAD_USAGE, "--verbose goes with --info, --list or --version");
}

static void print_to_full_disk(void) { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }

Test(usage, standard_output_that_is_full)
{
    static const setting full = {.prepare = print_to_full_disk};
    static const char *const asked[][6] = {{"--help"}, {"--version"}, {"--list"}, {"--list", "--json"},
        {"--info", "--plugin", "life"}, {"--plugin", "life", "--steps=1", "--json", "--quiet"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        REFUSED(command_run(&full, asked[i]), MASS_FAILED, "standard output cannot be written");
}
