/* SPDX-License-Identifier: Apache-2.0 */
/* Few ends are placed by rank, which takes comparisons alone and no branch. Many are sorted by digits. */
#include "network/sort_sources.h"

#include <stdbool.h>
#include <string.h>

enum { LANES = 4, BLOCK = 16, FEW = 64, /* ends that are placed by rank: a multiple of BLOCK */
       DIGIT = 8, DIGITS = 1 << DIGIT };

typedef int32_t lanes __attribute__((vector_size(4 * LANES)));

/* Sets rank[i] to the number of keys below key[i], for a block of keys. */
static inline void rank_block(const int32_t *key, uint32_t count, const int32_t *own, int32_t *rank)
{
    lanes k[BLOCK / LANES], r[BLOCK / LANES] = {{0}};
    memcpy(k, own, sizeof k);
    for (uint32_t i = 0; i < count; i++) {
        const lanes all = {key[i], key[i], key[i], key[i]};
        r[0] -= all < k[0], r[1] -= all < k[1], r[2] -= all < k[2], r[3] -= all < k[3];
    }
    memcpy(rank, r, sizeof r);
}

/* Sorts 2 to FEW ends. The place of an end is the number of lower sources, and of equal ones before it. */
static void sort_few(uint32_t *source, uint64_t *edge, uint32_t count)
{
    int32_t key[FEW], rank[FEW];
    uint64_t number[FEW];
    uint8_t equal[FEW] = {0}; /* by rank: ends that have it so far */
    memcpy(key, source, count * sizeof *key);
    for (uint32_t i = count; i % BLOCK; i++) key[i] = 0;
    if (edge) memcpy(number, edge, count * sizeof *edge);
    for (uint32_t i = 0; i < count; i += BLOCK) rank_block(key, count, key + i, rank + i);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (uint32_t)rank[i] + equal[rank[i]]++;
        source[place] = (uint32_t)key[i];
        if (edge) edge[place] = number[i];
    }
}

/* Counts how many sources have each value of all digits. */
static void count_digits(const uint32_t *source, uint64_t count, uint64_t counts[4][DIGITS])
{
    memset(counts, 0, 4 * sizeof *counts);
    for (uint64_t i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) counts[d][source[i] >> d * DIGIT & (DIGITS - 1)]++;
}

/* Sorts many ends by one digit after the other, from the lowest on. Digits that all sources share take no pass. */
static void sort_many(uint32_t *source, uint64_t *edge, uint64_t count, const mass_sort_room *room)
{
    uint64_t counts[4][DIGITS];
    uint32_t *from = source, *to = room->source;
    uint64_t *edge_from = edge, *edge_to = room->edge;
    count_digits(source, count, counts);
    for (int d = 0; d < 4; d++) {
        uint64_t sum = 0;
        if (counts[d][source[0] >> d * DIGIT & (DIGITS - 1)] == count) continue;
        for (int v = 0; v < DIGITS; v++) {
            const uint64_t own = counts[d][v];
            counts[d][v] = sum;
            sum += own;
        }
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t at = counts[d][from[i] >> d * DIGIT & (DIGITS - 1)]++;
            to[at] = from[i];
            if (edge) edge_to[at] = edge_from[i];
        }
        uint32_t *const sources = from;
        uint64_t *const edges = edge_from;
        from = to, to = sources;
        edge_from = edge_to, edge_to = edges;
    }
    if (from == source) return;
    memcpy(source, from, (size_t)count * sizeof *source);
    if (edge) memcpy(edge, edge_from, (size_t)count * sizeof *edge);
}

static bool is_sorted(const uint32_t *source, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        if (source[i] < source[i - 1]) return false;
    return true;
}

void mass_sort_sources(uint32_t *source, uint64_t *edge, uint64_t count, const mass_sort_room *room)
{
    if (is_sorted(source, count)) return;
    if (count <= FEW) sort_few(source, edge, (uint32_t)count);
    else sort_many(source, edge, count, room);
}
