/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_adjacency.h"
#include "population/population.h"
#include "population/relink_marks.h"
#include "population/relink_merge.h"
#include "population/relink_records.h"
#include "population/relink_requests.h"
#include "population/relink_there.h"
#include "ranks/all_gather.h"
#include "ranks/rpc.h"
#include "state/changing_edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An edge that comes into a node. */
typedef struct coming {
    uint64_t id, edge; /* edge: its number among those that were sent */
    uint32_t source;
} coming;

/* Orders edges by source, then id (for qsort). */
static int by_source_and_id(const void *first, const void *second)
{
    const coming *a = first, *b = second;
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Sorts the edges that come into a node. Mostly they are few, and nearly in order. */
static void sort_coming(coming *list, uint64_t count)
{
    enum { FEW = 32 };
    if (count > FEW) qsort(list, count, sizeof *list, by_source_and_id);
    for (uint64_t i = 1; count <= FEW && i < count; i++) {
        const coming moved = list[i];
        uint64_t to = i;
        for (; to > 0 && by_source_and_id(&moved, &list[to - 1]) < 0; to--) list[to] = list[to - 1];
        list[to] = moved;
    }
}

mass_status mass_relink_refuse_stray(const mass_network_def *n, uint64_t id, uint32_t source, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_INPUT, "edge %" PRIu64 " of a network comes from node %" PRIu32
                          ", and it has nodes 0 to %" PRIi64, id, source, n->ends.nodes - 1);
}

/* Lists the edges of the records by the node that they come into: counts them, puts each in its node's range, and sorts
 * each range. bytes: of a record; numbers: nodes of all worlds. Sets first, source, id and count of *e. The caller
 * frees these and *out, on failure too. MASS_BAD_INPUT if an edge comes from a node that there is not. */
static mass_status list_coming(const mass_network_def *n, const char *records, size_t bytes, uint64_t count,
                               size_t numbers, mass_changing_edges *e, coming **out, mass_error *error)
{
    const uint64_t nodes = (uint64_t)n->ends.nodes;
    const uint64_t most = n->directed ? count : 2 * count;
    e->first = calloc(numbers + 2, sizeof *e->first);
    e->source = malloc((most + 1) * sizeof *e->source);
    e->id = malloc((most + 1) * sizeof *e->id);
    coming *const list = *out = malloc((most + 1) * sizeof *list);
    if (!e->first || !e->source || !e->id || !list) return mass_error_memory(error, most * 36, "edges");
    for (uint64_t i = 0; i < count; i++) { /* a checkpoint may have any number */
        mass_edge_record s;
        memcpy(&s, records + i * bytes, sizeof s);
        if (s.source >= nodes)
            return mass_relink_refuse_stray(n, s.id, s.source, error);
    }
    for (int pass = 0; pass < 2; pass++) { /* first[k + 1] is where the next edge of node k goes */
        for (uint64_t i = 0; i < count; i++) {
            mass_edge_record s;
            memcpy(&s, records + i * bytes, sizeof s);
            const uint64_t other = s.number / nodes * nodes + s.source;
            if (pass) list[e->first[s.number + 1]] = (coming){s.id, i, s.source};
            e->first[s.number + (pass ? 1 : 2)]++;
            if (n->directed || other == s.number) continue;
            if (pass) list[e->first[other + 1]] = (coming){s.id, i, (uint32_t)(s.number % nodes)};
            e->first[other + (pass ? 1 : 2)]++;
        }
        for (size_t k = 2; !pass && k < numbers + 2; k++) e->first[k] += e->first[k - 1];
    }
    e->count = e->first[numbers];
    for (size_t k = 0; k < numbers; k++) sort_coming(list + e->first[k], e->first[k + 1] - e->first[k]);
    for (uint64_t i = 0; i < e->count; i++) e->source[i] = list[i].source, e->id[i] = list[i].id;
    return MASS_OK;
}

/* Adds `count` to e->edges, and raises e->next_id of each world above the ids of the records. bytes: of a record. */
static mass_status note_ids(const mass_domain *d, uint64_t nodes, const char *records, size_t bytes, uint64_t count,
                            mass_changing_edges *e, mass_error *error)
{
    if (!e->next_id) e->next_id = calloc((size_t)d->worlds + 1, sizeof *e->next_id);
    if (!e->next_id) return mass_error_memory(error, (size_t)d->worlds * sizeof *e->next_id, "edges");
    for (uint64_t i = 0; i < count; i++) {
        mass_edge_record s;
        memcpy(&s, records + i * bytes, sizeof s);
        uint64_t *const next = &e->next_id[s.number / nodes];
        if (s.id >= *next) *next = s.id + 1;
    }
    e->edges += count;
    return MASS_OK;
}

/* ---- all edges ---- */

/* Copies the values of each attribute to the device, in the order of `list`: the edges by the node that they come
 * into. The default is behind them. */
static mass_status bring_values(mass_domain *d, uint32_t network, const char *records, const coming *list,
                                mass_changing_edges *e, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const size_t bytes = mass_edge_record_bytes(d, network);
    size_t at = sizeof(mass_edge_record);
    mass_status status = MASS_OK;
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        const mass_edge_attribute_def *const def = &all->attributes[a];
        if (def->network != network) continue;
        char *const values = malloc((e->count + 1) * def->size);
        if (!values) return mass_error_memory(error, e->count * def->size, "attributes of edges");
        for (uint64_t i = 0; i < e->count; i++)
            memcpy(values + i * def->size, records + list[i].edge * bytes + at, def->size);
        memcpy(values + e->count * def->size, def->values + all->list[network].ends.count * def->size, def->size);
        status = mass_buffer_copy_of(d->device, values, (e->count + 1) * def->size, &e->there.values[a], error);
        at += def->size;
        free(values);
    }
    return status;
}

/* Makes all arrays of *e from the records of the edges of all ranks. The marks stay. Sets e->current. */
static mass_status build(mass_domain *d, uint32_t network, const char *records, uint64_t count, mass_changing_edges *e,
                         mass_error *error)
{
    static const uint8_t none = 0;
    const mass_network_def *const n = &d->model->networks->list[network];
    const size_t numbers = (size_t)n->ends.nodes * (size_t)d->worlds, bytes = mass_edge_record_bytes(d, network);
    coming *list = NULL;
    mass_ended_edge *marked = NULL; /* before RELINKS: the new arrays have the same marks */
    uint64_t marked_count = 0;
    mass_status status = mass_relink_marks_list(d, e, n->ends.nodes, NULL, &marked, &marked_count, error);
    mass_changing_edges_clear(e);
    if (status == MASS_OK) status = list_coming(n, records, bytes, count, numbers, e, &list, error);
    if (status == MASS_OK)
        status = mass_buffer_show(d->device, e->first, (numbers + 1) * sizeof *e->first, &e->there.first, error);
    if (status == MASS_OK)
        status = mass_buffer_show(d->device, e->source, (size_t)e->count * sizeof *e->source, &e->there.source, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, e->count + 1, &e->there.cut, error);
    if (status == MASS_OK) status = mass_buffer_fill(e->there.cut, &none, 1, e->count + 1, error);
    if (status == MASS_OK) status = bring_values(d, network, records, list, e, error);
    if (status == MASS_OK) status = note_ids(d, (uint64_t)n->ends.nodes, records, bytes, count, e, error);
    if (status == MASS_OK) {
        mass_relink_sort_ends(marked, marked_count);
        status = mass_relink_marks_set(d, e, n->ends.nodes, marked, marked_count, error);
    }
    free(marked);
    free(list);
    e->current = status == MASS_OK;
    return status;
}

/* ---- changes ---- */

/* Makes an array of the device by a merge of its old one, `old`, with the values of the new edges, `fresh`. If that
 * is NULL, they are 0. Element `last` comes behind them. count: the elements without it. The caller frees *out. */
static mass_status merge_there(mass_domain *d, const mass_edge_merge *m, mass_buffer old, uint64_t old_count,
                               const char *fresh, size_t size, uint64_t count, const void *last, mass_buffer *out,
                               mass_error *error)
{
    void *copy = NULL;
    mass_status status = MASS_OK;
    const bool here = d->device->table->memory->in_host_memory;
    const void *const before = mass_buffer_view(d->device, old, old_count * size, &copy, &status, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, (count + 1) * size, out, error);
    char *const values = status != MASS_OK ? NULL : here ? out->address : malloc((count + 1) * size);
    if (status == MASS_OK && !values) status = mass_error_memory(error, count * size, "edges");
    if (status == MASS_OK) {
        mass_edges_copy(m, before, fresh, size, values);
        memcpy(values + count * size, last, size);
        if (!here) status = mass_buffer_upload(*out, values, (count + 1) * size, error);
    }
    if (!here) free(values);
    free(copy);
    return status;
}

/* Merges the values of the attributes of edges. list: the new edges by the node that they come into. */
static mass_status merge_values(mass_domain *d, uint32_t network, const mass_edge_merge *m, const char *records,
                                const coming *list, const mass_changing_edges *old, uint64_t fresh_count,
                                mass_changing_edges *e, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const size_t bytes = mass_edge_record_bytes(d, network);
    size_t at = sizeof(mass_edge_record);
    mass_status status = MASS_OK;
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        const mass_edge_attribute_def *const def = &all->attributes[a];
        if (def->network != network) continue;
        char *const fresh = malloc(fresh_count * def->size + 1);
        if (!fresh) return mass_error_memory(error, fresh_count * def->size, "attributes of edges");
        for (uint64_t i = 0; i < fresh_count; i++)
            memcpy(fresh + i * def->size, records + list[i].edge * bytes + at, def->size);
        status = merge_there(d, m, old->there.values[a], old->count, fresh, def->size, e->count,
                             def->values + all->list[network].ends.count * def->size, &e->there.values[a], error);
        at += def->size;
        free(fresh);
    }
    return status;
}

/* Returns how many edges end; one that the list, which is sorted, has twice counts once. */
static uint64_t count_ended(const mass_changing_edges *e)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < e->ended_count; i++)
        count += i == 0 || e->ended[i].id != e->ended[i - 1].id || e->ended[i].world != e->ended[i - 1].world;
    return count;
}

/* Updates the arrays of *e by a merge: without the edges that have ended, and with the records of the new edges of all
 * ranks. */
static mass_status follow(mass_domain *d, uint32_t network, const char *records, uint64_t count,
                          mass_changing_edges *e, mass_error *error)
{
    static const uint8_t none = 0;
    const mass_network_def *const n = &d->model->networks->list[network];
    const size_t nodes = (size_t)n->ends.nodes, numbers = nodes * (size_t)d->worlds;
    const size_t bytes = mass_edge_record_bytes(d, network);
    mass_changing_edges old = *e, fresh = {0};
    mass_ended_set ended = {0};
    mass_edge_merge m = {0};
    coming *list = NULL;
    *e = (mass_changing_edges){.edges = old.edges - count_ended(&old), .next_id = old.next_id};
    old.next_id = NULL;
    mass_status status = mass_ended_set_make(old.ended, old.ended_count, &ended, error);
    if (status == MASS_OK) status = list_coming(n, records, bytes, count, numbers, &fresh, &list, error);
    if (status == MASS_OK) status = mass_edges_merge(&old, &fresh, &ended, nodes, numbers, &m, error);
    e->first = m.first;
    e->count = status == MASS_OK ? m.first[numbers] : 0;
    e->source = malloc((e->count + 1) * sizeof *e->source);
    e->id = malloc((e->count + 1) * sizeof *e->id);
    if (status == MASS_OK && (!e->source || !e->id)) status = mass_error_memory(error, e->count * 12, "edges");
    if (status == MASS_OK) {
        mass_edges_copy(&m, old.source, fresh.source, sizeof *e->source, e->source);
        mass_edges_copy(&m, old.id, fresh.id, sizeof *e->id, e->id);
        status = mass_buffer_show(d->device, e->first, (numbers + 1) * sizeof *e->first, &e->there.first, error);
    }
    if (status == MASS_OK)
        status = mass_buffer_show(d->device, e->source, (size_t)e->count * sizeof *e->source, &e->there.source, error);
    if (status == MASS_OK)
        status = merge_there(d, &m, old.there.cut, old.count, NULL, 1, e->count, &none, &e->there.cut, error);
    if (status == MASS_OK) status = merge_values(d, network, &m, records, list, &old, fresh.count, e, error);
    if (status == MASS_OK) status = note_ids(d, nodes, records, bytes, count, e, error);
    mass_ended_set_free(&ended);
    mass_changing_edges_clear(&old);
    mass_changing_edges_clear(&fresh);
    free(m.runs);
    free(list);
    e->current = status == MASS_OK;
    return status;
}

/* ---- which way ---- */

/* Returns whether bodies of a phase may set values of edges as agents. */
static bool sets_agents(const mass_phase_def *p, uint32_t population)
{
    for (uint32_t i = 0; p->callback && i < p->callback->field_count; i++)
        if (mass_phase_class(p, i) == MASS_CLASS_AGENTS &&
            mass_access_of(p->targets[i].access)->effect != MASS_EFFECT_READS &&
            p->populations[p->callback->fields[i].population] == population)
            return true;
    return false;
}

bool mass_relink_is_changed_by_agents(const mass_model *m, uint32_t population)
{
    bool changed = false;
    for (uint32_t i = 0; i < m->phase_count; i++) /* reductions only read */
        changed |= m->phases[i].callback && m->phases[i].schedule != MASS_OBSERVE &&
                   (m->phases[i].population == (int32_t)population || sets_agents(&m->phases[i], population) ||
                    mass_phase_asks(&m->phases[i], population));
    return changed;
}

/* Makes the records of this rank's edges: of the new ones, if e->follows says that the arrays can be updated by them,
 * else of all. Sets e->follows to false if they cannot. All ranks do the same. */
static mass_status collect_changes(mass_domain *d, uint32_t population, uint32_t network, mass_changing_edges *e,
                                   char **records, uint64_t *count, mass_error *error)
{
    const bool split = mass_share_is_split(&d->share);
    uint64_t agents = 0;
    mass_status status = mass_population_count_own(d, population, &agents, error);
    if (e->follows && status == MASS_OK)
        status = mass_edge_records_make_new(d, population, network, e, agents, records, count, error);
    int64_t more = (int64_t)(agents - *count);
    if (split) status = mass_rpc_agree(d->share.comm, status, error);
    if (split && status == MASS_OK)
        status = d->share.comm->table->all_reduce(d->share.comm, MASS_REDUCE_SUM, &more, 1, error);
    e->follows = e->follows && status == MASS_OK && (uint64_t)more == e->edges - count_ended(e);
    if (e->follows || status != MASS_OK) return status;
    free(*records);
    return mass_edge_records_make(d, population, network, records, count, error);
}

mass_status mass_relink_refresh(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    const uint32_t network = (uint32_t)(mass_model_network_of_edges(d->model, population) - d->model->networks->list);
    if (mass_relink_is_there(d, population)) return mass_relink_refresh_there(d, population, error);
    const bool changed = mass_relink_is_changed_by_agents(d->model, population);
    if (e->current && !changed) return MASS_OK;
    char *records = NULL, *all = NULL;
    uint64_t count = 0, bytes = 0;
    const size_t each = mass_edge_record_bytes(d, network);
    e->follows = e->follows && !changed;
    mass_status status = collect_changes(d, population, network, e, &records, &count, error);
    const bool split = mass_share_is_split(&d->share);
    if (split) status = mass_all_gather_bytes(d->share.comm, records, count * each, &all, &bytes, status, error);
    if (status == MASS_OK)
        status = (e->follows ? follow : build)(d, network, split ? all : records, split ? bytes / each : count, e,
                                               error);
    if (split) status = mass_rpc_abandon(d->share.comm, status, error);
    free(records);
    free(all);
    return status;
}
