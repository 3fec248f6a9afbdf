/* SPDX-License-Identifier: Apache-2.0 */
#include "run/input.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 };

struct mass_input_reader {
    mass_domain *d; /* borrowed */
    void **staged[SLOTS];  /* [partitions] host memory that pieces are read to; NULL: straight to the array */
    int64_t *live[SLOTS];  /* [partitions] items of the piece */
    uint64_t given, total; /* items, in this pass and in all */
    uint64_t pieces;       /* of this pass */
    uint32_t slot;         /* that the present piece lies in */
    bool resident;         /* the only piece lies there */
};

static const mass_stream_def *stream_of(const mass_input_reader *f) { return &f->d->model->stream; }

static mass_status stage(mass_input_reader *f, mass_error *error)
{
    const mass_domain *d = f->d;
    const mass_device_table *t = d->device->table;
    const size_t size = d->model->arrays[stream_of(f)->array].element_size;
    mass_status status = MASS_OK;
    for (int s = 0; status == MASS_OK && s < SLOTS; s++) {
        f->staged[s] = calloc((size_t)d->partition_count, sizeof **f->staged);
        if (!f->staged[s]) return mass_error_memory(error, (size_t)d->partition_count * sizeof(void *), "the input");
        for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++)
            status = t->streams->stage(d->device, (size_t)d->partitions[0][k].layout.extent[0] * size,
                                       &f->staged[s][k], error);
    }
    return status;
}

mass_status mass_input_reader_create(mass_domain *d, mass_input_reader **out, mass_error *error)
{
    mass_input_reader *f = calloc(1, sizeof *f);
    if (!f) return mass_error_memory(error, sizeof *f, "the input");
    f->d = d;
    for (int s = 0; s < SLOTS; s++) f->live[s] = calloc((size_t)d->partition_count, sizeof **f->live);
    const bool room = f->live[0] && f->live[1];
    mass_status status = MASS_OK;
    if (!room) status = mass_error_memory(error, (size_t)d->partition_count * sizeof **f->live, "the input");
    else if (d->worlds > 1)
        status = mass_error_set(error, MASS_BAD_USAGE, "%s reads a stream, which has one world: leave --worlds out",
                                d->model->plugin);
    else if (d->device->table->streams) status = stage(f, error);
    if (status == MASS_OK) *out = f;
    else mass_input_reader_free(f);
    return status;
}

void mass_input_reader_free(mass_input_reader *f)
{
    if (!f) return;
    for (int s = 0; s < SLOTS; s++) {
        for (int32_t k = 0; f->staged[s] && k < f->d->partition_count; k++)
            if (f->staged[s][k]) f->d->device->table->streams->unstage(f->d->device, f->staged[s][k]);
        free(f->staged[s]);
        free(f->live[s]);
    }
    f->d->live = NULL;
    free(f);
}

uint64_t mass_input_reader_given(const mass_input_reader *f) { return f->given; }
uint64_t mass_input_reader_total(const mass_input_reader *f) { return f->total; }

/* The items of one partition. */
static mass_status fill(mass_input_reader *f, int32_t k, mass_error *error)
{
    mass_domain *d = f->d;
    const mass_partition *p = &d->partitions[0][k];
    const size_t size = d->model->arrays[stream_of(f)->array].element_size;
    const mass_buffer to = mass_array_from(d, p, stream_of(f)->array, false);
    void *at = f->staged[f->slot] ? f->staged[f->slot][k] : to.address;
    int64_t *count = &f->live[f->slot][k];
    mass_status status = stream_of(f)->read(stream_of(f)->context, f->given, at, p->layout.extent[0], count, error);
    if (status == MASS_OK && (*count < 0 || *count > p->layout.extent[0]))
        status = mass_error_set(error, MASS_BAD_PLUGIN, "%s: it gives %lld items where %d fit", d->model->plugin,
                                (long long)*count, p->layout.extent[0]);
    if (status != MASS_OK || *count == 0) return status;
    f->given += (uint64_t)*count;
    if (!f->staged[f->slot]) return MASS_OK;
    return mass_buffer_send(to, (int)f->slot, at, (size_t)*count * size, error);
}

static void choose_slot(mass_input_reader *f, uint32_t slot)
{
    f->slot = slot;
    f->d->current[stream_of(f)->array] = (uint8_t)slot;
    f->d->live = f->live[slot];
}

/* Begins the next piece, in the other slot, once what was in it has been sent. */
static mass_status take_piece(mass_input_reader *f, bool *more, mass_error *error)
{
    mass_domain *d = f->d;
    const uint64_t before = f->given;
    choose_slot(f, f->slot ^ 1);
    mass_status status = f->staged[0] ? d->device->table->streams->sent(d->device, (int)f->slot, error) : MASS_OK;
    memset(f->live[f->slot], 0, (size_t)d->partition_count * sizeof **f->live);
    for (int32_t k = 0; status == MASS_OK && k < d->partition_count; k++) {
        status = fill(f, k, error);
        if (status == MASS_OK && f->live[f->slot][k] == 0) break;
    }
    *more = f->given > before;
    f->total += f->given - before;
    return status;
}

mass_status mass_input_reader_next(mass_input_reader *f, bool *more, mass_error *error)
{
    const mass_stream_def *s = stream_of(f);
    mass_status status = MASS_OK;
    if (f->resident) {
        *more = f->pieces == 0;
        if (*more) f->total += f->given;
    } else {
        if (f->pieces == 0) f->given = 0;
        *more = s->pieces_most == 0 || f->pieces < s->pieces_most;
        if (*more) status = take_piece(f, more, error);
        f->resident = status == MASS_OK && !*more && f->pieces == 1 && !s->changed && s->pieces_most == 0;
        if (f->resident) choose_slot(f, f->slot ^ 1); /* the end came after the piece */
    }
    f->pieces = *more ? f->pieces + 1 : 0;
    return status;
}

mass_status mass_input_reader_consumed(mass_input_reader *f, mass_error *error)
{
    return f->staged[0] ? f->d->device->table->streams->consumed(f->d->device, (int)f->slot, error) : MASS_OK;
}
