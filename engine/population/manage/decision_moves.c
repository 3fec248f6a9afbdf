/* SPDX-License-Identifier: Apache-2.0 */
/* Decides moves that concern other ranks. The granted moves to boundary cells are those of the largest consistent
 * set. */
#include "population/manage/decision.h"

#include "conflict.h"

/* Frees the positions of all agents on boundary cells that request a move, as if all moves were granted. */
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

/* Adds the claim of an agent to a boundary cell of its rank. */
static mass_status claim(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const uint64_t key = w->conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(w, i, (uint64_t)world, w->id[i]);
    return mass_decision_add(d, (mass_claim){.key = key, .id = w->id[i], .cell = w->move[i], .index = i,
                                             .rank = d->weights->comm->rank}, error);
}

/* Adds the claims of this rank's agents, in open worlds, to boundary cells of this rank. */
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

/* Marks a move of this rank as refused. The list is large enough: make_room_for_refused enlarged it. */
static void take_back(mass_decision *d, uint32_t index)
{
    d->w->move[index] = MASS_CELL_NOWHERE;
    d->refused_moves.at[d->refused_moves.count++] = index;
}

/* Enlarges the list of refused moves. Each claim of this rank can be refused once. */
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

/* Collects all claims of moves to boundary cells. */
static mass_status claim_all(mass_decision *d, mass_error *error)
{
    leave_near(d);
    mass_status status = mass_decision_add_arrived(d, false, error);
    if (status == MASS_OK) status = claim_near(d, error);
    return status == MASS_OK ? make_room_for_refused(d, error) : status;
}

/* Gives agents with refused moves their own positions back. That may refuse further moves, which the loop handles
 * too if they are of this rank. */
static mass_status follow_chains(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    while (status == MASS_OK && d->refused_moves.count) {
        const uint32_t cell = d->w->cell[d->refused_moves.at[--d->refused_moves.count]];
        if (mass_decision_is_boundary(d, cell)) status = mass_decision_take_seat(d, cell, error);
    }
    return status;
}

/* Exchanges refusals until no rank has any; at once if no rank has claims for moves. All ranks call it. */
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
