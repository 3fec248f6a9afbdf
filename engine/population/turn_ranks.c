/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_ranks.h"
#include "model/shared_turns.h"
#include "population/population.h"
#include "population/turn_actors.h"
#include "population/turn_stage.h"
#include "ranks/rpc.h"

#include <stdlib.h>

/* Returns the space of a phase. */
static const mass_space_def *space_of(const mass_domain *d, uint32_t phase)
{
    return &d->model->spaces[d->model->phases[phase].space];
}

/* Returns the window of a rank in a phase. */
static mass_turn_window window_of(const mass_domain *d, uint32_t phase, int32_t rank)
{
    const uint32_t space = d->model->phases[phase].space;
    return mass_turn_window_of(&d->share, space_of(d, phase), rank, d->turn->ranks->more[space]);
}

void mass_turn_ranks_swap(mass_domain *d, uint32_t population)
{
    mass_turn_ranks *const r = d->turn->ranks;
    const mass_population_state kept = d->populations[population];
    d->populations[population] = r->other[population];
    r->other[population] = kept;
}

/* ---- memory ---- */

/* Makes d->turn->ranks, once. The domain owns it. */
static mass_status create(mass_domain *d, mass_error *error)
{
    if (d->turn->ranks) return MASS_OK;
    mass_turn_ranks *const r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "a phase in turn");
    for (uint32_t s = 0; s < d->model->space_count; s++) r->more[s] = mass_turn_window_more(d->model, s);
    d->turn->ranks = r;
    return MASS_OK;
}

/* Frees the agents that are not the domain's now. */
static void free_other(mass_domain *d, uint32_t population)
{
    mass_turn_ranks_swap(d, population);
    mass_population_free(d, population);
    mass_turn_ranks_swap(d, population);
}

void mass_turn_ranks_free(mass_domain *d)
{
    mass_turn_ranks *const r = d->turn ? d->turn->ranks : NULL;
    if (!r) return;
    for (uint32_t p = 0; p < d->model->population_count; p++) {
        if (r->other[p].arrays) free_other(d, p);
        mass_turn_rows_free(&r->rows[p]);
    }
    free(r);
    d->turn->ranks = NULL;
}

/* ---- before the launch ---- */

/* Returns the first of `count` agents, sorted by cell, on a cell or a later one; `count` if there is none. */
static uint64_t first_of(const uint32_t *cell, uint64_t count, uint64_t wanted)
{
    uint64_t low = 0;
    while (low < count) {
        const uint64_t middle = low + (count - low) / 2;
        if (cell[middle] < wanted) low = middle + 1;
        else count = middle;
    }
    return low;
}

/* Adds this rank's agents on some layers of a world to those that a rank gets. cell: [count] of all its agents. */
static mass_status send_layers(mass_domain *d, uint32_t population, const uint32_t *cell, uint64_t count, int32_t rank,
                               int32_t world, mass_turn_layers layers, mass_error *error)
{
    mass_turn_ranks *const r = d->turn->ranks;
    const mass_population_state *s = &d->populations[population];
    const mass_gidx row = mass_turn_window_row(&r->window), base = world * s->places;
    const mass_gidx before = s->first_place[d->share.comm->rank] - base;
    const uint64_t first = first_of(cell, count, (uint64_t)(layers.first * row - before));
    const uint64_t end = first_of(cell, count, (uint64_t)(layers.end * row - before));
    mass_status status = MASS_OK;
    for (uint64_t i = first; status == MASS_OK && i < end; i++) {
        const mass_turn_sent sent = {.row = i, .id = ((const uint64_t *)(const void *)r->rows[population].from[0])[i],
                                     .place = cell[i] + before, .world = world, .rank = rank};
        status = mass_turn_rows_send(d, population, &r->rows[population], &sent, error);
    }
    return status;
}

/* Adds this rank's agents that each rank's window needs, in each world, to what it is sent. */
static mass_status send_all(mass_domain *d, uint32_t phase, uint32_t population, const uint32_t *cell, uint64_t count,
                            mass_error *error)
{
    const mass_turn_window *const own = &d->turn->ranks->window;
    mass_status status = MASS_OK;
    for (int32_t rank = 0; rank < d->share.comm->size; rank++) {
        const mass_turn_window w = window_of(d, phase, rank);
        mass_turn_layers layers[2];
        const uint32_t ranges = mass_turn_window_meet(&w, own->own_first, own->own_first + own->own, layers);
        for (int32_t world = 0; world < d->worlds; world++)
            for (uint32_t k = 0; status == MASS_OK && k < ranges; k++)
                status = send_layers(d, population, cell, count, rank, world, layers[k], error);
    }
    return status;
}

/* Gets the agents of the window, this rank's and those of others, in host memory (rows[population].agents). All ranks
 * call it. */
static mass_status gather(mass_domain *d, uint32_t phase, uint32_t population, mass_error *error)
{
    mass_turn_ranks *const r = d->turn->ranks;
    const mass_population_state *s = &d->populations[population];
    uint64_t count = 0;
    uint32_t *cell = NULL;
    mass_status status = mass_population_count_own(d, population, &count, error);
    if (status == MASS_OK && !(cell = malloc((count + 1) * sizeof *cell)))
        status = mass_error_memory(error, count * sizeof *cell, "a phase in turn");
    if (status == MASS_OK && count)
        status = mass_buffer_download(s->cell[s->current], cell, count * sizeof *cell, error);
    if (status == MASS_OK) status = mass_turn_rows_read(d, population, count, &r->rows[population], error);
    if (status == MASS_OK) status = send_all(d, phase, population, cell, count, error);
    free(cell);
    status = mass_rpc_agree(d->share.comm, status, error);
    if (status != MASS_OK) return status;
    status = mass_turn_rows_exchange(d, population, &r->rows[population], &r->part, r->places, error);
    return mass_rpc_agree(d->share.comm, status, error);
}

/* Makes the agents of the window the domain's, in place of its own, which are kept apart. children: the most that
 * each may have. */
static mass_status show(mass_domain *d, uint32_t population, uint32_t children, mass_error *error)
{
    mass_turn_ranks *const r = d->turn->ranks;
    const mass_turn_agents *const a = &r->rows[population].agents;
    mass_status status = MASS_OK;
    if (r->other[population].arrays && r->other[population].places != r->places) free_other(d, population);
    mass_turn_ranks_swap(d, population);
    if (!d->populations[population].arrays)
        status = mass_population_create_window(d, population, r->places, error);
    return status != MASS_OK ? status
                             : mass_population_replace(d, population, a->count * (UINT64_C(1) + children),
                                                       (uint32_t)a->count, a->cell, a->columns, error);
}

/* Returns whether agents of a population act in a turn. */
static bool acts(const mass_domain *d, uint32_t first, uint32_t population)
{
    bool any = false;
    for (uint32_t i = first, end = mass_turn_end(d->model, first); i < end; i++)
        any |= d->model->phases[i].population == (int32_t)population;
    return any;
}

/* Gets the agents of the populations that act in a turn, or those of the others that its phases see. */
static mass_status gather_all(mass_domain *d, uint32_t first, bool of_actors, mass_error *error)
{
    uint32_t seen[MASS_POPULATIONS_MAX];
    const uint32_t count = mass_turn_populations(d->model, first, seen);
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < count; k++)
        if (acts(d, first, seen[k]) == of_actors) status = gather(d, first, seen[k], error);
    return status;
}

/* Makes the agents of the window those of the domain, for all populations that a turn sees. */
static mass_status show_all(mass_domain *d, uint32_t first, mass_error *error)
{
    uint32_t seen[MASS_POPULATIONS_MAX];
    const uint32_t count = mass_turn_populations(d->model, first, seen);
    mass_status status = MASS_OK;
    for (uint32_t k = 0; status == MASS_OK && k < count; k++)
        status = show(d, seen[k], mass_turn_children(d->model, first, seen[k]), error);
    return status;
}

/* Sets the window of the present size, gets what decides if it suffices, and finds that out: it does only if it does on
 * every rank. All ranks call it. */
static mass_status try_window(mass_domain *d, const mass_turn_call *call, bool *suffices, mass_error *error)
{
    mass_turn_ranks *const r = d->turn->ranks;
    mass_comm *comm = d->share.comm;
    bool all_whole = true;
    for (int32_t rank = 0; rank < comm->size; rank++) {
        const mass_turn_window w = window_of(d, call->phase, rank);
        all_whole &= mass_turn_window_is_whole(&w);
    }
    r->window = window_of(d, call->phase, comm->rank);
    r->part = mass_turn_window_part(&r->window, mass_turn_reach_of(d->model, call->phase));
    r->places = r->window.count * mass_turn_window_row(&r->window);
    mass_status status = mass_turn_copies_make(d, call->phase, &d->turn->copies, &r->window, error);
    if (status == MASS_OK) status = gather_all(d, call->phase, true, error);
    *suffices = true;
    if (status != MASS_OK || all_whole) return status;
    status = mass_rpc_agree(comm, mass_turn_actors_suffice(d, call, suffices, error), error);
    int64_t fails = !*suffices;
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, &fails, 1, error);
    *suffices = !fails;
    return status;
}

mass_status mass_turn_ranks_open(mass_domain *d, uint32_t first, uint64_t step, const uint32_t *gates,
                                 mass_error *error)
{
    const mass_turn_call call = {first, step, gates};
    mass_status status = mass_rpc_agree(d->share.comm, create(d, error), error);
    if (status != MASS_OK) return status;
    mass_gidx *const more = &d->turn->ranks->more[d->model->phases[first].space];
    for (bool suffices = false; status == MASS_OK && !suffices;) {
        status = try_window(d, &call, &suffices, error);
        if (!suffices) *more += *more / 2;
    }
    if (status == MASS_OK) status = gather_all(d, first, false, error);
    return status == MASS_OK ? mass_rpc_agree(d->share.comm, show_all(d, first, error), error) : status;
}
