/* SPDX-License-Identifier: Apache-2.0 */
#include "population/manage/manage_over_ranks.h"

#include "population/manage/decision.h"

#include <mass/arithmetic.h>
#include <stdlib.h>

/* Allocates the memory of decisions. On failure *out is what was allocated, or unchanged; the caller frees it. */
static mass_status make(const mass_manage_work *w, const mass_weights *weights, mass_decision **out, mass_error *error)
{
    const size_t worlds = (size_t)w->worlds, cells = worlds * (size_t)w->places, ranks = (size_t)weights->comm->size;
    mass_decision *d = calloc(1, sizeof *d);
    if (!d) return mass_error_memory(error, sizeof *d, "a manage");
    *d = (mass_decision){.cells = cells, .sent_claims = {.comm = weights->comm, .size = sizeof(mass_claim)},
        .refusals = {.comm = weights->comm, .size = sizeof(uint32_t)}, .travellers = {.comm = weights->comm},
        .visits = {.comm = weights->comm}};
    d->is_near = calloc(cells / 64 + 1, sizeof *d->is_near);
    d->held = calloc(cells + 1, sizeof *d->held);
    d->head = calloc(cells + 1, sizeof *d->head);
    d->died = calloc(worlds, sizeof *d->died);
    d->numbers = calloc(2 * worlds * (ranks + 1), sizeof *d->numbers);
    *out = d;
    if (d->is_near && d->held && d->head && d->died && d->numbers) return MASS_OK;
    return mass_error_memory(error, cells * 8, "a manage");
}

/* Begins a manage by this work and these weights: empties all lists of the one before. */
static void begin(mass_decision *d, const mass_manage_work *w, const mass_weights *weights)
{
    d->w = w;
    d->weights = weights;
    d->spawn_last = w->sub_phases[2] == MASS_SPAWN;
    d->moved = false;
    d->scratch.part = weights->part;
    d->leavers.count = d->arrivals.count = d->birth_count = 0;
}

/* Applies deaths on boundary cells to the counts of their agents: the seats of agents that die are free. */
static void bury(mass_decision *d)
{
    const mass_manage_work *w = d->w;
    for (uint32_t k = 0; k < d->near.count; k++) {
        const uint32_t cell = d->near.at[k];
        uint32_t i;
        for (const uint32_t end = mass_decision_agents(d, cell, &i); i < end; i++)
            d->held[cell] -= (w->asked[i] & MASS_ASKED_KILL) != 0;
    }
}

/* Makes the decisions of one sub-phase: births, moves or deaths. */
static mass_status do_sub_phase(mass_decision *d, uint32_t which, mass_error *error)
{
    if (which == MASS_SPAWN) return mass_decision_births(d, error);
    if (which == MASS_MIGRATE) return mass_decision_moves(d, error);
    bury(d);
    return MASS_OK;
}

/* Runs the decision of the CPU's manage. The requests already contain the results for boundary cells. It decides all
 * others. Sets d->after. */
static mass_status seat_all(mass_decision *d, mass_error *error)
{
    manage_job *j = &d->job;
    *j = (manage_job){.w = d->w, .team = d->weights->team, .arrival_count = d->arrivals.count,
        .arrival_cell = d->arrivals.at, .crosses = d->arrivals.count + d->leavers.count + d->birth_count > 0};
    if (!manage_seat(j, &d->scratch, d->weights->team ? mass_cpu_team_threads(d->weights->team) : 1))
        return mass_error_memory(error, (size_t)d->w->room * 24, "moving agents");
    int64_t after = j->count;
    for (int32_t i = 0; i < d->w->worlds; i++) after += (int64_t)j->born[i] - d->died[i];
    d->after = (uint64_t)after;
    return MASS_OK;
}

mass_status mass_manage_decide(const mass_manage_work *w, const mass_weights *weights, mass_decision **kept,
                               uint64_t *after, mass_error *error)
{
    mass_status status = *kept ? MASS_OK : make(w, weights, kept, error);
    if (status != MASS_OK) return status;
    mass_decision *d = *kept;
    begin(d, w, weights);
    bool done = false;
    if (mass_manage_has_any(w->order)) status = mass_decision_unsorted(d, &done, error);
    *after = done ? d->after : MASS_MANAGE_CHANGES;
    if (status != MASS_OK || done || w->order.leaves == MASS_ORDER_ANY) return status;
    status = mass_decision_look(d, error);
    for (int i = 0; status == MASS_OK && i < 3; i++) status = do_sub_phase(d, w->sub_phases[i], error);
    mass_decision_forget(d);
    if (status == MASS_OK) status = seat_all(d, error);
    if (status == MASS_OK) status = mass_decision_number(d, error);
    if (status == MASS_OK) status = mass_decision_transfer(d, error);
    *after = d->after;
    return status;
}

/* Updates this rank's next ids and its tallies of births, deaths and births without a place, in open worlds. */
static void tally(const mass_decision *d)
{
    const mass_manage_work *w = d->w;
    for (int32_t i = 0; i < w->worlds; i++) {
        if (mass_decision_is_closed(d, i)) continue;
        const int64_t born = d->job.born[i], asked = d->job.births ? d->job.asked[i] : 0;
        w->next_id[i] += (uint64_t)born;
        if (w->born) w->born[i] = mass_sum_i64(w->born[i], born); /* wraps, like all tallies */
        if (w->died) w->died[i] = mass_sum_i64(w->died[i], d->died[i]);
        if (w->refused) w->refused[i] = mass_sum_i64(w->refused[i], asked - born);
    }
}

bool mass_decision_fits(const mass_decision *d) { return d->fits; }

void mass_manage_commit(mass_decision *d, const mass_manage_work *w)
{
    d->w = d->job.w = w;
    d->job.total = (uint32_t)d->after; /* the arrays have this capacity */
    manage_arrange(&d->job, &d->scratch);
    tally(d);
}

void mass_decision_free(mass_decision *d)
{
    if (!d) return;
    void *const all[] = {d->is_near, d->near.at, d->held, d->head, d->died, d->numbers, d->claims.claim,
                         d->claims.cell, d->leavers.at, d->refused_moves.at, d->births, d->arrivals.at, d->visitors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    mass_record_buffers_free(&d->sent_claims);
    mass_record_buffers_free(&d->refusals);
    mass_record_buffers_free(&d->travellers);
    mass_record_buffers_free(&d->visits);
    mass_cpu_manage_free(&d->scratch);
    free(d);
}
