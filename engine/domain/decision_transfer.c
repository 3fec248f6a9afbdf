/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that change rank, and children that are born on another: they travel with their values. */
#include "domain/decision.h"

#include <string.h>

const void *mass_decision_first_value(const mass_decision *d, const mass_agent_array *a, const mass_birth *b)
{
    if (!a->child) return a->initial;
    return (const char *)a->child + ((size_t)b->number * d->w->room + b->parent) * a->size;
}

/* Where the values of one that travels go. */
static char *add(mass_decision *d, mass_seat seat, uint64_t id, mass_error *error)
{
    const mass_traveller t = {.id = id, .cell = seat.cell};
    char *record = mass_parcels_add(&d->travellers, seat.rank, error);
    return record ? (char *)memcpy(record, &t, sizeof t) + sizeof t : NULL;
}

static mass_status send_agent(mass_decision *d, int32_t world, uint32_t i, mass_error *error)
{
    const mass_manage_work *w = d->w;
    char *value = add(d, mass_decision_seat(d, world, w->move[i], &w->move_far[i]), w->id[i], error);
    if (!value) return error->status;
    for (uint32_t k = 0; k < w->array_count; value += w->arrays[k++].size)
        memcpy(value, (const char *)w->arrays[k].from + i * w->arrays[k].size, w->arrays[k].size);
    return MASS_OK;
}

static mass_status send_child(mass_decision *d, const mass_birth *b, mass_error *error)
{
    const mass_manage_work *w = d->w;
    char *value = add(d, b->seat, b->id, error);
    if (!value) return error->status;
    for (uint32_t k = 0; k < w->array_count; value += w->arrays[k++].size)
        memcpy(value, mass_decision_first_value(d, &w->arrays[k], b), w->arrays[k].size);
    return MASS_OK;
}

mass_status mass_decision_transfer(mass_decision *d, mass_error *error)
{
    const mass_manage_work *w = d->w;
    mass_status status = MASS_OK;
    d->travellers.size = sizeof(mass_traveller);
    for (uint32_t k = 0; k < w->array_count; k++) d->travellers.size += w->arrays[k].size;
    for (int32_t world = 0; world < w->worlds; world++)
        for (uint32_t i = d->first[world]; status == MASS_OK && i < d->first[world + 1]; i++)
            if (d->state[i] == MASS_IS_MOVING && w->move[i] == MASS_CELL_FAR) status = send_agent(d, world, i, error);
    for (uint32_t k = 0; status == MASS_OK && k < d->birth_count; k++) {
        const mass_birth *b = &d->births[k];
        if (b->seat.cell != MASS_CELL_NOWHERE && b->seat.rank != d->holders->comm->rank)
            status = send_child(d, b, error);
    }
    return status == MASS_OK ? mass_parcels_exchange(&d->travellers, error) : status;
}
