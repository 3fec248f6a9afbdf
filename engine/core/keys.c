#include "core/keys.h"

#include <mass/keys.h>

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ENTRIES_FIRST = 64, BYTES_FIRST = 1024, FEW = 256 };

/* Room for `need` elements; what there is stays as it is where it fails. */
static bool make_room(void *array, uint64_t *room, uint64_t need, size_t size, uint64_t first)
{
    void **pointer = array;
    if (need <= *room) return true;
    uint64_t more = *room ? *room : first;
    while (more < need) more *= 2;
    void *larger = more <= PTRDIFF_MAX / size ? realloc(*pointer, more * size) : NULL;
    if (!larger) return false;
    *pointer = larger;
    *room = more;
    return true;
}

static uint64_t free_place(const mass_key_set *s, uint64_t hash)
{
    uint64_t at = hash & (s->capacity - 1);
    while (s->index[at]) at = (at + 1) & (s->capacity - 1);
    return at;
}

/* An index that is at most half full with one more entry. */
static bool make_index(mass_key_set *s)
{
    if (2 * (s->count + 1) <= s->capacity) return true;
    const uint64_t capacity = s->capacity ? 2 * s->capacity : 2 * ENTRIES_FIRST;
    uint64_t *index = calloc(capacity, sizeof *index);
    if (!index) return false;
    free(s->index);
    s->index = index;
    s->capacity = capacity;
    for (uint64_t i = 0; i < s->count; i++) index[free_place(s, s->entries[i].hash)] = i + 1;
    return true;
}

static bool is_entry(const mass_key_set *s, const mass_key_entry *e, const mass_key_entry *wanted, const void *text)
{
    if (e->hash != wanted->hash || e->length != wanted->length) return false;
    return s->texts ? memcmp(s->bytes + e->key, text, e->length) == 0 : e->key == wanted->key;
}

static mass_key_entry *find(const mass_key_set *s, const mass_key_entry *wanted, const void *text)
{
    for (uint64_t at = wanted->hash & (s->capacity - 1); s->capacity && s->index[at]; at = (at + 1) & (s->capacity - 1)) {
        mass_key_entry *e = &s->entries[s->index[at] - 1];
        if (is_entry(s, e, wanted, text)) return e;
    }
    return NULL;
}

static void add(mass_key_set *s, mass_key_entry wanted, const void *text)
{
    mass_key_entry *e = find(s, &wanted, text);
    if (e) {
        e->count = (int64_t)((uint64_t)e->count + (uint64_t)wanted.count);
        return;
    }
    s->failed |= !make_index(s) || !make_room(&s->entries, &s->room, s->count + 1, sizeof *s->entries, ENTRIES_FIRST) ||
                 !make_room(&s->bytes, &s->byte_room, s->byte_count + wanted.length + s->texts, 1, BYTES_FIRST);
    if (s->failed) return;
    if (s->texts) {
        wanted.key = s->byte_count;
        if (wanted.length) memcpy(s->bytes + s->byte_count, text, wanted.length);
        s->byte_count += wanted.length;
    }
    s->entries[s->count] = wanted;
    s->index[free_place(s, wanted.hash)] = ++s->count;
}

void mass_key_set_add_number(mass_key_set *s, uint64_t key, int64_t count)
{
    add(s, (mass_key_entry){.key = key, .hash = mass_key_hash_number(key, 0), .count = count}, NULL);
}

void mass_key_set_add_text(mass_key_set *s, const void *text, uint64_t length, int64_t count)
{
    add(s, (mass_key_entry){.length = length, .hash = XXH3_64bits(text, length), .count = count}, text);
}

void mass_key_set_merge(mass_key_set *s, const mass_key_set *from)
{
    s->failed |= from->failed;
    for (uint64_t i = 0; i < from->count; i++)
        add(s, from->entries[i], from->texts ? from->bytes + from->entries[i].key : NULL);
}

uint64_t mass_key_set_digest(const mass_key_set *s)
{
    uint64_t digest = 0;
    for (uint64_t i = 0; i < s->count; i++)
        digest += mass_key_mix(s->entries[i].hash + mass_key_mix((uint64_t)s->entries[i].count));
    return digest;
}

void mass_key_set_clear(mass_key_set *s)
{
    if (s->count) memset(s->index, 0, s->capacity * sizeof *s->index);
    s->count = s->byte_count = 0;
    s->failed = false;
}

void mass_key_set_free(mass_key_set *s)
{
    free(s->entries);
    free(s->index);
    free(s->bytes);
    *s = (mass_key_set){.texts = s->texts};
}

/* ---- lists ---- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = (*(const mass_key_entry *const *)a)->key, y = (*(const mass_key_entry *const *)b)->key;
    return (x > y) - (x < y);
}

static int compare_texts(const uint8_t *a, uint64_t a_length, const uint8_t *b, uint64_t b_length)
{
    const uint64_t both = a_length < b_length ? a_length : b_length;
    const int order = both ? memcmp(a, b, both) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int by_text(const void *a, const void *b, void *bytes)
{
    const mass_key_entry *x = *(const mass_key_entry *const *)a, *y = *(const mass_key_entry *const *)b;
    return compare_texts((uint8_t *)bytes + x->key, x->length, (uint8_t *)bytes + y->key, y->length);
}

static void fill_list(const mass_key_set *s, const mass_key_entry *const *order, mass_key_list *out)
{
    uint64_t end = 0;
    for (uint64_t i = 0; i < s->count; i++) {
        const mass_key_entry *e = order[i];
        if (s->texts && e->length) memcpy(out->bytes + end, s->bytes + e->key, e->length);
        end += e->length;
        out->keys[i] = s->texts ? end : e->key;
        out->counts[i] = e->count;
    }
}

mass_status mass_key_list_of(const mass_key_set *s, mass_key_list *out, mass_error *error)
{
    const size_t bytes = (s->count + 1) * 3 * sizeof(uint64_t) + s->byte_count;
    const mass_key_entry **order = malloc((s->count + 1) * sizeof *order);
    *out = (mass_key_list){.texts = s->texts, .count = s->count, .keys = malloc((s->count + 1) * sizeof *out->keys),
                           .counts = malloc((s->count + 1) * sizeof *out->counts),
                           .bytes = s->texts ? malloc(s->byte_count + 1) : NULL};
    const bool complete = order && out->keys && out->counts && (!s->texts || out->bytes);
    for (uint64_t i = 0; complete && i < s->count; i++) order[i] = &s->entries[i];
    if (complete && s->texts) qsort_r(order, s->count, sizeof *order, by_text, s->bytes);
    if (complete && !s->texts) qsort(order, s->count, sizeof *order, by_number);
    if (complete) fill_list(s, order, out);
    else mass_key_list_free(out);
    free(order);
    return complete ? MASS_OK : mass_error_memory(error, bytes, "the keys of a tally");
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
    for (uint64_t i = 0; sound && i < l->count; i++) sound = l->counts[i] > 0 && (i == 0 || !l->texts || l->keys[i - 1] <= l->keys[i]);
    for (uint64_t i = 1; sound && i < l->count; i++) {
        uint64_t a_length, b_length;
        const uint8_t *a = l->texts ? mass_key_list_text(l, i - 1, &a_length) : NULL;
        const uint8_t *b = l->texts ? mass_key_list_text(l, i, &b_length) : NULL;
        sound = l->texts ? compare_texts(a, a_length, b, b_length) < 0 : l->keys[i - 1] < l->keys[i];
    }
    return sound;
}

static int by_count(const void *a, const void *b, void *list)
{
    const mass_key_list *l = list;
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    if (l->counts[x] != l->counts[y]) return l->counts[x] < l->counts[y] ? 1 : -1;
    return (x > y) - (x < y);
}

/* Those of a few, without sorting all: keys come in their order, so that one goes behind its equals. */
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
