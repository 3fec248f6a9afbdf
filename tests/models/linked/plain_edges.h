/* SPDX-License-Identifier: Apache-2.0 */
/* The network of a run as a plain list of edges, which is read, or drawn one after the other. */
#ifndef MASS_TESTS_MODELS_LINKED_PLAIN_EDGES_H
#define MASS_TESTS_MODELS_LINKED_PLAIN_EDGES_H

#include <mass/network.h>
#include <mass/random.h>

#include "linked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct edge {
    int64_t from, to, weight;
    double length;
} edge;

typedef struct plan {
    int64_t nodes, generator, edges, inside, blocks, degree, directed, simple, columns, torus;
    double rewired, radius, chance;
    uint64_t seed;
    edge *list;
    int64_t count, room;
} plan;

/* Returns memory of zeros. It ends the program if out of memory. */
static void *take(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) abort();
    return memory;
}

/* Adds an edge to the list. */
static void add(plan *p, edge e)
{
    if (p->count == p->room) {
        p->room = 2 * p->room + 16;
        p->list = realloc(p->list, (size_t)p->room * sizeof *p->list);
        if (!p->list) abort();
    }
    p->list[p->count++] = e;
}

/* ---- edges ---- */

/* Returns the random words of an edge's attempt. */
static mass_random4 words(const plan *p, int64_t number, uint64_t attempt, uint32_t draw)
{
    return mass_random_block(mass_random_key(p->seed, (uint64_t)p->generator), (uint64_t)number, attempt,
                             (uint32_t)p->generator, draw);
}

/* Returns a number below n that is not `without`. */
static int64_t other(int64_t n, int64_t without, uint32_t high, uint32_t low)
{
    const int64_t k = mass_below_u32((uint32_t)n - 1, high, low);
    return k < without ? k : k + 1;
}

/* Returns whether an edge of the list, or one of the ring that is still to come, joins two nodes. */
static bool is_joined(const plan *p, int64_t a, int64_t b, int64_t ring_from)
{
    bool joined = a == b;
    for (int64_t i = 0; i < p->count; i++)
        joined |= (p->list[i].from == a && p->list[i].to == b) ||
                  (!p->directed && p->list[i].from == b && p->list[i].to == a);
    for (int64_t i = ring_from; i >= 0 && i < p->nodes * (p->degree / 2); i++) {
        const int64_t from = i / (p->degree / 2), to = (from + 1 + i % (p->degree / 2)) % p->nodes;
        joined |= (from == a && to == b) || (!p->directed && from == b && to == a);
    }
    return joined;
}

/* Returns the number of the first node of a block. */
static int64_t block_begin(const plan *p, int64_t block) { return block * p->nodes / p->blocks; }

/* Draws edge k, in the given attempt. */
static edge draw(const plan *p, int64_t k, uint64_t attempt)
{
    const mass_random4 r = words(p, k, attempt, 1);
    edge e = {.weight = 3, .length = 0.5};
    if (p->generator == MASS_SMALL_WORLD) {
        e.from = k / (p->degree / 2);
        e.to = other(p->nodes, e.from, r.v[0], r.v[1]);
    } else if (p->generator == MASS_PREFERENTIAL) {
        const int64_t seed = p->degree * (p->degree + 1) / 2, earlier = seed + (k - seed) / p->degree * p->degree;
        const uint64_t word = (uint64_t)r.v[0] << 32 | r.v[1];
        const int64_t chosen = (int64_t)((unsigned __int128)word * (uint64_t)(2 * earlier) >> 64);
        e.from = p->degree + 1 + (k - seed) / p->degree;
        e.to = chosen % 2 ? p->list[chosen / 2].to : p->list[chosen / 2].from;
    } else {
        e.from = mass_below_u32((uint32_t)p->nodes, r.v[0], r.v[1]);
        e.to = other(p->nodes, e.from, r.v[2], r.v[3]);
    }
    if (p->generator == MASS_STOCHASTIC_BLOCKS) {
        int64_t b = 0;
        while (block_begin(p, b + 1) <= e.from) b++;
        const int64_t first = block_begin(p, b), size = block_begin(p, b + 1) - first;
        if (k < p->edges) {
            const int64_t to = mass_below_u32((uint32_t)(p->nodes - size), r.v[2], r.v[3]);
            e.to = to < first ? to : to + size;
        } else e.to = first + other(size, e.from - first, r.v[2], r.v[3]);
    }
    return e;
}

/* Draws edges `from` to `end` - 1, again if the network is simple and there is such an edge. */
static void draw_some(plan *p, int64_t from, int64_t end)
{
    for (int64_t k = from; k < end; k++) {
        edge e = draw(p, k, 0);
        for (uint64_t attempt = 1; p->simple && is_joined(p, e.from, e.to, -1); attempt++) e = draw(p, k, attempt);
        add(p, e);
    }
}

/* Draws a ring, or a small world. */
static void draw_ring(plan *p)
{
    const int64_t half = p->degree / 2;
    for (int64_t k = 0; k < p->nodes * half; k++) {
        edge e = {k / half, (k / half + 1 + k % half) % p->nodes, 3, 0.5};
        const mass_random4 r = words(p, k, 0, 2);
        if (p->generator == MASS_SMALL_WORLD && mass_unit_f64(r.v[0], r.v[1]) < p->rewired) {
            e = draw(p, k, 0);
            for (uint64_t attempt = 1; p->simple && is_joined(p, e.from, e.to, k + 1); attempt++)
                e = draw(p, k, attempt);
        }
        add(p, e);
    }
}

/* Returns how far two numbers of an axis are apart; if it wraps, by the shorter way. */
static double apart(double a, double b, double extent, bool wraps)
{
    return wraps && fabs(a - b) > extent / 2 ? extent - fabs(a - b) : fabs(a - b);
}

/* Returns whether two nodes of a grid are next to each other. */
static bool is_next(const plan *p, int64_t a, int64_t b)
{
    int64_t columns = p->columns;
    for (; p->columns == 0 && columns * columns < p->nodes;) columns++;
    const int64_t rows = (p->nodes + columns - 1) / columns;
    const double dx = apart((double)(a % columns), (double)(b % columns), (double)columns, p->torus && columns > 2);
    const double dy = apart((double)(a / columns), (double)(b / columns), (double)rows, p->torus && rows > 2);
    return p->degree == 8 ? dx <= 1 && dy <= 1 : dx + dy == 1;
}

/* Returns whether the points of two nodes are near. */
static bool is_close(const plan *p, int64_t a, int64_t b)
{
    const double radius = p->radius > 0 ? p->radius : sqrt((double)p->degree / (M_PI * (double)(p->nodes - 1)));
    double from[2], to[2];
    mass_geometric_point(p->seed, a, from);
    mass_geometric_point(p->seed, b, to);
    const double dx = apart(from[0], to[0], 1, p->torus), dy = apart(from[1], to[1], 1, p->torus);
    return dx * dx + dy * dy < radius * radius;
}

/* Adds the edges of a grid, or of points that are near. Those of a node have the order of the other ends. */
static void add_pairs(plan *p)
{
    for (int64_t i = 0; i < p->nodes; i++)
        for (int64_t k = p->directed ? 0 : i + 1; k < p->nodes; k++)
            if (k != i && (p->generator == MASS_GRID ? is_next(p, i, k) : is_close(p, i, k)))
                add(p, (edge){i, k, 3, 0.5});
}

/* Adds random pairs: each node passes over as many others as the drawn number says. */
static void draw_pairs(plan *p)
{
    for (int64_t i = 0; p->chance > 0 && i < p->nodes; i++) {
        int64_t k = p->directed ? 0 : i + 1;
        for (uint64_t draw = 0;; draw++, k++) {
            const mass_random4 r = words(p, i, draw, 0);
            const double passed = mass_log_f64(1 - mass_unit_f64(r.v[0], r.v[1])) / mass_log_f64(1 - p->chance);
            if (passed >= (double)(p->nodes - k)) break;
            k += (int64_t)passed;
            if (k != i) add(p, (edge){i, k, 3, 0.5});
        }
    }
}

/* Draws all edges of the generator, in their order. */
static void draw_all(plan *p)
{
    if (p->generator == MASS_RING || p->generator == MASS_SMALL_WORLD) draw_ring(p);
    if (p->generator == MASS_RANDOM_EDGES) draw_some(p, 0, p->edges);
    if (p->generator == MASS_STOCHASTIC_BLOCKS) draw_some(p, 0, p->edges + p->inside);
    for (int64_t i = 0; p->generator == MASS_PREFERENTIAL && i <= p->degree; i++)
        for (int64_t k = 0; k < i; k++) add(p, (edge){i, k, 3, 0.5});
    if (p->generator == MASS_PREFERENTIAL)
        draw_some(p, p->count, p->count + (p->nodes - p->degree - 1) * p->degree);
    if (p->generator == MASS_GRID || p->generator == MASS_GEOMETRIC) add_pairs(p);
    if (p->generator == MASS_RANDOM_PAIRS) draw_pairs(p);
    for (int64_t i = 0; p->generator == MASS_COMPLETE && i < p->nodes; i++)
        for (int64_t k = 0; k < p->nodes; k++)
            if (i < k || (i > k && p->directed)) add(p, (edge){i, k, 3, 0.5});
}

/* Reads a file of lines "from,to" or, with a header, "from,to,weight". */
static bool read_all(plan *p, const char *path)
{
    FILE *file = fopen(path, "r");
    char head[80];
    if (!file) return false;
    const bool weights = fscanf(file, "source,target,%79s", head) == 1;
    if (!weights) rewind(file);
    edge e = {.weight = 3, .length = 0.5};
    long long from, to, weight = 3;
    while (fscanf(file, weights ? "%lld,%lld,%lld" : "%lld,%lld", &from, &to, &weight) >= 2) {
        e.from = from, e.to = to, e.weight = weight;
        add(p, e);
    }
    fclose(file);
    return true;
}

/* An edge that comes into a node. */
typedef struct incoming {
    int64_t source;
    const edge *of;
} incoming;

/* Lists the edges that come into a node, by source. Returns their number. */
static int64_t list_of(const plan *p, int64_t node, incoming *out)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const edge *e = &p->list[i];
        const bool in = e->to == node, back = !p->directed && e->from == node && e->to != node;
        if (!in && !back) continue;
        const int64_t source = in ? e->from : e->to;
        int64_t k = count++;
        for (; k > 0 && out[k - 1].source > source; k--) out[k] = out[k - 1];
        out[k] = (incoming){source, e};
    }
    return count;
}

/* Fails the run: a node differs. */
static mass_status differ(mass_host *host, int32_t world, const char *what, int64_t node)
{
    return host->fail(host, MASS_FAILED, "world %d: %s of node %lld differs from that of a plain program", (int)world,
                      what, (long long)node);
}

/* Makes the edges of a run's network. *skips: nothing is to be compared. The caller frees out->list. */
static mass_status make_plan(mass_host *host, plan *out, bool *skips)
{
    const mass_values_table *v = mass_values_of(host);
    plan p = {.nodes = v->extent(host, "town", 0), .generator = v->integer(host, "generator"),
              .edges = v->integer(host, "edges"), .inside = v->integer(host, "inside"),
              .blocks = v->integer(host, "blocks"), .degree = v->integer(host, "degree"),
              .directed = v->integer(host, "directed"), .simple = v->integer(host, "simple"),
              .columns = v->integer(host, "columns"), .torus = v->integer(host, "torus"),
              .radius = v->real(host, "radius"), .chance = v->real(host, "chance"),
              .rewired = v->real(host, "rewired"), .seed = (uint64_t)v->integer(host, "draws")};
    const char *file = v->text(host, "file");
    mass_status status = MASS_OK;
    if (p.generator == MASS_RANDOM_EDGES && p.edges == 0) p.edges = p.nodes * p.degree / 2;
    if (p.generator == MASS_STOCHASTIC_BLOCKS && p.edges + p.inside == 0) {
        const int64_t edges = p.nodes * p.degree / 2;
        p.edges = (int64_t)((double)edges * p.rewired);
        p.inside = edges - p.edges;
    }
    *skips = !v->integer(host, "compared") || v->integer(host, "odd");
    if (!*skips && !file[0]) draw_all(&p);
    else if (!*skips && !read_all(&p, file)) status = host->fail(host, MASS_FAILED, "%s cannot be read", file);
    *out = p;
    return status;
}

#endif
