/* SPDX-License-Identifier: Apache-2.0 */
#include "network/pairs.h"

#include <stdlib.h>

enum { FREE = 0, REMOVED = 1, FIRST = 2 };

mass_status mass_pairs_make(mass_pairs *p, uint64_t additions, mass_error *error)
{
    uint64_t slots = 16;
    if (additions > SIZE_MAX / 64) return mass_error_memory(error, SIZE_MAX, "a simple network");
    while (slots < 2 * additions) slots *= 2;
    p->slots = slots < SIZE_MAX / 16 ? calloc((size_t)slots, sizeof *p->slots) : NULL;
    p->last = slots - 1;
    return p->slots ? MASS_OK : mass_error_memory(error, (size_t)slots * sizeof *p->slots, "a simple network");
}

void mass_pairs_free(mass_pairs *p)
{
    free(p->slots);
    p->slots = NULL;
}

/* Returns a pair as a number. Nodes are below 2^31. */
static uint64_t number_of(const mass_pairs *p, uint32_t from, uint32_t to)
{
    const bool turned = !p->directed && from > to;
    return ((uint64_t)(turned ? to : from) << 32 | (turned ? from : to)) + FIRST;
}

/* Returns the slot at which the search for a pair begins. */
static uint64_t slot_of(uint64_t number) { return (number * 0x9e3779b97f4a7c15u) >> 20; }

/* Returns the slot of a pair by its number, or the free one at which the search ends. One must be free. */
static uint64_t *find(const mass_pairs *p, uint64_t number)
{
    uint64_t slot = slot_of(number);
    while (p->slots[slot & p->last] != FREE && p->slots[slot & p->last] != number) slot++;
    return &p->slots[slot & p->last];
}

bool mass_pairs_add(mass_pairs *p, uint32_t from, uint32_t to)
{
    uint64_t *const slot = find(p, number_of(p, from, to));
    if (from == to || *slot != FREE) return false;
    *slot = number_of(p, from, to);
    return true;
}

void mass_pairs_fetch(const mass_pairs *p, uint32_t from, uint32_t to)
{
    __builtin_prefetch(&p->slots[slot_of(number_of(p, from, to)) & p->last], 1);
}

void mass_pairs_remove(mass_pairs *p, uint32_t from, uint32_t to) { *find(p, number_of(p, from, to)) = REMOVED; }
