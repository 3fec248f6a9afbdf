/* SPDX-License-Identifier: Apache-2.0 */
#include "ways.h"

#include <criterion/criterion.h>

void expect_one_result_in_every_way(linked_options_of *options, bool several)
{
    enum { EACH = 11 };
    static const char *const ways[] = {"--threads 3", "--partitions 4 --threads 2", "--device paranoid",
                                       "--device paranoid --partitions 3", "--partitions 7"};
    const char *folder = folder_make();
    for (int i = 0; i < LINKED_NETWORKS; i += EACH) {
        const char *run = options(text("--steps 4 --worlds %d %s", several ? 1 + i % 3 : 1, linked_network(i, folder)));
        const char *expected = engine_result(text("%s --threads 1", run));
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(engine_result(text("%s %s", run, ways[w])), expected, "%s %s", run, ways[w]);
    }
}
