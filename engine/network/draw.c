/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the edges of networks: the generators. A draw depends on the seed, the number of the edge, and the attempt, if
 * simple networks draw again. */
#include "network/draw_by_node.h"
#include "network/edges.h"
#include "network/pairs.h"
#include "network/threads.h"

#include <inttypes.h>
#include <mass/impl/kernel_cpu_draws.h>
#include <mass/random.h>
#include <math.h>
#include <stdlib.h>

enum { ATTEMPTS = 10000, /* of an edge of a simple network */
       ENDS = 1, CHANCE = 2, /* draws */
       BLOCK = MASS_DRAWN_AHEAD, /* edges whose words are drawn together */
       AHEAD = 16,           /* edges before an edge is added, the memory for its pair is fetched */
       CHOICES = 64,         /* edges of preferential attachment whose memory is fetched at once: a multiple of BLOCK */
       FIRST_ROUND = 1 << 14 /* edges of preferential attachment that one thread draws before others begin */ };

/* The state of a generator. */
typedef struct drawing {
    const mass_network *n;
    mass_gidx nodes;
    uint64_t key;
    mass_edge_list *list;      /* with room for all edges */
    int parts;
    uint64_t seed, reciprocal; /* of preferential attachment: edges of the first nodes; 2^64 / degree, rounded up */
    uint64_t done, end;        /* ... edges before this round, and before the next one */
    mass_pairs pairs;          /* of a simple network */
    mass_error *error;
} drawing;

/* An edge that is drawn. */
typedef struct two_ends {
    uint32_t from, to;
} two_ends;
/* Returns an edge by its random words. */
typedef two_ends draw_edge(const drawing *d, uint64_t edge, mass_random4 r);

/* Returns random words for an edge. */
static mass_random4 words_of(const drawing *d, uint64_t edge, uint64_t attempt, uint32_t draw)
{
    return mass_random_block(d->key, edge, attempt, d->n->generator, draw);
}

/* Sets words[] to those of the first attempts of BLOCK edges, from `edge` on. */
static void draw_block(const drawing *d, uint64_t edge, uint32_t draw, mass_random4 words[BLOCK])
{
    mass_draws drawn;
    uint64_t edges[BLOCK];
    drawn.draw = draw;
    for (int i = 0; i < BLOCK; i++) edges[i] = edge + (uint64_t)i;
    const bool together = mass_draw_ahead(&drawn, edges, d->key, 0, d->n->generator);
    for (int i = 0; i < BLOCK; i++)
        if (!together) words[i] = words_of(d, edges[i], 0, draw);
        else for (int k = 0; k < 4; k++) words[i].v[k] = (uint32_t)drawn.words[k][i];
}

/* Returns a number below `most`, from two words. */
static uint64_t below(uint64_t most, uint32_t high, uint32_t low)
{
    return (uint64_t)((unsigned __int128)((uint64_t)high << 32 | low) * most >> 64);
}

/* Sets edge `edge` of the list. */
static void set(const drawing *d, uint64_t edge, two_ends e)
{
    d->list->from[edge] = e.from;
    d->list->to[edge] = e.to;
}

/* Returns the first of the edges of a part, of all that the list gets. */
static uint64_t first_edge(const drawing *d, int part)
{
    return mass_network_begin(d->list->count, BLOCK, d->parts, part);
}

/* Draws a part of the edges. */
static inline void draw_part(const drawing *d, int part, draw_edge *draw)
{
    mass_random4 words[BLOCK];
    const uint64_t end = first_edge(d, part + 1);
    for (uint64_t i = first_edge(d, part); i < end; i++) {
        if (i % BLOCK == 0) draw_block(d, i, ENDS, words);
        set(d, i, draw(d, i, words[i % BLOCK]));
    }
}

/* Adds an edge of the list to the pairs of a simple network. If a pair has its nodes already, draws its ends again,
 * until no edge joins them. Fails after ATTEMPTS draws. */
static mass_status add(drawing *d, uint64_t edge, draw_edge *draw)
{
    const mass_edge_list *const l = d->list;
    for (uint64_t attempt = 1; !mass_pairs_add(&d->pairs, l->from[edge], l->to[edge]); attempt++) {
        if (attempt == ATTEMPTS)
            return mass_error_set(d->error, MASS_BAD_USAGE, "network '%s': no two nodes without an edge were found for "
                                  "edge %" PRIu64 ": give it fewer edges or more nodes", d->n->name, edge);
        set(d, edge, draw(d, edge, words_of(d, edge, attempt, ENDS)));
    }
    return MASS_OK;
}

/* Draws all edges of a simple network whose first attempts are in the list, one after the other. */
static mass_status add_all(drawing *d, draw_edge *draw)
{
    const mass_edge_list *const l = d->list;
    mass_status status = MASS_OK;
    for (uint64_t i = 0; status == MASS_OK && d->n->simple && i < l->count; i++) {
        if (l->count - i > AHEAD) mass_pairs_fetch(&d->pairs, l->from[i + AHEAD], l->to[i + AHEAD]);
        status = add(d, i, draw);
    }
    return status;
}

/* ---- the generators ---- */

/* Returns a node that two random words choose among all nodes but one. There must be two nodes. */
static uint32_t another_than(const drawing *d, uint32_t node, uint32_t high, uint32_t low)
{
    const uint32_t other = mass_below_u32((uint32_t)d->nodes - 1, high, low);
    return other + (other >= node);
}

/* Returns the ends of an edge between any two nodes. */
static two_ends random_edge(const drawing *d, uint64_t edge, mass_random4 r)
{
    (void)edge;
    const uint32_t from = mass_below_u32((uint32_t)d->nodes, r.v[0], r.v[1]);
    return (two_ends){from, another_than(d, from, r.v[2], r.v[3])};
}

/* Draws edges between any two nodes. */
static void draw_random(void *drawn, int part) { draw_part(drawn, part, random_edge); }

/* Returns edge `edge` of the ring: from a node to one of those behind it. */
static two_ends ring_edge(const drawing *d, uint64_t edge)
{
    const uint64_t half = (uint64_t)d->n->degree / 2, node = edge / half;
    return (two_ends){(uint32_t)node, (uint32_t)((node + 1 + edge % half) % (uint64_t)d->nodes)};
}

/* Returns an edge of the ring whose other end is drawn again. */
static two_ends rewired_edge(const drawing *d, uint64_t edge, mass_random4 r)
{
    const uint32_t from = d->list->from[edge];
    return (two_ends){from, another_than(d, from, r.v[0], r.v[1])};
}

/* Makes a part of a ring, and in a small world draws some ends again, as a random word decides. */
static void draw_ring(void *drawn, int part)
{
    const drawing *const d = drawn;
    const bool small = d->n->generator == MASS_SMALL_WORLD;
    const uint64_t half = (uint64_t)d->n->degree / 2, nodes = (uint64_t)d->nodes, end = first_edge(d, part + 1);
    mass_random4 words[BLOCK];
    uint64_t i = first_edge(d, part), node = i / half, k = i % half;
    for (; i < end; i++) {
        const uint64_t to = node + 1 + k;
        set(d, i, (two_ends){(uint32_t)node, (uint32_t)(to < nodes ? to : to - nodes)});
        if (++k == half) k = 0, node++;
        if (!small) continue;
        if (i % BLOCK == 0) draw_block(d, i, CHANCE, words);
        if (mass_unit_f64(words[i % BLOCK].v[0], words[i % BLOCK].v[1]) < d->n->rewired)
            set(d, i, rewired_edge(d, i, words_of(d, i, 0, ENDS)));
    }
}

/* Has the memory for the pair of an edge of the ring fetched; if `drawn`, only of one that was drawn again, and for its
 * new pair too. */
static void fetch_ring(const drawing *d, uint64_t edge, bool drawn)
{
    if (edge >= d->list->count) return;
    const two_ends e = ring_edge(d, edge);
    if (drawn && d->list->to[edge] == e.to) return;
    mass_pairs_fetch(&d->pairs, e.from, e.to);
    if (drawn) mass_pairs_fetch(&d->pairs, e.from, d->list->to[edge]);
}

/* Draws the edges of a simple small world again that join nodes which another edge joins. All edges of the ring are
 * there until they are drawn again. */
static mass_status add_ring(drawing *d)
{
    const mass_edge_list *const l = d->list;
    mass_status status = MASS_OK;
    for (uint64_t i = 0; i < l->count; i++) {
        const two_ends e = ring_edge(d, i);
        fetch_ring(d, i + AHEAD, false);
        mass_pairs_add(&d->pairs, e.from, e.to);
    }
    for (uint64_t i = 0; status == MASS_OK && i < l->count; i++) {
        const two_ends e = ring_edge(d, i);
        fetch_ring(d, i + AHEAD, true);
        if (l->to[i] == e.to) continue;
        mass_pairs_remove(&d->pairs, e.from, e.to);
        status = add(d, i, rewired_edge);
    }
    return status;
}

/* Returns the first node of a block, or for block `blocks` the number of nodes. Both numbers are below 2^31. */
static mass_gidx first_of_block(const drawing *d, mass_gidx block) { return block * d->nodes / d->n->blocks; }

/* Returns the block of a node. */
static mass_gidx block_of(const drawing *d, mass_gidx node)
{
    mass_gidx block = node * d->n->blocks / d->nodes;
    while (first_of_block(d, block + 1) <= node) block++;
    return block;
}

/* Returns the ends of an edge of blocks. The first edges are between blocks, the others within. */
static two_ends block_edge(const drawing *d, uint64_t edge, mass_random4 r)
{
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
static void draw_blocks(void *drawn, int part) { draw_part(drawn, part, block_edge); }

/* Returns how many nodes of preferential attachment have all their edges among the first `edges`, less the first
 * degree + 1. A quotient of 64 bits takes as long as a draw, so it is a product with 2^64 / degree, rounded up. It is
 * exact as long as edges times degree are below 2^64: so many edges no memory has. */
static uint64_t joined_nodes(const drawing *d, uint64_t edges)
{
    const uint64_t later = edges - d->seed;
    return d->n->degree == 1 ? later : (uint64_t)((unsigned __int128)later * d->reciprocal >> 64);
}

/* Returns the node that edge `edge` of preferential attachment joins to an earlier one. */
static uint32_t new_node(const drawing *d, uint64_t edge)
{
    return (uint32_t)((uint64_t)d->n->degree + 1 + joined_nodes(d, edge));
}

/* Returns the number of the end that an edge of preferential attachment chooses: of the edges of earlier nodes, each of
 * which has two. All these ends are equally probable, so a node is chosen in proportion to its edges. */
static uint64_t chosen_end(const drawing *d, uint64_t edge, mass_random4 r)
{
    const uint64_t earlier = d->seed + joined_nodes(d, edge) * (uint64_t)d->n->degree;
    return below(2 * earlier, r.v[0], r.v[1]);
}

/* Returns an end at the same node, which needs no edge of another part of this round, of which `own` is the first edge
 * of the thread's own. What an edge of another part has chosen is computed again, as often as needed. This is the
 * method of P. Sanders and C. Schulz, "Scalable generation of scale-free graphs" (2016). */
static uint64_t known_end(const drawing *d, uint64_t end, uint64_t own)
{
    while (end % 2 && end / 2 >= d->done && end / 2 < own)
        end = chosen_end(d, end / 2, words_of(d, end / 2, 0, ENDS));
    return end;
}

/* Returns the node of an end. The list must have its edge if it is the one that was chosen. */
static uint32_t node_of_end(const drawing *d, uint64_t end)
{
    const uint64_t edge = end / 2;
    return end % 2 ? d->list->to[edge] : edge < d->seed ? d->list->from[edge] : new_node(d, edge);
}

/* Chooses ends for CHOICES edges, and has the memory for their nodes fetched. own: as for known_end. */
static void choose_ends(const drawing *d, uint64_t first, uint64_t own, uint64_t *ends)
{
    mass_random4 words[BLOCK];
    for (int i = 0; i < CHOICES; i++) {
        if (i % BLOCK == 0) draw_block(d, first + (uint64_t)i, ENDS, words);
        ends[i] = known_end(d, chosen_end(d, first + (uint64_t)i, words[i % BLOCK]), own);
        if (ends[i] % 2) __builtin_prefetch(&d->list->to[ends[i] / 2]);
    }
}

/* Draws a part of the edges of a round. */
static void draw_attached(void *drawn, int part)
{
    const drawing *const d = drawn;
    const uint64_t count = d->end - d->done, own = d->done + mass_network_begin(count, CHOICES, d->parts, part);
    const uint64_t last = d->done + mass_network_begin(count, CHOICES, d->parts, part + 1);
    uint64_t ends[2][CHOICES];
    if (own < last) choose_ends(d, own, own, ends[0]);
    for (uint64_t first = own, turn = 0; first < last; first += CHOICES, turn = 1 - turn) {
        if (first + CHOICES < last) choose_ends(d, first + CHOICES, own, ends[1 - turn]);
        for (uint64_t i = first; i < first + CHOICES && i < last; i++)
            set(d, i, (two_ends){new_node(d, i), node_of_end(d, ends[turn][i - first])});
    }
}

/* Returns the ends of an edge of preferential attachment, once the list has all earlier ones. */
static two_ends attached_edge(const drawing *d, uint64_t edge, mass_random4 r)
{
    return (two_ends){new_node(d, edge), node_of_end(d, chosen_end(d, edge, r))};
}

/* Draws the edges of preferential attachment of a simple network, one after the other. */
static mass_status add_attached(drawing *d)
{
    uint64_t ends[CHOICES];
    mass_status status = MASS_OK;
    for (uint64_t i = 0; i < d->done; i++) mass_pairs_add(&d->pairs, d->list->from[i], d->list->to[i]);
    for (uint64_t first = d->done; status == MASS_OK && first < d->list->count; first += CHOICES) {
        choose_ends(d, first, 0, ends);
        for (uint64_t k = 0; k < CHOICES && ends[k] / 2 < first; k++)
            mass_pairs_fetch(&d->pairs, new_node(d, first + k), node_of_end(d, ends[k]));
        for (uint64_t i = first; status == MASS_OK && i < first + CHOICES && i < d->list->count; i++) {
            set(d, i, (two_ends){new_node(d, i), node_of_end(d, ends[i - first])});
            status = add(d, i, attached_edge);
        }
    }
    return status;
}

/* Draws the edges of preferential attachment. The first degree + 1 nodes are joined to each other. Each later one is
 * joined to ends of earlier edges. A round draws a quarter of what the list has, so that few ends are chosen again. */
static mass_status draw_preferential(drawing *d)
{
    const uint64_t all = d->list->count, degree = (uint64_t)d->n->degree;
    const int parts = d->parts;
    d->seed = degree * (degree + 1) / 2;
    d->reciprocal = UINT64_MAX / degree + 1;
    for (uint32_t i = 1; i <= d->n->degree; i++)
        for (uint32_t k = 0; k < i; k++) set(d, d->done++, (two_ends){i, k});
    if (d->n->simple) return add_attached(d);
    for (; d->done < all; d->done = d->end) {
        const uint64_t next = d->done + d->done / 4 > FIRST_ROUND ? d->done + d->done / 4 : FIRST_ROUND;
        d->end = parts == 1 || next > all ? all : next;
        d->parts = d->end <= FIRST_ROUND ? 1 : parts;
        mass_network_run(d->parts, draw_attached, d);
    }
    return MASS_OK;
}

/* Adds an edge for each pair of nodes; if edges are directed, one in each direction. */
static void draw_complete(const drawing *d)
{
    uint64_t edge = 0;
    for (uint32_t i = 0; i < d->nodes; i++)
        for (uint32_t k = d->n->directed ? 0 : i + 1; k < d->nodes; k++)
            if (k != i) set(d, edge++, (two_ends){i, k});
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

/* Draws the edges, for which the list has room. */
static mass_status draw(drawing *d)
{
    const mass_network *const n = d->n;
    switch (n->generator) {
    case MASS_RING:
    case MASS_SMALL_WORLD:
        mass_network_run(d->parts, draw_ring, d);
        return n->generator == MASS_SMALL_WORLD && n->simple ? add_ring(d) : MASS_OK;
    case MASS_RANDOM_EDGES:
        mass_network_run(d->parts, draw_random, d);
        return add_all(d, random_edge);
    case MASS_PREFERENTIAL: return draw_preferential(d);
    case MASS_STOCHASTIC_BLOCKS:
        mass_network_run(d->parts, draw_blocks, d);
        return add_all(d, block_edge);
    case MASS_COMPLETE:
        draw_complete(d);
        return MASS_OK;
    default:
        return mass_error_set(d->error, MASS_BAD_PLUGIN, "network '%s' has neither a .file nor a .generator that "
                              "mass/network.h lists", n->name);
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
    d.parts = mass_network_parts(count);
    if (n->simple && n->generator != MASS_RING && n->generator != MASS_COMPLETE) /* which are simple */
        status = mass_pairs_make(&d.pairs, n->generator == MASS_SMALL_WORLD ? 2 * count : count, error);
    if (d.pairs.slots) out->scratch = ((double)d.pairs.last + 1) * sizeof *d.pairs.slots;
    if (status == MASS_OK) status = mass_edge_list_reserve(out, count, error);
    out->count = status == MASS_OK ? count : 0;
    if (status == MASS_OK) status = draw(&d);
    mass_pairs_free(&d.pairs);
    return status;
}
