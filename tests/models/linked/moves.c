/* SPDX-License-Identifier: Apache-2.0 */
/* Walkers that move along edges, and edges that change, on one process. Each run compares its last state with that of a
 * plain program over a list of edges. */
#include "named.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(moving, any_small_network_changes_as_in_a_plain_program)
{
    const char *folder = folder_make();
    for (int i = 0; i < LINKED_NETWORKS; i++)
        engine_result(moving_options(text("--steps %d --partitions %d --threads %d --worlds %d --set dies=%d %s",
                                          2 + i % 4, 1 + i % 7, 1 + i / 7 % 3, 1 + i % 2, i / 2 % 2,
                                          linked_network(i, folder))));
}

/* Adds that edges end with the last walker of a node, in every second run. */
static const char *dying_options(const char *more)
{
    static int runs;
    return moving_options(text("--set dies=%d %s", runs++ % 2, more));
}

Test(moving, every_way_to_run_has_the_same_result)
{
    expect_one_result_in_every_way(dying_options, false);
}

Test(moving, a_run_goes_on_with_the_edges_that_it_had)
{
    static const char *const attributes[] = {"id", "place", "source", "weight", "length", NULL};
    const model m = {.options = moving_options("--set nodes=60 --set generator=2 --set degree=6"),
                     .state = "/places/town/trail", .rows = 60, .steps = 9, .population = "town_edges",
                     .attributes = attributes};
    const char *plugin = text("--plugin '%s/moving.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{2, "--partitions 3"}, {5, text("%s --partitions 1 --threads 2", plugin)},
                        {0, text("%s --partitions 7", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
    model dying = m;
    dying.options = text("%s --set dies=1", m.options);
    expect_same_resumed(&dying, legs, sizeof legs / sizeof *legs);
    model worlds = m;
    worlds.options = text("%s --set compared=0", m.options); /* the plain program takes worlds from 0 on */
    expect_same_worlds(&worlds, "--threads 2", "--partitions 2");
}

Test(moving, info_says_that_edges_change)
{
    process p = engine_start(moving_options("--info --set edges=30"));
    outcome o = engine_finish(&p);
    const json_t *town = json_array_get(json_object_get(o.report, "networks"), 0);
    cr_expect(json_is_true(json_object_get(town, "changes")));
    cr_expect_eq(json_integer_value(json_object_get(town, "edges")), 30);
    cr_expect_null(json_object_get(town, "dies"));
    json_t *agents, *edges = NULL;
    size_t i;
    json_array_foreach(json_object_get(o.report, "populations"), i, agents)
        if (strcmp(json_string_value(json_object_get(agents, "name")), "town_edges") == 0) edges = agents;
    cr_expect_str_eq(json_string_value(json_object_get(edges, "initial")), "edges of the network");
    cr_expect_eq(json_integer_value(json_object_get(edges, "count")), 30);
    outcome_free(&o);
}

Test(moving, a_node_that_there_is_not_gets_no_edge)
{
    only_paranoid_names(moving_options("--steps 3 --set odd=3"),
                        "it asks for an edge from node 20, which there is not: the network has nodes 0 to 19", "");
}

Test(moving, an_attribute_of_an_edge_that_was_not_asked_for_is_found)
{
    engine_refuse(moving_options("--steps 2 --set odd=5 --device paranoid"), 3,
                  "it names new edge 7, for which it has not asked: take its number from LINK");
}

Test(moving, more_edges_than_links_are_reported)
{
    process p = engine_start(moving_options("--steps 2 --set odd=4"));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 0, "%s", o.errors);
    cr_expect(strstr(o.errors, "callback moving_look asks by LINK for more edges of a node than the .links of its "
                               "network allows at once: raise it"), "%s", o.errors);
    outcome_free(&o);
}

Test(moving, info_says_with_whom_edges_end)
{
    process p = engine_start(moving_options("--info --set dies=1"));
    outcome o = engine_finish(&p);
    const json_t *town = json_array_get(json_object_get(o.report, "networks"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(town, "dies")), "walkers");
    outcome_free(&o);
}

/* Runs the model whose requests wait, and expects so many edges in the end. Returns its state. */
static const char *expect_waiting(int joins, const char *more, int edges)
{
    process p = engine_start(text("--plugin '%s/waiting.so' --seed 1 --set joins=%d %s", MASS_TEST_PLUGINS, joins,
                                  more));
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%d, %s: %s", joins, more, o.errors);
    const json_t *agents = json_object_get(o.report, "agents"), *tallies = json_object_get(o.report, "tallies");
    cr_expect_eq(json_integer_value(json_object_get(agents, "town_edges")), edges, "%d, %s", joins, more);
    cr_expect_eq(json_integer_value(json_object_get(tallies, "left")), edges ? 60 : 20, "%d, %s", joins, more);
    const char *hash = text("%s", o.hash);
    outcome_free(&o);
    return hash;
}

Test(moving, requests_wait_for_a_phase_that_takes_place)
{
    static const char *const ways[] = {"--partitions 3 --threads 2", "--device paranoid",
                                       "--tally 'x=max(town_edges.source)'", "--tally 'x=sum(town_edges.source)'"};
    for (int joins = 0; joins <= 2; joins++) {
        const char *hash = expect_waiting(joins, "", joins ? 20 : 0);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(expect_waiting(joins, ways[w], joins ? 20 : 0), hash, "%d, %s", joins, ways[w]);
    }
}

/* Edges that end with agents also wait. If the agents have returned until then, no edge ends. */
Test(moving, edges_of_nodes_without_agents_end_in_a_phase_that_takes_place)
{
    static const char *const ways[] = {"--partitions 3 --threads 2", "--device paranoid"};
    for (int joins = 0; joins <= 2; joins++) {
        const char *hash = expect_waiting(joins, "--set lone=1", 0);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            cr_expect_str_eq(expect_waiting(joins, text("--set lone=1 %s", ways[w]), 0), hash, "%d, %s", joins,
                             ways[w]);
        cr_expect_str_eq(expect_waiting(joins, "--set lone=2", joins ? 20 : 0),
                         expect_waiting(joins, "", joins ? 20 : 0), "%d", joins);
    }
}
