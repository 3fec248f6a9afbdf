/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a phase in turn over ranks. Each rank keeps the agents that began in its slab, and their children, and
 * sends each to the rank that holds its place. */
#include "halo/counts.h"
#include "population/population.h"
#include "population/turn_memory.h"
#include "population/turn_ranks.h"
#include "population/turn_stage.h"
#include "ranks/rpc.h"
#include "state/tally.h"

#include <mass/arithmetic.h>
#include <stdlib.h>

/* A population at the end of a phase. */
typedef struct taking {
    mass_domain *d;
    uint32_t population;
    const mass_turn_population *turn; /* host */
    mass_turn_agent *now;  /* [rows] where each agent is */
    const uint32_t *began; /* [count] cells of the window */
    const int64_t *first_place; /* [ranks + 1] */
    uint64_t *next;        /* [worlds] the id of the next child */
    int64_t *counts;       /* [3][worlds] born, died and not born; then [worlds] children that live */
} taking;

/* ---- children ---- */

/* Returns whether the agent of a row lives. */
static bool lives(const taking *t, uint64_t row) { return t->now[row].cell != MASS_CELL_NOWHERE; }

/* Returns whether an agent began in this rank's slab. *world: its world. */
static bool is_own(const taking *t, uint64_t agent, int32_t *world)
{
    const mass_turn_ranks *r = t->d->turn->ranks;
    const mass_gidx in_part = t->began[agent] % (uint64_t)r->places;
    const mass_gidx place = in_part < r->part.low_end ? in_part : in_part + r->part.gap;
    *world = (int32_t)(t->began[agent] / (uint64_t)r->places);
    return place >= r->part.counted_first && place - r->part.counted_first < r->part.counted;
}

/* Returns the row of child k of an agent. */
static uint64_t row_of_child(const taking *t, uint64_t agent, uint32_t k)
{
    return t->turn->count + agent * t->turn->children + k;
}

/* Adds the children that live, of agents that began in this slab, to their worlds' counts. */
static void count_children(const taking *t)
{
    int64_t *const living = t->counts + 3 * (size_t)t->d->worlds;
    int32_t world;
    for (uint64_t i = 0; t->turn->children && i < t->turn->count; i++)
        for (uint32_t k = 0; k < t->turn->children && is_own(t, i, &world); k++)
            living[world] += lives(t, row_of_child(t, i, k));
}

/* Finds the id of this rank's first child in each world, t->next: ranks number theirs one after the other. Each rank
 * has a share of the next id; adds this rank's children to it. All ranks call it. */
static mass_status number_children(const taking *t, mass_error *error)
{
    mass_comm *comm = t->d->share.comm;
    const size_t worlds = (size_t)t->d->worlds;
    const mass_buffer tally = mass_domain_tally(t->d, t->d->model->populations[t->population].next_id);
    int64_t *const own = malloc(2 * worlds * (1 + (size_t)comm->size) * sizeof *own), *const all = own + 2 * worlds;
    mass_status status = own ? MASS_OK : mass_error_memory(error, worlds * sizeof *own, "a phase in turn");
    if (status == MASS_OK) status = mass_buffer_download(tally, own, worlds * sizeof *own, error);
    for (size_t w = 0; status == MASS_OK && w < worlds; w++) own[worlds + w] = t->counts[3 * worlds + w];
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, own, 2 * worlds * sizeof *own, all, error);
    for (size_t w = 0; status == MASS_OK && w < worlds; w++) {
        for (int32_t r = 0; r < comm->size; r++) {
            const int64_t *const of_rank = all + 2 * worlds * (size_t)r;
            t->next[w] += (uint64_t)of_rank[w] + (r < comm->rank ? (uint64_t)of_rank[worlds + w] : 0);
        }
        own[w] = mass_sum_i64(own[w], own[worlds + w]);
    }
    if (status == MASS_OK) status = mass_buffer_upload(tally, own, worlds * sizeof *own, error);
    free(own);
    return status;
}

/* ---- agents ---- */

/* Returns the rank that holds a place. */
static int32_t holder_of(const taking *t, mass_gidx place)
{
    int32_t low = 0, high = t->d->share.comm->size;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (t->first_place[middle] <= place) low = middle;
        else high = middle;
    }
    return low;
}

/* Adds an agent that lives to those that its rank gets. */
static mass_status send(const taking *t, uint64_t row, uint64_t id, bool child, mass_error *error)
{
    const mass_turn_ranks *r = t->d->turn->ranks;
    const uint64_t places = (uint64_t)r->places;
    const mass_gidx in_part = t->now[row].cell % places;
    const mass_gidx place = in_part < r->part.low_end ? in_part : in_part + r->part.gap;
    const mass_turn_sent sent = {.row = row, .id = id, .place = place, .world = (int32_t)(t->now[row].cell / places),
                                 .rank = holder_of(t, place), .child = child};
    return mass_turn_rows_send(t->d, t->population, &t->d->turn->ranks->rows[t->population], &sent, error);
}

/* Sends the living agents that began in the slab, and their living children, which get the ids from t->next on. */
static mass_status send_all(const taking *t, mass_error *error)
{
    const uint64_t *const ids = (const void *)t->d->turn->ranks->rows[t->population].from[0];
    mass_status status = MASS_OK;
    for (uint64_t i = 0; status == MASS_OK && i < t->turn->count; i++) {
        int32_t world;
        if (!is_own(t, i, &world)) continue;
        if (lives(t, i)) status = send(t, i, ids[i], false, error);
        for (uint32_t k = 0; status == MASS_OK && k < t->turn->children; k++)
            if (lives(t, row_of_child(t, i, k))) status = send(t, row_of_child(t, i, k), t->next[world]++, true, error);
    }
    return status;
}

/* ---- tallies ---- */

/* Adds the births, deaths and unborn of the phase to the population's tallies, as far as these count in this
 * step. counted: as in mass_turn_ranks_close. */
static mass_status add_counts(const taking *t, bool counted, mass_error *error)
{
    const mass_population_def *p = &t->d->model->populations[t->population];
    const int tallies[] = {p->born, p->died, p->unborn};
    const size_t worlds = (size_t)t->d->worlds;
    int64_t *const sums = malloc(worlds * sizeof *sums);
    mass_status status = sums ? MASS_OK : mass_error_memory(error, worlds * sizeof *sums, "a phase in turn");
    for (size_t k = 0; k < sizeof tallies / sizeof *tallies; k++) {
        const mass_tally_def *def = tallies[k] < 0 ? NULL : &t->d->model->tallies[tallies[k]];
        if (status != MASS_OK || !def || !(counted || def->cumulative || def->needed)) continue;
        const mass_buffer there = mass_domain_tally(t->d, (uint32_t)tallies[k]);
        status = mass_buffer_download(there, sums, worlds * sizeof *sums, error);
        for (size_t w = 0; w < worlds; w++) sums[w] = mass_sum_i64(sums[w], t->counts[k * worlds + w]);
        if (status == MASS_OK) status = mass_buffer_upload(there, sums, worlds * sizeof *sums, error);
    }
    free(sums);
    return status;
}

/* ---- all of it ---- */

/* Reads the agents of the window as they are after the phase, and the children that they may have born, from the
 * device. `t` owns the copies, also on failure. */
static mass_status read_window(taking *t, mass_error *error)
{
    const mass_population_state *s = &t->d->populations[t->population];
    mass_turn_rows *const rows = &t->d->turn->ranks->rows[t->population];
    const uint64_t count = t->turn->count * (UINT64_C(1) + t->turn->children);
    const size_t worlds = (size_t)t->d->worlds;
    t->now = malloc((count + 1) * sizeof *t->now);
    t->next = calloc(worlds, sizeof *t->next);
    t->counts = calloc(4 * worlds, sizeof *t->counts);
    if (!t->now || !t->next || !t->counts) return mass_error_memory(error, count * sizeof *t->now, "a phase in turn");
    mass_status status = MASS_OK;
    if (count) status = mass_buffer_download(s->turn->agents, t->now, count * sizeof *t->now, error);
    if (status == MASS_OK)
        status = mass_buffer_download(s->turn->counts, t->counts, 3 * worlds * sizeof *t->counts, error);
    t->began = rows->agents.cell;
    return status == MASS_OK ? mass_turn_rows_read(t->d, t->population, count, rows, error) : status;
}

/* Empties the lists of the window's places, for the next phase. */
static mass_status empty_lists(const mass_domain *d, uint32_t population, mass_error *error)
{
    static const uint32_t nobody = MASS_NOBODY;
    const mass_population_state *s = &d->populations[population];
    return mass_buffer_fill(s->turn->first, &nobody, sizeof nobody, (size_t)s->places * (size_t)d->worlds, error);
}

/* Counts births and deaths, gives children their ids, and sends each agent to the rank that holds its place. status:
 * this rank's so far. All ranks call it together. */
static mass_status take(taking *t, bool counted, mass_status status, mass_error *error)
{
    mass_turn_ranks *const r = t->d->turn->ranks;
    mass_comm *comm = t->d->share.comm;
    const int64_t *const first = t->first_place;
    const mass_gidx places = first[comm->rank + 1] - first[comm->rank];
    const mass_turn_part slab = {.gap = first[comm->rank]};
    if (status == MASS_OK) status = read_window(t, error);
    if (status == MASS_OK) status = add_counts(t, counted, error);
    if (status == MASS_OK) count_children(t);
    status = mass_rpc_agree(comm, status, error);
    if (status != MASS_OK) return status;
    if (t->turn->children) status = number_children(t, error);
    status = mass_rpc_agree(comm, status == MASS_OK ? send_all(t, error) : status, error);
    if (status != MASS_OK) return status;
    status = mass_turn_rows_exchange(t->d, t->population, &r->rows[t->population], &slab, places, error);
    return status == MASS_OK ? empty_lists(t->d, t->population, error) : status;
}

mass_status mass_turn_ranks_close(mass_domain *d, uint32_t population, bool counted, mass_status status,
                                  mass_error *error)
{
    mass_turn_ranks *const r = d->turn->ranks;
    taking t = {.d = d, .population = population, .turn = &d->turn->seen[population],
                .first_place = r->other[population].first_place};
    const mass_turn_agents *const a = &r->rows[population].agents;
    status = take(&t, counted, status, error);
    free(t.now);
    free(t.next);
    free(t.counts);
    mass_turn_ranks_swap(d, population);
    if (status == MASS_OK)
        status = mass_population_replace(d, population, a->count, (uint32_t)a->count, a->cell, a->columns, error);
    status = mass_rpc_agree(d->share.comm, status, error);
    return status == MASS_OK ? mass_place_counts_refresh(d, population, error) : status;
}
