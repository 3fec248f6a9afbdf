/* SPDX-License-Identifier: Apache-2.0 */
/* --shares edges: a rank's part of a network ends at the node before which the nodes and edges are closest to its part
 * of all. */
#include "split/edge_shares.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>

enum { NODES_MOST = 400, RANKS_MOST = 6 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(19, n, 0, 0, which).v[0] % below;
}

/* A space of nodes that has a network and maybe a further set of edges, and a smaller space without edges. */
typedef struct scene {
    mass_gidx nodes;
    int32_t ranks, partitions;
    int64_t weight[NODES_MOST]; /* one for the node, and one for each edge that comes in */
    mass_model *model;
    mass_comm comm;
    int64_t before[RANKS_MOST + 1];
} scene;

/* Gives the space a set of edges. Some networks have nodes with most of all edges. */
static void add_edges(scene *s, uint64_t n, uint32_t set)
{
    mass_network_def *const def = &s->model->networks->list[s->model->networks->count++];
    const uint32_t hubs = n % 3 == 0 ? 3 : (uint32_t)s->nodes;
    *def = (mass_network_def){.space = 1, .set = set > 0, .population = -1,
                              .ends = {.nodes = s->nodes, .first = calloc((size_t)s->nodes + 1, sizeof(uint64_t))}};
    for (uint32_t i = 0; i < 2 * (uint32_t)s->nodes; i++) {
        const uint32_t hub = draw(n, 50, (uint32_t)s->nodes);
        const uint32_t to = (hub + draw(n, 1000 * (1 + set) + i, hubs)) % (uint32_t)s->nodes;
        def->ends.first[to + 1]++;
        s->weight[to]++;
    }
    for (mass_gidx i = 0; i < s->nodes; i++) def->ends.first[i + 1] += def->ends.first[i];
}

static void make_scene(uint64_t n, scene *s)
{
    *s = (scene){.ranks = 2 + (int32_t)draw(n, 0, RANKS_MOST - 1), .partitions = 1 + (int32_t)draw(n, 1, 3)};
    const int32_t parts = s->ranks * s->partitions, every = n % 4 == 1 ? 4 : 1;
    s->nodes = parts * every + (mass_gidx)draw(n, 2, (uint32_t)(NODES_MOST - parts * every));
    s->model = calloc(1, sizeof *s->model);
    s->model->networks = calloc(1, sizeof *s->model->networks);
    s->model->space_count = 2;
    s->model->spaces[0] = (mass_space_def){.dimensions = 2, .size = {3, parts, 1}};
    s->model->spaces[1] = (mass_space_def){.dimensions = 1, .size = {s->nodes, 1, 1}, .cut_every = every};
    s->comm = (mass_comm){.size = s->ranks};
    for (mass_gidx i = 0; i < s->nodes; i++) s->weight[i] = 1;
    for (uint32_t set = 0; set <= n % 2; set++) add_edges(s, n, set);
}

static void free_scene(scene *s)
{
    for (uint32_t i = 0; i < s->model->networks->count; i++) mass_edge_ends_free(&s->model->networks->list[i].ends);
    free(s->model->networks);
    free(s->model);
}

/* Returns the weight of the nodes before a row. */
static int64_t weight_before(const scene *s, mass_gidx row)
{
    int64_t sum = 0;
    for (mass_gidx i = 0; i < row && i < s->nodes; i++) sum += s->weight[i];
    return sum;
}

/* Returns the first row at which rank r may begin that is closest to its part, and that leaves a unit for each
 * partition. */
static mass_gidx closest(const scene *s, int32_t rank, mass_gidx previous)
{
    const mass_gidx every = s->model->spaces[1].cut_every, units = (s->nodes + every - 1) / every;
    const int64_t part = weight_before(s, s->nodes) * rank / s->ranks;
    mass_gidx best = 0;
    for (mass_gidx u = 0; u <= units; u++)
        if (llabs(weight_before(s, u * every) - part) < llabs(weight_before(s, best * every) - part)) best = u;
    const mass_gidx least = previous / every + s->partitions, most = units - (s->ranks - rank) * s->partitions;
    return (best < least ? least : best > most ? most : best) * every;
}

Test(edge_shares, end_where_nodes_and_edges_are_closest_to_equal_parts)
{
    int uneven = 0;
    for (uint64_t n = 0; n < 200; n++) {
        scene s;
        make_scene(n, &s);
        const mass_gidx every = s.model->spaces[1].cut_every;
        const bool found = mass_edge_shares_find(s.model, s.ranks, s.partitions, s.before);
        cr_assert_eq(found, (s.nodes + every - 1) / every > s.ranks * s.partitions, "case %d", (int)n);
        const mass_share share = mass_share_make(&s.comm, 1, s.partitions, found ? s.before : NULL);
        mass_gidx row = 0;
        for (int32_t r = 1; found && r < s.ranks; r++) {
            row = closest(&s, r, row);
            cr_assert_eq(mass_share_first_row(&share, &s.model->spaces[1], r), row, "case %d, rank %d", (int)n, r);
            uneven += llabs(row - s.nodes * r / s.ranks) > 1 + every;
        }
        for (int32_t i = 0; i < share.partitions; i++)
            cr_assert_lt(mass_share_row(&share, &s.model->spaces[1], i),
                         mass_share_row(&share, &s.model->spaces[1], i + 1));
        free_scene(&s);
    }
    cr_assert_gt(uneven, 100);
}

Test(edge_shares, are_of_networks_alone)
{
    int64_t before[3];
    mass_model *const m = calloc(1, sizeof *m);
    m->space_count = 1;
    m->spaces[0] = (mass_space_def){.dimensions = 1, .size = {9, 1, 1}};
    cr_assert_not(mass_edge_shares_find(m, 2, 1, before));
    free(m);
}
