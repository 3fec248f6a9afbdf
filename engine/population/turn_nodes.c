/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_nodes.h"
#include "model/network.h"
#include "population/turn_stage.h"
#include "state/edges.h"

#include <inttypes.h>
#include <stdlib.h>

/* Returns the number in the model of a set of edges that a phase over nodes follows: 0 is the network's own. */
static int number_of(const mass_model *m, const mass_phase_def *p, uint32_t set)
{
    return set ? mass_phase_edges(m, p, set) : (int)(mass_model_network_of(m, p->space) - m->networks->list);
}

/* Returns whether an edge of a set may be only in the list of the node that it comes into. The other node's list must
 * get it, then. */
static bool goes_both_ways(const mass_network_def *n) { return n->directed || n->population >= 0; }

/* Returns whether a set of edges changes that a phase over nodes follows. Then each world has its own edges. */
static bool edges_change(const mass_model *m, const mass_phase_def *p)
{
    bool change = false;
    for (uint32_t k = 0; k <= p->callback->set_count; k++)
        change |= m->networks->list[number_of(m, p, k)].population >= 0;
    return change;
}

/* Returns the nodes that edges of a set name, for so many edges that come into nodes. Edges that do not change count in
 * each of `times` worlds. */
static uint64_t named_by(const mass_network_def *n, uint64_t count, uint64_t times)
{
    return count * (goes_both_ways(n) ? 2 : 1) * (n->population < 0 ? times : 1);
}

/* Describes the edges of all sets that a phase follows in *w, which is all 0 before. Returns the nodes that they
 * name. */
static uint64_t describe(const mass_domain *d, const mass_phase_def *p, mass_turn_join_work *w)
{
    const mass_model *m = d->model;
    const uint64_t times = edges_change(m, p) ? (uint64_t)d->worlds : 1;
    uint64_t named = 0;
    w->nodes = (uint64_t)m->spaces[p->space].size[0];
    w->rows = w->nodes * times;
    w->counts_pairs = p->turn_scope.changes != 0;
    for (uint32_t k = 0; k <= p->callback->set_count; k++) {
        const mass_network_def *const n = &m->networks->list[number_of(m, p, k)];
        const mass_edges e = mass_domain_edges_numbered(d, number_of(m, p, k));
        w->sets[w->set_count++] = (mass_turn_set){e.first, e.source, e.each, goes_both_ways(n)};
        named += named_by(n, e.count, times);
    }
    return named;
}

/* Finds the nodes that edges join, in *n, whose buffers grow if needed. Sets n->stays. */
static mass_status find(mass_domain *d, const mass_phase_def *p, mass_turn_nodes *n, mass_error *error)
{
    mass_turn_join_work w = {0};
    uint64_t most = 0;
    if ((double)d->partitions[p->space][0].layout.world_stride * d->worlds > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "nodes act in turn in callback %s, and %s can do that for less "
                              "than 2^32 of all worlds: make --worlds smaller, or use --device cpu", p->callback->name,
                              d->device->table->name(d->device));
    const uint64_t named = describe(d, p, &w);
    mass_status status = mass_buffer_make_room(d->device, &n->first, (w.rows + 1) * sizeof *w.first, error);
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &n->node, (named + 1) * sizeof *w.node, error);
    if (status != MASS_OK) return status;
    w.first = n->first.address;
    w.node = n->node.address;
    status = d->device->table->agents->turn->join(d->device, &w, &most, error);
    if (status != MASS_OK) return status;
    if (most > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "callback %s changes the nodes at the other ends of edges, and "
                              "%" PRIu64 " pairs of edges join a node to others, of which %s can count 2^32 - 1: use "
                              "--device cpu", p->callback->name, most, d->device->table->name(d->device));
    n->stays = !edges_change(d->model, p);
    return MASS_OK;
}

mass_status mass_turn_join_nodes(mass_domain *d, uint32_t phase, mass_turn_joined *out, mass_error *error)
{
    const mass_phase_def *p = &d->model->phases[phase];
    if (!mass_phase_turns_nodes(p) || !d->device->table->agents->turn->join) return MASS_OK;
    struct mass_turn_stage *t = d->turn;
    if (!t->nodes) t->nodes = calloc(d->model->phase_count, sizeof *t->nodes);
    if (!t->nodes) return mass_error_memory(error, d->model->phase_count * sizeof *t->nodes, "a phase in turn");
    mass_turn_nodes *n = &t->nodes[phase];
    const mass_status status = n->stays ? MASS_OK : find(d, p, n, error);
    if (status == MASS_OK)
        *out = (mass_turn_joined){.first = n->first.address, .node = n->node.address,
                                  .each = n->stays ? 0 : d->model->spaces[p->space].size[0]};
    return status;
}

double mass_turn_nodes_bytes(const mass_model *m, int32_t worlds)
{
    double bytes = 0;
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        if (!mass_phase_turns_nodes(p)) continue;
        const uint64_t times = edges_change(m, p) ? (uint64_t)worlds : 1;
        bytes += ((double)m->spaces[p->space].size[0] * (double)times + 1) * sizeof(uint64_t);
        for (uint32_t k = 0; k <= p->callback->set_count; k++) {
            const mass_network_def *const n = &m->networks->list[number_of(m, p, k)];
            bytes += (double)named_by(n, n->ends.count, times) * (n->population < 0 ? 1 : worlds) * sizeof(uint32_t);
        }
    }
    return bytes;
}

void mass_turn_nodes_free(mass_domain *d)
{
    for (uint32_t i = 0; d->turn->nodes && i < d->model->phase_count; i++) {
        mass_buffer_release(&d->turn->nodes[i].first);
        mass_buffer_release(&d->turn->nodes[i].node);
    }
    free(d->turn->nodes);
    d->turn->nodes = NULL;
}
