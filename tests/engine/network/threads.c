/* SPDX-License-Identifier: Apache-2.0 */
/* Any number of threads makes the same networks, to the last byte: those that one thread draws, and that a plain sort
 * makes of a list. */
#include "network/edges.h"
#include "network/threads.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, NODES = 23001 };
static const int threads[THREADS] = {1, 2, 3, 7};

/* Lets so many threads make networks, however small. */
static mass_cpu_team *begin(int count)
{
    mass_cpu_team *const team = count > 1 ? mass_cpu_team_create(count, NULL) : NULL;
    mass_network_share(0);
    mass_network_team(team);
    return team;
}

static void end(mass_cpu_team *team)
{
    mass_network_team(NULL);
    mass_cpu_team_stop(team);
}

static bool same(const void *a, const void *b, uint64_t bytes) { return memcmp(a, b, (size_t)bytes) == 0; }

static bool same_list(const mass_edge_list *a, const mass_edge_list *b)
{
    return a->count == b->count && same(a->from, b->from, 4 * a->count) && same(a->to, b->to, 4 * a->count);
}

static bool same_ends(const mass_edge_ends *a, const mass_edge_ends *b)
{
    return a->nodes == b->nodes && a->count == b->count && !a->edge == !b->edge &&
           same(a->first, b->first, 8 * ((uint64_t)a->nodes + 1)) && same(a->source, b->source, 4 * a->count) &&
           (!a->edge || same(a->edge, b->edge, 8 * a->count));
}

/* Makes a network by one thread and by several. The list is sorted as it is, and taken apart. */
static void expect_same(mass_network n)
{
    mass_edge_list first = {0};
    mass_edge_ends ends = {0};
    for (int i = 0; i < THREADS; i++) {
        mass_cpu_team *const team = begin(threads[i]);
        mass_edge_list list;
        mass_edge_ends made, taken;
        mass_error error = {0};
        cr_assert_eq(mass_edge_list_draw(&n, n.nodes, &list, &error), MASS_OK, "%s", error.text);
        cr_assert_eq(mass_edge_ends_make(&list, &n, n.nodes, &made, &error), MASS_OK, "%s", error.text);
        if (i == 0) {
            first = list, ends = made;
            end(team);
            continue;
        }
        cr_expect(same_list(&list, &first), "generator %u, %d threads: another list", n.generator, threads[i]);
        cr_assert_eq(mass_edge_ends_take(&list, &n, n.nodes, &taken, &error), MASS_OK, "%s", error.text);
        cr_expect(!list.from && !list.to);
        cr_expect(same_ends(&made, &ends), "generator %u, %d threads: other ends", n.generator, threads[i]);
        cr_expect(same_ends(&taken, &ends), "generator %u, %d threads: other ends are taken", n.generator, threads[i]);
        mass_edge_list_free(&list);
        mass_edge_ends_free(&made);
        mass_edge_ends_free(&taken);
        end(team);
    }
    mass_edge_list_free(&first);
    mass_edge_ends_free(&ends);
}

Test(network_threads, any_number_of_them_draws_and_sorts_the_same)
{
    for (uint32_t generator = MASS_RING; generator <= MASS_STOCHASTIC_BLOCKS; generator++)
        for (uint32_t way = 0; way < 8; way++)
            expect_same((mass_network){.name = "net", .generator = generator, .nodes = NODES, .degree = 6,
                                       .blocks = 200, .rewired = 0.3, .seed = way, .simple = way & 1,
                                       .directed = way >> 1 & 1, .links = way >> 2});
    expect_same((mass_network){.name = "net", .generator = MASS_COMPLETE, .nodes = 300});
    expect_same((mass_network){.name = "net", .generator = MASS_RANDOM_EDGES, .nodes = 5, .degree = 0});
}

/* An end of an edge, for the plain sort. */
typedef struct plain_end {
    uint32_t node, source;
    uint64_t edge;
} plain_end;

static int order(const void *a, const void *b)
{
    const plain_end *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->edge < y->edge ? -1 : x->edge > y->edge;
}

/* Returns a list in which many edges, also equal ones and loops, are at some nodes, and few at the others. */
static mass_edge_list make_list(uint64_t edges, uint32_t nodes)
{
    mass_edge_list list = {.nodes = nodes};
    mass_error error = {0};
    uint64_t random = 88172645463325252u;
    for (uint64_t i = 0; i < edges; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        cr_assert_eq(mass_edge_list_grow(&list, &error), MASS_OK);
        list.from[i] = (uint32_t)(random >> 33) % nodes;
        list.to[i] = (uint32_t)(random & 0xfffff) % (random >> 20 & 7 ? nodes : 1 + nodes / 1000);
        list.count++;
    }
    return list;
}

/* Compares the ends of a list with those of the plain sort. */
static void expect_sorted(uint64_t edges, uint32_t nodes, uint32_t directed, uint32_t links)
{
    mass_edge_list list = make_list(edges, nodes);
    const mass_network n = {.name = "net", .directed = directed, .links = links};
    plain_end *const plain = malloc(2 * (size_t)edges * sizeof *plain);
    uint64_t count = 0;
    for (uint64_t i = 0; i < edges; i++) {
        plain[count++] = (plain_end){list.to[i], list.from[i], i};
        if (!directed && list.from[i] != list.to[i]) plain[count++] = (plain_end){list.from[i], list.to[i], i};
    }
    qsort(plain, (size_t)count, sizeof *plain, order);
    for (int t = 0; t < THREADS; t++) {
        mass_cpu_team *const team = begin(threads[t]);
        mass_edge_list copy = make_list(edges, nodes);
        mass_edge_ends e;
        mass_error error = {0};
        cr_assert_eq(mass_edge_ends_take(&copy, &n, nodes, &e, &error), MASS_OK, "%s", error.text);
        cr_assert_eq(e.count, count);
        for (uint64_t i = 0; i < count; i++) {
            cr_assert(e.first[plain[i].node] <= i && i < e.first[plain[i].node + 1], "%d threads, %zu", threads[t], i);
            cr_assert(e.source[i] == plain[i].source && (!links || e.edge[i] == plain[i].edge), "%d threads, end %zu",
                      threads[t], i);
        }
        mass_edge_list_free(&copy);
        mass_edge_ends_free(&e);
        end(team);
    }
    free(plain);
    mass_edge_list_free(&list);
}

Test(network_threads, ends_are_those_of_a_plain_sort)
{
    for (uint32_t way = 0; way < 4; way++) {
        expect_sorted(300000, 9000, way & 1, way >> 1);  /* several buckets; lists in several stretches */
        expect_sorted(60000, 200, way & 1, way >> 1);    /* all nodes have many ends */
        expect_sorted(3000, 300000, way & 1, way >> 1);  /* most nodes have no ends */
        expect_sorted(1000, 1, way & 1, way >> 1);       /* one node has all */
    }
}
