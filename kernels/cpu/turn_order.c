/* SPDX-License-Identifier: Apache-2.0 */
/* The order of a phase in turn: draws 64 random bits for each agent, and sorts the agents by them. */
#include "cpu/kernels.h"

#include <mass/random.h>

enum { DIGIT = 8, VALUES = 1 << DIGIT, FEW = 24, DIGITS = 16 };

/* Returns a digit of an agent's key, and then of its id. The first one is the highest. */
static uint32_t digit_of(const mass_turn_key *k, int digit)
{
    const uint64_t word = digit < DIGITS / 2 ? k->key : k->id;
    return (uint32_t)(word >> (DIGIT * (DIGITS / 2 - 1 - digit % (DIGITS / 2)))) & (VALUES - 1);
}

static bool is_before(const mass_turn_key *a, const mass_turn_key *b)
{
    return a->key != b->key ? a->key < b->key : a->id < b->id;
}

/* Sorts few keys by insertion. */
static void sort_few(mass_turn_key *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const mass_turn_key k = keys[i];
        uint32_t at = i;
        for (; at > 0 && is_before(&k, &keys[at - 1]); at--) keys[at] = keys[at - 1];
        keys[at] = k;
    }
}

/* Sorts keys that are equal in the digits before `digit`. `spare` is memory for as many. */
static void sort(mass_turn_key *keys, mass_turn_key *spare, uint32_t count, int digit)
{
    uint32_t end[VALUES] = {0}, first = 0;
    if (count <= FEW || digit == DIGITS) {
        sort_few(keys, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) end[digit_of(&keys[i], digit)]++;
    for (int v = 0; v < VALUES; v++) {
        const uint32_t n = end[v];
        end[v] = first;
        first += n;
    }
    for (uint32_t i = 0; i < count; i++) spare[end[digit_of(&keys[i], digit)]++] = keys[i];
    memcpy(keys, spare, count * sizeof *keys);
    for (int v = 0; v < VALUES; v++) {
        const uint32_t from = v ? end[v - 1] : 0;
        if (end[v] - from > 1) sort(keys + from, spare + from, end[v] - from, digit + 1);
    }
}

/* Finds the order of the agents of a world. */
static void order_world(const mass_turn_order_work *w, int32_t world, mass_turn_key *keys, uint32_t *order)
{
    const uint32_t first = w->start[world * w->places], count = w->start[(world + 1) * w->places] - first;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t id = w->id[first + i];
        const mass_random4 r = mass_random_block(w->random_keys[world], id, w->step, w->phase, MASS_LOTTERY_DRAW);
        keys[i] = (mass_turn_key){(uint64_t)r.v[0] << 32 | r.v[1], id, first + i};
    }
    sort(keys, keys + w->count, count, 0);
    for (uint32_t i = 0; i < count; i++) order[first + i] = keys[i].agent;
}

size_t mass_cpu_turn_order_bytes(uint32_t count) { return count * (2 * sizeof(mass_turn_key) + sizeof(uint32_t)); }

void mass_cpu_turn_order(const mass_turn_order_work *w)
{
    mass_turn_key *const keys = w->memory;
    uint32_t *const order = (uint32_t *)(keys + 2 * (size_t)w->count);
    for (int32_t world = 0; world < w->worlds; world++)
        if (!w->gates || !w->gates[world]) order_world(w, world, keys, order);
    w->turn->order = order;
}
