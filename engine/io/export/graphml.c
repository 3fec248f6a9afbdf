/* SPDX-License-Identifier: Apache-2.0 */
#include "io/export/graphml.h"
#include "io/picture/image.h"
#include "model/network.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- values ---- */

/* Writes text of a value or an id, escaped for XML. */
static void put_text(FILE *to, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*text, to);
        }
}

/* Returns GraphML's name of a type of numbers, whose range holds all its values but those of u64 above 2^63. */
static const char *name_of(uint32_t type)
{
    if (type == MASS_F32) return "float";
    if (type == MASS_F64) return "double";
    return type == MASS_U32 || type == MASS_I64 || type == MASS_U64 ? "long" : "int";
}

/* Writes a real number with all digits that its type has. */
static void put_real(FILE *to, double value, int digits)
{
    if (isnan(value)) fputs("NaN", to);
    else if (isinf(value)) fputs(value > 0 ? "INF" : "-INF", to);
    else fprintf(to, "%.*g", digits, value);
}

/* Writes a number of a type. */
static void put_number(FILE *to, uint32_t type, const uint8_t *at)
{
#define CASE(CODE, TYPE, FORMAT)             \
    case CODE: {                             \
        TYPE own;                            \
        memcpy(&own, at, sizeof own);        \
        fprintf(to, "%" FORMAT, own);        \
        break;                               \
    }
    float narrow;
    double wide;
    switch (type) {
        CASE(MASS_I8, int8_t, PRId8)
        CASE(MASS_U8, uint8_t, PRIu8)
        CASE(MASS_I16, int16_t, PRId16)
        CASE(MASS_U16, uint16_t, PRIu16)
        CASE(MASS_I32, int32_t, PRId32)
        CASE(MASS_U32, uint32_t, PRIu32)
        CASE(MASS_I64, int64_t, PRId64)
        CASE(MASS_U64, uint64_t, PRIu64)
    case MASS_F32:
        memcpy(&narrow, at, sizeof narrow);
        put_real(to, (double)narrow, 9);
        break;
    default:
        memcpy(&wide, at, sizeof wide);
        put_real(to, wide, 17);
    }
#undef CASE
}

/* ---- attributes of nodes ---- */

/* A number that every node has: a component of an attribute, or a member of one. */
typedef struct part {
    const mass_attribute_def *attribute;
    const uint8_t *values; /* of the first world */
    const char *member;    /* NULL: the attribute has none */
    uint32_t component, type;
    size_t offset;         /* within an element */
} part;

typedef void take_part(void *context, uint32_t number, const part *p);

/* Calls `take` for each part of an attribute: each component, or each member of each component; none for a struct
 * without members. *number counts them. */
static void each_component(const mass_snapshot *s, uint32_t attribute, uint32_t *number, take_part *take, void *context)
{
    const mass_attribute_def *const a = &s->model->attributes[attribute];
    for (uint32_t c = 0; c < a->length; c++) {
        part p = {.attribute = a, .values = s->attributes[attribute], .component = c, .type = a->type,
                  .offset = c * a->component_size};
        for (uint32_t i = 0; i < a->member_count; i++) {
            p.member = a->members[i].name;
            p.type = a->members[i].type;
            p.offset = c * a->component_size + a->members[i].offset;
            take(context, (*number)++, &p);
        }
        if (!a->member_count && a->type != MASS_STRUCT) take(context, (*number)++, &p);
    }
}

/* Calls `take` for each part of the attributes of a space's places, in their order. Streamed ones are left out. */
static void each_part(const mass_snapshot *s, uint32_t space, take_part *take, void *context)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < s->model->attribute_count; i++) {
        const mass_attribute_def *const a = &s->model->attributes[i];
        if (a->space == space && a->population < 0 && !a->streamed) each_component(s, i, &number, take, context);
    }
}

/* ---- a network ---- */

/* The state of a write. */
typedef struct writing {
    const mass_snapshot *snapshot;
    uint32_t network;
    const mass_network_def *n;
    FILE *to;
    mass_gidx node; /* whose data are written */
    const mass_node_names *names;
} writing;

/* Declares a part of the nodes' data. */
static void put_key(void *context, uint32_t number, const part *p)
{
    const writing *const w = context;
    fprintf(w->to, "  <key id=\"n%" PRIu32 "_%" PRIu32 "\" for=\"node\" attr.name=\"%s", w->network, number,
            p->attribute->name);
    if (p->attribute->length > 1) fprintf(w->to, "[%" PRIu32 "]", p->component);
    if (p->member) fprintf(w->to, ".%s", p->member);
    fprintf(w->to, "\" attr.type=\"%s\"/>\n", name_of(p->type));
}

/* Writes one part of the data of w->node. */
static void put_datum(void *context, uint32_t number, const part *p)
{
    const writing *const w = context;
    const size_t size = mass_element_size(p->attribute);
    fprintf(w->to, "<data key=\"n%" PRIu32 "_%" PRIu32 "\">", w->network, number);
    if (p->attribute->type == MASS_BIT) fprintf(w->to, "%d", p->values[w->node / 8] >> w->node % 8 & 1);
    else put_number(w->to, p->type, p->values + (size_t)w->node * size + p->offset);
    fputs("</data>", w->to);
}

/* Declares the attributes of edges. */
static void put_edge_keys(const writing *w)
{
    const struct mass_networks *const all = w->snapshot->model->networks;
    for (uint32_t i = 0; i < all->attribute_count; i++)
        if (all->attributes[i].network == w->network)
            fprintf(w->to, "  <key id=\"e%" PRIu32 "\" for=\"edge\" attr.name=\"%s\" attr.type=\"%s\"/>\n", i,
                    all->attributes[i].name, name_of(all->attributes[i].type));
}

/* Writes the id of a node: its name or number. A number that is the name of another node gets a mark before it. */
static void put_id(const writing *w, mass_gidx node)
{
    char id[32];
    const char *const name = mass_node_name(w->names, node);
    if (name) {
        put_text(w->to, name);
        return;
    }
    int marks = 0;
    do snprintf(id, sizeof id, "%.*s%" PRId64, marks++, "########", node);
    while (marks < 8 && mass_node_names_find(w->names, id) >= 0);
    fputs(id, w->to);
}

/* Writes all nodes with their values. */
static void put_nodes(writing *w)
{
    for (w->node = 0; w->node < w->n->ends.nodes; w->node++) {
        fputs("    <node id=\"", w->to);
        put_id(w, w->node);
        fputs("\">", w->to);
        each_part(w->snapshot, w->n->space, put_datum, w);
        fputs("</node>\n", w->to);
    }
}

/* Writes an edge, which comes from `source` if it is directed. changes: its values are those of agent `at`, else those
 * of end `at`. */
static void put_edge(const writing *w, mass_gidx source, mass_gidx target, bool changes, uint64_t at)
{
    const mass_snapshot *const s = w->snapshot;
    const struct mass_networks *const all = s->model->networks;
    fputs("    <edge source=\"", w->to);
    put_id(w, source);
    fputs("\" target=\"", w->to);
    put_id(w, target);
    fputs("\">", w->to);
    if (w->n->set) fprintf(w->to, "<data key=\"set\">%s</data>", w->n->name);
    for (uint32_t i = 0; i < all->attribute_count; i++) {
        const mass_edge_attribute_def *const a = &all->attributes[i];
        if (a->network != w->network) continue;
        fprintf(w->to, "<data key=\"e%" PRIu32 "\">", i);
        put_number(w->to, a->type, (changes ? (const uint8_t *)s->attributes[a->attribute] : a->values) + at * a->size);
        fputs("</data>", w->to);
    }
    fputs("</edge>\n", w->to);
}

/* Writes the edges of the first world, which are agents on the nodes that they come into. */
static void put_changing_edges(const writing *w)
{
    const mass_snapshot *const s = w->snapshot;
    const uint32_t population = (uint32_t)w->n->population, first = s->model->populations[population].first_attribute;
    const int32_t *const world = s->attributes[first + MASS_AGENT_WORLD];
    const int64_t *const node = s->attributes[first + MASS_AGENT_PLACE];
    const uint32_t *const source = s->attributes[w->n->source];
    for (uint64_t i = 0; i < s->agents[population] && world[i] == 0; i++) put_edge(w, source[i], node[i], true, i);
}

/* Writes all edges. An edge of an undirected network comes into both of its nodes, and is that of the lower one. */
static void put_edges(const writing *w)
{
    const mass_edge_ends *const e = &w->n->ends;
    if (w->n->population >= 0) {
        put_changing_edges(w);
        return;
    }
    for (mass_gidx i = 0; i < e->nodes; i++)
        for (uint64_t k = e->first[i]; k < e->first[i + 1]; k++)
            if (w->n->directed) put_edge(w, e->source[k], i, false, k);
            else if (e->source[k] >= i) put_edge(w, i, e->source[k], false, k);
}

/* Returns whether a network is written as a graph: one that is no set, and sets whose edges are directed while those of
 * their network are not, or the other way round. Programs refuse a graph with both. */
static bool has_graph(const mass_model *m, const mass_network_def *n)
{
    return !n->set || n->directed != mass_model_network_of(m, n->space)->directed;
}

/* Writes a graph, with the further sets of edges that are part of it. */
static void put_graph(writing *w)
{
    const struct mass_networks *const all = w->snapshot->model->networks;
    fprintf(w->to, "  <graph id=\"%s\" edgedefault=\"%s\">\n", w->n->name, w->n->directed ? "directed" : "undirected");
    put_nodes(w);
    put_edges(w);
    for (uint32_t k = 0; !w->n->set && k < all->count; k++) {
        writing more = *w;
        more.network = k;
        more.n = &all->list[k];
        if (more.n->space == w->n->space && !has_graph(w->snapshot->model, more.n)) put_edges(&more);
    }
    fputs("  </graph>\n", w->to);
}

void mass_graphml_write(const mass_snapshot *s, FILE *to)
{
    const struct mass_networks *const all = s->model->networks;
    bool sets = false;
    fputs(MASS_GRAPHML_HEAD "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n", to);
    for (uint32_t i = 0; i < all->count; i++) {
        const writing w = {.snapshot = s, .network = i, .n = &all->list[i], .to = to};
        if (has_graph(s->model, w.n)) each_part(s, w.n->space, put_key, (void *)(uintptr_t)&w);
        put_edge_keys(&w);
        sets |= w.n->set;
    }
    if (sets) fputs("  <key id=\"set\" for=\"edge\" attr.name=\"set\" attr.type=\"string\"/>\n", to);
    for (uint32_t i = 0; i < all->count; i++) {
        const mass_network_def *const n = &all->list[i];
        writing w = {.snapshot = s, .network = i, .n = n, .to = to,
                     .names = &mass_model_network_of(s->model, n->space)->names};
        if (has_graph(s->model, n)) put_graph(&w);
    }
    fputs("</graphml>\n", to);
}
