/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of networks, against a search over all pairs of nodes, and against theory where nodes are sampled. */
#include "network/measures.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { MOST = 14 };

typedef bool joined_pairs[MOST][MOST]; /* [node][source]: an edge from source comes into the node */

/* Returns the components, and the nodes of the largest one, by letting labels spread. */
static int spread_labels(joined_pairs in, int nodes, int *largest)
{
    int label[MOST], components = 0;
    for (int i = 0; i < nodes; i++) label[i] = i;
    for (int round = 0; round < nodes; round++)
        for (int i = 0; i < nodes; i++)
            for (int k = 0; k < nodes; k++)
                if ((in[i][k] || in[k][i]) && label[k] < label[i]) label[i] = label[k];
    *largest = 0;
    for (int i = 0; i < nodes; i++) {
        int size = 0;
        for (int k = 0; k < nodes; k++) size += label[k] == i;
        components += size > 0;
        if (size > *largest) *largest = size;
    }
    return components;
}

static double plain_clustering(joined_pairs in, int nodes)
{
    double sum = 0;
    for (int i = 0; i < nodes; i++) {
        int pairs = 0, joined = 0;
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < a; b++) {
                if (a == i || b == i || !in[i][a] || !in[i][b]) continue;
                pairs++;
                joined += in[a][b] || in[b][a];
            }
        if (pairs) sum += (double)joined / pairs;
    }
    return sum / nodes;
}

Test(network_measures, any_small_network_is_that_of_all_pairs)
{
    uint64_t random = 88172645463325252u;
    for (int trial = 0; trial < 400; trial++) {
        joined_pairs in = {0};
        mass_edge_list list = {0};
        mass_edge_ends e;
        mass_network_measures m;
        mass_error error = {0};
        const int nodes = 1 + trial % MOST, edges = trial / 7 % 30;
        const mass_network n = {.name = "net", .directed = trial & 1};
        for (int i = 0; i < edges; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            cr_assert_eq(mass_edge_list_grow(&list, &error), MASS_OK);
            const uint32_t from = random >> 20 & 0xffff, to = random >> 40 & 0xffff;
            list.from[i] = from % (uint32_t)nodes, list.to[i] = to % (uint32_t)nodes;
            list.count++;
            in[list.to[i]][list.from[i]] = true;
            if (!n.directed) in[list.from[i]][list.to[i]] = true;
        }
        cr_assert_eq(mass_edge_ends_make(&list, &n, nodes, &e, &error), MASS_OK);
        cr_assert_eq(mass_network_measure(&e, &m, &error), MASS_OK);
        int largest;
        cr_expect_eq(m.components, spread_labels(in, nodes, &largest), "%d", trial);
        cr_expect_eq(m.largest, largest, "%d", trial);
        cr_expect(fabs(m.clustering - plain_clustering(in, nodes)) < 1e-12 && m.sampled == nodes, "%d: %g", trial,
                  m.clustering);
        cr_expect(fabs(m.mean - (double)e.count / nodes) < 1e-12 && m.least <= m.most, "%d", trial);
        mass_edge_list_free(&list);
        mass_edge_ends_free(&e);
    }
}

Test(network_measures, nodes_and_pairs_are_sampled)
{
    const mass_network nets[] = {{.name = "net", .generator = MASS_SMALL_WORLD, .degree = 8, .rewired = 0.1, .seed = 2},
                                 {.name = "net", .generator = MASS_RING, .degree = 60},
                                 {.name = "net", .generator = MASS_RANDOM_EDGES, .edges = 1}};
    const double expected[] = {3.0 * 6 / (4 * 7) * 0.9 * 0.9 * 0.9, 3.0 * 58 / (4 * 59), 0};
    const double most[] = {0.02, 0.003, 0}; /* by which it differs */
    const mass_gidx nodes[] = {20011, 3001, 20011}, components[] = {1, 1, 20010};
    for (int i = 0; i < 3; i++) {
        mass_edge_list list;
        mass_edge_ends e;
        mass_network_measures m;
        mass_error error = {0};
        cr_assert_eq(mass_edge_list_draw(&nets[i], nodes[i], &list, &error), MASS_OK, "%s", error.text);
        cr_assert_eq(mass_edge_ends_make(&list, &nets[i], nodes[i], &e, &error), MASS_OK);
        cr_assert_eq(mass_network_measure(&e, &m, &error), MASS_OK);
        cr_expect(fabs(m.clustering - expected[i]) <= most[i] && m.sampled == 1000, "%d: %g", i, m.clustering);
        cr_expect_eq(m.components, components[i]);
        mass_edge_list_free(&list);
        mass_edge_ends_free(&e);
    }
}
