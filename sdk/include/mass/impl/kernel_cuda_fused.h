/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA forms that advance several steps in a launch. In 2-D a warp streams down the rows of a tile, 32 strips wide.
 * Every step is a level. A level keeps, in registers, the rows that a body reads. With each row that it gets, it
 * computes one for the level above. The last level stores its rows. Neighbours along x come from the neighbouring
 * lanes.
 *
 * In 3-D a block streams along z in the same way. Each warp has one row of each sheet, and reads those of the
 * neighbouring warps from the block's memory. Strips and rows at a tile's rim lack neighbours, so the neighbouring
 * tiles compute them too: as many as the steps reach. Included by kernel_cuda.h. */
#ifndef MASS_KERNEL_CUDA_FUSED_H
#define MASS_KERNEL_CUDA_FUSED_H

#include <mass/impl/kernel_cuda_tiles.h>

#define MASS_TILED_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    mass_tiled<MASS_VIEW_##VIEW, MASS_ELEMENT_(VIEW, ACCESS, T), ACCESS, CX, RX, RY, RZ, LEVELS_> n;
#define MASS_ASIDE_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_ASIDE_##VIEW(n, T))
#define MASS_ASIDE_AROUND_(n, T) ~, mass_aside<T, CX, RZ, LEVELS_> n;
#define MASS_ASIDE_OF_(VIEW, n) MASS_SECOND_(MASS_ASIDE_OF_##VIEW(n), 0)
#define MASS_ASIDE_OF_AROUND_(n) ~, a.n
#define MASS_TILED_LOOK_(CLASS, VIEW, ACCESS, n, ...) s.n.template look<TURN_, LEVEL_>(MASS_ASIDE_OF_(VIEW, n), at);
#define MASS_TILED_NUMBER_(CLASS, VIEW, ACCESS, n, ...) MASS_JOIN(n, _at),
#define MASS_TILED_FIELD_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, ...) {ACCESS, target},
#define MASS_TILED_START_(CLASS, VIEW, ACCESS, n, ...) s.n.start(f.n, l, at, t.world, MASS_SUM_NUMBER_(VIEW, n));
#define MASS_TILED_FETCH_(CLASS, VIEW, ACCESS, n, ...) s.n.fetch(f.n, l, at, EDGE ? t.x : t.source, !EDGE, has);
#define MASS_TILED_ENTER_(CLASS, VIEW, ACCESS, n, ...) s.n.template enter<TURN_>(MASS_ASIDE_OF_(VIEW, n), at);
#define MASS_TILED_REST_(CLASS, VIEW, ACCESS, n, ...) s.n.template rest<TURN_, LEVEL_>(MASS_ASIDE_OF_(VIEW, n), at);
#define MASS_TILED_SHOW_(CLASS, VIEW, ACCESS, n, ...) \
    s.n.template show<TURN_, LEVEL_>(window.n, f.n, l, at.j, c, counts);
#define MASS_TILED_KEEP_(CLASS, VIEW, ACCESS, n, ...) s.n.keep(window.n, made[MASS_JOIN(n, _at)], c, counts);
/* A field that the callback does not write keeps its values, one row further on. */
#define MASS_TILED_PASS_(CLASS, VIEW, ACCESS, n, ...)                                                       \
    if constexpr (constexpr int pair = mass_fused_pair(fields, fields_count, MASS_JOIN(n, _at)); pair >= 0) \
        s.n.template pass<TURN_, LEVEL_>(MASS_ASIDE_OF_(VIEW, n), made[pair], has, at);                     \
    else s.n.template rest<TURN_, LEVEL_>(MASS_ASIDE_OF_(VIEW, n), at);
#define MASS_TILED_PLACE_(CLASS, VIEW, ACCESS, n, ...) \
    s.n.template place<EDGE>(f.n, element, made[MASS_JOIN(n, _at)], has);

#define MASS_FUSED_(NAME, LIST, DIMENSIONS, RADIUS)                                                                   \
    template <class = void> struct MASS_JOIN(NAME, _flow) {                                                           \
        enum { CX = MASS_FUSED_PLACES, RX = RADIUS, RY = RADIUS, RZ = DIMENSIONS > 2 ? RADIUS : 0,                    \
               LEVELS_ = MASS_FUSED_STEPS(LIST, MASS_OVER_PLACES, DIMENSIONS, RADIUS), RIM = LEVELS_ * RADIUS };      \
        uint32_t columns[LEVELS_ > 0 ? LEVELS_ + 1 : 1]; /* at an edge: the columns that exist, after each number of  \
                                                            steps */                                                  \
        MASS_EACH_(MASS_TILED_, LIST)                                                                                 \
        struct aside { MASS_EACH_(MASS_ASIDE_, LIST) };                                                               \
    };                                                                                                                \
    /* Computes a level, and those above it, after row `at` of the lowest level has come. */                          \
    template <bool TALLY, bool EDGE, int TURN_, int LEVEL_>                                                           \
    MASS_FN void MASS_JOIN(NAME, _level)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                     \
                                         const mass_launch *steps, MASS_JOIN(NAME, _flow)<> &s,                       \
                                         typename MASS_JOIN(NAME, _flow)<>::aside &a, const mass_tile &t,             \
                                         const mass_row at)                                                           \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int CX = flow::CX, LEVELS_ = flow::LEVELS_;                                                         \
        enum { MASS_EACH_(MASS_TILED_NUMBER_, LIST) fields_count };                                                   \
        constexpr mass_fused_field fields[] = {MASS_EACH_(MASS_TILED_FIELD_, LIST)};                                  \
        (void)fields;                                                                                                 \
        const int row = at.i - (LEVELS_ + LEVEL_) * RADIUS;                                                           \
        const int y = DIMENSIONS > 2 ? t.y : t.y + row, z = DIMENSIONS > 2 ? t.z + row : t.z;                         \
        constexpr bool counts = TALLY; /* lanes that store nothing leave out their contributions at the end */        \
        if (DIMENSIONS > 2) __syncthreads();                                                                          \
        if (at.i < 2 * LEVEL_ * RADIUS) return;                                                                       \
        if (LEVEL_ < LEVELS_ && LEVEL_ <= t.idle) {                                                                   \
            MASS_EACH_(MASS_TILED_REST_, LIST)                                                                        \
        } else {                                                                                                      \
            uint64_t made[fields_count][CX];                                                                          \
            const int beyond = (LEVELS_ - LEVEL_) * RADIUS;                                                           \
            const bool row_is = mass_tile_has(l, 1, y, beyond) &&                                                     \
                                (DIMENSIONS < 3 || mass_tile_has(l, 2, z, beyond));                                   \
            const uint32_t has = !EDGE ? ~0u : row_is ? s.columns[LEVEL_] : 0;                                        \
            MASS_EACH_(MASS_TILED_LOOK_, LIST)                                                                        \
            _Pragma("unroll") for (int c = 0; c < CX; c++) {                                                          \
                if (EDGE && !(has >> c & 1)) {                                                                        \
                    _Pragma("unroll") for (int k = 0; k < fields_count; k++) made[k][c] = 0;                          \
                    continue; /* bodies run for existing places only */                                               \
                }                                                                                                     \
                MASS_JOIN(NAME, _window) window;                                                                      \
                window.reach_ = {{RADIUS, RADIUS, DIMENSIONS > 2 ? RADIUS : 0}};                                      \
                window.site.launch = &steps[LEVEL_ - 1];                                                              \
                window.site.x = EDGE ? mass_tile_wrap(l, 0, t.x + c) : mass_tile_wrap(l, 0, t.x) + c;                 \
                window.site.y = mass_tile_wrap(l, 1, y);                                                              \
                window.site.z = mass_tile_wrap(l, 2, z);                                                              \
                window.site.world = t.world;                                                                          \
                window.site.id = 0;                                                                                   \
                MASS_EACH_(MASS_TILED_SHOW_, LIST)                                                                    \
                MASS_JOIN(NAME, _body)(&window);                                                                      \
                MASS_EACH_(MASS_TILED_KEEP_, LIST)                                                                    \
            }                                                                                                         \
            if constexpr (LEVEL_ < LEVELS_) { MASS_EACH_(MASS_TILED_PASS_, LIST) }                                    \
            else if (t.stores) {                                                                                      \
                const int64_t element = t.world * l.world_stride + z * l.plane + y * l.pitch + t.x;                   \
                MASS_EACH_(MASS_TILED_PLACE_, LIST)                                                                   \
            }                                                                                                         \
        }                                                                                                             \
        if constexpr (LEVEL_ + 1 == LEVELS_ && MASS_HAS_TALLIES(LIST)) {                                              \
            if (l.gathers) MASS_JOIN(NAME, _level)<true, EDGE, TURN_, LEVEL_ + 1>(f, l, steps, s, a, t, at);          \
            else MASS_JOIN(NAME, _level)<false, EDGE, TURN_, LEVEL_ + 1>(f, l, steps, s, a, t, at);                   \
        } else if constexpr (LEVEL_ < LEVELS_)                                                                        \
            MASS_JOIN(NAME, _level)<false, EDGE, TURN_, LEVEL_ + 1>(f, l, steps, s, a, t, at);                        \
    }                                                                                                                 \
    template <bool EDGE>                                                                                              \
    MASS_FN void MASS_JOIN(NAME, _fetch)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                     \
                                         MASS_JOIN(NAME, _flow)<> &s, const mass_tile &t, int i)                      \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        const int row = i - flow::RIM, beyond = (flow::LEVELS_ - t.idle) * RADIUS;                                    \
        int y = DIMENSIONS > 2 ? t.y : t.y + row, z = DIMENSIONS > 2 ? t.z + row : t.z;                               \
        const bool row_is = mass_tile_has(l, 1, y, beyond) && (DIMENSIONS < 3 || mass_tile_has(l, 2, z, beyond));     \
        const uint32_t has = EDGE && row_is ? mass_tile_columns<flow::LEVELS_>(s.columns, t.idle) : 0;                \
        if (!EDGE) y = mass_tile_clamp(l, 1, y, beyond);                                                              \
        if (!EDGE && DIMENSIONS > 2) z = mass_tile_clamp(l, 2, z, beyond);                                            \
        y = mass_tile_source(l, 1, y);                                                                                \
        if (DIMENSIONS > 2) z = mass_tile_source(l, 2, z);                                                            \
        const int64_t at = t.world * l.world_stride + z * l.plane + y * l.pitch;                                      \
        MASS_EACH_(MASS_TILED_FETCH_, LIST)                                                                           \
    }                                                                                                                 \
    template <bool EDGE>                                                                                              \
    MASS_FN void MASS_JOIN(NAME, _stream)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                    \
                                          const mass_launch *steps, MASS_JOIN(NAME, _flow)<> &s,                      \
                                          typename MASS_JOIN(NAME, _flow)<>::aside &a, const mass_tile &t)            \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int TURN_ = EDGE ? 1 : 2 * RADIUS + 1;                                                              \
        const int rows = t.rows + 2 * flow::RIM;                                                                      \
        if (EDGE)                                                                                                     \
            _Pragma("unroll") for (int k = 0; k <= flow::LEVELS_; k++) {                                              \
                s.columns[k] = 0;                                                                                     \
                _Pragma("unroll") for (int c = 0; c < flow::CX; c++)                                                  \
                    s.columns[k] |= (uint32_t)mass_tile_has(l, 0, t.x + c, (flow::LEVELS_ - k) * RADIUS) << c;        \
            }                                                                                                         \
        MASS_JOIN(NAME, _fetch)<EDGE>(f, l, s, t, 0);                                                                 \
        _Pragma("unroll 1") for (int first = 0; first < rows; first += TURN_)                                         \
            _Pragma("unroll") for (int j = 0; j < TURN_; j++) {                                                       \
                const mass_row at = {first + j, j};                                                                   \
                if (at.i >= rows) break;                                                                              \
                MASS_EACH_(MASS_TILED_ENTER_, LIST)                                                                   \
                if (at.i + 1 < rows) MASS_JOIN(NAME, _fetch)<EDGE>(f, l, s, t, at.i + 1);                             \
                MASS_JOIN(NAME, _level)<false, EDGE, TURN_, 1>(f, l, steps, s, a, t, at);                             \
            }                                                                                                         \
    }                                                                                                                 \
    template <class = void>                                                                                           \
    MASS_FN void MASS_JOIN(NAME, _tiles)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)                     \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int CX = flow::CX, LEVELS_ = flow::LEVELS_, RIM = flow::RIM, SIDE = (RIM + CX - 1) / CX;            \
        __shared__ typename flow::aside a;                                                                            \
        const int first = ((int)blockIdx.x * (32 - 2 * SIDE) - SIDE) * CX, lane = threadIdx.x;                        \
        const int beyond = l.steps * RADIUS;                                                                          \
        mass_tile t;                                                                                                  \
        t.x = first + lane * CX;                                                                                      \
        t.stores = lane >= SIDE && lane < 32 - SIDE && t.x < l.extent[0];                                             \
        t.idle = LEVELS_ - (int)l.steps;                                                                              \
        mass_follow_predecessor();                                                                                    \
        mass_launch steps[LEVELS_];                                                                                   \
        _Pragma("unroll") for (int k = 0; k < LEVELS_; k++) {                                                         \
            steps[k] = l;                                                                                             \
            steps[k].step = mass_launch_step(&l) + (k > t.idle ? k - t.idle : 0);                                     \
            steps[k].clock = nullptr;                                                                                 \
        }                                                                                                             \
        const mass_tiling g = mass_tile_grid<DIMENSIONS>(l, RIM);                                                     \
        t.y = g.first_y + (DIMENSIONS > 2 ? (int)threadIdx.y - RIM : 0);                                              \
        t.stores &= DIMENSIONS < 3 || (t.y >= g.first_y && t.y < g.last_y);                                           \
        for (int sheet = blockIdx.z; sheet < g.sheets; sheet += gridDim.z) {                                          \
            t.world = sheet / g.sheets_a_world;                                                                       \
            t.z = (sheet - t.world * g.sheets_a_world) * g.sheet;                                                     \
            t.rows = DIMENSIONS < 3                 ? g.last_y - g.first_y                                            \
                     : l.extent[2] - t.z < g.sheet ? l.extent[2] - t.z                                                \
                                                   : g.sheet;                                                         \
            if (t.rows <= 0 || (l.gates && l.gates[t.world])) continue;                                               \
            const int64_t at = 0;                                                                                     \
            flow s;                                                                                                   \
            enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                                  \
            MASS_EACH_(MASS_TILED_START_, LIST)                                                                       \
            const bool whole = l.extent[0] % CX == 0 && l.size[0] % CX == 0 && l.origin[0] % CX == 0;                 \
            if (whole && mass_tile_is_inside(l, 0, first, first + 32 * CX, RIM) &&                                    \
                mass_tile_is_inside(l, 1, g.first_y - RIM, g.covered_y + RIM, RIM) &&                                 \
                (DIMENSIONS < 3 || mass_tile_is_inside(l, 2, t.z - RIM, t.z + t.rows + RIM, RIM))) {                  \
                mass_tile in = t; /* values that it lacks at its end are not needed */                                \
                if (in.x >= l.extent[0] + beyond) in.x = (l.extent[0] + beyond - 1) / CX * CX;                        \
                in.source = mass_tile_source(l, 0, in.x);                                                             \
                MASS_JOIN(NAME, _stream)<false>(f, l, steps, s, a, in);                                               \
            } else MASS_JOIN(NAME, _stream)<true>(f, l, steps, s, a, t);                                              \
            if (l.gathers) { MASS_EACH_(MASS_FLUSH_WARP_, LIST) }                                                     \
            if (DIMENSIONS > 2) __syncthreads();                                                                      \
        }                                                                                                             \
    }

#endif
