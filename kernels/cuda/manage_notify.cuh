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
#ifndef MASS_KERNELS_CUDA_MANAGE_NOTIFY_H
#define MASS_KERNELS_CUDA_MANAGE_NOTIFY_H

#include "manage_task.cuh"

namespace {

/* Raises a flag at all ranks, to tell that this block's and earlier kernels' writes for them are complete. All threads
 * of a block call it. write_last(rank) writes what must come after all else. */
template <class Write>
__device__ __forceinline__ void tell(const mass_cuda_queued &q, uint32_t flag, Write write_last)
{
    const uint32_t r = threadIdx.x;
    const bool tells = r < (uint32_t)q.ranks;
    uint32_t *const there = tells ? q.reach[r].flags + flag : NULL; /* read before the wait for other threads */
    const uint32_t number = tells ? *q.number : 0;
    __syncthreads();
    if (!tells) return;
    if (r != (uint32_t)q.rank) write_last(r);
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(there), "r"(number) : "memory");
}

constexpr uint32_t PATIENCE = 1024; /* looks at a flag before each look at the word in host memory that says that no
                                       rank sends any more */

/* Loads a flag. The first load that sees it raised also makes visible what was written before. */
__device__ __forceinline__ uint32_t look_at(const uint32_t *flag)
{
    uint32_t word;
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
    return word;
}

/* Returns the number that a raised flag has in this manage, for the threads that will wait for it. */
__device__ __forceinline__ uint32_t number_to_hear(const mass_cuda_queued &q)
{
    return q.reach && threadIdx.x < (uint32_t)q.ranks ? *q.number : 0;
}

/* Waits until a rank has raised a flag, or no rank sends any more. One thread calls it. It then sees what that rank
 * wrote, and so do threads of its block after a barrier. */
__device__ __forceinline__ void await_rank(const mass_cuda_queued &q, uint32_t flag, uint32_t rank, uint32_t number)
{
    const uint32_t *const at = q.flags + rank * MASS_CUDA_FLAGS + flag;
    for (uint32_t looks = 1; (int32_t)(look_at(at) - number) < 0; looks++)
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)q.ended) break;
}

/* Waits until all ranks have raised a flag, or no rank sends any more. All threads of a block call it. */
__device__ __forceinline__ void await(const mass_cuda_queued &q, uint32_t flag, uint32_t number)
{
    if (threadIdx.x < (uint32_t)q.ranks) await_rank(q, flag, threadIdx.x, number);
    __syncthreads();
}

/* ---- rounds of refusals ---- */

/* A rank's message in a round: the number of refusals for the receiver, and whether any rank gets one from it. */
struct round_news {
    uint32_t count;
    bool any;
};

/* The bits of a round's flag: number of the manage, of the round, and the message. Flags of two rounds take turns: a
 * rank that gets one has read the one before. */
constexpr uint32_t ROUND = 25, ANY = 24;
static_assert(MASS_CUDA_REFUSALS_MOST == (1 << ANY) - 1, "all refusals of a round can be told");

/* A thread's view of the rank with the thread's number, with which it exchanges messages. */
struct round_partner {
    bool other;         /* this is another rank */
    uint64_t manage;    /* number of the manage, in the high bits of a flag */
    uint64_t *there;    /* flags of two rounds, which take turns */
    const uint64_t *here;
    uint32_t *refused;  /* numbers of refusals of two rounds, `words` apart, which take turns */
    uint32_t words;
};

/* Returns the thread's view of the rank with its number, without the number of the manage. */
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

/* Sets the part that earlier kernels write. Call it after follow(). */
__device__ __forceinline__ void number_partner(const mass_cuda_queued &q, round_partner *p)
{
    if (p->other) p->manage = (uint64_t)*q.number << 32;
}

/* Sends a partner this rank's message of a round. */
__device__ __forceinline__ void tell_round(const round_partner &p, uint32_t round, round_news news)
{
    const uint64_t word = p.manage | (uint64_t)round << ROUND | (uint64_t)news.any << ANY | news.count;
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(p.there + round % 2), "l"(word) : "memory");
}

/* Waits for a rank's message of a round. Returns no refusals if no rank sends any more. ended: as in
 * mass_cuda_queued. */
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
