/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the state hash of a domain. The device hashes blocks of its memory, and only the hashes are copied. With
 * several ranks, each rank hashes the blocks that are complete in its part of an attribute. Ranks send the bytes of
 * blocks that a boundary divides. Devices count values outside their range in the same way. */
#include "model/range.h"
#include "population/gather.h"
#include "population/population.h"
#include "ranks/rpc.h"
#include "ranks/transfer.h"
#include "snapshot/hash.h"
#include "snapshot/state_hash.h"
#include "state/box.h"

#include <stdlib.h>
#include <string.h>

/* An attribute's addresses on its device. Owned, with what it points at. */
typedef struct located {
    mass_blocks blocks;
    mass_blocks_part *parts;
    const void **arrays;
} located;

/* Allocates the tables of parts and arrays; on failure the caller still frees them by free_located. */
static mass_status allocate(located *l, int32_t parts, uint32_t arrays, mass_error *error)
{
    const size_t count = (size_t)parts * arrays;
    *l = (located){.parts = calloc((size_t)parts, sizeof *l->parts), .arrays = calloc(count, sizeof *l->arrays)};
    l->blocks = (mass_blocks){.parts = l->parts, .arrays = l->arrays, .part_count = parts,
                              .array_count = (int32_t)arrays};
    return l->parts && l->arrays ? MASS_OK : mass_error_memory(error, count * sizeof *l->arrays, "the state hash");
}

/* Frees the tables of parts and arrays. */
static void free_located(located *l)
{
    free(l->parts);
    free(l->arrays);
}

/* Returns how many device arrays an attribute has: one a component if they are planes, else one. */
static uint32_t arrays_of(const mass_attribute_def *a) { return a->layout == MASS_PLANES ? a->length : 1; }

/* Fills *l with where this rank stores an attribute of places, partition by partition. Copies no values. */
static mass_status locate_places(const mass_domain *d, const mass_attribute_def *a, located *l, mass_error *error)
{
    const mass_space_def *space = &d->model->spaces[a->space];
    const uint32_t slab = mass_slab_axis(space), arrays = arrays_of(a);
    const bool bits = a->type == MASS_BIT;
    const int64_t row = mass_stored_places(a, space) / (slab == 0 ? mass_stored_width(a, space) : space->size[slab]);
    const mass_gidx start = d->partitions[a->space][0].layout.origin[slab];
    const mass_status status = allocate(l, d->partition_count, arrays, error);
    if (status != MASS_OK) return status;
    l->blocks.size = (uint32_t)d->model->arrays[a->first_array].element_size;
    l->blocks.elements = mass_domain_stored_places(d, a->space, bits);
    l->blocks.worlds = d->worlds;
    for (int32_t i = 0; i < d->partition_count; i++) {
        const mass_partition *p = &d->partitions[a->space][i];
        const mass_layout *at = &p->layout;
        const int64_t each = bits ? 8 : 1, before = at->origin[slab] - start;
        l->parts[i] = (mass_blocks_part){(slab == 0 ? before / each : before) * row,
            {(at->extent[0] + each - 1) / each, at->extent[1], at->extent[2]}, at->pitch / each, at->plane / each,
            at->world_stride / each, bits ? (uint32_t)(at->extent[0] % 8) : 0};
        for (uint32_t k = 0; k < arrays; k++)
            l->arrays[(size_t)i * arrays + k] = mass_array_at(d, p, a->first_array + k, false);
    }
    return MASS_OK;
}

/* Fills *l with where this rank stores an attribute of its `count` agents. Worlds and places derive from cells. */
static mass_status locate_agents(const mass_domain *d, const mass_attribute_def *a, int64_t count, located *l,
                                 mass_error *error)
{
    const uint32_t population = (uint32_t)a->population, arrays = a->derived ? 1 : arrays_of(a);
    const mass_population_state *s = &d->populations[population];
    const mass_status status = allocate(l, 1, arrays, error);
    if (status != MASS_OK) return status;
    l->blocks.elements = count;
    l->blocks.worlds = 1;
    l->parts[0] = (mass_blocks_part){.extent = {count, 1, 1}};
    if (a->derived) {
        l->blocks.derived = a->type == MASS_I32 ? MASS_BLOCKS_WORLDS : MASS_BLOCKS_PLACES;
        l->blocks.cells = s->places;
        l->blocks.first_world = d->share.first_world;
        l->blocks.first_place = mass_population_first_place(d, population);
        l->blocks.size = (uint32_t)a->component_size;
        l->arrays[0] = s->cell[s->current].address;
        return MASS_OK;
    }
    l->blocks.size = (uint32_t)d->model->arrays[a->first_array].element_size;
    for (uint32_t k = 0; k < arrays; k++)
        l->arrays[k] = mass_population_array(d, population, a->first_array + k).address;
    return MASS_OK;
}

/* Computes the hash of this rank's elements from all block hashes, which the device makes in batches, in order. hashes:
 * memory for MASS_BLOCKS_AT_ONCE of them. */
static mass_status hash_blocks(const mass_domain *d, const mass_blocks *b, uint64_t *hashes, uint8_t hash[16],
                               mass_error *error)
{
    const int64_t blocks = (mass_blocks_bytes(b) + MASS_BLOCK_BYTES - 1) / MASS_BLOCK_BYTES;
    XXH3_state_t state;
    mass_status status = MASS_OK;
    mass_hash_start(&state);
    for (int64_t first = 0; status == MASS_OK && first < blocks; first += MASS_BLOCKS_AT_ONCE) {
        const int64_t left = blocks - first, count = left < MASS_BLOCKS_AT_ONCE ? left : MASS_BLOCKS_AT_ONCE;
        status = d->device->table->memory->hash_blocks(d->device, b, first, count, hashes, error);
        if (status == MASS_OK) XXH3_128bits_update(&state, hashes, (size_t)count * sizeof *hashes);
    }
    mass_hash_digest(&state, hash);
    return status;
}

/* ---- over ranks ---- */

/* Bytes of an attribute that are contiguous in the canonical order and belong to one rank. */
typedef struct segment {
    int64_t start; /* offset in the bytes of the whole run */
    int64_t own;   /* offset in the bytes of this rank */
    int64_t bytes;
} segment;

/* Sizes of what a rank sends for a segment: this struct, the bytes before the first complete block, the hashes of
 * complete blocks, and the bytes after them. */
typedef struct digest {
    uint64_t before, blocks, after;
} digest;

/* Divides a segment at the boundaries of blocks. Returns the bytes before the first whole block, the whole blocks, and
 * the bytes after them. */
static digest digest_of(const segment *s)
{
    const int64_t first = (s->start + MASS_BLOCK_BYTES - 1) / MASS_BLOCK_BYTES * MASS_BLOCK_BYTES;
    const int64_t end = s->start + s->bytes, last = end / MASS_BLOCK_BYTES * MASS_BLOCK_BYTES;
    if (first > last) return (digest){.before = (uint64_t)s->bytes};
    return (digest){(uint64_t)(first - s->start), (uint64_t)(last - first) / MASS_BLOCK_BYTES, (uint64_t)(end - last)};
}

/* Reads `bytes` bytes of this rank's part of an attribute, from byte `first` on, which may be within an element. */
static mass_status read_bytes(mass_domain *d, const mass_attribute_def *a, int64_t first, uint64_t bytes, char *to,
                              mass_error *error)
{
    const int64_t size = (int64_t)mass_element_size(a), element = first / size;
    const int64_t count = (first + (int64_t)bytes + size - 1) / size - element;
    const uint32_t attribute = (uint32_t)(a - d->model->attributes);
    if (bytes == 0) return MASS_OK;
    char *whole = malloc((size_t)(count * size));
    if (!whole) return mass_error_memory(error, (size_t)(count * size), "the state hash");
    const mass_status status = a->population < 0
                                   ? mass_domain_read_run(d, attribute, element, count, whole, error)
                                   : mass_population_read_run(d, attribute, element, count, whole, error);
    if (status == MASS_OK) memcpy(to, whole + (first - element * size), bytes);
    free(whole);
    return status;
}

/* Makes a segment's digest and the data that follows it, of *length bytes together; the caller frees *out, also on
 * failure. */
static mass_status digest_segment(mass_domain *d, const mass_attribute_def *a, const mass_blocks *blocks,
                                  const segment *s, char **out, uint64_t *length, mass_error *error)
{
    const digest g = digest_of(s);
    mass_blocks b = *blocks;
    b.skip = s->own + (int64_t)g.before;
    *length = sizeof g + (g.before + 7) / 8 * 8 + g.blocks * sizeof(uint64_t) + (g.after + 7) / 8 * 8;
    *out = calloc(*length, 1);
    if (!*out) return mass_error_memory(error, *length, "the state hash");
    memcpy(*out, &g, sizeof g);
    char *at = *out + sizeof g;
    mass_status status = read_bytes(d, a, s->own, g.before, at, error);
    uint64_t *hashes = (uint64_t *)(void *)(at + (g.before + 7) / 8 * 8);
    for (uint64_t first = 0; status == MASS_OK && first < g.blocks; first += MASS_BLOCKS_AT_ONCE) {
        const uint64_t left = g.blocks - first, count = left < MASS_BLOCKS_AT_ONCE ? left : MASS_BLOCKS_AT_ONCE;
        status = d->device->table->memory->hash_blocks(d->device, &b, (int64_t)first, (int64_t)count, hashes + first,
                                                       error);
    }
    if (status != MASS_OK) return status;
    return read_bytes(d, a, s->own + s->bytes - (int64_t)g.after, g.after, (char *)(hashes + g.blocks), error);
}

/* Adds a segment, whose digest begins at `at`, to a hash: bytes before its blocks, the blocks, and those after. */
static void add_digest(mass_bytes_hash *h, const char *at)
{
    digest g;
    memcpy(&g, at, sizeof g);
    at += sizeof g;
    mass_bytes_hash_add(h, at, g.before);
    at += (g.before + 7) / 8 * 8;
    XXH3_128bits_update(&h->blocks, at, g.blocks * sizeof(uint64_t));
    mass_bytes_hash_add(h, at + g.blocks * sizeof(uint64_t), g.after);
}

/* Gathers the next segment of each rank on rank 0 and adds them to *h in order of ranks. lengths: [ranks], scratch. All
 * ranks call it together. */
static mass_status add_segments(mass_domain *d, const mass_attribute_def *a, const mass_blocks *b, const segment *s,
                                uint64_t *lengths, mass_bytes_hash *h, mass_error *error)
{
    mass_comm *comm = d->share.comm;
    char *own = NULL, *all = NULL;
    uint64_t length = 0, total = 0;
    mass_status status = mass_rpc_agree(comm, digest_segment(d, a, b, s, &own, &length, error), error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, &length, sizeof length, lengths, error);
    for (int32_t r = 0; r < comm->size; r++) total += lengths[r];
    if (status == MASS_OK && comm->rank == 0 && !(all = malloc(total)))
        status = mass_error_memory(error, total, "the state hash");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = mass_transfer_gather(comm, lengths, own, all, error);
    const char *at = all;
    for (int32_t r = 0; status == MASS_OK && comm->rank == 0 && r < comm->size; at += lengths[r++]) add_digest(h, at);
    free(all);
    free(own);
    return status;
}

/* Sets *out to the segment of this rank's agents in a world. All ranks call it. They follow all agents of earlier
 * worlds and those of lower ranks. */
static mass_status find_agents(mass_domain *d, const mass_attribute_def *a, int32_t world, segment *out,
                               mass_error *error)
{
    const int64_t size = (int64_t)mass_element_size(a);
    const mass_comm *comm = d->share.comm;
    uint64_t *counts = NULL;
    const mass_status status = mass_population_count_ranks(d, (uint32_t)a->population, &counts, error);
    if (status != MASS_OK) return status;
    *out = (segment){0};
    for (int32_t r = 0; r < comm->size; r++)
        for (int32_t w = 0; w <= world; w++) {
            const int64_t bytes = (int64_t)counts[r * d->worlds + w] * size;
            if (w < world || r < comm->rank) out->start += bytes;
            if (w < world && r == comm->rank) out->own += bytes;
            if (w == world && r == comm->rank) out->bytes = bytes;
        }
    free(counts);
    return MASS_OK;
}

/* Sets *out to this rank's segment, all ranks together. It is its part of world `world` if ranks divide the space, else
 * all of its worlds. */
static mass_status find_segment(mass_domain *d, const mass_attribute_def *a, const mass_blocks *b, int32_t world,
                                segment *out, mass_error *error)
{
    const int64_t size = (int64_t)mass_element_size(a), bytes = b->elements * b->worlds * size;
    mass_comm *comm = d->share.comm;
    if (mass_share_is_split(&d->share) && a->population >= 0) return find_agents(d, a, world, out, error);
    if (mass_share_is_split(&d->share)) {
        const mass_space_def *space = &d->model->spaces[a->space];
        const uint32_t slab = mass_slab_axis(space);
        const int64_t places = mass_stored_places(a, space), each = a->type == MASS_BIT && slab == 0 ? 8 : 1;
        const int64_t row = slab == 0 ? 1 : places / space->size[slab];
        const int64_t first = d->partitions[a->space][0].layout.origin[slab] / each * row;
        *out = (segment){(world * places + first) * size, world * b->elements * size, b->elements * size};
        return MASS_OK;
    }
    *out = (segment){bytes, 0, bytes};
    return comm->table->scan(comm, &out->start, 1, error);
}

/* Hashes an attribute over all ranks in the order of worlds, so that the hash is independent of ranks. Collective;
 * only rank 0 gets the hash. */
static mass_status hash_over_ranks(mass_domain *d, const mass_attribute_def *a, const mass_blocks *b,
                                   uint8_t hash[16], mass_error *error)
{
    mass_comm *comm = d->share.comm;
    const int32_t segments = mass_share_is_split(&d->share) ? d->share.worlds : 1;
    uint64_t *lengths = calloc((size_t)comm->size, sizeof *lengths);
    mass_status status = lengths ? MASS_OK : mass_error_memory(error, sizeof *lengths, "the state hash");
    mass_bytes_hash h;
    mass_bytes_hash_begin(&h, MASS_STATE_HASH_VERSION);
    status = mass_rpc_agree(comm, status, error);
    for (int32_t i = 0; status == MASS_OK && i < segments; i++) {
        segment s;
        status = find_segment(d, a, b, i, &s, error);
        if (status == MASS_OK) status = add_segments(d, a, b, &s, lengths, &h, error);
    }
    mass_bytes_hash_end(&h, hash);
    free(lengths);
    return status;
}

/* ---- hash of an attribute ---- */

/* Fills *l with where this rank stores an attribute; counts a population's own agents first. On failure the caller
 * still frees it by free_located. */
static mass_status locate(mass_domain *d, const mass_attribute_def *a, located *l, mass_error *error)
{
    uint64_t agents = 0;
    if (a->population < 0) return locate_places(d, a, l, error);
    const mass_status status = mass_population_count_own(d, (uint32_t)a->population, &agents, error);
    return status == MASS_OK ? locate_agents(d, a, (int64_t)agents, l, error) : status;
}

mass_status mass_domain_hash_attribute(mass_domain *d, uint32_t attribute, uint8_t hash[16], mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    mass_comm *comm = d->share.comm;
    uint64_t *hashes = NULL;
    located l = {0};
    mass_status status = mass_rpc_tell(comm, MASS_RPC_HASH, &attribute, sizeof attribute, error);
    if (status != MASS_OK) return status;
    status = locate(d, a, &l, error);
    if (status == MASS_OK && comm->size == 1 && !(hashes = malloc(MASS_BLOCKS_AT_ONCE * sizeof *hashes)))
        status = mass_error_memory(error, MASS_BLOCKS_AT_ONCE * sizeof *hashes, "the state hash");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && comm->size == 1) status = hash_blocks(d, &l.blocks, hashes, hash, error);
    else if (status == MASS_OK) status = hash_over_ranks(d, a, &l.blocks, hash, error);
    free(hashes);
    free_located(&l);
    return status;
}

/* ---- values outside of a range ---- */

/* Adds the number of values outside the range, in one array of each part, to *count. l->blocks has the range.
 * numbers: memory for MASS_BLOCKS_AT_ONCE blocks. */
static mass_status count_array(const mass_domain *d, const located *l, uint32_t array, uint64_t *numbers,
                               uint64_t *count, mass_error *error)
{
    mass_blocks b = l->blocks;
    mass_status status = MASS_OK;
    const void **arrays = calloc((size_t)b.part_count, sizeof *arrays);
    if (!arrays) return mass_error_memory(error, (size_t)b.part_count * sizeof *arrays, "the ranges");
    for (int32_t i = 0; i < b.part_count; i++) arrays[i] = l->arrays[(size_t)i * (size_t)b.array_count + array];
    b.arrays = arrays;
    b.array_count = 1;
    const int64_t blocks = (mass_blocks_bytes(&b) + MASS_BLOCK_BYTES - 1) / MASS_BLOCK_BYTES;
    for (int64_t first = 0; status == MASS_OK && first < blocks; first += MASS_BLOCKS_AT_ONCE) {
        const int64_t left = blocks - first, some = left < MASS_BLOCKS_AT_ONCE ? left : MASS_BLOCKS_AT_ONCE;
        status = d->device->table->memory->hash_blocks(d->device, &b, first, some, numbers, error);
        for (int64_t i = 0; status == MASS_OK && i < some; i++) *count += numbers[i];
    }
    free(arrays);
    return status;
}

mass_status mass_domain_count_outside(mass_domain *d, uint32_t attribute, uint64_t *out, mass_error *error)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    mass_comm *comm = d->share.comm;
    located l = {0};
    uint64_t count = 0;
    mass_status status = mass_rpc_tell(comm, MASS_RPC_OUTSIDE, &attribute, sizeof attribute, error);
    if (status != MASS_OK) return status;
    status = locate(d, a, &l, error);
    l.blocks.values = a->type;
    mass_range_ends(a, &l.blocks.low, &l.blocks.high);
    uint64_t *numbers = malloc(MASS_BLOCKS_AT_ONCE * sizeof *numbers);
    if (status == MASS_OK && !numbers)
        status = mass_error_memory(error, MASS_BLOCKS_AT_ONCE * sizeof *numbers, "the ranges");
    for (uint32_t k = 0; status == MASS_OK && k < arrays_of(a); k++)
        status = count_array(d, &l, k, numbers, &count, error);
    free(numbers);
    free_located(&l);
    int64_t all = (int64_t)count;
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK && comm->size > 1) status = comm->table->all_reduce(comm, MASS_REDUCE_SUM, &all, 1, error);
    if (status == MASS_OK && out) *out = (uint64_t)all;
    return mass_rpc_agree(comm, status, error);
}

/* ---- the state ---- */

typedef struct hashed {
    uint8_t (*attributes)[16];
    const mass_snapshot *numbers;
} hashed;

/* Copies an attribute's hash, which was found before; `owner` is a hashed. */
static void attribute_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const hashed *h = owner;
    memcpy(hash, h->attributes[index], 16);
}

/* Hashes a tally of the numbers that were read; `owner` is a hashed. */
static void tally_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const hashed *h = owner;
    mass_snapshot_hash_tally(h->numbers, index, hash);
}

mass_status mass_domain_hash(mass_domain *d, const mass_snapshot *numbers, char hex[33], mass_error *error)
{
    const mass_model *m = d->model;
    hashed h = {calloc(m->attribute_count + 1, sizeof *h.attributes), numbers};
    mass_status status = MASS_OK;
    if (!h.attributes) status = mass_error_memory(error, m->attribute_count * sizeof *h.attributes, "the state hash");
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (!m->attributes[i].streamed) status = mass_domain_hash_attribute(d, i, h.attributes[i], error);
    const mass_hashed_state s = {m, MASS_STATE_HASH_VERSION, d->share.worlds, numbers->agents, numbers->step,
                                 attribute_hash, tally_hash, &h};
    if (status == MASS_OK) mass_state_hash(&s, hex);
    free(h.attributes);
    return status;
}
