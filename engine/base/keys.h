/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on the host. A set takes keys in any order and grows. A list has them in ascending order, which does
 * not depend on the order in which they came. */
#ifndef MASS_ENGINE_KEYS_H
#define MASS_ENGINE_KEYS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the process may allocate this many more bytes. Sets and lists call it before they allocate much: some
 * systems grant more memory than there is and kill the process later. NULL, the initial value: no check. */
typedef bool mass_key_room(size_t bytes);
void mass_keys_ask(mass_key_room *); /* sets the check; call it before threads start */
/* Allocates memory as malloc does, after the check. NULL: no memory. */
void *mass_keys_take(size_t bytes);

/* A number; or a text, which is stored in its entry if it is short, else in the set's bytes. */
typedef struct mass_key_entry {
    uint64_t key[2];
    uint64_t hash; /* 0: the place is free */
    int64_t count;
} mass_key_entry;

/* Records that counting by key needs `bytes`, which are not free, and returns MASS_NO_DEVICE. */
mass_status mass_keys_no_memory(uint64_t bytes, mass_error *error);

/* A set of keys with counts, used by one thread at a time. All zero but `texts` is an empty set. */
typedef struct mass_key_set {
    bool texts;  /* keys are texts, not numbers */
    bool failed; /* memory was short, and some contributions were not counted */
    uint64_t wanted; /* bytes that it failed to allocate */
    mass_key_entry *entries; /* [capacity] by hash, at most half of them in use */
    uint64_t count, capacity;
    uint8_t *bytes; /* long texts, one after the other */
    uint64_t byte_count, byte_room;
} mass_key_set;

/* Add to a key's count, modulo 2^64. If memory is short they set `failed`. */
void mass_key_set_add_number(mass_key_set *s, uint64_t key, int64_t count);
void mass_key_set_add_text(mass_key_set *s, const void *text, uint64_t length, int64_t count);
/* Adds all counts of another set of the same kind. If that set failed, this one fails too. */
void mass_key_set_merge(mass_key_set *s, const mass_key_set *from);

/* A queue of contributions of 1. Each is added to its set a few calls later, when the processor has fetched its entry
 * into the cache. All zero is an empty queue. Sets and texts must remain valid until mass_key_queue_settle. */
enum { MASS_KEY_QUEUE_LENGTH = 8 };
typedef struct mass_key_queue {
    struct {
        mass_key_set *set; /* NULL: none */
        const void *text;
        mass_key_entry entry;
    } pending[MASS_KEY_QUEUE_LENGTH];
    uint32_t turn;
} mass_key_queue;

/* Queues a number. If the queue is full, adds the oldest contribution to its set. */
void mass_key_queue_number(mass_key_queue *q, mass_key_set *s, uint64_t key);
/* Queues a text likewise. `readable` bytes can be read at `text`, which may be more than `length`. */
void mass_key_queue_text(mass_key_queue *q, mass_key_set *s, const void *text, uint64_t length, uint64_t readable);
/* Adds all pending contributions to their sets, and empties the queue. */
void mass_key_queue_settle(mass_key_queue *q);

/* Returns a digest of a set, which is the same for all sets with the same keys and counts. */
uint64_t mass_key_set_digest(const mass_key_set *s);
/* mass_key_set_clear removes all keys and keeps the memory; mass_key_set_free releases it. Both leave an empty set of
 * the same kind, and clear `failed`. */
void mass_key_set_clear(mass_key_set *s);
void mass_key_set_free(mass_key_set *s);

/* Keys in ascending order: numbers as unsigned, texts byte by byte. The list owns its memory. */
typedef struct mass_key_list {
    bool texts;
    uint64_t count;
    uint64_t *keys;  /* [count] numbers; or the end of each text in bytes, where the next begins */
    uint8_t *bytes;  /* the texts; NULL for numbers */
    int64_t *counts; /* [count] */
} mass_key_list;

/* Makes the list of a set, in memory of its own. Does not free what *out had. Fails if the set has failed. On failure
 * *out is empty. */
mass_status mass_key_list_of(const mass_key_set *s, mass_key_list *out, mass_error *error);
/* Adds all counts of a list to a set of the same kind. If memory is short, sets `failed`. */
void mass_key_set_add_list(mass_key_set *s, const mass_key_list *l);
/* Frees what a list owns, and empties it. */
void mass_key_list_free(mass_key_list *l);
/* Returns the sum of all counts, modulo 2^64. */
int64_t mass_key_list_total(const mass_key_list *l);
/* Returns the bytes of all texts; 0 for numbers. */
uint64_t mass_key_list_bytes(const mass_key_list *l);
/* Returns text i of a list, which owns it, and stores its length in *length. No zero byte follows the text. */
const uint8_t *mass_key_list_text(const mass_key_list *l, uint64_t i, uint64_t *length);
/* Returns whether a list is valid: keys ascend strictly, counts are positive, and the ends of texts ascend to
 * `bytes`. */
bool mass_key_list_is_sound(const mass_key_list *l, uint64_t bytes);

/* Writes the indexes of the keys with the largest counts, at most `most`: the largest first, equal counts by key.
 * Returns how many. Returns 0 if `most` is large and there is no memory to sort all. */
uint64_t mass_key_list_top(const mass_key_list *l, uint64_t most, uint64_t *out);

#endif
