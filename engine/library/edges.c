/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of networks: found by name, and read; and the names of nodes. Edges that change are agents. The others have
 * numbers behind those of all attributes: the sources and the targets of each network or set, then the attributes of
 * edges. Each rank has all of them, so rank 0 reads its own. */
#include "library/run.h"
#include "base/plural.h"
#include "model/network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

/* A column of edges that do not change. */
typedef struct column {
    const mass_network_def *n;
    const uint8_t *values; /* [n->ends.count] by end; NULL: sources or targets */
    size_t size;           /* of a value */
    uint32_t network, type;
    bool source, target;
    const char *name;
} column;

/* Finds the column of a number; n NULL: there is none, or the edges change. */
static column column_of(const mass_model *m, uint32_t attribute)
{
    const struct mass_networks *const all = m->networks;
    if (!all || attribute < m->attribute_count) return (column){0};
    const uint32_t number = attribute - m->attribute_count, ends = 2 * all->count;
    column c = {.type = MASS_U32, .size = sizeof(uint32_t), .network = number / 2};
    if (number < ends) {
        c.source = number % 2 == 0;
        c.target = number % 2 == 1;
        c.name = c.source ? "source" : "target";
    } else if (number - ends < all->attribute_count) {
        const mass_edge_attribute_def *const a = &all->attributes[number - ends];
        c = (column){.values = a->values, .size = a->size, .type = a->type, .network = a->network, .name = a->name};
    } else return (column){0};
    if (all->list[c.network].population >= 0) return (column){0};
    c.n = &all->list[c.network];
    return c;
}

bool mass_library_is_of_edges(const mass_engine *run, uint32_t attribute)
{
    return column_of(&run->session.model, attribute).n != NULL;
}

/* Splits "NETWORK.edges.NAME": sets network[] and returns the name; NULL: the text is none, or NETWORK is too
 * long. */
static const char *split(const char *text, char network[MASS_NAME_SIZE])
{
    static const char word[] = ".edges.";
    const char *const found = strstr(text, word);
    if (!found || (size_t)(found - text) >= MASS_NAME_SIZE) return NULL;
    snprintf(network, MASS_NAME_SIZE, "%.*s", (int)(found - text), text);
    return found + sizeof word - 1;
}

/* Returns the number of a network or set by its name, or -1. */
static int network_of(const mass_model *m, const char *name)
{
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++)
        if (strcmp(m->networks->list[i].name, name) == 0) return (int)i;
    return -1;
}

/* Returns the attribute of agents that a column of edges that change is, or -1. */
static int of_agents(const mass_model *m, const mass_network_def *n, const char *name)
{
    const uint32_t first = m->populations[n->population].first_attribute;
    if (strcmp(name, "source") == 0) return (int)n->source;
    if (strcmp(name, "target") == 0) return (int)(first + MASS_AGENT_PLACE);
    return mass_model_named_agent_attribute(m, (uint32_t)n->population, name);
}

int mass_library_find_edges(const mass_model *m, const char *name)
{
    char owner[MASS_NAME_SIZE];
    const char *const of_edge = split(name, owner);
    const int network = of_edge ? network_of(m, owner) : -1;
    if (network < 0) return -1;
    const struct mass_networks *const all = m->networks;
    if (all->list[network].population >= 0) return of_agents(m, &all->list[network], of_edge);
    if (strcmp(of_edge, "source") == 0) return (int)m->attribute_count + 2 * network;
    if (strcmp(of_edge, "target") == 0) return (int)m->attribute_count + 2 * network + 1;
    for (uint32_t i = 0; i < all->attribute_count; i++)
        if (all->attributes[i].network == (uint32_t)network && strcmp(all->attributes[i].name, of_edge) == 0)
            return (int)(m->attribute_count + 2 * all->count + i);
    return -1;
}

/* Refuses a name that no network or set has. */
static mass_status refuse_network(const mass_model *m, const char *name, mass_error *error)
{
    char names[400] = "";
    for (uint32_t i = 0; m->networks && i < m->networks->count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", m->networks->list[i].name);
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no network %s; it has %s", m->plugin, name,
                          names[0] ? names : "none");
}

mass_status mass_library_refuse_edges(const mass_model *m, const char *name, mass_error *error)
{
    char owner[MASS_NAME_SIZE], names[400] = "";
    const char *const of_edge = split(name, owner);
    const int network = of_edge ? network_of(m, owner) : -1;
    if (!of_edge) return MASS_OK;
    if (network < 0) return refuse_network(m, owner, error);
    for (uint32_t i = 0; i < m->networks->attribute_count; i++)
        if (m->networks->attributes[i].network == (uint32_t)network)
            snprintf(names + strlen(names), sizeof names - strlen(names), ", %s", m->networks->attributes[i].name);
    return mass_error_set(error, MASS_BAD_USAGE, "edges of %s have no %.200s; they have source, target%s", owner,
                          of_edge, names);
}

void mass_library_describe_edges(const mass_engine *run, uint32_t attribute, mass_engine_array *out)
{
    const column c = column_of(&run->session.model, attribute);
    *out = (mass_engine_array){.struct_size = sizeof *out, .attribute = attribute, .type = c.type, .of_agents = 2,
                               .extent = {(int64_t)c.n->edges, 1, 1, 1, 1}, .value_bytes = c.size,
                               .bytes = c.n->edges * c.size};
}

/* ---- names of nodes ---- */

int mass_engine_node_names(mass_engine *run, const char *network, mass_engine_node_list *out)
{
    mass_error error;
    const int entered = mass_library_enter_here(run, &error);
    if (entered != MASS_OK) return entered;
    const mass_model *const m = &run->session.model;
    const int number = network_of(m, network);
    if (number < 0) return mass_library_leave(run, refuse_network(m, network, &error), &error);
    const mass_node_names *const names = &mass_model_network_of(m, m->networks->list[number].space)->names;
    *out = (mass_engine_node_list){.count = names->count, .first = names->first, .texts = names->bytes};
    return mass_library_leave(run, MASS_OK, &error);
}

/* ---- reading ---- */

/* Returns the first end of a node that counts as an edge. An undirected edge comes into both of its nodes, and is one
 * of the lower node: the ends whose source is not lower. */
static uint64_t first_end(const mass_network_def *n, mass_gidx node)
{
    uint64_t low = n->ends.first[node], high = n->ends.first[node + 1];
    if (n->directed) return low;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (n->ends.source[middle] < node) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Returns how many edges all nodes before each have, [nodes + 1]. The run or its model keeps it. NULL: memory is
 * short. */
static const uint64_t *edges_before(mass_engine *run, uint32_t network, mass_error *error)
{
    const mass_network_def *const n = &run->session.model.networks->list[network];
    if (n->directed) return n->ends.first;
    if (run->edges_before[network]) return run->edges_before[network];
    const size_t bytes = ((size_t)n->ends.nodes + 1) * sizeof(uint64_t);
    uint64_t *const before = malloc(bytes);
    if (!before) {
        mass_error_memory(error, bytes, "the edges of a network");
        return NULL;
    }
    before[0] = 0;
    for (mass_gidx i = 0; i < n->ends.nodes; i++) before[i + 1] = before[i] + n->ends.first[i + 1] - first_end(n, i);
    return run->edges_before[network] = before;
}

/* Returns the node that has edge number `edge`: the last one with so many edges before it at most. */
static mass_gidx node_of(const uint64_t *before, mass_gidx nodes, uint64_t edge)
{
    mass_gidx low = 0, high = nodes;
    while (high - low > 1) {
        const mass_gidx middle = low + (high - low) / 2;
        if (before[middle] <= edge) low = middle;
        else high = middle;
    }
    return low;
}

/* Copies the column of `count` edges of one node, from end number `from` on. */
static void copy(const column *c, mass_gidx node, uint64_t from, uint64_t count, void *to)
{
    const uint32_t own = (uint32_t)node;
    if (c->values) memcpy(to, c->values + from * c->size, count * c->size);
    else if (c->source == (c->n->directed != 0)) memcpy(to, c->n->ends.source + from, count * sizeof own);
    else
        for (uint64_t i = 0; i < count; i++) memcpy((char *)to + i * sizeof own, &own, sizeof own);
}

mass_status mass_library_read_edges(mass_engine *run, uint32_t attribute, const mass_engine_box *box, void *data,
                                    uint64_t bytes, mass_error *error)
{
    const column c = column_of(&run->session.model, attribute);
    const int64_t all = (int64_t)c.n->edges, first = box ? box->origin[0] : 0, count = box ? box->extent[0] : all;
    if (first < 0 || count < 0 || first > all || count > all - first)
        return mass_error_set(error, MASS_BAD_USAGE, "%" PRId64 " edge%s from number %" PRId64 " on: %s has %" PRId64,
                              count, mass_plural(count), first, c.n->name, all);
    if (bytes != (uint64_t)count * c.size)
        return mass_error_set(error, MASS_BAD_USAGE, "the values of %s are %" PRIu64 " byte%s, and not %" PRIu64,
                              c.name, (uint64_t)count * c.size, mass_plural((uint64_t)count * c.size), bytes);
    const uint64_t *const before = edges_before(run, c.network, error);
    if (!before) return error->status;
    uint64_t edge = (uint64_t)first;
    const uint64_t end = edge + (uint64_t)count;
    for (mass_gidx node = node_of(before, c.n->ends.nodes, edge); edge < end; node++) {
        const uint64_t some = (before[node + 1] < end ? before[node + 1] : end) - edge;
        copy(&c, node, first_end(c.n, node) + (edge - before[node]), some,
             (char *)data + (edge - (uint64_t)first) * c.size);
        edge += some;
    }
    return MASS_OK;
}
