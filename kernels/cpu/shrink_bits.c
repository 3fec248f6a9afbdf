/* SPDX-License-Identifier: Apache-2.0 */
/* The mean of blocks of bits. Rows are added up as bit planes, all columns at once; then the bits that the planes have
 * in a block are counted. */
#include "cpu/shrink_rows.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { TAKEN = 56 }; /* bits that a word always has from any bit of its first byte on */

/* Returns the number of ones of each byte, in that byte. */
static inline uint64_t count_in_bytes(uint64_t bytes)
{
    bytes -= bytes >> 1 & 0x5555555555555555;
    bytes = (bytes & 0x3333333333333333) + (bytes >> 2 & 0x3333333333333333);
    return (bytes + (bytes >> 4)) & 0x0f0f0f0f0f0f0f0f;
}

/* Returns the number of bits that are 1. */
static int64_t count_ones(uint64_t word) { return (int64_t)(count_in_bytes(word) * 0x0101010101010101 >> 56); }

/* Adds a row of bits to sums in bit planes, lowest first, each `words` long. used: planes that the sums need with this
 * row. */
static void add_bit_row(const uint8_t *restrict row, int64_t bytes, int used, int64_t words, uint64_t *restrict planes)
{
    enum { STRETCH = 64 };
    for (int64_t from = 0; from < words; from += STRETCH) {
        uint64_t carry[STRETCH] = {0};
        const int64_t left = bytes - 8 * from, count = words - from < STRETCH ? words - from : STRETCH;
        memcpy(carry, row + 8 * from, (size_t)(left < 8 * count ? left : 8 * count));
        for (int k = 0; k < used; k++) {
            uint64_t *restrict plane = planes + k * words + from;
            for (int64_t i = 0; i < count; i++) {
                const uint64_t sum = plane[i] ^ carry[i];
                carry[i] &= plane[i];
                plane[i] = sum;
            }
        }
    }
}

/* Sums of a row of blocks: `count` planes of `words` words each, which are read a word at a time. */
typedef struct plane_sums {
    const uint8_t *planes;
    int64_t words, rows; /* rows: of the blocks */
    int count;
} plane_sums;

/* Returns whether the table has the index of each sum that a whole block can have. */
static bool is_in_table(const shrink *s, const plane_sums *p)
{
    return s->table && p->rows * s->work->factor == s->table_places;
}

/* Adds to `sum` the sums of `width` columns (at most TAKEN) from bit `at` on. */
#define SUM_COLUMNS(sums, planes_, at, width, ones, sum)                                            \
    for (int k_ = 0; k_ < (planes_); k_++) {                                                        \
        uint64_t word_;                                                                             \
        memcpy(&word_, (sums)->planes + 8 * (sums)->words * k_ + (at) / 8, sizeof word_);           \
        (sum) += (int64_t)ones(word_ >> (at) % 8 & (((uint64_t)1 << (width)) - 1)) << k_;           \
    }

/* Put the index of each block of a row, from block `done` on. name_few takes whole blocks of few columns, with one word
 * of each plane. */
#define PUT_PLANES(name, target, ones)                                                              \
    target static inline __attribute__((always_inline)) int64_t name##_few(                         \
        const shrink *s, const plane_sums *p, const int planes, uint8_t *to)                        \
    {                                                                                               \
        const int64_t factor = s->work->factor, blocks = s->work->width / factor;                   \
        const uint8_t *const table = s->table;                                                      \
        int64_t at = s->work->bit;                                                                  \
        for (int64_t i = 0; i < blocks; i++, at += factor) {                                        \
            int64_t sum = 0;                                                                        \
            SUM_COLUMNS(p, planes, at, factor, ones, sum)                                           \
            to[i] = table[sum];                                                                     \
        }                                                                                           \
        return blocks;                                                                              \
    }                                                                                               \
    target static void name(const shrink *s, const plane_sums *p, int64_t done, uint8_t *to)        \
    {                                                                                               \
        const mass_shrink_work *w = s->work;                                                        \
        if (!done && is_in_table(s, p))                                                             \
            switch (w->factor < TAKEN ? p->count : 0) {                                             \
            case 1: done = name##_few(s, p, 1, to); break;                                          \
            case 2: done = name##_few(s, p, 2, to); break;                                          \
            case 3: done = name##_few(s, p, 3, to); break;                                          \
            case 4: done = name##_few(s, p, 4, to); break;                                          \
            case 5: done = name##_few(s, p, 5, to); break;                                          \
            case 6: done = name##_few(s, p, 6, to); break;                                          \
            }                                                                                       \
        to += done;                                                                                 \
        for (int64_t x = done * w->factor; x < w->width; to++) {                                    \
            const int64_t from = x, end = block_end(w, x);                                          \
            int64_t sum = 0;                                                                        \
            for (int64_t width; x < end; x += width) {                                              \
                width = end - x < TAKEN ? end - x : TAKEN;                                          \
                SUM_COLUMNS(p, p->count, w->bit + x, width, ones, sum)                              \
            }                                                                                       \
            *to = index_of_sum(s, sum, (end - from) * p->rows);                                     \
        }                                                                                           \
    }

PUT_PLANES(put_planes, , count_ones)
#ifdef __x86_64__
PUT_PLANES(put_planes_popcnt, __attribute__((target("popcnt,bmi2"))), __builtin_popcountll)

enum { EIGHT = 8 }; /* blocks at a time; also the most columns of such a block */

/* Returns whether eight blocks at a time can be read as bytes and looked up in a table. */
static bool can_put_eight(const shrink *s, const plane_sums *p)
{
    const mass_shrink_work *w = s->work;
    return w->factor <= EIGHT && (w->factor < EIGHT || w->bit % 8 == 0) && is_in_table(s, p);
}

/* Puts the index of whole blocks of few columns, with one block in each byte. Returns how many: a multiple of EIGHT.
 * Needs can_put_eight. */
__attribute__((target("bmi2"))) static int64_t put_eight(const shrink *s, const plane_sums *p, uint8_t *restrict to)
{
    const mass_shrink_work *w = s->work;
    const uint64_t mask = 0x0101010101010101 * (((uint64_t)1 << w->factor) - 1);
    const uint8_t *const table = s->table;
    int64_t done = 0;
    for (int64_t at = w->bit; done + EIGHT <= w->width / w->factor; done += EIGHT, at += EIGHT * w->factor) {
        uint64_t sums = 0;
        for (int k = 0; k < p->count; k++) {
            uint64_t word;
            memcpy(&word, p->planes + 8 * p->words * k + at / 8, sizeof word);
            sums += count_in_bytes(_pdep_u64(word >> at % 8, mask)) << k;
        }
        for (int i = 0; i < EIGHT; i++) to[done + i] = table[sums >> 8 * i & 0xff];
    }
    return done;
}
#endif

/* Returns the number of bits of a number. */
static int bits_of(int64_t value)
{
    int bits = 0;
    for (; value; value >>= 1) bits++;
    return bits;
}

void mass_shrink_bits(shrink *s, int64_t first, int64_t end, uint8_t *to)
{
    const mass_shrink_work *w = s->work;
    const int64_t bytes = (w->bit + w->width + 7) / 8, words = (bytes + 7) / 8;
    const int planes = bits_of(end - first);
    uint8_t *sums = s->memory;
    memset(sums, 0, (size_t)(8 * words * planes));
    for (int64_t y = first; y < end; y++)
        add_bit_row((const uint8_t *)row_at(w, y), bytes, bits_of(y - first + 1), words, s->memory);
    const plane_sums p = {sums, words, end - first, planes};
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2")) {
        put_planes_popcnt(s, &p, can_put_eight(s, &p) ? put_eight(s, &p, to) : 0, to);
        return;
    }
#endif
    put_planes(s, &p, 0, to);
}
