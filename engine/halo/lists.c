/* SPDX-License-Identifier: Apache-2.0 */
/* A unit is an entry of an index: the index has the numbers of elements within their arrays. The rank that has copies
 * tells the owners which elements these are, sorted by its own part and by the owning part, and both sides keep that
 * order. */
#include "halo/lists.h"
#include "halo/exchange.h"
#include "ranks/rpc.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ALIGNMENT = 16 };

struct mass_list_halo {
    mass_halo halo;
    mass_buffer owned, copies; /* uint32_t[] the index of each side */
    int64_t *extent; /* [partition_count] elements that each partition owns, then elements that it has copies of */
};

/* The state while a halo is made. */
typedef struct making {
    mass_domain *d;
    const int64_t *first;
    const mass_list_copies *copies;
    size_t ranks, parts;
    int64_t *asks, *asked; /* [ranks][parts with copies][owning parts] numbers of elements: requested by this rank; from
                              it */
    mass_message *messages; /* [2 * ranks] */
    uint32_t *slots, *wanted; /* of the copies: their positions, by requesting and owning part; their numbers at the
                                 owner, by rank */
    uint32_t *given;          /* numbers of this rank's elements that others copy, by rank */
    int64_t copied, owned;    /* lengths of slots, and of given */
    mass_list_halo *list;
} making;

/* ---- requests ---- */

/* Returns the part, counted over all ranks, that owns an element; -1: none. */
static int32_t owner_of(const making *m, int64_t element)
{
    int32_t low = 0, high = m->d->share.partitions;
    if (element < m->first[0] || element >= m->first[high]) return -1;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (m->first[middle] <= element) low = middle;
        else high = middle;
    }
    return low;
}

/* Returns the index of a part in arrays over all ranks and their parts. If ranks hold whole worlds, the part is one of
 * this rank. */
static size_t part_by_rank(const making *m, int32_t part)
{
    return (size_t)m->d->share.comm->rank * m->parts + (size_t)(part - m->d->share.first_partition);
}

/* Returns this rank's number of elements that its part `taker` copies from part `giver` of any rank. */
static int64_t *ask_of(const making *m, size_t taker, size_t giver)
{
    return &m->asks[(giver / m->parts * m->parts + taker) * m->parts + giver % m->parts];
}

/* Counts the elements that this rank copies, by part and owner, in m->asks, and all in m->copied. MASS_BAD_USAGE if an
 * element does not exist. */
static mass_status count_asks(making *m, mass_error *error)
{
    const int64_t all = m->first[m->d->share.partitions];
    for (size_t p = 0; p < m->parts; p++)
        for (int64_t i = 0; i < m->copies[p].count; i++) {
            const int64_t element = m->copies[p].element[i];
            const int32_t owner = owner_of(m, element);
            if (owner < 0)
                return mass_error_set(error, MASS_BAD_USAGE, "a list names element %" PRId64 ", but there are only %"
                                      PRId64, element, all);
            ++*ask_of(m, p, part_by_rank(m, owner));
            m->copied++;
        }
    return MASS_OK;
}

/* Lists the positions of all copies by requesting part and owner, m->slots, and the elements by rank, part and owner,
 * m->wanted. They must be counted. */
static mass_status list_asks(making *m, mass_error *error)
{
    const size_t all = m->ranks * m->parts, room = (size_t)m->copied + 1;
    int64_t *at = malloc(2 * all * m->parts * sizeof *at), *to = at ? at + all * m->parts : NULL;
    m->slots = malloc(room * sizeof *m->slots);
    m->wanted = malloc(room * sizeof *m->wanted);
    if (!at || !m->slots || !m->wanted) {
        free(at);
        return mass_error_memory(error, room * 2 * sizeof *m->slots, "a list");
    }
    for (size_t p = 0, used = 0; p < m->parts; p++)
        for (size_t q = 0; q < all; q++) {
            at[p * all + q] = (int64_t)used;
            used += (size_t)*ask_of(m, p, q);
        }
    for (size_t i = 0, used = 0; i < all * m->parts; i++) { /* in the order of `asks` */
        const size_t rank = i / (m->parts * m->parts), p = i / m->parts % m->parts, q = rank * m->parts + i % m->parts;
        to[p * all + q] = (int64_t)used;
        used += (size_t)m->asks[i];
    }
    for (size_t p = 0; p < m->parts; p++)
        for (int64_t i = 0; i < m->copies[p].count; i++) {
            const int32_t owner = owner_of(m, m->copies[p].element[i]);
            const size_t pair = p * all + part_by_rank(m, owner);
            m->slots[at[pair]++] = m->copies[p].slot ? m->copies[p].slot[i] : (uint32_t)i;
            m->wanted[to[pair]++] = (uint32_t)(m->copies[p].element[i] - m->first[owner]);
        }
    free(at);
    return MASS_OK;
}

/* Exchanges numbers of elements, and then the elements, between all ranks. Sets which of its elements this rank
 * gives: m->asked, m->given and m->owned. All ranks call it together. */
static mass_status ask_owners(making *m, mass_error *error)
{
    mass_comm *comm = m->d->share.comm;
    const size_t table = m->parts * m->parts;
    mass_message *out = m->messages, *in = out + m->ranks;
    for (size_t r = 0; r < m->ranks; r++) {
        out[r] = (mass_message){(int32_t)r, m->asks + r * table, table * sizeof *m->asks};
        in[r] = (mass_message){(int32_t)r, m->asked + r * table, table * sizeof *m->asked};
    }
    mass_status status = comm->table->all_to_all(comm, out, in, error);
    for (size_t i = 0; status == MASS_OK && i < m->ranks * table; i++) m->owned += m->asked[i];
    if (status == MASS_OK) m->given = malloc(((size_t)m->owned + 1) * sizeof *m->given);
    if (status == MASS_OK && !m->given)
        status = mass_error_memory(error, (size_t)m->owned * sizeof *m->given, "a list");
    status = mass_rpc_agree(comm, status, error);
    if (status != MASS_OK) return status;
    uint32_t *want = m->wanted, *give = m->given;
    for (size_t r = 0; r < m->ranks; r++) {
        int64_t sent = 0, received = 0;
        for (size_t i = 0; i < table; i++) sent += m->asks[r * table + i], received += m->asked[r * table + i];
        out[r] = (mass_message){(int32_t)r, want, (size_t)sent * sizeof *want};
        in[r] = (mass_message){(int32_t)r, give, (size_t)received * sizeof *give};
        want += sent, give += received;
    }
    return comm->table->all_to_all(comm, out, in, error);
}

/* ---- runs ---- */

/* Adds the runs of a halo: of copies that this rank asks for, and of elements that it owns and others ask for. There
 * is one for each pair of parts that has elements. */
static mass_status add_runs(making *m, mass_error *error)
{
    mass_halo *h = &m->list->halo;
    const size_t all = m->ranks * m->parts;
    int64_t first = 0;
    mass_status status = MASS_OK;
    for (size_t p = 0; p < m->parts; p++)
        for (size_t q = 0; status == MASS_OK && q < all; q++) {
            const mass_halo_run run = {(int32_t)(q / m->parts), (int32_t)p, true, first, *ask_of(m, p, q)};
            if (run.count) status = mass_halo_add(&h->copies, &run, error);
            first += run.count;
        }
    first = 0;
    for (size_t i = 0; status == MASS_OK && i < m->parts * all; i++) { /* by rank, its part, and part of this rank */
        const mass_halo_run run = {(int32_t)(i / m->parts / m->parts), (int32_t)(i % m->parts), false, first,
                                   m->asked[i]};
        if (run.count) status = mass_halo_add(&h->owned, &run, error);
        first += run.count;
    }
    return status;
}

/* Sets the most runs and units that any rank exchanges in one direction. All ranks call it. */
static mass_status find_most(making *m, mass_error *error)
{
    mass_halo *h = &m->list->halo;
    mass_comm *comm = m->d->share.comm;
    int64_t most[2] = {h->owned.count > h->copies.count ? h->owned.count : h->copies.count,
                       m->owned > m->copied ? m->owned : m->copied};
    const mass_status status = comm->table->all_reduce(comm, MASS_REDUCE_MOST, most, 2, error);
    h->most_runs = most[0];
    h->most_units = most[1];
    return status;
}

/* Allocates device memory for an index, and copies the index to it. */
static mass_status upload(making *m, const uint32_t *index, int64_t count, mass_buffer *to, mass_error *error)
{
    const size_t bytes = (size_t)count * sizeof *index;
    const mass_status status = mass_buffer_allocate(m->d->device, bytes + 1, to, error);
    return status == MASS_OK && bytes ? mass_buffer_upload(*to, index, bytes, error) : status;
}

/* Makes the halo from the lists: its runs, and both indices on the device. */
static mass_status complete(making *m, mass_error *error)
{
    mass_list_halo *list = m->list;
    for (size_t p = 0; p < m->parts; p++) {
        const int32_t part = m->d->share.first_partition + (int32_t)p;
        list->extent[p] = m->first[part + 1] - m->first[part];
        list->extent[m->parts + p] = m->copies[p].count;
    }
    mass_status status = add_runs(m, error);
    mass_halo_sort(&list->halo.copies, m->d->share.comm->rank);
    if (status == MASS_OK) status = upload(m, m->given, m->owned, &list->owned, error);
    return status == MASS_OK ? upload(m, m->slots, m->copied, &list->copies, error) : status;
}

/* Allocates what making a halo needs, and lists the elements that this rank copies. Sends nothing yet. */
static mass_status begin(making *m, mass_error *error)
{
    const size_t table = m->ranks * m->parts * m->parts;
    m->asks = calloc(2 * table, sizeof *m->asks);
    m->asked = m->asks ? m->asks + table : NULL;
    m->messages = calloc(2 * m->ranks, sizeof *m->messages);
    m->list = calloc(1, sizeof *m->list);
    if (m->list) m->list->extent = calloc(2 * m->parts, sizeof *m->list->extent);
    if (!m->asks || !m->messages || !m->list || !m->list->extent)
        return mass_error_memory(error, 2 * table * sizeof *m->asks, "a list");
    const mass_status status = count_asks(m, error);
    return status == MASS_OK ? list_asks(m, error) : status;
}

mass_status mass_list_halo_make(mass_domain *d, const int64_t *first, const mass_list_copies *copies,
                                mass_list_halo **out, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    making m = {.d = d, .first = first, .copies = copies, .ranks = (size_t)comm->size,
                .parts = (size_t)d->partition_count};
    mass_status status = mass_rpc_agree(comm, begin(&m, error), error);
    if (status == MASS_OK) status = ask_owners(&m, error);
    if (status == MASS_OK) status = mass_rpc_agree(comm, complete(&m, error), error);
    if (status == MASS_OK) status = find_most(&m, error);
    free(m.asks);
    free(m.messages);
    free(m.slots);
    free(m.wanted);
    free(m.given);
    if (status == MASS_OK) *out = m.list;
    else mass_list_halo_free(m.list);
    return status;
}

void mass_list_halo_free(mass_list_halo *list)
{
    if (!list) return;
    mass_halo_free(&list->halo);
    mass_buffer_release(&list->owned);
    mass_buffer_release(&list->copies);
    free(list->extent);
    free(list);
}

/* ---- values ---- */

/* Arrays of a list. */
typedef struct lists {
    const mass_list_halo *list;
    const mass_list_values *values;
    bool combine;
} lists;

/* Returns the values of a column. Columns are the worlds of the first array, then those of the next. */
static const mass_list_values *values_of(const mass_halo_values *v, uint32_t column)
{
    return &((const lists *)v->context)->values[column / (uint32_t)v->d->worlds];
}

/* Returns the bytes of a run's values in one column. */
static size_t bytes(const mass_halo_values *v, const mass_halo_run *run, uint32_t column)
{
    return (size_t)run->count * values_of(v, column)->size;
}

/* Returns the indexed elements of a run, in a world; the caller sets `to` and `from`. *values: the world's values in
 * the run's array. */
static mass_indexed indexed_of(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, char **values)
{
    const mass_list_halo *list = ((const lists *)v->context)->list;
    const mass_list_values *all = values_of(v, column);
    const int64_t world = column % (uint32_t)v->d->worlds;
    const int64_t stride = run->copies ? all->copies_stride : all->owned_stride;
    const int64_t extent = stride ? stride : list->extent[(run->copies ? v->d->partition_count : 0) + run->part];
    const uint32_t *index = (run->copies ? list->copies : list->owned).address;
    *values = (char *)(run->copies ? all->copies : all->owned)[run->part].address + world * extent * (int64_t)all->size;
    return (mass_indexed){.index = index + run->first, .count = run->count, .size = all->size};
}

/* Gathers the values of a run, in one column, into a message. Queued. */
static mass_status pack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, void *to,
                        mass_error *error)
{
    char *values;
    mass_indexed g = indexed_of(v, run, column, &values);
    g.to = to, g.from = values;
    return v->d->device->table->memory->gather(v->d->device, &g, error);
}

/* Scatters received values of a run to the copies, or combines them with the owners' values. Queued. */
static mass_status unpack(const mass_halo_values *v, const mass_halo_run *run, uint32_t column, const void *from,
                          mass_error *error)
{
    char *values;
    mass_indexed s = indexed_of(v, run, column, &values);
    const mass_combination *how = ((const lists *)v->context)->combine ? &values_of(v, column)->how : NULL;
    s.to = values, s.from = from;
    return v->d->device->table->memory->scatter(v->d->device, &s, how, error);
}

static const mass_halo_kind kind = {.alignment = ALIGNMENT, .bytes = bytes, .pack = pack, .unpack = unpack};

/* Describes the exchange of some arrays, with room in each direction for any rank's messages. */
static mass_halo_values halo_values(mass_domain *d, const lists *l, uint32_t count)
{
    size_t room = 0;
    for (uint32_t i = 0; i < count; i++)
        room += ((size_t)l->list->halo.most_units * l->values[i].size +
                 (size_t)l->list->halo.most_runs * ALIGNMENT) * (size_t)d->worlds;
    return (mass_halo_values){&kind, d, count * (uint32_t)d->worlds, .recorded = true, .room = room, .context = l};
}

mass_status mass_list_refresh(mass_domain *d, const mass_list_halo *list, const mass_list_values *values,
                              uint32_t count, mass_error *error)
{
    const lists l = {list, values, false};
    const mass_halo_values v = halo_values(d, &l, count);
    return mass_halo_refresh(&list->halo, &v, error);
}

mass_status mass_list_combine(mass_domain *d, const mass_list_halo *list, const mass_list_values *values,
                              uint32_t count, mass_error *error)
{
    const lists l = {list, values, true};
    const mass_halo_values v = halo_values(d, &l, count);
    return mass_halo_combine(&list->halo, &v, error);
}
