/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash of a domain: its device hashes the blocks of what lies there, and nothing is copied but their
 * hashes. */
#include "domain/domain.h"
#include "domain/population.h"
#include "domain/state_hash.h"

#include <stdlib.h>
#include <string.h>

/* An attribute as its device finds it. Owned, with what it points at. */
typedef struct located {
    mass_blocks blocks;
    mass_blocks_part *parts;
    const void **arrays;
} located;

static mass_status allocate(located *l, int32_t parts, uint32_t arrays, mass_error *error)
{
    const size_t count = (size_t)parts * arrays;
    *l = (located){.parts = calloc((size_t)parts, sizeof *l->parts), .arrays = calloc(count, sizeof *l->arrays)};
    l->blocks = (mass_blocks){.parts = l->parts, .arrays = l->arrays, .part_count = parts,
                              .array_count = (int32_t)arrays};
    return l->parts && l->arrays ? MASS_OK : mass_error_memory(error, count * sizeof *l->arrays, "the state hash");
}

static void free_located(located *l)
{
    free(l->parts);
    free(l->arrays);
}

static uint32_t arrays_of(const mass_attribute_def *a) { return a->layout == MASS_PLANES ? a->length : 1; }

static mass_status locate_places(const mass_domain *d, const mass_attribute_def *a, located *l, mass_error *error)
{
    const mass_space_def *space = &d->model->spaces[a->space];
    const uint32_t slab = mass_slab_axis(space), arrays = arrays_of(a);
    const mass_status status = allocate(l, d->partition_count, arrays, error);
    if (status != MASS_OK) return status;
    l->blocks.size = (uint32_t)d->model->arrays[a->first_array].element_size;
    l->blocks.elements = mass_space_places(space);
    l->blocks.worlds = d->worlds;
    for (int32_t i = 0; i < d->partition_count; i++) {
        const mass_partition *p = &d->partitions[a->space][i];
        const mass_layout *at = &p->layout;
        l->parts[i] = (mass_blocks_part){at->origin[slab] * (l->blocks.elements / space->size[slab]),
            {at->extent[0], at->extent[1], at->extent[2]}, at->pitch, at->plane, at->world_stride};
        for (uint32_t k = 0; k < arrays; k++)
            l->arrays[(size_t)i * arrays + k] = mass_array_at(d, p, a->first_array + k, false);
    }
    return MASS_OK;
}

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
        l->blocks.cells = mass_space_places(&d->model->spaces[a->space]);
        l->blocks.size = (uint32_t)a->component_size;
        l->arrays[0] = s->cell[s->current].address;
        return MASS_OK;
    }
    l->blocks.size = (uint32_t)d->model->arrays[a->first_array].element_size;
    for (uint32_t k = 0; k < arrays; k++)
        l->arrays[k] = mass_population_array(d, population, a->first_array + k).address;
    return MASS_OK;
}

/* The hashes of all blocks, so many at once, in order. */
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

static mass_status hash_attribute(const mass_domain *d, const mass_attribute_def *a, const uint64_t *agents,
                                  uint64_t *hashes, uint8_t hash[16], mass_error *error)
{
    located l = {0};
    mass_status status = a->population < 0 ? locate_places(d, a, &l, error)
                                           : locate_agents(d, a, (int64_t)agents[a->population], &l, error);
    if (status == MASS_OK) status = hash_blocks(d, &l.blocks, hashes, hash, error);
    free_located(&l);
    return status;
}

typedef struct hashed {
    uint8_t (*attributes)[16];
    const mass_snapshot *numbers;
} hashed;

static void attribute_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const hashed *h = owner;
    memcpy(hash, h->attributes[index], 16);
}

static void tally_hash(const void *owner, uint32_t index, uint8_t hash[16])
{
    const hashed *h = owner;
    mass_snapshot_hash_tally(h->numbers, index, hash);
}

mass_status mass_domain_hash(mass_domain *d, const mass_snapshot *numbers, char hex[33], mass_error *error)
{
    const mass_model *m = d->model;
    hashed h = {calloc(m->attribute_count + 1, sizeof *h.attributes), numbers};
    uint64_t *hashes = malloc(MASS_BLOCKS_AT_ONCE * sizeof *hashes);
    mass_status status = MASS_OK;
    if (!h.attributes || !hashes)
        status = mass_error_memory(error, MASS_BLOCKS_AT_ONCE * sizeof *hashes, "the state hash");
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        if (!m->attributes[i].streamed)
            status = hash_attribute(d, &m->attributes[i], numbers->agents, hashes, h.attributes[i], error);
    const mass_hashed_state s = {m, MASS_STATE_HASH_VERSION, d->worlds, numbers->agents, numbers->step,
                                 attribute_hash, tally_hash, &h};
    if (status == MASS_OK) mass_state_hash(&s, hex);
    free(hashes);
    free(h.attributes);
    return status;
}
