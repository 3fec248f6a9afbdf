/* SPDX-License-Identifier: Apache-2.0 */
/* Decides moves of unsorted agents, and of agents that keep their order. A place holds one agent at most, and there
 * are no births and deaths. Cells do not lead to agents then, so there are no boundary cells. The CPU's manage
 * decides the claims of other ranks together with its own (kernels/cpu/manage_visits.c). Claims carry the agents'
 * values. */
#include "population/manage/decision.h"

#include "conflict.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 };

/* The record of a claim. The agent's values follow, array by array, without padding. */
typedef struct visit {
    uint64_t key, id;
    uint32_t cell, index;
} visit;

/* Begins the job of the CPU's manage. */
static mass_status begin(mass_decision *d, mass_error *error)
{
    const mass_weights *const h = d->weights;
    d->job = (manage_job){.w = d->w, .team = h->team, .visitor_room = d->visitor_room, .visitor = d->visitors};
    if (manage_unsorted_begin(&d->job, &d->scratch, h->team ? mass_cpu_team_threads(h->team) : 1)) return MASS_OK;
    return mass_error_memory(error, (size_t)d->w->room * 24, "moving agents");
}

/* ---- agents that leave ---- */

/* Adds the claim of an agent, with its values, to the message to another rank. Lists the agent in d->leavers. */
static mass_status leave(mass_decision *d, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const mass_seat seat = mass_decision_seat(d, 0, MASS_CELL_REMOTE, &w->remote_move[i]);
    const visit v = {.key = w->conflict == MASS_LOWEST_ID ? 0 : mass_conflict_key(w, i, 0, w->id[i]), .id = w->id[i],
                     .cell = seat.cell, .index = i};
    char *value = mass_record_buffers_add(&d->visits, seat.rank, error);
    if (!value) return error->status;
    memcpy(value, &v, sizeof v);
    value += sizeof v;
    for (uint32_t k = 0; k < w->array_count; value += w->arrays[k++].size)
        memcpy(value, (const char *)w->arrays[k].from + i * w->arrays[k].size, w->arrays[k].size);
    return mass_numbers_add(&d->leavers, i, error);
}

/* Returns true if one of BLOCK agents leaves. Most of the time none does. */
static bool any_leaves(const uint32_t *move)
{
    uint32_t any = 0;
    for (int i = 0; i < BLOCK; i++) any |= move[i] == MASS_CELL_REMOTE;
    return any != 0;
}

/* Sends the claims of all agents that leave, and receives those of other ranks. Sends none if an agent of this rank
 * dies or requests a birth. Adds the agents that leave to d->leavers. On all ranks alike, d->visits.note then says
 * whether any rank has agents that leave, and whether any has births or deaths. All ranks call it together. */
static mass_status send_visits(mass_decision *d, mass_error *error)
{
    const uint32_t *const move = d->w->move, count = d->job.count;
    mass_status status = MASS_OK;
    d->visits.size = sizeof(visit);
    for (uint32_t k = 0; k < d->w->array_count; k++) d->visits.size += d->w->arrays[k].size;
    for (uint32_t i = 0, end; i < count && !d->job.changes; i = end) {
        end = count - i < BLOCK ? count : i + BLOCK;
        if (end - i == BLOCK && !any_leaves(move + i)) continue;
        for (uint32_t k = i; status == MASS_OK && k < end; k++)
            if (move[k] == MASS_CELL_REMOTE) status = leave(d, k, error);
    }
    d->visits.note = (d->leavers.count ? MASS_CLAIMS_OF_MOVES : 0) | (d->job.changes ? MASS_CLAIMS_BESIDE_CHANGES : 0);
    return status == MASS_OK ? mass_record_buffers_exchange(&d->visits, error) : status;
}

/* ---- agents that arrive ---- */

/* Enlarges the list of visitors, and begins the job again with it. Does nothing if the list is large enough. */
static mass_status make_room(mass_decision *d, mass_error *error)
{
    const uint64_t arrived = d->visits.arrived, room = arrived + arrived / 2 + BLOCK;
    if (arrived <= d->visitor_room) return MASS_OK;
    manage_visitor *const visitors = room < UINT32_MAX - d->job.count ? malloc(room * sizeof *visitors) : NULL;
    if (!visitors) return mass_error_memory(error, room * sizeof *visitors, "what agents ask for");
    free(d->visitors);
    d->visitors = visitors;
    d->visitor_room = (uint32_t)room;
    return begin(d, error);
}

/* Lists the claims of other ranks as visitors of the job. */
static void receive_visits(mass_decision *d)
{
    manage_job *const j = &d->job;
    const char *record = d->visits.arrivals;
    for (int32_t r = 0; r < d->weights->comm->size; r++)
        for (uint64_t i = 0; i < d->visits.pairs[r].received; i++, record += d->visits.size) {
            visit v;
            memcpy(&v, record, sizeof v);
            d->visitors[j->visitor_count++] = (manage_visitor){v.key, v.id, v.cell, v.index, r, MANAGE_STAYS};
        }
    j->arrivals = d->visits.arrivals ? d->visits.arrivals + sizeof(visit) : NULL;
    j->arrival_size = d->visits.size;
}

/* ---- rounds ---- */

/* Adds the refusals that the CPU's manage decided since the last round to those to be sent, once each. */
static mass_status refuse_visitors(mass_decision *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t k = 0; k < d->job.visitor_count; k++) {
        manage_visitor *const v = &d->visitors[k];
        if (v->turned_away != MANAGE_TURNED_AWAY) continue;
        uint32_t *const index = mass_record_buffers_add(&d->refusals, v->rank, error);
        if (!index) return error->status;
        *index = v->index;
        v->turned_away = MANAGE_TOLD;
    }
    return status;
}

/* Exchanges refusals with all ranks until no rank has new ones. Also finds out whether some rank lacks memory for
 * arrivals: d->fits. All ranks call it together. */
static mass_status go_rounds(mass_decision *d, mass_error *error)
{
    const bool room = (uint64_t)d->job.count + d->job.visitor_count <= d->w->room;
    for (;;) {
        mass_status status = refuse_visitors(d, error);
        if (status != MASS_OK) return status;
        d->refusals.note = (d->refusals.count ? MASS_REFUSALS : 0) | (room ? 0 : MASS_REFUSALS_BESIDE_NO_ROOM);
        status = mass_record_buffers_exchange(&d->refusals, error);
        if (status != MASS_OK) return status;
        const uint32_t *const index = (const uint32_t *)d->refusals.arrivals;
        for (uint64_t i = 0; i < d->refusals.arrived; i++) manage_unsorted_return(&d->job, index[i]);
        d->fits &= !(d->refusals.note & MASS_REFUSALS_BESIDE_NO_ROOM);
        if (!(d->refusals.note & MASS_REFUSALS)) return MASS_OK;
    }
}

/* Lets the agents leave that no rank refused, and counts the agents after the manage. */
static void conclude(mass_decision *d)
{
    manage_job *const j = &d->job;
    uint32_t left = 0;
    for (uint32_t k = 0; k < d->leavers.count; k++)
        if (d->w->move[d->leavers.at[k]] == MASS_CELL_REMOTE) d->leavers.at[left++] = d->leavers.at[k];
    j->leaver = d->leavers.at;
    j->leaver_count = left;
    d->after = j->count - left;
    for (uint32_t k = 0; k < j->visitor_count; k++) d->after += d->visitors[k].turned_away == MANAGE_STAYS;
    d->died[0] = 0;
    manage_unsorted_settle(j);
}

mass_status mass_decision_unsorted(mass_decision *d, bool *done, mass_error *error)
{
    mass_status status = begin(d, error);
    if (status == MASS_OK) status = send_visits(d, error);
    if (status != MASS_OK) return status;
    d->fits = true;
    *done = !(d->visits.note & MASS_CLAIMS_BESIDE_CHANGES);
    if (!*done) {
        d->leavers.count = 0;
        return manage_is_sorted(d->w) || manage_make_order(&d->job)
                   ? MASS_OK : mass_error_memory(error, (size_t)d->w->room * 24, "moving agents");
    }
    status = make_room(d, error);
    if (status != MASS_OK) return status;
    receive_visits(d);
    manage_unsorted_claim(&d->job);
    if (d->visits.note & MASS_CLAIMS_OF_MOVES) status = go_rounds(d, error);
    if (status == MASS_OK) conclude(d);
    return status;
}
