/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of attributes of all number types on CPUs. */
#include "reduced_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const places[] = {"--device cpu --threads 1", "--device cpu --threads 3", "--device paranoid",
                                     "--device cpu --threads 2 --partitions 7", "--device cpu --partitions 43"};
enum { PLACES = sizeof places / sizeof *places };

Test(reduced, values_are_those_of_plain_loops_wherever_it_runs)
{
    const char *first = expect_reduced(places[0], 3, 1);
    for (int i = 1; i < PLACES; i++) cr_assert_str_eq(expect_reduced(places[i], 3, 1), first, "with %s", places[i]);
}

Test(reduced, worlds_are_reduced_apart) { expect_reduced("--device cpu", 2, 3); }

/* At step 0, nothing but defaults. */
Test(reduced, values_are_there_before_the_first_step) { expect_reduced("--device cpu", 0, 2); }

Test(reduced, a_checkpoint_is_the_same_with_and_without_them)
{
    const char *with = folder_make(), *without = folder_make();
    setenv("MASS_IDENTITY", "00112233445566778899aabbccddeeff", 1);
    const char *run = text("--plugin '%s/reduced.so' --seed 5 --steps 2 --checkpoint ", MASS_TEST_PLUGINS);
    engine_write(text("%s '%s' %s", run, with, all_reductions()));
    engine_write(text("%s '%s'", run, without));
    const int differ = system(text("cmp -s '%s' '%s'", checkpoint_path(with, 2), checkpoint_path(without, 2)));
    cr_assert_eq(differ, 0);
}

/* Right after it, and in its steps; with others than before, too. */
Test(reduced, a_resumed_run_computes_those_that_it_is_asked_for)
{
    const char *folder = folder_make();
    engine_write(text("--plugin '%s/reduced.so' --seed 5 --steps 2 --checkpoint '%s' --tally 'other=sum(a_u8)'",
                      MASS_TEST_PLUGINS, folder));
    const char *resume = text("--resume '%s' --plugin '%s/reduced.so' %s --steps", folder, MASS_TEST_PLUGINS,
                              all_reductions());
    outcome at_once = engine_run(text("%s 2", resume));
    expect_reductions_of(&at_once, checkpoint_path(folder, 2), 1, "resumed at step 2");
    outcome later = engine_run(text("%s 4 --partitions 3", resume));
    expect_reductions_of(&later, checkpoint_path(folder, 4), 1, "resumed to step 4");
    outcome_free(&at_once);
    outcome_free(&later);
}

/* The line of the series is the report of a run that ends there. */
Test(reduced, series_and_stop_conditions_know_them)
{
    const char *series = text("%s/series.csv", folder_make());
    outcome o = engine_run(text("--plugin '%s/reduced.so' --seed 5 --steps 50 --tally 'm=mean(walker.a_u8)' "
                                "--until 'step >= 4 && m > 0 && declared[2] >= 0' --series '%s' --log m",
                                MASS_TEST_PLUGINS, series));
    cr_assert(json_is_true(json_object_get(o.report, "held")));
    cr_assert_eq(json_integer_value(json_object_get(o.report, "steps")), 4);
    const double mean = json_real_value(json_object_get(json_object_get(o.report, "tallies"), "m"));
    FILE *file = fopen(series, "r");
    char line[200], last[200] = "";
    while (file && fgets(line, sizeof line, file)) snprintf(last, sizeof last, "%s", line);
    if (file) fclose(file);
    cr_assert_eq(strtod(strrchr(last, ',') + 1, NULL), mean, "%s", last);
    outcome_free(&o);
}

Test(reduced, what_cannot_be_reduced_is_refused_in_one_line)
{
    static const struct { const char *tally, *why; } wrong[] = {
        {"x=sum(nothing)", "space 'grid' has no attribute 'nothing'"},
        {"x=sum(walker.nothing)", "population 'walker' has no attribute 'nothing'"},
        {"x=sum(runner.a_u8)", "there is no space or population 'runner'; did you mean 'walker.a_u8'?"},
        {"x=sum(zz.a_u8)", "there is no space or population 'zz'; reduced has grid, walker"},
        {"x=sum(pair)", "has components [0] to [1]: name one"},
        {"x=sum(pair[2])", "has components [0] to [1], and no [2]"},
        {"x=sum(woven[0])", "interleaved"},
        {"x=sum(walker.place)", "follows from its place"},
        {"second=sum(a_u8)", "there is a tally 'second' already"},
        {"x=hist(a_u8,10,5,5)", "bins end above where they begin: x=hist(a_u8,10,5,^5)"},
        {"x=hist(a_u8,0,0,5)", "a number of bins from 1 to 1000000000 is expected: x=hist(a_u8,^0,0,5)"},
        {"x=hist(a_u8,1000,1e17,1.000000000001e17)", "wider or narrower than numbers can tell"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        engine_refuse(text("--plugin '%s/reduced.so' --seed 5 --steps 1 --tally '%s'", MASS_TEST_PLUGINS,
                           wrong[i].tally), 2, wrong[i].why);
    engine_refuse(text("--plugin '%s/reduced.so' --seed 5 --worlds 10000 --device cpu "
                       "--tally 'x=hist(a_u8,1000000000,0,9)'", MASS_TEST_PLUGINS), 5, "");
}
