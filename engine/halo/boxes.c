/* SPDX-License-Identifier: Apache-2.0 */
#include "halo/boxes.h"
#include "halo/exchange.h"

enum { ALIGNMENT = 16 }; /* so that integers of any size can be combined in a message */

/* Arrays of one space. */
typedef struct boxes {
    const uint32_t *arrays;
    uint32_t space, axis;
    bool corners; /* with the ghosts of the axes before */
    mass_combination_kind combines;
    bool combine; /* unpacking combines; false: it copies */
} boxes;

/* Returns the space of an array. */
uint32_t mass_boxes_space(const mass_domain *d, uint32_t array)
{
    return d->model->attributes[d->model->arrays[array].attribute].space;
}

mass_combination mass_boxes_combination(const mass_domain *d, uint32_t array, mass_combination_kind kind)
{
    const mass_array_def *def = &d->model->arrays[array];
    const mass_type type = d->model->attributes[def->attribute].type;
    return (mass_combination){kind, def->element_size, type == MASS_I32 || type == MASS_I64};
}

/* Returns the layers of an array that a run stands for. */
static mass_layers layers_of(const mass_domain *d, const boxes *b, const mass_halo_run *run, uint32_t column)
{
    return mass_layers_of(d, b->arrays[column], b->axis, b->corners, &d->partitions[b->space][run->part],
                          (mass_lidx)run->first, (int32_t)run->count);
}

/* Returns the bytes of a run in one array, packed. */
static size_t bytes(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    const mass_layers l = layers_of(v->d, v->context, run, column);
    return mass_layers_bytes(&l);
}

/* Copies the layers of a run in one array into a message. Queued. */
static mass_status pack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, void *to,
                        mass_error *error)
{
    const mass_layers here = layers_of(v->d, v->context, run, column), there = mass_layers_packed(&here, to);
    return mass_layers_move(v->d->device, &there, &here, error);
}

/* Copies the received layers into an array, or combines them with its places. Queued. */
static mass_status unpack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, const void *from,
                          mass_error *error)
{
    const boxes *b = v->context;
    const mass_layers here = layers_of(v->d, b, run, column);
    const mass_layers there = mass_layers_packed(&here, (char *)(uintptr_t)from);
    const mass_combination how = mass_boxes_combination(v->d, b->arrays[column], b->combines);
    return b->combine ? mass_layers_combine(v->d->device, &here, &there, &how, error)
                      : mass_layers_move(v->d->device, &here, &there, error);
}

/* Widens a message to whole words of memory, which links send several times as fast. The added bytes are between rows,
 * where no callback reads. All ranks can do this: if rows begin at the same offset of a word in one array, they do so
 * on all ranks. */
static void widen(mass_message *m, int64_t pitch)
{
    const size_t before = (uintptr_t)m->data % MASS_LAYOUT_WIDE;
    if (pitch % MASS_LAYOUT_WIDE != 0) return;
    m->data = (char *)m->data - before;
    m->bytes = (m->bytes + before + MASS_LAYOUT_WIDE - 1) / MASS_LAYOUT_WIDE * MASS_LAYOUT_WIDE;
}

/* Returns the memory of a run in the arrays, as a message that needs no packing. */
static mass_message in_place(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    const boxes *b = v->context;
    const mass_layers l = layers_of(v->d, b, run, column);
    const mass_layout *layout = &v->d->partitions[b->space][run->part].layout;
    mass_message m = {run->rank, l.at, l.bytes};
    for (int i = 0; i < 3; i++) m.bytes += (size_t)((l.count[i] - 1) * l.stride[i]);
    if (b->axis > 0) widen(&m, mass_array_bytes(&v->d->model->arrays[b->arrays[column]], layout->pitch));
    return m;
}

static const mass_halo_kind kind = {.alignment = ALIGNMENT, .others_only = true, .bytes = bytes, .pack = pack,
                                    .unpack = unpack, .in_place = in_place};

/* Returns whether layers are sent without packing: over a link, if the layers of one world are contiguous. Bytes
 * between rows are sent with them. */
static bool goes_in_place(const mass_domain *d, const mass_space_def *s)
{
    return d->share.link && d->share.worlds == 1 && mass_share_every(s) == 1; /* otherwise there are runs of bits */
}

/* Returns the most bytes that the messages of any rank take. */
static size_t room_of(const mass_domain *d, const mass_halo *h, const boxes *b, uint32_t count)
{
    size_t room = 0;
    for (uint32_t k = 0; k < count; k++) {
        const mass_layers one = layers_of(d, b, &(mass_halo_run){.count = 1}, k);
        room += (size_t)h->most_units * mass_layers_bytes(&one) + (size_t)h->most_runs * ALIGNMENT;
    }
    return room;
}

/* Returns a description of arrays, all of the first one's space, whose layers along the slab axis are exchanged.
 * Borrows `arrays`. */
static boxes boxes_of(const mass_domain *d, const uint32_t *arrays, bool corners)
{
    const uint32_t space = mass_boxes_space(d, arrays[0]);
    return (boxes){.arrays = arrays, .space = space, .axis = mass_slab_axis(&d->model->spaces[space]),
                   .corners = corners};
}

/* Reserves room for all ghosts at once if steps can be recorded, since a recording cannot allocate memory. At first,
 * fewer layers may be sent. */
mass_status mass_boxes_refresh(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t depth,
                               mass_error *error)
{
    const boxes b = boxes_of(d, arrays, true);
    const mass_space_def *s = &d->model->spaces[b.space];
    const bool whole = d->device->table->record;
    mass_halo_values v = {&kind, d, count, goes_in_place(d, s), .recorded = true, .context = &b};
    const mass_halo *h = NULL, *most = NULL;
    mass_status status = MASS_OK;
    if (!v.in_place)
        status = mass_halo_of_layers(d, b.space, b.axis, false, whole ? s->ghost[b.axis] : depth, &most, error);
    if (status == MASS_OK) status = mass_halo_of_layers(d, b.space, b.axis, false, depth, &h, error);
    if (status != MASS_OK) return status;
    if (most) v.room = room_of(d, most, &b, count);
    return mass_halo_refresh(h, &v, error);
}

mass_status mass_boxes_combine(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t depth,
                               mass_combination_kind how, mass_error *error)
{
    boxes b = boxes_of(d, arrays, false);
    const mass_halo *h = NULL;
    const mass_status status = mass_halo_of_layers(d, b.space, b.axis, false, depth, &h, error);
    if (status != MASS_OK) return status;
    b.combine = true, b.combines = how;
    const mass_halo_values v = {&kind, d, count, .recorded = true, .room = room_of(d, h, &b, count), .context = &b};
    return mass_halo_combine(h, &v, error);
}

/* ---- within this rank ---- */

mass_status mass_boxes_refresh_own(mass_domain *d, uint32_t array, uint32_t axis, int32_t depth, const bool *skip,
                                   mass_error *error)
{
    const boxes b = {.arrays = &array, .space = mass_boxes_space(d, array), .axis = axis, .corners = true};
    const mass_halo *h = NULL;
    mass_status status = mass_halo_of_layers(d, b.space, axis, false, depth, &h, error);
    for (uint32_t i = 0; status == MASS_OK && i < h->copies.own; i++) {
        const mass_halo_run *copies = &h->copies.list[h->copies.first_own + i];
        if (skip && skip[copies->part]) continue;
        const mass_layers to = layers_of(d, &b, copies, 0);
        const mass_layers from = layers_of(d, &b, &h->owned.list[h->owned.first_own + i], 0);
        status = mass_layers_move(d->device, &to, &from, error);
    }
    return status;
}

mass_status mass_boxes_combine_own(mass_domain *d, uint32_t array, int32_t depth, mass_combination_kind how,
                                   mass_error *error)
{
    const boxes b = boxes_of(d, &array, false);
    const mass_combination each = mass_boxes_combination(d, array, how);
    const mass_halo *h = NULL;
    mass_status status = mass_halo_of_layers(d, b.space, b.axis, false, depth, &h, error);
    for (uint32_t i = 0; status == MASS_OK && i < h->owned.own; i++) {
        const mass_layers to = layers_of(d, &b, &h->owned.list[h->owned.first_own + i], 0);
        const mass_layers from = layers_of(d, &b, &h->copies.list[h->copies.first_own + i], 0);
        status = mass_layers_combine(d->device, &to, &from, &each, error);
    }
    return status;
}

mass_status mass_boxes_fill(mass_domain *d, uint32_t array, int32_t depth, const void *row, mass_error *error)
{
    const boxes b = boxes_of(d, &array, false);
    const mass_halo *h = NULL;
    mass_status status = mass_halo_of_layers(d, b.space, b.axis, false, depth, &h, error);
    for (uint32_t i = 0; status == MASS_OK && i < h->copies.count; i++) {
        const mass_layers to = layers_of(d, &b, &h->copies.list[i], 0);
        mass_strided c = mass_layers_copy(&to, &to);
        c.from = row;
        for (int k = 0; k < 3; k++) c.from_stride[k] = 0;
        status = d->device->table->memory->copy(d->device, &c, error);
    }
    return status;
}
