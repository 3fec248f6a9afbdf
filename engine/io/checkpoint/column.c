/* SPDX-License-Identifier: Apache-2.0 */
/* Reads values of a data set in order, in bounded memory. A function that returns bool, and says no more, returns false
 * at the first fault, with the reader's error set. */
#include "io/checkpoint/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_BYTES = 1 << 19 };

/* Returns how many elements a window of the column holds. */
static uint64_t window_of(const mass_column *c) { return WINDOW_BYTES / c->size; }

/* Prepares a column of agents whose values are in parts, and checks the elements' size. Opens no part yet. */
static bool begin_in_parts(mass_column *c)
{
    const mass_checkpoint *of = c->reader->c;
    const mass_attribute_def *a = &of->model.attributes[c->attribute];
    c->set = -1;
    c->rank = a->length > 1 ? 2 : 1;
    c->each = a->length;
    c->count = of->agents[a->population] * c->each;
    return a->component_size == c->size || mass_reader_damaged(c->reader, "'%s' is of another type", c->name);
}

bool mass_column_begin(mass_reader *r, hid_t at, const char *path, int64_t type, mass_column *out)
{
    *out = (mass_column){.reader = r, .type = type, .size = H5Tget_size(type), .attribute = mass_parts_find(r, path)};
    snprintf(out->name, sizeof out->name, "%s", path);
    if (out->attribute >= 0) return begin_in_parts(out);
    out->set = mass_reader_set(r, at, path);
    if (out->set < 0) return false;
    hsize_t extent[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(out->set);
    out->rank = H5Sget_simple_extent_ndims(space);
    const bool good = out->rank >= 1 && out->rank <= 2 && H5Sget_simple_extent_dims(space, extent, NULL) == out->rank;
    out->each = out->rank == 2 ? extent[1] : 1;
    out->count = extent[0] * out->each;
    H5Sclose(space);
    return good || mass_reader_unreadable(r, path);
}

void mass_column_end(mass_column *c)
{
    if (c->reader && c->set >= 0) H5Dclose(c->set);
    free(c->buffer);
    *c = (mass_column){0};
}

/* Chooses the next box from `first` on, of whole rows or within one row. Returns its values, at most `count`. */
static uint64_t choose_box(const mass_column *c, uint64_t first, uint64_t count, hsize_t start[2], hsize_t extent[2])
{
    const uint64_t within = first % c->each, left = c->each - within;
    start[0] = first / c->each;
    start[1] = within;
    extent[0] = within == 0 && count >= c->each ? count / c->each : 1;
    extent[1] = within == 0 && count >= c->each ? c->each : count < left ? count : left;
    return extent[0] * extent[1];
}

/* Reads elements of the column box by box, past its window; from the parts' files if it has parts. */
static bool read_from_file(const mass_column *c, uint64_t first, uint64_t count, void *out)
{
    uint8_t *next = out;
    bool good = true;
    if (c->attribute >= 0) return mass_parts_read(c->reader, (uint32_t)c->attribute, first, count, out);
    while (good && count > 0) {
        hsize_t start[2], extent[2];
        const hsize_t some = choose_box(c, first, count, start, extent);
        const hid_t space = H5Dget_space(c->set), memory = H5Screate_simple(1, &some, NULL);
        good = (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                H5Dread(c->set, c->type, memory, space, H5P_DEFAULT, next) >= 0) ||
               mass_reader_unreadable(c->reader, c->name);
        H5Sclose(memory);
        H5Sclose(space);
        first += some;
        count -= some;
        next += some * c->size;
    }
    return good;
}

/* Reads one window of values from `first` on into the buffer, which it allocates at the first call. */
static bool fill(mass_column *c, uint64_t first)
{
    const uint64_t left = c->count - first, some = left < window_of(c) ? left : window_of(c);
    if (!c->buffer) c->buffer = malloc(WINDOW_BYTES);
    if (!c->buffer) return mass_reader_no_memory(c->reader, WINDOW_BYTES);
    c->first = first;
    c->held = 0;
    if (!read_from_file(c, first, some, c->buffer)) return false;
    c->held = some;
    return true;
}

bool mass_column_read(mass_column *c, uint64_t first, uint64_t count, void *out)
{
    if (first > c->count || count > c->count - first)
        return mass_reader_damaged(c->reader, "'%s' is too short", c->name);
    if (count >= window_of(c)) return read_from_file(c, first, count, out);
    for (uint8_t *next = out; count > 0;) {
        if ((first < c->first || first >= c->first + c->held) && !fill(c, first)) return false;
        const uint64_t left = c->first + c->held - first, some = count < left ? count : left;
        memcpy(next, c->buffer + (first - c->first) * c->size, some * c->size);
        next += some * c->size;
        first += some;
        count -= some;
    }
    return true;
}
