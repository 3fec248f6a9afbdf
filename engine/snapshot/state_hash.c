/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot/state_hash.h"

#include "blocks.h"

#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are hashed as they lie in memory");

enum { FIRST_BLOCK_BYTES = 1 << 20 }; /* block size in version 1 */

void mass_hash_digest(const XXH3_state_t *state, uint8_t hash[16])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state));
    memcpy(hash, canonical.digest, 16);
}

void mass_hash_format(const uint8_t hash[16], char hex[33])
{
    for (int i = 0; i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", hash[i]);
}

void mass_hash_start(XXH3_state_t *state)
{
    XXH3_INITSTATE(state);
    XXH3_128bits_reset(state);
}

/* ---- attributes ---- */

/* Starts the hash of an empty block, with the function of the hash's version. */
static void start_block(mass_bytes_hash *h)
{
    h->filled = 0;
    if (h->version == 1) mass_hash_start(&h->block);
    else XXH64_reset(&h->small, 0);
}

/* Adds the block's hash to the hash of all blocks, and starts the next block. */
static void close_block(mass_bytes_hash *h)
{
    uint8_t hash[16];
    const uint64_t small = h->version == 1 ? 0 : XXH64_digest(&h->small);
    if (h->version == 1) mass_hash_digest(&h->block, hash);
    if (h->version == 1) XXH3_128bits_update(&h->blocks, hash, sizeof hash);
    else XXH3_128bits_update(&h->blocks, &small, sizeof small);
    start_block(h);
}

/* Starts a hash of bytes. Version 1 hashes other blocks, by another function, for checkpoints of earlier formats. */
void mass_bytes_hash_begin(mass_bytes_hash *h, uint32_t version)
{
    h->version = version;
    mass_hash_start(&h->blocks);
    start_block(h);
}

/* Adds bytes. The hash is independent of how they are divided between calls. */
void mass_bytes_hash_add(mass_bytes_hash *h, const void *bytes, size_t count)
{
    const size_t block = h->version == 1 ? FIRST_BLOCK_BYTES : MASS_BLOCK_BYTES;
    const uint8_t *next = bytes;
    while (count > 0) {
        const size_t room = block - h->filled;
        const size_t part = count < room ? count : room;
        if (h->version == 1) XXH3_128bits_update(&h->block, next, part);
        else XXH64_update(&h->small, next, part);
        h->filled += part;
        next += part;
        count -= part;
        if (h->filled == block) close_block(h);
    }
}

/* Closes the last block, unless it is empty, and writes the hash. */
void mass_bytes_hash_end(mass_bytes_hash *h, uint8_t hash[16])
{
    if (h->filled > 0) close_block(h);
    mass_hash_digest(&h->blocks, hash);
}

/* ---- tallies ---- */

/* Adds where each text of a list ends in the bytes of all lists. before: the bytes of those before it. If keys are
 * numbers, before is 0, and it adds the keys. */
static void add_ends(XXH3_state_t *state, const mass_key_list *l, uint64_t before)
{
    uint64_t ends[512];
    for (uint64_t i = 0; i < l->count; i += 512) {
        const uint64_t left = l->count - i, some = left < 512 ? left : 512;
        for (uint64_t k = 0; k < some; k++) ends[k] = l->keys[i + k] + before;
        XXH3_128bits_update(state, ends, some * sizeof *ends);
    }
}

/* Adds keyed lists of all worlds: numbers of keys, then keys or texts' ends, then texts, then counts. */
static void add_lists(XXH3_state_t *state, int32_t worlds, const mass_key_list *lists, bool texts)
{
    uint64_t before = 0;
    for (int32_t w = 0; w < worlds; w++) XXH3_128bits_update(state, &lists[w].count, sizeof lists[w].count);
    for (int32_t w = 0; w < worlds; w++) {
        add_ends(state, &lists[w], texts ? before : 0);
        before += texts ? mass_key_list_bytes(&lists[w]) : 0;
    }
    for (int32_t w = 0; texts && w < worlds; w++)
        XXH3_128bits_update(state, lists[w].bytes, mass_key_list_bytes(&lists[w]));
    for (int32_t w = 0; w < worlds; w++)
        XXH3_128bits_update(state, lists[w].counts, lists[w].count * sizeof *lists[w].counts);
}

void mass_tally_hash(const mass_tally_def *t, int32_t worlds, const int64_t *accumulators, const mass_key_list *lists,
                     uint8_t hash[16])
{
    XXH3_state_t state;
    mass_hash_start(&state);
    if (t->keys) add_lists(&state, worlds, lists, t->keys == MASS_KEYS_TEXTS);
    else XXH3_128bits_update(&state, accumulators, (size_t)worlds * t->words * sizeof *accumulators);
    mass_hash_digest(&state, hash);
}

/* ---- the state ---- */

/* Adds a number's eight bytes as they are in memory. */
static void add_u64(XXH3_state_t *state, uint64_t value) { XXH3_128bits_update(state, &value, sizeof value); }

enum { FULL_NAME_SIZE = 2 * MASS_NAME_SIZE };

/* Returns the attribute with the least name after `after`, and sets its name; -1: there is none. Skips streamed ones.
 * Names are unique, so this visits all of them in order without a sorted copy. */
static int next_attribute(const mass_model *m, const char *after, char name[FULL_NAME_SIZE])
{
    int found = -1;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char candidate[FULL_NAME_SIZE];
        if (a->streamed) continue;
        snprintf(candidate, FULL_NAME_SIZE, "%s.%s", mass_owner_name(m, a), a->name);
        if (strcmp(candidate, after) <= 0 || (found >= 0 && strcmp(candidate, name) >= 0)) continue;
        memcpy(name, candidate, FULL_NAME_SIZE);
        found = (int)i;
    }
    return found;
}

/* Returns the tally with the least name after `after`, or -1. Skips reduced ones, which checkpoints do not hold. */
static int next_tally(const mass_model *m, const char *after)
{
    int found = -1;
    for (uint32_t i = 0; i < m->tally_count; i++) {
        const mass_tally_def *t = &m->tallies[i];
        if (t->reduced || strcmp(t->name, after) <= 0) continue;
        if (found < 0 || strcmp(t->name, m->tallies[found].name) < 0) found = (int)i;
    }
    return found;
}

/* Adds an attribute's name, type and extents, and the hash of its values, which s->attribute finds. */
static void add_attribute(XXH3_state_t *state, const mass_hashed_state *s, uint32_t index, const char *name)
{
    const mass_attribute_def *a = &s->model->attributes[index];
    const mass_gidx *size = s->model->spaces[a->space].size;
    uint8_t hash[16];
    s->attribute(s->owner, index, hash);
    XXH3_128bits_update(state, name, strlen(name) + 1);
    add_u64(state, a->type);
    add_u64(state, a->length);
    add_u64(state, (uint64_t)s->worlds);
    for (int axis = 2; a->population < 0 && axis >= 0; axis--) add_u64(state, (uint64_t)size[axis]);
    for (int axis = 2; a->population >= 0 && axis >= 0; axis--)
        add_u64(state, axis > 0 ? 1 : s->agents[a->population]);
    add_u64(state, a->component_size);
    XXH3_128bits_update(state, hash, sizeof hash);
}

/* Adds a tally's name and extents, and the hash of its values, which s->tally finds. */
static void add_tally(XXH3_state_t *state, const mass_hashed_state *s, uint32_t index)
{
    const mass_tally_def *t = &s->model->tallies[index];
    uint8_t hash[16];
    s->tally(s->owner, index, hash);
    XXH3_128bits_update(state, t->name, strlen(t->name) + 1);
    add_u64(state, (uint64_t)s->worlds);
    add_u64(state, t->keys ? 0 : t->words);
    XXH3_128bits_update(state, hash, sizeof hash);
}

void mass_state_hash(const mass_hashed_state *s, char hex[33])
{
    XXH3_state_t state;
    char after[FULL_NAME_SIZE] = "", name[FULL_NAME_SIZE];
    uint8_t hash[16];
    int i;
    mass_hash_start(&state);
    for (; (i = next_attribute(s->model, after, name)) >= 0; memcpy(after, name, sizeof after))
        add_attribute(&state, s, (uint32_t)i, name);
    const char *last = "";
    for (; s->version > 1 && (i = next_tally(s->model, last)) >= 0; last = s->model->tallies[i].name)
        add_tally(&state, s, (uint32_t)i);
    add_u64(&state, s->step);
    mass_hash_digest(&state, hash);
    mass_hash_format(hash, hex);
}

void mass_hash_file_bytes(const void *bytes, size_t size, char hex[33])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    mass_hash_format(canonical.digest, hex);
}
