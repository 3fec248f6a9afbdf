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

/* Each small run compares its last state with that of a plain loop. */
Test(turned_cuda, nodes_act_in_turn_as_in_a_plain_loop)
{
    const char *folder = folder_make();
    for (int i = 0; i < 42; i++) {
        const char *options = turned_options(text("--steps 3 --worlds %d --set alike=%d %s", 1 + i % 3, i / 7 % 2,
                                                  linked_network(i, folder)));
        cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", options, 1 + i % 4)),
                         engine_result(text("%s --device cpu", options)), "%s", options);
    }
}

Test(turned_cuda, bits_and_large_networks_are_the_same)
{
    static const char *const large[] = {
        "--set nodes=300000 --set edges=900000", "--set nodes=100000 --set generator=4 --set degree=8 --worlds 2",
        "--set nodes=100000 --set generator=2 --set degree=10 --set directed=1", "--set nodes=400 --set generator=6"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *options = text("--steps 2 --set compared=0 %s", large[i]);
        cr_expect_str_eq(engine_result(text("%s --device cuda", turned_options(options))),
                         engine_result(text("%s --device cpu", turned_options(options))), "%s", large[i]);
    }
    const char *bits = turned_bits_options("--steps 2 --set nodes=2100 --set edges=6000 --worlds 2");
    cr_expect_str_eq(engine_result(text("%s --device cuda", bits)), engine_result(text("%s --device cpu", bits)));
}

/* A node and its only neighbour, with 66,000 edges between them: 66,000 times 66,000 is more than 2^32. */
Test(turned_cuda, more_pairs_of_edges_than_it_can_count_are_refused)
{
    const char *path = text("%s/many.csv", folder_make());
    FILE *f = fopen(path, "w");
    for (int i = 0; i < 66000; i++) fputs("0,1\n", f);
    fclose(f);
    engine_refuse(turned_options(text("--steps 2 --set compared=0 --set nodes=2 --set file=%s --device cuda", path)), 2,
                  "callback turned_give changes the nodes at the other ends of edges, and ");
}

Test(linked_cuda, requests_that_wait_are_the_same)
{
    for (int joins = 0; joins <= 2; joins++)
        for (int lone = 0; lone <= 2; lone++) {
            const char *options = text("--plugin '%s/waiting.so' --seed 1 --worlds 2 --set joins=%d --set lone=%d",
                                       MASS_TEST_PLUGINS, joins, lone);
            cr_expect_str_eq(engine_result(text("%s --device cuda", options)),
                             engine_result(text("%s --device cpu", options)), "%s", options);
        }
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
