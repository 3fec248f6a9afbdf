/* SPDX-License-Identifier: Apache-2.0 */
/* From a thread's contributions to a tally: those of a warp or a block are combined, and one thread adds the result to
 * the tally of its world. Integers alone are added, exact sums (exact.h) among them, so that the order shows
 * nowhere. */
#ifndef MASS_KERNEL_CUDA_TALLIES_H
#define MASS_KERNEL_CUDA_TALLIES_H

#include <mass/callback.h>
#include <mass/impl/exact.h>
#include <mass/impl/kernel_cuda_rows.h>

/* ---- one number: ACCESS is MASS_SUM, MASS_MIN or MASS_MAX ---- */

template <int ACCESS> MASS_FN int64_t mass_combine(int64_t a, int64_t b)
{
    return ACCESS == MASS_SUM ? a + b : ACCESS == MASS_MIN ? (b < a ? b : a) : (b > a ? b : a);
}
template <int ACCESS> MASS_FN void mass_contribute(int64_t *tally, int64_t v)
{
    if (ACCESS == MASS_SUM) atomicAdd((unsigned long long *)tally, (unsigned long long)v);
    if (ACCESS == MASS_MIN) atomicMin((long long *)tally, (long long)v);
    if (ACCESS == MASS_MAX) atomicMax((long long *)tally, (long long)v);
}
/* Of all threads of a warp, in its first one. */
template <int ACCESS> MASS_FN int64_t mass_combine_warp(int64_t v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v = mass_combine<ACCESS>(v, __shfl_down_sync(~0u, v, d));
    return v;
}
/* One value for a warp, added to a tally by one of its threads. Every thread of it calls. */
template <int ACCESS> MASS_FN void mass_flush_warp(int64_t *tally, int64_t v)
{
    v = mass_combine_warp<ACCESS>(v);
    if (threadIdx.x % 32 == 0) mass_contribute<ACCESS>(tally, v);
}

/* a + b, by the pipe for products: what a rule takes keeps that for sums, comparisons and logic busy. `one` is 1. */
MASS_FN uint32_t mass_add_beside(uint32_t a, uint32_t b, uint32_t one)
{
    uint32_t sum;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(b), "r"(one), "r"(a));
    return sum;
}

/* sum + a number of 32 bits, likewise. */
MASS_FN int64_t mass_add_number(int64_t sum, uint32_t number, bool is_signed, uint32_t one)
{
    if (is_signed) asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(number), "r"(one));
    else asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(sum) : "r"(number), "r"(one));
    return sum;
}
/* sum + all four bytes of a word, likewise. */
MASS_FN uint32_t mass_add_bytes(uint32_t sum, uint32_t word)
{
    asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(word), "r"(0x01010101));
    return sum;
}

/* Sums of a warp's threads, of which each has one of bytes and one of the rest: the first takes two instructions. */
MASS_FN int64_t mass_combine_warp_sums(int64_t rest, uint32_t bytes)
{
#if __CUDA_ARCH__ >= 800
    const uint64_t high = __reduce_add_sync(~0u, bytes >> 16);
    const int64_t sum = (int64_t)((high << 16) + __reduce_add_sync(~0u, bytes & 0xffff));
    return __any_sync(~0u, rest != 0) ? sum + mass_combine_warp<MASS_SUM>(rest) : sum;
#else
    return mass_combine_warp<MASS_SUM>(rest + bytes);
#endif
}

/* The same for a block, in two parts, so that one barrier between them serves all its tallies, each of which has an
 * array of MASS_BLOCK_WARPS in the block's memory and a number, by which their second parts go to different warps.
 * Every thread calls. */
enum { MASS_BLOCK_WARPS = 32 };
MASS_FN int mass_block_thread(void) { return threadIdx.y * blockDim.x + threadIdx.x; }
MASS_FN void mass_add_up_warp(int64_t *parts, int64_t v)
{
    if (mass_block_thread() % 32 == 0) parts[mass_block_thread() / 32] = v;
}
template <int ACCESS> MASS_FN void mass_hand_over_block(int64_t *tally, const int64_t *parts, int number)
{
    const int warps = blockDim.x * blockDim.y / 32;
    if (mass_block_thread() != number % warps * 32) return;
    int64_t v = parts[0];
    for (int i = 1; i < warps; i++) v = mass_combine<ACCESS>(v, parts[i]);
    mass_contribute<ACCESS>(tally, v);
}

/* The same for sums in fixed point (mass_sum_fixed). A thread's contributions are beyond if mass_beyond_fixed was
 * negative for one of them, or for what they had come to. Small numbers of a launch cannot make a sum wrap, and are
 * added without a look at it. A thread that finds the tally beyond, or puts it there, makes it none: far from all sums,
 * where small numbers do not bring it back. */
#define MASS_FN_RARE static __device__ __noinline__ __attribute__((unused)) /* takes no registers of other sums */
MASS_FN bool mass_is_small_fixed(int64_t v) { return v == (int32_t)v; }
MASS_FN void mass_contribute_fixed(int64_t *tally, int64_t v)
{
    unsigned long long *const to = (unsigned long long *)tally;
    if (mass_is_small_fixed(v)) atomicAdd(to, (unsigned long long)v);
    else if (mass_sum_fixed((int64_t)atomicAdd(to, (unsigned long long)v), v) == MASS_NO_SUM)
        atomicExch(to, (unsigned long long)MASS_NO_SUM);
}
MASS_FN_RARE int64_t mass_combine_warp_fixed(int64_t v, int64_t beyond)
{
    constexpr uint64_t SAFE = 1ull << 56; /* of 32 numbers, with either sign */
    if (__any_sync(~0u, (beyond | mass_beyond_fixed(v)) < 0)) return MASS_NO_SUM;
    if (__all_sync(~0u, (uint64_t)v + SAFE < 2 * SAFE)) return mass_combine_warp<MASS_SUM>(v);
#pragma unroll 1
    for (int d = 16; d > 0; d /= 2) v = mass_sum_fixed(v, __shfl_down_sync(~0u, v, d));
    return v;
}
MASS_FN_RARE void mass_hand_over_block_fixed(int64_t *tally, const int64_t *parts, int number)
{
    const int warps = blockDim.x * blockDim.y / 32;
    if (mass_block_thread() != number % warps * 32) return;
    int64_t v = parts[0];
    for (int i = 1; i < warps; i++) v = mass_sum_fixed(v, parts[i]);
    mass_contribute_fixed(tally, v);
}

/* What MIN and MAX begin with, and how tallies keep a value: as an integer that orders the same way. */
template <class T> struct mass_limits;
template <> struct mass_limits<int64_t> {
    static MASS_FN_MEMBER int64_t greatest() { return INT64_MAX; }
    static MASS_FN_MEMBER int64_t smallest() { return INT64_MIN; }
    static MASS_FN_MEMBER int64_t rank(int64_t v) { return v; }
};
template <> struct mass_limits<double> {
    static MASS_FN_MEMBER double greatest() { return mass_f64_bits(0x7ff0000000000000ull); }
    static MASS_FN_MEMBER double smallest() { return mass_f64_bits(0xfff0000000000000ull); }
    static MASS_FN_MEMBER int64_t rank(double v) { return mass_rank_f64(v); }
};

template <int ACCESS, class T> MASS_FN T mass_farthest()
{
    return ACCESS == MASS_MIN ? mass_limits<T>::greatest() : mass_limits<T>::smallest();
}

/* ---- sums, of integers and of doubles ---- */

typedef int64_t mass_sum;
MASS_FN mass_sum mass_added_(mass_sum sum, int64_t v) { return mass_sum_i64(sum, v); }
/* What a place contributes, to what others have: bytes apart from the rest, since 32 bits hold those of a strip, in
 * half the instructions. Of a place's bytes the sum below 256, which is all of one, goes there. What comes of two bytes
 * by ADD_UNLESS waits for that of the places beside, as four are one operation; a place's second one does not.
 * Compilers know which of the kinds there are. */
struct mass_place_sum {
    int64_t rest, beyond; /* beyond: negative if a number of 64 bits was, or the rest with it (mass_beyond_fixed) */
    uint32_t one, bytes, set, unless; /* 1, which the compiler doesn't know; */
    bool has_bytes, has_set;
};
template <class V> MASS_FN mass_place_sum mass_added_(mass_place_sum sum, V v)
{
    if constexpr (MASS_TYPE_OF(V) == MASS_U8 || MASS_TYPE_OF(V) == MASS_TYPE_OF(bool))
        sum.bytes += v, sum.has_bytes = true;
    else if constexpr (sizeof(V) == 4)
        sum.rest = mass_add_number(sum.rest, (uint32_t)v, (decltype(+v))-1 < 0, sum.one);
    else {
        sum.rest = mass_sum_i64(sum.rest, (int64_t)v);
        if constexpr (sizeof(V) == 8) sum.beyond |= mass_beyond_fixed((int64_t)v) | mass_beyond_fixed(sum.rest);
    }
    return sum;
}
/* The same of an agent. */
struct mass_agent_sum {
    int64_t v, beyond;
    MASS_FN_MEMBER operator int64_t() const { return v; }
};
template <class V> MASS_FN mass_agent_sum mass_added_(mass_agent_sum sum, V v)
{
    sum.v = mass_sum_i64(sum.v, (int64_t)v);
    if constexpr (sizeof(V) == 8) sum.beyond |= mass_beyond_fixed((int64_t)v) | mass_beyond_fixed(sum.v);
    return sum;
}
template <class Sum> MASS_FN Sum mass_added_unless_(Sum sum, uint8_t v, uint8_t other)
{
    return mass_added_(sum, (uint8_t)(v & ~other & 1));
}
MASS_FN mass_place_sum mass_added_unless_(mass_place_sum sum, uint8_t v, uint8_t other)
{
    if (sum.has_set) return mass_added_(sum, (uint8_t)(v & ~other & 1));
    sum.set = v, sum.unless = other, sum.has_set = true;
    return sum;
}
MASS_FN mass_exact_window *mass_added_(mass_exact_window *sum, double v) { return mass_added_real(sum, v); }
#define MASS_ADDED_(sum, v) mass_added_

/* Hands a thread's window over; where those of a warp are at the same digits, they add up first. Every thread of
 * the warp calls. */
MASS_FN void mass_exact_flush_warp(mass_exact_window *w)
{
    if (!__all_sync(~0u, w->exponent == __shfl_sync(~0u, w->exponent, 0))) {
        mass_exact_flush(w);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) w->digit[i] = mass_combine_warp<MASS_SUM>(w->digit[i]);
    w->count = mass_combine_warp<MASS_SUM>(w->count);
    if (threadIdx.x % 32 == 0) mass_exact_flush(w);
}

#endif
