/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a cut make the same list of what crosses it: by the rank that takes it, its partitions and their layers
 * of ghosts. Between two ranks that is one order, in which the sender packs and the receiver unpacks, also where a
 * torus makes either the other's neighbour on both sides. */
#include "halo/exchange.h"
#include "halo/map.h"

#include <stdlib.h>

enum { ALIGNMENT = 16 }; /* of a box in a message, so that whatever it consists of can be added there */

/* Layers of a partition of this rank that go to another rank, or come from it. */
typedef struct crossing {
    int32_t rank;
    const mass_partition *partition;
    mass_lidx at;
    int32_t count;
} crossing;

typedef struct crossings {
    crossing *list; /* [count] by rank */
    uint32_t count;
} crossings;

/* How much crosses in one direction. */
typedef struct amount {
    int64_t boxes, layers;
} amount;

/* One space, with ghosts so deep. */
typedef struct cut {
    uint32_t space;
    int32_t reach;
    crossings places; /* of this rank, that ghosts of others show */
    crossings ghosts; /* of this rank, that show places of others */
    amount most;      /* of any rank, in either direction */
} cut;

/* Memory that messages are packed in. */
typedef struct parcel {
    mass_buffer packed;
    void *staged; /* host memory, where the device's is not the host's */
    size_t room;
    mass_message *messages; /* [message_room] */
    uint32_t message_count, message_room;
} parcel;

struct mass_cuts {
    cut *list; /* [count] that were needed so far */
    uint32_t count;
    parcel out, in;
};

/* ---- what crosses ---- */

static mass_status add_crossing(crossings *to, crossing c, mass_error *error)
{
    crossing *list = realloc(to->list, (to->count + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, (to->count + 1) * sizeof *list, "the cuts between ranks");
    to->list = list;
    list[to->count++] = c;
    return MASS_OK;
}

static void add_amount(amount *to, const mass_seam *s) { *to = (amount){to->boxes + 1, to->layers + s->count}; }

/* The seams of partition `index` of all, of rank `taker`, as far as they cross a cut of this rank's. amounts: what
 * every rank gives, and then takes. */
static mass_status find_crossings(const mass_domain *d, cut *c, int32_t index, amount (*amounts)[2], mass_error *error)
{
    const int32_t own = d->share.comm->rank, taker = index / d->partition_count;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[c->space]);
    mass_status status = MASS_OK;
    mass_seam s;
    for (int32_t done = 0; status == MASS_OK && mass_seam_next(d, c->space, axis, index, c->reach, &done, &s);) {
        const int32_t giver = s.owner / d->partition_count;
        if (giver == taker) continue;
        add_amount(&amounts[giver][0], &s);
        add_amount(&amounts[taker][1], &s);
        if (giver != own && taker != own) continue;
        const mass_partition *p = mass_seam_partition(d, c->space, giver == own ? s.owner : index);
        if (giver == own) status = add_crossing(&c->places, (crossing){taker, p, s.place, s.count}, error);
        else status = add_crossing(&c->ghosts, (crossing){giver, p, s.ghost, s.count}, error);
    }
    return status;
}

/* What this rank takes is found in the order of its own partitions and layers, and is put in that of ranks. */
static int by_rank(const void *a, const void *b)
{
    const crossing *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->partition != y->partition) return x->partition < y->partition ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static amount most_of(amount (*amounts)[2], int32_t ranks)
{
    amount most = {0};
    for (int32_t i = 0; i < 2 * ranks; i++) {
        const amount *a = &amounts[i / 2][i % 2];
        if (a->boxes > most.boxes) most.boxes = a->boxes;
        if (a->layers > most.layers) most.layers = a->layers;
    }
    return most;
}

static mass_status make_cut(const mass_domain *d, uint32_t space, int32_t reach, cut *out, mass_error *error)
{
    const size_t ranks = (size_t)d->share.comm->size;
    cut c = {.space = space, .reach = reach};
    amount (*amounts)[2] = calloc(ranks, sizeof *amounts);
    mass_status status = amounts ? MASS_OK : mass_error_memory(error, ranks * sizeof *amounts, "the cuts");
    for (int32_t i = 0; status == MASS_OK && i < d->share.partitions; i++)
        status = find_crossings(d, &c, i, amounts, error);
    if (status == MASS_OK) c.most = most_of(amounts, d->share.comm->size);
    free(amounts);
    if (status == MASS_OK) {
        if (c.ghosts.count) qsort(c.ghosts.list, c.ghosts.count, sizeof *c.ghosts.list, by_rank);
        *out = c;
        return MASS_OK;
    }
    free(c.places.list);
    free(c.ghosts.list);
    return status;
}

/* The cut of that space, so deep; *out holds until the next call. */
static mass_status find_cut(mass_domain *d, uint32_t space, int32_t reach, const cut **out, mass_error *error)
{
    mass_cuts *all = d->cuts ? d->cuts : calloc(1, sizeof *all);
    if (!all) return mass_error_memory(error, sizeof *all, "the cuts between ranks");
    d->cuts = all;
    for (uint32_t i = 0; i < all->count; i++) {
        *out = &all->list[i];
        if (all->list[i].space == space && all->list[i].reach == reach) return MASS_OK;
    }
    cut *list = realloc(all->list, (all->count + 1) * sizeof *list);
    if (!list) return mass_error_memory(error, (all->count + 1) * sizeof *list, "the cuts between ranks");
    all->list = list;
    const mass_status status = make_cut(d, space, reach, &list[all->count], error);
    if (status == MASS_OK) *out = &list[all->count++];
    return status;
}

static void free_parcel(parcel *p)
{
    mass_buffer_release(&p->packed);
    free(p->staged);
    free(p->messages);
}

void mass_cuts_free(mass_domain *d)
{
    if (!d->cuts) return;
    for (uint32_t i = 0; i < d->cuts->count; i++) {
        free(d->cuts->list[i].places.list);
        free(d->cuts->list[i].ghosts.list);
    }
    free_parcel(&d->cuts->out);
    free_parcel(&d->cuts->in);
    free(d->cuts->list);
    free(d->cuts);
    d->cuts = NULL;
}

/* ---- messages ---- */

/* What is done to each box of a message, which begins at byte `offset` of all of them. */
typedef mass_status on_box(mass_domain *d, uint32_t array, const mass_layers *layers, parcel *p, size_t offset,
                           mass_error *error);

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Goes over the boxes of all messages. */
static mass_status for_boxes(mass_domain *d, const crossings *all, const uint32_t *arrays, uint32_t count,
                             bool corners, on_box *does, parcel *p, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[arrays[0]].attribute].space;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[space]);
    mass_status status = MASS_OK;
    size_t offset = 0;
    for (uint32_t i = 0; status == MASS_OK && i < all->count; i++) {
        const crossing *c = &all->list[i];
        for (uint32_t k = 0; status == MASS_OK && k < count; k++) {
            const mass_layers l = mass_layers_of(d, arrays[k], axis, corners, c->partition, c->at, c->count);
            status = does(d, arrays[k], &l, p, offset, error);
            offset += aligned(mass_layers_bytes(&l));
        }
    }
    return status;
}

/* Makes room for a list of messages, which is empty then. */
static mass_status make_list(parcel *p, uint32_t most, mass_error *error)
{
    p->message_count = 0;
    if (p->message_room >= most) return MASS_OK;
    mass_message *messages = realloc(p->messages, most * sizeof *messages);
    if (!messages) return mass_error_memory(error, most * sizeof *messages, "what ranks exchange");
    p->messages = messages;
    p->message_room = most;
    return MASS_OK;
}

/* Makes the list of messages, with their lengths. */
static mass_status size_messages(mass_domain *d, const crossings *all, const uint32_t *arrays, uint32_t count,
                                 bool corners, parcel *p, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[arrays[0]].attribute].space;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[space]), most = (uint32_t)d->share.comm->size;
    const mass_status status = make_list(p, most, error);
    if (status != MASS_OK) return status;
    for (uint32_t i = 0; i < all->count; i++) {
        const crossing *c = &all->list[i];
        if (i == 0 || c->rank != c[-1].rank) p->messages[p->message_count++] = (mass_message){c->rank, NULL, 0};
        for (uint32_t k = 0; k < count; k++) {
            const mass_layers l = mass_layers_of(d, arrays[k], axis, corners, c->partition, c->at, c->count);
            p->messages[p->message_count - 1].bytes += aligned(mass_layers_bytes(&l));
        }
    }
    return MASS_OK;
}

static size_t bytes_of(const parcel *p)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < p->message_count; i++) bytes += p->messages[i].bytes;
    return bytes;
}

/* Whether messages go from device to device, or from the host's memory, which may be the device's. */
static bool is_staged(const mass_domain *d) { return !d->share.link && !d->device->table->memory->in_host_memory; }

/* What the messages of any rank take at most. */
static size_t room_of(const mass_domain *d, const cut *c, const uint32_t *arrays, uint32_t count, bool corners)
{
    const uint32_t axis = mass_slab_axis(&d->model->spaces[c->space]);
    size_t room = 0;
    for (uint32_t k = 0; k < count; k++) {
        const mass_layers one = mass_layers_of(d, arrays[k], axis, corners, d->partitions[c->space], 0, 1);
        room += (size_t)c->most.layers * mass_layers_bytes(&one) + (size_t)c->most.boxes * ALIGNMENT;
    }
    return room;
}

/* Memory for all messages, one behind the other. All ranks make room for what the one with the most of them needs: what
 * was recorded uses the memory that was there before, and ranks have to record anew after the same step. */
static mass_status make_room(mass_domain *d, size_t bytes, parcel *p, mass_error *error)
{
    if (bytes > p->room) {
        p->room = 0;
        d->changes++;
        mass_buffer_release(&p->packed);
        free(p->staged);
        p->staged = is_staged(d) ? malloc(bytes) : NULL;
        if (is_staged(d) && !p->staged) return mass_error_memory(error, bytes, "what ranks exchange");
        const mass_status status = mass_buffer_allocate(d->device, bytes, &p->packed, error);
        if (status != MASS_OK) return status;
        p->room = bytes;
    }
    char *at = is_staged(d) ? p->staged : p->packed.address;
    for (uint32_t i = 0; i < p->message_count; i++) {
        p->messages[i].data = at;
        at += p->messages[i].bytes;
    }
    return MASS_OK;
}

static mass_status prepare(mass_domain *d, const crossings *all, size_t room, const uint32_t *arrays, uint32_t count,
                           bool corners, parcel *p, mass_error *error)
{
    const mass_status status = size_messages(d, all, arrays, count, corners, p, error);
    return status == MASS_OK ? make_room(d, room, p, error) : status;
}

static mass_status pack(mass_domain *d, uint32_t array, const mass_layers *layers, parcel *p, size_t offset,
                        mass_error *error)
{
    (void)array;
    const mass_layers there = mass_layers_packed(layers, (char *)p->packed.address + offset);
    return mass_layers_move(d->device, &there, layers, error);
}

static mass_status unpack(mass_domain *d, uint32_t array, const mass_layers *layers, parcel *p, size_t offset,
                          mass_error *error)
{
    (void)array;
    const mass_layers there = mass_layers_packed(layers, (char *)p->packed.address + offset);
    return mass_layers_move(d->device, layers, &there, error);
}

static mass_status unpack_sums(mass_domain *d, uint32_t array, const mass_layers *layers, parcel *p, size_t offset,
                               mass_error *error)
{
    const mass_layers there = mass_layers_packed(layers, (char *)p->packed.address + offset);
    const mass_strided sums = mass_layers_copy(layers, &there);
    return d->device->table->memory->add(d->device, &sums, d->model->arrays[array].element_size, error);
}

/* The messages from one rank's memory to another's: from device to device, or by way of the hosts. */
static mass_status carry(mass_domain *d, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_link *link = d->share.link;
    parcel *out = &d->cuts->out, *in = &d->cuts->in;
    if (link)
        return link->table->exchange(link, out->messages, out->message_count, in->messages, in->message_count, error);
    mass_status status = is_staged(d) ? mass_buffer_download(out->packed, out->staged, bytes_of(out), error)
                                      : d->device->table->launch->synchronise(d->device, error);
    if (status == MASS_OK)
        status = comm->table->exchange(comm, out->messages, out->message_count, in->messages, in->message_count, error);
    return status == MASS_OK && is_staged(d) ? mass_buffer_upload(in->packed, in->staged, bytes_of(in), error) : status;
}

/* ---- without packing ---- */

/* Layers of one world lie together on both sides of a link, but for what lies between rows, which nobody reads and
 * which goes with them: each array's is a message of its own. */
static bool goes_as_it_lies(const mass_domain *d, const mass_space_def *s)
{
    return d->share.link && d->share.worlds == 1 && mass_share_every(s) == 1; /* else runs of bits */
}

static mass_message message_of(const crossing *c, const mass_layers *l)
{
    mass_message m = {c->rank, l->at, l->bytes};
    for (int i = 0; i < 3; i++) m.bytes += (size_t)((l->count[i] - 1) * l->stride[i]);
    return m;
}

/* The same in whole words of memory, which links move several times as fast as others: what lies in them beside the
 * layers is between rows, where nobody reads. Rows of all ranks begin in the same place of a word if they do so in one
 * array. */
static void widen(mass_message *m, int64_t pitch)
{
    const size_t before = (uintptr_t)m->data % MASS_LAYOUT_WIDE;
    if (pitch % MASS_LAYOUT_WIDE != 0) return;
    m->data = (char *)m->data - before;
    m->bytes = (m->bytes + before + MASS_LAYOUT_WIDE - 1) / MASS_LAYOUT_WIDE * MASS_LAYOUT_WIDE;
}

static mass_status list_layers(mass_domain *d, const crossings *all, const uint32_t *arrays, uint32_t count,
                               parcel *p, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[arrays[0]].attribute].space;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[space]);
    const mass_status status = make_list(p, all->count * count, error);
    for (uint32_t i = 0; status == MASS_OK && i < all->count; i++)
        for (uint32_t k = 0; k < count; k++) {
            const crossing *c = &all->list[i];
            const mass_layers l = mass_layers_of(d, arrays[k], axis, true, c->partition, c->at, c->count);
            mass_message m = message_of(c, &l);
            if (axis > 0) widen(&m, mass_array_bytes(&d->model->arrays[arrays[k]], c->partition->layout.pitch));
            p->messages[p->message_count++] = m;
        }
    return status;
}

static mass_status cross_as_it_lies(mass_domain *d, const crossings *give, const crossings *take,
                                    const uint32_t *arrays, uint32_t count, mass_error *error)
{
    mass_status status = list_layers(d, give, arrays, count, &d->cuts->out, error);
    if (status == MASS_OK) status = list_layers(d, take, arrays, count, &d->cuts->in, error);
    return status == MASS_OK ? carry(d, error) : status;
}

/* ---- both ---- */

static mass_status cross(mass_domain *d, const cut *c, bool back, size_t room, const uint32_t *arrays, uint32_t count,
                         bool corners, on_box *unpacks, mass_error *error)
{
    const crossings *give = back ? &c->ghosts : &c->places, *take = back ? &c->places : &c->ghosts;
    parcel *out = &d->cuts->out, *in = &d->cuts->in;
    mass_status status = prepare(d, give, room, arrays, count, corners, out, error);
    if (status == MASS_OK) status = prepare(d, take, room, arrays, count, corners, in, error);
    if (status == MASS_OK) status = for_boxes(d, give, arrays, count, corners, pack, out, error);
    if (status == MASS_OK) status = carry(d, error);
    return status == MASS_OK ? for_boxes(d, take, arrays, count, corners, unpacks, in, error) : status;
}

/* Where steps are recorded, no memory can be had in the middle: there is room for all ghosts at once, although fewer
 * may go across at first. */
static mass_status find_room(mass_domain *d, uint32_t space, int32_t reach, const uint32_t *arrays, uint32_t count,
                             size_t *out, mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[space];
    const cut *c = NULL;
    const int32_t most = d->device->table->record ? s->ghost[mass_slab_axis(s)] : reach;
    const mass_status status = find_cut(d, space, most, &c, error);
    if (status == MASS_OK) *out = room_of(d, c, arrays, count, true);
    return status;
}

mass_status mass_cuts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                               mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[arrays[0]].attribute].space;
    const mass_space_def *s = &d->model->spaces[space];
    const bool packed = !goes_as_it_lies(d, s);
    const cut *c = NULL;
    size_t room = 0;
    mass_status status = MASS_OK;
    if (packed) status = find_room(d, space, reach, arrays, count, &room, error);
    if (status == MASS_OK) status = find_cut(d, space, reach, &c, error);
    if (status != MASS_OK) return status;
    return packed ? cross(d, c, false, room, arrays, count, true, unpack, error)
                  : cross_as_it_lies(d, &c->places, &c->ghosts, arrays, count, error);
}

mass_status mass_cuts_add(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[arrays[0]].attribute].space;
    const cut *c = NULL;
    const mass_status status = find_cut(d, space, reach, &c, error);
    if (status != MASS_OK) return status;
    return cross(d, c, true, room_of(d, c, arrays, count, false), arrays, count, false, unpack_sums, error);
}
