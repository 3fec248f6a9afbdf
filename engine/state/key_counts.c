/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key of the run. Each rank counts in its slab, or in the worlds that it holds. Rank 0 merges the lists of
 * all ranks when they are read. A message has one list after the other: the number of keys, the bytes of texts, the
 * keys, the counts, and these bytes. */
#include "state/key_counts.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_keys_of_domain_create(mass_domain *d, mass_error *error)
{
    const mass_model *m = d->model;
    mass_status status = MASS_OK;
    d->key_counts = calloc(m->tally_count + 1, sizeof *d->key_counts);
    if (!d->key_counts) return mass_error_memory(error, m->tally_count * sizeof *d->key_counts, "the keys of tallies");
    for (uint32_t i = 0; status == MASS_OK && i < m->tally_count; i++)
        if (m->tallies[i].keys)
            status = d->device->table->keys->create(d->device, m->tallies[i].keys == MASS_KEYS_TEXTS, d->worlds,
                                                    &d->key_counts[i], error);
    return status;
}

void mass_keys_of_domain_free(mass_domain *d)
{
    for (uint32_t i = 0; d->key_counts && i < d->model->tally_count; i++)
        if (d->key_counts[i]) d->device->table->keys->free(d->device, d->key_counts[i]);
    free(d->key_counts);
}

/* ---- lists of one rank ---- */

/* Lists of one tally in some worlds of the run. */
typedef struct span {
    uint32_t tally;
    int32_t first, count; /* worlds */
    mass_key_list *lists; /* [count] */
} span;

/* Returns the number of a world among those that a rank holds; -1: the rank does not hold it. */
static int32_t held_by(const mass_domain *d, int32_t rank, int32_t world)
{
    const int32_t own = world - mass_share_first_world(&d->share, rank);
    return own >= 0 && own < mass_share_worlds_of(&d->share, rank) ? own : -1;
}

/* Reads the lists of the span's worlds that this rank holds. Others stay as they are. */
static mass_status read_own(mass_domain *d, const span *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < s->count; w++) {
        const int32_t own = held_by(d, d->share.comm->rank, s->first + w);
        if (own >= 0)
            status = d->device->table->keys->read(d->device, d->key_counts[s->tally], own, &s->lists[w], error);
    }
    return status;
}

/* Replaces the counts of the span's worlds that this rank holds by their lists. */
static mass_status write_own(mass_domain *d, const span *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < s->count; w++) {
        const int32_t own = held_by(d, d->share.comm->rank, s->first + w);
        if (own >= 0)
            status = d->device->table->keys->write(d->device, d->key_counts[s->tally], own, &s->lists[w], error);
    }
    return status;
}

/* Frees the lists of all worlds, but not the array of lists. */
static void free_lists(const span *s)
{
    for (int32_t w = 0; s->lists && w < s->count; w++) mass_key_list_free(&s->lists[w]);
}

/* ---- as bytes ---- */

/* Returns the bytes of a list in a message. */
static uint64_t bytes_of(const mass_key_list *l)
{
    return 2 * sizeof(uint64_t) + l->count * (sizeof *l->keys + sizeof *l->counts) + mass_key_list_bytes(l);
}

/* Copies bytes, and returns the end of the copy. */
static char *put(char *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
    return to + bytes;
}

/* Writes a list into a message, and returns its end, which is not aligned. */
static char *put_list(char *to, const mass_key_list *l)
{
    const uint64_t head[2] = {l->count, mass_key_list_bytes(l)};
    to = put(to, head, sizeof head);
    to = put(to, l->keys, l->count * sizeof *l->keys);
    to = put(to, l->counts, l->count * sizeof *l->counts);
    return put(to, l->bytes, head[1]);
}

/* Adds the list at `from`, a multiple of 8 bytes, to a set, which knows if keys are texts. Returns the end of the list,
 * rounded up to 8 bytes. */
static const char *take_list(const char *from, mass_key_set *to)
{
    uint64_t head[2];
    memcpy(head, from, sizeof head);
    from += sizeof head;
    char *const keys = (char *)(uintptr_t)from, *const counts = keys + head[0] * sizeof(uint64_t);
    char *const bytes = counts + head[0] * sizeof(int64_t);
    const mass_key_list l = {.texts = to->texts, .count = head[0], .keys = (uint64_t *)(void *)keys,
                             .counts = (int64_t *)(void *)counts, .bytes = (uint8_t *)bytes};
    mass_key_set_add_list(to, &l);
    return bytes + (head[1] + 7) / 8 * 8;
}

/* Returns the bytes of a rank's lists, one after the other. Each begins at a multiple of 8. */
static uint64_t bytes_of_lists(const mass_domain *d, const span *s, int32_t rank)
{
    uint64_t bytes = 0;
    for (int32_t w = 0; w < s->count; w++)
        if (held_by(d, rank, s->first + w) >= 0) bytes += (bytes_of(&s->lists[w]) + 7) / 8 * 8;
    return bytes;
}

/* Writes the lists of worlds that a rank holds, one after the other, each at a multiple of 8 bytes. */
static void put_lists(const mass_domain *d, const span *s, int32_t rank, char *to)
{
    for (int32_t w = 0; w < s->count; w++)
        if (held_by(d, rank, s->first + w) >= 0) {
            put_list(to, &s->lists[w]);
            to += (bytes_of(&s->lists[w]) + 7) / 8 * 8;
        }
}

/* Adds a rank's lists, one world after the other, to sets [worlds of the span], which know if keys are texts. Sets of
 * worlds that the rank does not hold stay as they are. */
static void take_lists(const mass_domain *d, const span *s, int32_t rank, const char *from, mass_key_set *sets)
{
    for (int32_t w = 0; w < s->count; w++)
        if (held_by(d, rank, s->first + w) >= 0) from = take_list(from, &sets[w]);
}

/* Makes the span's lists from one set of keys a world. */
static mass_status lists_of(const span *s, const mass_key_set *sets, mass_error *error)
{
    mass_status status = MASS_OK;
    for (int32_t w = 0; status == MASS_OK && w < s->count; w++)
        status = mass_key_list_of(&sets[w], &s->lists[w], error);
    return status;
}

/* ---- over ranks ---- */

/* Gathers the lists of all ranks on rank 0, and merges them. lengths: [ranks] bytes of their lists; own: this rank's,
 * as bytes. Frees every rank's own lists; on rank 0 the merged ones take their place. All ranks call it. */
static mass_status gather(mass_domain *d, const span *s, const uint64_t *lengths, const char *own, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const bool texts = d->model->tallies[s->tally].keys == MASS_KEYS_TEXTS, merges = comm->rank == 0;
    uint64_t total = 0, before = 0;
    for (int32_t r = 0; r < comm->size; r++) total += lengths[r];
    char *all = merges ? mass_keys_take(total + 1) : NULL;
    mass_key_set *sets = calloc((size_t)s->count, sizeof *sets);
    mass_status status = (merges && !all) || !sets ? mass_keys_no_memory(total, error) : MASS_OK;
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = mass_transfer_gather(comm, lengths, own, all, error);
    for (int32_t w = 0; sets && w < s->count; w++) sets[w].texts = texts;
    for (int32_t r = 0; status == MASS_OK && merges && r < comm->size; before += lengths[r++])
        take_lists(d, s, r, all + before, sets);
    free_lists(s);
    if (status == MASS_OK && merges) status = lists_of(s, sets, error);
    for (int32_t w = 0; sets && w < s->count; w++) mass_key_set_free(&sets[w]);
    free(sets);
    free(all);
    return mass_rpc_agree(comm, status, error);
}

/* Reads the lists. On rank 0 they become those of all ranks, and empty on others. All ranks call it. */
static mass_status read_span(mass_domain *d, const span *s, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_status status = read_own(d, s, error);
    if (comm->size == 1) return status;
    uint64_t length = status == MASS_OK ? bytes_of_lists(d, s, comm->rank) : 0;
    uint64_t *lengths = calloc((size_t)comm->size, sizeof *lengths);
    char *own = mass_keys_take(length + 1);
    if (status == MASS_OK && (!lengths || !own)) status = mass_keys_no_memory(length, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, &length, sizeof length, lengths, error);
    if (status == MASS_OK) put_lists(d, s, comm->rank, own);
    if (status == MASS_OK) status = gather(d, s, lengths, own, error);
    free(own);
    free(lengths);
    return status;
}

mass_status mass_domain_read_keys_of(mass_domain *d, uint32_t tally, int32_t first, int32_t count,
                                     mass_key_list *lists, mass_error *error)
{
    const mass_rpc_tally asked = {tally, first, 0, (uint32_t)count};
    const mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_KEYS, &asked, sizeof asked, error);
    if (status != MASS_OK) return status;
    mass_key_list *own = lists ? lists : calloc((size_t)count, sizeof *own);
    if (!own) return mass_rpc_abandon(d->share.comm, mass_error_memory(error, sizeof *own, "keys"), error);
    const span s = {tally, first, count, own};
    const mass_status result = read_span(d, &s, error);
    if (result != MASS_OK || !lists) free_lists(&s);
    if (!lists) free(own);
    return result;
}

mass_status mass_domain_read_keys(mass_domain *d, mass_key_list *lists, mass_error *error)
{
    const size_t worlds = (size_t)d->share.worlds;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        if (d->model->tallies[i].keys)
            status = mass_domain_read_keys_of(d, i, 0, d->share.worlds, &lists[i * worlds], error);
    for (size_t i = 0; status != MASS_OK && i < d->model->tally_count * worlds; i++) mass_key_list_free(&lists[i]);
    return status;
}

/* Sends lists from rank 0 to the ranks that hold the worlds. If a space is divided, rank 0 keeps all, and the others
 * have none. All ranks call it; the others' lists are set. */
static mass_status scatter(mass_domain *d, const span *s, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const bool gives = comm->rank == 0, by_world = d->share.by_world;
    uint64_t *lengths = calloc((size_t)comm->size, sizeof *lengths), total = 0, before = 0;
    if (!lengths) return mass_rpc_abandon(comm, mass_error_memory(error, sizeof *lengths, "keys"), error);
    for (int32_t r = 1; gives && by_world && r < comm->size; r++) total += lengths[r] = bytes_of_lists(d, s, r);
    mass_status status = comm->table->broadcast(comm, lengths, (size_t)comm->size * sizeof *lengths, error);
    const uint64_t length = gives ? total : lengths[comm->rank];
    char *bytes = malloc(length + 1);
    mass_key_set *sets = calloc((size_t)s->count, sizeof *sets);
    if (!bytes || !sets) status = mass_error_memory(error, length, "the keys of a tally");
    status = mass_rpc_agree(comm, status, error);
    for (int32_t r = 1; status == MASS_OK && gives && by_world && r < comm->size; before += lengths[r++])
        put_lists(d, s, r, bytes + before);
    if (status == MASS_OK) status = mass_transfer_scatter(comm, lengths, bytes, bytes, error);
    for (int32_t w = 0; status == MASS_OK && w < s->count; w++)
        sets[w].texts = d->model->tallies[s->tally].keys == MASS_KEYS_TEXTS;
    if (status == MASS_OK && !gives && by_world) take_lists(d, s, comm->rank, bytes, sets);
    if (status == MASS_OK && !gives) status = lists_of(s, sets, error);
    for (int32_t w = 0; sets && w < s->count; w++) mass_key_set_free(&sets[w]);
    free(sets);
    free(bytes);
    free(lengths);
    return status;
}

/* Replaces the counts of the span's worlds on all ranks; rank 0 has the lists. All ranks call it. */
static mass_status write_span(mass_domain *d, const span *s, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_status status = comm->size > 1 ? scatter(d, s, error) : MASS_OK;
    if (status == MASS_OK) status = write_own(d, s, error);
    return mass_rpc_agree(comm, status, error);
}

mass_status mass_domain_write_keys_of(mass_domain *d, uint32_t tally, const mass_key_list *lists, mass_error *error)
{
    mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_WRITE_KEYS, &tally, sizeof tally, error);
    if (status != MASS_OK) return status;
    const size_t worlds = (size_t)d->share.worlds;
    mass_key_list *own = lists ? (mass_key_list *)(uintptr_t)lists : calloc(worlds, sizeof *own);
    if (!own) return mass_rpc_abandon(d->share.comm, mass_error_memory(error, worlds * sizeof *own, "keys"), error);
    const span s = {tally, 0, d->share.worlds, own};
    status = write_span(d, &s, error);
    if (!lists) free_lists(&s);
    if (!lists) free(own);
    return status;
}

mass_status mass_domain_write_keys(mass_domain *d, const mass_key_list *lists, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->tally_count; i++)
        if (d->model->tallies[i].keys)
            status = mass_domain_write_keys_of(d, i, &lists[i * (size_t)d->share.worlds], error);
    return status;
}
