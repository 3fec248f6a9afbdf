/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that the model `tokens` counts, for the model and for plain loops. */
#ifndef MASS_TESTS_MODELS_TOKENS_H
#define MASS_TESTS_MODELS_TOKENS_H

#include <mass/arithmetic.h>

enum { TOKENS_FEW, TOKENS_MANY, TOKENS_ALIKE, WALKERS = 300 };

/* Returns the byte of a place: a blank for about one of five, else any other. Most sequences of them are no UTF-8. */
MASS_FN uint8_t byte_of(int64_t x, int64_t y)
{
    const uint64_t both = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)(y + 1) * 0xd1342543de82ef95u;
    const uint64_t bits = both * 0xd6e8feb86659fd93u;
    return bits >> 61 == 0 || bits >> 58 == 9 ? ' ' : (uint8_t)(33 + (bits >> 40) % 5 * 50);
}

/* Returns the key whose hash, in a table of seed 0, is `hash`: the inverse of mass_key_mix. */
MASS_FN uint64_t key_of_hash(uint64_t hash)
{
    uint64_t key = (hash ^ hash >> 32) * 0xcfee444d8b59a89bu;
    key = (key ^ key >> 32) * 0xcfee444d8b59a89bu;
    return key ^ key >> 32;
}

/* Returns the number that a place counts in a step: few, many, all different, or many whose hashes begin at one
 * slot. */
MASS_FN uint64_t number_of(int64_t kind, int64_t place, int64_t step)
{
    const uint64_t n = (uint64_t)(place * 7 + step * 3);
    if (kind == TOKENS_FEW) return n % 9 * 0x2000000000000001u;
    if (kind == TOKENS_MANY) return (uint64_t)place * 0x9e3779b97f4a7c15u + (uint64_t)(step & 1);
    return key_of_hash(n % 5000 << 44);
}

#endif
