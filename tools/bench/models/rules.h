/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of rules.c and of its check. A pattern has bit 3 * row + column for each of the nine places around and at
 * a place. */
#ifndef MASS_BENCH_MODELS_RULES_H
#define MASS_BENCH_MODELS_RULES_H

#include <mass/arithmetic.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns an entry of a table without structure: the finaliser of MurmurHash3, by Austin Appleby (public domain). */
MASS_FN bool rules_entry(uint32_t pattern)
{
    uint32_t v = pattern * 2654435761u + 1;
    v ^= v >> 16, v *= 0x85ebca6bu, v ^= v >> 13, v *= 0xc2b2ae35u;
    return v >> 16 & 1;
}

/* Returns a pattern of 3x3 bits mirrored at its main diagonal. */
MASS_FN uint32_t rules_transposed(uint32_t p)
{
    return (p & 0x111) | (p & 2) << 2 | (p & 8) >> 2 | (p & 4) << 4 | (p & 0x40) >> 4 | (p & 0x20) << 2 |
           (p & 0x80) >> 2;
}
MASS_FN uint32_t rules_mirrored(uint32_t p) { return (p & 0x92) | (p & 0x49) << 2 | (p & 0x124) >> 2; }

/* Returns the least of a pattern's eight images by reflections and quarter turns. */
MASS_FN uint32_t rules_least_image(uint32_t pattern)
{
    uint32_t least = pattern;
    for (int k = 0; k < 8; k++) {
        pattern = k % 2 ? rules_transposed(pattern) : rules_mirrored(pattern);
        least = pattern < least ? pattern : least;
    }
    return least;
}

#endif
