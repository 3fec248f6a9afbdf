/* SPDX-License-Identifier: Apache-2.0 */
#include "population/relink.h"
#include "population/population.h"
#include "population/relink_adjacency.h"
#include "population/relink_dies.h"
#include "population/relink_marks.h"
#include "population/relink_merge.h"
#include "population/relink_requests.h"
#include "population/relink_there.h"
#include "ranks/all_gather.h"
#include "ranks/rpc.h"
#include "state/changing_edges.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_relink_discard(mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint8_t none = 0;
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    return e->count ? mass_buffer_fill(e->there.cut, &none, 1, e->count, error) : MASS_OK;
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
    const uint64_t *const id =
        mass_buffer_view(d->device, s->arrays[0].buffer[s->current], count * sizeof *id, &ids, &status, error);
    const uint32_t *const cell =
        mass_buffer_view(d->device, s->cell[s->current], count * sizeof *cell, &cells, &status, error);
    const uint32_t *const before =
        mass_buffer_view(d->device, s->asked, count * sizeof *before, &copy, &status, error);
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

/* Returns how many requests of a cell are decided; 0 in a closed world. */
static uint32_t asked_on(const wishes *w, size_t cell)
{
    return w->closed && w->closed[cell / w->places] ? 0 : w->asked[cell] & 0xffffu;
}

/* Returns the memory in which bodies put the sources of requested edges: [most][cells]; no address if none may
 * request any. */
static mass_buffer sources_of(const mass_domain *d, uint32_t population)
{
    const mass_population_def *const p = &d->model->populations[population];
    const uint32_t array = d->model->attributes[mass_model_network_of_edges(d->model, population)->source].first_array;
    return d->populations[population].arrays[array - p->first_array].sprout;
}

/* Lists the requests for new edges of open worlds. w: all 0 but `closed`. The caller frees them by free_wishes,
 * also if this fails. */
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

/* Closes the gaps that refused requests leave, in one array of values of sprouts. Does nothing
 * without the array. */
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

/* Takes the refused requests of w->list out of w->asked, and out of the requests and their values on the device. */
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

/* Decides about the requests of all ranks, marks this rank's, and takes back those that are refused. bare: as
 * mass_relink_find_bare finds them. */
static mass_status judge(mass_domain *d, uint32_t population, const mass_changing_edges *e,
                         const mass_ended_edge *ended, uint64_t ended_count, const uint8_t *bare, wishes *w,
                         mass_error *error)
{
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    const bool split = mass_share_is_split(&d->share);
    char *all = NULL;
    uint64_t bytes = 0;
    mass_status status = MASS_OK;
    if (split)
        status = mass_all_gather_bytes(d->share.comm, w->list, w->count * sizeof *w->list, &all, &bytes, MASS_OK,
                                       error);
    const mass_known_edges known = {n->directed, n->simple, (uint64_t)n->ends.nodes, e->first, e->source, e->id, ended,
                                    ended_count, bare};
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

/* Reads which worlds do not take part in a phase: (*out)[worlds] is not 0 there. gates: an address in d->gates, or
 * NULL. The caller frees *out; NULL: all take part. */
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
    if (mass_relink_is_there(d, population)) return mass_relink_decide_there(d, population, gates, error);
    mass_changing_edges *const e = mass_domain_edges_that_are(d, population);
    const mass_network_def *const n = mass_model_network_of_edges(d->model, population);
    const int64_t nodes = n->ends.nodes, from = mass_population_first_place(d, population);
    const bool split = mass_share_is_split(&d->share);
    mass_ended_edge *own = NULL;
    char *all = NULL;
    wishes w = {0};
    uint32_t *closed = NULL;
    uint8_t *bare = NULL;
    uint64_t own_count = 0, bytes = 0;
    mass_status status = mass_relink_refresh(d, population, error);
    if (status == MASS_OK) status = read_closed(d, gates, &closed, error);
    w.closed = closed;
    if (status == MASS_OK) status = mass_relink_marks_list(d, e, nodes, closed, &own, &own_count, error);
    if (status == MASS_OK) status = list_wishes(d, population, &w, error);
    status = mass_relink_find_bare(d, n, &bare, status, error);
    if (status == MASS_OK)
        status = mass_relink_end_bare(e, nodes, d->worlds, from, from + d->populations[population].places, bare, closed,
                                      &own, &own_count, error);
    int64_t any = own_count || w.count;
    if (split) status = mass_all_gather_bytes(d->share.comm, own, own_count * sizeof *own, &all, &bytes, status, error);
    if (split && status == MASS_OK)
        status = d->share.comm->table->all_reduce(d->share.comm, MASS_REDUCE_MOST, &any, 1, error);
    mass_ended_edge *const ended = split ? (mass_ended_edge *)(void *)all : own;
    const uint64_t ended_count = split ? bytes / sizeof *ended : own_count;
    if (status == MASS_OK && any) {
        mass_relink_sort_ends(ended, ended_count);
        status = judge(d, population, e, ended, ended_count, bare, &w, error);
        if (status == MASS_OK && ended_count) status = ask_to_die(d, population, ended, ended_count, error);
        if (status == MASS_OK) status = mass_relink_marks_clear(d, e, nodes, closed, error);
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
    free(bare);
    free(closed);
    free(own);
    free(all);
    return status;
}
