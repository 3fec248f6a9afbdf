/* SPDX-License-Identifier: Apache-2.0 */
/* Finds an id that occurs twice in a world, in bounded memory, with as many passes over the ids as that takes. A
 * function that returns bool, and says no more, returns false at the first fault, with the reader's error set. */
#include "io/checkpoint/reader.h"

#include <stdlib.h>

enum { PART = 1 << 12 };

/* Limits of one pass: bits of a bitmap, which covers a range of ids; or ids that are sorted. */
static const uint64_t bits_most = (uint64_t)1 << 28, sorted_most = (uint64_t)1 << 22;

typedef struct search {
    const mass_ids *ids;
    uint64_t part[PART]; /* ids that were read from the file */
    uint64_t twin;
    bool found;
} search;

/* Returns the next *count ids from number `at` on, until the next call; NULL, with the error set, on failure. */
static const uint64_t *next_part(search *s, uint64_t at, uint64_t *count)
{
    const uint64_t left = s->ids->count - at;
    *count = left < PART ? left : PART;
    if (s->ids->memory) return s->ids->memory + at;
    return mass_column_read(s->ids->column, s->ids->first + at, *count, s->part) ? s->part : NULL;
}

/* Records an id that occurs twice; only the first found is kept. */
static void take_twin(search *s, uint64_t id)
{
    if (!s->found) s->twin = id;
    s->found = true;
}

/* ---- with a bitmap ---- */

/* Sets the bits of the ids from base to before base + room, and records an id whose bit is set. */
static void mark(search *s, uint64_t *bits, const uint64_t *ids, uint64_t count, uint64_t base, uint64_t room)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = ids[i] - base; /* wraps to a large number if the id is below the base */
        if (at >= room) continue;
        if (bits[at / 64] >> at % 64 & 1) take_twin(s, ids[i]);
        bits[at / 64] |= (uint64_t)1 << at % 64;
    }
}

/* Searches for an id that occurs twice, through a bitmap, range by range. Reads all ids once a range. */
static bool search_by_bits(mass_reader *r, search *s)
{
    const uint64_t bound = s->ids->bound;
    bool good = true;
    for (uint64_t base = 0; good && !s->found && base < bound; base += bits_most) {
        const uint64_t room = bound - base < bits_most ? bound - base : bits_most;
        uint64_t *bits = calloc(room / 64 + 1, sizeof *bits);
        if (!bits) return mass_reader_no_memory(r, room / 8);
        for (uint64_t at = 0, count; good && at < s->ids->count; at += count) {
            const uint64_t *part = next_part(s, at, &count);
            if (part) mark(s, bits, part, count, base, room);
            good = part != NULL;
        }
        free(bits);
    }
    return good;
}

/* ---- by sorting: each pass sorts the least ids that earlier passes did not have ---- */

/* Orders ids for qsort. */
static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the ids in place and records one that occurs twice. */
static void sort(search *s, uint64_t *ids, uint64_t count)
{
    qsort(ids, count, sizeof *ids, by_value);
    for (uint64_t i = 1; i < count; i++)
        if (ids[i] == ids[i - 1]) take_twin(s, ids[i]);
}

/* Sorts the least ids from `least` on, as many as fit, and records one that occurs twice. *most: all ids up to it
 * were among them; UINT64_MAX: none is left. */
static bool sort_pass(search *s, uint64_t *ids, uint64_t room, uint64_t least, uint64_t *most)
{
    uint64_t held = 0;
    *most = UINT64_MAX;
    for (uint64_t at = 0, count; at < s->ids->count; at += count) {
        const uint64_t *part = next_part(s, at, &count);
        if (!part) return false;
        for (uint64_t i = 0; i < count; i++) {
            if (part[i] < least || part[i] > *most) continue;
            if (held == room) {
                sort(s, ids, held);
                held = room / 2;
                *most = ids[held - 1];
            }
            if (part[i] <= *most) ids[held++] = part[i];
        }
    }
    sort(s, ids, held);
    return true;
}

/* Searches for an id that occurs twice, by sorting the least ids not yet seen in each pass over all. */
static bool search_by_sorting(mass_reader *r, search *s)
{
    const uint64_t room = s->ids->count < sorted_most ? s->ids->count : sorted_most;
    uint64_t *ids = malloc(room * sizeof *ids), most = 0;
    bool good = ids || mass_reader_no_memory(r, room * sizeof *ids);
    for (uint64_t least = 0; good && !s->found; least = most + 1) {
        good = sort_pass(s, ids, room, least, &most);
        if (most == UINT64_MAX) break;
    }
    free(ids);
    return good;
}

/* ---- choice of the method ---- */

/* Returns true if a bitmap is quicker: if it is little larger than the ids, or if sorting takes many passes. */
static bool is_for_bits(const mass_ids *ids)
{
    if (ids->bound / 64 <= ids->count) return true;
    return ids->count > sorted_most && ids->bound / bits_most < 8 * (ids->count / (sorted_most / 2));
}

bool mass_ids_find_twin(mass_reader *r, const mass_ids *ids, bool *found, uint64_t *twin)
{
    *found = false;
    if (ids->count < 2) return true;
    search *s = malloc(sizeof *s);
    if (!s) return mass_reader_no_memory(r, sizeof *s);
    s->ids = ids;
    s->found = false;
    const bool good = is_for_bits(ids) ? search_by_bits(r, s) : search_by_sorting(r, s);
    *found = s->found;
    *twin = s->twin;
    free(s);
    return good;
}
