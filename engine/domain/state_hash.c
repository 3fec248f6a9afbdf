#include "domain/state_hash.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

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

static void start(XXH3_state_t *state)
{
    XXH3_INITSTATE(state);
    XXH3_128bits_reset(state);
}

static void close_block(mass_bytes_hash *h)
{
    uint8_t hash[16];
    mass_hash_digest(&h->block, hash);
    XXH3_128bits_update(&h->blocks, hash, sizeof hash);
    start(&h->block);
    h->filled = 0;
}

void mass_bytes_hash_begin(mass_bytes_hash *h)
{
    start(&h->block);
    start(&h->blocks);
    h->filled = 0;
}

void mass_bytes_hash_add(mass_bytes_hash *h, const void *bytes, size_t count)
{
    const uint8_t *next = bytes;
    while (count > 0) {
        const size_t room = BLOCK - h->filled;
        const size_t part = count < room ? count : room;
        XXH3_128bits_update(&h->block, next, part);
        h->filled += part;
        next += part;
        count -= part;
        if (h->filled == BLOCK) close_block(h);
    }
}

void mass_bytes_hash_end(mass_bytes_hash *h, uint8_t hash[16])
{
    if (h->filled > 0) close_block(h);
    mass_hash_digest(&h->blocks, hash);
}

static void add_u64(XXH3_state_t *state, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> 8 * i);
    XXH3_128bits_update(state, bytes, sizeof bytes);
}

enum { FULL_NAME_SIZE = 2 * MASS_NAME_SIZE };

static void full_name(const mass_model *m, uint32_t attribute, char name[FULL_NAME_SIZE])
{
    const mass_attribute_def *a = &m->attributes[attribute];
    snprintf(name, FULL_NAME_SIZE, "%s.%s", mass_owner_name(m, a), a->name);
}

/* The attribute with the least name after `after`, or -1: names are unique, so that walking by them
 * needs no sorted copy. */
static int next_by_name(const mass_model *m, const char *after, char name[FULL_NAME_SIZE])
{
    int found = -1;
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        char candidate[FULL_NAME_SIZE];
        if (m->attributes[i].streamed) continue;
        full_name(m, i, candidate);
        if (strcmp(candidate, after) <= 0 || (found >= 0 && strcmp(candidate, name) >= 0)) continue;
        memcpy(name, candidate, FULL_NAME_SIZE);
        found = (int)i;
    }
    return found;
}

static void add_attribute(XXH3_state_t *state, const mass_model *m, const mass_attribute_def *a,
                          int32_t worlds, const uint64_t *agents, const char *name, const uint8_t hash[16])
{
    const mass_gidx *size = m->spaces[a->space].size;
    XXH3_128bits_update(state, name, strlen(name) + 1);
    add_u64(state, a->type);
    add_u64(state, a->length);
    add_u64(state, (uint64_t)worlds);
    for (int axis = 2; a->population < 0 && axis >= 0; axis--) add_u64(state, (uint64_t)size[axis]);
    for (int axis = 2; a->population >= 0 && axis >= 0; axis--)
        add_u64(state, axis > 0 ? 1 : agents[a->population]);
    add_u64(state, a->component_size);
    XXH3_128bits_update(state, hash, 16);
}

void mass_state_hash(const mass_model *m, int32_t worlds, const uint64_t *agents, uint64_t step,
                     mass_attribute_hash *hash_of, const void *owner, char hex[33])
{
    XXH3_state_t state;
    char after[FULL_NAME_SIZE] = "", name[FULL_NAME_SIZE];
    uint8_t hash[16];
    start(&state);
    for (int i; (i = next_by_name(m, after, name)) >= 0; memcpy(after, name, sizeof after)) {
        hash_of(owner, (uint32_t)i, hash);
        add_attribute(&state, m, &m->attributes[i], worlds, agents, name, hash);
    }
    add_u64(&state, step);
    mass_hash_digest(&state, hash);
    mass_hash_format(hash, hex);
}

void mass_hash_file_bytes(const void *bytes, size_t size, char hex[33])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    mass_hash_format(canonical.digest, hex);
}
