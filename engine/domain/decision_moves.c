/* SPDX-License-Identifier: Apache-2.0 */
/* Moves: the largest consistent set. */
#include "domain/decision.h"

#include "conflict.h"

static mass_status claim(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const mass_seat seat = mass_decision_seat(d, world, w->move[i], w->move_far ? &w->move_far[i] : NULL);
    const uint64_t key = w->conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(w, i, (uint64_t)world, w->id[i]);
    return mass_decision_claim(d, seat, (mass_claim){.key = key, .id = w->id[i], .index = i}, error);
}

/* As if every agent left that wants to. */
static mass_status claim_all(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t world = 0; world < d->w->worlds; world++)
        for (uint32_t i = d->first[world]; status == MASS_OK && i < d->first[world + 1]; i++) {
            if (d->state[i] != MASS_IS_MOVING) continue;
            d->held[d->w->cell[i]]--;
            status = claim(d, world, i, error);
        }
    return status;
}

static void take_back(mass_decision *d, uint32_t index)
{
    d->state[index] = MASS_IS_REFUSED;
    d->losers[d->loser_count++] = index;
}

/* Losers keep their seats; whom that drives back, too, as far as this rank knows them. */
static mass_status follow_chains(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && d->loser_count)
        status = mass_decision_take_seat(d, d->w->cell[d->losers[--d->loser_count]], error);
    return status;
}

/* Until no rank has anything to tell another one. */
static mass_status go_rounds(mass_decision *d, mass_error *error)
{
    const mass_comm_table *table = d->holders->comm->table;
    for (;;) {
        mass_status status = follow_chains(d, error);
        int64_t under_way = (int64_t)d->refusals.count;
        if (status == MASS_OK) status = table->all_reduce(d->holders->comm, MASS_REDUCE_SUM, &under_way, 1, error);
        if (status != MASS_OK || under_way == 0) return status;
        status = mass_decision_tell(d, error);
        if (status != MASS_OK) return status;
    }
}

mass_status mass_decision_moves(mass_decision *d, mass_error *error)
{
    d->moved = true;
    d->take_back = take_back;
    if (!d->held) return MASS_OK;
    mass_status status = claim_all(d, error);
    if (status == MASS_OK) status = mass_decision_keep_best(d, error);
    if (status == MASS_OK) status = go_rounds(d, error);
    mass_decision_drop_claims(d);
    return status;
}
