/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on the host: a set that grows as keys come, in any order, and the list of them in the order of keys,
 * which does not depend on how they came. */
#ifndef MASS_ENGINE_KEYS_H
#define MASS_ENGINE_KEYS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether so many bytes can be had beside what the process has. Sets and lists ask that before they take much, as a
 * system may give more memory than there is, and end who uses it. NULL, as it is at first: nobody is asked. */
typedef bool mass_key_room(size_t bytes);
void mass_keys_ask(mass_key_room *); /* before there are threads */
/* malloc, which asks. */
void *mass_keys_take(size_t bytes);

/* A number; or a text, which is in its entry if it is short, and else in the set's bytes. */
typedef struct mass_key_entry {
    uint64_t key[2];
    uint64_t hash; /* 0: the place is free */
    int64_t count;
} mass_key_entry;

/* MASS_NO_DEVICE: counting by key takes so many bytes, and they are not there. */
mass_status mass_keys_no_memory(uint64_t bytes, mass_error *error);

/* Of one thread at a time. All zero but `texts` is an empty set. */
typedef struct mass_key_set {
    bool texts;  /* keys are texts rather than numbers */
    bool failed; /* memory could not be had, and some contributions were not counted */
    uint64_t wanted; /* so many bytes, then */
    mass_key_entry *entries; /* [capacity] by hash, at most half of them taken */
    uint64_t count, capacity;
    uint8_t *bytes; /* of long texts, one behind the other */
    uint64_t byte_count, byte_room;
} mass_key_set;

/* Adds to a key's count, without a failure but for `failed`. */
void mass_key_set_add_number(mass_key_set *s, uint64_t key, int64_t count);
void mass_key_set_add_text(mass_key_set *s, const void *text, uint64_t length, int64_t count);
/* All of another set of the same kind, or its failure. */
void mass_key_set_merge(mass_key_set *s, const mass_key_set *from);
/* Contributions to sets, of 1 each, that are carried out a few later, when the processor has fetched where they go. All
 * zero is an empty queue. Sets and texts stay until it is settled. */
enum { MASS_KEY_QUEUE_LENGTH = 8 };
typedef struct mass_key_queue {
    struct {
        mass_key_set *set; /* NULL: none */
        const void *text;
        mass_key_entry entry;
    } pending[MASS_KEY_QUEUE_LENGTH];
    uint32_t turn;
} mass_key_queue;

void mass_key_queue_number(mass_key_queue *q, mass_key_set *s, uint64_t key);
/* `readable` bytes can be read from the text on, which may be more than it has. */
void mass_key_queue_text(mass_key_queue *q, mass_key_set *s, const void *text, uint64_t length, uint64_t readable);
void mass_key_queue_settle(mass_key_queue *q);

/* One number of the set, the same for all sets of the same keys and counts. */
uint64_t mass_key_set_digest(const mass_key_set *s);
/* Forgets all keys, and keeps the memory; free does not. */
void mass_key_set_clear(mass_key_set *s);
void mass_key_set_free(mass_key_set *s);

/* Keys in ascending order, numbers without a sign, texts byte by byte. All owned. */
typedef struct mass_key_list {
    bool texts;
    uint64_t count;
    uint64_t *keys;  /* [count] numbers; or where each text ends in bytes, and the next begins */
    uint8_t *bytes;  /* of texts; else NULL */
    int64_t *counts; /* [count] */
} mass_key_list;

/* The list of a set. On failure *out is empty. */
mass_status mass_key_list_of(const mass_key_set *s, mass_key_list *out, mass_error *error);
/* Adds a list to a set. */
void mass_key_set_add_list(mass_key_set *s, const mass_key_list *l);
void mass_key_list_free(mass_key_list *l);
int64_t mass_key_list_total(const mass_key_list *l);
uint64_t mass_key_list_bytes(const mass_key_list *l);
/* Text i of a list; *length becomes its bytes. */
const uint8_t *mass_key_list_text(const mass_key_list *l, uint64_t i, uint64_t *length);
/* Whether keys ascend strictly, and counts are positive; and the ends of texts, of `bytes` in all, ascend to it. */
bool mass_key_list_is_sound(const mass_key_list *l, uint64_t bytes);

/* The numbers of the keys of the largest counts, the largest first and equals by key: at most `most`. Returns how many:
 * none where `most` are many and there is no memory to sort all. */
uint64_t mass_key_list_top(const mass_key_list *l, uint64_t most, uint64_t *out);

#endif
