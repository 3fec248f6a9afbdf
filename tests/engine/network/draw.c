/* SPDX-License-Identifier: Apache-2.0 */
/* What generators draw, against their theory: degrees, clustering, blocks. And the edges by node, against a search of
 * the list. */
#include "network_file.h"

#include <math.h>
#include <stdlib.h>

/* A network that was drawn. */
typedef struct drawn {
    mass_network n;
    mass_edge_list list;
    mass_edge_ends ends;
} drawn;

static drawn draw(mass_network n)
{
    drawn d = {.n = n};
    mass_error error = {0};
    d.n.name = "net";
    cr_assert_eq(mass_edge_list_draw(&d.n, n.nodes, &d.list, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_edge_ends_make(&d.list, &d.n, n.nodes, &d.ends, &error), MASS_OK, "%s", error.text);
    return d;
}

static void release(drawn *d)
{
    mass_edge_list_free(&d->list);
    mass_edge_ends_free(&d->ends);
}

static uint64_t degree(const drawn *d, mass_gidx node) { return d->ends.first[node + 1] - d->ends.first[node]; }

static bool has(const drawn *d, mass_gidx node, uint32_t source)
{
    for (uint64_t i = d->ends.first[node]; i < d->ends.first[node + 1]; i++)
        if (d->ends.source[i] == source) return true;
    return false;
}

/* Returns the part of the pairs of a node's neighbours that are joined, in the mean over nodes. */
static double clustering(const drawn *d)
{
    double sum = 0;
    for (mass_gidx node = 0; node < d->n.nodes; node++) {
        const uint64_t first = d->ends.first[node], count = degree(d, node);
        uint64_t joined = 0;
        for (uint64_t i = 0; i < count; i++)
            for (uint64_t k = 0; k < i; k++)
                joined += has(d, d->ends.source[first + i], d->ends.source[first + k]);
        if (count > 1) sum += 2.0 * (double)joined / (double)(count * (count - 1));
    }
    return sum / (double)d->n.nodes;
}

Test(network_draw, random_edges_have_degrees_of_poisson)
{
    drawn d = draw((mass_network){.generator = MASS_RANDOM_EDGES, .nodes = 20000, .degree = 6, .seed = 5});
    double mean = 0, squares = 0;
    cr_expect_eq(d.list.count, 60000);
    for (mass_gidx i = 0; i < d.n.nodes; i++) {
        mean += (double)degree(&d, i) / 20000;
        squares += (double)(degree(&d, i) * degree(&d, i)) / 20000;
    }
    cr_expect(fabs(mean - 6) < 1e-9, "%g", mean);
    cr_expect(fabs(squares - mean * mean - 6) < 0.3, "%g", squares - mean * mean); /* its standard error is 0.06 */
    release(&d);
}

Test(network_draw, a_ring_has_the_clustering_of_watts_and_strogatz)
{
    drawn d = draw((mass_network){.generator = MASS_RING, .nodes = 500, .degree = 8});
    for (mass_gidx i = 0; i < 500; i++) cr_expect_eq(degree(&d, i), 8);
    cr_expect(fabs(clustering(&d) - 3.0 * 6 / (4 * 7)) < 1e-9, "%g", clustering(&d));
    release(&d);
    for (int simple = 0; simple < 2; simple++) {
        drawn w = draw((mass_network){.generator = MASS_SMALL_WORLD, .nodes = 4000, .degree = 8, .rewired = 0.2,
                                      .simple = (uint32_t)simple, .seed = 3});
        const double expected = 3.0 * 6 / (4 * 7) * 0.8 * 0.8 * 0.8; /* A. Barrat and M. Weigt (2000) */
        cr_expect(fabs(clustering(&w) - expected) < 0.02, "%g and %g", clustering(&w), expected);
        release(&w);
    }
}

Test(network_draw, preferential_attachment_has_a_power_law)
{
    drawn d = draw((mass_network){.generator = MASS_PREFERENTIAL, .nodes = 30000, .degree = 3, .seed = 8});
    double least = 0, tail = 0, most = 0;
    for (mass_gidx i = 0; i < d.n.nodes; i++) {
        least += degree(&d, i) == 3, tail += degree(&d, i) >= 30;
        most = fmax(most, (double)degree(&d, i));
    }
    cr_expect_eq(d.list.count, 6 + 29996 * 3);
    cr_expect(fabs(least / 30000 - 2.0 / 5) < 0.01, "%g", least / 30000);                 /* 2 / (m + 2) */
    cr_expect(fabs(tail / 30000 - 12.0 / (30 * 31)) < 0.003, "%g", tail / 30000);         /* m (m + 1) / (k (k + 1)) */
    cr_expect(most > 200, "%g", most);
    release(&d);
}

Test(network_draw, blocks_have_the_edges_that_were_asked_for)
{
    drawn d = draw((mass_network){.generator = MASS_STOCHASTIC_BLOCKS, .nodes = 1003, .blocks = 7, .edges = 400,
                                  .inside = 2000, .seed = 1});
    int inside = 0, nodes[7] = {0};
    for (uint64_t i = 0; i < d.list.count; i++) {
        int block[2];
        const uint32_t ends[2] = {d.list.from[i], d.list.to[i]};
        for (int k = 0; k < 2; k++)
            for (block[k] = 0; (block[k] + 1) * 1003 / 7 <= (int)ends[k];) block[k]++;
        inside += block[0] == block[1];
        nodes[block[0]]++;
    }
    cr_expect_eq(inside, 2000);
    for (int k = 0; k < 7; k++) cr_expect(abs(nodes[k] - 2400 / 7) < 100, "%d", nodes[k]);
    release(&d);
    drawn half = draw((mass_network){.generator = MASS_STOCHASTIC_BLOCKS, .nodes = 100, .blocks = 2, .degree = 10,
                                     .rewired = 0.25});
    cr_expect_eq(half.list.count, 500);
    release(&half);
}

Test(network_draw, all_nodes_of_a_complete_network_are_joined)
{
    for (uint32_t directed = 0; directed < 2; directed++) {
        drawn d = draw((mass_network){.generator = MASS_COMPLETE, .nodes = 30, .directed = directed, .simple = 1});
        cr_expect_eq(d.list.count, directed ? 30 * 29 : 30 * 29 / 2);
        for (mass_gidx i = 0; i < 30; i++) cr_expect(degree(&d, i) == 29 && !has(&d, i, (uint32_t)i));
        release(&d);
    }
}

Test(network_draw, nodes_of_a_grid_are_joined_to_those_next_to_them)
{
    drawn open = draw((mass_network){.generator = MASS_GRID, .nodes = 23, .columns = 5, .degree = 8});
    cr_expect(degree(&open, 0) == 3 && degree(&open, 6) == 8 && degree(&open, 22) == 4); /* the last row has 3 */
    cr_expect(has(&open, 22, 21) && has(&open, 22, 16) && has(&open, 22, 17) && has(&open, 22, 18));
    release(&open);
    for (int directed = 0; directed < 2; directed++) {
        drawn torus = draw((mass_network){.generator = MASS_GRID, .nodes = 12, .columns = 4, .torus = 1,
                                          .directed = (uint32_t)directed});
        cr_expect_eq(torus.list.count, directed ? 48 : 24);
        for (mass_gidx i = 0; i < 12; i++) cr_expect_eq(degree(&torus, i), 4);
        cr_expect(has(&torus, 0, 3) && has(&torus, 0, 8) && has(&torus, 0, 1) && has(&torus, 0, 4));
        release(&torus);
    }
    drawn root = draw((mass_network){.generator = MASS_GRID, .nodes = 10}); /* 4 columns */
    cr_expect(has(&root, 0, 4) && has(&root, 5, 9) && root.list.count == 13);
    release(&root);
}

/* The clustering is that of J. Dall and M. Christensen, "Random geometric graphs" (2002). */
Test(network_draw, near_points_are_joined)
{
    for (uint32_t torus = 0; torus < 2; torus++) {
        drawn d = draw((mass_network){.generator = MASS_GEOMETRIC, .nodes = 20000, .degree = 10, .torus = torus,
                                      .seed = 4});
        const double radius = sqrt(10 / (M_PI * 19999));
        const double border = 1 - 8 * radius / (3 * M_PI) + radius * radius / (2 * M_PI);
        const double mean = 2.0 * (double)d.list.count / 20000, expected = torus ? 10 : 10 * border;
        cr_expect(fabs(mean - expected) < 0.15, "%g and %g", mean, expected);
        const double part = 1 - 3 * sqrt(3) / (4 * M_PI); /* of a circle that two near points share, in the mean */
        cr_expect(!torus || fabs(clustering(&d) - part) < 0.01, "%g and %g", clustering(&d), part);
        release(&d);
    }
}

Test(network_draw, pairs_are_joined_with_their_chance)
{
    for (uint32_t directed = 0; directed < 2; directed++) {
        drawn d = draw((mass_network){.generator = MASS_RANDOM_PAIRS, .nodes = 3000, .chance = 0.004,
                                      .directed = directed, .seed = 2});
        const double pairs = 3000.0 * 2999 / (directed ? 1 : 2), mean = pairs * 0.004;
        double squares = 0;
        cr_expect(fabs((double)d.list.count - mean) < 5 * sqrt(mean), "%g", (double)d.list.count);
        for (mass_gidx i = 0; i < 3000; i++) {
            const double off = (double)degree(&d, i) - 2999 * 0.004;
            squares += off * off / 3000;
            cr_expect(!has(&d, i, (uint32_t)i));
        }
        cr_expect(fabs(squares - 12) < 1.6, "%g", squares); /* five standard errors of the variance */
        release(&d);
    }
    drawn rare = draw((mass_network){.generator = MASS_RANDOM_PAIRS, .nodes = 100000, .chance = 1e-9});
    cr_expect(rare.list.count > 0 && rare.list.count < 20, "%d", (int)rare.list.count); /* 5 in the mean */
    release(&rare);
}

Test(network_draw, the_seed_decides)
{
    for (uint32_t generator = MASS_SMALL_WORLD; generator <= MASS_RANDOM_PAIRS; generator++) {
        const mass_network n = {.generator = generator, .nodes = 200, .degree = 4, .rewired = 0.5, .blocks = 4,
                                .chance = 0.02};
        if (generator == MASS_COMPLETE || generator == MASS_GRID) continue;
        mass_network other = n;
        other.seed = 1;
        drawn a = draw(n), b = draw(n), c = draw(other);
        const size_t bytes = (size_t)a.ends.count * sizeof *a.ends.source;
        cr_expect(a.ends.count == b.ends.count && memcmp(a.ends.source, b.ends.source, bytes) == 0, "%u", generator);
        cr_expect(a.ends.count != c.ends.count || memcmp(a.ends.source, c.ends.source, bytes) != 0, "%u", generator);
        release(&a), release(&b), release(&c);
    }
}

Test(network_draw, numbers_that_cannot_be_are_refused)
{
    static const mass_network wrong[] = {
        {.name = "net", .generator = MASS_RANDOM_EDGES, .degree = -5},
        {.name = "net", .generator = MASS_RANDOM_EDGES, .degree = INT64_MAX},
        {.name = "net", .generator = MASS_STOCHASTIC_BLOCKS, .degree = -1, .blocks = 2},
        {.name = "net", .generator = MASS_STOCHASTIC_BLOCKS, .degree = 2, .blocks = INT64_MAX},
        {.name = "net", .generator = MASS_GRID, .columns = 5, .degree = 6},
        {.name = "net", .generator = MASS_GRID, .columns = 21},
        {.name = "net", .generator = MASS_GRID, .columns = 6, .torus = 1},
        {.name = "net", .generator = MASS_GEOMETRIC, .radius = -0.1},
        {.name = "net", .generator = MASS_GEOMETRIC, .degree = 20},
        {.name = "net", .generator = MASS_RANDOM_PAIRS, .chance = 1.5},
        {.name = "net", .generator = MASS_RANDOM_PAIRS, .chance = NAN}};
    static const char *const words[] = {".degree", ".degree", ".degree", "block", ".degree", ".columns", "whole rows",
                                        ".radius", ".degree", ".chance", ".chance"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mass_edge_list list = {0};
        mass_error error = {0};
        cr_expect_neq(mass_edge_list_draw(&wrong[i], 20, &list, &error), MASS_OK, "%zu", i);
        cr_expect(strstr(error.text, words[i]), "%zu: %s", i, error.text);
        mass_edge_list_free(&list);
    }
}

/* Expects the ends of a list by a search for each node. Some nodes have many edges. */
static void expect_ends(uint32_t directed, bool columns)
{
    enum { NODES = 9, EDGES = 700 };
    mass_edge_list list = {.nodes = NODES};
    mass_error error = {0};
    uint64_t random = 5, at = 0;
    for (int i = 0; i < EDGES; i++) {
        cr_assert_eq(mass_edge_list_grow(&list, &error), MASS_OK);
        random = random * 6364136223846793005u + 1442695040888963407u;
        list.from[i] = (uint32_t)(random >> 33) % NODES, list.to[i] = (uint32_t)(random >> 50) % 7;
        list.count++;
    }
    list.column_count = columns;
    mass_edge_ends e;
    const mass_network n = {.name = "net", .directed = directed};
    cr_assert_eq(mass_edge_ends_make(&list, &n, NODES, &e, &error), MASS_OK);
    for (uint32_t node = 0; node < NODES; node++) {
        cr_assert_eq(e.first[node], at);
        for (uint32_t source = 0; source < NODES; source++)
            for (uint64_t i = 0; i < EDGES; i++) {
                const bool in = list.to[i] == node && list.from[i] == source;
                const bool back = !directed && list.from[i] == node && list.to[i] == source && node != source;
                if (!in && !back) continue;
                cr_assert_eq(e.source[at], source);
                if (columns) cr_assert_eq(e.edge[at], i);
                at++;
            }
    }
    cr_assert(e.first[NODES] == at && e.count == at);
    mass_edge_ends_free(&e);
    mass_edge_list_free(&list);
}

Test(network_draw, ends_are_sorted_by_node_source_and_number)
{
    for (uint32_t directed = 0; directed < 2; directed++) {
        expect_ends(directed, false);
        expect_ends(directed, true);
    }
}
