/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink_dies.h"
#include "population/population.h"
#include "population/relink_requests.h"
#include "ranks/all_gather.h"
#include "ranks/rpc.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes without agents ---- */

/* Marks the nodes of this rank on which an agent of a population is: occupied[worlds * nodes]. */
static mass_status mark_occupied(mass_domain *d, uint32_t population, int64_t nodes, uint8_t *occupied,
                                 mass_error *error)
{
    const uint32_t first = d->model->populations[population].first_attribute;
    uint64_t count = 0;
    mass_status status = mass_population_count_own(d, population, &count, error);
    int32_t *const world = malloc((count + 1) * sizeof *world);
    int64_t *const place = malloc((count + 1) * sizeof *place);
    if (status == MASS_OK && (!world || !place)) status = mass_error_memory(error, count * 12, "edges that end");
    if (status == MASS_OK) status = mass_population_read_own(d, first + MASS_AGENT_WORLD, world, error);
    if (status == MASS_OK) status = mass_population_read_own(d, first + MASS_AGENT_PLACE, place, error);
    for (uint64_t i = 0; status == MASS_OK && i < count; i++)
        occupied[(world[i] - d->share.first_world) * nodes + place[i]] = 1;
    free(world);
    free(place);
    return status;
}

/* Lists the numbers of this rank's nodes, `from` to before `end` in each world, that are not occupied. Numbers count
 * over the nodes of all worlds. The caller frees *out. */
static mass_status list_bare(const mass_domain *d, const uint8_t *occupied, int64_t nodes, int64_t from, int64_t end,
                             uint32_t **out, uint64_t *count, mass_error *error)
{
    const size_t most = (size_t)(end - from) * (size_t)d->worlds;
    *count = 0;
    *out = malloc((most + 1) * sizeof **out);
    if (!*out) return mass_error_memory(error, most * sizeof **out, "edges that end");
    for (int32_t w = 0; w < d->worlds; w++)
        for (int64_t i = w * nodes + from; i < w * nodes + end; i++)
            if (!occupied[i]) (*out)[(*count)++] = (uint32_t)i;
    return MASS_OK;
}

mass_status mass_relink_find_bare(mass_domain *d, const mass_network_def *n, uint8_t **bare, mass_status status,
                                  mass_error *error)
{
    const int64_t nodes = n->ends.nodes;
    const size_t numbers = (size_t)nodes * (size_t)d->worlds;
    const bool split = mass_share_is_split(&d->share);
    uint32_t *own = NULL;
    char *all = NULL;
    uint64_t count = 0, bytes = 0;
    *bare = NULL;
    if (n->dies < 0) return status;
    const int64_t from = mass_population_first_place(d, (uint32_t)n->dies);
    const int64_t end = from + d->populations[n->dies].places;
    *bare = calloc(numbers + 1, 1);
    if (status == MASS_OK && !*bare) status = mass_error_memory(error, numbers, "edges that end");
    if (status == MASS_OK) status = mark_occupied(d, (uint32_t)n->dies, nodes, *bare, error);
    if (status == MASS_OK) status = list_bare(d, *bare, nodes, from, end, &own, &count, error);
    if (split) status = mass_all_gather_bytes(d->share.comm, own, count * sizeof *own, &all, &bytes, status, error);
    const uint32_t *const list = split ? (const uint32_t *)(const void *)all : own;
    if (split) count = bytes / sizeof *list;
    if (status == MASS_OK) memset(*bare, 0, numbers);
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) (*bare)[list[i]] = 1;
    free(own);
    free(all);
    return status;
}

/* ---- their edges ---- */

mass_status mass_relink_end_bare(const mass_changing_edges *e, int64_t nodes, int32_t worlds, int64_t from, int64_t end,
                                 const uint8_t *bare, const uint32_t *closed, mass_ended_edge **ended, uint64_t *count,
                                 mass_error *error)
{
    uint64_t more = 0;
    for (int pass = 0; bare && e->count && pass < 2; pass++) { /* counts them, then adds them */
        mass_ended_edge *const longer = pass ? realloc(*ended, (*count + more + 1) * sizeof *longer) : *ended;
        if (pass && !longer) return mass_error_memory(error, more * sizeof *longer, "edges that end");
        *ended = longer;
        for (int32_t w = 0; w < worlds; w++)
            for (int64_t k = w * nodes + from; !(closed && closed[w]) && k < w * nodes + end; k++)
                for (uint64_t i = e->first[k]; i < e->first[k + 1]; i++) {
                    if (!bare[k] && !bare[w * nodes + e->source[i]]) continue;
                    if (pass) longer[(*count)++] = (mass_ended_edge){e->id[i], w};
                    else more++;
                }
    }
    return MASS_OK;
}
