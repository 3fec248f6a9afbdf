/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_there.h"
#include "population/population.h"
#include "population/relink_adjacency.h"
#include "state/changing_edges.h"
#include "state/tally.h"

#include <inttypes.h>
#include <stdlib.h>

_Static_assert(MASS_RELINK_COLUMNS_MOST >= MASS_EDGE_ATTRIBUTES_MAX + 2, "ids, marks and attributes are columns");

bool mass_relink_is_there(const mass_domain *d, uint32_t population)
{
    return d->device->table->agents->relink && !mass_share_is_split(&d->share) &&
           !mass_relink_is_changed_by_agents(d->model, population);
}

double mass_relink_there_bytes(const mass_model *m, const mass_share *share)
{
    enum { PAIR = sizeof(uint64_t) + sizeof(uint32_t), /* a key and an agent */
           ENTRY = 1 + sizeof(uint64_t) + 3 * PAIR, /* a mark, a number; pairs: unsorted, sorted and scratch */
           EDGE = 2 * PAIR,      /* pairs by id, unsorted and sorted */
           NODE = sizeof(uint64_t) };
    const double worlds = mass_share_worlds_of(share, share->comm->rank);
    double bytes = 0;
    for (uint32_t i = 0; m->networks && i < m->networks->count && !mass_share_is_split(share); i++) {
        const mass_network_def *const n = &m->networks->list[i];
        if (n->population < 0 || mass_relink_is_changed_by_agents(m, (uint32_t)n->population)) continue;
        bytes += worlds * ((double)n->ends.count * ENTRY + (double)n->edges * EDGE + (double)n->ends.nodes * NODE);
    }
    return bytes;
}

/* Describes the present entries. */
static mass_relink_entries entries_of(const mass_domain *d, const mass_network_def *n, const mass_changing_edges *e)
{
    const uint64_t nodes = (uint64_t)n->ends.nodes;
    return (mass_relink_entries){.nodes = nodes, .rows = nodes * (uint64_t)d->worlds, .count = e->count,
                                 .directed = n->directed, .first = e->there.first.address,
                                 .source = e->there.source.address, .id = e->there.id.address};
}

/* Returns an array of a population by an attribute's number, with the present values. */
static mass_buffer column_of(const mass_domain *d, uint32_t population, uint32_t attribute)
{
    return mass_population_array(d, population, d->model->attributes[attribute].first_array);
}

/* Describes the agents with the last of which the edges of a node end, if there are some. */
static mass_relink_dwellers dwellers_of(const mass_domain *d, const mass_network_def *n)
{
    if (n->dies < 0) return (mass_relink_dwellers){0};
    const mass_population_state *const s = &d->populations[n->dies];
    return (mass_relink_dwellers){.start = s->start.address, .occupancy = s->occupancy.address};
}

/* ---- what changes ---- */

/* Finds the edges that end, and lets their agents ask to die. Counts the requests for new edges. sources: where their
 * other ends are; no address if no body may ask. */
static mass_status end_edges(mass_domain *d, uint32_t population, const uint32_t *gates, mass_buffer sources,
                             mass_relink_counts *counts, mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    const mass_relink_entries entries = entries_of(d, n, e);
    mass_relink_memory *const m = e->memory;
    mass_status status = mass_buffer_make_room(d->device, &m->ends, e->count + 1, error);
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &m->before, (entries.rows + 1) * sizeof(uint64_t), error);
    if (status != MASS_OK) return status;
    const mass_relink_end_work w = {.entries = entries, .cut = e->there.cut.address, .ends = m->ends.address,
        .gates = gates, .agent_id = s->arrays[0].buffer[s->current].address, .start = s->start.address,
        .asked = s->asked.address, .wished = sources.address ? s->sprout_asked.address : NULL,
        .before = m->before.address, .dwellers = dwellers_of(d, n)};
    return d->device->table->agents->relink->end(d->device, &w, counts, error);
}

/* Decides about the requests for new edges, and takes back those that are refused. Lists the entries that end in
 * m->ended. Sets m->fresh to the number of edges that will be made. end_edges comes before. */
static mass_status judge(mass_domain *d, uint32_t population, mass_buffer sources, const mass_relink_counts *counts,
                         mass_error *error)
{
    const mass_population_def *const p = &d->model->populations[population];
    const mass_population_state *const s = &d->populations[population];
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    mass_relink_memory *const m = e->memory;
    uint64_t refused = 0;
    if (counts->requests > UINT32_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "network '%s': nodes ask for %" PRIu64 " edges in a step, and %s "
                              "can decide about 2^32 - 1: use --device cpu", n->name, counts->requests,
                              d->device->table->name(d->device));
    mass_relink_values *const values = calloc(p->array_count + (size_t)1, sizeof *values);
    mass_status status = values ? MASS_OK : mass_error_memory(error, p->array_count * sizeof *values, "edges");
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &m->ended, (counts->entries + 1) * sizeof(uint64_t), error);
    if (status == MASS_OK) {
        mass_relink_judge_work w = {.entries = entries_of(d, n, e), .ends = m->ends.address,
            .before = m->before.address, .requests = counts->requests, .wished = s->sprout_asked.address,
            .source = sources.address, .simple = n->simple, .values = values, .ended = m->ended.address,
            .dwellers = dwellers_of(d, n)};
        for (uint32_t i = 0; i < p->array_count; i++)
            if (s->arrays[i].sprout.address)
                values[w.value_count++] = (mass_relink_values){s->arrays[i].sprout.address,
                                                               d->model->arrays[p->first_array + i].element_size};
        status = d->device->table->agents->relink->judge(d->device, &w, &refused, error);
    }
    free(values);
    m->ended_entries = counts->entries;
    m->fresh = counts->requests - refused;
    return status;
}

mass_status mass_relink_decide_there(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error)
{
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    const uint32_t source = d->model->attributes[n->source].first_array;
    const mass_buffer sources =
        d->populations[population].arrays[source - d->model->populations[population].first_array].sprout;
    mass_relink_counts counts = {0};
    mass_status status = mass_relink_refresh_there(d, population, error);
    if (status == MASS_OK) status = end_edges(d, population, gates, sources, &counts, error);
    if (status != MASS_OK || (counts.edges == 0 && counts.requests == 0)) return status;
    status = judge(d, population, sources, &counts, error);
    if (status == MASS_OK && counts.edges == 0 && e->memory->fresh == 0) return MASS_OK; /* all are refused */
    e->current = false;
    e->follows = status == MASS_OK;
    e->edges = e->edges - counts.edges + (status == MASS_OK ? e->memory->fresh : 0);
    return status;
}

/* ---- the arrays ---- */

/* Finds the agents that are new edges, and sorts their entries into m->key and m->agent. Sets *found. agents: their
 * number on this rank. all: take all agents as new. */
static mass_status collect(mass_domain *d, uint32_t population, uint64_t agents, bool all, mass_relink_found *found,
                           mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    mass_relink_memory *const m = e->memory;
    const uint64_t expected = all ? agents : m->fresh, entries = n->directed ? expected : 2 * expected;
    uint64_t *const none = calloc((size_t)d->worlds + 1, sizeof *none);
    mass_status status = none ? MASS_OK : mass_error_memory(error, (size_t)d->worlds * sizeof *none, "edges");
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &m->key, (entries + 1) * sizeof(uint64_t), error);
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &m->agent, (entries + 1) * sizeof(uint32_t), error);
    if (status == MASS_OK) {
        const mass_relink_collect_work w = {.nodes = (uint64_t)n->ends.nodes,
            .rows = (uint64_t)n->ends.nodes * (uint64_t)d->worlds, .worlds = d->worlds, .directed = n->directed,
            .agents = (uint32_t)agents, .id = s->arrays[0].buffer[s->current].address,
            .cell = s->cell[s->current].address, .source = column_of(d, population, n->source).address,
            .next_id = all ? none : e->next_id, .expected = expected, .key = m->key.address,
            .agent = m->agent.address};
        status = d->device->table->agents->relink->collect(d->device, &w, found, error);
    }
    free(none);
    return status;
}

/* Refuses an edge whose source is no node: MASS_BAD_INPUT. A checkpoint may have any number. */
static mass_status refuse_stray(const mass_domain *d, uint32_t population, uint32_t agent, mass_error *error)
{
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    uint64_t id = 0;
    uint32_t source = 0;
    mass_status status = mass_buffer_download(
        mass_buffer_from(mass_population_array(d, population, d->model->populations[population].first_array),
                         agent * sizeof id), &id, sizeof id, error);
    if (status == MASS_OK)
        status = mass_buffer_download(mass_buffer_from(column_of(d, population, n->source), agent * sizeof source),
                                      &source, sizeof source, error);
    return status == MASS_OK ? mass_relink_refuse_stray(n, id, source, error) : status;
}

/* Makes room for `count` entries, and for the nodes of all worlds, in *a. If there is too little, former contents are
 * lost. */
static mass_status make_room(mass_domain *d, uint32_t network, uint64_t count, mass_edge_arrays *a, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const uint64_t rows = (uint64_t)all->list[network].ends.nodes * (uint64_t)d->worlds;
    mass_status status = mass_buffer_make_room(d->device, &a->first, (rows + 1) * sizeof(uint64_t), error);
    if (status == MASS_OK)
        status = mass_buffer_make_room(d->device, &a->source, (count + 1) * sizeof(uint32_t), error);
    if (status == MASS_OK) status = mass_buffer_make_room(d->device, &a->id, (count + 1) * sizeof(uint64_t), error);
    if (status == MASS_OK) status = mass_buffer_make_room(d->device, &a->cut, count + 1, error);
    for (uint32_t i = 0; status == MASS_OK && i < all->attribute_count; i++)
        if (all->attributes[i].network == network)
            status = mass_buffer_make_room(d->device, &a->values[i], (count + 1) * all->attributes[i].size, error);
    return status;
}

/* Lists the columns of the entries: ids, marks, and attributes with their defaults behind them. */
static mass_status list_columns(mass_domain *d, uint32_t population, uint32_t network, uint64_t count,
                                const mass_edge_arrays *old, const mass_edge_arrays *to, mass_relink_merge_work *w,
                                mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const mass_population_state *const s = &d->populations[population];
    mass_status status = MASS_OK;
    w->columns[w->column_count++] = (mass_relink_column){old->id.address,
        s->arrays[0].buffer[s->current].address, to->id.address, sizeof(uint64_t)};
    w->columns[w->column_count++] = (mass_relink_column){old->cut.address, NULL, to->cut.address, 1};
    for (uint32_t i = 0; status == MASS_OK && i < all->attribute_count; i++) {
        const mass_edge_attribute_def *const a = &all->attributes[i];
        if (a->network != network) continue;
        w->columns[w->column_count++] = (mass_relink_column){old->values[i].address,
            column_of(d, population, a->attribute).address, to->values[i].address, a->size};
        status = mass_buffer_upload(mass_buffer_from(to->values[i], count * a->size),
                                    a->values + all->list[network].ends.count * a->size, a->size, error);
    }
    return status;
}

/* Makes the arrays: of the present entries without those that ended, and of the new ones, of which there are `fresh`;
 * all: only of these. Sets e->there and e->count; the former arrays are m->spare then. */
static mass_status merge(mass_domain *d, uint32_t population, bool all, uint64_t fresh, mass_error *error)
{
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    const uint32_t network = (uint32_t)(n - d->model->networks->list);
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    mass_relink_memory *const m = e->memory;
    mass_relink_merge_work w = {.old = entries_of(d, n, e), .ended_count = all ? 0 : m->ended_entries,
        .fresh_count = fresh, .ended = m->ended.address, .key = m->key.address, .agent = m->agent.address};
    if (all) w.old.count = 0;
    const uint64_t count = w.old.count - w.ended_count + fresh;
    mass_edge_arrays *const to = &m->spare, old = e->there;
    mass_status status = make_room(d, network, count, to, error);
    w.first = to->first.address;
    w.source = to->source.address;
    if (status == MASS_OK) status = list_columns(d, population, network, count, &old, to, &w, error);
    if (status == MASS_OK) status = d->device->table->agents->relink->merge(d->device, &w, error);
    if (status != MASS_OK) return status;
    e->there = *to;
    m->spare = old;
    e->count = count;
    return MASS_OK;
}

/* Reads the next id of each world: all present edges have lower ones. */
static mass_status read_next_ids(mass_domain *d, uint32_t population, mass_changing_edges *e, mass_error *error)
{
    const size_t bytes = (size_t)d->worlds * sizeof *e->next_id;
    if (!e->next_id) e->next_id = calloc((size_t)d->worlds + 1, sizeof *e->next_id);
    if (!e->next_id) return mass_error_memory(error, bytes, "edges");
    return mass_buffer_download(mass_domain_tally(d, d->model->populations[population].next_id), e->next_id, bytes,
                                error);
}

mass_status mass_relink_refresh_there(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    mass_relink_found found = {.stray = UINT32_MAX};
    uint64_t agents = 0;
    if (e->current) return MASS_OK;
    if (!e->memory) e->memory = calloc(1, sizeof *e->memory);
    if (!e->memory) return mass_error_memory(error, sizeof *e->memory, "edges");
    mass_status status = mass_population_count_own(d, population, &agents, error);
    bool all = !e->follows || agents != e->edges;
    if (status == MASS_OK) status = collect(d, population, agents, all, &found, error);
    if (status == MASS_OK && !all && found.agents != e->memory->fresh) {
        all = true;
        status = collect(d, population, agents, all, &found, error);
    }
    if (status == MASS_OK && found.stray != UINT32_MAX) status = refuse_stray(d, population, found.stray, error);
    if (status == MASS_OK) status = merge(d, population, all, found.entries, error);
    if (status == MASS_OK) status = read_next_ids(d, population, e, error); /* waits */
    if (status == MASS_OK && all) {
        mass_buffer_release(&e->memory->key);
        mass_buffer_release(&e->memory->agent);
    }
    e->edges = agents;
    e->current = status == MASS_OK;
    return status;
}
