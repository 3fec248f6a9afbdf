/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink.h"
#include "population/population.h"
#include "population/relink_merge.h"
#include "population/relink_requests.h"
#include "ranks/rpc.h"
#include "state/changing_edges.h"
#include "state/tally.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Returns the network whose edges are a population. */
static const mass_network_def *network_of(const mass_domain *d, uint32_t population)
{
    return mass_model_network_of(d->model, d->model->populations[population].space);
}

/* Returns the edges of that network, as the domain has them. */
static mass_changing_edges *edges_of(const mass_domain *d, uint32_t population)
{
    return mass_domain_changing_edges(d, (uint32_t)(network_of(d, population) - d->model->networks->list));
}

/* ---- the first edges ---- */

/* An edge of the model, where it comes in. */
typedef struct first_edge {
    uint64_t id, end; /* the number among all ends */
    uint32_t cell, source;
} first_edge;

/* Orders edges by cell, then id (for qsort). */
static int by_cell_and_id(const void *first, const void *second)
{
    const first_edge *a = first, *b = second;
    if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Lists the edges that are agents on this rank's nodes in one world. An edge that comes into two nodes is on the larger
 * one. Returns their number. out NULL: only counts. */
static uint64_t list_first(const mass_network_def *n, int64_t from, int64_t nodes, uint32_t world, first_edge *out)
{
    uint64_t count = 0;
    for (int64_t i = 0; i < nodes; i++)
        for (uint64_t e = n->ends.first[from + i]; e < n->ends.first[from + i + 1]; e++) {
            if (!n->directed && n->ends.source[e] > from + i) continue;
            if (out)
                out[count] = (first_edge){n->ends.edge[e], e, (uint32_t)(world * nodes + i), n->ends.source[e]};
            count++;
        }
    return count;
}

/* Makes the first edges the agents of the population, with their ids, cells and the values of each attribute. */
static mass_status fill_first(mass_domain *d, uint32_t population, const first_edge *list, uint64_t count,
                              mass_error *error)
{
    const mass_network_def *const n = network_of(d, population);
    const struct mass_networks *const all = d->model->networks;
    const uint32_t network = (uint32_t)(n - all->list);
    uint64_t *id = malloc((count + 1) * sizeof *id);
    uint32_t *cell = malloc((count + 1) * sizeof *cell), *source = malloc((count + 1) * sizeof *source);
    void **values = calloc(d->model->attribute_count + (size_t)1, sizeof *values);
    bool room = id && cell && source && values;
    for (uint64_t i = 0; room && i < count; i++)
        id[i] = list[i].id, cell[i] = list[i].cell, source[i] = list[i].source;
    if (room) values[d->model->populations[population].first_attribute + MASS_AGENT_ID] = id;
    if (room) values[n->source] = source;
    for (uint32_t a = 0; room && a < all->attribute_count; a++) {
        const mass_edge_attribute_def *const def = &all->attributes[a];
        if (def->network != network) continue;
        uint8_t *const column = malloc((count + 1) * def->size);
        values[def->attribute] = column;
        room = column != NULL;
        for (uint64_t i = 0; room && i < count; i++)
            memcpy(column + i * def->size, def->values + list[i].end * def->size, def->size);
    }
    const mass_status status = room ? mass_population_set(d, population, (uint32_t)count, id, cell, values, error)
                                    : mass_error_memory(error, count * 32, "a network");
    for (uint32_t a = 0; values && a < all->attribute_count; a++)
        if (all->attributes[a].network == network) free(values[all->attributes[a].attribute]);
    free(id);
    free(cell);
    free(source);
    free(values);
    return status;
}

mass_status mass_relink_populate(mass_domain *d, uint32_t population, mass_error *error)
{
    const mass_network_def *const n = network_of(d, population);
    const int64_t from = mass_population_first_place(d, population), nodes = d->populations[population].places;
    const uint64_t each = list_first(n, from, nodes, 0, NULL), count = each * (uint64_t)d->worlds;
    if (count >= UINT32_MAX - 1)
        return mass_error_set(error, MASS_BAD_USAGE, "network '%s': its edges change, and there may be 2^32 - 3 of "
                              "them over all worlds", d->model->spaces[n->space].name);
    first_edge *const list = malloc((count + 1) * sizeof *list);
    int64_t *const next = malloc(((size_t)d->worlds + 1) * sizeof *next);
    mass_status status = list && next ? MASS_OK : mass_error_memory(error, count * sizeof *list, "a network");
    for (int32_t w = 0; status == MASS_OK && w < d->worlds; w++) {
        list_first(n, from, nodes, (uint32_t)w, list + (size_t)w * each);
        next[w] = (int64_t)each; /* each rank has a share of the next ids */
    }
    if (status == MASS_OK) qsort(list, count, sizeof *list, by_cell_and_id);
    if (status == MASS_OK) status = fill_first(d, population, list, count, error);
    if (status == MASS_OK)
        status = mass_buffer_upload(mass_domain_tally(d, d->model->populations[population].next_id), next,
                                    (size_t)d->worlds * sizeof *next, error);
    free(list);
    free(next);
    return status;
}

/* ---- the arrays that bodies follow ---- */

/* An edge as ranks send it. The values of its attributes follow. */
typedef struct sent_edge {
    uint64_t id;
    uint32_t number, source; /* number: of the node that it is on (mass_changing_edges) */
} sent_edge;

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

/* Returns memory of the device as the host can read it: itself, or a copy, which the caller frees as *copy. Copies
 * nothing if *status is a failure already. */
static const void *see(const mass_domain *d, mass_buffer from, size_t bytes, void **copy, mass_status *status,
                       mass_error *error)
{
    *copy = NULL;
    if (*status != MASS_OK || d->device->table->memory->in_host_memory) return from.address;
    *copy = malloc(bytes + 1);
    *status = !*copy ? mass_error_memory(error, bytes, "edges")
              : bytes ? mass_buffer_download(from, *copy, bytes, error) : MASS_OK;
    return *copy;
}

/* Reads an attribute of this rank's edges. The caller frees *out. */
static mass_status read_column(mass_domain *d, uint32_t attribute, uint64_t count, void **out, mass_error *error)
{
    const size_t size = mass_element_size(&d->model->attributes[attribute]);
    *out = malloc((count + 1) * size);
    return *out ? mass_population_read_own(d, attribute, *out, error) : mass_error_memory(error, count * size, "edges");
}

/* Returns the bytes of an edge as ranks send it. */
static size_t bytes_of_sent(const mass_domain *d, uint32_t network)
{
    size_t bytes = sizeof(sent_edge);
    for (uint32_t a = 0; a < d->model->networks->attribute_count; a++)
        if (d->model->networks->attributes[a].network == network) bytes += d->model->networks->attributes[a].size;
    return bytes;
}

/* Copies a column of all edges into the records that ranks send. */
static void put_column(char *records, size_t bytes, uint64_t count, const void *column, size_t size)
{
    for (uint64_t i = 0; i < count; i++) memcpy(records + i * bytes, (const char *)column + i * size, size);
}

/* Makes the records of this rank's edges. The caller frees *out. */
static mass_status collect(mass_domain *d, uint32_t population, uint32_t network, char **out, uint64_t *count,
                           mass_error *error)
{
    const mass_population_def *const p = &d->model->populations[population];
    const struct mass_networks *const all = d->model->networks;
    const int64_t nodes = all->list[network].ends.nodes;
    const size_t bytes = bytes_of_sent(d, network);
    void *id = NULL, *world = NULL, *place = NULL, *source = NULL;
    mass_status status = mass_population_count_own(d, population, count, error);
    *out = status == MASS_OK ? malloc(*count * bytes + 1) : NULL;
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *count * bytes, "edges");
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_ID, *count, &id, error);
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_WORLD, *count, &world, error);
    if (status == MASS_OK) status = read_column(d, p->first_attribute + MASS_AGENT_PLACE, *count, &place, error);
    if (status == MASS_OK) status = read_column(d, all->list[network].source, *count, &source, error);
    for (uint64_t i = 0; status == MASS_OK && i < *count; i++) {
        const int64_t w = ((const int32_t *)world)[i] - d->share.first_world;
        const sent_edge e = {((const uint64_t *)id)[i], (uint32_t)(w * nodes + ((const int64_t *)place)[i]),
                             ((const uint32_t *)source)[i]};
        memcpy(*out + i * bytes, &e, sizeof e);
    }
    size_t at = sizeof(sent_edge);
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        void *column = NULL;
        if (all->attributes[a].network != network) continue;
        status = read_column(d, all->attributes[a].attribute, *count, &column, error);
        if (status == MASS_OK) put_column(*out + at, bytes, *count, column, all->attributes[a].size);
        at += all->attributes[a].size;
        free(column);
    }
    free(id);
    free(world);
    free(place);
    free(source);
    return status;
}

/* Copies an array of the host to new memory of the device. */
static mass_status bring(mass_domain *d, const void *from, size_t bytes, mass_buffer *out, mass_error *error)
{
    const mass_status status = mass_buffer_allocate(d->device, bytes + 1, out, error);
    return status == MASS_OK && bytes ? mass_buffer_upload(*out, from, bytes, error) : status;
}

/* Sets *out to an array of the host, as the device can read it: the array itself, or a copy on the device. */
static mass_status show(mass_domain *d, const void *from, size_t bytes, mass_buffer *out, mass_error *error)
{
    if (!d->device->table->memory->in_host_memory) return bring(d, from, bytes, out, error);
    *out = (mass_buffer){.address = (void *)(uintptr_t)from, .bytes = bytes};
    return MASS_OK;
}

/* Copies the values of each attribute to the device, in the order of `list`: the edges by the node that they come
 * into. The default is behind them. */
static mass_status bring_values(mass_domain *d, uint32_t network, const char *records, const coming *list,
                                mass_changing_edges *e, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const size_t bytes = bytes_of_sent(d, network);
    size_t at = sizeof(sent_edge);
    mass_status status = MASS_OK;
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        const mass_edge_attribute_def *const def = &all->attributes[a];
        if (def->network != network) continue;
        char *const values = malloc((e->count + 1) * def->size);
        if (!values) return mass_error_memory(error, e->count * def->size, "attributes of edges");
        for (uint64_t i = 0; i < e->count; i++)
            memcpy(values + i * def->size, records + list[i].edge * bytes + at, def->size);
        memcpy(values + e->count * def->size, def->values + all->list[network].ends.count * def->size, def->size);
        status = bring(d, values, (e->count + 1) * def->size, &e->values[a], error);
        at += def->size;
        free(values);
    }
    return status;
}

/* Lists the edges of the records by the node that they come into: counts them, puts each in its node's range, and sorts
 * each range. */
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
        sent_edge s;
        memcpy(&s, records + i * bytes, sizeof s);
        if (s.source >= nodes)
            return mass_error_set(error, MASS_BAD_INPUT, "edge %" PRIu64 " of a network comes from node %" PRIu32
                                  ", and it has nodes 0 to %" PRIu64, s.id, s.source, nodes - 1);
    }
    for (int pass = 0; pass < 2; pass++) { /* first[k + 1] is where the next edge of node k goes */
        for (uint64_t i = 0; i < count; i++) {
            sent_edge s;
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

/* Lists the edges that this rank's nodes marked, in the worlds that are not closed ([worlds]; NULL: all). A mark stays
 * in the arrays until it is applied or dropped. The caller frees *out. */
static mass_status list_marked(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                               const uint32_t *closed, mass_ended_edge **out, uint64_t *count, mass_error *error)
{
    const size_t numbers = e->count ? (size_t)nodes * (size_t)d->worlds : 0;
    void *copy = NULL;
    mass_status status = MASS_OK;
    const uint8_t *const cut = see(d, e->cut, e->count, &copy, &status, error);
    *count = 0;
    for (uint64_t i = 0; status == MASS_OK && i < e->count; i++) *count += cut[i];
    *out = malloc((*count + 1) * sizeof **out);
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *count * sizeof **out, "requests for edges");
    *count = 0;
    for (size_t k = 0; status == MASS_OK && k < numbers; k++) {
        if (closed && closed[k / (size_t)nodes]) continue;
        for (uint64_t i = e->first[k]; i < e->first[k + 1]; i++)
            if (cut[i]) (*out)[(*count)++] = (mass_ended_edge){e->id[i], (int64_t)k / nodes};
    }
    free(copy);
    return status;
}

/* Clears the marks in the worlds that are not closed, where all of them are applied. */
static mass_status clear_marks(const mass_domain *d, const mass_changing_edges *e, int64_t nodes,
                               const uint32_t *closed, mass_error *error)
{
    static const uint8_t none = 0;
    mass_status status = MASS_OK;
    for (int64_t w = 0; status == MASS_OK && e->count && w < d->worlds; w++) {
        const uint64_t first = e->first[w * nodes], count = e->first[(w + 1) * nodes] - first;
        if (count && !(closed && closed[w]))
            status = mass_buffer_fill(mass_buffer_from(e->cut, first), &none, 1, count, error);
    }
    return status;
}

/* Sets the marks of edges, which are sorted. The other marks stay. */
static mass_status mark(mass_domain *d, mass_changing_edges *e, int64_t nodes, const mass_ended_edge *edges,
                        uint64_t count, mass_error *error)
{
    const size_t numbers = (size_t)nodes * (size_t)d->worlds;
    if (!count || !e->count) return MASS_OK;
    uint8_t *const cut = malloc(e->count);
    if (!cut) return mass_error_memory(error, e->count, "requests for edges");
    mass_status status = mass_buffer_download(e->cut, cut, e->count, error);
    for (size_t k = 0; status == MASS_OK && k < numbers; k++)
        for (uint64_t i = e->first[k]; i < e->first[k + 1]; i++)
            if (mass_relink_ends(edges, count, &(mass_ended_edge){e->id[i], (int64_t)k / nodes})) cut[i] = 1;
    if (status == MASS_OK) status = mass_buffer_upload(e->cut, cut, e->count, error);
    free(cut);
    return status;
}

/* Notes how many edges there are, and which ids the next ones may have. */
static mass_status note_ids(const mass_domain *d, uint64_t nodes, const char *records, size_t bytes, uint64_t count,
                            mass_changing_edges *e, mass_error *error)
{
    if (!e->next_id) e->next_id = calloc((size_t)d->worlds + 1, sizeof *e->next_id);
    if (!e->next_id) return mass_error_memory(error, (size_t)d->worlds * sizeof *e->next_id, "edges");
    for (uint64_t i = 0; i < count; i++) {
        sent_edge s;
        memcpy(&s, records + i * bytes, sizeof s);
        uint64_t *const next = &e->next_id[s.number / nodes];
        if (s.id >= *next) *next = s.id + 1;
    }
    e->edges += count;
    return MASS_OK;
}

/* Makes all arrays of *e from the records of the edges of all ranks. The marks stay. */
static mass_status build(mass_domain *d, uint32_t network, const char *records, uint64_t count, mass_changing_edges *e,
                         mass_error *error)
{
    static const uint8_t none = 0;
    const mass_network_def *const n = &d->model->networks->list[network];
    const size_t numbers = (size_t)n->ends.nodes * (size_t)d->worlds;
    coming *list = NULL;
    mass_ended_edge *marked = NULL; /* before RELINKS: the new arrays have the same marks */
    uint64_t marked_count = 0;
    mass_status status = list_marked(d, e, n->ends.nodes, NULL, &marked, &marked_count, error);
    mass_changing_edges_clear(e);
    if (status == MASS_OK) status = list_coming(n, records, bytes_of_sent(d, network), count, numbers, e, &list, error);
    if (status == MASS_OK)
        status = show(d, e->first, (numbers + 1) * sizeof *e->first, &e->first_there, error);
    if (status == MASS_OK)
        status = show(d, e->source, (size_t)e->count * sizeof *e->source, &e->source_there, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, e->count + 1, &e->cut, error);
    if (status == MASS_OK) status = mass_buffer_fill(e->cut, &none, 1, e->count + 1, error);
    if (status == MASS_OK) status = bring_values(d, network, records, list, e, error);
    if (status == MASS_OK)
        status = note_ids(d, (uint64_t)n->ends.nodes, records, bytes_of_sent(d, network), count, e, error);
    if (status == MASS_OK) {
        mass_relink_sort_ends(marked, marked_count);
        status = mark(d, e, n->ends.nodes, marked, marked_count, error);
    }
    free(marked);
    free(list);
    e->current = status == MASS_OK;
    return status;
}

/* ---- changes of the arrays ---- */

/* Lists the agents of this rank that are new edges, as their ids tell. The caller frees *out, NULL before. */
static mass_status find_new(mass_domain *d, uint32_t population, const mass_changing_edges *e, uint64_t count,
                            uint32_t **out, uint64_t *found, mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    void *ids = NULL, *cells = NULL;
    mass_status status = MASS_OK;
    const uint64_t *const id = see(d, s->arrays[0].buffer[s->current], count * sizeof *id, &ids, &status, error);
    const uint32_t *const cell = see(d, s->cell[s->current], count * sizeof *cell, &cells, &status, error);
    uint64_t least = UINT64_MAX, room = 0;
    for (int32_t w = 0; w < d->worlds; w++) least = e->next_id[w] < least ? e->next_id[w] : least;
    *found = 0;
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) {
        if (id[i] < least || id[i] < e->next_id[cell[i] / s->places]) continue;
        if (*found == room) {
            room = 2 * room + 256;
            uint32_t *const larger = realloc(*out, room * sizeof *larger);
            if (!larger) status = mass_error_memory(error, room * sizeof *larger, "edges");
            else *out = larger;
        }
        if (status == MASS_OK) (*out)[(*found)++] = (uint32_t)i;
    }
    free(ids);
    free(cells);
    return status;
}

/* Copies the values of listed agents into records, `at` bytes from their beginning. */
static mass_status gather_column(mass_domain *d, mass_buffer column, uint64_t count, size_t size, const uint32_t *list,
                                 uint64_t found, char *records, size_t bytes, size_t at, mass_error *error)
{
    void *copy = NULL;
    mass_status status = MASS_OK;
    const char *const values = see(d, column, count * size, &copy, &status, error);
    for (uint64_t i = 0; status == MASS_OK && i < found; i++)
        memcpy(records + i * bytes + at, values + list[i] * size, size);
    free(copy);
    return status;
}

/* Returns the array of an attribute, with the present values. */
static mass_buffer column_of(const mass_domain *d, uint32_t population, uint32_t attribute)
{
    return mass_population_array(d, population, d->model->attributes[attribute].first_array);
}

/* Makes the records of this rank's new edges. The caller frees *out. */
static mass_status collect_new(mass_domain *d, uint32_t population, uint32_t network, const mass_changing_edges *e,
                               uint64_t count, char **out, uint64_t *found, mass_error *error)
{
    const struct mass_networks *const all = d->model->networks;
    const mass_population_state *const s = &d->populations[population];
    const uint64_t nodes = (uint64_t)all->list[network].ends.nodes, places = (uint64_t)s->places;
    const uint64_t from = (uint64_t)mass_population_first_place(d, population);
    const size_t bytes = bytes_of_sent(d, network);
    uint32_t *list = NULL;
    *found = 0;
    mass_status status = find_new(d, population, e, count, &list, found, error);
    *out = status == MASS_OK ? malloc(*found * bytes + 1) : NULL;
    if (status == MASS_OK && !*out) status = mass_error_memory(error, *found * bytes, "edges");
    if (status == MASS_OK && *found) {
        status = gather_column(d, s->arrays[0].buffer[s->current], count, sizeof(uint64_t), list, *found, *out, bytes,
                               offsetof(sent_edge, id), error);
        if (status == MASS_OK)
            status = gather_column(d, s->cell[s->current], count, sizeof(uint32_t), list, *found, *out, bytes,
                                   offsetof(sent_edge, number), error);
        if (status == MASS_OK)
            status = gather_column(d, column_of(d, population, all->list[network].source), count, sizeof(uint32_t),
                                   list, *found, *out, bytes, offsetof(sent_edge, source), error);
    }
    for (uint64_t i = 0; status == MASS_OK && i < *found; i++) { /* a cell is of this rank's places */
        uint32_t *const number = (uint32_t *)(void *)(*out + i * bytes + offsetof(sent_edge, number));
        uint32_t cell;
        memcpy(&cell, number, sizeof cell);
        cell = (uint32_t)(cell / places * nodes + from + cell % places);
        memcpy(number, &cell, sizeof cell);
    }
    size_t at = sizeof(sent_edge);
    for (uint32_t a = 0; status == MASS_OK && *found && a < all->attribute_count; a++) {
        if (all->attributes[a].network != network) continue;
        status = gather_column(d, column_of(d, population, all->attributes[a].attribute), count,
                               all->attributes[a].size, list, *found, *out, bytes, at, error);
        at += all->attributes[a].size;
    }
    free(list);
    return status;
}

/* Makes an array of the device by a merge of its old one, `old`, with the values of the new edges, `fresh`; `last`
 * comes behind them. */
static mass_status merge_there(mass_domain *d, const mass_edge_merge *m, mass_buffer old, uint64_t old_count,
                               const char *fresh, size_t size, uint64_t count, const void *last, mass_buffer *out,
                               mass_error *error)
{
    void *copy = NULL;
    mass_status status = MASS_OK;
    const bool here = d->device->table->memory->in_host_memory;
    const void *const before = see(d, old, old_count * size, &copy, &status, error);
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
    const size_t bytes = bytes_of_sent(d, network);
    size_t at = sizeof(sent_edge);
    mass_status status = MASS_OK;
    for (uint32_t a = 0; status == MASS_OK && a < all->attribute_count; a++) {
        const mass_edge_attribute_def *const def = &all->attributes[a];
        if (def->network != network) continue;
        char *const fresh = malloc(fresh_count * def->size + 1);
        if (!fresh) return mass_error_memory(error, fresh_count * def->size, "attributes of edges");
        for (uint64_t i = 0; i < fresh_count; i++)
            memcpy(fresh + i * def->size, records + list[i].edge * bytes + at, def->size);
        status = merge_there(d, m, old->values[a], old->count, fresh, def->size, e->count,
                             def->values + all->list[network].ends.count * def->size, &e->values[a], error);
        at += def->size;
        free(fresh);
    }
    return status;
}

/* Returns how many edges end. */
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
    const size_t nodes = (size_t)n->ends.nodes, numbers = nodes * (size_t)d->worlds, bytes = bytes_of_sent(d, network);
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
        status = show(d, e->first, (numbers + 1) * sizeof *e->first, &e->first_there, error);
    }
    if (status == MASS_OK)
        status = show(d, e->source, (size_t)e->count * sizeof *e->source, &e->source_there, error);
    if (status == MASS_OK) status = merge_there(d, &m, old.cut, old.count, NULL, 1, e->count, &none, &e->cut, error);
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

/* Returns whether callbacks of the model itself change edges as agents. */
static bool is_changed_by_agents(const mass_model *m, uint32_t population)
{
    bool changed = false;
    for (uint32_t i = 0; i < m->phase_count; i++)
        changed |= m->phases[i].callback &&
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
        status = collect_new(d, population, network, e, agents, records, count, error);
    int64_t more = (int64_t)(agents - *count);
    if (split) status = mass_rpc_agree(d->share.comm, status, error);
    if (split && status == MASS_OK)
        status = d->share.comm->table->all_reduce(d->share.comm, MASS_REDUCE_SUM, &more, 1, error);
    e->follows = e->follows && status == MASS_OK && (uint64_t)more == e->edges - count_ended(e);
    if (e->follows || status != MASS_OK) return status;
    free(*records);
    return collect(d, population, network, records, count, error);
}

mass_status mass_relink_refresh(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_changing_edges *const e = edges_of(d, population);
    const uint32_t network = (uint32_t)(network_of(d, population) - d->model->networks->list);
    const bool changed = is_changed_by_agents(d->model, population);
    if (e->current && !changed) return MASS_OK;
    char *records = NULL, *all = NULL;
    uint64_t count = 0, bytes = 0;
    const size_t each = bytes_of_sent(d, network);
    e->follows = e->follows && !changed;
    mass_status status = collect_changes(d, population, network, e, &records, &count, error);
    const bool split = mass_share_is_split(&d->share);
    if (split) status = mass_relink_share(d->share.comm, records, count * each, &all, &bytes, status, error);
    if (status == MASS_OK)
        status = (e->follows ? follow : build)(d, network, split ? all : records, split ? bytes / each : count, e,
                                               error);
    if (split) status = mass_rpc_abandon(d->share.comm, status, error);
    free(records);
    free(all);
    return status;
}

/* ---- requests ---- */

mass_status mass_relink_discard(mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint8_t none = 0;
    mass_changing_edges *const e = edges_of(d, population);
    return e->count ? mass_buffer_fill(e->cut, &none, 1, e->count, error) : MASS_OK;
}

/* Requests the deaths of the agents of edges that end. */
static mass_status ask_to_die(mass_domain *d, uint32_t population, const mass_ended_edge *ended, uint64_t ended_count,
                              mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    const bool here = d->device->table->memory->in_host_memory;
    uint64_t count = 0;
    void *ids = NULL, *cells = NULL, *copy = NULL;
    mass_ended_set set = {0};
    mass_status status = mass_population_count_own(d, population, &count, error);
    if (status == MASS_OK) status = mass_ended_set_make(ended, ended_count, &set, error);
    const uint64_t *const id = see(d, s->arrays[0].buffer[s->current], count * sizeof *id, &ids, &status, error);
    const uint32_t *const cell = see(d, s->cell[s->current], count * sizeof *cell, &cells, &status, error);
    const uint32_t *const before = see(d, s->asked, count * sizeof *before, &copy, &status, error);
    uint32_t *const asked = here ? s->asked.address : copy;
    for (uint64_t i = 0; status == MASS_OK && i < count; i++)
        if (mass_ended_set_has(&set, id[i], d->worlds > 1 ? (int64_t)(cell[i] / s->places) : 0))
            asked[i] = before[i] | MASS_ASKED_KILL;
    if (status == MASS_OK && count && !here) status = mass_buffer_upload(s->asked, asked, count * sizeof *asked, error);
    mass_ended_set_free(&set);
    free(ids);
    free(cells);
    free(copy);
    return status;
}

/* The requests for new edges of this rank's nodes, as sprouts. */
typedef struct wishes {
    uint32_t *asked;  /* [cells] */
    uint32_t *source; /* [most][cells] */
    size_t cells, places;
    const uint32_t *closed;  /* [worlds] worlds whose requests wait; NULL: none */
    mass_edge_request *list; /* [count] in the order of cells and k */
    uint64_t count;
} wishes;

/* Returns how many requests of a cell are decided. */
static uint32_t asked_on(const wishes *w, size_t cell)
{
    return w->closed && w->closed[cell / w->places] ? 0 : w->asked[cell] & 0xffffu;
}

/* Returns the memory in which bodies put the sources of requested edges: [most][cells]. */
static mass_buffer sources_of(const mass_domain *d, uint32_t population)
{
    const mass_population_def *const p = &d->model->populations[population];
    const uint32_t array = d->model->attributes[network_of(d, population)->source].first_array;
    return d->populations[population].arrays[array - p->first_array].sprout;
}

/* Lists the requests for new edges of open worlds. The caller frees them by free_wishes, also if this fails. */
static mass_status list_wishes(const mass_domain *d, uint32_t population, wishes *w, mass_error *error)
{
    const mass_population_state *const s = &d->populations[population];
    const int64_t from = mass_population_first_place(d, population);
    const mass_buffer sources = sources_of(d, population);
    const size_t most = d->model->populations[population].sprouts;
    w->places = (size_t)s->places;
    w->cells = w->places * (size_t)d->worlds;
    w->asked = malloc((w->cells + 1) * sizeof *w->asked);
    w->source = malloc((w->cells * most + 1) * sizeof *w->source);
    mass_status status = w->asked && w->source ? MASS_OK : mass_error_memory(error, w->cells * 8, "requests for edges");
    if (status == MASS_OK) status = mass_buffer_download(s->sprout_asked, w->asked, w->cells * sizeof *w->asked, error);
    for (size_t c = 0; status == MASS_OK && c < w->cells; c++) w->count += asked_on(w, c);
    if (status == MASS_OK && w->count && !sources.address) w->count = 0; /* no body may ask */
    if (status == MASS_OK && w->count)
        status = mass_buffer_download(sources, w->source, w->cells * most * sizeof *w->source, error);
    w->list = malloc((w->count + 1) * sizeof *w->list);
    if (status == MASS_OK && !w->list) status = mass_error_memory(error, w->count * sizeof *w->list, "requests");
    for (size_t c = 0, at = 0; status == MASS_OK && w->count && c < w->cells; c++)
        for (uint32_t k = 0; k < asked_on(w, c); k++)
            w->list[at++] = (mass_edge_request){.world = (uint32_t)(c / w->places), .k = k,
                .node = (uint32_t)(from + (int64_t)(c % w->places)), .source = w->source[k * w->cells + c]};
    return status;
}

/* Frees what list_wishes allocated. */
static void free_wishes(wishes *w)
{
    free(w->asked);
    free(w->source);
    free(w->list);
}

/* Closes the gaps that refused requests leave, in one array of values of sprouts. */
static mass_status close_gaps(const wishes *w, mass_buffer values, size_t size, size_t most, mass_error *error)
{
    if (!values.address) return MASS_OK;
    const size_t bytes = w->cells * most * size;
    char *const all = malloc(bytes + 1);
    mass_status status = all ? mass_buffer_download(values, all, bytes, error)
                             : mass_error_memory(error, bytes, "requests for edges");
    for (size_t c = 0, at = 0; status == MASS_OK && c < w->cells; c++) {
        size_t kept = 0;
        for (uint32_t k = 0, number = asked_on(w, c); k < number; k++) {
            if (w->list[at++].refused) continue;
            memmove(all + (kept++ * w->cells + c) * size, all + (k * w->cells + c) * size, size);
        }
    }
    if (status == MASS_OK) status = mass_buffer_upload(values, all, bytes, error);
    free(all);
    return status;
}

/* Takes back the requests that are refused. */
static mass_status take_back(mass_domain *d, uint32_t population, wishes *w, mass_error *error)
{
    const mass_population_def *const p = &d->model->populations[population];
    const mass_population_state *const s = &d->populations[population];
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < p->array_count; i++)
        status = close_gaps(w, s->arrays[i].sprout, d->model->arrays[p->first_array + i].element_size, p->sprouts,
                            error);
    for (size_t c = 0, at = 0; status == MASS_OK && c < w->cells; c++) {
        const uint32_t number = asked_on(w, c);
        for (uint32_t k = 0; k < number; k++) w->asked[c] -= w->list[at++].refused;
    }
    return status == MASS_OK ? mass_buffer_upload(s->sprout_asked, w->asked, w->cells * sizeof *w->asked, error)
                             : status;
}

/* Decides about the requests of all ranks, and marks this rank's. */
static mass_status judge(mass_domain *d, uint32_t population, const mass_changing_edges *e,
                         const mass_ended_edge *ended, uint64_t ended_count, wishes *w, mass_error *error)
{
    const mass_network_def *const n = network_of(d, population);
    const bool split = mass_share_is_split(&d->share);
    char *all = NULL;
    uint64_t bytes = 0;
    mass_status status = MASS_OK;
    if (split)
        status = mass_relink_share(d->share.comm, w->list, w->count * sizeof *w->list, &all, &bytes, MASS_OK, error);
    const mass_known_edges known = {n->directed, n->simple, (uint64_t)n->ends.nodes, e->first, e->source, e->id, ended,
                                    ended_count};
    mass_edge_request *const list = split ? (mass_edge_request *)(void *)all : w->list;
    const uint64_t count = split ? bytes / sizeof *list : w->count;
    if (status == MASS_OK) status = mass_relink_judge(&known, list, count, error);
    const int64_t from = mass_population_first_place(d, population), end = from + d->populations[population].places;
    uint64_t own = 0;
    bool refused = false;
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) {
        if (list[i].node < from || list[i].node >= end) continue;
        if (split) w->list[own] = list[i];
        refused |= list[i].refused != 0;
        own++;
    }
    if (status == MASS_OK && refused) status = take_back(d, population, w, error);
    free(all);
    return status;
}

/* Reads which worlds do not take part in a phase. The caller frees *out; NULL: all take part. */
static mass_status read_closed(const mass_domain *d, const uint32_t *gates, uint32_t **out, mass_error *error)
{
    const size_t bytes = (size_t)d->worlds * sizeof **out;
    *out = NULL;
    if (!gates) return MASS_OK;
    *out = malloc(bytes);
    if (!*out) return mass_error_memory(error, bytes, "requests for edges");
    const size_t from = (size_t)((const char *)gates - (const char *)d->gates.address);
    return mass_buffer_download(mass_buffer_from(d->gates, from), *out, bytes, error);
}

mass_status mass_relink_decide(mass_domain *d, uint32_t population, const uint32_t *gates, mass_error *error)
{
    mass_changing_edges *const e = edges_of(d, population);
    const int64_t nodes = network_of(d, population)->ends.nodes;
    const bool split = mass_share_is_split(&d->share);
    mass_ended_edge *own = NULL;
    char *all = NULL;
    wishes w = {0};
    uint32_t *closed = NULL;
    uint64_t own_count = 0, bytes = 0;
    mass_status status = mass_relink_refresh(d, population, error);
    if (status == MASS_OK) status = read_closed(d, gates, &closed, error);
    w.closed = closed;
    if (status == MASS_OK) status = list_marked(d, e, nodes, closed, &own, &own_count, error);
    if (status == MASS_OK) status = list_wishes(d, population, &w, error);
    int64_t any = own_count || w.count;
    if (split) status = mass_relink_share(d->share.comm, own, own_count * sizeof *own, &all, &bytes, status, error);
    if (split && status == MASS_OK)
        status = d->share.comm->table->all_reduce(d->share.comm, MASS_REDUCE_MOST, &any, 1, error);
    mass_ended_edge *const ended = split ? (mass_ended_edge *)(void *)all : own;
    const uint64_t ended_count = split ? bytes / sizeof *ended : own_count;
    if (status == MASS_OK && any) {
        mass_relink_sort_ends(ended, ended_count);
        status = judge(d, population, e, ended, ended_count, &w, error);
        if (status == MASS_OK && ended_count) status = ask_to_die(d, population, ended, ended_count, error);
        if (status == MASS_OK) status = clear_marks(d, e, nodes, closed, error);
        e->current = false;
        e->follows = status == MASS_OK;
        free(e->ended);
        e->ended = ended;
        e->ended_count = ended_count;
        if (split) all = NULL;
        else own = NULL;
    }
    if (split) status = mass_rpc_abandon(d->share.comm, status, error);
    free_wishes(&w);
    free(closed);
    free(own);
    free(all);
    return status;
}
