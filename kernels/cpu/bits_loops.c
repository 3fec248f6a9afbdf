/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over words of bits. Each is written once and compiled for every instruction set; the compiler vectorises it. */
#include "cpu/bits_loops.h"

#include <mass/callback.h>

#define INLINE static inline __attribute__((always_inline))
/* A loop that the compiler does not vectorise, as in a build with a sanitizer, is slower but still right. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define WORDS _Pragma("clang loop vectorize(assume_safety)") for (int64_t i = 0; i < words; i++)
#else
#define WORDS _Pragma("GCC ivdep") for (int64_t i = 0; i < words; i++)
#endif

/* Returns the bits of `high` if x has 1, and of `low` if it has 0. */
INLINE uint64_t choose_word(uint64_t x, uint64_t high, uint64_t low) { return low ^ ((low ^ high) & x); }

/* Sets to[] to the bits of a row from place x on. x may be negative, and is not 0. Reads a word before or after the
 * row. */
INLINE void shift(uint64_t *to, const uint64_t *row, int x, int64_t words)
{
    const int right = x & 63, left = 64 - right; /* 1 to 63 */
    const uint64_t *const first = row - (x < 0);
    WORDS to[i] = first[i] >> right | first[i + 1] << left;
}

/* Returns the number of set bits of a row. */
INLINE int64_t count(const uint64_t *row, int64_t words)
{
    int64_t bits = 0;
    for (int64_t i = 0; i < words; i++) bits += __builtin_popcountll(row[i]);
    return bits;
}

/* Copies the pointers of choices to locals. Otherwise the compiler must assume that stores change them. */
#define CHOICES                                                                                                       \
    const uint64_t *const x = c->x, *const y = c->y, *const z = c->z, *const high = c->high, *const low = c->low;     \
    const uint64_t *const high_else = c->high_else, *const low_else = c->low_else;                                    \
    (void)y, (void)z, (void)high_else, (void)low_else;

/* Defines all loops over the words of a row for one instruction set: each does one operation bit by bit. */
#define LOOPS(ISA, TARGET)                                                                                            \
    TARGET static void choose_##ISA(uint64_t *to, const uint64_t *x, const uint64_t *high, const uint64_t *low,       \
                                    int64_t words)                                                                    \
    {                                                                                                                 \
        WORDS to[i] = choose_word(x[i], high[i], low[i]);                                                             \
    }                                                                                                                 \
    TARGET static void choose_high_##ISA(uint64_t *to, const mass_bits_choices *c, int64_t words)                     \
    {                                                                                                                 \
        CHOICES                                                                                                       \
        WORDS to[i] = choose_word(x[i], choose_word(y[i], high[i], high_else[i]), low[i]);                            \
    }                                                                                                                 \
    TARGET static void choose_low_##ISA(uint64_t *to, const mass_bits_choices *c, int64_t words)                      \
    {                                                                                                                 \
        CHOICES                                                                                                       \
        WORDS to[i] = choose_word(x[i], high[i], choose_word(z[i], low[i], low_else[i]));                             \
    }                                                                                                                 \
    TARGET static void choose_both_##ISA(uint64_t *to, const mass_bits_choices *c, int64_t words)                     \
    {                                                                                                                 \
        CHOICES                                                                                                       \
        WORDS to[i] = choose_word(x[i], choose_word(y[i], high[i], high_else[i]),                                     \
                                  choose_word(z[i], low[i], low_else[i]));                                            \
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
    static const mass_bits_loops loops_##ISA = {                                                                      \
        choose_##ISA, choose_high_##ISA, choose_low_##ISA, choose_both_##ISA, and_##ISA,                              \
        or_##ISA,     less_##ISA,        more_##ISA,       shift_##ISA,       count_##ISA};

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
