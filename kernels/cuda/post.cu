/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/post.h"

namespace {

constexpr uint32_t THREADS = 256;

/* Returns the bytes of the flags at the start of a rank's memory, rounded up to 256. */
__host__ __device__ size_t bytes_of_flags(int32_t ranks)
{
    return ((size_t)ranks * MASS_POST_BLOCKS * sizeof(uint32_t) + 255) / 256 * 256;
}

/* Returns this block's flag from `sender` in the memory of `holder`. */
__device__ uint32_t *flag_of(const mass_post &p, uint32_t holder, uint32_t sender)
{
    return (uint32_t *)p.at[holder] + sender * MASS_POST_BLOCKS + blockIdx.x;
}

/* Returns the mailbox from `sender` in the memory of `holder` for exchange `number` with that rank; two take turns. */
__device__ char *box_of(const mass_post &p, uint32_t holder, uint32_t sender, uint32_t number)
{
    return p.at[holder] + bytes_of_flags(p.ranks) + ((size_t)sender * 2 + number % 2) * MASS_POST_BOX;
}

/* The threads of a block that copy the same message. With two or more messages, each half of the block copies one, so
 * that a message does not wait for the one before it. */
struct copiers {
    uint32_t groups, group, thread, threads;
};

/* Returns which of a block's threads copy the same message as this one. */
__device__ __forceinline__ copiers find_copiers(uint32_t messages)
{
    const uint32_t groups = messages > 1 ? 2 : 1, threads = THREADS / groups;
    return {groups, threadIdx.x / threads, threadIdx.x % threads, threads};
}

/* Copies bytes `first` to `end` - 1 in units. A thread reads AHEAD units before it writes any, because a write waits
 * for its read. */
template <class Unit>
__device__ void copy_units(const copiers &c, char *to, const char *from, uint32_t first, uint32_t end)
{
    constexpr uint32_t AHEAD = 8;
    const uint32_t stride = c.threads * sizeof(Unit);
    for (uint32_t i = first + c.thread * sizeof(Unit); i < end; i += AHEAD * stride) {
        Unit u[AHEAD];
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; k++)
            if (i + k * stride < end) u[k] = *(const Unit *)(from + i + k * stride);
#pragma unroll
        for (uint32_t k = 0; k < AHEAD; k++)
            if (i + k * stride < end) *(Unit *)(to + i + k * stride) = u[k];
    }
}

/* Copies this block's part of a message. */
__device__ void copy_part(const copiers &c, char *to, const char *from, uint32_t bytes)
{
    const uint32_t part = (bytes + 16 * MASS_POST_BLOCKS - 1) / (16 * MASS_POST_BLOCKS) * 16;
    const uint32_t first = blockIdx.x * part, end = first + part < bytes ? first + part : bytes;
    const uint64_t bits = (uint64_t)to | (uint64_t)from | bytes;
    if (first >= bytes) return;
    if (bits % 16 == 0) copy_units<uint4>(c, to, from, first, end);
    else if (bits % 4 == 0) copy_units<uint32_t>(c, to, from, first, end);
    else copy_units<uint8_t>(c, to, from, first, end);
}

/* Raises this rank's flag at rank r, waits for rank r's flag, or until no rank sends any more, and stores the number.
 * One thread for each rank. */
__device__ void meet(const mass_post &p, uint32_t r, uint32_t number)
{
    constexpr uint32_t PATIENCE = 1024; /* looks at the flag before each look at host memory */
    const uint32_t *const own = flag_of(p, (uint32_t)p.rank, r);
    uint32_t heard;
    asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(flag_of(p, r, (uint32_t)p.rank)), "r"(number) : "memory");
    for (uint32_t looks = 1;; looks++) {
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(heard) : "l"(own) : "memory");
        if ((int32_t)(heard - number) >= 0) break;
        if (looks % PATIENCE == 0 && *(const volatile uint32_t *)p.ended) break;
    }
    p.numbers[r * MASS_POST_BLOCKS + blockIdx.x] = number;
}

/* Lets the next kernel begin, and waits until the one before is complete. Comes before any use of memory. */
__device__ __forceinline__ void follow()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Sends this rank's messages, meets each rank in p.with, and takes the messages that it got. */
__global__ void __launch_bounds__(THREADS) post(const __grid_constant__ mass_post p)
{
    __shared__ uint32_t number[MASS_POST_RANKS_MOST];
    const uint32_t r = threadIdx.x;
    follow();
    if (r < (uint32_t)p.ranks) number[r] = p.numbers[r * MASS_POST_BLOCKS + blockIdx.x] + p.ahead;
    __syncthreads();
    const copiers sending = find_copiers(p.sends), taking = find_copiers(p.receives);
    for (uint32_t k = sending.group; k < p.sends; k += sending.groups) {
        const mass_post_letter l = p.send[k];
        copy_part(sending, box_of(p, (uint32_t)l.rank, (uint32_t)p.rank, number[l.rank]) + l.at, l.data, l.bytes);
    }
    __syncthreads();
    if (r < (uint32_t)p.ranks && (p.with >> r & 1)) meet(p, r, number[r]);
    __syncthreads();
    for (uint32_t k = taking.group; k < p.receives; k += taking.groups) {
        const mass_post_letter l = p.receive[k];
        copy_part(taking, l.data, box_of(p, (uint32_t)p.rank, (uint32_t)l.rank, number[l.rank]) + l.at, l.bytes);
    }
}

} // namespace

extern "C" size_t mass_cuda_post_bytes(int32_t ranks)
{
    return bytes_of_flags(ranks) + (size_t)ranks * 2 * MASS_POST_BOX;
}

extern "C" cudaError_t mass_cuda_post(cudaStream_t stream, const mass_post *p, bool overlaps)
{
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(MASS_POST_BLOCKS), config.blockDim = dim3(THREADS), config.stream = stream;
    config.attrs = &overlap, config.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelEx(&config, post, *p);
}
