/* Counts by key in a checkpoint: what a hostile file may say of them, and what has to hold before they are used. */
#include "io/checkpoint_reader.h"

#include <stdlib.h>
#include <string.h>

/* How many keys and bytes of texts the file says it has, of all worlds. */
static bool read_sizes(mass_reader *r, hid_t group, uint64_t *entries, uint64_t *bytes)
{
    return mass_reader_u64(r, group, "entries", INT64_MAX / 16, entries) &&
           mass_reader_u64(r, group, "bytes", INT64_MAX / 16, bytes);
}

static bool check_part(mass_reader *r, hid_t group, const char *name, hid_t type, const char *axis, uint64_t count)
{
    const size_t size = H5Tget_size(type);
    const mass_checkpoint_shape shape = mass_checkpoint_keys_shape(axis, count, size);
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    if (set < 0) return mass_reader_unreadable(r, name);
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

/* All that a tally of keys has in the file. */
typedef struct contents {
    uint64_t entries, bytes, total;
    uint64_t *distinct, *keys;
    int64_t *counts;
    uint8_t *text;
} contents;

static void *read_part(mass_reader *r, hid_t group, const char *name, hid_t type, uint64_t count)
{
    void *data = malloc((count + 1) * H5Tget_size(type));
    if (!data) {
        mass_reader_no_memory(r, count * H5Tget_size(type));
        return NULL;
    }
    const hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    const bool good = set >= 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (!good) mass_reader_unreadable(r, name);
    if (set >= 0) H5Dclose(set);
    if (good) return data;
    free(data);
    return NULL;
}

static bool read_contents(mass_reader *r, hid_t group, bool texts, contents *c)
{
    *c = (contents){0};
    return read_sizes(r, group, &c->entries, &c->bytes) && mass_reader_u64(r, group, "total", UINT64_MAX, &c->total) &&
           (c->distinct = read_part(r, group, "distinct", H5T_STD_U64LE, (uint64_t)r->c->worlds)) &&
           (c->keys = read_part(r, group, texts ? "end" : "key", H5T_STD_U64LE, c->entries)) &&
           (c->counts = read_part(r, group, "count", H5T_STD_I64LE, c->entries)) &&
           (!texts || (c->text = read_part(r, group, "text", H5T_STD_U8LE, c->bytes)));
}

static bool damaged(mass_reader *r, const mass_tally_def *t)
{
    return mass_reader_damaged(r, "the keys of tally '%s' are not those written", t->name);
}

/* One world's list, of `count` keys from `first` on; the texts of those before end at `start`. */
static bool copy_list(mass_reader *r, const mass_tally_def *t, const contents *c, uint64_t first, uint64_t count,
                      uint64_t start, mass_key_list *out)
{
    const bool texts = t->keys == MASS_KEYS_TEXTS;
    const uint64_t end = texts && count ? c->keys[first + count - 1] : start;
    if (end < start || end > c->bytes) return damaged(r, t);
    *out = (mass_key_list){.texts = texts, .count = count, .keys = malloc((count + 1) * sizeof *out->keys),
                           .counts = malloc((count + 1) * sizeof *out->counts),
                           .bytes = texts ? malloc(end - start + 1) : NULL};
    if (!out->keys || !out->counts || (texts && !out->bytes)) return mass_reader_no_memory(r, count * 16 + end - start);
    for (uint64_t i = 0; i < count; i++) out->keys[i] = c->keys[first + i] - (texts ? start : 0);
    memcpy(out->counts, c->counts + first, count * sizeof *out->counts);
    if (texts) memcpy(out->bytes, c->text + start, end - start);
    return mass_key_list_is_sound(out, end - start) || damaged(r, t);
}

static bool copy_lists(mass_reader *r, const mass_tally_def *t, const contents *c, mass_key_list *lists)
{
    uint64_t first = 0, start = 0, total = 0;
    for (int32_t w = 0; w < r->c->worlds; w++) {
        if (c->distinct[w] > c->entries - first) return damaged(r, t);
        if (!copy_list(r, t, c, first, c->distinct[w], start, &lists[w])) return false;
        first += c->distinct[w];
        start += mass_key_list_bytes(&lists[w]);
        total += (uint64_t)mass_key_list_total(&lists[w]);
    }
    return (first == c->entries && start == c->bytes && total == c->total) || damaged(r, t);
}

bool mass_reader_read_keys(mass_reader *r, const mass_tally_def *t, mass_key_list *lists)
{
    char name[MASS_NAME_SIZE + 16];
    contents c = {0};
    snprintf(name, sizeof name, "/tallies/%s", t->name);
    const hid_t group = H5Gopen2(r->c->file, name, H5P_DEFAULT);
    if (group < 0) return mass_reader_unreadable(r, name);
    const bool good = read_contents(r, group, t->keys == MASS_KEYS_TEXTS, &c) && copy_lists(r, t, &c, lists);
    H5Gclose(group);
    free(c.distinct);
    free(c.keys);
    free(c.counts);
    free(c.text);
    return good;
}
