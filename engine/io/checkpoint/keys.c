/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counts by key from a checkpoint, and checks them, since a file may be hostile. A function that returns bool,
 * and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"

#include "snapshot/state_hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads how many keys and bytes of texts the file has, over all worlds. Refuses 2^59 of either, and more. */
static bool read_sizes(mass_reader *r, hid_t group, uint64_t *entries, uint64_t *bytes)
{
    return mass_reader_u64(r, group, "entries", INT64_MAX / 16, entries) &&
           mass_reader_u64(r, group, "bytes", INT64_MAX / 16, bytes);
}

/* Checks the type, extents and layout of one set of a keyed tally, not its values. */
static bool check_part(mass_reader *r, hid_t group, const char *name, hid_t type, const char *axis, uint64_t count)
{
    const size_t size = H5Tget_size(type);
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape(axis, count, size);
    const hid_t set = mass_reader_set(r, group, name);
    if (set < 0) return false;
    const bool good = mass_reader_check_type(r, set, type, name) && mass_reader_check_extents(r, set, &shape, name) &&
                      mass_reader_check_layout(r, set, &shape, size, name);
    H5Dclose(set);
    return good;
}

bool mass_reader_check_keys(mass_reader *r, hid_t group, const char *name)
{
    const bool texts = r->c->model.tallies[r->tally].keys == MASS_KEYS_TEXTS;
    uint64_t entries, bytes;
    if (!read_sizes(r, group, &entries, &bytes)) return false;
    if (strcmp(name, "distinct") == 0)
        return check_part(r, group, name, H5T_STD_U64LE, "world", (uint64_t)r->c->worlds);
    if (strcmp(name, "count") == 0) return check_part(r, group, name, H5T_STD_I64LE, "key", entries);
    if (strcmp(name, texts ? "end" : "key") == 0) return check_part(r, group, name, H5T_STD_U64LE, "key", entries);
    if (texts && strcmp(name, "text") == 0) return check_part(r, group, name, H5T_STD_U8LE, "byte", bytes);
    return mass_reader_damaged(r, "it holds an unknown '%s' of a tally", name);
}

bool mass_reader_keys_whole(hid_t group, const mass_tally_def *t)
{
    const bool texts = t->keys == MASS_KEYS_TEXTS;
    return H5Lexists(group, "distinct", H5P_DEFAULT) > 0 && H5Lexists(group, "count", H5P_DEFAULT) > 0 &&
           H5Lexists(group, texts ? "end" : "key", H5P_DEFAULT) > 0 &&
           (!texts || H5Lexists(group, "text", H5P_DEFAULT) > 0);
}

/* ---- the data of a tally that counts by key ---- */

enum { TEXT_WINDOW = 1 << 20 };

typedef struct contents {
    mass_reader *reader;
    const mass_tally_def *tally;
    bool texts;
    uint64_t entries, bytes, total;
    mass_column distinct, keys, counts, text;
    uint8_t *window; /* [TEXT_WINDOW] bytes of texts: `held` bytes from byte `first` on */
    uint64_t first, held;
} contents;

/* Refuses the checkpoint for this tally's keys. Returns false. */
static bool damaged(const contents *c)
{
    return mass_reader_damaged(c->reader, "the keys of tally '%s' are not those written", c->tally->name);
}

/* Reads the sizes and opens the columns of a keyed tally. After a failure, too, close_contents is due. */
static bool open_contents(contents *c, hid_t group)
{
    mass_reader *r = c->reader;
    return read_sizes(r, group, &c->entries, &c->bytes) && mass_reader_u64(r, group, "total", INT64_MAX, &c->total) &&
           mass_column_begin(r, group, "distinct", H5T_STD_U64LE, &c->distinct) &&
           mass_column_begin(r, group, c->texts ? "end" : "key", H5T_STD_U64LE, &c->keys) &&
           mass_column_begin(r, group, "count", H5T_STD_I64LE, &c->counts) &&
           (!c->texts || mass_column_begin(r, group, "text", H5T_STD_U8LE, &c->text));
}

/* Closes the columns and frees the window. */
static void close_contents(contents *c)
{
    mass_column_end(&c->distinct);
    mass_column_end(&c->keys);
    mass_column_end(&c->counts);
    mass_column_end(&c->text);
    free(c->window);
}

/* ---- into memory: one world's list of `count` keys, from `first` on; earlier texts end at `start` ---- */

/* Reads one world's keys and counts into *out, with texts counted from its start, and checks them. The caller frees
 * it, also on failure. */
static bool read_list(contents *c, uint64_t first, uint64_t count, uint64_t start, mass_key_list *out)
{
    uint64_t end = start;
    if (c->texts && count && !mass_column_read(&c->keys, first + count - 1, 1, &end)) return false;
    if (end < start || end > c->bytes) return damaged(c);
    *out = (mass_key_list){.texts = c->texts, .count = count, .keys = malloc((count + 1) * sizeof *out->keys),
                           .counts = malloc((count + 1) * sizeof *out->counts),
                           .bytes = c->texts ? malloc(end - start + 1) : NULL};
    if (!out->keys || !out->counts || (c->texts && !out->bytes))
        return mass_reader_no_memory(c->reader, count * 16 + end - start);
    if (!mass_column_read(&c->keys, first, count, out->keys) ||
        !mass_column_read(&c->counts, first, count, out->counts) ||
        (c->texts && !mass_column_read(&c->text, start, end - start, out->bytes)))
        return false;
    for (uint64_t i = 0; c->texts && i < count; i++) out->keys[i] -= start;
    return mass_key_list_is_sound(out, end - start) || damaged(c);
}

/* ---- checks only, without keeping keys ---- */

/* Returns the texts from `start` to `end`, at most TEXT_WINDOW bytes, until the next call; NULL, with the error set,
 * on failure. */
static const uint8_t *text_at(contents *c, uint64_t start, uint64_t end)
{
    if (!c->window) c->window = malloc(TEXT_WINDOW);
    if (!c->window) return mass_reader_no_memory(c->reader, TEXT_WINDOW), NULL;
    if (start < c->first || end > c->first + c->held) {
        const uint64_t left = c->bytes - start;
        c->first = start;
        c->held = left < TEXT_WINDOW ? left : TEXT_WINDOW;
        if (!mass_column_read(&c->text, start, c->held, c->window)) return c->held = 0, NULL;
    }
    return c->window + (start - c->first);
}

/* Compares the texts from `start` and from `middle`, which together exceed the window, chunk by chunk. *order: as of
 * memcmp. Overwrites the window. */
static bool compare_long(contents *c, uint64_t start, uint64_t middle, uint64_t end, int *order)
{
    static const uint64_t chunk = TEXT_WINDOW / 2;
    const uint64_t a = middle - start, b = end - middle, both = a < b ? a : b;
    *order = 0;
    c->held = 0;
    for (uint64_t at = 0; *order == 0 && at < both; at += chunk) {
        const uint64_t some = both - at < chunk ? both - at : chunk;
        if (!c->window) c->window = malloc(TEXT_WINDOW);
        if (!c->window) return mass_reader_no_memory(c->reader, TEXT_WINDOW);
        if (!mass_column_read(&c->text, start + at, some, c->window) ||
            !mass_column_read(&c->text, middle + at, some, c->window + chunk))
            return false;
        *order = memcmp(c->window, c->window + chunk, some);
    }
    if (*order == 0) *order = (a > b) - (a < b);
    return true;
}

/* Returns true if the text that ends at `middle` comes before the one that ends at `end`; else refuses. */
static bool texts_ascend(contents *c, uint64_t start, uint64_t middle, uint64_t end)
{
    int order;
    if (end - start > TEXT_WINDOW) {
        if (!compare_long(c, start, middle, end, &order)) return false;
    } else {
        const uint64_t a = middle - start, b = end - middle;
        const uint8_t *text = text_at(c, start, end);
        if (!text) return false;
        order = memcmp(text, text + a, a < b ? a : b);
        if (order == 0) order = (a > b) - (a < b);
    }
    return order < 0 || damaged(c);
}

/* Checks a list as read_list and mass_key_list_is_sound do, and keeps nothing. Sets *end and adds the counts to
 * *total. */
static bool pass_list(contents *c, uint64_t first, uint64_t count, uint64_t start, uint64_t *end, uint64_t *total)
{
    uint64_t before = start, last = start; /* where the last but one text ends, and where the last one ends */
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key;
        int64_t n;
        if (!mass_column_read(&c->keys, first + i, 1, &key) || !mass_column_read(&c->counts, first + i, 1, &n))
            return false;
        if (n <= 0 || (uint64_t)n > c->total - *total) return damaged(c);
        if (c->texts && (key < last || key > c->bytes)) return damaged(c);
        if (i > 0 && !c->texts && key <= last) return damaged(c);
        if (i > 0 && c->texts && !texts_ascend(c, before, last, key)) return false;
        before = last;
        last = key;
        *total += (uint64_t)n;
    }
    *end = c->texts ? last : start;
    return true;
}

/* ---- all worlds ---- */

/* Checks one world's list; reads it into *out unless NULL. Sets the texts' *end and adds its counts to *total. */
static bool take_list(contents *c, uint64_t first, uint64_t count, uint64_t start, mass_key_list *out, uint64_t *end,
                      uint64_t *total)
{
    if (!out) return pass_list(c, first, count, start, end, total);
    if (!read_list(c, first, count, start, out)) return false;
    *end = start + mass_key_list_bytes(out);
    for (uint64_t i = 0; i < count; i++) {
        if ((uint64_t)out->counts[i] > c->total - *total) return damaged(c);
        *total += (uint64_t)out->counts[i];
    }
    return true;
}

/* Checks the lists of all worlds and that they fill the columns; reads them into `lists` unless NULL. */
static bool take_lists(contents *c, mass_key_list *lists)
{
    uint64_t first = 0, start = 0, total = 0, count;
    for (int32_t w = 0; w < c->reader->c->worlds; w++) {
        if (!mass_column_read(&c->distinct, (uint64_t)w, 1, &count)) return false;
        if (count > c->entries - first) return damaged(c);
        if (!take_list(c, first, count, start, lists ? &lists[w] : NULL, &start, &total)) return false;
        first += count;
    }
    return (first == c->entries && start == c->bytes && total == c->total) || damaged(c);
}

/* ---- the hash ---- */

/* Adds a column to the hash, window by window. The window is kept for further columns. */
static bool hash_column(contents *c, mass_column *column, XXH3_state_t *state)
{
    bool good = true;
    if (!c->window) c->window = malloc(TEXT_WINDOW);
    if (!c->window) return mass_reader_no_memory(c->reader, TEXT_WINDOW);
    const uint64_t most = TEXT_WINDOW / column->size;
    for (uint64_t first = 0, some; good && first < column->count; first += some) {
        some = column->count - first < most ? column->count - first : most;
        good = mass_column_read(column, first, some, c->window);
        if (good) XXH3_128bits_update(state, c->window, some * column->size);
    }
    return good;
}

/* Adds all columns to the hash: distinct keys, keys, texts, counts. */
static bool hash_contents(contents *c, XXH3_state_t *state)
{
    return hash_column(c, &c->distinct, state) && hash_column(c, &c->keys, state) &&
           (!c->texts || hash_column(c, &c->text, state)) && hash_column(c, &c->counts, state);
}

/* ---- a tally ---- */

/* Opens the tally's data sets. The caller closes them with close_contents, also on failure. */
static bool find_contents(contents *c, mass_reader *r, const mass_tally_def *t)
{
    char name[MASS_NAME_SIZE + 16];
    *c = (contents){.reader = r, .tally = t, .texts = t->keys == MASS_KEYS_TEXTS};
    snprintf(name, sizeof name, "/tallies/%s", t->name);
    const hid_t group = mass_reader_group(r, r->c->file, name);
    if (group < 0) return false;
    const bool good = open_contents(c, group);
    H5Gclose(group);
    return good;
}

bool mass_reader_read_keys(mass_reader *r, const mass_tally_def *t, mass_key_list *lists)
{
    contents c;
    const bool good = find_contents(&c, r, t) && take_lists(&c, lists);
    close_contents(&c);
    return good;
}

bool mass_reader_hash_keys(mass_reader *r, const mass_tally_def *t, uint8_t hash[16])
{
    contents c;
    XXH3_state_t state;
    mass_hash_start(&state);
    const bool good = find_contents(&c, r, t) && hash_contents(&c, &state);
    mass_hash_digest(&state, hash);
    close_contents(&c);
    return good;
}
