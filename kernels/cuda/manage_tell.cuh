/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks whose devices write into each other's memory (mass_cuda_reach): who has written everything for a rank raises a
 * flag there, and who needs what comes from it waits for the flag. A flag counts manages, as every manage raises all
 * that it may, whatever happens in it. Boxes are used by turns, two of each: a manage ends when all ranks have told
 * their news, so that a rank that writes to a box knows that the manage before the last one has ended everywhere. */
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

/* Until all ranks have raised so many flags, or nothing comes any more; then this block sees what they wrote. */
__device__ __forceinline__ void await(const mass_cuda_queued &q, uint32_t flag, uint32_t flags)
{
    constexpr uint32_t PATIENCE = 1024; /* looks at the flag for each at the host's memory */
    const uint32_t number = *q.number;
    for (uint32_t k = threadIdx.x; k < (uint32_t)q.ranks * flags; k += blockDim.x) {
        const uint32_t r = k / flags;
        const volatile uint32_t *const at = q.flags + r * MASS_CUDA_FLAGS + flag + k % flags;
        for (uint32_t looks = 1; (int32_t)(*at - number) < 0; looks++)
            if (looks % PATIENCE == 0 && *(const volatile uint32_t *)q.ended) break;
    }
    __threadfence_system();
    __syncthreads();
}

} // namespace
#endif
