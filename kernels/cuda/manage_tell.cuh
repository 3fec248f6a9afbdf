/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks whose devices write into each other's memory (mass_cuda_reach). A block that has written everything for a rank
 * raises a flag in that rank's memory; a block that needs it waits for the flag.
 *
 * - No other fence is needed: the data was written by an earlier kernel, or behind a barrier with the thread that
 *   raises the flag, whose release covers all that this thread could see.
 * - A flag counts manages, since every manage raises all its flags, whatever happens in it. So a replay resets nothing,
 *   and no rank waits for one that has stopped.
 * - There are two of each mailbox, by turns. A rank sends its status once its last manage has ended; so a rank that has
 *   the status of a manage knows that the mailboxes of the one before are free everywhere.
 * - The first blocks of a kernel do the exchange and nothing else, so they run as soon as the kernel does. A block
 *   raises its flag before it waits, and waits only for kernels that need nothing of this rank's later kernels.
 * - A block that waits looks at a word in the host's memory now and then, which the host sets when it gives up. */
#ifndef MASS_KERNELS_CUDA_MANAGE_TELL_H
#define MASS_KERNELS_CUDA_MANAGE_TELL_H

#include "manage_task.cuh"

namespace {

/* Tells all ranks that what this block, and kernels before this one, have written for them is there. By all threads of
 * a block; write_last(rank) writes what goes behind all else. */
template <class Write>
__device__ __forceinline__ void tell(const mass_cuda_queued &q, uint32_t flag, Write write_last)
{
    const uint32_t r = threadIdx.x;
    const bool tells = r < (uint32_t)q.ranks;
    uint32_t *const there = tells ? q.reach[r].flags + flag : NULL; /* known before the others are waited for */
    const uint32_t number = tells ? *q.number : 0;
    __syncthreads();
    if (!tells) return;
    if (r != (uint32_t)q.rank) write_last(r);
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(there), "r"(number) : "memory");
}

constexpr uint32_t PATIENCE = 1024; /* looks at a flag for each at the host's memory, which says that nothing comes */

/* By the first load that sees a flag raised, this thread sees what was written before that. */
__device__ __forceinline__ uint32_t look_at(const uint32_t *flag)
{
    uint32_t word;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
    return word;
}

/* What a flag says once it is raised, for who will wait for it. */
__device__ __forceinline__ uint32_t number_to_hear(const mass_cuda_queued &q)
{
    return q.reach && threadIdx.x < (uint32_t)q.ranks ? *q.number : 0;
}

/* Until a rank has raised a flag, or nothing comes any more. By one thread, which then sees what that rank wrote, as do
 * those of its block behind a barrier. */
__device__ __forceinline__ void await_rank(const mass_cuda_queued &q, uint32_t flag, uint32_t rank, uint32_t number)
{
    const uint32_t *const at = q.flags + rank * MASS_CUDA_FLAGS + flag;
    for (uint32_t looks = 1; (int32_t)(look_at(at) - number) < 0; looks++)
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)q.ended) break;
}

/* The same for all ranks, by all threads of a block. */
__device__ __forceinline__ void await(const mass_cuda_queued &q, uint32_t flag, uint32_t number)
{
    if (threadIdx.x < (uint32_t)q.ranks) await_rank(q, flag, threadIdx.x, number);
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
static_assert(MASS_CUDA_REFUSALS_MOST == (1 << ANY) - 1, "all refusals of a round can be told");

/* What a thread has to know of the rank that it tells and hears, the one with its number. */
struct round_partner {
    bool other;         /* it is one, and not this one */
    uint64_t manage;    /* its number, above all else in a flag */
    uint64_t *there;    /* flags, of two rounds by turns */
    const uint64_t *here;
    uint32_t *refused;  /* their number, of two rounds by turns, `words` from each other */
    uint32_t words;
};

__device__ __forceinline__ round_partner find_partner(const mass_cuda_queued &q)
{
    const uint32_t r = threadIdx.x;
    round_partner p = {r < (uint32_t)q.ranks && r != (uint32_t)q.rank, 0, NULL, NULL, NULL, q.out_words};
    if (!p.other) return p;
    p.there = (uint64_t *)(q.reach[r].flags + MASS_CUDA_FLAG_REFUSALS);
    p.here = (const uint64_t *)(q.flags + r * MASS_CUDA_FLAGS + MASS_CUDA_FLAG_REFUSALS);
    p.refused = q.refused_out + q.boxes[r].refused_out;
    return p;
}

/* What only the kernels before can tell. */
__device__ __forceinline__ void number_partner(const mass_cuda_queued &q, round_partner *p)
{
    if (p->other) p->manage = (uint64_t)*q.number << 32;
}

__device__ __forceinline__ void tell_round(const round_partner &p, uint32_t round, round_news news)
{
    const uint64_t word = p.manage | (uint64_t)round << ROUND | (uint64_t)news.any << ANY | news.count;
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(p.there + round % 2), "l"(word) : "memory");
}

/* Nothing, once nothing comes any more. ended: as in mass_cuda_queued. */
__device__ __forceinline__ round_news hear_round(const round_partner &p, uint32_t round, const uint32_t *ended)
{
    const uint64_t moment = p.manage | (uint64_t)round << ROUND;
    uint64_t word;
    for (uint32_t looks = 1;; looks++) {
        asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(word) : "l"(p.here + round % 2) : "memory");
        if ((int64_t)(word - moment) >= 0) break;
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)ended) return {0, false};
    }
    if (word >> ROUND != moment >> ROUND) return {0, false};
    return {(uint32_t)word & ((1u << ANY) - 1), (word >> ANY & 1) != 0};
}

} // namespace
#endif
