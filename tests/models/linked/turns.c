/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes in turn, on one process. Each run compares its last state with that of a plain loop over a list of edges. */
#include "named.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(turned, any_small_network_is_that_of_a_plain_loop)
{
    const char *folder = folder_make();
    for (int i = 0; i < LINKED_NETWORKS; i++)
        engine_result(turned_options(text("--steps 3 --partitions %d --threads %d --worlds %d --set alike=%d %s",
                                          1 + i % 7, 1 + i / 7 % 3, 1 + i % 2, i / 2 % 2, linked_network(i, folder))));
}

Test(turned, every_way_to_run_has_the_same_result)
{
    expect_one_result_in_every_way(turned_options, true);
}

Test(turned, bits_are_seen_and_a_large_network_has_one_result)
{
    static const char *const ways[] = {"--threads 1", "--threads 3", "--partitions 4 --threads 2",
                                       "--device paranoid --partitions 2"};
    const char *options = turned_bits_options("--steps 2 --set nodes=2100 --set edges=6000 --worlds 2");
    const char *expected = engine_result(options);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s", ways[w]);
    /* more nodes than from which on the loop asks for memory ahead */
    const char *large = turned_options("--steps 2 --set compared=0 --set nodes=300000 --set edges=900000");
    cr_expect_str_eq(engine_result(text("%s --partitions 3", large)), engine_result(large));
}

Test(turned, a_run_goes_on_with_other_partitions)
{
    const model m = {.options = turned_options("--set nodes=60 --set generator=2 --set degree=6"),
                     .state = "/places/town/trail", .rows = 60, .steps = 9};
    const char *plugin = text("--plugin '%s/turned.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{2, "--partitions 3"}, {5, text("%s --partitions 1 --threads 2", plugin)},
                        {0, text("%s --partitions 7", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
    model worlds = m;
    worlds.options = text("%s --set compared=0", m.options); /* the plain program takes worlds from 0 on */
    expect_same_worlds(&worlds, "--threads 2", "--partitions 2");
}

Test(turned, paranoid_names_what_a_body_may_not_do)
{
    only_paranoid_names(turned_options("--steps 3 --set odd=1"),
                        "of world 0 it follows edge 0, which does not come into that node", "");
    only_paranoid_names(turned_options("--steps 3 --set odd=2"),
                        "of world 0 it follows edge none, as ONE_EDGE gave none", "");
    only_paranoid_names(turned_options("--steps 3 --set odd=4"),
                        "it depends on the order of those that are too far apart to matter to each other",
                        "callback turned_look, field trail, place (");
    paranoid_names(turned_options("--steps 3 --set odd=6"), "it is 1001, and heat has -1000 to 1000",
                   "callback turned_give, field heat, place (");
}

Test(turned, info_lists_the_phases)
{
    process p = engine_start(turned_options("--info"));
    outcome o = engine_finish(&p);
    const json_t *look = json_array_get(json_object_get(o.report, "callbacks"), 2);
    cr_assert_str_eq(json_string_value(json_object_get(look, "name")), "turned_look");
    cr_expect_str_eq(json_string_value(json_object_get(look, "over")), "turns");
    cr_expect_str_eq(json_string_value(json_object_get(look, "space")), "town");
    outcome_free(&o);
}
