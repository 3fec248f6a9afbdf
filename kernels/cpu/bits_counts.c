/* SPDX-License-Identifier: Apache-2.0 */
/* The widest vectors that a row fills, and words where it fills none. AVX-512 has any function of three words in one
 * instruction: the number tells its outcomes. */
#include "cpu/bits_counts.h"

#include <mass/callback.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* So that rows take each other's registers, and are not moved to them. */
#ifdef __clang__
#define IN_THREES _Pragma("clang loop unroll_count(3)")
#else
#define IN_THREES _Pragma("GCC unroll 3")
#endif

#define CHOOSE(x, high, low) ((low) ^ (((low) ^ (high)) & (x)))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define MAJ(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))
/* 3 with the place itself, or 4 with a place that is set. */
#define LIFE(own, n0, twos, odd, fours)                                                                               \
    ((~(n0) & ~((twos) ^ (odd)) & ((twos) ^ (fours)) & (own)) | ((n0) & ((twos) ^ (odd)) & ~(fours)))

#define LANES 1
#define NAME(x) x##_word
#define TARGET
#include "cpu/bits_columns.h"

#define LANES 2
#define NAME(x) x##_base
#define TARGET
#include "cpu/bits_columns.h"

static void base(const mass_bits_band *b) { columns_word(b, columns_base(b, 0)); }

#if defined(__x86_64__)
#define LANES 4
#define NAME(x) x##_avx2
#define TARGET __attribute__((target("avx2,bmi2,popcnt")))
#include "cpu/bits_columns.h"

__attribute__((target("avx2,bmi2,popcnt"))) static void avx2(const mass_bits_band *b)
{
    columns_word(b, columns_avx2(b, 0));
}

#undef CHOOSE
#undef XOR3
#undef MAJ
#undef LIFE
#define CHOOSE(x, high, low) OF_THREE(x, high, low, 0xca)
#define XOR3(a, b, c) OF_THREE(a, b, c, 0x96)
#define MAJ(a, b, c) OF_THREE(a, b, c, 0xe8)
/* Of the twos and the odd ones, either is set: none of the fours may be. */
#define LIFE(own, n0, twos, odd, fours) LIFE_OF((twos) ^ (odd), n0, fours, OF_THREE(twos, fours, own, 0x28))
#define LIFE_OF(either, n0, fours, four) OF_THREE(OF_THREE(either, fours, four, 0x3a), either, n0, 0x90)

#define OF_THREE(a, b, c, outcomes)                                                                                   \
    ((words_half512)_mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), outcomes))
#define LANES 4
#define NAME(x) x##_half512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt")))
#include "cpu/bits_columns.h"

#undef OF_THREE
#define OF_THREE(a, b, c, outcomes)                                                                                   \
    ((words_avx512)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), outcomes))
#define LANES 8
#define NAME(x) x##_avx512
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt")))
#include "cpu/bits_columns.h"

__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,bmi2,popcnt"))) static void avx512(const mass_bits_band *b)
{
    columns_word(b, columns_half512(b, columns_avx512(b, 0)));
}
#endif

mass_bits_by_counts *mass_bits_by_counts_of(uint32_t isa)
{
#if defined(__x86_64__)
    if (isa == MASS_ISA_AVX512) return avx512;
    if (isa == MASS_ISA_AVX2) return avx2;
#endif
    (void)isa;
    return base;
}
