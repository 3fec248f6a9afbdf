/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that read linked nodes, over ranks: each gets the values of all. */
#include "needed.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <sys/stat.h>

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};

Test(linked_ranks, any_number_of_them_is_one)
{
    const char *folder = folder_make();
    for (int i = 0; i < 14; i++) {
        const char *options = linked_options(text("--steps 4 %s", linked_network(i, folder)));
        const char *expected = engine_result(options);
        for (int ranks = 2; ranks <= (i % 4 ? 3 : 4); ranks++)
            cr_expect_str_eq(engine_result(text("%s --ranks %d --partitions %d", options, ranks, 1 + i % 2)), expected,
                             "%s, %d ranks", options, ranks);
    }
}

Test(linked_ranks, shares_worlds_and_devices_change_nothing)
{
    static const char *const ways[] = {"--ranks 2 --device paranoid", "--ranks 3 --shares 1,9,2",
                                       "--ranks 3 --rebalance 2", "--ranks 3 --shares edges"};
    const char *options = linked_options("--steps 6 --set nodes=50 --set generator=4 --worlds 2");
    const char *expected = engine_result(options);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s", ways[w]);
    const char *bits = linked_bits_options("--steps 3 --set nodes=2100 --set edges=6000");
    cr_expect_str_eq(engine_result(text("%s --ranks 2 --partitions 2", bits)), engine_result(bits));
}

Test(linked_ranks, a_run_goes_on_with_other_ranks)
{
    const model m = {.options = linked_options("--set nodes=60 --set generator=2 --set degree=6"),
                     .state = "/places/town/trail", .rows = 60, .steps = 9};
    const char *plugin = text("--plugin '%s/linked.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{2, "--ranks 3 --shares edges"},
                        {5, text("%s --ranks 1", plugin)}, {0, text("%s --ranks 2", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

Test(linked_ranks, edges_from_a_pipe_are_refused)
{
    const char *path = text("%s/edges", folder_make());
    cr_assert_eq(mkfifo(path, 0600), 0);
    engine_refuse(linked_options(text("--steps 2 --set nodes=0 --set file=%s --ranks 2", path)), 4,
                  "edges is no file but a pipe or a device, and this run reads its edges more than once: copy it into "
                  "a file");
}

Test(moving_ranks, edges_change_alike_on_any_number_of_them)
{
    const char *folder = folder_make();
    for (int i = 0; i < 14; i++) {
        const char *options = moving_options(text("--steps 4 --worlds %d --set dies=%d %s", 1 + i % 3, i % 2,
                                                  linked_network(i, folder)));
        const char *expected = engine_result(options);
        for (int ranks = 2; ranks <= 3; ranks++)
            cr_expect_str_eq(engine_result(text("%s --ranks %d --partitions %d", options, ranks, 1 + i % 2)), expected,
                             "%s, %d ranks", options, ranks);
    }
}

Test(turned_ranks, nodes_act_in_turn_on_any_number_of_them)
{
    const char *folder = folder_make();
    for (int i = 0; i < 14; i += 2) {
        const char *options = turned_options(text("--steps 3 --worlds %d %s", 1 + i % 3, linked_network(i, folder)));
        const char *expected = engine_result(options);
        for (int ranks = 2; ranks <= 3; ranks++)
            cr_expect_str_eq(engine_result(text("%s --ranks %d --partitions %d", options, ranks, 1 + i / 2 % 2)),
                             expected, "%s, %d ranks", options, ranks);
    }
    const char *options = turned_options("--steps 3 --set nodes=50 --set generator=4 --worlds 2");
    cr_expect_str_eq(engine_result(text("%s --ranks 2 --device paranoid", options)), engine_result(options));
    const char *bits = turned_bits_options("--steps 3 --set nodes=2100 --set edges=6000");
    cr_expect_str_eq(engine_result(text("%s --ranks 2 --partitions 2", bits)), engine_result(bits));
}

Test(moving_ranks, shares_and_devices_change_nothing)
{
    static const char *const ways[] = {"--ranks 2 --device paranoid", "--ranks 3 --shares 1,9,2",
                                       "--ranks 3 --rebalance 2", "--ranks 3 --shares edges"};
    const char *options = moving_options("--steps 6 --set nodes=50 --set generator=4 --worlds 2");
    const char *expected = engine_result(options);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s", ways[w]);
}

Test(moving_ranks, a_run_goes_on_with_other_ranks)
{
    static const char *const attributes[] = {"id", "place", "source", "weight", "length", NULL};
    const model m = {.options = moving_options("--set nodes=60 --set generator=2 --set degree=6"),
                     .state = "/places/town/trail", .rows = 60, .steps = 9, .population = "town_edges",
                     .attributes = attributes};
    const char *plugin = text("--plugin '%s/moving.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{2, "--ranks 3"}, {5, text("%s --ranks 1", plugin)}, {0, text("%s --ranks 2", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}
