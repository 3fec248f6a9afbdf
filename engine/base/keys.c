/* SPDX-License-Identifier: Apache-2.0 */
#include "base/keys.h"

#include <mass/impl/keys.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the last byte of a short text is the highest");

enum { CACHE_LINE = 64, CAPACITY_FIRST = 128, BYTES_FIRST = 1024, FEW = 256, MUCH = 1 << 20 };

/* ---- memory ---- */

static mass_key_room *has_room;

/* Threads check and touch memory one at a time, so that each check sees what the others took. */
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;

void mass_keys_ask(mass_key_room *room) { has_room = room; }

/* Returns whether a set may allocate so much. Only large amounts are asked about. */
static bool may_take(size_t bytes) { return bytes < MUCH || !has_room || has_room(bytes); }

void *mass_keys_take(size_t bytes) { return may_take(bytes) ? malloc(bytes) : NULL; }

mass_status mass_keys_no_memory(uint64_t bytes, mass_error *error)
{
    char size[32];
    return mass_error_set(error, MASS_NO_DEVICE, "counting by key needs %s, which the machine, or what this process "
                          "may take of it, does not have free: count fewer keys, or use a machine with more memory",
                          mass_format_bytes(size, (double)bytes));
}

/* Marks a set as failed, which lacks `wanted` bytes. Returns false. */
static bool fail(mass_key_set *s, uint64_t wanted)
{
    s->failed = true;
    s->wanted = wanted;
    return false;
}

/* Allocates `capacity` entries, all zero, one thread at a time. NULL: memory is short, or has_room() says so of many
 * bytes. */
static mass_key_entry *take_entries(uint64_t capacity)
{
    const size_t bytes = capacity * sizeof(mass_key_entry);
    pthread_mutex_lock(&taking);
    mass_key_entry *entries = may_take(bytes) ? aligned_alloc(CACHE_LINE, bytes) : NULL;
    if (entries) memset(entries, 0, bytes);
    pthread_mutex_unlock(&taking);
    return entries;
}

/* Grows the bytes of a set from `before` to `room`, with zeros; their address may change. NULL: no memory. */
static uint8_t *take_bytes(uint8_t *bytes, uint64_t before, uint64_t room)
{
    pthread_mutex_lock(&taking);
    uint8_t *taken = may_take(room) ? realloc(bytes, room) : NULL;
    if (taken) memset(taken + before, 0, room - before);
    pthread_mutex_unlock(&taking);
    return taken;
}

/* ---- entries ---- */

/* Layout of a text's entry. Up to 15 bytes: key[0] and key[1] hold the text itself, zeros after it, and its length in
 * the last byte. A longer text begins at byte key[0] of the set's bytes, and key[1] is its length with this bit set. */
#define LONG ((uint64_t)1 << 63)
enum { SHORT_MAX = 15, SHORT_LENGTH_SHIFT = 56 };

/* Sets an entry's key and hash, which is never 0, and its other members to 0. */
static void make_number(mass_key_entry *out, uint64_t key)
{
    const uint64_t hash = mass_key_hash_number(key, 0);
    *out = (mass_key_entry){.key = {key}, .hash = hash + !hash};
}

/* Makes the entry of a text, `readable` bytes of which can be read, also beyond its length: a copy of fixed size is
 * faster. Its count is 0. */
static void make_text(mass_key_entry *out, const void *text, uint64_t length, uint64_t readable)
{
    static const uint8_t kept[2 * SHORT_MAX + 2] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                    255, 255, 255, 255, 255, 255, 255}; /* then zeros */
    uint64_t key[2] = {0, length | LONG}, mask[2], hash;
    if (length > SHORT_MAX) {
        hash = XXH3_64bits(text, length);
    } else {
        key[1] = 0;
        if (readable >= sizeof key) memcpy(key, text, sizeof key);
        else if (length) memcpy(key, text, length);
        memcpy(mask, kept + SHORT_MAX - length, sizeof mask);
        key[0] &= mask[0];
        key[1] = (key[1] & mask[1]) | length << SHORT_LENGTH_SHIFT;
        hash = XXH3_64bits(key, sizeof key);
    }
    *out = (mass_key_entry){.key = {key[0], key[1]}, .hash = hash + !hash};
}

static bool is_long(const mass_key_entry *e) { return e->key[1] & LONG; }

/* Returns the length of an entry's text. */
static uint64_t text_length(const mass_key_entry *e)
{
    return is_long(e) ? e->key[1] & ~LONG : e->key[1] >> SHORT_LENGTH_SHIFT;
}

/* Returns an entry's text: in the set's bytes if it is long, else in the entry itself. */
static const uint8_t *text_of(const mass_key_entry *e, const uint8_t *bytes)
{
    return is_long(e) ? bytes + e->key[0] : (const uint8_t *)e->key;
}

/* ---- sets ---- */

/* Returns the entry of a key, or the free place for it, of which there has to be one. text: that of a long key, else
 * not read. */
static mass_key_entry *place_of(const mass_key_set *s, const mass_key_entry *wanted, const void *text)
{
    for (uint64_t at = wanted->hash;; at++) {
        mass_key_entry *e = &s->entries[at & (s->capacity - 1)];
        if (e->hash == 0) return e;
        if (e->key[1] != wanted->key[1]) continue;
        if (is_long(e)) {
            if (e->hash == wanted->hash && memcmp(s->bytes + e->key[0], text, text_length(e)) == 0) return e;
        } else if (e->key[0] == wanted->key[0]) return e;
    }
}

/* Doubles the capacity and inserts all entries again; entries do not straddle cache lines. If memory is short, the set
 * fails, and it returns false. */
static bool double_capacity(mass_key_set *s)
{
    const mass_key_set before = *s;
    const uint64_t capacity = before.capacity ? 2 * before.capacity : CAPACITY_FIRST;
    mass_key_entry *entries = take_entries(capacity);
    if (!entries) return fail(s, capacity * sizeof *entries);
    s->entries = entries;
    s->capacity = capacity;
    for (uint64_t i = 0; i < before.capacity; i++) {
        const mass_key_entry *e = &before.entries[i];
        if (e->hash) *place_of(s, e, is_long(e) ? s->bytes + e->key[0] : NULL) = *e;
    }
    free(before.entries);
    return true;
}

/* Appends a long text to the set's bytes, and sets the entry's key to its offset there. If memory is short, the set
 * fails, and it returns false. */
static bool keep_text(mass_key_set *s, mass_key_entry *e, const void *text)
{
    const uint64_t length = text_length(e);
    if (s->byte_room - s->byte_count < length) {
        uint64_t room = s->byte_room ? s->byte_room : BYTES_FIRST;
        while (room - s->byte_count < length) room *= 2;
        uint8_t *bytes = take_bytes(s->bytes, s->byte_room, room);
        if (!bytes) return fail(s, room);
        s->bytes = bytes;
        s->byte_room = room;
    }
    memcpy(s->bytes + s->byte_count, text, length);
    e->key[0] = s->byte_count;
    s->byte_count += length;
    return true;
}

/* Adds an entry's count to its key, or inserts the entry. If memory is short, the set fails. text: that of a long key.
 * */
static void add(mass_key_set *s, const mass_key_entry *e, const void *text)
{
    if (2 * (s->count + 1) > s->capacity && !double_capacity(s)) return;
    mass_key_entry *to = place_of(s, e, text);
    if (to->hash) {
        to->count = mass_sum_i64(to->count, e->count);
        return;
    }
    mass_key_entry kept = *e;
    if (is_long(e) && !keep_text(s, &kept, text)) return;
    *to = kept;
    s->count++;
}

void mass_key_set_add_number(mass_key_set *s, uint64_t key, int64_t count)
{
    mass_key_entry e;
    make_number(&e, key);
    e.count = count;
    add(s, &e, NULL);
}

void mass_key_set_add_text(mass_key_set *s, const void *text, uint64_t length, int64_t count)
{
    mass_key_entry e;
    make_text(&e, text, length, length);
    e.count = count;
    add(s, &e, text);
}

void mass_key_set_merge(mass_key_set *s, const mass_key_set *from)
{
    if (from->failed) fail(s, from->wanted);
    for (uint64_t i = 0; i < from->capacity; i++)
        if (from->entries[i].hash) add(s, &from->entries[i], text_of(&from->entries[i], from->bytes));
}

uint64_t mass_key_set_digest(const mass_key_set *s)
{
    uint64_t digest = 0;
    for (uint64_t i = 0; i < s->capacity; i++) {
        const mass_key_entry *e = &s->entries[i];
        if (e->hash) digest += mass_key_mix(e->hash + mass_key_mix((uint64_t)e->count));
    }
    return digest;
}

void mass_key_set_clear(mass_key_set *s)
{
    if (s->count) memset(s->entries, 0, s->capacity * sizeof *s->entries);
    s->count = s->byte_count = 0;
    s->failed = false;
}

void mass_key_set_free(mass_key_set *s)
{
    free(s->entries);
    free(s->bytes);
    *s = (mass_key_set){.texts = s->texts};
}

/* ---- queues ---- */

/* Takes the oldest place of the queue for set `s`, and returns its entry, which the caller fills in. Before, adds the
 * contribution that was pending there, if any, to its set. */
static mass_key_entry *next_pending(mass_key_queue *q, mass_key_set *s, const void *text)
{
    const uint32_t at = q->turn++ % MASS_KEY_QUEUE_LENGTH;
    if (q->pending[at].set) add(q->pending[at].set, &q->pending[at].entry, q->pending[at].text);
    q->pending[at].set = s;
    q->pending[at].text = text;
    return &q->pending[at].entry;
}

/* Sets an entry's count to 1, and lets the processor fetch its place in the set into the cache. */
static void fetch(const mass_key_set *s, mass_key_entry *e)
{
    e->count = 1;
    if (s->capacity) __builtin_prefetch(&s->entries[e->hash & (s->capacity - 1)], 1);
}

void mass_key_queue_number(mass_key_queue *q, mass_key_set *s, uint64_t key)
{
    mass_key_entry *e = next_pending(q, s, NULL);
    make_number(e, key);
    fetch(s, e);
}

void mass_key_queue_text(mass_key_queue *q, mass_key_set *s, const void *text, uint64_t length, uint64_t readable)
{
    mass_key_entry *e = next_pending(q, s, text);
    make_text(e, text, length, readable);
    fetch(s, e);
}

void mass_key_queue_settle(mass_key_queue *q)
{
    for (int i = 0; i < MASS_KEY_QUEUE_LENGTH; i++) next_pending(q, NULL, NULL);
}

/* ---- lists ---- */

/* Compares two entries, given by pointers to pointers, by number, for qsort(). */
static int by_number(const void *a, const void *b)
{
    const uint64_t x = (*(const mass_key_entry *const *)a)->key[0], y = (*(const mass_key_entry *const *)b)->key[0];
    return (x > y) - (x < y);
}

/* Orders texts byte by byte; of two with the same beginning, the shorter comes first. */
static int compare_texts(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length)
{
    const uint64_t both = a_length < b_length ? a_length : b_length;
    const int order = both ? memcmp(a, b, both) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* Compares two entries by the bytes of their texts, which are stored in `bytes`, for qsort_r(). */
static int by_text(const void *a, const void *b, void *bytes)
{
    const mass_key_entry *x = *(const mass_key_entry *const *)a, *y = *(const mass_key_entry *const *)b;
    return compare_texts(text_of(x, bytes), text_length(x), text_of(y, bytes), text_length(y));
}

/* Returns the bytes of all texts of a set, 0 for a set of numbers. */
static uint64_t bytes_of_texts(const mass_key_set *s)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; s->texts && i < s->capacity; i++)
        if (s->entries[i].hash) bytes += text_length(&s->entries[i]);
    return bytes;
}

/* Lists pointers to the set's entries in ascending order of keys. `order` has space for all of them. */
static void put_in_order(const mass_key_set *s, const mass_key_entry **order)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < s->capacity; i++)
        if (s->entries[i].hash) order[count++] = &s->entries[i];
    if (s->texts) qsort_r(order, count, sizeof *order, by_text, s->bytes);
    else qsort(order, count, sizeof *order, by_number);
}

/* Fills a list, which has room, with keys and counts in the given order. Copies the texts; their keys are the texts'
 * ends. */
static void fill_list(const mass_key_set *s, const mass_key_entry *const *order, mass_key_list *out)
{
    uint64_t end = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        const mass_key_entry *e = order[i];
        if (s->texts) {
            memcpy(out->bytes + end, text_of(e, s->bytes), text_length(e));
            end += text_length(e);
        }
        out->keys[i] = s->texts ? end : e->key[0];
        out->counts[i] = e->count;
    }
}

mass_status mass_key_list_of(const mass_key_set *s, mass_key_list *out, mass_error *error)
{
    const uint64_t text_bytes = bytes_of_texts(s);
    const size_t bytes = (s->count + 1) * 3 * sizeof(uint64_t) + text_bytes;
    *out = (mass_key_list){0};
    if (s->failed) return mass_keys_no_memory(s->wanted, error);
    if (!may_take(bytes)) return mass_keys_no_memory(bytes, error);
    const mass_key_entry **order = malloc((s->count + 1) * sizeof *order);
    *out = (mass_key_list){.texts = s->texts, .count = s->count, .keys = malloc((s->count + 1) * sizeof *out->keys),
                           .counts = malloc((s->count + 1) * sizeof *out->counts),
                           .bytes = s->texts ? malloc(text_bytes + 1) : NULL};
    const bool complete = order && out->keys && out->counts && (!s->texts || out->bytes);
    if (complete) {
        put_in_order(s, order);
        fill_list(s, order, out);
    } else {
        mass_key_list_free(out);
    }
    free(order);
    return complete ? MASS_OK : mass_keys_no_memory(bytes, error);
}

const uint8_t *mass_key_list_text(const mass_key_list *l, uint64_t i, uint64_t *length)
{
    const uint64_t start = i ? l->keys[i - 1] : 0;
    *length = l->keys[i] - start;
    return l->bytes + start;
}

void mass_key_set_add_list(mass_key_set *s, const mass_key_list *l)
{
    for (uint64_t i = 0; i < l->count; i++) {
        uint64_t length;
        const uint8_t *text = l->texts ? mass_key_list_text(l, i, &length) : NULL;
        if (l->texts) mass_key_set_add_text(s, text, length, l->counts[i]);
        else mass_key_set_add_number(s, l->keys[i], l->counts[i]);
    }
}

void mass_key_list_free(mass_key_list *l)
{
    free(l->keys);
    free(l->bytes);
    free(l->counts);
    *l = (mass_key_list){0};
}

int64_t mass_key_list_total(const mass_key_list *l)
{
    uint64_t total = 0;
    for (uint64_t i = 0; i < l->count; i++) total += (uint64_t)l->counts[i];
    return (int64_t)total;
}

uint64_t mass_key_list_bytes(const mass_key_list *l) { return l->texts && l->count ? l->keys[l->count - 1] : 0; }

bool mass_key_list_is_sound(const mass_key_list *l, uint64_t bytes)
{
    bool sound = !l->texts || (l->count ? l->keys[l->count - 1] == bytes : bytes == 0);
    for (uint64_t i = 0; sound && i < l->count; i++)
        sound = l->counts[i] > 0 && (i == 0 || !l->texts || l->keys[i - 1] <= l->keys[i]);
    for (uint64_t i = 1; sound && i < l->count; i++) {
        uint64_t a_length, b_length;
        const uint8_t *a = l->texts ? mass_key_list_text(l, i - 1, &a_length) : NULL;
        const uint8_t *b = l->texts ? mass_key_list_text(l, i, &b_length) : NULL;
        sound = l->texts ? compare_texts(a, a_length, b, b_length) < 0 : l->keys[i - 1] < l->keys[i];
    }
    return sound;
}

/* Orders indices of a list by falling count, then by rising index, hence by key. */
static int by_count(const void *a, const void *b, void *list)
{
    const mass_key_list *l = list;
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    if (l->counts[x] != l->counts[y]) return l->counts[x] < l->counts[y] ? 1 : -1;
    return (x > y) - (x < y);
}

/* Finds the keys of the largest counts if `most` is small, without sorting all: writes their indices to `out`, and
 * returns how many. Keys come in ascending order, so a key is put after those with the same count. */
static uint64_t find_few(const mass_key_list *l, uint64_t most, uint64_t *out)
{
    uint64_t count = 0;
    for (uint64_t i = 0; most > 0 && i < l->count; i++) {
        if (count == most && l->counts[out[count - 1]] >= l->counts[i]) continue;
        uint64_t at = count < most ? count++ : count - 1;
        for (; at > 0 && l->counts[out[at - 1]] < l->counts[i]; at--) out[at] = out[at - 1];
        out[at] = i;
    }
    return count;
}

uint64_t mass_key_list_top(const mass_key_list *l, uint64_t most, uint64_t *out)
{
    const uint64_t count = l->count < most ? l->count : most;
    if (count <= FEW) return find_few(l, most, out);
    uint64_t *order = malloc((l->count + 1) * sizeof *order);
    if (!order) return 0;
    for (uint64_t i = 0; i < l->count; i++) order[i] = i;
    qsort_r(order, l->count, sizeof *order, by_count, (void *)(uintptr_t)l);
    memcpy(out, order, count * sizeof *out);
    free(order);
    return count;
}
