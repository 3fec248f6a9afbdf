/* SPDX-License-Identifier: Apache-2.0 */
/* Each loop is written once, in words, and compiled for every instruction set, whose vectors compilers make of it. */
#include "cpu/bits_loops.h"

#include <mass/callback.h>

#define INLINE static inline __attribute__((always_inline))
/* A loop that becomes no vectors, as in a build with a sanitizer, is slower and not wrong. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define WORDS _Pragma("clang loop vectorize(assume_safety)") for (int64_t i = 0; i < words; i++)
#else
#define WORDS _Pragma("GCC ivdep") for (int64_t i = 0; i < words; i++)
#endif

/* All ones where bit k of `counts` is set. */
#define ALL(counts, k) (-(uint64_t)((counts) >> (k) & 1))

INLINE uint64_t choose_word(uint64_t x, uint64_t high, uint64_t low) { return low ^ ((low ^ high) & x); }

/* What becomes of places whose counts, with themselves, are given in binary, at most 9. `survive` counts the place
 * itself, too. */
INLINE uint64_t by_count(uint64_t own, uint64_t n0, uint64_t n1, uint64_t n2, uint64_t n3, uint32_t birth,
                         uint32_t survive)
{
#define OF(k) choose_word(own, ALL(survive, k), ALL(birth, k))
    const uint64_t c01 = choose_word(n0, OF(1), OF(0)), c23 = choose_word(n0, OF(3), OF(2));
    const uint64_t c45 = choose_word(n0, OF(5), OF(4)), c67 = choose_word(n0, OF(7), OF(6));
    const uint64_t c89 = choose_word(n0, OF(9), OF(8));
#undef OF
    const uint64_t c0to3 = choose_word(n1, c23, c01), c4to7 = choose_word(n1, c67, c45);
    return choose_word(n3, c89, choose_word(n2, c4to7, c0to3));
}

/* How many of word i's places and their neighbours along x are set, 0 to 3. */
typedef struct two_bits {
    uint64_t low, high;
} two_bits;
INLINE two_bits sum_word(const uint64_t *row, int64_t i)
{
    const uint64_t own = row[i], left = own << 1 | row[i - 1] >> 63, right = own >> 1 | row[i + 1] << 63;
    const uint64_t either = left ^ own;
    return (two_bits){either ^ right, (left & own) | (right & either)};
}

INLINE void sum(uint64_t *low, uint64_t *high, const uint64_t *row, int64_t words)
{
    WORDS {
        const two_bits s = sum_word(row, i);
        low[i] = s.low;
        high[i] = s.high;
    }
}

INLINE void moore(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive, int64_t words)
{
    const uint64_t *const own = r->own, *const below = r->below;
    const uint64_t *const la = r->low[0], *const lb = r->low[1], *const ha = r->high[0], *const hb = r->high[1];
    uint64_t *const lc = r->low[2], *const hc = r->high[2];
    WORDS {
        const two_bits c = sum_word(below, i);
        const uint64_t l = la[i] ^ lb[i], n0 = l ^ c.low, twos = (la[i] & lb[i]) | (l & c.low);
        const uint64_t h = ha[i] ^ hb[i], odd = h ^ c.high, fours = (ha[i] & hb[i]) | (h & c.high);
        const uint64_t n1 = odd ^ twos, more = odd & twos;
        lc[i] = c.low;
        hc[i] = c.high;
        to[i] = by_count(own[i], n0, n1, fours ^ more, fours & more, birth, survive << 1);
    }
}

INLINE void neumann(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive, int64_t words)
{
    const uint64_t *const own = r->own, *const above = r->above, *const below = r->below;
    WORDS {
        const two_bits row = sum_word(own, i);
        const uint64_t l = row.low ^ above[i], twos = (row.low & above[i]) | (l & below[i]);
        to[i] = by_count(own[i], l ^ below[i], row.high ^ twos, row.high & twos, 0, birth, survive << 1);
    }
}

INLINE void shift(uint64_t *to, const uint64_t *row, int x, int64_t words)
{
    const int right = x & 63, left = 64 - right; /* 1 to 63 */
    const uint64_t *const first = row - (x < 0);
    WORDS to[i] = first[i] >> right | first[i + 1] << left;
}

INLINE int64_t count(const uint64_t *row, int64_t words)
{
    int64_t bits = 0;
    for (int64_t i = 0; i < words; i++) bits += __builtin_popcountll(row[i]);
    return bits;
}

enum { LIFE_BIRTH = 1 << 3, LIFE_SURVIVE = 1 << 2 | 1 << 3 };

#define LOOPS(ISA, TARGET)                                                                                            \
    TARGET static void sum_##ISA(uint64_t *low, uint64_t *high, const uint64_t *row, int64_t words)                   \
    {                                                                                                                 \
        sum(low, high, row, words);                                                                                   \
    }                                                                                                                 \
    TARGET static void moore_##ISA(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive,           \
                                   int64_t words)                                                                     \
    {                                                                                                                 \
        moore(to, r, birth, survive, words);                                                                          \
    }                                                                                                                 \
    TARGET static void life_##ISA(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive,            \
                                  int64_t words)                                                                      \
    {                                                                                                                 \
        (void)birth, (void)survive;                                                                                   \
        moore(to, r, LIFE_BIRTH, LIFE_SURVIVE, words);                                                                \
    }                                                                                                                 \
    TARGET static void neumann_##ISA(uint64_t *to, const mass_bits_rows *r, uint32_t birth, uint32_t survive,         \
                                     int64_t words)                                                                   \
    {                                                                                                                 \
        neumann(to, r, birth, survive, words);                                                                        \
    }                                                                                                                 \
    TARGET static void choose_##ISA(uint64_t *to, const uint64_t *x, const uint64_t *high, const uint64_t *low,       \
                                    int64_t words)                                                                    \
    {                                                                                                                 \
        WORDS to[i] = choose_word(x[i], high[i], low[i]);                                                             \
    }                                                                                                                 \
    TARGET static void and_##ISA(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words)                   \
    {                                                                                                                 \
        WORDS to[i] = a[i] & b[i];                                                                                    \
    }                                                                                                                 \
    TARGET static void or_##ISA(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words)                    \
    {                                                                                                                 \
        WORDS to[i] = a[i] | b[i];                                                                                    \
    }                                                                                                                 \
    TARGET static void less_##ISA(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words)                  \
    {                                                                                                                 \
        WORDS to[i] = ~a[i] & b[i];                                                                                   \
    }                                                                                                                 \
    TARGET static void more_##ISA(uint64_t *to, const uint64_t *a, const uint64_t *b, int64_t words)                  \
    {                                                                                                                 \
        WORDS to[i] = ~a[i] | b[i];                                                                                   \
    }                                                                                                                 \
    TARGET static void shift_##ISA(uint64_t *to, const uint64_t *row, int x, int64_t words)                           \
    {                                                                                                                 \
        shift(to, row, x, words);                                                                                     \
    }                                                                                                                 \
    TARGET static int64_t count_##ISA(const uint64_t *row, int64_t words) { return count(row, words); }               \
    static const mass_bits_loops loops_##ISA = {sum_##ISA,  moore_##ISA, life_##ISA, neumann_##ISA, choose_##ISA,     \
                                                and_##ISA,  or_##ISA,    less_##ISA, more_##ISA,    shift_##ISA,      \
                                                count_##ISA};

LOOPS(base, )
#if defined(__x86_64__)
LOOPS(avx2, __attribute__((target("avx2,bmi2,popcnt"))))
#ifdef __clang__
LOOPS(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt"), min_vector_width(512))))
#else
LOOPS(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt,prefer-vector-width=512"))))
#endif
#endif

const mass_bits_loops *mass_bits_loops_of(uint32_t isa)
{
#if defined(__x86_64__)
    if (isa == MASS_ISA_AVX512) return &loops_avx512;
    if (isa == MASS_ISA_AVX2) return &loops_avx2;
#endif
    (void)isa;
    return &loops_base;
}
