/* SPDX-License-Identifier: Apache-2.0 */
/* Histogram on a GPU: against plain loops over the same files. */
#include "histogram_known.h"
#include "run.h"

#include <criterion/criterion.h>

enum { SOME = 100003 };

Test(histogram_cuda, files_of_any_length_are_counted_whole)
{
    static const size_t lengths[] = {0, 1, 15, 16, 17, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};
    for (const counting *c = each_mode; c->mode; c++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            expect_counts(items_make(c, lengths[i]), &(counting){.mode = c->mode},
                          lengths[i] > 3 && i % 2 ? "--device cuda --partitions 3" : "--device cuda");
}

Test(histogram_cuda, any_number_of_bins_between_any_bounds)
{
    const counting all[] = {{"u16", 2, 0, 65536},    {"u16", 1000, -100, 60000}, {"u32", 65536, 0.5, 4e9},
                            {"f32", 1000, -1.1, 0.7}, {"f32", 65536, 0, 1},       {"u32", 10000000, 0, 4294967296.0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        expect_counts(items_make(&all[k], SOME), &all[k], "--device cuda");
}

Test(histogram_cuda, every_method_counts_the_same)
{
    static const char *const methods[] = {"sequential", "global", "stride", "shared"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (const counting *c = each_mode; c->mode; c++)
            expect_counts(items_make(c, SOME), &(counting){.mode = c->mode},
                          text("--device cuda --set method=%s", methods[i]));
}

Test(histogram_cuda, pieces_and_passes_change_nothing)
{
    static const char *const ways[] = {"--size 1000", "--size 7777 --partitions 3", "--steps 3",
                                       "--size 7777 --steps 3"};
    const counting *const c = &each_mode[3];
    const char *path = items_make(c, SOME);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        expect_counts(path, c, text("--device cuda %s", ways[i]));
}

Test(histogram_cuda, words_are_those_of_sort_and_uniq)
{
    const char *many = words_make(20000);
    expect_words(many, false, "--device cuda");
    expect_words(many, true, "--device cuda --size 1000 --partitions 3");
    expect_words(file_make("", 0), false, "--device cuda");
}
