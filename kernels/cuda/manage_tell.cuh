/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks whose devices write into each other's memory (mass_cuda_reach): who has written everything for a rank raises a
 * flag there, and who needs what comes from it waits for the flag. A flag counts manages, as every manage raises all
 * that it may, whatever happens in it. Boxes are used by turns, two of each: who hears the news of a manage knows that
 * the one before it has ended everywhere, and with it the use of the boxes that come next. */
#ifndef MASS_KERNELS_CUDA_MANAGE_TELL_H
#define MASS_KERNELS_CUDA_MANAGE_TELL_H

#include "manage_task.cuh"

namespace {

/* Tells all ranks that what this block, and kernels before this one, have written for them is there. By all threads of
 * a block; write_last(rank) writes what goes behind all else. */
template <class Write>
__device__ __forceinline__ void tell(const mass_cuda_queued &q, uint32_t flag, Write write_last)
{
    __syncthreads();
    const uint32_t r = threadIdx.x;
    if (r >= (uint32_t)q.ranks) return;
    if (r != (uint32_t)q.rank) write_last(r);
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(q.reach[r].flags + flag), "r"(*q.number) : "memory");
}

constexpr uint32_t PATIENCE = 1024; /* looks at a flag for each at the host's memory, which says that nothing comes */

/* By the first load that sees a flag raised, this thread sees what was written before that. */
__device__ __forceinline__ uint32_t look_at(const uint32_t *flag)
{
    uint32_t word;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
    return word;
}

/* Until a rank has raised a flag, or nothing comes any more. By one thread, which then sees what that rank wrote, as do
 * those of its block behind a barrier. */
__device__ __forceinline__ void await_rank(const mass_cuda_queued &q, uint32_t flag, uint32_t rank)
{
    const uint32_t number = *q.number, *const at = q.flags + rank * MASS_CUDA_FLAGS + flag;
    for (uint32_t looks = 1; (int32_t)(look_at(at) - number) < 0; looks++)
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)q.ended) break;
}

/* The same for all ranks, by all threads of a block. */
__device__ __forceinline__ void await(const mass_cuda_queued &q, uint32_t flag)
{
    if (threadIdx.x < (uint32_t)q.ranks) await_rank(q, flag, threadIdx.x);
    __syncthreads();
}

/* ---- rounds of refusals ---- */

/* What a rank says in a round: how many refusals another one has got, and whether any has. */
struct round_news {
    uint32_t count;
    bool any;
};

/* A flag of a round: the manage's number, the round's, and those. Flags of two rounds take turns: who is told of one
 * has heard of the one before. */
constexpr uint32_t ROUND = 25, ANY = 24;

__device__ __forceinline__ uint64_t moment_of(const mass_cuda_queued &q, uint32_t round)
{
    return (uint64_t)*q.number << 32 | (uint64_t)round << ROUND;
}

__device__ __forceinline__ void tell_round(const mass_cuda_queued &q, uint32_t rank, uint32_t round, round_news news)
{
    uint64_t *const at = (uint64_t *)(q.reach[rank].flags + MASS_CUDA_FLAG_REFUSALS) + round % 2;
    const uint64_t word = moment_of(q, round) | (uint64_t)news.any << ANY | news.count;
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}

/* Nothing, once nothing comes any more. */
__device__ __forceinline__ round_news hear_round(const mass_cuda_queued &q, uint32_t rank, uint32_t round)
{
    const volatile uint64_t *const at =
        (const volatile uint64_t *)(q.flags + rank * MASS_CUDA_FLAGS + MASS_CUDA_FLAG_REFUSALS) + round % 2;
    const uint64_t moment = moment_of(q, round);
    uint64_t word = *at;
    for (uint32_t looks = 1; (int64_t)(word - moment) < 0; looks++, word = *at)
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)q.ended) return {0, false};
    __threadfence_system();
    if (word >> ROUND != moment >> ROUND) return {0, false};
    return {(uint32_t)word & ((1u << ANY) - 1), (word >> ANY & 1) != 0};
}

} // namespace
#endif
