/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that edges join, for nodes in turn (mass_turn_joined): the edges of all sets, named by both of their ends.
 * The ends are counted by node, the counts are summed up, and each edge takes a place at either end. */
#include "cuda/each.cuh"
#include "cuda/kernels.h"

#include <cub/device/device_scan.cuh>

namespace {

constexpr uint32_t LANES = 8; /* threads that share the edges of a node */
constexpr size_t ALIGNED = 256;

typedef unsigned long long count_type; /* of atomics */
static_assert(sizeof(count_type) == sizeof(uint64_t));

/* Return the first edge of a set that comes into node `row`, and the one after the last. */
__device__ uint64_t begin_of(const mass_turn_join_work &w, const mass_turn_set &s, uint64_t row)
{
    return s.first[s.each ? row : row % w.nodes];
}
__device__ uint64_t end_of(const mass_turn_join_work &w, const mass_turn_set &s, uint64_t row)
{
    return s.first[(s.each ? row : row % w.nodes) + 1];
}

/* Counts in first[row] the nodes that the edges of a set name, which is 0 before the first set. */
__global__ void count_ends(const __grid_constant__ mass_turn_join_work w, uint32_t set)
{
    const mass_turn_set &s = w.sets[set];
    EACH(k, w.rows * LANES) {
        const uint64_t row = k / LANES, of_world = row - row % w.nodes;
        const uint64_t begin = begin_of(w, s, row), end = end_of(w, s, row);
        if (k % LANES == 0) atomicAdd((count_type *)&w.first[row], (count_type)(end - begin));
        for (uint64_t e = begin + k % LANES; s.both_ways && e < end; e += LANES)
            atomicAdd((count_type *)&w.first[of_world + s.source[e]], 1ull);
    }
}

/* Writes the nodes that the edges of a set name. next[row]: where the next one goes. */
__global__ void write_ends(const __grid_constant__ mass_turn_join_work w, uint32_t set, uint64_t *next)
{
    const mass_turn_set &s = w.sets[set];
    EACH(k, w.rows * LANES) {
        const uint64_t row = k / LANES, of_world = row - row % w.nodes;
        for (uint64_t e = begin_of(w, s, row) + k % LANES, end = end_of(w, s, row); e < end; e += LANES) {
            w.node[atomicAdd((count_type *)&next[row], 1ull)] = s.source[e];
            if (s.both_ways)
                w.node[atomicAdd((count_type *)&next[of_world + s.source[e]], 1ull)] = (uint32_t)(row - of_world);
        }
    }
}

/* Sets *most to the most visits of a search for the rivals of a node, along one edge and along two. */
__global__ void find_most(const __grid_constant__ mass_turn_join_work w, uint64_t *most)
{
    EACH(row, w.rows) {
        const uint64_t *const first = w.first + (row - row % w.nodes);
        uint64_t visits = 0;
        for (uint64_t e = w.first[row]; e < w.first[row + 1]; e++)
            visits += 1 + first[w.node[e] + 1] - first[w.node[e]];
        if (visits > *most) atomicMax((count_type *)most, (count_type)visits);
    }
}

/* Replaces the counts, and a 0 behind them, by the sums of those before. bytes: NULL, or what the scan needs; then
 * nothing is queued. */
cudaError_t sum_before(const mass_turn_join_work *w, cudaStream_t stream, void *scratch, size_t *bytes)
{
    size_t need = 0;
    const cudaError_t result = cub::DeviceScan::ExclusiveSum(nullptr, need, w->first, w->first, (int64_t)w->rows + 1);
    if (bytes) *bytes = need;
    return bytes || result != cudaSuccess
               ? result
               : cub::DeviceScan::ExclusiveSum(scratch, need, w->first, w->first, (int64_t)w->rows + 1, stream);
}

/* Returns the bytes of the scratch memory's numbers, which are before that of the scan. */
size_t numbers_bytes(const mass_turn_join_work *w)
{
    return ((w->rows + 1) * sizeof(uint64_t) + ALIGNED - 1) / ALIGNED * ALIGNED;
}

} // namespace

size_t mass_cuda_turn_join_scratch(const mass_turn_join_work *w)
{
    size_t scan = 0;
    sum_before(w, nullptr, nullptr, &scan);
    return numbers_bytes(w) + scan;
}

cudaError_t mass_cuda_turn_join(cudaStream_t stream, const mass_turn_join_work *w, void *scratch, uint64_t *most)
{
    const size_t bytes = (w->rows + 1) * sizeof *w->first;
    const uint32_t blocks = blocks_for(w->rows * LANES);
    uint64_t *const next = (uint64_t *)scratch;
    cudaError_t result = cudaMemsetAsync(w->first, 0, bytes, stream);
    if (result != cudaSuccess) return result;
    for (uint32_t k = 0; k < w->set_count; k++) count_ends<<<blocks, THREADS, 0, stream>>>(*w, k);
    result = sum_before(w, stream, (char *)scratch + numbers_bytes(w), nullptr);
    if (result == cudaSuccess) result = cudaMemcpyAsync(next, w->first, bytes, cudaMemcpyDeviceToDevice, stream);
    if (result != cudaSuccess) return result;
    for (uint32_t k = 0; k < w->set_count; k++) write_ends<<<blocks, THREADS, 0, stream>>>(*w, k, next);
    if (!w->counts_pairs) return cudaGetLastError();
    result = cudaMemsetAsync(next, 0, sizeof *next, stream);
    if (result != cudaSuccess) return result;
    find_most<<<blocks_for(w->rows), THREADS, 0, stream>>>(*w, next);
    result = cudaMemcpyAsync(most, next, sizeof *most, cudaMemcpyDeviceToHost, stream);
    return result == cudaSuccess ? cudaStreamSynchronize(stream) : result;
}
