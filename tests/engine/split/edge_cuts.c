/* SPDX-License-Identifier: Apache-2.0 */
/* How parts divide the edges of a network: the counts are those of plain loops over a list of edges. */
#include "split/edge_cuts.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>

enum { NODES_MOST = 60, EDGES_MOST = 150, RANKS_MOST = 5 };

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(17, n, 0, 0, which).v[0] % below;
}

typedef struct scene {
    mass_gidx nodes;
    uint32_t from[EDGES_MOST], to[EDGES_MOST], edges;
    mass_network_def network;
    mass_model *model;
    mass_comm comm;
    int64_t before[RANKS_MOST + 1];
    mass_share share;
    int32_t each; /* partitions of a rank */
} scene;

/* Draws a network, and ranks with shares of it. */
static void make_scene(uint64_t n, scene *s)
{
    mass_error error = {0};
    const mass_network sorted = {.name = "town", .directed = n % 2};
    int32_t shares[RANKS_MOST];
    *s = (scene){.each = 1 + (int32_t)draw(n, 0, 3), .edges = draw(n, 1, EDGES_MOST), .comm = {.size = 1}};
    if (n % 4) s->comm.size = 2 + (int32_t)draw(n, 2, RANKS_MOST - 1);
    const int32_t parts = s->each * s->comm.size;
    s->nodes = parts + (mass_gidx)draw(n, 3, (uint32_t)(NODES_MOST - parts));
    for (uint32_t i = 0; i < s->edges; i++) {
        s->from[i] = draw(n, 100 + 2 * i, (uint32_t)s->nodes);
        s->to[i] = draw(n, 101 + 2 * i, n % 3 ? (uint32_t)s->nodes : 1 + (uint32_t)s->nodes / 4);
    }
    const mass_edge_list list = {.from = s->from, .to = s->to, .count = s->edges};
    cr_assert_eq(mass_edge_ends_make(&list, &sorted, s->nodes, &s->network.ends, &error), MASS_OK);
    s->model = calloc(1, sizeof *s->model);
    s->model->space_count = 1;
    s->model->spaces[0] = (mass_space_def){.dimensions = 1, .size = {s->nodes, 1, 1}};
    for (int32_t r = 0; r < s->comm.size; r++) shares[r] = 1 + (int32_t)draw(n, 10 + (uint32_t)r, 9);
    mass_share_add_up(shares, s->comm.size, s->before);
    s->share = mass_share_make(&s->comm, 1, s->each, n % 5 && s->comm.size > 1 ? s->before : NULL);
}

static void free_scene(scene *s)
{
    mass_edge_ends_free(&s->network.ends);
    free(s->model);
}

static int32_t part_with(const scene *s, uint32_t node, int32_t each)
{
    return mass_share_owner(&s->share, &s->model->spaces[0], node) / each;
}

/* Counts the edges of one part, edge by edge. */
static mass_edge_part plainly(const scene *s, int32_t part, int32_t each, bool directed)
{
    mass_edge_part p = {0};
    bool ghost[NODES_MOST] = {false};
    for (uint32_t i = 0; i < (uint32_t)s->nodes; i++) p.nodes += part_with(s, i, each) == part;
    for (uint32_t i = 0; i < s->edges; i++)
        for (int way = 0; way < (directed || s->from[i] == s->to[i] ? 1 : 2); way++) {
            const uint32_t from = way ? s->to[i] : s->from[i], to = way ? s->from[i] : s->to[i];
            if (part_with(s, to, each) != part) continue;
            p.edges++;
            if (part_with(s, from, each) == part) continue;
            p.cut++;
            ghost[from] = true;
        }
    for (uint32_t i = 0; i < (uint32_t)s->nodes; i++) p.ghosts += ghost[i];
    return p;
}

static void expect_plain(const scene *s, int32_t each, bool directed)
{
    mass_edge_cuts c;
    mass_error error = {0};
    uint64_t edges = 0, cut = 0, most = 0;
    cr_assert_eq(mass_edge_cuts_find(&s->share, s->model, &s->network, each, &c, &error), MASS_OK);
    cr_assert_eq(c.count, s->share.partitions / each);
    for (int32_t i = 0; i < c.count; i++) {
        const mass_edge_part p = plainly(s, i, each, directed), *const found = &c.parts[i];
        cr_assert(p.nodes == found->nodes && p.edges == found->edges && p.cut == found->cut &&
                  p.ghosts == found->ghosts, "part %d has %d nodes, %d edges, %d cut, %d ghosts", i,
                  (int)found->nodes, (int)found->edges, (int)found->cut, (int)found->ghosts);
        edges += p.edges, cut += p.cut, most = p.edges > most ? p.edges : most;
    }
    cr_assert(c.edges == edges && c.cut == cut);
    cr_assert_float_eq(c.balance, edges ? (double)most * c.count / (double)edges : 1, 1e-12);
    cr_assert_float_eq(mass_edge_cuts_fraction(&c), edges ? (double)cut / (double)edges : 0, 1e-12);
    mass_edge_cuts_free(&c);
}

Test(edge_cuts, are_those_of_plain_loops)
{
    for (uint64_t n = 0; n < 300; n++) {
        scene s;
        make_scene(n, &s);
        expect_plain(&s, 1, n % 2);
        expect_plain(&s, s.each, n % 2);
        free_scene(&s);
    }
}
