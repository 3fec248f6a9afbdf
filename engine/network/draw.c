/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the edges of networks: the generators. A draw depends on the seed, the number of the edge, and the attempt, if
 * simple networks draw again. */
#include "network/draw_by_node.h"
#include "network/edges.h"
#include "network/pairs.h"

#include <inttypes.h>
#include <mass/random.h>
#include <math.h>
#include <stdlib.h>

enum { ATTEMPTS = 10000, /* of an edge of a simple network */
       ENDS = 1, CHANCE = 2 /* draws */ };

/* The state of a generator. */
typedef struct drawing {
    const mass_network *n;
    mass_gidx nodes;
    uint64_t key;
    mass_edge_list *list;
    mass_pairs pairs; /* of a simple network */
    mass_error *error;
} drawing;

/* An edge that is drawn. */
typedef struct two_ends {
    uint32_t from, to;
} two_ends;
typedef two_ends draw_edge(const drawing *d, uint64_t edge, uint64_t attempt);

/* Returns random words for an edge. */
static mass_random4 words_of(const drawing *d, uint64_t edge, uint64_t attempt, uint32_t draw)
{
    return mass_random_block(d->key, edge, attempt, d->n->generator, draw);
}

/* Returns a number below `most`, from two words. */
static uint64_t below(uint64_t most, uint32_t high, uint32_t low)
{
    return (uint64_t)((unsigned __int128)((uint64_t)high << 32 | low) * most >> 64);
}

/* Adds an edge to the list, which grows. An edge that is there already is added again. */
static mass_status add(drawing *d, two_ends e)
{
    const mass_status status = mass_edge_list_grow(d->list, d->error);
    if (status != MASS_OK) return status;
    d->list->from[d->list->count] = e.from;
    d->list->to[d->list->count++] = e.to;
    return MASS_OK;
}

/* Draws an edge, in a simple network until it joins nodes that no edge joins, and adds it. Fails after ATTEMPTS
 * draws. */
static mass_status draw_and_add(drawing *d, draw_edge *draw, uint64_t edge)
{
    uint64_t attempt = 0;
    two_ends e = draw(d, edge, attempt);
    while (d->n->simple && !mass_pairs_add(&d->pairs, e.from, e.to) && ++attempt < ATTEMPTS) e = draw(d, edge, attempt);
    if (attempt == ATTEMPTS)
        return mass_error_set(d->error, MASS_BAD_USAGE, "network '%s': no two nodes without an edge were found for "
                              "edge %" PRIu64 ": give it fewer edges or more nodes", d->n->name, edge);
    return add(d, e);
}

/* ---- the generators ---- */

/* Returns a node that two random words choose among all nodes but one. */
static uint32_t another_than(const drawing *d, uint32_t node, uint32_t high, uint32_t low)
{
    const uint32_t other = mass_below_u32((uint32_t)d->nodes - 1, high, low);
    return other + (other >= node);
}

/* Returns the ends of an edge between any two nodes. */
static two_ends random_edge(const drawing *d, uint64_t edge, uint64_t attempt)
{
    const mass_random4 r = words_of(d, edge, attempt, ENDS);
    const uint32_t from = mass_below_u32((uint32_t)d->nodes, r.v[0], r.v[1]);
    return (two_ends){from, another_than(d, from, r.v[2], r.v[3])};
}

/* Returns edge `edge` of the ring: from a node to one of those behind it. */
static two_ends ring_edge(const drawing *d, uint64_t edge)
{
    const uint64_t half = (uint64_t)d->n->degree / 2, node = edge / half;
    return (two_ends){(uint32_t)node, (uint32_t)((node + 1 + edge % half) % (uint64_t)d->nodes)};
}

/* Returns an edge of the ring whose other end is drawn again. */
static two_ends rewired_edge(const drawing *d, uint64_t edge, uint64_t attempt)
{
    const mass_random4 r = words_of(d, edge, attempt, ENDS);
    const uint32_t from = ring_edge(d, edge).from;
    return (two_ends){from, another_than(d, from, r.v[0], r.v[1])};
}

/* Returns whether an edge of the ring is rewired, as a random word decides; false if it is no small world. */
static bool is_rewired(const drawing *d, uint64_t edge)
{
    const mass_random4 r = words_of(d, edge, 0, CHANCE);
    return d->n->generator == MASS_SMALL_WORLD && mass_unit_f64(r.v[0], r.v[1]) < d->n->rewired;
}

/* Makes a ring, and draws some ends again. All edges of the ring are there until they are drawn again. */
static mass_status draw_ring(drawing *d)
{
    const uint64_t count = (uint64_t)d->nodes * ((uint64_t)d->n->degree / 2);
    mass_status status = MASS_OK;
    for (uint64_t i = 0; d->n->simple && i < count; i++) {
        const two_ends e = ring_edge(d, i);
        mass_pairs_add(&d->pairs, e.from, e.to);
    }
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) {
        const two_ends e = ring_edge(d, i);
        if (!is_rewired(d, i)) {
            status = add(d, e);
            continue;
        }
        if (d->n->simple) mass_pairs_remove(&d->pairs, e.from, e.to);
        status = draw_and_add(d, rewired_edge, i);
    }
    return status;
}

/* Draws edges between any two nodes. */
static mass_status draw_random(drawing *d)
{
    mass_status status = MASS_OK;
    for (int64_t i = 0; status == MASS_OK && i < d->n->edges; i++)
        status = draw_and_add(d, random_edge, (uint64_t)i);
    return status;
}

/* Returns the first node of a block, or for block `blocks` the number of nodes. */
static mass_gidx first_of_block(const drawing *d, mass_gidx block)
{
    return (mass_gidx)((__int128)block * d->nodes / d->n->blocks);
}

/* Returns the block of a node. */
static mass_gidx block_of(const drawing *d, mass_gidx node)
{
    mass_gidx block = (mass_gidx)((__int128)node * d->n->blocks / d->nodes);
    while (first_of_block(d, block + 1) <= node) block++;
    return block;
}

/* Returns the ends of an edge of blocks. The first edges are between blocks, the others within. */
static two_ends block_edge(const drawing *d, uint64_t edge, uint64_t attempt)
{
    const mass_random4 r = words_of(d, edge, attempt, ENDS);
    const uint32_t from = mass_below_u32((uint32_t)d->nodes, r.v[0], r.v[1]);
    const mass_gidx block = block_of(d, from);
    const uint32_t first = (uint32_t)first_of_block(d, block), size = (uint32_t)first_of_block(d, block + 1) - first;
    if (edge < (uint64_t)d->n->edges) {
        const uint32_t to = mass_below_u32((uint32_t)d->nodes - size, r.v[2], r.v[3]);
        return (two_ends){from, to + (to >= first ? size : 0)};
    }
    const uint32_t to = first + mass_below_u32(size - 1, r.v[2], r.v[3]);
    return (two_ends){from, to + (to >= from)};
}

/* Draws edges between blocks and within blocks. */
static mass_status draw_blocks(drawing *d)
{
    mass_status status = MASS_OK;
    for (int64_t i = 0; status == MASS_OK && i < d->n->edges + d->n->inside; i++)
        status = draw_and_add(d, block_edge, (uint64_t)i);
    return status;
}

/* Returns edge number `edge` of preferential attachment: it joins its node to an end of an edge of an earlier node. All
 * these ends are equally probable, so a node is drawn in proportion to its edges. */
static two_ends preferred_edge(const drawing *d, uint64_t edge, uint64_t attempt)
{
    const uint64_t degree = (uint64_t)d->n->degree, seed = degree * (degree + 1) / 2;
    const uint64_t node = degree + 1 + (edge - seed) / degree, earlier = edge - (edge - seed) % degree;
    const mass_random4 r = words_of(d, edge, attempt, ENDS);
    const uint64_t chosen = below(2 * earlier, r.v[0], r.v[1]);
    const uint32_t *const ends = chosen % 2 ? d->list->to : d->list->from;
    return (two_ends){(uint32_t)node, ends[chosen / 2]};
}

/* Draws the edges of preferential attachment. The first degree + 1 nodes are joined to each other. Each later one is
 * joined to ends of earlier edges. */
static mass_status draw_preferential(drawing *d)
{
    const uint64_t degree = (uint64_t)d->n->degree, nodes = (uint64_t)d->nodes;
    mass_status status = MASS_OK;
    for (uint64_t i = 1; i <= degree; i++)
        for (uint64_t k = 0; status == MASS_OK && k < i; k++) {
            if (d->n->simple) mass_pairs_add(&d->pairs, (uint32_t)i, (uint32_t)k);
            status = add(d, (two_ends){(uint32_t)i, (uint32_t)k});
        }
    const uint64_t seed = degree * (degree + 1) / 2;
    for (uint64_t i = 0; status == MASS_OK && i < (nodes - degree - 1) * degree; i++)
        status = draw_and_add(d, preferred_edge, seed + i);
    return status;
}

/* Adds an edge for each pair of nodes; if edges are directed, one in each direction. */
static mass_status draw_complete(drawing *d)
{
    mass_status status = MASS_OK;
    for (mass_gidx i = 0; i < d->nodes; i++)
        for (mass_gidx k = d->n->directed ? 0 : i + 1; status == MASS_OK && k < d->nodes; k++)
            if (k != i) status = add(d, (two_ends){(uint32_t)i, (uint32_t)k});
    return status;
}

/* ---- what is asked for ---- */

/* Refuses the declaration of a network. what: the rest of the message, after its name. */
static mass_status refuse(const mass_network *n, const char *what, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "network '%s': %s", n->name, what);
}

/* Checks that the members of a declaration fit its generator, for so many nodes. */
static mass_status check(const mass_network *n, mass_gidx nodes, mass_error *error)
{
    const bool ring = n->generator == MASS_RING || n->generator == MASS_SMALL_WORLD;
    const bool blocks = n->generator == MASS_STOCHASTIC_BLOCKS, random = n->generator == MASS_RANDOM_EDGES;
    if (nodes < 1 || nodes > MASS_NODES_MOST)
        return refuse(n, "its .nodes are at least 1, and below 2^31 - 4096", error);
    if (mass_is_drawn_by_node(n)) {
        const char *const fault = mass_fault_of_drawn_by_node(n, nodes);
        return fault ? refuse(n, fault, error) : MASS_OK;
    }
    if (ring && (n->degree < 2 || n->degree % 2 || n->degree >= nodes))
        return refuse(n, "the .degree of a ring is even, at least 2, and below the number of nodes", error);
    if ((blocks || n->generator == MASS_SMALL_WORLD) && !(n->rewired >= 0 && n->rewired <= 1))
        return refuse(n, ".rewired is a probability, from 0 to 1", error);
    if (n->generator == MASS_PREFERENTIAL && (n->degree < 1 || n->degree >= nodes))
        return refuse(n, "its .degree is at least 1, and below the number of nodes", error);
    if (n->edges < 0 || n->inside < 0 || n->edges > INT64_MAX / 64 || n->inside > INT64_MAX / 64)
        return refuse(n, "the number of its edges is negative, or above 2^57", error);
    if ((blocks || random) && !n->edges && !n->inside && (n->degree < 0 || n->degree > MASS_NODES_MOST))
        return refuse(n, "its .degree is at least 0, and below 2^31 - 4096", error);
    if (random && n->edges > 0 && nodes < 2)
        return refuse(n, "edges join two nodes, and it has one", error);
    if (blocks && (n->blocks < 1 || n->blocks > nodes / 2 || (n->edges > 0 && n->blocks < 2)))
        return refuse(n, "it has at least 1 block, 2 blocks if there are edges between them, and twice as many nodes",
                      error);
    return MASS_OK;
}

/* Returns the declaration with the numbers of edges that follow from the degree. Numbers that are given stay, as do
 * those of other generators. */
static mass_network with_numbers(const mass_network *n, mass_gidx nodes)
{
    mass_network all = *n;
    const bool blocks = n->generator == MASS_STOCHASTIC_BLOCKS, random = n->generator == MASS_RANDOM_EDGES;
    if ((!blocks && !random) || n->edges || (blocks && n->inside) || n->degree < 0 || n->degree > MASS_NODES_MOST)
        return all;
    all.edges = nodes * n->degree / 2;
    if (blocks && n->rewired >= 0 && n->rewired <= 1) {
        all.inside = all.edges;
        all.edges = (int64_t)((double)all.inside * n->rewired);
        all.inside -= all.edges;
    }
    return all;
}

uint64_t mass_edge_list_expected(const mass_network *declared, mass_gidx nodes)
{
    const mass_network n = with_numbers(declared, nodes);
    const uint64_t all = (uint64_t)nodes, degree = (uint64_t)n.degree;
    if (check(&n, nodes, &(mass_error){0}) != MASS_OK) return 0;
    if (mass_is_drawn_by_node(&n)) return (uint64_t)mass_expected_of_drawn_by_node(&n, nodes);
    switch (n.generator) {
    case MASS_RING:
    case MASS_SMALL_WORLD: return all * (degree / 2);
    case MASS_RANDOM_EDGES: return (uint64_t)n.edges;
    case MASS_STOCHASTIC_BLOCKS: return (uint64_t)(n.edges + n.inside);
    case MASS_PREFERENTIAL: return degree * (degree + 1) / 2 + (all - degree - 1) * degree;
    case MASS_COMPLETE: return n.directed ? all * (all - 1) : all * (all - 1) / 2;
    default: return 0;
    }
}

mass_status mass_edge_list_draw(const mass_network *declared, mass_gidx nodes, mass_edge_list *out, mass_error *error)
{
    *out = (mass_edge_list){.nodes = nodes};
    const mass_network all = with_numbers(declared, nodes), *const n = &all;
    drawing d = {.n = n, .nodes = nodes, .key = mass_random_key(n->seed, n->generator), .list = out, .error = error,
                 .pairs = {.directed = n->directed != 0}};
    mass_status status = check(n, nodes, error);
    if (status != MASS_OK) return status;
    if (mass_is_drawn_by_node(n)) return mass_draw_by_node(n, nodes, out, error);
    const uint64_t count = mass_edge_list_expected(declared, nodes);
    if (n->simple && n->generator != MASS_COMPLETE) status = mass_pairs_make(&d.pairs, 2 * count, error);
    if (d.pairs.slots) out->scratch = ((double)d.pairs.last + 1) * sizeof *d.pairs.slots;
    if (status == MASS_OK)
        switch (n->generator) {
        case MASS_RING:
        case MASS_SMALL_WORLD: status = draw_ring(&d); break;
        case MASS_RANDOM_EDGES: status = draw_random(&d); break;
        case MASS_PREFERENTIAL: status = draw_preferential(&d); break;
        case MASS_STOCHASTIC_BLOCKS: status = draw_blocks(&d); break;
        case MASS_COMPLETE: status = draw_complete(&d); break;
        default:
            status = mass_error_set(error, MASS_BAD_PLUGIN, "network '%s' has neither a .file nor a .generator that "
                                    "mass/network.h lists", n->name);
        }
    mass_pairs_free(&d.pairs);
    return status;
}
