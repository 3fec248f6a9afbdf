/* SPDX-License-Identifier: Apache-2.0 */
/* Few ends are placed by rank, which takes comparisons alone and no branch. Many are sorted by digits. */
#include "network/sort_sources.h"

#include <mass/impl/kernel_cpu_draws.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = 16, FEW = 64, /* ends that are placed by rank: a multiple of LANES */
       DIGIT = 8, DIGITS = 1 << DIGIT };

typedef int32_t lanes __attribute__((vector_size(4 * LANES)));

/* Sorts 2 to FEW ends. The place of an end is the number of lower sources, and of equal ones before it. Is compiled for
 * each instruction set. */
__attribute__((always_inline)) static inline void sort_few(uint32_t *source, uint64_t *edge, uint32_t count)
{
    int32_t key[FEW], rank[FEW];
    uint64_t number[FEW];
    uint8_t equal[FEW] = {0}; /* by rank: ends that have it so far */
    for (uint32_t i = count & ~(uint32_t)(LANES - 1); i < (count + LANES - 1) / LANES * LANES; i++) key[i] = 0;
    memcpy(key, source, count * sizeof *key);
    if (edge) memcpy(number, edge, count * sizeof *edge);
    for (uint32_t i = 0; i < count; i += LANES) {
        lanes own, below = {0};
        memcpy(&own, key + i, sizeof own);
        for (uint32_t k = 0; k < count; k++) below -= (lanes){0} + key[k] < own;
        memcpy(rank + i, &below, sizeof below);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (uint32_t)rank[i] + equal[rank[i]]++;
        source[place] = (uint32_t)key[i];
        if (edge) edge[place] = number[i];
    }
}

static void sort_few_baseline(uint32_t *source, uint64_t *edge, uint32_t count) { sort_few(source, edge, count); }

#if defined(__x86_64__) && !defined(MASS_BASELINE_ONLY)
MASS_TARGET_AVX2_ static void sort_few_avx2(uint32_t *source, uint64_t *edge, uint32_t count)
{
    sort_few(source, edge, count);
}

MASS_TARGET_AVX512_ static void sort_few_avx512(uint32_t *source, uint64_t *edge, uint32_t count)
{
    sort_few(source, edge, count);
}

/* Sorts few ends, with the widest instructions of the processor. */
static void sort_few_widest(uint32_t *source, uint64_t *edge, uint32_t count)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        sort_few_avx512(source, edge, count);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) sort_few_avx2(source, edge, count);
    else sort_few_baseline(source, edge, count);
}
#else
static void sort_few_widest(uint32_t *source, uint64_t *edge, uint32_t count)
{
    sort_few_baseline(source, edge, count);
}
#endif

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
    if (count <= FEW) sort_few_widest(source, edge, (uint32_t)count);
    else sort_many(source, edge, count, room);
}
