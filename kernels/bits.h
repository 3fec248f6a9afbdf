/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bits. Place x of a row is bit x % 64 of word x / 64, lowest bit first. On a little-endian machine that is bit
 * x % 8 of byte x / 8. These functions convert between bits and bytes of 0 or 1, and copy runs that begin and end
 * anywhere in a word. */
#ifndef MASS_KERNELS_BITS_H
#define MASS_KERNELS_BITS_H

#include <mass/arithmetic.h>

#include <stdbool.h>
#include <string.h>

enum {
    MASS_BITS_WORD = 64,
    MASS_BITS_LINE = 512 /* places of a cache line; strides of a space that has bits are multiples of it */
};

/* Runs of bits to copy, or to set to one value. No two runs share a word of the target. Counts are at least 1. */
typedef struct mass_bit_runs {
    uint64_t *to;
    const uint64_t *from; /* NULL: the bits become `value` */
    int64_t bits;         /* of a run */
    uint32_t to_bit, from_bit; /* where a run begins in its first word */
    bool value;
    int64_t count[3];
    int64_t to_stride[3], from_stride[3]; /* in words */
} mass_bit_runs;

/* Returns `count` bits (1 to 64) that begin at bit `bit` of `from`. Reads only the words that hold them. Higher bits of
 * the result are undefined. */
MASS_FN uint64_t mass_bits_at(const uint64_t *from, int64_t bit, int64_t count)
{
    const int64_t word = bit / MASS_BITS_WORD, shift = bit % MASS_BITS_WORD;
    const uint64_t low = from[word] >> shift;
    return shift + count > MASS_BITS_WORD ? low | from[word + 1] << (MASS_BITS_WORD - shift) : low;
}

/* Copies one run, one word of the target at a time. It begins at bit to_bit, 0 to 63, of the target, and at any bit
 * from_bit of the source. If `from` is NULL, sets its bits to `value`. The bits around it stay. */
MASS_FN void mass_bits_copy_run(uint64_t *to, uint32_t to_bit, const uint64_t *from, uint32_t from_bit, int64_t bits,
                                bool value)
{
    for (int64_t done = 0; done < bits; to++, to_bit = 0) {
        const int64_t room = MASS_BITS_WORD - to_bit, left = bits - done, n = left < room ? left : room;
        const uint64_t mask = (n == MASS_BITS_WORD ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1) << to_bit;
        const uint64_t word = from ? mass_bits_at(from, from_bit + done, n) : value ? ~(uint64_t)0 : 0;
        *to = (*to & ~mask) | (word << to_bit & mask);
        done += n;
    }
}

/* Copies place `from` of a row to place `to`. Both may be below 0. */
MASS_FN void mass_bits_copy_place(uint64_t *row, int64_t to, int64_t from)
{
    const uint64_t bit = row[from >> 6] >> (from & 63) & 1;
    uint64_t *const word = row + (to >> 6);
    *word = (*word & ~((uint64_t)1 << (to & 63))) | bit << (to & 63);
}

/* Returns the eight places of a byte as eight bytes of 0 or 1. The lowest place is in the lowest byte. */
MASS_FN uint64_t mass_bits_spread(uint8_t byte)
{
    const uint64_t each = byte * 0x0101010101010101u & 0x8040201008040201u;
    return (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}
/* Does the reverse of mass_bits_spread. Ignores all bits but the lowest of each byte. */
MASS_FN uint8_t mass_bits_gather(uint64_t places)
{
    return (uint8_t)((places & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

#ifndef __CUDACC__
/* Convert `count` places from bits to bytes, and from bytes to bits. Both begin at bit 0 of a byte of bits. Spare bits
 * of the last byte are not read, and become 0. */
static inline void mass_bits_unpack(uint8_t *to, const uint8_t *from, int64_t count)
{
    uint64_t places;
    for (int64_t i = 0; i < count / 8; i++) {
        places = mass_bits_spread(from[i]);
        memcpy(to + 8 * i, &places, 8);
    }
    if (count % 8 == 0) return;
    places = mass_bits_spread(from[count / 8]);
    memcpy(to + count / 8 * 8, &places, (size_t)(count % 8));
}
/* Packs `count` bytes into bits. Bits behind the last in its byte become 0. */
static inline void mass_bits_pack(uint8_t *to, const uint8_t *from, int64_t count)
{
    uint64_t places;
    for (int64_t i = 0; i < count / 8; i++) {
        memcpy(&places, from + 8 * i, 8);
        to[i] = mass_bits_gather(places);
    }
    if (count % 8 == 0) return;
    places = 0;
    memcpy(&places, from + count / 8 * 8, (size_t)(count % 8));
    to[count / 8] = mass_bits_gather(places);
}
#endif

#endif
