/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes in global coordinates: boxes that reach over partitions and ranks. */
#include "ranks/transfer.h"
#include "state/bit_box.h"
#include "state/box.h"

#include <stdlib.h>
#include <string.h>

/* A box in one world of this rank. */
typedef struct own_box {
    uint32_t attribute;
    int32_t world;
    mass_gidx origin[3], extent[3];
    char *data;
    bool write, packed;
} own_box;

/* Finds the part of a box that is in one partition, in the space's coordinates; along x in bytes if the box is packed.
 * Returns false if there is none. */
static bool intersect(const own_box *b, const mass_layout *l, mass_gidx first[3], mass_gidx extent[3])
{
    for (int a = 0; a < 3; a++) {
        const bool packed = a == 0 && b->packed;
        const mass_gidx origin = packed ? l->origin[a] / 8 : l->origin[a];
        const mass_gidx end = packed ? (l->origin[a] + l->extent[a] + 7) / 8 : l->origin[a] + l->extent[a];
        const mass_gidx low = b->origin[a] > origin ? b->origin[a] : origin;
        const mass_gidx box_end = b->origin[a] + b->extent[a];
        const mass_gidx high = box_end < end ? box_end : end;
        if (low >= high) return false;
        first[a] = low;
        extent[a] = high - low;
    }
    return true;
}

/* Bytes that pass through a stage at once, or a row if that is more. */
enum { STAGE_MOST = 4 << 20 };

/* Returns the axis along which to divide a part of an array, whose elements have `size` bytes; 0: it need not be
 * divided, or cannot be. */
static int divisible(const mass_gidx extent[3], size_t size)
{
    const int axis = extent[2] > 1 ? 2 : 1;
    return (size_t)(extent[0] * extent[1] * extent[2]) * size > STAGE_MOST && extent[axis] > 1 ? axis : 0;
}

/* Moves one array's part of a box. Component planes are separate in memory but interleaved in data. They pass through a
 * dense stage, since a device copies whole runs best. */
static mass_status move_part(mass_domain *d, const own_box *b, mass_partition *p, uint32_t array,
                             const mass_gidx first[3], const mass_gidx extent[3], mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[b->attribute];
    const mass_layout *l = &p->layout;
    const mass_array_def *def = &d->model->arrays[array];
    const size_t size = def->element_size, element = mass_element_size(a);
    const int64_t start = b->world * l->world_stride + (first[2] - l->origin[2]) * l->plane +
                          (first[1] - l->origin[1]) * l->pitch;
    const int64_t column = first[0] - (b->packed ? l->origin[0] / 8 : l->origin[0]);
    const mass_buffer all = mass_array_from(d, p, array, false);
    const mass_buffer rows = mass_buffer_from(all, (size_t)mass_array_bytes(def, start));
    const mass_buffer there = mass_buffer_from(rows, (size_t)column * size);
    char *data = b->data + (((first[2] - b->origin[2]) * b->extent[1] + (first[1] - b->origin[1])) * b->extent[0] +
                            (first[0] - b->origin[0])) * (int64_t)element +
                 def->component * size;
    const int64_t row = b->extent[0] * (int64_t)element, sheet = row * b->extent[1];
    const int64_t memory_row = mass_array_bytes(def, l->pitch), memory_sheet = mass_array_bytes(def, l->plane);
    if (def->bits && !b->packed) {
        const mass_bits_box bits = {rows, column, {extent[0], extent[1], extent[2]}, l->pitch, l->plane, data,
                                    (int64_t)element, row, sheet, b->write};
        return mass_bits_move(&bits, error);
    }

    mass_strided c = {.bytes = (size_t)extent[0] * size, .count = {extent[1], extent[2], 1}};
    if (size == element) {
        if (b->write) c.from = data;
        else c.to = data;
        for (int k = 0; k < 2; k++) {
            const int64_t host = k ? sheet : row, device = k ? memory_sheet : memory_row;
            c.to_stride[k] = b->write ? device : host;
            c.from_stride[k] = b->write ? host : device;
        }
        return b->write ? mass_buffer_upload_box(there, &c, error) : mass_buffer_download_box(there, &c, error);
    }
    const int axis = divisible(extent, size);
    if (axis > 0) {
        mass_gidx half[3] = {extent[0], extent[1], extent[2]}, behind[3] = {first[0], first[1], first[2]};
        half[axis] /= 2;
        behind[axis] += half[axis];
        const mass_status before = move_part(d, b, p, array, first, half, error);
        half[axis] = extent[axis] - half[axis];
        return before == MASS_OK ? move_part(d, b, p, array, behind, half, error) : before;
    }
    const size_t stage_bytes = c.bytes * (size_t)(extent[1] * extent[2]);
    char *stage = malloc(stage_bytes);
    if (!stage) return mass_error_memory(error, stage_bytes, "a copy of an attribute");
    const int64_t stage_row = (int64_t)c.bytes, stage_sheet = stage_row * extent[1];
    mass_status status = MASS_OK;
    for (int pass = 0; status == MASS_OK && pass < 2; pass++) {
        if ((pass == 0) == b->write) { /* between stage and data, element by element */
            for (mass_gidx z = 0; z < extent[2]; z++)
                for (mass_gidx y = 0; y < extent[1]; y++)
                    for (mass_gidx x = 0; x < extent[0]; x++) {
                        char *s = stage + z * stage_sheet + y * stage_row + x * (int64_t)size;
                        char *u = data + z * sheet + y * row + x * (int64_t)element;
                        if (b->write) memcpy(s, u, size);
                        else memcpy(u, s, size);
                    }
        } else if (b->write) {
            c = (mass_strided){NULL, stage, c.bytes, {extent[1], extent[2], 1},
                               {memory_row, memory_sheet, 0}, {stage_row, stage_sheet, 0}};
            status = mass_buffer_upload_box(there, &c, error);
        } else {
            c = (mass_strided){stage, NULL, c.bytes, {extent[1], extent[2], 1},
                               {stage_row, stage_sheet, 0}, {memory_row, memory_sheet, 0}};
            status = mass_buffer_download_box(there, &c, error);
        }
    }
    free(stage);
    return status;
}

/* Clears the spare bits after the last place of each row, if the box has that: its ghosts, which share its last
 * byte. The box is packed, and its data was read. length: bytes of an element, one a component. */
static void clear_spare(const own_box *b, const mass_space_def *s, uint32_t length)
{
    const uint32_t last = (uint32_t)(s->size[0] % 8);
    if (last == 0 || b->origin[0] + b->extent[0] < (s->size[0] + 7) / 8) return;
    for (mass_gidx row = 1; row <= b->extent[1] * b->extent[2]; row++)
        for (uint32_t k = 1; k <= length; k++) b->data[row * b->extent[0] * length - k] &= (char)((1u << last) - 1);
}

/* Copies a box between this rank's partitions and the caller's data. Parts of other ranks are left out. A read of a
 * packed box clears its spare bits. */
static mass_status move_box(mass_domain *d, const own_box *b, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[b->attribute];
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    mass_status status = MASS_OK;
    for (int32_t i = 0; status == MASS_OK && i < d->partition_count; i++) {
        mass_partition *p = &d->partitions[a->space][i];
        mass_gidx first[3], extent[3];
        if (!intersect(b, &p->layout, first, extent)) continue;
        for (uint32_t k = 0; status == MASS_OK && k < arrays; k++)
            status = move_part(d, b, p, a->first_array + k, first, extent, error);
    }
    if (status == MASS_OK && b->packed && !b->write) clear_spare(b, &d->model->spaces[a->space], a->length);
    return status;
}

/* Marks an attribute's ghosts as stale on this rank. They are then filled before a callback reads them, and steps are
 * recorded again. */
static void forget_ghosts(mass_domain *d, uint32_t attribute)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const uint32_t arrays = a->layout == MASS_PLANES ? a->length : 1;
    for (int32_t i = 0; i < d->partition_count; i++)
        for (uint32_t k = 0; k < arrays; k++) {
            mass_array *array = &d->partitions[a->space][i].arrays[a->first_array + k];
            array->valid = 0;
            array->valid_depth = 0;
        }
    d->changes++; /* recordings may begin with valid ghosts */
}

/* Returns the places of a box in one world. */
static int64_t places_of(const mass_rpc_box *b) { return b->extent[0] * b->extent[1] * b->extent[2]; }

mass_status mass_domain_move_own(mass_domain *d, const mass_rpc_box *b, void *data, mass_error *error)
{
    const size_t world = (size_t)places_of(b) * mass_element_size(&d->model->attributes[b->attribute]);
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < b->worlds; w++) {
        const own_box one = {b->attribute, b->world + w, {b->origin[0], b->origin[1], b->origin[2]},
                         {b->extent[0], b->extent[1], b->extent[2]}, (char *)data + (size_t)w * world, b->write,
                         b->packed};
        status = move_box(d, &one, error);
    }
    if (b->write) forget_ghosts(d, b->attribute);
    return status;
}

/* ---- over ranks ---- */

/* One rank's portion of a box, which is contiguous in the box's data. */
typedef struct portion {
    mass_rpc_box box; /* its worlds count from the rank's first */
    int64_t first, count; /* elements of the box's data */
} portion;

/* Returns the part of a box that a rank holds. Its count is 0 if the rank holds none of it. */
static portion portion_of(const mass_domain *d, const mass_rpc_box *b, int32_t rank)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[b->attribute].space];
    const uint32_t axis = mass_slab_axis(s);
    portion p = {.box = *b};
    int64_t from, to, unit = 1;
    if (d->share.by_world) {
        from = mass_share_first_world(&d->share, rank);
        to = from + mass_share_worlds_of(&d->share, rank);
        p.box.world = b->world > from ? (int32_t)(b->world - from) : 0;
        from = (from > b->world ? from : b->world) - b->world;
        to = (to < b->world + b->worlds ? to : b->world + b->worlds) - b->world;
        p.box.worlds = to > from ? (int32_t)(to - from) : 0;
        unit = places_of(b);
    } else {
        const mass_gidx end = b->origin[axis] + b->extent[axis], each = axis == 0 && b->packed ? 8 : 1;
        from = mass_share_first_row(&d->share, s, rank) / each;
        to = (mass_share_first_row(&d->share, s, rank + 1) + each - 1) / each;
        p.box.origin[axis] = from > b->origin[axis] ? from : b->origin[axis];
        from = p.box.origin[axis] - b->origin[axis];
        to = (to < end ? to : end) - b->origin[axis];
        p.box.extent[axis] = to > from ? to - from : 0;
        for (uint32_t a = 0; a < axis; a++) unit *= b->extent[a];
    }
    p.first = to > from ? from * unit : 0;
    p.count = to > from ? (to - from) * unit : 0;
    return p;
}

/* Sets *out to a box of a portion's elements from element `done` on: as many contiguous elements as possible, at most
 * `most`, but at least one. Returns their number, 0 at the end. */
static int64_t next_piece(const portion *p, int64_t done, int64_t most, mass_rpc_box *out)
{
    const int64_t extent[4] = {p->box.extent[0], p->box.extent[1], p->box.extent[2], p->box.worlds};
    int64_t stride[4] = {1}, at[4];
    if (done >= p->count) return 0;
    for (int a = 1; a < 4; a++) stride[a] = stride[a - 1] * extent[a - 1];
    for (int a = 0; a < 4; a++) at[a] = done / stride[a] % extent[a];
    int cut = 3; /* the axis along which the box ends */
    while (cut > 0 && (done % stride[cut] != 0 || stride[cut] > most)) cut--;
    const int64_t fit = most / stride[cut] ? most / stride[cut] : 1, left = extent[cut] - at[cut];
    const int64_t count = fit < left ? fit : left;
    *out = p->box;
    for (int a = cut; a < 3; a++) {
        out->origin[a] += at[a];
        out->extent[a] = a == cut ? count : 1;
    }
    out->world += (int32_t)at[3];
    out->worlds = cut == 3 ? (int32_t)count : 1;
    return count * stride[cut];
}

int64_t mass_domain_stored_places(const mass_domain *d, uint32_t space, bool bits)
{
    int64_t places = 0;
    for (int32_t i = 0; i < d->partition_count; i++) {
        const mass_lidx *extent = d->partitions[space][i].layout.extent;
        places += (int64_t)(bits ? (extent[0] + 7) / 8 : extent[0]) * extent[1] * extent[2];
    }
    return places;
}

int64_t mass_domain_places(const mass_domain *d, uint32_t space) { return mass_domain_stored_places(d, space, false); }

mass_status mass_domain_move_run(mass_domain *d, const mass_rpc_box *b, int64_t first, int64_t count, void *data,
                                 mass_error *error)
{
    const portion p = {.box = *b, .count = b->worlds * places_of(b)};
    char *at = data;
    mass_status status = MASS_OK;
    for (int64_t done = first; status == MASS_OK && done < first + count;) {
        mass_rpc_box box;
        const int64_t chunk = next_piece(&p, done, first + count - done, &box);
        status = mass_domain_move_own(d, &box, at, error);
        at += (size_t)chunk * mass_element_size(&d->model->attributes[b->attribute]);
        done += chunk;
    }
    return status;
}

/* Returns the box of all worlds and places of an attribute that this rank has; bits are packed. */
static mass_rpc_box own_box_of(const mass_domain *d, uint32_t attribute, bool write)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[attribute].space];
    const bool packed = d->model->attributes[attribute].type == MASS_BIT;
    const mass_rpc_box all = {attribute, 0, d->share.worlds, write, packed, {0, 0, 0},
                               {packed ? (s->size[0] + 7) / 8 : s->size[0], s->size[1], s->size[2]}};
    return portion_of(d, &all, d->share.comm->rank).box;
}

mass_status mass_domain_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                 mass_error *error)
{
    const mass_rpc_box own = own_box_of(d, attribute, false);
    return mass_domain_move_run(d, &own, first, count, data, error);
}

mass_status mass_domain_write_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, const void *data,
                                  mass_error *error)
{
    const mass_rpc_box own = own_box_of(d, attribute, true);
    return mass_domain_move_run(d, &own, first, count, (void *)(uintptr_t)data, error);
}

/* A box that is moved from or to the memory of rank 0. */
typedef struct move {
    const mass_rpc_box *box;
    size_t size;  /* bytes of an element */
    char *data;   /* on rank 0: of the box; on others: of a chunk */
    int64_t *done; /* [ranks] elements of their portions that are done */
    mass_message *messages; /* [ranks] */
} move;

/* Does one round: moves a chunk of every other rank, each in a message of its own. Ranks whose portion is done have
 * none; *any: there was one. An error of this rank is kept in *own until all is moved. All ranks call it together. */
static mass_status move_pieces(mass_domain *d, move *m, bool *any, mass_status *own, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const bool write = m->box->write;
    mass_rpc_box box = {0};
    uint32_t count = 0;
    *any = false;
    for (int32_t r = 1; r < comm->size; r++) {
        mass_rpc_box its;
        const portion p = portion_of(d, m->box, r);
        const int64_t first = p.first + m->done[r];
        const int64_t chunk = next_piece(&p, m->done[r], (int64_t)mass_transfer_elements(m->size), &its);
        m->done[r] += chunk;
        *any |= chunk > 0;
        if (chunk == 0 || (comm->rank > 0 && comm->rank != r)) continue;
        char *at = comm->rank == 0 ? m->data + (size_t)first * m->size : m->data;
        m->messages[count++] = (mass_message){comm->rank == 0 ? r : 0, at, (size_t)chunk * m->size};
        box = its;
    }
    if (!*any) return MASS_OK;
    const bool moves = comm->rank > 0 && count > 0, sends = write == (comm->rank == 0);
    if (moves && !write && *own == MASS_OK) *own = mass_domain_move_own(d, &box, m->data, error);
    const mass_status status = comm->table->exchange(comm, m->messages, sends ? count : 0, m->messages,
                                                     sends ? 0 : count, error);
    if (moves && write && status == MASS_OK && *own == MASS_OK) *own = mass_domain_move_own(d, &box, m->data, error);
    return status;
}

/* Moves a box between rank 0's memory and all ranks, in chunks. It is of one world, unless ranks hold whole worlds.
 * Invalidates ghosts if it writes. All ranks call it. */
static mass_status move_over_ranks(mass_domain *d, const mass_rpc_box *b, void *data, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t size = mass_element_size(&d->model->attributes[b->attribute]), ranks = (size_t)comm->size;
    const portion mine = portion_of(d, b, comm->rank);
    const int64_t most = (int64_t)mass_transfer_elements(size), stage = mine.count < most ? mine.count : most;
    void *staged = comm->rank > 0 ? malloc((size_t)stage * size + 1) : NULL;
    move m = {b, size, comm->rank > 0 ? staged : data, calloc(ranks, sizeof *m.done),
              calloc(ranks, sizeof *m.messages)};
    mass_status status = MASS_OK, own = MASS_OK;
    if (!m.done || !m.messages || (comm->rank > 0 && !staged))
        own = mass_error_memory(error, (size_t)stage * size, "a copy of an attribute");
    if (comm->rank == 0 && own == MASS_OK)
        own = mass_domain_move_own(d, &mine.box, m.data + (size_t)mine.first * size, error);
    if (b->write) forget_ghosts(d, b->attribute);
    bool any = true;
    status = own = mass_rpc_agree(comm, own, error);
    while (status == MASS_OK && any) status = move_pieces(d, &m, &any, &own, error);
    free(staged);
    free(m.done);
    free(m.messages);
    return mass_rpc_agree(comm, status == MASS_OK ? own : status, error);
}

/* Moves a box between rank 0's data and all ranks, which all call it. If the space is divided, moves the worlds one by
 * one, since ranks have parts of each. */
static mass_status move_everywhere(mass_domain *d, const mass_rpc_box *b, char *data, mass_error *error)
{
    const size_t world = (size_t)places_of(b) * mass_element_size(&d->model->attributes[b->attribute]);
    mass_status status = MASS_OK;
    if (d->share.by_world) return move_over_ranks(d, b, data, error);
    for (int32_t w = 0; status == MASS_OK && w < b->worlds; w++) {
        mass_rpc_box one = *b;
        one.world += w;
        one.worlds = 1;
        status = move_over_ranks(d, &one, data ? data + (size_t)w * world : NULL, error);
    }
    return status;
}

/* Checks that a box is within its space and worlds. MASS_BAD_PLUGIN if it is not, or has no world. It may have no
 * places. */
static mass_status check_box(const mass_domain *d, const mass_rpc_box *b, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[b->attribute];
    const mass_gidx *all = d->model->spaces[a->space].size;
    for (int k = 0; k < 3; k++) {
        const mass_gidx size = k == 0 && b->packed ? (all[0] + 7) / 8 : all[k];
        if (b->origin[k] < 0 || b->extent[k] < 0 || b->extent[k] > size || b->origin[k] > size - b->extent[k])
            return mass_error_set(error, MASS_BAD_PLUGIN, "a box of attribute %s reaches outside its space", a->name);
    }
    if (b->world < 0 || b->worlds < 1 || b->world > d->share.worlds - b->worlds)
        return mass_error_set(error, MASS_BAD_PLUGIN, "there is no world %d", b->world);
    return MASS_OK;
}

mass_status mass_domain_move(mass_domain *d, const mass_rpc_box *b, void *data, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_status status = check_box(d, b, error);
    if (status != MASS_OK) return status;
    if (comm->size == 1) return mass_domain_move_own(d, b, data, error);
    status = mass_rpc_tell(comm, MASS_RPC_MOVE, b, sizeof *b, error);
    return status == MASS_OK ? move_everywhere(d, b, data, error) : status;
}

/* Returns a box of one attribute in one world, not packed. */
static mass_rpc_box make_box(uint32_t attribute, int32_t world, const mass_gidx origin[3], const mass_gidx extent[3],
                              bool write)
{
    return (mass_rpc_box){attribute, world, 1, write, false, {origin[0], origin[1], origin[2]},
                           {extent[0], extent[1], extent[2]}};
}

mass_status mass_domain_read(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                             const mass_gidx extent[3], void *data, mass_error *error)
{
    const mass_rpc_box b = make_box(attribute, world, origin, extent, false);
    return mass_domain_move(d, &b, data, error);
}

mass_status mass_domain_write(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                              const mass_gidx extent[3], const void *data, mass_error *error)
{
    const mass_rpc_box b = make_box(attribute, world, origin, extent, true);
    return mass_domain_move(d, &b, (void *)(uintptr_t)data, error);
}
