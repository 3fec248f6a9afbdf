/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the requests that concern other ranks. */
#include "population/manage/decision.h"

#include "conflict.h"

#include <stdlib.h>

enum { BLOCK = 64 };

mass_status mass_numbers_add(mass_numbers *n, uint32_t number, mass_error *error)
{
    if (n->count == n->room) {
        const uint64_t room = 2 * (uint64_t)n->room + 64;
        uint32_t *at = room < UINT32_MAX ? realloc(n->at, room * sizeof *at) : NULL;
        if (!at) return mass_error_memory(error, room * sizeof *at, "a manage");
        n->at = at;
        n->room = (uint32_t)room;
    }
    n->at[n->count++] = number;
    return MASS_OK;
}

/* Lists an agent that requests a place of another rank as a leaver, and sends its claim there. */
static mass_status leave(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const uint64_t key = w->conflict == MASS_LOWEST_ID || w->capacity == 0
                             ? 0 : mass_conflict_key(w, i, (uint64_t)world, w->id[i]);
    const mass_seat seat = mass_decision_seat(d, world, MASS_CELL_REMOTE, &w->remote_move[i]);
    const mass_status status = mass_numbers_add(&d->leavers, i, error);
    if (status != MASS_OK) return status;
    return mass_decision_send(d, seat, (mass_claim){.key = key, .id = w->id[i], .index = i}, error);
}

/* Sends the claims of births on other ranks. If places have no capacity, all moves are granted. Then a child at the
 * place of a parent that leaves is also known to be born on another rank. */
static mass_status send_births(mass_decision *d, int32_t world, uint32_t parent, bool leaves, mass_error *error)
{
    const mass_manage_work *w = d->w;
    mass_status status = MASS_OK;
    const bool with_parent = leaves && d->spawn_last && w->capacity == 0;
    for (uint32_t b = 0, n = mass_decision_births_of(d, parent); status == MASS_OK && b < n; b++) {
        const size_t at = (size_t)b * w->room + parent;
        const mass_birth birth = {parent, b};
        if (w->child_cell[at] == MASS_CELL_REMOTE)
            status = mass_decision_claim_birth(d, mass_decision_seat(d, world, MASS_CELL_REMOTE,
                                                                     &w->remote_child[at]), birth,
                                               error);
        else if (with_parent && w->child_cell[at] == MASS_CELL_STAY)
            status = mass_decision_claim_birth(d, mass_decision_seat(d, world, MASS_CELL_REMOTE,
                                                                     &w->remote_move[parent]),
                                               birth, error);
    }
    return status;
}

/* Returns true if one of BLOCK agents dies, has children or leaves. Most agents of an open world do not. */
static bool concerns(const uint32_t *asked, const uint32_t *move)
{
    uint32_t any = 0;
    for (int i = 0; i < BLOCK; i++) any |= asked[i] | (move[i] == MASS_CELL_REMOTE);
    return any != 0;
}

/* Sends the claims of an agent for its move and its births to other ranks, and counts its death. Notes which kinds
 * of claims there are. */
static mass_status look_at_agent(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const bool leaves = is_leaving(d->w, i), births = mass_decision_births_of(d, i) > 0;
    d->died[world] += (d->w->asked[i] & MASS_ASKED_KILL) != 0;
    const mass_status status = leaves ? leave(d, world, i, error) : MASS_OK;
    if (births) d->sent_claims.note |= MASS_CLAIMS_BESIDE_BIRTHS;
    if (leaves && births) d->sent_claims.note |= MASS_CLAIMS_OF_BIRTHS; /* possibly later */
    return status == MASS_OK && births ? send_births(d, world, i, leaves, error) : status;
}

/* Sends the claims of a world's agents, and counts its deaths. */
static mass_status look_at_world(mass_decision *d, int32_t world, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const uint32_t last = mass_decision_first(d, world + 1);
    mass_status status = MASS_OK;
    for (uint32_t i = mass_decision_first(d, world), end; i < last; i = end) {
        end = last - i < BLOCK ? last : i + BLOCK;
        if (end - i == BLOCK && !concerns(w->asked + i, w->move + i)) continue;
        for (uint32_t k = i; status == MASS_OK && k < end; k++) status = look_at_agent(d, world, k, error);
    }
    return status;
}

/* Adds a boundary cell, with the number of its agents; does nothing if it is there. */
static mass_status add_near(mass_decision *d, uint32_t cell, mass_error *error)
{
    if (mass_decision_is_boundary(d, cell)) return MASS_OK;
    d->is_near[cell / 64] |= (uint64_t)1 << cell % 64;
    uint32_t first;
    const uint32_t end = mass_decision_agents(d, cell, &first);
    d->held[cell] = end - first;
    return mass_numbers_add(&d->near, cell, error);
}

/* Finds the boundary cells: those that other ranks claim, and those that agents on boundary cells request. */
static mass_status find_near(mass_decision *d, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const mass_claim *arrived = (const mass_claim *)d->sent_claims.arrivals;
    mass_status status = MASS_OK;
    for (uint64_t i = 0; status == MASS_OK && i < d->sent_claims.arrived; i++)
        status = add_near(d, arrived[i].cell, error);
    for (uint32_t k = 0; status == MASS_OK && k < d->near.count; k++) {
        uint32_t i;
        const uint32_t end = mass_decision_agents(d, d->near.at[k], &i);
        for (; status == MASS_OK && i < end; i++)
            if (mass_decision_is_moving(w, i) && w->move[i] != MASS_CELL_REMOTE) status = add_near(d, w->move[i],
                                                                                                   error);
    }
    return status;
}

mass_status mass_decision_look(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    d->sent_claims.note = 0;
    for (int32_t world = 0; status == MASS_OK && world < d->w->worlds; world++) {
        d->died[world] = 0;
        if (!mass_decision_is_closed(d, world)) status = look_at_world(d, world, error);
    }
    if (d->leavers.count) d->sent_claims.note |= MASS_CLAIMS_OF_MOVES;
    if (d->birth_count) d->sent_claims.note |= MASS_CLAIMS_OF_BIRTHS;
    if (status == MASS_OK) status = mass_record_buffers_exchange(&d->sent_claims, error);
    d->claims_of = d->sent_claims.note & (MASS_CLAIMS_OF_MOVES | MASS_CLAIMS_OF_BIRTHS);
    d->any_births = d->sent_claims.note & MASS_CLAIMS_BESIDE_BIRTHS;
    d->fits = !d->any_births && d->claims_of == 0;
    if (status != MASS_OK || d->w->capacity) return status == MASS_OK ? find_near(d, error) : status;
    const mass_claim *arrived = (const mass_claim *)d->sent_claims.arrivals;
    for (uint64_t i = 0; status == MASS_OK && i < d->sent_claims.arrived; i++)
        status = mass_numbers_add(&d->arrivals, arrived[i].cell, error);
    return status;
}

void mass_decision_forget(mass_decision *d)
{
    for (uint32_t i = 0; i < d->near.count; i++) d->is_near[d->near.at[i] / 64] = 0;
    d->near.count = 0;
}
