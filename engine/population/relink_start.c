/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_start.h"
#include "model/network.h"
#include "population/population.h"
#include "state/tally.h"

#include <stdlib.h>
#include <string.h>

/* An edge of the model, where it comes in. */
typedef struct first_edge {
    uint64_t id, end; /* the number among all ends */
    uint32_t cell, source;
} first_edge;

/* Orders edges by id (for qsort). */
static int by_id(const void *first, const void *second)
{
    const first_edge *a = first, *b = second;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Sorts the edges of each cell by id. The cells ascend. */
static void sort_cells(first_edge *list, uint64_t count)
{
    for (uint64_t begin = 0, end; begin < count; begin = end) {
        bool sorted = true;
        for (end = begin + 1; end < count && list[end].cell == list[begin].cell; end++)
            sorted = sorted && list[end - 1].id < list[end].id;
        if (!sorted) qsort(list + begin, end - begin, sizeof *list, by_id);
    }
}

/* Lists the edges that are agents on this rank's nodes in one world, by node: `nodes` nodes from number `from` on. An
 * edge that comes into two nodes is on the larger one. Returns their number. out NULL: only counts. */
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
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
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
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
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
    if (status == MASS_OK) sort_cells(list, count);
    if (status == MASS_OK) status = fill_first(d, population, list, count, error);
    if (status == MASS_OK)
        status = mass_buffer_upload(mass_domain_tally(d, d->model->populations[population].next_id), next,
                                    (size_t)d->worlds * sizeof *next, error);
    free(list);
    free(next);
    return status;
}
