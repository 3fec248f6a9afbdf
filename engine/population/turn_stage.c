/* SPDX-License-Identifier: Apache-2.0 */
#include "population/turn_stage.h"

#include <stdlib.h>

void mass_turn_stage_free(mass_domain *d)
{
    if (!d->turn) return;
    mass_turn_copies_free(&d->turn->copies);
    mass_turn_nodes_free(d);
    for (int k = 0; k < MASS_TURN_PHASES_MAX; k++) {
        mass_buffer_release(&d->turn->order[k]);
        mass_buffer_release(&d->turn->record[k]);
    }
    mass_buffer_release(&d->turn->nan);
    mass_buffer_release(&d->turn->rounds);
    free(d->turn);
    d->turn = NULL;
}

mass_status mass_turn_stage_create(mass_domain *d, mass_error *error)
{
    if (d->turn) return MASS_OK;
    d->turn = calloc(1, sizeof *d->turn);
    if (!d->turn) return mass_error_memory(error, sizeof *d->turn, "a phase in turn");
    static const uint64_t none = 0;
    mass_status status = mass_buffer_allocate(d->device, sizeof(uint32_t), &d->turn->nan, error);
    if (status == MASS_OK) status = mass_buffer_allocate(d->device, 2 * sizeof none, &d->turn->rounds, error);
    if (status == MASS_OK) status = mass_buffer_fill(d->turn->rounds, &none, sizeof none, 2, error);
    if (status != MASS_OK) mass_turn_stage_free(d);
    return status;
}

/* Replaces a buffer by one of so many bytes. */
static mass_status replace(mass_domain *d, mass_buffer *b, size_t bytes, mass_error *error)
{
    mass_buffer_release(b);
    return mass_buffer_allocate(d->device, bytes, b, error);
}

mass_status mass_turn_make_order_room(mass_domain *d, uint32_t k, uint32_t count, mass_error *error)
{
    struct mass_turn_stage *t = d->turn;
    const uint64_t more = count + (uint64_t)count / 2 + 1;
    const uint32_t room = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
    if (t->order[k].address && count <= t->order_room[k]) return MASS_OK;
    t->order_room[k] = 0;
    const mass_status status = replace(d, &t->order[k], d->device->table->agents->turn->order_bytes(room), error);
    if (status == MASS_OK) t->order_room[k] = room;
    return status;
}

mass_status mass_turn_make_record_room(mass_domain *d, uint32_t k, size_t bytes, mass_error *error)
{
    mass_buffer *const record = &d->turn->record[k];
    return record->bytes >= bytes ? MASS_OK : replace(d, record, bytes, error);
}
