/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/chunks.h"
#include "comm/watch.h"
#include "population/gather.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "snapshot/snapshot.h"
#include "state/box.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The things that ranks divide: every space; every population; and every space in units of eight places, as attributes
 * of bits are stored. */
enum { OF_BITS = MASS_SPACES_MAX + MASS_POPULATIONS_MAX, OWNERS = OF_BITS + MASS_SPACES_MAX };

struct mass_chunks {
    mass_snapshot_source source;
    int32_t parts;           /* parts of the canonical order; in each, ranks follow one another. If ranks divide the
                                space, one part a world, else one */
    uint64_t *counts[OWNERS]; /* [parts][ranks] elements */
    void **columns;          /* [attribute_count] this rank's elements, contiguous; NULL: read them from the domain */
};

/* Elements of a chunk that are contiguous both in the chunk and on their rank. */
typedef struct portion {
    int32_t rank;
    uint64_t own; /* number of the first one among its rank's elements */
    uint64_t at;  /* number of the first one in the chunk */
    uint64_t count;
} portion;

/* Returns the index of an attribute's owner in `counts`: a population, a space, or a space's packed bits. */
static uint32_t owner_of(const mass_attribute_def *a)
{
    return a->population >= 0 ? MASS_SPACES_MAX + (uint32_t)a->population
           : a->type == MASS_BIT ? OF_BITS + a->space : a->space;
}

void mass_chunks_free(mass_domain *d)
{
    mass_chunks *p = d->chunks;
    if (!p) return;
    for (uint32_t i = 0; i < OWNERS; i++) free(p->counts[i]);
    for (uint32_t i = 0; p->columns && i < d->model->attribute_count; i++) free(p->columns[i]);
    free(p->columns);
    free(p);
    d->chunks = NULL;
}

/* ---- ownership ---- */

/* Allocates d->chunks, with counts of each owner's elements by world and rank. On failure d->chunks may be half
 * made. */
static mass_status allocate(mass_domain *d, mass_error *error)
{
    const mass_model *m = d->model;
    const int32_t parts = mass_share_is_split(&d->share) ? d->worlds : 1;
    const size_t count = (size_t)parts * (size_t)d->share.comm->size;
    mass_chunks *p = d->chunks = calloc(1, sizeof *p);
    bool room = p && (p->columns = calloc(m->attribute_count + 1u, sizeof *p->columns));
    for (uint32_t i = 0; room && i < OWNERS; i++) {
        const bool is_used = i < MASS_SPACES_MAX ? i < m->space_count
                             : i < OF_BITS ? i - MASS_SPACES_MAX < m->population_count : i - OF_BITS < m->space_count;
        room = !is_used || (p->counts[i] = calloc(count, sizeof **p->counts));
    }
    if (!room) return mass_error_memory(error, count * sizeof **p->counts, "a copy of the state");
    p->parts = parts;
    return MASS_OK;
}

/* Gathers from all ranks how many places each stores, and repeats the counts for each world that is divided.
 * Collective. */
static mass_status divide_space(mass_domain *d, uint32_t space, bool bits, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_chunks *p = d->chunks;
    uint64_t own = (uint64_t)mass_domain_stored_places(d, space, bits);
    uint64_t *counts = p->counts[bits ? OF_BITS + space : space];
    if (!mass_share_is_split(&d->share)) own *= (uint64_t)d->worlds;
    const mass_status status = comm->table->all_gather(comm, &own, sizeof own, counts, error);
    for (int32_t part = 1; status == MASS_OK && part < p->parts; part++)
        memcpy(counts + part * comm->size, counts, (size_t)comm->size * sizeof *counts);
    return status;
}

/* Collects how many elements of every space and, if asked, population each rank holds. Collective. */
static mass_status divide(mass_domain *d, bool agents_too, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t s = 0; status == MASS_OK && s < d->model->space_count; s++) status = divide_space(d, s, false, error);
    for (uint32_t s = 0; status == MASS_OK && s < d->model->space_count; s++) status = divide_space(d, s, true, error);
    for (uint32_t i = 0; agents_too && status == MASS_OK && i < d->model->population_count; i++)
        status = mass_population_divide(d, i, d->chunks->counts[MASS_SPACES_MAX + i], error);
    return status;
}

/* Returns how many elements of an owner this rank holds, over all worlds. */
static uint64_t own_count(const mass_domain *d, uint32_t owner)
{
    uint64_t count = 0;
    for (int32_t part = 0; part < d->chunks->parts; part++)
        count += d->chunks->counts[owner][part * d->share.comm->size + d->share.comm->rank];
    return count;
}

/* ---- this rank's elements ---- */

/* Reads a run of this rank's own elements: from the kept copy if there is one, else from the device. */
static mass_status read_own(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                            mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t size = mass_element_size(a);
    if (d->chunks->columns[attribute]) {
        memcpy(data, (const char *)d->chunks->columns[attribute] + first * size, count * size);
        return MASS_OK;
    }
    return a->population < 0 ? mass_domain_read_run(d, attribute, (int64_t)first, (int64_t)count, data, error)
                             : mass_population_read_run(d, attribute, (int64_t)first, (int64_t)count, data, error);
}

/* Writes a run of this rank's own elements: places to the device, agents only to the column that waits for them. */
static mass_status write_own(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                             mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t size = mass_element_size(a);
    if (a->population < 0)
        return mass_domain_write_run(d, attribute, (int64_t)first, (int64_t)count, data, error);
    memcpy((char *)d->chunks->columns[attribute] + first * size, data, count * size);
    return MASS_OK;
}

/* Allocates a column for this rank's own elements of an attribute; not initialised. */
static mass_status make_column(mass_domain *d, uint32_t attribute, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t bytes = own_count(d, owner_of(a)) * mass_element_size(a);
    d->chunks->columns[attribute] = malloc(bytes + 1);
    return d->chunks->columns[attribute] ? MASS_OK : mass_error_memory(error, bytes, "a copy of the state");
}

/* Copies this rank's elements of an attribute to a new column in host memory, in chunks, since reading takes extra
 * memory. */
static mass_status keep_attribute(mass_domain *d, uint32_t attribute, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const size_t size = mass_element_size(a);
    const uint64_t count = own_count(d, owner_of(a)), most = mass_transfer_elements(size);
    mass_status status = make_column(d, attribute, error);
    char *to = d->chunks->columns[attribute];
    d->chunks->columns[attribute] = NULL; /* read_own has to read from the domain until the copy is complete */
    for (uint64_t first = 0; status == MASS_OK && first < count; first += most)
        status = read_own(d, attribute, first, count - first < most ? count - first : most, to + first * size, error);
    d->chunks->columns[attribute] = to;
    return status;
}

/* Keeps a copy of every stored attribute of this rank, so that the run may go on while chunks are read. */
static mass_status keep(mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++)
        if (!d->model->attributes[i].streamed) status = keep_attribute(d, i, error);
    return status;
}

/* Reads chunks for a checkpoint's writer; `domain` is the mass_domain. */
static mass_status read_for_source(void *domain, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                                   mass_error *error)
{
    return mass_chunks_read(domain, attribute, first, count, data, error);
}

mass_status mass_chunks_begin(mass_domain *d, mass_chunks_use use, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const uint32_t argument = use;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_BEGIN_CHUNKS, &argument, sizeof argument, error);
    if (status != MASS_OK) return status;
    mass_chunks_free(d);
    status = mass_rpc_agree(comm, allocate(d, error), error);
    if (status == MASS_OK) status = divide(d, use != MASS_CHUNKS_RESTORE, error);
    if (status == MASS_OK && use == MASS_CHUNKS_KEPT) status = mass_rpc_agree(comm, keep(d, error), error);
    if (status == MASS_OK) d->chunks->source = (mass_snapshot_source){read_for_source, d};
    else mass_chunks_free(d);
    return status;
}

mass_status mass_chunks_end(mass_domain *d, mass_error *error)
{
    const mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_END_CHUNKS, NULL, 0, error);
    mass_chunks_free(d);
    return status;
}

/* ---- one chunk ---- */

/* The transfer of a chunk. */
typedef struct passage {
    mass_domain *d;
    const mass_rpc_chunk *chunk;
    size_t size;        /* bytes of an element */
    char *data;         /* rank 0: the whole chunk. Other ranks: their portions, contiguous */
    portion *portions;  /* rank 0: those of all ranks. Other ranks: their own */
    mass_message *messages; /* [count] */
    uint32_t count;
} passage;

/* Writes the portions that concern this rank, which on rank 0 are all, to `out`, at most `room` of them; returns how
 * many there are. */
static uint32_t find_portions(const mass_domain *d, const mass_rpc_chunk *chunk, portion *out, uint32_t room)
{
    const mass_comm *comm = d->share.comm;
    const uint64_t *counts = d->chunks->counts[owner_of(&d->model->attributes[chunk->attribute])];
    const uint64_t end = chunk->first + chunk->count;
    uint64_t at = 0, own = 0;
    uint32_t found = 0;
    for (int32_t part = 0; part < d->chunks->parts && at < end; part++)
        for (int32_t r = 0; r < comm->size && at < end; r++) {
            const uint64_t count = counts[part * comm->size + r];
            const uint64_t first = at > chunk->first ? at : chunk->first, last = at + count < end ? at + count : end;
            if (first < last && (comm->rank == 0 || comm->rank == r)) {
                if (found < room) out[found] = (portion){r, own + first - at, first - chunk->first, last - first};
                found++;
            }
            if (r == comm->rank) own += count;
            at += count;
        }
    return found;
}

/* Returns how many elements a passage's portions have together. */
static uint64_t elements_of(const passage *p)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) count += p->portions[i].count;
    return count;
}

/* Prepares a transfer; on ranks but 0, also memory for the data. The caller frees it with free_passage, also on
 * failure. */
static mass_status make_passage(mass_domain *d, const mass_rpc_chunk *chunk, char *data, passage *out,
                                mass_error *error)
{
    const uint32_t count = find_portions(d, chunk, NULL, 0);
    passage *p = out;
    *p = (passage){d, chunk, mass_element_size(&d->model->attributes[chunk->attribute]), data,
                   calloc(count + 1u, sizeof *p->portions), calloc(count + 1u, sizeof *p->messages), count};
    if (!p->portions || !p->messages) return mass_error_memory(error, count * sizeof *p->portions, "a piece");
    find_portions(d, chunk, p->portions, count);
    if (d->share.comm->rank == 0) return MASS_OK;
    const size_t bytes = elements_of(p) * p->size;
    p->data = malloc(bytes + 1);
    return p->data ? MASS_OK : mass_error_memory(error, bytes, "a piece");
}

/* Frees the portions and messages; also the data, except on rank 0, where the caller owns it. */
static void free_passage(passage *p)
{
    if (p->d->share.comm->rank > 0) free(p->data);
    free(p->portions);
    free(p->messages);
}

/* Copies every portion of this rank between its state and `data`, in which rank 0 has places for all portions, and
 * others have theirs one after the other. */
static mass_status move_own(const passage *p, bool write, mass_error *error)
{
    const bool gathers = p->d->share.comm->rank == 0;
    const uint32_t attribute = p->chunk->attribute;
    char *data = p->data;
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < p->count; i++) {
        const portion *o = &p->portions[i];
        char *at = gathers ? p->data + o->at * p->size : data;
        data += o->count * p->size;
        if (gathers && o->rank > 0) continue;
        status = write ? write_own(p->d, attribute, o->own, o->count, at, error)
                       : read_own(p->d, attribute, o->own, o->count, at, error);
    }
    return status;
}

/* Exchanges portions between rank 0 and the other ranks, each in one message. Collective. */
static mass_status exchange(const passage *p, bool write, mass_error *error)
{
    mass_comm *comm = p->d->share.comm;
    const bool sends = write == (comm->rank == 0);
    uint32_t count = 0;
    char *data = p->data;
    for (uint32_t i = 0; i < p->count; i++) {
        const portion *o = &p->portions[i];
        char *at = comm->rank == 0 ? p->data + o->at * p->size : data;
        data += o->count * p->size;
        if (comm->rank == 0 && o->rank == 0) continue;
        p->messages[count++] = (mass_message){comm->rank == 0 ? o->rank : 0, at, o->count * p->size};
    }
    return comm->table->exchange(comm, p->messages, sends ? count : 0, p->messages, sends ? 0 : count, error);
}

/* Transfers a chunk between rank 0's `data` and the ranks' state; all ranks learn of a failure. Collective. */
static mass_status move(mass_domain *d, const mass_rpc_chunk *chunk, char *data, bool write, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    passage p;
    mass_status status = make_passage(d, chunk, data, &p, error);
    if (status == MASS_OK && !write) status = move_own(&p, write, error);
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && comm->size > 1) status = exchange(&p, write, error);
    if (status == MASS_OK && write) status = mass_rpc_agree(comm, move_own(&p, write, error), error);
    free_passage(&p);
    return status;
}

mass_status mass_chunks_read(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                             mass_error *error)
{
    const mass_rpc_chunk chunk = {attribute, first, count};
    const mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_READ_CHUNK, &chunk, sizeof chunk, error);
    return status == MASS_OK ? move(d, &chunk, data, false, error) : status;
}

mass_status mass_chunks_write(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                              mass_error *error)
{
    const mass_rpc_chunk chunk = {attribute, first, count};
    const mass_status status = mass_rpc_tell(d->share.comm, MASS_RPC_WRITE_CHUNK, &chunk, sizeof chunk, error);
    return status == MASS_OK ? move(d, &chunk, (char *)(uintptr_t)data, true, error) : status;
}

/* ---- parts ---- */

uint64_t mass_chunks_own_count(const mass_domain *d, uint32_t attribute)
{
    return own_count(d, owner_of(&d->model->attributes[attribute]));
}

mass_status mass_chunks_read_own(mass_domain *d, uint32_t attribute, uint64_t first, uint64_t count, void *data,
                                 mass_error *error)
{
    return read_own(d, attribute, first, count, data, error);
}

const uint64_t *mass_chunks_counts(const mass_domain *d, uint32_t attribute, int32_t *groups)
{
    *groups = d->chunks->parts;
    return d->chunks->counts[owner_of(&d->model->attributes[attribute])];
}

/* Writes this rank's part of a checkpoint and fills `table`. Fails if the domain has no function for it, or without a
 * table, for which there was no memory. */
static mass_status write_part(mass_domain *d, const mass_part_order *order, uint64_t *table, mass_error *error)
{
    if (!table) return mass_error_memory(error, sizeof *order, "a part of a checkpoint");
    if (d->write_part) return d->write_part(d, order, table, error);
    return mass_error_set(error, MASS_FAILED, "this rank writes no parts of checkpoints");
}

/* Agrees with the other ranks on the result. It waits without a limit, since a rank's disk may take any time. All ranks
 * call it together. */
static mass_status agree_on_part(mass_comm *comm, const mass_part_order *order, mass_status status, mass_error *error)
{
    char file[PATH_MAX + 40];
    snprintf(file, sizeof file, "%s/ckpt-%012" PRIu64 ".h5", order->folder, order->step);
    comm->patient = true;
    comm->awaits = file;
    const char *other = mass_comm_watch_writes(NULL); /* this rank has finished writing */
    status = mass_rpc_agree(comm, status, error);
    mass_comm_watch_writes(other);
    comm->awaits = NULL;
    comm->patient = false;
    return status;
}

mass_status mass_chunks_write_parts(mass_domain *d, const mass_part_order *order, uint64_t *tables, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const size_t words = (size_t)d->model->attribute_count * MASS_PART_WORDS + 1; /* at least one */
    uint64_t *own = calloc(words, sizeof *own), *lengths = calloc((size_t)comm->size, sizeof *lengths);
    mass_part_order told = {0};
    mass_status status = mass_rpc_tell(comm, MASS_RPC_WRITE_PARTS, NULL, 0, error);
    if (order) told = *order;
    if (status == MASS_OK) status = comm->table->broadcast(comm, &told, sizeof told, error);
    if (status == MASS_OK)
        status = agree_on_part(comm, &told, write_part(d, &told, lengths ? own : NULL, error), error);
    for (int32_t r = 0; status == MASS_OK && r < comm->size; r++) lengths[r] = (words - 1) * sizeof *own;
    if (status == MASS_OK) status = mass_transfer_gather(comm, lengths, own, tables, error);
    free(own);
    free(lengths);
    return status;
}

/* ---- agents ---- */

void mass_chunks_count_agents(mass_domain *d, uint32_t population, const int32_t *world, const int64_t *place,
                              uint64_t count)
{
    mass_population_count_weights(d, population, world, place, count,
                                  d->chunks->counts[MASS_SPACES_MAX + population]);
}

/* Allocates this rank's columns for all attributes of a population. */
static mass_status make_columns(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < d->model->attribute_count; i++)
        if (d->model->attributes[i].population == (int32_t)population) status = make_column(d, i, error);
    return status;
}

mass_status mass_chunks_begin_agents(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    mass_chunks *p = d->chunks;
    const size_t bytes = (size_t)p->parts * (size_t)comm->size * sizeof **p->counts;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_BEGIN_AGENTS, &population, sizeof population, error);
    if (status == MASS_OK)
        status = comm->table->broadcast(comm, p->counts[MASS_SPACES_MAX + population], bytes, error);
    return status == MASS_OK ? mass_rpc_agree(comm, make_columns(d, population, error), error) : status;
}

mass_status mass_chunks_end_agents(mass_domain *d, uint32_t population, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    void **columns = d->chunks->columns;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_END_AGENTS, &population, sizeof population, error);
    if (status != MASS_OK) return status;
    status = mass_population_set_share(d, population, own_count(d, MASS_SPACES_MAX + population), columns, error);
    for (uint32_t i = 0; i < d->model->attribute_count; i++) {
        if (d->model->attributes[i].population != (int32_t)population) continue;
        free(columns[i]);
        columns[i] = NULL;
    }
    return status;
}

/* ---- for files ---- */

const mass_snapshot_source *mass_chunks_source(const mass_domain *d) { return &d->chunks->source; }

/* Counts restored agents by their world and place; `domain` is the mass_domain. */
static void sink_count(void *domain, uint32_t population, const int32_t *world, const int64_t *place, uint64_t count)
{
    mass_chunks_count_agents(domain, population, world, place, count);
}

/* Begins a restored population once all its agents are counted; `domain` is the mass_domain. */
static mass_status sink_begin(void *domain, uint32_t population, mass_error *error)
{
    return mass_chunks_begin_agents(domain, population, error);
}

/* Writes restored values to the rank that owns them; `domain` is the mass_domain. */
static mass_status sink_write(void *domain, uint32_t attribute, uint64_t first, uint64_t count, const void *data,
                              mass_error *error)
{
    return mass_chunks_write(domain, attribute, first, count, data, error);
}

/* Ends a restored population once all its columns are written; `domain` is the mass_domain. */
static mass_status sink_end(void *domain, uint32_t population, mass_error *error)
{
    return mass_chunks_end_agents(domain, population, error);
}

mass_snapshot_sink mass_chunks_sink(mass_domain *d)
{
    return (mass_snapshot_sink){sink_count, sink_begin, sink_write, sink_end, d};
}
