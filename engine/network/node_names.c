/* SPDX-License-Identifier: Apache-2.0 */
#include "network/node_names.h"

#define XXH_INLINE_ALL
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 1024, FIRST_BYTES = 16384 };

/* Reports that there is no memory of so many bytes. */
static mass_status short_of(uint64_t bytes, mass_error *error)
{
    return mass_error_memory(error, (size_t)bytes, "the names of nodes");
}

/* Returns the slot of a name, or the free one at which the search ends. */
static uint32_t *slot_of(const mass_node_names *n, const char *name, size_t length)
{
    uint64_t at = XXH3_64bits(name, length);
    for (;; at++) {
        uint32_t *const slot = &n->slots[at & n->last];
        if (*slot == 0 || strcmp(mass_node_name(n, (int64_t)*slot - 1), name) == 0) return slot;
    }
}

int64_t mass_node_names_find(const mass_node_names *names, const char *name)
{
    return names->slots ? (int64_t)*slot_of(names, name, strlen(name)) - 1 : -1;
}

/* Makes a hash table of twice the size, so that at most half of it is used, and puts all names into it. On failure
 * the old one stays. */
static mass_status widen_slots(mass_node_names *n, mass_error *error)
{
    const uint64_t slots = n->slots ? 2 * (n->last + 1) : FIRST_SLOTS;
    uint32_t *const old = n->slots, *const more = calloc((size_t)slots, sizeof *more);
    if (!more) return short_of(slots * sizeof *more, error);
    n->slots = more;
    n->last = slots - 1;
    for (uint32_t i = 0; i < n->count; i++) {
        const char *const name = mass_node_name(n, i);
        *slot_of(n, name, strlen(name)) = i + 1;
    }
    free(old);
    return MASS_OK;
}

/* Makes room for one more name of so many bytes, and widens the index if it is half full. */
static mass_status make_room(mass_node_names *n, uint64_t bytes, mass_error *error)
{
    if (n->count == n->room) {
        const uint32_t room = n->room ? n->room + n->room / 2 : FIRST_SLOTS / 2;
        uint64_t *const first = realloc(n->first, room * sizeof *first);
        if (!first) return short_of(room * sizeof *first, error);
        n->first = first;
        n->room = room;
    }
    if (n->used + bytes > n->bytes_room) {
        const uint64_t room = n->bytes_room ? n->bytes_room + n->bytes_room / 2 : FIRST_BYTES;
        char *const more = realloc(n->bytes, (size_t)room);
        if (!more) return short_of(room, error);
        n->bytes = more;
        n->bytes_room = room;
    }
    return !n->slots || 2 * (uint64_t)n->count > n->last ? widen_slots(n, error) : MASS_OK;
}

mass_status mass_node_names_add(mass_node_names *names, const char *name, uint32_t most, uint32_t *out,
                                mass_error *error)
{
    const size_t length = strlen(name);
    mass_status status = names->slots ? MASS_OK : widen_slots(names, error);
    if (status != MASS_OK) return status;
    const uint32_t found = *slot_of(names, name, length);
    if (!found && names->count >= most) return mass_error_set(error, MASS_BAD_USAGE, "there are too many names");
    if (!found) status = make_room(names, length + 1, error);
    if (status != MASS_OK) return status;
    *out = found ? found - 1 : names->count;
    if (found) return MASS_OK;
    memcpy(names->bytes + names->used, name, length + 1);
    names->first[names->count] = names->used;
    names->used += length + 1;
    *slot_of(names, name, length) = ++names->count;
    return MASS_OK;
}

void mass_node_names_free(mass_node_names *names)
{
    free(names->bytes);
    free(names->first);
    free(names->slots);
    *names = (mass_node_names){0};
}
