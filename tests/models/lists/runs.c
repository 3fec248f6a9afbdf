/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of parameters on one process: the model comes to what a plain program does, on every device. */
#include "plain.h"

static const double halves[] = {0.5, 0.25};
static const int64_t pi[] = {3, 1, 4, 1, 5}, others[] = {-7, 20, 6};

Test(lists, model_is_the_plain_program)
{
    const lists_case cases[] = {{24, 18, 20, 5, 5, pi}, {31, 9, 20, 3, 3, others}, {31, 9, 20, 3, 7, others}};
    static const char *const set[] = {"", "--size 31x9 --set prices=-7,20,6 --set span=3",
                                      "--size 31x9 --set prices='[-7; 2e1; 6.0]' --set span=7"};
    for (int i = 0; i < 3; i++) {
        outcome o = engine_run(lists_options(set[i]));
        expect_lists(&o, &cases[i], halves, 0);
        outcome_free(&o);
    }
}

Test(lists, every_way_to_run_is_the_same)
{
    static const char *const ways[] = {"--threads 3", "--device paranoid", "--threads 2 --partitions 3",
                                       "--threads 1 --partitions 7"};
    static const char *const models[] = {"--seed 3", "--seed 4 --worlds 3 --size 20x11 --set rates=1,0.5,0.125"};
    for (int m = 0; m < 2; m++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(lists_options(text("%s %s", models[m], ways[w]))),
                             engine_result(lists_options(text("%s --threads 1", models[m]))), "%s", ways[w]);
}

Test(lists, value_that_a_list_lacks_is_named_by_paranoid)
{
    engine_refuse(lists_options("--device paranoid --set span=6"), 3,
                  "callback lists_trade, step 1: at place (4, 0) of world 0 it reads value 5 of a list that has 5, "
                  "numbered from 0");
}

Test(lists, worlds_of_a_sweep_are_runs_of_their_own)
{
    const lists_case c = {24, 18, 20, 3, 1, others};
    const double all[] = {1, 0};
    const char *sweep = text("%s/sweep.csv", folder_make());
    FILE *to = fopen(sweep, "w");
    cr_assert(to);
    fprintf(to, "prices,rates\n[3; 1; 4; 1; 5],[0.5;0.25]\n\"[9];[-7,20,6]\",\"[0,1]\"\n");
    fclose(to);
    outcome o = engine_run(lists_options(text("--seed 1 --set span=1 --sweep %s", sweep)));
    expect_lists(&o, &(lists_case){24, 18, 20, 5, 1, pi}, halves, 0);
    expect_lists(&o, &c, (const double[]){all[1], all[0]}, 2);
    outcome_free(&o);
    const char *folder = folder_make();
    engine_write(lists_options(text("--seed 1 --set span=1 --sweep %s --steps 7 --checkpoint %s", sweep, folder)));
    cr_expect_str_eq(engine_result(text("--plugin '%s/lists.so' --steps 20 --partitions 2 --resume %s",
                                        MASS_TEST_PLUGINS, checkpoint_path(folder, 7))),
                     engine_result(lists_options(text("--seed 1 --set span=1 --sweep %s", sweep))));
}

Test(lists, resumed_run_needs_no_file_and_reads_the_rows_of_its_steps)
{
    const char *folder = folder_make();
    engine_write(lists_options(text("--seed 1 --steps 7 --checkpoint %s", folder)));
    const char *resumed = text("--plugin '%s/lists.so' --resume %s", MASS_TEST_PLUGINS, checkpoint_path(folder, 7));
    cr_expect_str_eq(engine_result(text("%s --steps 20", resumed)), engine_result(lists_options("--seed 1")));
    engine_refuse(text("%s --steps 21", resumed), 2, "parameter visits gives 20 steps and the run has 21");
}

Test(lists, what_is_refused)
{
    static const struct {
        const char *options;
        int status;
        const char *words;
    } all[] = {
        {"--steps 21", 2, "parameter visits gives 20 steps and the run has 21: give a value for each step"},
        {"--set rates=", 2, "parameter rates: the list has no values: give 1 to 600, as in rates=1,2"},
        {"--set rates=0.5,nan", 2, "parameter rates: value 2 of the list, 'nan', is not a number"},
        {"--set rates=0.5,inf", 2, "parameter rates: value 2 of the list, 'inf', is not a number"},
        {"--set rates=0.5,,1", 2, "parameter rates: value 2 of the list, '', is not a number"},
        {"--set rates=0.5,1.5", 2, "parameter rates: value 2 of the list is 1.5, which is not between 0 and 1"},
        {"--set prices=1,1.5", 2, "parameter prices: value 2 of the list, '1.5', is not an integer"},
        {"--set prices=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25", 2,
         "parameter prices: the list has 25 values, and may have 24: give fewer"},
        {"--set prices=@", 2, "parameter prices: '@' is followed by the name of a .csv or .npy file"},
        {"--set prices=@none.csv", 4, "parameter prices: cannot read none.csv"},
        {"--set prices=@none.txt", 4, "a list is in a file whose name ends in .csv or .npy"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        engine_refuse(lists_options(all[i].options), all[i].status, all[i].words);
    engine_refuse(text("--plugin '%s/lists.so' --steps 1", MASS_TEST_PLUGINS), 2,
                  "parameter rain has no values: give one for each of the 1 step, as in --set rain=@FILE.csv");
}

/* It runs no steps. */
Test(lists, explain_takes_lists_that_are_shorter_than_the_steps)
{
    static const char *const all[] = {"", "--set rain=1,2", "--set rain=1 --steps 20"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        process p = engine_start(text("--plugin '%s/lists.so' --explain %s", MASS_TEST_PLUGINS, all[i]));
        outcome o = engine_finish(&p);
        cr_expect(o.status == 0 && json_object_get(o.report, "step"), "%s: %s", all[i], o.errors);
        outcome_free(&o);
    }
}

/* Writes a file and returns the option that gives it for the rates. */
static const char *given_by(const char *name, const char *bytes, size_t size)
{
    const char *path = text("%s/%s", folder_make(), name);
    FILE *to = fopen(path, "wb");
    cr_assert(to && fwrite(bytes, 1, size, to) == size && fclose(to) == 0);
    return text("--seed 2 --set rates=@%s", path);
}
#define GIVEN_BY(name, bytes) given_by(name, bytes, sizeof(bytes) - 1)

Test(lists, files_give_what_numbers_give)
{
    static const char npy[] = "\x93NUMPY\x01\0\x46\0{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }"
                              "          \n\0\0\0\0\0\0\xe8\x3f\0\0\0\0\0\0\xd0\x3f";
    const char *expected = engine_result(lists_options("--seed 2 --set rates=0.75,0.25"));
    cr_expect_str_eq(engine_result(lists_options(GIVEN_BY("a.csv", "rates\r\n0.75\r\n0.25\r\n"))), expected);
    cr_expect_str_eq(engine_result(lists_options(GIVEN_BY("a.csv", "0.75\n2.5e-1\n"))), expected);
    cr_expect_str_eq(engine_result(lists_options(GIVEN_BY("a.csv", " 0.75, 0.25"))), expected);
    cr_expect_str_eq(engine_result(lists_options(GIVEN_BY("a.npy", npy))), expected);
    engine_refuse(lists_options(GIVEN_BY("a.csv", "1,0\n0,1\n")), 4, "a list is one column or one row");
    engine_refuse(lists_options(GIVEN_BY("a.csv", "0.5\nx\n")), 4, "value 2 of the list, 'x', is not a number");
    engine_refuse(lists_options(GIVEN_BY("a.npy", "no array")), 4, "is not a .npy file that can be read");
}
