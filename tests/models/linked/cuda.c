/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that read linked nodes, on a GPU: the same as on a CPU. */
#include "gpu.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>

Test(linked_cuda, small_networks_are_the_same)
{
    const char *folder = folder_make();
    for (int i = 0; i < 42; i++) {
        const char *options = linked_options(text("--steps 12 --worlds %d %s", 1 + i % 3, linked_network(i, folder)));
        const char *expected = engine_result(text("%s --device cpu", options));
        for (int partitions = 1; partitions <= 3; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", options, partitions)), expected,
                             "%s, %d", options, partitions);
    }
}

Test(linked_cuda, large_networks_are_the_same)
{
    static const char *const large[] = {
        "--set nodes=300000 --set edges=2000000", "--set nodes=200000 --set generator=4 --set degree=8",
        "--set nodes=200000 --set generator=2 --set degree=10", "--set nodes=1000 --set generator=6",
        "--set nodes=100000 --set generator=5 --set edges=100000 --set inside=900000 --set blocks=1000"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *options = text("--steps 70 --set compared=0 %s", large[i]);
        cr_expect_str_eq(engine_result(text("%s --device cuda", linked_options(options))),
                         engine_result(text("%s --device cpu", linked_options(options))), "%s", large[i]);
        cr_expect_str_eq(engine_result(text("%s --device cuda", linked_bits_options(options))),
                         engine_result(text("%s --device cpu", linked_bits_options(options))), "%s", large[i]);
    }
}

Test(linked_cuda, nodes_in_turn_are_refused)
{
    engine_refuse(turned_options("--device cuda"), 2, "nodes act in turn in callback turned_look, which ");
}

Test(linked_cuda, walkers_and_edges_that_change_are_the_same)
{
    const char *folder = folder_make();
    for (int i = 0; i < 42; i++) {
        const char *options = moving_options(text("--steps 5 --worlds %d --set dies=%d %s", 1 + i % 3, i / 7 % 2,
                                                  linked_network(i, folder)));
        const char *expected = engine_result(text("%s --device cpu", options));
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", options, partitions)), expected,
                             "%s, %d", options, partitions);
    }
    const char *large = moving_options("--steps 12 --set compared=0 --set nodes=30000 --set edges=200000 --worlds 2");
    cr_expect_str_eq(engine_result(text("%s --device cuda", large)), engine_result(text("%s --device cpu", large)));
}
