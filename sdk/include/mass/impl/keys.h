/* SPDX-License-Identifier: Apache-2.0 */
/* Counting by key: COUNT_KEY, COUNT_TEXT, and the tables of a GPU.
 *
 * A GPU's table uses open addressing over a power of two of slots, 64 bits each, next to an array of counts. A key has
 * a window of MASS_KEYS_WINDOW slots, from its hash on. A slot is taken once, by one compare-and-swap, and never freed.
 * So a key that found its window full will find it full for the rest of the launch, and a key in the table was never
 * rejected. A launch therefore counts all or none of the occurrences of a key. It can run again with a larger table,
 * for the keys that are not in the table that was too small (`settled`).
 *
 * A slot is the only data that one thread passes to another. It points into the callback's input, or the texts stored
 * from earlier launches, which do not change during the launch. So no fences are needed. Additions to counts are
 * atomic. */
#ifndef MASS_KEYS_H
#define MASS_KEYS_H

#include <mass/impl/launch.h>
#include <mass/arithmetic.h>

/* One world's table on a GPU, for numbers and texts alike. The device sets it. The struct never changes: a different
 * one would need a new access. */
typedef struct mass_key_table {
    uint64_t *slots;    /* [capacity] 0: free; a number; or a text, as below */
    uint64_t *counts;   /* [capacity] */
    uint64_t capacity, seed;
    const uint64_t *settled; /* slots of the keys that an earlier run of this launch counted; NULL: this is its first
                                run */
    uint64_t settled_capacity, settled_seed;
    const uint8_t *input, *kept; /* the memory into which texts point: the input of this launch, and the texts of
                                    earlier ones */
    uint64_t input_bytes;
    uint64_t *long_texts; /* [long_room][2] offset in the input, and length, of texts that are too long for a slot */
    uint64_t long_room;
    /* Counted by launches. */
    uint64_t none;        /* contributions of key 0, or of the empty text */
    uint64_t taken;       /* number of taken slots */
    uint64_t fresh_bytes; /* of texts that point into the input */
    uint64_t kept_bytes;  /* of texts that are stored */
    uint64_t long_count;  /* may be more than long_room */
    uint32_t overflow;    /* 1: a key found its window full */
    uint32_t outside;     /* 1: a text was not in the input, and not counted */
} mass_key_table;

enum {
    MASS_KEYS_WINDOW = 128,
    MASS_KEYS_LONG = 65535,      /* length in bytes from which on a text is stored separately */
    MASS_KEYS_OFFSET_BITS = 38,
    MASS_KEYS_LENGTH_BITS = 16,
    MASS_KEYS_TAG_BITS = 9       /* of the text's hash; the remaining bit is set if the text is stored */
};
#define MASS_KEYS_KEPT ((uint64_t)1 << MASS_KEYS_OFFSET_BITS)
#define MASS_KEYS_INPUT_MAX MASS_KEYS_KEPT

/* Returns a bijection of 64-bit numbers without a visible pattern. */
MASS_FN uint64_t mass_key_mix(uint64_t key)
{
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    return key ^ key >> 32;
}
MASS_FN uint64_t mass_key_hash_number(uint64_t key, uint64_t seed) { return mass_key_mix(key ^ seed); }

/* Returns up to 8 bytes as a number, the first byte lowest. */
MASS_FN uint64_t mass_key_word(const uint8_t *bytes, uint64_t count)
{
    uint64_t word = 0;
    for (uint64_t i = 0; i < count; i++) word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}
/* Returns the hash of a text, which differs by seed. */
MASS_FN uint64_t mass_key_hash_text(const uint8_t *text, uint64_t length, uint64_t seed)
{
    uint64_t hash = seed ^ length * 0x9e3779b97f4a7c15u;
    for (; length >= 8; text += 8, length -= 8) hash = mass_key_mix(hash ^ mass_key_word(text, 8)) + seed;
    return mass_key_mix(hash ^ mass_key_word(text, length));
}

/* Returns a text's slot: the tag from its hash, its length, and its offset in t->input. kept: MASS_KEYS_KEPT if it is
 * in t->kept instead, else 0. */
MASS_FN uint64_t mass_key_slot(uint64_t hash, uint64_t length, uint64_t kept, uint64_t offset)
{
    return (hash >> (64 - MASS_KEYS_TAG_BITS)) << (64 - MASS_KEYS_TAG_BITS) | length << (MASS_KEYS_OFFSET_BITS + 1) |
           kept | offset;
}
/* Returns the bytes of a slot's text. */
MASS_FN uint64_t mass_key_slot_length(uint64_t slot)
{
    return slot >> (MASS_KEYS_OFFSET_BITS + 1) & (((uint64_t)1 << MASS_KEYS_LENGTH_BITS) - 1);
}
MASS_FN uint64_t mass_key_slot_offset(uint64_t slot) { return slot & (MASS_KEYS_KEPT - 1); }
/* Returns the address of a slot's text. */
MASS_FN const uint8_t *mass_key_slot_text(const mass_key_table *t, uint64_t slot)
{
    return (slot & MASS_KEYS_KEPT ? t->kept : t->input) + mass_key_slot_offset(slot);
}
/* Is true if two slots have the same tag and length. */
MASS_FN int mass_key_slots_alike(uint64_t a, uint64_t b) { return (a ^ b) >> (MASS_KEYS_OFFSET_BITS + 1) == 0; }
/* Returns 1 if two texts of this length are equal, else 0. */
MASS_FN int mass_key_same_bytes(const uint8_t *a, const uint8_t *b, uint64_t length)
{
    uint64_t i = 0;
    if (a == b) return 1;
    while (i < length && a[i] == b[i]) i++;
    return i == length;
}

#ifdef __CUDACC__

/* Takes a free slot for a key and returns `wanted`; or returns the content of a taken slot. */
MASS_FN uint64_t mass_key_take(mass_key_table *t, uint64_t at, uint64_t wanted, uint64_t fresh_bytes)
{
    const uint64_t there = *(volatile uint64_t *)&t->slots[at];
    if (there != 0) return there;
    const uint64_t before = atomicCAS((unsigned long long *)&t->slots[at], 0ull, (unsigned long long)wanted);
    if (before != 0) return before;
    atomicAdd((unsigned long long *)&t->taken, 1ull);
    if (fresh_bytes) atomicAdd((unsigned long long *)&t->fresh_bytes, (unsigned long long)fresh_bytes);
    return wanted;
}

/* Adds 1 for each thread that calls it together. Threads of a warp with the same count add up first. */
MASS_FN void mass_key_add_one(uint64_t *count)
{
    const unsigned same = __match_any_sync(__activemask(), (unsigned long long)count);
    if ((threadIdx.x + threadIdx.y * blockDim.x) % 32 == __ffs(same) - 1)
        atomicAdd((unsigned long long *)count, (unsigned long long)__popc(same));
}

/* Returns 1 if an earlier run of this launch has counted all of the key's contributions, else 0. */
MASS_FN int mass_key_settled(const mass_key_table *t, uint64_t key)
{
    const uint64_t hash = mass_key_hash_number(key, t->settled_seed);
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t there = t->settled[(hash + i) & (t->settled_capacity - 1)];
        if (there == 0 || there == key) return there == key;
    }
    return 0;
}

/* Adds 1 to a key's count, unless the key is settled. If the table has no slot for it, notes an overflow: the launch is
 * run again. */
static __device__ __noinline__ void mass_key_count_number(mass_key_table *t, uint64_t key)
{
    if (t->settled && (key == 0 || mass_key_settled(t, key))) return;
    if (key == 0) {
        mass_key_add_one(&t->none);
        return;
    }
    const uint64_t hash = mass_key_hash_number(key, t->seed);
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t at = (hash + i) & (t->capacity - 1);
        if (mass_key_take(t, at, key, 0) != key) continue;
        mass_key_add_one(&t->counts[at]);
        return;
    }
    *(volatile uint32_t *)&t->overflow = 1;
}

/* Is true if a slot holds this text, whose own slot would be `wanted`. */
MASS_FN int mass_key_holds(const mass_key_table *t, uint64_t slot, uint64_t wanted, const uint8_t *text,
                           uint64_t length)
{
    return mass_key_slots_alike(slot, wanted) && mass_key_same_bytes(mass_key_slot_text(t, slot), text, length);
}

/* Returns whether a text is settled, as mass_key_settled does for a number. */
MASS_FN int mass_key_text_settled(const mass_key_table *t, const uint8_t *text, uint64_t length)
{
    const uint64_t hash = mass_key_hash_text(text, length, t->settled_seed), wanted = mass_key_slot(hash, length, 0, 0);
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t there = t->settled[(hash + i) & (t->settled_capacity - 1)];
        if (there == 0) return 0;
        if (mass_key_holds(t, there, wanted, text, length)) return 1;
    }
    return 0;
}

/* Lists a long text. Every run lists them again. */
MASS_FN void mass_key_list_long(mass_key_table *t, uint64_t offset, uint64_t length)
{
    const uint64_t at = atomicAdd((unsigned long long *)&t->long_count, 1ull);
    if (at >= t->long_room) return;
    t->long_texts[2 * at] = offset;
    t->long_texts[2 * at + 1] = length;
}

/* Adds 1 to the count of a text. If it is not in the launch's input, notes that in t->outside. Long texts are listed,
 * and counted by the host. */
static __device__ __noinline__ void mass_key_count_text(mass_key_table *t, const uint8_t *text, uint64_t length)
{
    const uint64_t offset = (uint64_t)(text - t->input);
    if (length == 0) {
        if (!t->settled) mass_key_add_one(&t->none);
        return;
    }
    if (offset > t->input_bytes || length > t->input_bytes - offset) {
        *(volatile uint32_t *)&t->outside = 1;
        return;
    }
    if (length >= MASS_KEYS_LONG) {
        mass_key_list_long(t, offset, length);
        return;
    }
    if (t->settled && mass_key_text_settled(t, text, length)) return;
    const uint64_t hash = mass_key_hash_text(text, length, t->seed), wanted = mass_key_slot(hash, length, 0, offset);
    for (uint64_t i = 0; i < MASS_KEYS_WINDOW; i++) {
        const uint64_t at = (hash + i) & (t->capacity - 1);
        const uint64_t there = mass_key_take(t, at, wanted, length);
        if (there != wanted && !mass_key_holds(t, there, wanted, text, length)) continue;
        mass_key_add_one(&t->counts[at]);
        return;
    }
    *(volatile uint32_t *)&t->overflow = 1;
}

/* The table of a world, in which a body counts; NULL: it does not count. */
struct mass_key_counter {
    mass_key_table *table;
};
/* Count a number, and a text of some bytes, once; nothing if the counter does not count. */
MASS_FN void mass_count_key(const mass_key_counter *c, uint64_t key)
{
    if (c->table) mass_key_count_number(c->table, key);
}
MASS_FN void mass_count_bytes(const mass_key_counter *c, const void *text, uint64_t length)
{
    if (c->table) mass_key_count_text(c->table, (const uint8_t *)text, length);
}

#else

/* The engine's tables, in which a body counts; NULL: it does not count. */
typedef struct mass_key_counter {
    void *tables;
    const mass_launch *launch;
    int32_t world;
} mass_key_counter;

/* Returns the counter of a world; counts 0: it does not count. */
MASS_FN mass_key_counter mass_key_counter_of(void *tables, const mass_launch *l, int64_t world, int counts)
{
    const mass_key_counter c = {counts ? tables : 0, l, (int32_t)world};
    return c;
}
/* Count a number, and a text of some bytes, once; nothing if the counter does not count. */
MASS_FN void mass_count_key(const mass_key_counter *c, uint64_t key)
{
    if (c->tables) c->launch->count_number(c->tables, c->world, key);
}
MASS_FN void mass_count_bytes(const mass_key_counter *c, const void *text, uint64_t length)
{
    if (c->tables) c->launch->count_text(c->tables, c->world, text, length);
}

#endif
#endif
