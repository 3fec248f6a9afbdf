/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to /run/edges: the edges of a network in one world. The page draws a small network, so the answer has all
 * edges and the names of the nodes. Of a larger one, the page shows two counts: the nodes of each class of degrees, and
 * the edges between each two blocks of nodes. */
#include "model/network.h"
#include "view/json.h"
#include "view/state.h"
#include "view/world_agents.h"

#include <stdlib.h>

enum { NODES_MOST = 2000, EDGES_MOST = 20000 }; /* of a network that is drawn */
enum { BLOCKS = 64, DEGREES = 34 }; /* blocks of nodes, and classes of degrees */

/* The edges of a network in one world: those of the model if they do not change, else one for each agent. */
typedef struct edges {
    const mass_network_def *n;
    uint64_t first, end;    /* range of the agents */
    int64_t *node;          /* of each agent; NULL: the edges do not change */
    uint32_t *source;
} edges;

/* Is called for each edge. If the network is directed, the edge goes from `source` to `node`. */
typedef void visit(void *context, mass_gidx source, mass_gidx node);

/* Calls `take` for each edge, and for one of an undirected network only once. */
static void each_edge(const edges *e, visit *take, void *context)
{
    const mass_edge_ends *const ends = &e->n->ends;
    if (e->node) {
        for (uint64_t i = e->first; i < e->end; i++) take(context, e->source[i], e->node[i]);
        return;
    }
    for (mass_gidx i = 0; i < ends->nodes; i++)
        for (uint64_t k = ends->first[i]; k < ends->first[i + 1]; k++)
            if (e->n->directed || ends->source[k] >= i) take(context, ends->source[k], i);
}

/* Reads the edges of a world, if they change. The caller frees both arrays, on failure too. */
static mass_status read_edges(mass_domain *d, const mass_view_question *q, edges *e, mass_error *error)
{
    const int population = e->n->population;
    void *node = NULL, *source = NULL;
    if (population < 0) return MASS_OK;
    mass_world_agents in = {0};
    mass_status status = mass_world_agents_find(d, (uint32_t)population, q->world, &in, error);
    const uint32_t place = d->model->populations[population].first_attribute + MASS_AGENT_PLACE;
    if (status == MASS_OK) status = mass_world_agents_read(d, place, &in, &node, error);
    if (status == MASS_OK) status = mass_world_agents_read(d, e->n->source, &in, &source, error);
    e->first = in.first;
    e->end = in.end;
    e->node = node;
    e->source = source;
    return status;
}

/* ---- a small network ---- */

/* Appends both nodes of an edge to a JSON list. */
static void add_edge(void *list, mass_gidx source, mass_gidx node)
{
    json_array_append_new(list, json_integer(source));
    json_array_append_new(list, json_integer(node));
}

/* Returns a list of the names of all nodes, null for one without. It is empty if no node has a name. */
static json_t *names_json(const mass_model *m, const mass_network_def *n)
{
    const mass_node_names *const names = &mass_model_network_of(m, n->space)->names;
    json_t *list = json_array();
    bool any = false;
    for (mass_gidx i = 0; i < n->ends.nodes; i++) {
        const char *const name = mass_node_name(names, i);
        any |= name != NULL;
        json_array_append_new(list, name ? mass_text_json(name) : json_null());
    }
    if (!any) json_array_clear(list);
    return list;
}

/* Adds the lists of all edges and names to the answer. */
static void add_all(const mass_model *m, const edges *e, json_t *to)
{
    json_t *list = json_array();
    each_edge(e, add_edge, list);
    json_object_set_new(to, "edges", list);
    json_object_set_new(to, "names", names_json(m, e->n));
}

/* ---- a large one ---- */

typedef struct counts {
    mass_gidx nodes;
    bool directed;
    uint64_t blocks[BLOCKS][BLOCKS]; /* edges by the block of their node and that of their source */
    uint32_t *degree;                /* [nodes] edges of each node, if edges change; else NULL: the model has them */
} counts;

/* Counts an edge for its blocks, and for the degree of its nodes if degrees are asked for. */
static void count_edge(void *context, mass_gidx source, mass_gidx node)
{
    counts *const c = context;
    const mass_gidx row = node * BLOCKS / c->nodes, column = source * BLOCKS / c->nodes;
    c->blocks[row][column]++;
    if (!c->directed && source != node) c->blocks[column][row]++;
    if (!c->degree) return;
    c->degree[node]++;
    if (!c->directed && source != node) c->degree[source]++;
}

/* Returns the class of a degree: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, and so on by powers of two. */
static int class_of(uint64_t degree) { return degree == 0 ? 0 : 64 - __builtin_clzll(degree); }

/* Adds to the answer `degrees`, [[least degree of a class, number of nodes], ...], and `matrix`, the counts of edges
 * between blocks, row by row. */
static void add_lists(const counts *c, const edges *e, json_t *to)
{
    uint64_t nodes[DEGREES] = {0};
    int last = 0;
    for (mass_gidx i = 0; i < c->nodes; i++) {
        const int class = class_of(c->degree ? c->degree[i] : e->n->ends.first[i + 1] - e->n->ends.first[i]);
        nodes[class]++;
        if (class > last) last = class;
    }
    json_t *degrees = json_array(), *matrix = json_array();
    for (int i = 0; i <= last; i++)
        json_array_append_new(degrees, json_pack("[I, I]", (json_int_t)(i ? (uint64_t)1 << (i - 1) : 0),
                                                 (json_int_t)nodes[i]));
    for (int i = 0; i < BLOCKS * BLOCKS; i++)
        json_array_append_new(matrix, json_integer((json_int_t)c->blocks[i / BLOCKS][i % BLOCKS]));
    json_object_set_new(to, "degrees", degrees);
    json_object_set_new(to, "blocks", json_integer(BLOCKS));
    json_object_set_new(to, "matrix", matrix);
}

/* Counts the edges of a large network, and adds the counts to the answer. */
static mass_status add_counts(const edges *e, json_t *to, mass_error *error)
{
    const size_t nodes = (size_t)e->n->ends.nodes;
    counts *const c = calloc(1, sizeof *c);
    uint32_t *const degree = e->node ? calloc(nodes + 1, sizeof *degree) : NULL;
    const bool room = c && (degree || !e->node);
    if (room) {
        c->nodes = e->n->ends.nodes;
        c->directed = e->n->directed;
        c->degree = degree;
        each_edge(e, count_edge, c);
        add_lists(c, e, to);
    }
    free(degree);
    free(c);
    return room ? MASS_OK : mass_error_memory(error, sizeof *c + nodes * sizeof *degree, "edges");
}

/* ---- the answer ---- */

json_t *mass_view_networks_json(const mass_model *m)
{
    json_t *list = json_array();
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++) {
        const mass_network_def *const n = &m->networks->list[i];
        json_array_append_new(list, json_pack("{s:i, s:s, s:i, s:b, s:b, s:I}", "id", (int)i, "name", n->name, "space",
                                              (int)n->space, "directed", n->directed, "changes", n->population >= 0,
                                              "nodes", (json_int_t)n->ends.nodes));
    }
    return list;
}

mass_status mass_view_answer_edges(mass_view *v, const mass_view_question *q, mass_view_answer *out, mass_error *error)
{
    mass_domain *const d = v->domain;
    const struct mass_networks *const all = d->model->networks;
    if (!all || q->network >= all->count || q->world >= d->share.worlds) {
        *out = (mass_view_answer){.status = 400};
        return MASS_OK;
    }
    edges e = {.n = &all->list[q->network]};
    mass_status status = read_edges(d, q, &e, error);
    const uint64_t count = e.node ? e.end - e.first : e.n->edges;
    mass_json_begin();
    json_t *o = json_pack("{s:I, s:I, s:I, s:I}", "run", (json_int_t)v->run, "step", (json_int_t)v->step, "nodes",
                          (json_int_t)e.n->ends.nodes, "count", (json_int_t)count);
    if (status == MASS_OK && e.n->ends.nodes <= NODES_MOST && count <= EDGES_MOST) add_all(d->model, &e, o);
    else if (status == MASS_OK) status = add_counts(&e, o, error);
    free(e.node);
    free(e.source);
    if (status == MASS_OK) return mass_view_answer_json(o, 200, out, error);
    json_decref(o);
    return status;
}
