/* SPDX-License-Identifier: Apache-2.0 */
/* Sends agents that change rank, and children that are born on another rank, with their values. */
#include "population/manage/decision.h"

#include <string.h>

/* The record of an agent that changes rank. Its values follow, array by array, without padding. */
typedef struct traveller {
    uint64_t id;
    uint32_t cell, unused;
} traveller;

/* Adds a record for an agent that goes to `seat`. Returns the address for its values; NULL, with the error set, if
 * memory ran out. */
static char *add(mass_decision *d, mass_seat seat, uint64_t id, mass_error *error)
{
    const traveller t = {.id = id, .cell = seat.cell};
    char *record = mass_record_buffers_add(&d->travellers, seat.rank, error);
    return record ? (char *)memcpy(record, &t, sizeof t) + sizeof t : NULL;
}

/* Puts an agent, whose move to another rank was granted, with its values into the message for that rank. */
static mass_status send_agent(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    char *value = add(d, mass_decision_seat(d, world, MASS_CELL_REMOTE, &w->remote_move[i]), w->id[i], error);
    if (!value) return error->status;
    for (uint32_t k = 0; k < w->array_count; value += w->arrays[k++].size)
        memcpy(value, (const char *)w->arrays[k].from + i * w->arrays[k].size, w->arrays[k].size);
    return MASS_OK;
}

/* Returns the initial value of a child in an array. */
static const void *first_value(const mass_decision *d, const mass_agent_array *a, mass_birth b)
{
    if (!a->child) return a->initial;
    return (const char *)a->child + ((size_t)b.number * d->w->room + b.parent) * a->size;
}

/* Puts newborn k, whose position is on another rank, with its values into the message for that rank. */
static mass_status send_child(mass_decision *d, int32_t world, uint32_t k, mass_error *error)
{
    const mass_manage_work *w = d->w;
    const mass_birth b = {d->job.parent[k], d->job.number[k]};
    char *value = add(d, mass_decision_seat_of_birth(d, world, b), d->job.child_id[k], error);
    if (!value) return error->status;
    for (uint32_t a = 0; a < w->array_count; value += w->arrays[a++].size)
        memcpy(value, first_value(d, &w->arrays[a], b), w->arrays[a].size);
    return MASS_OK;
}

/* Puts the agents and children to which other ranks granted a place into the messages, in canonical order. */
static mass_status send_all(mass_decision *d, mass_error *error)
{
    const manage_job *j = &d->job;
    mass_status status = MASS_OK;
    uint32_t l = 0, k = 0;
    for (int32_t world = 0; world < d->w->worlds; world++) {
        for (; l < d->leavers.count && d->leavers.at[l] < j->first[world + 1]; l++)
            if (status == MASS_OK && is_leaving(d->w, d->leavers.at[l])) {
                status = send_agent(d, world, d->leavers.at[l], error);
            }
        for (; k < j->births && j->parent[k] < j->first[world + 1]; k++)
            if (status == MASS_OK && j->where[k] == MASS_CELL_REMOTE) status = send_child(d, world, k, error);
    }
    return status;
}

/* Adds the agents that arrive to the job, after the births. */
static void receive_all(mass_decision *d)
{
    manage_job *j = &d->job;
    const mass_record_buffers *p = &d->travellers;
    for (uint32_t i = 0; i < p->arrived; i++) {
        traveller t;
        memcpy(&t, p->arrivals + i * p->size, sizeof t);
        d->arrivals.at[i] = j->where[j->births + i] = t.cell;
        j->child_id[j->births + i] = t.id;
    }
    j->arrivals = p->arrivals + sizeof(traveller);
    j->arrival_size = p->size;
}

mass_status mass_decision_transfer(mass_decision *d, mass_error *error)
{
    const mass_manage_work *w = d->w;
    if (d->claims_of == 0) return MASS_OK;
    d->travellers.size = sizeof(traveller);
    for (uint32_t k = 0; k < w->array_count; k++) d->travellers.size += w->arrays[k].size;
    mass_status status = send_all(d, error);
    const uint64_t sent = d->travellers.count;
    if (status == MASS_OK) status = mass_record_buffers_exchange(&d->travellers, error);
    if (status != MASS_OK) return status;
    receive_all(d);
    d->after += d->travellers.arrived - sent;
    return status;
}
