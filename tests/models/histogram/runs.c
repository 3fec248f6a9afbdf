/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram on CPUs: against plain loops over the same files. */
#include "../../extended.h"
#include "histogram_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOME = 100003 };

static const counting bytes = {.mode = "bytes"}, odd = {"f32", 1000, -1.5, 2.25};

Test(histogram, files_of_any_length_are_counted_whole)
{
    static const size_t lengths[] = {0, 1, 15, 16, 17, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};
    for (const counting *c = each_mode; c->mode; c++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            if (!takes_part(i + (size_t)(c - each_mode), 3)) continue;
            const counting by_itself = {.mode = c->mode};
            expect_counts(items_make(c, lengths[i]), &by_itself, lengths[i] > 3 && i % 2 ? "--partitions 3" : "");
        }
}

/* Files that count differently leave different states, however they are counted. */
Test(histogram, states_are_told_apart_by_what_was_counted)
{
    const char *const files[] = {words_make(400), words_make(401)};
    static const char *const modes[] = {"bytes", "words"};
    for (size_t k = 0; k < 2; k++) {
        const char *first = NULL;
        for (int i = 0; i < 4; i++) {
            outcome o = engine_run(text("%s --partitions %d", counting_options(files[i / 2],
                                        &(counting){.mode = modes[k]}), 1 + i % 2));
            if (i == 0) first = text("%s", o.hash);
            else cr_assert_eq(strcmp(o.hash, first) == 0, i / 2 == 0, "%s, file %d: %s", modes[k], i / 2, o.hash);
            outcome_free(&o);
        }
    }
}

Test(histogram, any_number_of_bins_between_any_bounds)
{
    static const int64_t numbers[] = {1, 2, 256, 1000, 65536};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const counting all[] = {{"u16", numbers[i], 0, 65536},       {"u16", numbers[i], -100, 60000},
                                {"u32", numbers[i], 0, 4294967296.0}, {"u32", numbers[i], 0.5, 4e9},
                                {"f32", numbers[i], 0, 1},           {"f32", numbers[i], -1.1, 0.7}};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (takes_part(i + k, 5)) expect_counts(items_make(&all[k], SOME), &all[k], "");
    }
    const counting many = {"u32", 10000000, 0, 4294967296.0};
    expect_counts(items_make(&many, SOME), &many, "--threads 2");
}

/* With width 49, 49 times the reciprocal is less than 1. */
Test(histogram, an_item_on_an_edge_is_in_the_bin_that_begins_there)
{
    static const double widths[] = {49, 3, 0.7, 98, 1e-3, 103};
    uint16_t all[65536];
    for (int i = 0; i < 65536; i++) all[i] = (uint16_t)i;
    const char *path = file_make(all, sizeof all);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += (size_t)unsanitized(2, 1)) {
        const counting integers = {"u16", 600, 7, 7 + 600 * widths[i]};
        const counting reals = {"f32", 600, 0.1, 0.1 + 600 * widths[i]};
        expect_counts(path, &integers, "");
        expect_counts(items_make(&reals, SOME), &reals, "");
    }
}

Test(histogram, every_method_counts_the_same)
{
    static const char *const methods[] = {"auto", "sequential", "global", "stride", "shared"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (const counting *c = each_mode; c->mode; c++)
            for (int partitions = unsanitized(3, 1); partitions <= 3; partitions += 2)
                if (takes_part(i + (size_t)(c - each_mode), 2))
                    expect_counts(items_make(c, SOME), &(counting){.mode = c->mode},
                                  text("--threads 2 --partitions %d --set method=%s", partitions, methods[i]));
}

Test(histogram, pieces_passes_partitions_and_devices_change_nothing)
{
    static const char *const ways[] = {"--size 1000", "--size 1000 --partitions 3 --threads 2", "--size 7777 --steps 3",
                                       "--steps 3 --partitions 3", "--size 40000 --device paranoid"};
    const counting *const some[] = {&bytes, &odd};
    for (int k = 0; k < 2; k++) {
        const char *path = items_make(some[k], SOME);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (takes_part(i + (size_t)k, 2)) expect_counts(path, some[k], ways[i]);
    }
}

Test(histogram, text_of_any_language_and_of_none_is_bytes)
{
    static const char words[] = "To be, or not to be. \xce\xa7\xce\xb1\xce\xaf\xcf\x81\xce\xb5\xcf\x84\xce\xb5. "
                                "\xd0\x9f\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82. \xe4\xbd\xa0\xe5\xa5\xbd. "
                                "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xf0\x9f\x8c\x8d\r\n\0after zero\n",
                      broken[] = "\xc0\x80 \xff\xfe \xe4\xbd \xed\xa0\x80 \xf8\x88\x80\x80\x80";
    expect_counts(file_make(words, sizeof words), &bytes, "");
    expect_counts(file_make(broken, sizeof broken), &bytes, "");
}

Test(histogram, words_are_those_of_sort_and_uniq)
{
    static const char *const ways[] = {"", "--size 300", "--size 1000 --partitions 3 --threads 2",
                                       "--steps 2 --size 5000", "--size 4000 --device paranoid"};
    const char *many = words_make(20000);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) expect_words(many, i % 2, ways[i]);
    expect_words(words_make(1), false, "");
    expect_words(file_make(" \n ", 3), false, "");
    expect_words(file_make("", 0), false, "");
    expect_words(file_make("ab cd\nefg h", 11), false, "--size 3"); /* a word that fills a piece */
}

/* ---- what is wrong ---- */

static void expect_refusal(const char *options, int status, const char *words)
{
    const char *folder = folder_make();
    engine_refuse(text("--plugin histogram --seed 1 --checkpoint '%s' %s", folder, options), status, words);
    cr_assert_eq(checkpoint_steps(folder, false, &(uint64_t){0}, 1), 0);
}

Test(histogram, what_is_wrong_is_said_in_one_line)
{
    const char *path = file_make("seven b", 7), *four = text("--set 'input=%s' --set mode=", file_make("four", 4));
    const char *pipe = text("%s/pipe", folder_make());
    cr_assert_eq(mkfifo(pipe, 0600), 0);
    expect_refusal("--set input=/no/such/file", 4, "No such file");
    expect_refusal("--set input=/", 4, "is a folder");
    expect_refusal("--set input=/dev/null", 4, "not a regular file");
    expect_refusal(text("--set 'input=%s'", pipe), 4, "not a regular file");
    expect_refusal(text("%swords --size 3", four), 4, "a word of more than 3 bytes");
    expect_refusal(text("--set mode=u16 --set 'input=%s'", path), 4, "not a multiple of the 2");
    expect_refusal(text("--set mode=f32 --set 'input=%s'", path), 4, "not a multiple of the 4");
    expect_refusal(text("%su16 --set bins=0", four), 2, "bins: 0 is not between 1");
    expect_refusal(text("%su16 --set lo=3 --set hi=3", four), 2, "less than hi");
    expect_refusal(text("%sf32 --set lo=3", four), 2, "less than hi=1");
    expect_refusal(text("%sf32 --set lo=-1e308 --set hi=1.7e308", four), 2, "less than hi");
    expect_refusal(text("%sf32 --set lo=1 --set hi=1.000001 --set bins=1000000000", four), 2, "too narrow");
    expect_refusal(text("%sbytes --set bins=2", four), 2, "256 bins");
    expect_refusal(text("%sbytes --worlds 2", four), 2, "one world");
}

Test(histogram, a_file_that_may_not_be_read_is_said_to_be_one)
{
    if (geteuid() == 0) cr_assert_eq(setuid(65534), 0);
    if (access(getenv("MASS_ENGINE"), X_OK) != 0) cr_skip_test("the command is not everybody's");
    const char *path = file_make("four", 4);
    cr_assert_eq(chmod(path, 0), 0);
    expect_refusal(text("--set 'input=%s'", path), 4, "Permission denied");
}

#if !MASS_SANITIZED /* which takes more address space by itself */
Test(histogram, more_bins_than_fit_are_refused)
{
    const rlim_t room = (rlim_t)4 << 30;
    const char *path = file_make("four", 4);
    cr_assert_eq(setrlimit(RLIMIT_AS, &(const struct rlimit){room, room}), 0);
    expect_refusal(text("--set mode=u32 --set bins=1000000000 --set 'input=%s'", path), 5, "fewer bins");
}

Test(histogram, more_bins_than_fit_into_a_report_are_said)
{
    const rlim_t room = (rlim_t)700 << 20;
    const char *path = file_make("four", 4);
    cr_assert_eq(setrlimit(RLIMIT_AS, &(const struct rlimit){room, room}), 0);
    process p = engine_start(text("--plugin histogram --seed 1 --quiet --device cpu --threads 1 --set mode=u32 --set "
                                  "bins=12000000 --set 'input=%s'", path));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 1, "status %d: %s", o.status, o.errors);
    cr_assert_not_null(strstr(o.errors, "no memory for the object of --json"), "%s", o.errors);
    cr_assert_null(o.report);
    outcome_free(&o);
}
#endif

/* ---- resuming ---- */

Test(histogram, a_finished_run_goes_on_with_another_pass)
{
    const char *folder = folder_make(), *path = items_make(&odd, SOME);
    outcome one = engine_run(text("%s --checkpoint '%s'", counting_options(path, &odd), folder));
    outcome two = engine_run(text("--resume '%s' --steps 2 --threads 2", folder));
    expect_counts_in(checkpoint_path(folder, 2), path, &odd, "resumed");
    cr_assert_str_eq(one.tallies, two.tallies);
    outcome_free(&one);
    outcome_free(&two);
}

Test(histogram, a_resumed_run_needs_its_file_only_to_count)
{
    const char *folder = folder_make(), *path = items_make(&bytes, SOME);
    outcome one = engine_run(text("%s --checkpoint '%s'", counting_options(path, &bytes), folder));
    cr_assert_eq(unlink(path), 0);
    outcome same = engine_run(text("--resume '%s' --steps 1", folder));
    cr_assert_str_eq(one.tallies, same.tallies);
    engine_refuse(text("--resume '%s' --steps 2", folder), 4, "No such file");
    outcome_free(&one);
    outcome_free(&same);
}
