/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a plugin's networks to its model. */
#include "device/cpu/threads.h"
#include "model/network.h"
#include "network/draw_by_node.h"
#include "network/threads.h"
#include "plugin/services.h"
#include "process/available_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the most bytes in use for each edge while a network is drawn: the list with the pairs of a simple one, then
 * the list with the ends by node. */
static double bytes_of_edge(const mass_network *n)
{
    enum { LISTED = 8, PAIR = 32, END = 4, NUMBERED = 12 };
    const bool is_simple = n->generator == MASS_RING || n->generator == MASS_COMPLETE || mass_is_drawn_by_node(n);
    const bool pairs = n->simple && !is_simple;
    const int all = LISTED + (n->simple || n->links ? NUMBERED : END) * (n->directed ? 1 : 2);
    const int drawn = LISTED + (pairs ? PAIR : 0) * (n->generator == MASS_SMALL_WORLD ? 2 : 1);
    return all > drawn ? all : drawn;
}

/* Refuses to draw more edges than there is memory for. Passes if the free memory is unknown. Edges of a file do not
 * count. */
static mass_status check_memory(const mass_network *n, mass_gidx nodes, mass_error *error)
{
    const double edges = n->file && n->file[0] ? 0 : (double)mass_edge_list_expected(n, nodes);
    const double bytes = edges * bytes_of_edge(n) + (double)nodes * sizeof(uint64_t);
    size_t left;
    char needed[32], has[32];
    mass_error unknown = {0};
    if (mass_available_memory_left(&left, &unknown) != MASS_OK || bytes <= (double)left) return MASS_OK;
    return mass_error_set(error, MASS_NO_DEVICE, "network '%s' would have %.0f %s, which take %s, and %s are "
                          "available", n->name ? n->name : "", edges > 0 ? edges : (double)nodes,
                          edges > 0 ? "edges" : "nodes", mass_format_bytes(needed, bytes),
                          mass_format_bytes(has, (double)left));
}

/* Adds a network, or a further set of edges, to the model: the threads of the run make its edges. A trial starts none.
 * nodes: as mass_model_add_network takes it. */
static mass_status add_network(const mass_engine_host *h, const mass_network *n, mass_gidx nodes)
{
    const mass_opening *const o = h->opening;
    mass_edge_reader *const read = o->read_edges ? o->read_edges : mass_edge_list_read;
    const int threads = o->extent_limit ? 1 : o->threads > 0 ? o->threads : mass_threads_default();
    mass_cpu_team *const team = mass_threads_team(threads);
    mass_network_team(team);
    const mass_status status = mass_model_add_network(h->model, n, nodes, o->extent_limit, read, h->error);
    mass_network_team(NULL);
    mass_cpu_team_stop(team);
    return status;
}

/* Adds a further set of edges to a network. Refuses one that memory cannot hold. */
static mass_status declare_set(mass_engine_host *h, const mass_network *set)
{
    const mass_opening *const o = h->opening;
    const int space = mass_model_find_space(h->model, set->of);
    const mass_gidx nodes = space < 0 ? 0 : h->model->spaces[space].size[0];
    const mass_status fits = o->extent_limit ? MASS_OK : check_memory(set, nodes, h->error);
    return fits == MASS_OK ? add_network(h, set, 0) : fits;
}

/* Adds a network, or a further set of edges, to the model, and makes its edges. A checkpoint's size replaces the
 * plugin's; so does the user's for the first space. Refuses one that memory cannot hold. */
static mass_status declare_network(mass_host *host, const mass_network *d)
{
    mass_engine_host *const h = self(host);
    const mass_opening *const o = h->opening;
    mass_network own;
    const mass_status status = TAKE(network, simple);
    if (status != MASS_OK) return status;
    if (own.of) return declare_set(h, &own);
    const int stored = o->stored && own.name ? mass_model_find_space(o->stored, own.name) : -1;
    const bool sized = o->dimensions && h->model->space_count == 0;
    if (sized && stored < 0 && o->dimensions > 1)
        return mass_error_set(h->error, MASS_BAD_USAGE, "--size: network '%s' has one number, of its nodes",
                              own.name ? own.name : "");
    const mass_gidx nodes = stored >= 0 ? o->stored->spaces[stored].size[0] : sized ? o->size[0] : 0;
    if (sized && nodes < 1)
        return mass_error_set(h->error, MASS_BAD_USAGE, "--size: %" PRId64 " nodes are not at least 1", nodes);
    const mass_status fits = o->extent_limit ? MASS_OK : check_memory(&own, nodes ? nodes : own.nodes, h->error);
    return fits == MASS_OK ? add_network(h, &own, nodes) : fits;
}

/* Adds an attribute of a network's edges to the model. */
static mass_status declare_attribute(mass_host *host, const mass_edge_attribute *d)
{
    mass_edge_attribute own;
    const mass_status status = TAKE(edge_attribute, initial);
    return status == MASS_OK ? mass_model_add_edge_attribute(self(host)->model, &own, self(host)->error) : status;
}

const mass_networks_table mass_host_networks_table = {sizeof mass_host_networks_table, declare_network,
                                                      declare_attribute};

/* Returns the value of a constant in the checkpoint that is resumed, as text; NULL: there is none. */
static const char *stored_value(const mass_opening *o, const char *name)
{
    const char *value = NULL;
    for (uint32_t i = 0; o->resumed && i < o->setting_count; i++)
        if (strcmp(o->settings[i].name, name) == 0) value = o->settings[i].value;
    return value;
}

/* Adds the constant that has the hash of a network's edges. Refuses to resume with other edges; a trial has others. */
static mass_status add_hash(mass_engine_host *h, const mass_network_def *n, mass_error *error)
{
    const char *const name = n->name;
    char constant[MASS_NAME_SIZE + 16], own[32];
    snprintf(constant, sizeof constant, "%.40s_edges_hash", name);
    snprintf(own, sizeof own, "%" PRId64, (int64_t)n->hash);
    const mass_constant hash = {.struct_size = sizeof hash, .type = MASS_INTEGER, .name = constant,
                                .integer = (int64_t)n->hash};
    const char *const stored = stored_value(h->opening, constant);
    if (stored && !h->opening->extent_limit && strcmp(stored, own) != 0)
        return mass_error_set(error, MASS_BAD_INPUT, "network '%s' has other edges than when the checkpoint was "
                              "written%s%s", name, n->file ? ": it is to resume with the same file as " : "",
                              n->file ? n->file : "");
    return mass_parameters_add_constant(&h->model->parameters, &hash, error);
}

mass_status mass_host_settle_networks(mass_engine_host *h, mass_error *error)
{
    mass_status status = mass_model_settle_networks(h->model, error);
    for (uint32_t i = 0; h->model->networks && status == MASS_OK && i < h->model->networks->count; i++)
        status = add_hash(h, &h->model->networks->list[i], error);
    return status;
}
