/* SPDX-License-Identifier: Apache-2.0 */
/* Births: who asks for one, who gets a seat, and their ids. */
#include "domain/decision.h"

#include <stdlib.h>

static uint32_t births_of(const mass_decision *d, uint32_t agent) { return d->w->asked[agent] & ~MASS_ASKED_KILL; }

static mass_status make_births(mass_decision *d, mass_error *error)
{
    uint64_t births = 0;
    for (uint32_t i = 0; i < d->count; i++) births += d->state[i] == MASS_IS_KEPT ? 0 : births_of(d, i);
    if (births + d->count >= UINT32_MAX)
        return mass_error_set(error, MASS_NO_DEVICE, "agents of one rank ask for more than 2^32 births");
    d->births = malloc((births + 1) * sizeof *d->births);
    return d->births ? MASS_OK : mass_error_memory(error, births * sizeof *d->births, "births");
}

/* Where a birth is to be. After the moves, a parent stands where it moved to. */
static mass_seat seat_of(const mass_decision *d, int32_t world, uint32_t parent, uint32_t number)
{
    const mass_manage_work *w = d->w;
    const size_t at = (size_t)number * w->room + parent;
    const uint32_t cell = w->child_cell[at];
    if (cell != MASS_CELL_STAY) return mass_decision_seat(d, world, cell, w->child_far ? &w->child_far[at] : NULL);
    const bool away = d->moved && d->state[parent] == MASS_IS_MOVING;
    return mass_decision_seat(d, world, away ? w->move[parent] : w->cell[parent],
                              w->move_far ? &w->move_far[parent] : NULL);
}

static mass_status ask(mass_decision *d, int32_t world, uint32_t parent, uint32_t number, mass_error *error)
{
    const uint32_t index = d->birth_count++;
    const mass_seat seat = seat_of(d, world, parent, number);
    d->births[index] = (mass_birth){.parent = parent, .number = number, .seat = seat};
    d->asked[world]++;
    if (!d->held || seat.cell == MASS_CELL_NOWHERE) return MASS_OK;
    return mass_decision_claim(d, seat, (mass_claim){.key = d->w->id[parent], .id = number, .index = index}, error);
}

static mass_status ask_all(mass_decision *d, mass_error *error)
{
    mass_status status = make_births(d, error);
    for (int32_t world = 0; world < d->w->worlds; world++) {
        if (mass_decision_is_closed(d, world)) continue;
        for (uint32_t i = d->first[world]; i < d->first[world + 1]; i++)
            for (uint32_t b = 0, n = births_of(d, i); status == MASS_OK && b < n; b++)
                status = ask(d, world, i, b, error);
    }
    return status;
}

static void take_back(mass_decision *d, uint32_t index) { d->births[index].seat.cell = MASS_CELL_NOWHERE; }

static void count_births(mass_decision *d)
{
    uint32_t k = 0;
    for (int32_t world = 0; world < d->w->worlds; world++)
        for (; k < d->birth_count && d->births[k].parent < d->first[world + 1]; k++)
            d->born[world] += d->births[k].seat.cell != MASS_CELL_NOWHERE;
}

/* Ranks are in the canonical order, as are the parents of each; of next_id, each has a share. */
static mass_status number(mass_decision *d, mass_error *error)
{
    const size_t worlds = (size_t)d->w->worlds;
    mass_comm *const comm = d->holders->comm;
    count_births(d);
    for (size_t i = 0; i < worlds; i++) {
        d->born_before[i] = d->born[i];
        d->next_id[i] = (int64_t)d->w->next_id[i];
    }
    mass_status status = comm->table->scan(comm, d->born_before, worlds, error);
    if (status == MASS_OK) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, d->next_id, worlds, error);
    uint32_t k = 0;
    for (int32_t world = 0; status == MASS_OK && world < d->w->worlds; world++) {
        uint64_t id = (uint64_t)d->next_id[world] + (uint64_t)d->born_before[world];
        for (; k < d->birth_count && d->births[k].parent < d->first[world + 1]; k++)
            if (d->births[k].seat.cell != MASS_CELL_NOWHERE) d->births[k].id = id++;
    }
    return status;
}

mass_status mass_decision_births(mass_decision *d, mass_error *error)
{
    if (d->w->children == 0) return MASS_OK;
    mass_status status = ask_all(d, error);
    d->take_back = take_back;
    if (status == MASS_OK && d->held) {
        status = mass_decision_keep_best(d, error);
        if (status == MASS_OK) status = mass_decision_tell(d, error);
        mass_decision_drop_claims(d);
    }
    return status == MASS_OK ? number(d, error) : status;
}
