/* SPDX-License-Identifier: Apache-2.0 */
/* Decides births that concern other ranks, and gives ids to all births. */
#include "population/manage/decision.h"

#include <stdlib.h>

/* Returns the rank and the cell that a birth asks for. A child without a cell of its own asks for its parent's: once
 * moves are decided, the one that the parent moves to. */
mass_seat mass_decision_seat_of_birth(const mass_decision *d, int32_t world, mass_birth b)
{
    const mass_manage_work *w = d->w;
    const size_t at = (size_t)b.number * w->room + b.parent;
    const uint32_t cell = w->child_cell[at];
    if (cell == MASS_CELL_REMOTE) return mass_decision_seat(d, world, cell, &w->remote_child[at]);
    if (cell != MASS_CELL_STAY) return (mass_seat){d->weights->comm->rank, cell};
    if (!d->moved || !mass_decision_is_moving(w, b.parent))
        return (mass_seat){d->weights->comm->rank, w->cell[b.parent]};
    return mass_decision_seat(d, world, w->move[b.parent], w->remote_move ? &w->remote_move[b.parent] : NULL);
}

mass_status mass_decision_claim_birth(mass_decision *d, mass_seat seat, mass_birth b, mass_error *error)
{
    if (d->birth_count == d->birth_room) {
        const uint64_t room = 2 * (uint64_t)d->birth_room + 64;
        mass_birth *births = room < UINT32_MAX ? realloc(d->births, room * sizeof *births) : NULL;
        if (!births) return mass_error_memory(error, room * sizeof *births, "births");
        d->births = births;
        d->birth_room = (uint32_t)room;
    }
    const int32_t own = d->weights->comm->rank;
    const mass_claim claim = {.key = d->w->id[b.parent], .id = b.number, .cell = seat.cell, .index = d->birth_count,
                              .rank = own, .is_birth = 1};
    d->births[d->birth_count++] = b;
    return seat.rank == own ? mass_decision_add(d, claim, error) : mass_decision_send(d, seat, claim, error);
}

/* Claims cells for a parent's births on boundary cells, and on other ranks if the parent left. */
static mass_status ask(mass_decision *d, int32_t world, uint32_t parent, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t b = 0, n = mass_decision_births_of(d, parent); status == MASS_OK && b < n; b++) {
        const mass_birth birth = {parent, b};
        const mass_seat seat = mass_decision_seat_of_birth(d, world, birth);
        const bool sent = d->w->child_cell[(size_t)b * d->w->room + parent] == MASS_CELL_REMOTE;
        if (sent || seat.cell == MASS_CELL_NOWHERE) continue;
        if (seat.rank != d->weights->comm->rank || mass_decision_is_boundary(d, seat.cell))
            status = mass_decision_claim_birth(d, seat, birth, error);
    }
    return status;
}

/* Claims cells for the births of all parents in open worlds. Does nothing if no cell is at a boundary and no agent
 * leaves. */
static mass_status ask_all(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    if (d->near.count + d->leavers.count == 0) return status;
    for (int32_t world = 0; world < d->w->worlds; world++) {
        if (mass_decision_is_closed(d, world)) continue;
        for (uint32_t i = mass_decision_first(d, world), end = mass_decision_first(d, world + 1); i < end; i++)
            if (status == MASS_OK && mass_decision_births_of(d, i)) status = ask(d, world, i, error);
    }
    return status;
}

/* Marks a birth of this rank as refused. */
static void take_back(mass_decision *d, uint32_t index)
{
    const mass_birth b = d->births[index];
    d->w->child_cell[(size_t)b.number * d->w->room + b.parent] = MASS_CELL_NOWHERE;
}

mass_status mass_decision_births(mass_decision *d, mass_error *error)
{
    if (d->w->children == 0 || d->w->capacity == 0) return MASS_OK;
    d->take_back = take_back;
    const bool over_cuts = d->claims_of & MASS_CLAIMS_OF_BIRTHS;
    mass_status status = mass_decision_add_arrived(d, true, error);
    if (status == MASS_OK) status = ask_all(d, error);
    if (status == MASS_OK && d->spawn_last && over_cuts) {
        status = mass_record_buffers_exchange(&d->sent_claims, error);
        if (status == MASS_OK) status = mass_decision_add_arrived(d, true, error);
    }
    if (status == MASS_OK) status = mass_decision_keep_best(d, error);
    if (status == MASS_OK && over_cuts) status = mass_decision_tell(d, error);
    return status == MASS_OK ? mass_decision_settle(d, error) : status;
}

/* Numbers births by canonical order: rank after rank, and by parent within a rank. Each rank has a share of next_id. */
mass_status mass_decision_number(mass_decision *d, mass_error *error)
{
    if (!d->any_births) return MASS_OK;
    const mass_comm *comm = d->weights->comm;
    const size_t worlds = (size_t)d->w->worlds;
    int64_t *const own = d->numbers, *const all = own + 2 * worlds;
    for (size_t i = 0; i < worlds; i++) {
        own[2 * i] = d->job.born[i];
        own[2 * i + 1] = (int64_t)d->w->next_id[i];
    }
    const mass_status status = comm->table->all_gather(d->weights->comm, own, 2 * worlds * sizeof *own, all, error);
    if (status != MASS_OK) return status;
    uint32_t k = 0;
    for (size_t i = 0; i < worlds; i++) {
        uint64_t by = 0 - d->w->next_id[i]; /* the CPU's manage began with that */
        for (int32_t r = 0; r < comm->size; r++) {
            const int64_t *const of_rank = all + 2 * (worlds * (size_t)r + i);
            by += (uint64_t)of_rank[1] + (r < comm->rank ? (uint64_t)of_rank[0] : 0);
        }
        for (; k < d->job.births && d->job.parent[k] < d->job.first[i + 1]; k++) d->job.child_id[k] += by;
    }
    for (uint32_t i = 0; d->job.merges && i < d->job.newborn_count; i++)
        d->job.newborn[i].id = d->job.child_id[d->job.newborn[i].birth];
    return status;
}
