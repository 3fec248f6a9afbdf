/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that have to do with other ranks: of the largest consistent set, what is near. */
#include "population/manage/decision.h"

#include "conflict.h"

/* As if every agent left that wants to. */
static void leave_near(mass_decision *d)
{
    const mass_manage_work *w = d->w;
    for (uint32_t k = 0; k < d->near.count; k++) {
        const uint32_t cell = d->near.at[k];
        uint32_t i;
        for (const uint32_t end = mass_decision_agents(d, cell, &i); i < end; i++)
            d->held[cell] -= mass_decision_is_moving(w, i);
    }
}

static mass_status claim(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const uint64_t key = w->conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(w, i, (uint64_t)world, w->id[i]);
    return mass_decision_add(d, (mass_claim){.key = key, .id = w->id[i], .cell = w->move[i], .index = i,
                                             .rank = d->weights->comm->rank}, error);
}

static mass_status claim_near(mass_decision *d, mass_error *error)
{
    const mass_manage_work *w = d->w;
    mass_status status = MASS_OK;
    for (int32_t world = 0; d->near.count && world < w->worlds; world++) {
        if (mass_decision_is_closed(d, world)) continue;
        for (uint32_t i = mass_decision_first(d, world), end = mass_decision_first(d, world + 1); i < end; i++)
            if (w->move[i] < MASS_CELL_REMOTE && mass_decision_is_boundary(d, w->move[i]) &&
                mass_decision_is_moving(w, i) &&
                status == MASS_OK)
                status = claim(d, world, i, error);
    }
    return status;
}

/* There is room in the list: make_room_for_refused saw to that. */
static void take_back(mass_decision *d, uint32_t index)
{
    d->w->move[index] = MASS_CELL_NOWHERE;
    d->refused_moves.at[d->refused_moves.count++] = index;
}

/* Each of this rank's claims may lose once. */
static mass_status make_room_for_refused(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    const uint64_t most = (uint64_t)d->claims.count + d->leavers.count;
    while (status == MASS_OK && d->refused_moves.room < most) {
        d->refused_moves.count = d->refused_moves.room;
        status = mass_numbers_add(&d->refused_moves, 0, error);
    }
    d->refused_moves.count = 0;
    return status;
}

static mass_status claim_all(mass_decision *d, mass_error *error)
{
    leave_near(d);
    mass_status status = mass_decision_add_arrived(d, false, error);
    if (status == MASS_OK) status = claim_near(d, error);
    return status == MASS_OK ? make_room_for_refused(d, error) : status;
}

/* Losers keep their seats; whom that drives back, too, as far as this rank knows them. */
static mass_status follow_chains(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && d->refused_moves.count) {
        const uint32_t cell = d->w->cell[d->refused_moves.at[--d->refused_moves.count]];
        if (mass_decision_is_boundary(d, cell)) status = mass_decision_take_seat(d, cell, error);
    }
    return status;
}

/* Until no rank has anything to tell another one. */
static mass_status go_rounds(mass_decision *d, mass_error *error)
{
    for (;;) {
        mass_status status = follow_chains(d, error);
        if (status != MASS_OK || !(d->claims_of & MASS_CLAIMS_OF_MOVES)) return status;
        d->refusals.note = d->refusals.count > 0;
        status = mass_decision_tell(d, error);
        if (status != MASS_OK || d->refusals.note == 0) return status;
    }
}

mass_status mass_decision_moves(mass_decision *d, mass_error *error)
{
    d->moved = true;
    d->take_back = take_back;
    if (d->w->capacity == 0) return MASS_OK;
    mass_status status = claim_all(d, error);
    if (status == MASS_OK) status = mass_decision_keep_best(d, error);
    if (status == MASS_OK) status = go_rounds(d, error);
    return status == MASS_OK ? mass_decision_settle(d, error) : status;
}
