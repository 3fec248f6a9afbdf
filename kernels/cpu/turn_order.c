/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a phase in turn. A shuffled one draws 64 random bits for each agent or place, and sorts by them. Only
 * the upper 32 bits are kept. The few that share these are compared by the others. */
#include "cpu/kernels.h"
#include "cpu/turn_slabs.h"

#include <mass/impl/kernel_cpu_draws.h>
#include <mass/impl/turn_keys.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 24, SHORT = 2048, DIGIT_OF_SHORT = 8, DIGIT = 11, VALUES = 1 << DIGIT, DIGITS_MOST = 4 };

/* An actor's upper bits, and its number below them. */
typedef uint64_t entry;

/* Returns the id of an agent, or the number of a place in its world. */
static uint64_t id_of(const mass_turn_order_work *w, int32_t world, uint32_t actor)
{
    const int64_t place = actor - world * w->places;
    return w->id ? w->id[actor] : (uint64_t)(place < w->part.low_end ? place : place + w->part.gap);
}

/* Returns the random words that decide when an agent or a place acts. */
static mass_random4 draw(const mass_turn_order_work *w, int32_t world, uint32_t actor)
{
    return mass_random_block(w->random_keys[world], id_of(w, world, actor), w->step, w->phase, MASS_LOTTERY_DRAW);
}

/* Returns whether an entry is before another. */
static bool is_before(const mass_turn_order_work *w, int32_t world, entry a, entry b)
{
    if (a >> 32 != b >> 32) return a < b;
    const uint32_t of_a = draw(w, world, (uint32_t)a).v[1], of_b = draw(w, world, (uint32_t)b).v[1];
    return of_a != of_b ? of_a < of_b : id_of(w, world, (uint32_t)a) < id_of(w, world, (uint32_t)b);
}

/* Sorts by insertion. It is fast for few entries, and for entries that are nearly sorted. */
static void insert_all(const mass_turn_order_work *w, int32_t world, entry *entries, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const entry e = entries[i];
        uint32_t at = i;
        for (; at > 0 && is_before(w, world, e, entries[at - 1]); at--) entries[at] = entries[at - 1];
        entries[at] = e;
    }
}

/* Counts how often each digit of the upper bits has each value. A digit has `bits` bits. The lowest digit is number
 * 0. */
static void count_digits(const entry *entries, uint32_t count, int bits, uint32_t counts[DIGITS_MOST][VALUES])
{
    const uint32_t mask = (1u << bits) - 1;
    for (int digit = 0; digit * bits < 32; digit++) memset(counts[digit], 0, (mask + 1) * sizeof counts[digit][0]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upper = (uint32_t)(entries[i] >> 32);
        for (int digit = 0; digit * bits < 32; digit++, upper >>= bits) counts[digit][upper & mask]++;
    }
}

/* Sorts by the digit that `shift` and `mask` give, from `entries` to `to`. Entries with the same digit keep their
 * order. Overwrites `counts`, which are those of the digit's values. */
static void sort_digit(const entry *entries, entry *to, uint32_t count, int shift, uint32_t mask, uint32_t *counts)
{
    uint32_t before = 0;
    for (uint32_t v = 0; v <= mask; v++) {
        const uint32_t n = counts[v];
        counts[v] = before;
        before += n;
    }
    for (uint32_t i = 0; i < count; i++) to[counts[entries[i] >> shift & mask]++] = entries[i];
}

/* Sorts by the upper bits. Returns where the result is: `entries` or `spare`. */
static entry *sort(entry *entries, entry *spare, uint32_t count)
{
    uint32_t counts[DIGITS_MOST][VALUES];
    const int bits = count < SHORT ? DIGIT_OF_SHORT : DIGIT;
    count_digits(entries, count, bits, counts);
    for (int digit = 0; digit * bits < 32; digit++) {
        sort_digit(entries, spare, count, 32 + digit * bits, (1u << bits) - 1, counts[digit]);
        entry *const sorted = spare;
        spare = entries;
        entries = sorted;
    }
    return entries;
}

/* Draws the entries of the actors from `first` on; those of several actors at once, where the processor can. */
static void draw_entries(const mass_turn_order_work *w, int32_t world, uint32_t first, uint32_t count, entry *entries)
{
    mass_draws d = {.draw = MASS_LOTTERY_DRAW};
    uint64_t id[MASS_DRAWN_AHEAD];
    uint32_t done = 0;
    for (; count - done >= MASS_DRAWN_AHEAD; done += MASS_DRAWN_AHEAD) {
        for (uint32_t i = 0; i < MASS_DRAWN_AHEAD; i++) id[i] = id_of(w, world, first + done + i);
        if (!mass_draw_ahead(&d, id, w->random_keys[world], w->step, w->phase)) break;
        for (uint32_t i = 0; i < MASS_DRAWN_AHEAD; i++)
            entries[done + i] = d.words[0][i] << 32 | (first + done + i);
    }
    for (; done < count; done++)
        entries[done] = (uint64_t)draw(w, world, first + done).v[0] << 32 | (first + done);
}

bool mass_cpu_turn_precedes(const mass_turn_order_work *w, int32_t world, uint64_t a, uint64_t b)
{
    return is_before(w, world, a, b);
}

uint64_t *mass_cpu_turn_sort(const mass_turn_order_work *w, int32_t world, uint32_t first, uint32_t count)
{
    entry *entries = (entry *)w->memory + first;
    uint32_t *const order = mass_cpu_turn_order_in(w) + first;
    draw_entries(w, world, first, count, entries);
    if (count > FEW) entries = sort(entries, entries + w->count, count);
    insert_all(w, world, entries, count);
    for (uint32_t i = 0; i < count; i++) order[i] = (uint32_t)entries[i];
    return entries;
}

/* An actor with its key, and with its id, by which equal keys are ordered. */
typedef struct keyed {
    uint64_t key, id;
    uint32_t actor;
} keyed;

/* Orders actors by key, then id (for qsort). */
static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Orders actors of one world by the values of an attribute, or by id alone. */
static void order_by_value(const mass_turn_order_work *w, int32_t world, uint32_t first, uint32_t count)
{
    keyed *const list = (keyed *)w->memory + first;
    uint32_t *const order = mass_cpu_turn_order_in(w) + first;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t key = w->keys.by == MASS_TURN_BY_VALUE ? mass_turn_value_key(&w->keys, first + i) : 0;
        list[i] = (keyed){key, id_of(w, world, first + i), first + i};
    }
    qsort(list, count, sizeof *list, compare_keyed);
    for (uint32_t i = 0; i < count; i++) order[i] = list[i].actor;
}

/* Reverses a list. */
static void reverse(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t other = order[count - 1 - i];
        order[count - 1 - i] = order[i];
        order[i] = other;
    }
}

size_t mass_cpu_turn_order_bytes(uint32_t count)
{
    _Static_assert(sizeof(keyed) >= 2 * sizeof(entry), "the memory is enough for both");
    return count * (sizeof(keyed) + sizeof(uint32_t));
}

uint32_t *mass_cpu_turn_order_in(const mass_turn_order_work *w)
{
    return (uint32_t *)((keyed *)w->memory + w->count);
}

void mass_cpu_turn_order_world(const mass_turn_order_work *w, int32_t world)
{
    const int64_t begin = w->start ? w->start[world * w->places] : world * w->places;
    const int64_t end = w->start ? w->start[(world + 1) * w->places] : (world + 1) * w->places;
    const uint32_t first = (uint32_t)begin, count = (uint32_t)(end - begin);
    if (w->gates && w->gates[world]) return;
    if (w->keys.by == MASS_TURN_SHUFFLED) mass_cpu_turn_sort(w, world, first, count);
    else order_by_value(w, world, first, count);
    if (w->keys.reversed) reverse(mass_cpu_turn_order_in(w) + first, count);
}

void mass_cpu_turn_order(const mass_turn_order_work *w)
{
    for (int32_t world = 0; world < w->worlds; world++) mass_cpu_turn_order_world(w, world);
    w->turn->order = mass_cpu_turn_order_in(w);
}
