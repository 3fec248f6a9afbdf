/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes that read linked nodes, on one process. Each run compares its last state with that of a plain program over a
 * list of edges. */
#include "named.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>
#include <string.h>

Test(linked, any_small_network_is_that_of_a_plain_program)
{
    const char *folder = folder_make();
    for (int i = 0; i < LINKED_NETWORKS; i++)
        engine_result(linked_options(text("--steps 4 --partitions %d --threads %d --worlds %d %s", 1 + i % 7,
                                          1 + i / 7 % 3, 1 + i % 2, linked_network(i, folder))));
}

Test(linked, every_way_to_run_has_the_same_result)
{
    expect_one_result_in_every_way(linked_options, false);
}

Test(linked, bits_of_linked_nodes_are_read)
{
    static const char *const ways[] = {"--threads 1", "--threads 3", "--partitions 4 --threads 2",
                                       "--device paranoid --partitions 2"};
    const char *options = linked_bits_options("--steps 3 --set nodes=2100 --set edges=6000 --worlds 2");
    const char *expected = engine_result(options);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        cr_expect_str_eq(engine_result(text("%s %s", options, ways[w])), expected, "%s", ways[w]);
}

Test(linked, a_large_network_is_that_of_a_plain_program)
{
    engine_result(linked_options("--steps 2 --set nodes=3000 --set generator=4 --set degree=3 --threads 2"));
    engine_result(linked_options("--steps 2 --set nodes=300 --set generator=6 --partitions 2"));
}

Test(linked, a_run_goes_on_with_other_partitions)
{
    const model m = {.options = linked_options("--set nodes=60 --set generator=2 --set degree=6"),
                     .state = "/places/town/trail", .rows = 60, .steps = 9};
    const char *plugin = text("--plugin '%s/linked.so'", MASS_TEST_PLUGINS);
    const leg legs[] = {{2, "--partitions 3"}, {5, text("%s --partitions 1 --threads 2", plugin)},
                        {0, text("%s --partitions 7", plugin)}};
    expect_same_resumed(&m, legs, sizeof legs / sizeof *legs);
}

/* Writes a text to a file. */
static const char *write_text(const char *folder, const char *content)
{
    const char *path = text("%s/edges.csv", folder);
    FILE *f = fopen(path, "w");
    fputs(content, f);
    fclose(f);
    return path;
}

Test(linked, a_resume_with_other_edges_is_refused)
{
    const char *folder = folder_make(), *path = write_text(folder, "0,1\n1,2\n2,3\n");
    const char *checkpoints = folder_make(), *plugin = text("--plugin '%s/linked.so'", MASS_TEST_PLUGINS);
    engine_write(linked_options(text("--steps 2 --set file=%s --set nodes=0 --checkpoint %s", path, checkpoints)));
    engine_write(text("%s --resume %s --steps 3", plugin, checkpoints));
    write_text(folder, "0,1\n1,3\n2,3\n");
    engine_refuse(text("%s --resume %s --steps 4", plugin, checkpoints), 4,
                  "network 'town' has other edges than when the checkpoint was written: it is to resume with the same "
                  "file as ");
}

/* Expects a line about a file with this content. */
static void expect_bad(const char *content, const char *more, const char *words)
{
    const char *folder = folder_make(), *path = write_text(folder, content);
    engine_refuse(linked_options(text("--steps 1 --set nodes=0 --set file=%s %s", path, more)), 4, words);
}

Test(linked, bad_files_are_refused_with_the_line)
{
    expect_bad("0,1\n1\n", "", "edges.csv, line 2: an edge has two ends, and there is one number");
    expect_bad("# made by hand\n0 1\n1 2 3\n", "", "edges.csv, line 3: it has 3 columns, and not 2");
    expect_bad("0,1\n1,-2\n", "", "edges.csv, line 2: '-2' is no number of a node: nodes are numbered from 0");
    expect_bad("0,1\n1,2x\n", "", "edges.csv, line 2: '2x' is no number of a node");
    expect_bad("0,1\n1,\n", "", "edges.csv, line 2: '' is no number of a node");
    expect_bad("0,1\n1,4294967296\n", "", "edges.csv, line 2: node 4294967296 is beyond what can be numbered");
    expect_bad("0,1\n1,20\n", "--set nodes=20", "line 2: there is no node 20: network 'town' has nodes 0 to 19");
    expect_bad("0,1\n1,20\n", "--size 20", "line 2: there is no node 20: network 'town' has nodes 0 to 19");
    expect_bad("source,target,weight\n0,1,2\n1,2,nan\n", "", "line 3: 'nan' in column 'weight' is no finite number");
    expect_bad("source,target,weight\n0,1,2\n1,2,40000\n", "",
               "line 3: it has 40000 in column 'weight', which is of i16");
    expect_bad("source,target,weight\n0,1,2\n1,2\n", "", "edges.csv, line 3: it has 2 columns, and not 3");
    expect_bad("from,target\n0,1\n", "",
               "edges.csv, line 1: its header has no column 'source': it names the columns, as source,target");
    expect_bad("source,target,source\n0,1,2\n", "", "edges.csv, line 1: column 'source' is there twice");
    expect_bad("0,1,2\n", "", "edges.csv, line 1: it has 3 columns, and no header names them");
    expect_bad("0,1\n2,2\n", "--set simple=1", "edges.csv, line 2: it joins node 2 to itself");
    expect_bad("0,1\n1,2\n1,0\n", "--set simple=1", "edges.csv, line 3: a line before it joins nodes 1 and 0 too");
    expect_bad("0,1\n1,2000000000\n", "", "names node 2000000000, and has 2 edges: if there are so many nodes, give "
                                           "their number by --size");
    expect_bad("", "", "has no edges, and network 'town' takes its nodes from there");
    engine_refuse(linked_options("--set file=/nowhere/edges.csv"), 4, "cannot read /nowhere/edges.csv: No such file");
}

Test(linked, networks_that_do_not_exist_are_refused)
{
    engine_refuse(linked_options("--set generator=1 --set degree=3"), 2,
                  "network 'town': the .degree of a ring is even, at least 2, and below the number of nodes");
    engine_refuse(linked_options("--set nodes=5 --set edges=11 --set simple=1"), 2,
                  "network 'town': no two nodes without an edge were found for edge 10");
    engine_refuse(linked_options("--size 30x2"), 2, "network 'town' has one number, of its nodes");
    engine_refuse(linked_options("--set generator=5 --set blocks=11"), 2, "twice as many nodes");
    engine_refuse(linked_options("--set generator=6 --size 100000000"), 5,
                  "network 'town' would have 4999999950000000 edges, which take 71.1 PiB, and ");
    engine_refuse(linked_options("--size 1000000000000000"), 5,
                  "network 'town' would have 1000000000000000 nodes, which take 7.1 PiB, and ");
}

Test(linked, paranoid_names_an_edge_out_of_the_walk)
{
    only_paranoid_names(linked_options("--steps 3 --set odd=1"),
                        "it follows edge 0, which does not come into that node: take it from EACH_EDGE or ONE_EDGE",
                        "");
    only_paranoid_names(linked_options("--steps 3 --set odd=2"),
                        "it follows edge none, as ONE_EDGE gave none: ask IS_EDGE first", "");
}
