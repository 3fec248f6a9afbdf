/* SPDX-License-Identifier: Apache-2.0 */
/* From a thread's contributions to a tally: contributions of a warp or a block are combined, and one thread adds the
 * result to the tally of its world. All additions are of integers, exact sums (exact.h) included, so the order has no
 * effect. */
#ifndef MASS_KERNEL_CUDA_TALLIES_H
#define MASS_KERNEL_CUDA_TALLIES_H

#include <mass/callback.h>
#include <mass/impl/exact.h>
#include <mass/impl/kernel_cuda_rows.h>

/* ---- one number: ACCESS is MASS_SUM, MASS_MIN or MASS_MAX ---- */

/* Returns the sum, the minimum or the maximum of two numbers. */
template <int ACCESS> MASS_FN int64_t mass_combine(int64_t a, int64_t b)
{
    return ACCESS == MASS_SUM ? a + b : ACCESS == MASS_MIN ? (b < a ? b : a) : (b > a ? b : a);
}
/* Combines a number with a tally in the device's memory, atomically. */
template <int ACCESS> MASS_FN void mass_contribute(int64_t *tally, int64_t v)
{
    if (ACCESS == MASS_SUM) atomicAdd((unsigned long long *)tally, (unsigned long long)v);
    if (ACCESS == MASS_MIN) atomicMin((long long *)tally, (long long)v);
    if (ACCESS == MASS_MAX) atomicMax((long long *)tally, (long long)v);
}
/* Combines the values of all threads of a warp; its first thread gets the result. */
template <int ACCESS> MASS_FN int64_t mass_combine_warp(int64_t v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v = mass_combine<ACCESS>(v, __shfl_down_sync(~0u, v, d));
    return v;
}
/* Combines the values of a warp, and adds the result to a tally. Every thread of the warp must call it. */
template <int ACCESS> MASS_FN void mass_flush_warp(int64_t *tally, int64_t v)
{
    v = mass_combine_warp<ACCESS>(v);
    if (threadIdx.x % 32 == 0) mass_contribute<ACCESS>(tally, v);
}

/* Returns a + b, by the pipe for products: the instructions of a rule keep the pipe for sums, comparisons and logic
 * busy. `one` is 1. */
MASS_FN uint32_t mass_add_by_product(uint32_t a, uint32_t b, uint32_t one)
{
    uint32_t sum;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(b), "r"(one), "r"(a));
    return sum;
}

/* Returns sum + a number of 32 bits, in the same way. */
MASS_FN int64_t mass_add_number(int64_t sum, uint32_t number, bool is_signed, uint32_t one)
{
    if (is_signed) asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(number), "r"(one));
    else asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(sum) : "r"(number), "r"(one));
    return sum;
}
/* Returns sum + all four bytes of a word, in the same way. */
MASS_FN uint32_t mass_add_bytes(uint32_t sum, uint32_t word)
{
    asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(word), "r"(0x01010101));
    return sum;
}

/* Returns the sum over a warp's threads, each with a sum of bytes and one of the rest. The first takes two
 * instructions. */
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

/* The same for a block, in two parts, with one barrier between them for all its tallies. Each tally has an array of
 * MASS_BLOCK_WARPS in the block's memory, and a number, so that different warps run their second parts. Every thread
 * must call them. */
enum { MASS_BLOCK_WARPS = 32 };
/* Returns the number of the thread in its block. */
MASS_FN int mass_block_thread(void) { return threadIdx.y * blockDim.x + threadIdx.x; }
/* The first part: the first thread of a warp stores v, the warp's result, in the tally's array. */
MASS_FN void mass_add_up_warp(int64_t *parts, int64_t v)
{
    if (mass_block_thread() % 32 == 0) parts[mass_block_thread() / 32] = v;
}
/* The second part, after the barrier: one thread combines the array, and adds the result to the tally. */
template <int ACCESS> MASS_FN void mass_hand_over_block(int64_t *tally, const int64_t *parts, int number)
{
    const int warps = blockDim.x * blockDim.y / 32;
    if (mass_block_thread() != number % warps * 32) return;
    int64_t v = parts[0];
    for (int i = 1; i < warps; i++) v = mass_combine<ACCESS>(v, parts[i]);
    mass_contribute<ACCESS>(tally, v);
}

/* The same for sums in fixed point (mass_sum_fixed). A thread's `beyond` is negative if mass_beyond_fixed was negative
 * for one of its contributions, or for a partial sum. The small numbers of a launch cannot make a sum wrap, so they are
 * added without a check. A thread that finds or makes the tally out of range sets it to MASS_NO_SUM. That is far from
 * all sums: small numbers do not bring it back. */
#define MASS_FN_RARE static __device__ __noinline__ __attribute__((unused)) /* it takes no registers from other sums */
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
    constexpr uint64_t SAFE = 1ull << 56; /* bound for 32 numbers of either sign */
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

/* The first values of MIN and MAX, and the form in which tallies store a value: an integer of the same order. */
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

/* Returns the value with which a minimum or a maximum begins. */
template <int ACCESS, class T> MASS_FN T mass_farthest()
{
    return ACCESS == MASS_MIN ? mass_limits<T>::greatest() : mass_limits<T>::smallest();
}

/* ---- sums, of integers and of doubles ---- */

typedef int64_t mass_sum;
/* Returns a sum to which a number was added; for other types of sums, so do the functions of this name below. */
MASS_FN mass_sum mass_added_(mass_sum sum, int64_t v) { return mass_sum_i64(sum, v); }
/* A place's contribution to an integer sum. Bytes are apart from the rest, since 32 bits hold those of a strip, in half
 * the instructions. Only the part below 256 of a place's sum of bytes goes there: that is all if there is one byte.
 *
 * The two bytes of the first ADD_UNLESS of a place wait for those of its neighbours, as four places take one operation.
 * Further ones of the place do not wait. Compilers know which kinds a body has. */
struct mass_place_sum {
    int64_t rest, beyond; /* negative if a number of 64 bits, or `rest` with it, was out of range (mass_beyond_fixed) */
    uint32_t one, bytes, set, unless; /* one: 1, which compilers do not know */
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
/* An agent's contribution. */
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
/* Return a sum to which 1 was added if v is odd and `other` is even. The first such bytes of a place only wait in
 * its sum. */
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

/* Adds a thread's window to the tally. If the windows of a warp are at the same digits, they add up first. Every thread
 * of the warp must call it. */
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
