/* SPDX-License-Identifier: Apache-2.0 */
#include "network/draw_by_node.h"

#include <mass/math.h>
#include <mass/random.h>
#include <stdlib.h>

enum { GRID_OFFSETS = 8 };
static const double pi = 0x1.921fb54442d18p+1;

/* ---- a list of edges ---- */

static mass_status add(mass_edge_list *list, mass_gidx from, mass_gidx to, mass_error *error)
{
    const mass_status status = mass_edge_list_grow(list, error);
    if (status != MASS_OK) return status;
    list->from[list->count] = (uint32_t)from;
    list->to[list->count++] = (uint32_t)to;
    return MASS_OK;
}

/* ---- a grid ---- */

/* A grid of nodes, row by row. */
typedef struct grid {
    mass_gidx nodes, columns, rows; /* the last row may be shorter */
    bool torus;
} grid;

/* Returns the grid of a declaration. Without .columns it has as many as the root of the number of nodes, rounded up. */
static grid grid_of(const mass_network *n, mass_gidx nodes)
{
    mass_gidx columns = n->columns;
    if (columns == 0)
        for (columns = (mass_gidx)mass_sqrt_f64((double)nodes); columns * columns < nodes;) columns++;
    return (grid){nodes, columns, (nodes + columns - 1) / columns, n->torus != 0};
}

/* Returns a coordinate within an axis of so many, or -1. An axis of at most two does not wrap. */
static mass_gidx wrap(mass_gidx at, mass_gidx extent, bool torus)
{
    if (at >= 0 && at < extent) return at;
    return torus && extent > 2 ? (at + extent) % extent : -1;
}

/* Returns the node at an offset from another one, or -1. */
static mass_gidx neighbour(const grid *g, mass_gidx node, int dx, int dy)
{
    const mass_gidx x = wrap(node % g->columns + dx, g->columns, g->torus);
    const mass_gidx y = wrap(node / g->columns + dy, g->rows, g->torus);
    return x < 0 || y < 0 || y * g->columns + x >= g->nodes ? -1 : y * g->columns + x;
}

/* Joins each node to the 4 or 8 next to it; if edges are not directed, to those with higher numbers. */
static mass_status draw_grid(const mass_network *n, const grid *g, mass_edge_list *list, mass_error *error)
{
    static const int offset[GRID_OFFSETS][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    const int offsets = n->degree == 8 ? 8 : 4;
    mass_status status = MASS_OK;
    for (mass_gidx i = 0; status == MASS_OK && i < g->nodes; i++)
        for (int k = 0; status == MASS_OK && k < offsets; k++) {
            const mass_gidx other = neighbour(g, i, offset[k][0], offset[k][1]);
            if (other > i || (n->directed && other >= 0)) status = add(list, i, other, error);
        }
    return status;
}

/* ---- points that are near ---- */

_Static_assert((int)MASS_POINTS == (int)MASS_GEOMETRIC, "points are drawn by the generator's number");

/* Points of nodes in cells at least as wide as the radius. */
typedef struct points {
    double (*at)[2];    /* [nodes] */
    uint32_t *node;     /* [nodes] by cell, ascending in each */
    uint64_t *first;    /* [cells * cells + 1] of node[], for each cell */
    mass_gidx cells;    /* along an axis */
    double radius;
    bool torus;
} points;

/* Returns the radius of a declaration; without one, that with which a node far from the border has .degree others
 * within it, in the mean. */
static double radius_of(const mass_network *n, mass_gidx nodes)
{
    if (n->radius > 0 || nodes < 2) return n->radius;
    return mass_sqrt_f64((double)n->degree / (pi * (double)(nodes - 1)));
}

/* Returns the cell of a coordinate. */
static mass_gidx cell_of(const points *p, double coordinate)
{
    const mass_gidx cell = (mass_gidx)(coordinate * (double)p->cells);
    return cell < p->cells ? cell : p->cells - 1;
}

/* Returns the number of a point's cell. */
static uint64_t place_of(const points *p, const double at[2])
{
    return (uint64_t)(cell_of(p, at[1]) * p->cells + cell_of(p, at[0]));
}

/* Draws the points and sorts them by cell. The caller frees what *p owns, on failure too. */
static mass_status make_points(const mass_network *n, mass_gidx nodes, points *p, mass_error *error)
{
    const double most = mass_sqrt_f64((double)nodes);
    *p = (points){.cells = 1, .radius = radius_of(n, nodes), .torus = n->torus != 0};
    const double fit = 1 / (p->radius * (1 + 0x1p-40)); /* a cell is wider than the radius, whatever was rounded */
    if (p->radius < 0.5) p->cells = (mass_gidx)(fit < most ? fit : most);
    const uint64_t cells = (uint64_t)(p->cells * p->cells);
    p->at = malloc((size_t)nodes * sizeof *p->at);
    p->node = malloc((size_t)nodes * sizeof *p->node);
    p->first = calloc(cells + 2, sizeof *p->first);
    if (!p->at || !p->node || !p->first) return mass_error_memory(error, (size_t)nodes * sizeof *p->at, "points");
    for (mass_gidx i = 0; i < nodes; i++) {
        mass_geometric_point(n->seed, i, p->at[i]);
        p->first[place_of(p, p->at[i]) + 2]++;
    }
    for (uint64_t c = 2; c < cells + 2; c++) p->first[c] += p->first[c - 1];
    for (mass_gidx i = 0; i < nodes; i++) p->node[p->first[place_of(p, p->at[i]) + 1]++] = (uint32_t)i;
    return MASS_OK;
}

static void free_points(points *p)
{
    free(p->at);
    free(p->node);
    free(p->first);
}

/* Returns the distance of two coordinates; if the square wraps, by the shorter way. */
static double distance(const points *p, double a, double b)
{
    const double d = a < b ? b - a : a - b;
    return p->torus && d > 0.5 ? 1 - d : d;
}

static bool is_near(const points *p, mass_gidx a, mass_gidx b)
{
    const double dx = distance(p, p->at[a][0], p->at[b][0]), dy = distance(p, p->at[a][1], p->at[b][1]);
    return dx * dx + dy * dy < p->radius * p->radius;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Adds to the list the edges from a node to those of a cell that are near it; if edges are not directed, to those with
 * higher numbers. Passes over a cell outside the square. */
static mass_status join_cell(const mass_network *n, const points *p, mass_gidx node, mass_gidx x, mass_gidx y,
                             mass_edge_list *list, mass_error *error)
{
    x = p->torus ? (x + p->cells) % p->cells : x;
    y = p->torus ? (y + p->cells) % p->cells : y;
    if (x < 0 || y < 0 || x >= p->cells || y >= p->cells) return MASS_OK;
    const uint64_t cell = (uint64_t)(y * p->cells + x);
    mass_status status = MASS_OK;
    for (uint64_t k = p->first[cell]; status == MASS_OK && k < p->first[cell + 1]; k++) {
        const mass_gidx other = p->node[k];
        if ((other > node || (n->directed && other < node)) && is_near(p, node, other))
            status = add(list, node, other, error);
    }
    return status;
}

/* Joins each node to those near it, in the order of their numbers. */
static mass_status draw_near(const mass_network *n, mass_gidx nodes, const points *p, mass_edge_list *list,
                             mass_error *error)
{
    const int reach = p->cells > 2; /* else each cell is next to each */
    mass_status status = MASS_OK;
    for (mass_gidx i = 0; status == MASS_OK && i < nodes; i++) {
        const uint64_t before = list->count;
        const mass_gidx x = reach ? cell_of(p, p->at[i][0]) : 0, y = reach ? cell_of(p, p->at[i][1]) : 0;
        for (mass_gidx b = y - reach; status == MASS_OK && b <= (reach ? y + 1 : p->cells - 1); b++)
            for (mass_gidx a = x - reach; status == MASS_OK && a <= (reach ? x + 1 : p->cells - 1); a++)
                status = join_cell(n, p, i, a, b, list, error);
        if (list->count > before) qsort(list->to + before, list->count - before, sizeof *list->to, compare);
    }
    return status;
}

static mass_status draw_geometric(const mass_network *n, mass_gidx nodes, mass_edge_list *list, mass_error *error)
{
    points p;
    mass_status status = make_points(n, nodes, &p, error);
    list->scratch = (double)nodes * (sizeof *p.at + sizeof *p.node) +
                    (double)(p.cells * p.cells) * sizeof *p.first;
    if (status == MASS_OK) status = draw_near(n, nodes, &p, list, error);
    free_points(&p);
    return status;
}

/* ---- pairs by chance ---- */

/* Joins a node to each of the nodes from `to` on with probability .chance. Draws how many are passed over before the
 * next edge, as V. Batagelj and U. Brandes do, "Efficient generation of large random networks" (2005). */
static mass_status draw_pairs_of(const mass_network *n, mass_gidx nodes, mass_gidx node, mass_gidx to,
                                 mass_edge_list *list, mass_error *error)
{
    const uint64_t key = mass_random_key(n->seed, n->generator);
    const bool small = n->chance < 0x1p-26; /* then 1 - chance would lose its digits */
    const double each = small ? -n->chance * (1 + n->chance / 2) : mass_log_f64(1 - n->chance);
    mass_status status = MASS_OK;
    for (uint64_t draw = 0; status == MASS_OK && n->chance > 0; draw++, to++) {
        const mass_random4 r = mass_random_block(key, (uint64_t)node, draw, n->generator, 0);
        const double passed = mass_log_f64(1 - mass_unit_f64(r.v[0], r.v[1])) / each;
        if (!(passed < (double)(nodes - to))) break;
        to += (mass_gidx)passed;
        if (to != node) status = add(list, node, to, error);
    }
    return status;
}

static mass_status draw_pairs(const mass_network *n, mass_gidx nodes, mass_edge_list *list, mass_error *error)
{
    mass_status status = MASS_OK;
    for (mass_gidx i = 0; status == MASS_OK && i < nodes; i++)
        status = draw_pairs_of(n, nodes, i, n->directed ? 0 : i + 1, list, error);
    return status;
}

/* ---- what is asked for ---- */

bool mass_is_drawn_by_node(const mass_network *n)
{
    return n->generator == MASS_GRID || n->generator == MASS_GEOMETRIC || n->generator == MASS_RANDOM_PAIRS;
}

const char *mass_fault_of_drawn_by_node(const mass_network *n, mass_gidx nodes)
{
    if (n->generator == MASS_GRID) {
        if (n->degree != 0 && n->degree != 4 && n->degree != 8) return "the .degree of a grid is 4 or 8";
        if (n->columns < 0 || n->columns > nodes)
            return "its .columns are at least 1, and at most the number of nodes; 0 is the root of that number";
        if (n->torus && nodes % grid_of(n, nodes).columns)
            return "a grid with .torus has whole rows: let the number of nodes be a multiple of .columns";
    }
    if (n->generator == MASS_GEOMETRIC) {
        if (!(n->radius >= 0 && n->radius <= 1.5)) return "its .radius is from 0 to 1.5, of a square with sides of 1";
        if (n->radius == 0 && (n->degree < 0 || n->degree >= nodes))
            return "its .degree is at least 0, and below the number of nodes";
    }
    if (n->generator == MASS_RANDOM_PAIRS && !(n->chance >= 0 && n->chance <= 1))
        return ".chance is a probability, from 0 to 1";
    return NULL;
}

double mass_expected_of_drawn_by_node(const mass_network *n, mass_gidx nodes)
{
    const double pairs = (double)nodes * (double)(nodes - 1) / 2, radius = radius_of(n, nodes);
    const double near = pi * radius * radius < 1 ? pi * radius * radius : 1;
    double edges = (double)nodes * (n->degree == 8 ? 4 : 2);
    if (n->generator == MASS_GEOMETRIC) edges = pairs * near;
    if (n->generator == MASS_RANDOM_PAIRS) edges = pairs * n->chance;
    return n->directed ? 2 * edges : edges;
}

mass_status mass_draw_by_node(const mass_network *n, mass_gidx nodes, mass_edge_list *list, mass_error *error)
{
    const grid g = grid_of(n, nodes);
    switch (n->generator) {
    case MASS_GRID: return draw_grid(n, &g, list, error);
    case MASS_GEOMETRIC: return draw_geometric(n, nodes, list, error);
    default: return draw_pairs(n, nodes, list, error);
    }
}
