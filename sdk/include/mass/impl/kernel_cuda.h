/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA forms of a kernel. A thread goes down a strip of CX places (MASS_STRIP_PLACES) by ROWS rows. It keeps the rows
 * that it still needs in registers and loads each with few instructions, so that its loads serve many places. For radii
 * above 2, threads read the neighbours through the cache instead. Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_CUDA_H
#define MASS_KERNEL_CUDA_H

#include <mass/impl/kernel_cuda_fields.h>
#include <mass/impl/slips.h> /* before kernels are defined */
#include <mass/random.h>

/* Synchronizes with the launch before, which may still be ending (programmatic dependent launch): lets the next launch
 * begin, and waits until the memory of the one before is complete. */
MASS_FN void mass_follow_predecessor(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#include <mass/impl/kernel_cuda_fused.h>

#define MASS_CUDA_KERNEL_(NAME, KERNEL, ROWS_)                                                        \
    extern "C" __global__ void __launch_bounds__(128)                                                 \
    KERNEL(const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l) \
    {                                                                                                 \
        MASS_JOIN(NAME, _strips)<ROWS_, false>(f, l);                                                 \
    }

/* Adds the block's contributions in a world to the tallies. */
#define MASS_FLUSH_BLOCK_(NAME, LIST)                                                       \
    {                                                                                       \
        enum { MASS_EACH_(MASS_TALLY_NUMBER_, LIST) tallies };                              \
        MASS_EACH_(MASS_FLUSH_, LIST)                                                       \
        if constexpr (tallies > 0) {                                                        \
            __shared__ int64_t parts[tallies > 0 ? (int)tallies : 1][MASS_BLOCK_WARPS];     \
            MASS_EACH_(MASS_ADD_UP_, LIST)                                                  \
            __syncthreads();                                                                \
            MASS_EACH_(MASS_HAND_OVER_, LIST)                                               \
            __syncthreads();                                                                \
        }                                                                                   \
    }

/* The forms that add to tallies, for callbacks with tallies, and the form that advances several steps. */
#define MASS_TALLY_KERNELS_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                             \
    extern "C" __global__ void __launch_bounds__((0 MASS_EACH_(MASS_GATHERS_, LIST)) ? 1024 : 128)            \
    MASS_JOIN(NAME, _tally)(const __grid_constant__ MASS_JOIN(NAME, _fields) f,                               \
                            const __grid_constant__ mass_launch l)                                            \
    {                                                                                                         \
        if constexpr ((0 MASS_EACH_(MASS_GATHERS_, LIST)) != 0) {                                             \
            if (l.bins[0].local == MASS_BINS_GLOBAL) MASS_JOIN(NAME, _strides)<true, MASS_FAR_BINS>(f, l);    \
            else MASS_JOIN(NAME, _strides)<true, MASS_NEAR_BINS>(f, l);                                       \
        } else if constexpr (MASS_HAS_TALLIES(LIST))                                                          \
            MASS_JOIN(NAME, _strips)<MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS), true>(f, l);            \
    }                                                                                                         \
    extern "C" __global__ void __launch_bounds__(128)                                                         \
    MASS_JOIN(NAME, _tally_large)(const __grid_constant__ MASS_JOIN(NAME, _fields) f,                         \
                                  const __grid_constant__ mass_launch l)                                      \
    {                                                                                                         \
        if constexpr (MASS_HAS_TALLIES(LIST) && !(0 MASS_EACH_(MASS_GATHERS_, LIST)))                         \
            MASS_JOIN(NAME, _strips)<MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS), true>(f, l);            \
    }                                                                                                         \
    extern "C" __global__ void __launch_bounds__(MASS_TILE_THREADS(DIMENSIONS), MASS_TILE_BLOCKS(DIMENSIONS)) \
    MASS_JOIN(NAME, _fused)(const __grid_constant__ MASS_JOIN(NAME, _fields) f,                               \
                            const __grid_constant__ mass_launch l)                                            \
    {                                                                                                         \
        if constexpr (MASS_FUSED_STEPS(LIST, OVER, DIMENSIONS, RADIUS) > 1) MASS_JOIN(NAME, _tiles)(f, l);    \
    }

/* One strip: from the middle of a partition, or (EDGE) at its edge or beyond. They are separate code, since checks that
 * are rarely needed would take most of a short rule's time. If there are tallies, all threads of a block stay to the
 * end, since they combine contributions. Without tallies, threads outside the partition return. */
#define MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, OVER)                                                            \
    struct MASS_JOIN(NAME, _fields) { MASS_EACH_(MASS_POINTER_, LIST) };                                              \
    struct MASS_JOIN(NAME, _window) {                                                                                 \
        enum { CX = MASS_STRIP_PLACES(LIST), RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0,                           \
               RZ = DIMENSIONS > 2 ? RADIUS : 0 };                                                                    \
        static const char axes_[DIMENSIONS + 1];                                                                      \
        MASS_EACH_(MASS_WINDOW_, LIST)                                                                                \
        mass_reach reach_;                                                                                            \
        mass_site site;                                                                                               \
        uint32_t first_resident;                                                                                      \
        union { uint32_t end_of_residents, MASS_MARK_##OVER; };                                                       \
        MASS_EACH_(MASS_OWNER_, LIST)                                                                                 \
        MASS_JOIN(NAME, _sight) sight;                                                                                \
        MASS_OTHERS_(LIST)                                                                                            \
        char (*asks_)[MASS_JOIN(NAME, _asks) + 1];                                                                    \
    };                                                                                                                \
    template <bool ALONE> struct MASS_JOIN(NAME, _place) : MASS_JOIN(NAME, _window), mass_residents<ALONE> {};        \
    template <int PLACES> struct MASS_JOIN(NAME, _strip) {                                                            \
        enum { CX = PLACES, RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0, RZ = DIMENSIONS > 2 ? RADIUS : 0 };        \
        MASS_EACH_(MASS_STRIP_, LIST)                                                                                 \
        uint32_t agent; /* in a strip of one place: its only agent */                                                 \
    };                                                                                                                \
    template <class Window> MASS_FN void MASS_JOIN(NAME, _body)(Window *const w);                                     \
    /* For bodies that are too long to be repeated for each place of a strip. */                                      \
    template <class Window> static __device__ __noinline__ void MASS_JOIN(NAME, _apart)(Window *const w)              \
    {                                                                                                                 \
        MASS_JOIN(NAME, _body)(w);                                                                                    \
    }                                                                                                                 \
    /* FLUSH: some attribute may have .flush. SEATS: the launch has an occupancy bitmap. */                           \
    template <int ROWS, bool TALLY, bool EDGE, bool FLUSH, bool SEATS = false, int CX = 0>                            \
    MASS_FN void MASS_JOIN(NAME, _rows)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                      \
                                        MASS_JOIN(NAME, _strip)<CX> &s, int64_t at, int x, int y, int z, int world)   \
    {                                                                                                                 \
        constexpr int RY = MASS_JOIN(NAME, _strip)<CX>::RY;                                                           \
        constexpr bool alone = SEATS || CX == 1;                                                                      \
        const int columns = l.extent[0] - x, rows = l.extent[1] - y;                                                  \
        (void)RY, (void)columns;                                                                                      \
        MASS_EACH_(MASS_FIRST_, LIST)                                                                                 \
        _Pragma("unroll") for (int r = 0; r < ROWS; r++) {                                                            \
            if (EDGE && r >= rows) break;                                                                             \
            MASS_EACH_(MASS_LOAD_, LIST)                                                                              \
            const mass_site first = {&l, l.origin[0] + x, l.origin[1] + y + r, l.origin[2] + z, world, 0};            \
            mass_row_met met;                                                                                         \
            if (OVER >= MASS_OVER_RESIDENTS && CX == 1) met.begin_alone(&first, s.agent);                             \
            else if (OVER >= MASS_OVER_RESIDENTS) met.begin(&first, EDGE && columns < CX ? columns : CX);             \
            constexpr bool others = (int)MASS_JOIN(NAME, _populations) > 1;                                           \
            if (OVER == MASS_OVER_OCCUPIED && !EDGE && !others && met.is_empty(&l, CX)) continue;                     \
            _Pragma("unroll") for (int c = 0; c < CX; c++) {                                                          \
                if (EDGE && c >= columns) break; /* bodies run for existing places only */                            \
                MASS_JOIN(NAME, _place)<alone> window;                                                                \
                window.reach_ = {{RADIUS, DIMENSIONS > 1 ? RADIUS : 0, DIMENSIONS > 2 ? RADIUS : 0}};                 \
                window.site = first;                                                                                  \
                window.site.x += c;                                                                                   \
                if (OVER >= MASS_OVER_RESIDENTS)                                                                      \
                    met.meet(&window, &l, c, &window.first_resident, &window.end_of_residents);                       \
                window.self_ = MASS_NOBODY;                                                                           \
                window.walked_.first = window.walked_.end = 0;                                                        \
                MASS_MEET_OTHERS_(NAME)                                                                               \
                MASS_EACH_(MASS_GET_, LIST)                                                                           \
                if constexpr (MASS_IS_NEARBY_(LIST)) MASS_JOIN(NAME, _apart)(&window);                                \
                else MASS_JOIN(NAME, _body)(&window);                                                                 \
                if constexpr (FLUSH) { MASS_FLUSH_FIELDS_(LIST, l.flush_floats, l.flush_doubles) }                    \
                MASS_EACH_(MASS_PUT_, LIST)                                                                           \
            }                                                                                                         \
            MASS_EACH_(MASS_STORE_, LIST)                                                                             \
            if (TALLY) { MASS_EACH_(MASS_SETTLE_, LIST) }                                                             \
        }                                                                                                             \
    }                                                                                                                 \
    /* If places hold one agent at most, finds the places with agents through the agents. */                          \
    template <bool TALLY>                                                                                             \
    MASS_FN void MASS_JOIN(NAME, _alone)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)                     \
    {                                                                                                                 \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                                      \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                                      \
        constexpr mass_where where = MASS_ANYWHERE;                                                                   \
        (void)where;                                                                                                  \
        const mass_agents &g = l.populations[0];                                                                      \
        const mass_lone_agents all = mass_find_lone_agents(l);                                                        \
        if (all.first >= all.step) return;                                                                            \
        for (int world = 0; world < l.worlds; world++) {                                                              \
            if (l.gates && l.gates[world]) continue;                                                                  \
            const uint32_t cell = (uint32_t)(world * g.places) + all.skipped;                                         \
            const uint32_t last = mass_first_agent(&l, (int64_t)cell + all.places);                                   \
            MASS_JOIN(NAME, _strip)<1> s;                                                                             \
            MASS_EACH_(MASS_EMPTY_, LIST)                                                                             \
            for (uint32_t i = mass_first_agent(&l, cell) + all.first; i < last; i += all.step) {                      \
                const uint32_t place = g.cell[i] - cell, row = place / (uint32_t)l.extent[0];                         \
                const int x = (int)(place - row * (uint32_t)l.extent[0]);                                             \
                const int z = DIMENSIONS == 2 ? 0 : (int)(row / (uint32_t)l.extent[1]);                               \
                const int y = (int)row - z * l.extent[1];                                                             \
                s.agent = i;                                                                                          \
                MASS_JOIN(NAME, _rows)<1, TALLY, true, true>(                                                         \
                    f, l, s, world * l.world_stride + z * l.plane + y * l.pitch + x, x, y, z, world);                 \
                if (TALLY) { MASS_EACH_(MASS_FOLD_, LIST) }                                                           \
            }                                                                                                         \
            if (TALLY) MASS_FLUSH_BLOCK_(NAME, LIST)                                                                  \
        }                                                                                                             \
    }                                                                                                                 \
    template <int ROWS, bool TALLY>                                                                                   \
    MASS_FN void MASS_JOIN(NAME, _strips)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)                    \
    {                                                                                                                 \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                                      \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                                      \
        constexpr mass_where where = MASS_ANYWHERE;                                                                   \
        (void)where;                                                                                                  \
        constexpr int CX = MASS_STRIP_PLACES(LIST);                                                                   \
        const int x = (blockIdx.x * blockDim.x + threadIdx.x) * CX;                                                   \
        const int last_first = blockIdx.y == 0 ? gridDim.y - 1 : blockIdx.y - 1; /* edges take longer */              \
        const int y = (last_first * blockDim.y + threadIdx.y) * ROWS;                                                 \
        const bool inside = x < l.extent[0] && y < l.extent[1], occupancy = l.populations[0].occupancy != nullptr;    \
        (void)occupancy;                                                                                              \
        mass_follow_predecessor();                                                                                    \
        if constexpr (OVER == MASS_OVER_OCCUPIED && !(0 MASS_EACH_(MASS_BITS_, LIST)) &&                              \
                      (int)MASS_JOIN(NAME, _populations) < 2)                                                         \
            if (occupancy) {                                                                                          \
                MASS_JOIN(NAME, _alone)<TALLY>(f, l);                                                                 \
                return;                                                                                               \
            }                                                                                                         \
        if (!TALLY && !inside) return;                                                                                \
        for (int sheet = blockIdx.z; sheet < l.extent[2] * l.worlds; sheet += gridDim.z) {                            \
            const int world = l.extent[2] == 1 ? sheet : sheet / l.extent[2];                                         \
            const int z = sheet - world * l.extent[2];                                                                \
            if (l.gates && l.gates[world]) continue;                                                                  \
            const int64_t at = world * l.world_stride + z * l.plane + y * l.pitch + x;                                \
            MASS_JOIN(NAME, _strip)<CX> s;                                                                            \
            MASS_EACH_(MASS_EMPTY_, LIST)                                                                             \
            if (mass_at_edge(l, x, y, z, CX, ROWS)) {                                                                 \
                _Pragma("unroll 1") for (int r = 0; inside && r < ROWS && y + r < l.extent[1]; r += 2)                \
                    MASS_JOIN(NAME, _rows)<2, TALLY, true, true>(f, l, s, at + r * l.pitch, x, y + r, z, world);      \
            } else {                                                                                                  \
                constexpr int AT_ONCE = OVER == MASS_OVER_RESIDENTS ? 2 : ROWS; /* rows in the code */                \
                constexpr bool flushes_agents = MASS_FLUSHABLE_AGENTS_(LIST) != 0;                                    \
                _Pragma("unroll 1") for (int r = 0; r < ROWS; r += AT_ONCE) {                                         \
                    const int64_t row = at + r * l.pitch;                                                             \
                    if (OVER == MASS_OVER_RESIDENTS && occupancy)                                                     \
                        MASS_JOIN(NAME, _rows)<AT_ONCE, TALLY, false, true, OVER == MASS_OVER_RESIDENTS>(             \
                            f, l, s, row, x, y + r, z, world);                                                        \
                    else                                                                                              \
                        MASS_JOIN(NAME, _rows)<AT_ONCE, TALLY, false, flushes_agents>(                                \
                            f, l, s, row, x, y + r, z, world);                                                        \
                }                                                                                                     \
                /* Launches without .flush execute no instruction for it in the loop. */                              \
                if (MASS_FLUSHABLE_(LIST) && !flushes_agents && (l.flush_floats | l.flush_doubles))                   \
                    MASS_FLUSH_EACH_(MASS_FLUSH_ROWS_, LIST, l.flush_floats, l.flush_doubles)                         \
                if (mass_wraps_x(l, x, CX) || mass_wraps_y(l, y, ROWS)) { MASS_EACH_(MASS_SIDE_, LIST) }              \
            }                                                                                                         \
            if (TALLY) MASS_FLUSH_BLOCK_(NAME, LIST)                                                                  \
        }                                                                                                             \
    }                                                                                                                 \
    /* The same for tallies of many accumulators: a thread keeps its contributions in a world over many strips. */    \
    template <bool TALLY, mass_where where>                                                                           \
    MASS_FN void MASS_JOIN(NAME, _strides)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)                   \
    {                                                                                                                 \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                                      \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                                      \
        constexpr int CX = MASS_STRIP_PLACES(LIST), ROWS = 1;                                                         \
        (void)ROWS;                                                                                                   \
        constexpr bool writes = (0 MASS_EACH_(MASS_WRITES_, LIST)) != 0;                                              \
        const int64_t strips = (l.extent[0] + CX - 1) / CX, total = strips * l.extent[1] * l.extent[2];               \
        mass_bins_begin(l, MASS_JOIN(NAME, _bin_fields));                                                             \
        mass_follow_predecessor();                                                                                    \
        for (int world = blockIdx.y; world < l.worlds; world += gridDim.y) {                                          \
            if (l.gates && l.gates[world]) continue;                                                                  \
            MASS_JOIN(NAME, _strip)<CX> s;                                                                            \
            MASS_EACH_(MASS_EMPTY_, LIST)                                                                             \
            for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total;                               \
                 i += (int64_t)gridDim.x * blockDim.x) {                                                              \
                const int row = strips == total ? 0 : (int)(i / strips);                                              \
                const int z = l.extent[2] == 1 ? 0 : row / l.extent[1], y = row - z * l.extent[1];                    \
                const int x = (int)(i - row * strips) * CX;                                                           \
                const int64_t at = world * l.world_stride + z * l.plane + y * l.pitch + x;                            \
                if (writes ? mass_at_edge(l, x, y, z, CX, 1) : x + CX > l.extent[0]) {                                \
                    MASS_JOIN(NAME, _rows)<1, TALLY, true, true>(f, l, s, at, x, y, z, world);                        \
                } else {                                                                                              \
                    MASS_JOIN(NAME, _rows)<1, TALLY, false, true>(f, l, s, at, x, y, z, world);                       \
                    if (writes && (mass_wraps_x(l, x, CX) || mass_wraps_y(l, y, 1))) { MASS_EACH_(MASS_SIDE_, LIST) } \
                }                                                                                                     \
                if (TALLY) { MASS_EACH_(MASS_FOLD_, LIST) }                                                           \
            }                                                                                                         \
            MASS_FLUSH_BLOCK_(NAME, LIST)                                                                             \
        }                                                                                                             \
    }                                                                                                                 \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _large), MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS))                 \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _small), MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS))                 \
    MASS_FUSED_(NAME, LIST, DIMENSIONS, RADIUS)                                                                       \
    MASS_TALLY_KERNELS_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                                         \
    MASS_WORLD_PLACES_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                                          \
    MASS_BODY_(NAME, _body)

/* The head of a body. */
#define MASS_BODY_(NAME, SUFFIX) template <class Window> MASS_FN void MASS_JOIN(NAME, SUFFIX)(Window *const mass_w)

#endif
