/* SPDX-License-Identifier: Apache-2.0 */
/* Steps and counts of changes in the widest vectors that fit into a row, and in words for the rest. AVX-512 computes
 * any function of three words in one instruction, whose number is the function's truth table. If no instruction counts
 * bits, a table gives the count of four bits. */
#include "cpu/bits_counts.h"

#include <mass/callback.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Unrolls by three, so that the rows can rotate through registers without moves. */
#ifdef __clang__
#define IN_THREES _Pragma("clang loop unroll_count(3)")
#else
#define IN_THREES _Pragma("GCC unroll 3")
#endif

#define CHOOSE(x, high, low) ((low) ^ (((low) ^ (high)) & (x)))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define MAJ(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))
/* Set: a sum of 3 that includes the place, or a sum of 4 with the place set. */
#define LIFE(own, n0, twos, odd, fours)                                                                               \
    ((~(n0) & ~((twos) ^ (odd)) & ((twos) ^ (fours)) & (own)) | ((n0) & ((twos) ^ (odd)) & ~(fours)))

#define COUNT(v) ((words_word)__builtin_popcountll(v))
#define LANES 1
#define NAME(x) x##_word
#define TARGET
#include "cpu/bits_columns.h"

#undef COUNT
#define COUNT(v) ((words_base){(uint64_t)__builtin_popcountll((v)[0]), (uint64_t)__builtin_popcountll((v)[1])})
#define LANES 2
#define NAME(x) x##_base
#define TARGET
#include "cpu/bits_columns.h"

/* Steps a band of rows without vectors. */
static void step_base(const mass_bits_band *b) { columns_word(b, columns_base(b, 0)); }
/* Counts the changes of a band after a step. `last` masks the last word of each row. */
static mass_bits_changes changes_base(const mass_bits_band *b, uint64_t last)
{
    mass_bits_changes c = {0};
    counts_word(b, last, counts_base(b, last, 0, &c), &c);
    return c;
}
static const mass_bits_by_counts base = {step_base, changes_base};

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,bmi2,popcnt")))
/* Returns the number of set bits in each of the four words. */
AVX2 static inline __attribute__((always_inline)) __m256i count_avx2_bits(__m256i v)
{
    const __m256i of_four = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                             0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i four = _mm256_set1_epi8(15), high = _mm256_and_si256(_mm256_srli_epi16(v, 4), four);
    const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(of_four, _mm256_and_si256(v, four)),
                                          _mm256_shuffle_epi8(of_four, high));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}
#undef COUNT
#define COUNT(v) ((words_avx2)count_avx2_bits((__m256i)(v)))
#define LANES 4
#define NAME(x) x##_avx2
#define TARGET AVX2
#include "cpu/bits_columns.h"

/* Computes a step of a band, four words at a time, and the rest one by one. */
AVX2 static void step_avx2(const mass_bits_band *b) { columns_word(b, columns_avx2(b, 0)); }
/* Counts the changes of a band, four words at a time. */
AVX2 static mass_bits_changes changes_avx2(const mass_bits_band *b, uint64_t last)
{
    mass_bits_changes c = {0};
    counts_word(b, last, counts_avx2(b, last, 0, &c), &c);
    return c;
}
static const mass_bits_by_counts avx2 = {step_avx2, changes_avx2};

#undef CHOOSE
#undef XOR3
#undef MAJ
#undef LIFE
#define CHOOSE(x, high, low) OF_THREE(x, high, low, 0xca)
#define XOR3(a, b, c) OF_THREE(a, b, c, 0x96)
#define MAJ(a, b, c) OF_THREE(a, b, c, 0xe8)
/* If the twos or the odd ones are set, but not both, none of the fours may be set. */
#define LIFE(own, n0, twos, odd, fours) LIFE_OF((twos) ^ (odd), n0, fours, OF_THREE(twos, fours, own, 0x28))
#define LIFE_OF(either, n0, fours, four) OF_THREE(OF_THREE(either, fours, four, 0x3a), either, n0, 0x90)

#define OF_THREE(a, b, c, outcomes)                                                                                   \
    ((words_half512)_mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), outcomes))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt")))
#undef COUNT
#define COUNT(v) ((words_half512)count_avx2_bits((__m256i)(v)))
#define LANES 4
#define NAME(x) x##_half512
#define TARGET AVX512
#include "cpu/bits_columns.h"

#undef OF_THREE
#define OF_THREE(a, b, c, outcomes)                                                                                   \
    ((words_avx512)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), outcomes))
/* Returns the number of set bits in each of the eight words. */
AVX512 static inline __attribute__((always_inline)) __m512i count_avx512_bits(__m512i v)
{
    const __m512i of_four = _mm512_set4_epi32(0x04030302, 0x03020201, 0x03020201, 0x02010100);
    const __m512i four = _mm512_set1_epi8(15), high = _mm512_and_si512(_mm512_srli_epi16(v, 4), four);
    const __m512i bytes = _mm512_add_epi8(_mm512_shuffle_epi8(of_four, _mm512_and_si512(v, four)),
                                          _mm512_shuffle_epi8(of_four, high));
    return _mm512_sad_epu8(bytes, _mm512_setzero_si512());
}
#undef COUNT
#define COUNT(v) ((words_avx512)count_avx512_bits((__m512i)(v)))
#define LANES 8
#define NAME(x) x##_avx512
#define TARGET AVX512
#include "cpu/bits_columns.h"

/* Computes a step of a band, eight words at a time, then four, and the rest one by one. */
AVX512 static void step_avx512(const mass_bits_band *b) { columns_word(b, columns_half512(b, columns_avx512(b, 0))); }
/* Counts the changes of a band, eight words at a time. */
AVX512 static mass_bits_changes changes_avx512(const mass_bits_band *b, uint64_t last)
{
    mass_bits_changes c = {0};
    counts_word(b, last, counts_half512(b, last, counts_avx512(b, last, 0, &c), &c), &c);
    return c;
}
static const mass_bits_by_counts avx512 = {step_avx512, changes_avx512};
#endif

const mass_bits_by_counts *mass_bits_by_counts_of(uint32_t isa)
{
#if defined(__x86_64__)
    if (isa == MASS_ISA_AVX512) return &avx512;
    if (isa == MASS_ISA_AVX2) return &avx2;
#endif
    (void)isa;
    return &base;
}
