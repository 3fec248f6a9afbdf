/* SPDX-License-Identifier: Apache-2.0 */
/* Several steps of bits by counts, for small spaces. A block holds a tile in its registers, a few rows in each warp.
 * After each step, warps exchange the counts of their outermost rows. Wrong bits spread from the tile's edge by one
 * place a step. */
#ifndef MASS_KERNELS_CUDA_BITS_TILE_CUH
#define MASS_KERNELS_CUDA_BITS_TILE_CUH

#include "cuda/bits_counts.cuh"

namespace bits {

constexpr int TILE_WARPS = 16, TILE_ROWS = 4, TILE_HEIGHT = TILE_WARPS * TILE_ROWS, TILE_WORDS = WARP - 2;

/* Counts of the rows on either side of a boundary between warps. Two steps take turns. */
struct seam {
    row first[2][TILE_WARPS][WARP], last[2][TILE_WARPS][WARP];
};

/* Does one step of a warp's rows, in place in v; y is the first of them. inside: as from inside_of. turn: 0 and 1 by
 * turns. All threads of the block call it. */
template <class Count, class Rule>
__device__ __forceinline__ void step_rows(const mass_bits_work &w, const Rule &rule, uint32_t *v, int y,
                                          uint32_t inside, seam &all, int turn)
{
    const int warp = threadIdx.y, lane = threadIdx.x;
    row r[TILE_ROWS + 2];
#pragma unroll
    for (int k = 0; k < TILE_ROWS; k++) {
        if (w.open) v[k] = has_row(w, y + k) ? choose(inside, v[k], w.beyond) : w.beyond;
        r[k + 1] = count_row(__shfl_up_sync(~0u, v[k], 1), v[k], __shfl_down_sync(~0u, v[k], 1));
    }
    all.first[turn][warp][lane] = r[1];
    all.last[turn][warp][lane] = r[TILE_ROWS];
#pragma unroll
    for (int k = 1; k < TILE_ROWS - 1; k++) v[k] = rule.next(Count::count(r[k], r[k + 1], r[k + 2]), v[k]);
    __syncthreads();
    r[0] = all.last[turn][warp > 0 ? warp - 1 : 0][lane];
    r[TILE_ROWS + 1] = all.first[turn][warp < TILE_WARPS - 1 ? warp + 1 : warp][lane];
#pragma unroll
    for (int k = 0; k < TILE_ROWS; k += TILE_ROWS - 1) v[k] = rule.next(Count::count(r[k], r[k + 1], r[k + 2]), v[k]);
}

/* Steps tiles, which are side by side. Each covers `useful` words and TILE_HEIGHT - 2 * steps rows. */
template <class Count, class Rule, tallying TALLIES>
__global__ void __launch_bounds__(WARP * TILE_WARPS)
step_tiles(const __grid_constant__ mass_bits_work w, int useful)
{
    __shared__ seam all;
    __shared__ history tallied;
    const int words = words_of(w), first = blockIdx.x * useful, x = first - 1 + (int)threadIdx.x;
    const int end = words - first < useful ? words : first + useful, height = TILE_HEIGHT - 2 * w.steps;
    const int tile = blockIdx.y * height, y = tile - w.steps + (int)threadIdx.y * TILE_ROWS;
    const bool writes = x >= first && x < end;
    const uint32_t inside = inside_of(w, x), places = writes ? places_of(w, x) : 0;
    const Rule rule(w);
    follow_predecessor();
    for (int world = blockIdx.z; world < w.worlds; world += gridDim.z) {
        if (w.gates && w.gates[world]) continue;
        const int64_t base = world * w.world_stride;
        uint32_t v[TILE_ROWS], before[TILE_ROWS], owned[TILE_ROWS];
        if (TALLIES) tallied.begin();
#pragma unroll
        for (int k = 0; k < TILE_ROWS; k++)
            owned[k] = y + k >= tile && y + k < tile + height && y + k < w.height ? places : 0;
#pragma unroll
        for (int k = 0; k < TILE_ROWS; k++)
            v[k] = x <= words && y + k < w.height + w.steps
                       ? w.from[base + row_around(w, y + k) * w.pitch + word_around(w, x)]
                       : 0;
#pragma unroll 1
        for (int t = 0; t < w.steps; t++) {
#pragma unroll
            for (int k = 0; k < TILE_ROWS; k++) before[k] = v[k];
            step_rows<Count>(w, rule, v, y, inside, all, t & 1);
            if (!TALLIES) continue;
            uint32_t born = 0, died = 0;
#pragma unroll
            for (int k = 0; k < TILE_ROWS; k++) {
                born += __popc(v[k] & ~before[k] & owned[k]);
                died += __popc(before[k] & ~v[k] & owned[k]);
            }
            tallied.add(t, born, died);
        }
        /* Not earlier: otherwise blocks of several launches would fill some processors while others have none. */
        if (world + (int)gridDim.z >= w.worlds) let_successor_begin();
        uint32_t set = 0;
#pragma unroll
        for (int k = 0; k < TILE_ROWS; k++) {
            if (TALLIES) set += __popc(v[k] & owned[k]);
            if (y + k < tile || y + k >= tile + height || y + k >= w.height) continue;
            if (writes) w.to[base + (y + k) * w.pitch + x] = choose(inside, v[k], w.beyond);
        }
        if (TALLIES) {
            tallied.add_set(set);
            tallied.hand_over(w, world);
        } else __syncthreads();
    }
}

} // namespace bits
#endif
