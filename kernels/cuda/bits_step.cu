/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the kernel that steps bits by counts, and the number of its blocks. */
#include "cuda/bits_column.cuh"
#include "cuda/bits_once.cuh"
#include "cuda/bits_tile.cuh"

namespace {
using namespace bits;

/* Blocks of a single step, as multiples of the blocks that the GPU holds at once. Kernels that add to tallies at their
 * end use one. */
constexpr int GRID_LIMIT = 65535, ONCE_WAVES = 16, ONCE_WAVES_TALLIED = 1;
/* Least rows of a column, for each step, with which columns are faster than tiles. */
constexpr int COLUMN_ROWS = 3;

/* Returns a / b, rounded up. */
int divide_up(int64_t a, int64_t b) { return (int)((a + b - 1) / b); }

/* Launches a kernel. `overlaps`: it may begin before the kernel ahead of it is complete. */
template <class... Arguments>
cudaError_t queue(cudaStream_t stream, bool overlaps, void (*kernel)(Arguments...), dim3 grid, dim3 block,
                  Arguments... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/* Returns how many blocks of a kernel, of `threads` threads each, the GPU holds at once; less than 1 only if it cannot
 * be queried. Queries once a kernel and keeps the answer, so all calls for a kernel pass the same `threads`. */
template <auto KERNEL> int64_t blocks_at_once(int threads)
{
    static const int64_t blocks = [=] {
        int a_processor = 0, processors = 0, device = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_processor, KERNEL, threads, 0);
        return (int64_t)a_processor * processors;
    }();
    return blocks;
}

/* Returns the blocks along z, one a world; with more worlds than the limit, a block takes several. */
unsigned sheets(const mass_bits_work &w) { return w.worlds < GRID_LIMIT ? w.worlds : GRID_LIMIT; }

/* Queues a single step. */
template <class Count, class Rule, tallying TALLIES>
cudaError_t queue_once(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    const int across = divide_up(words_of(w), WARP * ONCE_WORDS), down = divide_up(w.height, ONCE_WARPS * ONCE_ROWS);
    const int64_t blocks = (TALLIES ? ONCE_WAVES_TALLIED : ONCE_WAVES) *
                           blocks_at_once<step_once<Count, Rule, TALLIES>>(WARP * ONCE_WARPS);
    const int most = divide_up(blocks, (int64_t)across * w.worlds);
    return queue(stream, overlaps, step_once<Count, Rule, TALLIES>, dim3(across, down < most ? down : most, sheets(w)),
                 dim3(WARP, ONCE_WARPS), w);
}

/* Columns side by side. There are as many as let all warps run at once, each with the same number of rows. */
struct columns {
    int across, useful, rows;
    dim3 grid;
};
/* Divides the worlds into columns for a pass of STEPS steps. */
template <int STEPS, int WORDS, class Count, class Rule, tallying TALLIES, bool OPEN>
columns plan_columns(const mass_bits_work &w)
{
    const int words = words_of(w), across = divide_up(words, WORDS * WARP - 2);
    const int64_t warps = blocks_at_once<step_columns<STEPS, WORDS, Count, Rule, TALLIES, OPEN>>(WARP * COLUMN_WARPS) *
                          COLUMN_WARPS;
    const int64_t down = warps / ((int64_t)across * w.worlds);
    columns c = {across, divide_up(words, across), divide_up(w.height, down < 1 ? 1 : down), {}};
    if (TALLIES && c.rows > COLUMN_ROWS_TALLIED) c.rows = COLUMN_ROWS_TALLIED;
    c.grid = dim3(divide_up((int64_t)across * divide_up(w.height, c.rows), COLUMN_WARPS), 1, sheets(w));
    return c;
}

/* Queues a pass of w.steps steps in tiles. */
template <class Count, class Rule, tallying TALLIES>
cudaError_t queue_tiles(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    const int words = words_of(w), across = divide_up(words, TILE_WORDS), useful = divide_up(words, across);
    const dim3 grid(across, divide_up(w.height, TILE_HEIGHT - 2 * w.steps), sheets(w)), block(WARP, TILE_WARPS);
    return queue(stream, overlaps, step_tiles<Count, Rule, TALLIES>, grid, block, w, useful);
}

/* Queues a pass of STEPS steps in columns, or in tiles if columns would be too short. */
template <int STEPS, int WORDS, class Count, class Rule, tallying TALLIES, bool OPEN>
cudaError_t queue_often(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    const columns c = plan_columns<STEPS, WORDS, Count, Rule, TALLIES, OPEN>(w);
    if (c.rows < COLUMN_ROWS * STEPS) return queue_tiles<Count, Rule, TALLIES>(stream, w, overlaps);
    return queue(stream, overlaps, step_columns<STEPS, WORDS, Count, Rule, TALLIES, OPEN>, c.grid,
                 dim3(WARP, COLUMN_WARPS), w, c.across, c.useful, c.rows);
}

/* Queues a pass of w.steps steps. A single step has a kernel of its own; columns exist for 4 and 8 steps; tiles take
 * all other numbers. */
template <class Count, class Rule, tallying TALLIES, bool OPEN>
cudaError_t queue_steps(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    switch (w.steps) {
    case 1: return queue_once<Count, Rule, TALLIES>(stream, w, overlaps);
    case 4: return queue_often<4, 2, Count, Rule, TALLIES, OPEN>(stream, w, overlaps);
    case 8: return queue_often<8, 2, Count, Rule, TALLIES, OPEN>(stream, w, overlaps);
    default: return queue_tiles<Count, Rule, TALLIES>(stream, w, overlaps);
    }
}

/* Queues a pass of any rule, with its sums or without. */
template <class Count, class Rule> cudaError_t queue_rule(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    return w.sum_count > 0 ? queue_steps<Count, Rule, TALLY_PARTS, true>(stream, w, overlaps)
                           : queue_steps<Count, Rule, TALLY_NONE, true>(stream, w, overlaps);
}

/* Queues a pass of Life, which has kernels of its own. Open sides, and rows that end within a word, cost noticeable
 * time, so these use the general ones. */
cudaError_t queue_conway(cudaStream_t stream, const mass_bits_work &w, bool overlaps)
{
    if (w.open || (w.sum_count > 0 && w.width % WORD)) return queue_rule<moore, conway>(stream, w, overlaps);
    return w.sum_count > 0 ? queue_steps<moore, conway, TALLY_WORDS, false>(stream, w, overlaps)
                           : queue_steps<moore, conway, TALLY_NONE, false>(stream, w, overlaps);
}

/* Returns whether the rule is Conway's Life. */
bool is_conway(const mass_bits_work &w)
{
    return !w.von_neumann && w.birth == 1u << 3 && w.survive == (1u << 2 | 1u << 3);
}

} // namespace

extern "C" cudaError_t mass_cuda_step_bits(cudaStream_t stream, const mass_bits_work *w, bool overlaps)
{
    if (is_conway(*w)) return queue_conway(stream, *w, overlaps);
    return w->von_neumann ? queue_rule<von_neumann, any_rule>(stream, *w, overlaps)
                          : queue_rule<moore, any_rule>(stream, *w, overlaps);
}
