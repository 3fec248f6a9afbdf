/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that callbacks search: agents by their ids, and full places (anybody.h). */
#include "cuda/kernels.h"

namespace {
constexpr int THREADS = 256, WARPS = THREADS / 32;
constexpr uint32_t WORDS = 1024; /* of a block */
constexpr unsigned ALL_LANES = ~0u;

/* Returns the world of an agent: the last one that begins at it or before, and is not empty. */
__device__ int32_t world_of(const mass_index_work &w, uint32_t agent)
{
    int32_t low = 0, high = w.worlds - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (w.start[middle * w.stride] <= agent) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* Puts each agent into the first empty slot from its own on. After a stop, the agents of later steps are not there. */
__global__ void put_agents(const mass_index_work w, const mass_stop *stop)
{
    if (stop && stop->stopped) return;
    const uint32_t count = w.start[w.worlds * w.stride];
    for (uint64_t k = blockIdx.x * THREADS + threadIdx.x; k < count; k += gridDim.x * THREADS) {
        const uint32_t i = (uint32_t)k;
        uint32_t slot = mass_slot_of(world_of(w, i), w.id[i], w.last_slot);
        while (atomicCAS(w.slots + slot, MASS_NOBODY, i) != MASS_NOBODY) slot = (slot + 1) & w.last_slot;
    }
}

/* Returns whether a cell has `capacity` agents or more. */
__device__ bool is_full(const mass_full_work &w, uint64_t cell)
{
    if (cell >= w.cells) return false;
    if (w.occupancy) return w.capacity <= (w.occupancy[cell / 32].held >> cell % 32 & 1);
    return w.start[cell + 1] - w.start[cell] >= w.capacity;
}

/* Sets the full places of a block's words, and the number before each in the block. A warp takes a word at a time.
 * sums[block]: their number. */
__global__ void find_full(const mass_full_work w, uint64_t words, uint32_t *sums)
{
    __shared__ uint32_t counts[WORDS], of_warps[WARPS];
    const uint64_t first = (uint64_t)blockIdx.x * WORDS;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (uint32_t k = warp; k < WORDS; k += WARPS) {
        const uint32_t held = first + k < words ? __ballot_sync(ALL_LANES, is_full(w, (first + k) * 32 + lane)) : 0;
        if (lane == 0) counts[k] = (uint32_t)__popc(held);
        if (lane == 0 && first + k < words) w.full[first + k].held = held;
    }
    __syncthreads();
    constexpr uint32_t EACH = WORDS / THREADS;
    uint32_t own = 0;
    for (uint32_t k = 0; k < EACH; k++) own += counts[threadIdx.x * EACH + k];
    uint32_t up_to = own;
    for (uint32_t d = 1; d < 32; d *= 2) {
        const uint32_t other = __shfl_up_sync(ALL_LANES, up_to, d);
        if (lane >= d) up_to += other;
    }
    if (lane == 31) of_warps[warp] = up_to;
    __syncthreads();
    uint32_t before = up_to - own;
    for (uint32_t k = 0; k < warp; k++) before += of_warps[k];
    for (uint32_t k = 0; k < EACH; k++) {
        const uint64_t word = first + threadIdx.x * EACH + k;
        if (word < words) w.full[word].before = before;
        before += counts[threadIdx.x * EACH + k];
    }
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = before;
}

/* Adds to a block's words the full places of the blocks before it. */
__global__ void add_before(const mass_full_work w, uint64_t words, const uint32_t *sums)
{
    __shared__ uint32_t of_warps[WARPS];
    uint32_t before = 0;
    for (uint32_t k = threadIdx.x; k < blockIdx.x; k += THREADS) before += sums[k];
    for (int d = 16; d > 0; d /= 2) before += __shfl_xor_sync(ALL_LANES, before, d);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = before;
    __syncthreads();
    before = 0;
    for (int k = 0; k < WARPS; k++) before += of_warps[k];
    const uint64_t first = (uint64_t)blockIdx.x * WORDS;
    for (uint32_t k = threadIdx.x; k < WORDS && first + k < words; k += THREADS) w.full[first + k].before += before;
}

/* Return the words of the bitmap, one more than full ones, and the blocks that fill it. */
uint64_t words_of(const mass_full_work *w) { return w->cells / 32 + 1; }
unsigned blocks_of(const mass_full_work *w) { return (unsigned)((words_of(w) + WORDS - 1) / WORDS); }
} // namespace

extern "C" cudaError_t mass_cuda_index(cudaStream_t stream, const mass_index_work *w, const mass_stop *stop)
{
    constexpr uint32_t BLOCKS = 2112;
    const uint32_t blocks = w->room / THREADS + 1;
    const uint32_t nobody = MASS_NOBODY;
    const cudaError_t status = mass_cuda_fill(stream, w->slots, &nobody, sizeof nobody, (size_t)w->last_slot + 1, stop,
                                              false);
    if (status != cudaSuccess) return status;
    put_agents<<<blocks < BLOCKS ? blocks : BLOCKS, THREADS, 0, stream>>>(*w, stop);
    return cudaGetLastError();
}

extern "C" size_t mass_cuda_full_scratch(const mass_full_work *w) { return blocks_of(w) * sizeof(uint32_t); }

extern "C" cudaError_t mass_cuda_find_full(cudaStream_t stream, const mass_full_work *w, void *scratch)
{
    find_full<<<blocks_of(w), THREADS, 0, stream>>>(*w, words_of(w), (uint32_t *)scratch);
    add_before<<<blocks_of(w), THREADS, 0, stream>>>(*w, words_of(w), (const uint32_t *)scratch);
    return cudaGetLastError();
}
