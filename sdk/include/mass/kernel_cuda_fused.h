/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA forms that advance several steps a launch. A warp streams down the rows of a tile, 32 strips wide. Every step is
 * a level: it keeps, in registers, the rows that a body looks at, and each row that it gets lets it make one for the
 * level above; the last level's are stored. Neighbours along x come from the lanes beside. Strips and rows at a tile's
 * rim are made by its neighbours too, since what they look at is not there: as many as the steps reach. Included by
 * kernel_cuda.h. */
#ifndef MASS_KERNEL_CUDA_FUSED_H
#define MASS_KERNEL_CUDA_FUSED_H

#include <mass/kernel_cuda_fields.h>
#include <mass/launch.h>

/* Where a warp works: the strip of its lane, the tile's first row and those to be stored, and by how many steps the
 * launch falls short of the levels, of which the first then pass on what they get. */
struct mass_tile {
    int x, y, rows, z, world, idle;
    bool stores; /* this lane */
};

/* Whether a place of the launch's surroundings exists, and holds what it should `steps` steps before the last. */
MASS_FN bool mass_tile_has(const mass_launch &l, int axis, int at, int beyond)
{
    const mass_gidx global = l.origin[axis] + at;
    return at >= -beyond && at < l.extent[axis] + beyond &&
           ((l.torus >> axis & 1) || (global >= 0 && global < l.size[axis]));
}
/* ... of a whole tile, where nothing wraps either. */
MASS_FN bool mass_tile_is_inside(const mass_launch &l, int axis, int first, int last, int beyond)
{
    return first >= -beyond && last <= l.extent[axis] + beyond && l.origin[axis] + first >= 0 &&
           l.origin[axis] + last <= l.size[axis];
}
MASS_FN mass_gidx mass_tile_wrap(const mass_launch &l, int axis, int at)
{
    const mass_gidx global = (l.origin[axis] + at) % l.size[axis];
    return global < 0 ? global + l.size[axis] : global;
}

/* A field of the list, and which field, if any, holds the values that this WRITE field's become. */
struct mass_fused_field {
    uint32_t access;
    const char *target;
};
__host__ __device__ constexpr int mass_fused_pair(const mass_fused_field *fields, int count, int read)
{
    for (int i = 0; i < count; i++) {
        if (fields[i].access != MASS_WRITE) continue;
        const char *a = fields[i].target, *b = fields[read].target;
        while (*a && *a == *b) a++, b++;
        if (*a == *b) return i;
    }
    return -1;
}

/* Slot of the row that lies `a` rows below the topmost of a level's: levels turn, by TURN rows a turn of the loop, or
 * move their rows up (1). */
MASS_FN constexpr int mass_slot(int turn, int j, int a) { return turn == 1 ? a : (j + 1 + a) % turn; }

/* What a lane keeps of a field, as mass_held does:
 *     begin   begins with a tile           fetch   loads a row of the lowest level
 *     enter   the row becomes its newest   rest    a level passes on its middle row
 *     get     shows a place to the body    put     takes over what it left, in `made`
 *     pass    a row that was made is the newest of the level above
 *     store   ... or is the result         flush   adds what was gathered to the tally */
template <mass_view VIEW, class T, int ACCESS, int CX, int RX, int RY, int LEVELS>
struct mass_flow : mass_held<VIEW, T, ACCESS, CX, RX, RY, 0> {
    template <class... A> MASS_FN_MEMBER void fetch(A &&...) {}
    template <int TURN, class... A> MASS_FN_MEMBER void enter(A &&...) {}
    template <int TURN, int LEVEL, class... A> MASS_FN_MEMBER void rest(A &&...) {}
    template <int TURN, int LEVEL, class N, class P>
    MASS_FN_MEMBER void show(N &n, P *p, const mass_launch &l, int, int c, bool counts)
    {
        this->get(n, p, l, 0, 0, c, 0, counts);
    }
    template <class N> MASS_FN_MEMBER void keep(const N &n, uint64_t *, int c, bool counts) { this->put(n, c, counts); }
    template <int TURN, int LEVEL, class... A> MASS_FN_MEMBER void pass(A &&...) {}
    template <bool EDGE, class... A> MASS_FN_MEMBER void place(A &&...) {}
    template <class P> MASS_FN_MEMBER void start(P *p, const mass_launch &l, int64_t at, int world)
    {
        this->begin(p, l, world, true, MASS_ANYWHERE, 0);
        this->first(p, l, at, world);
        this->load(p, l, at, 0);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int LEVELS>
struct mass_flow<MASS_VIEW_AROUND_, T, ACCESS, CX, RX, RY, LEVELS> : mass_held_nothing {
    typedef typename mass_rows<T, CX, RX, RY, 0>::near window;
    T v[LEVELS][2 * RY + 1][CX + 2 * RX], coming[CX], none;
    const T *beyond;
    MASS_FN_MEMBER void start(const T *p, const mass_launch &l, int64_t, int)
    {
        beyond = p + mass_default_element(&l);
        none = *beyond;
    }
    /* `has` tells of the places which are there. */
    MASS_FN_MEMBER void fetch(const T *p, int64_t at, bool whole, uint32_t has)
    {
        if (whole) mass_load_constant<CX>(coming, p + at);
        else
#pragma unroll
            for (int c = 0; c < CX; c++) coming[c] = has >> c & 1 ? p[at + c] : none;
    }
    template <int TURN, int LEVEL> MASS_FN_MEMBER T *newest(int j)
    {
        if (TURN == 1)
#pragma unroll
            for (int a = 0; a < 2 * RY; a++)
#pragma unroll
                for (int c = 0; c < CX + 2 * RX; c++) v[LEVEL][a][c] = v[LEVEL][a + 1][c];
        return v[LEVEL][mass_slot(TURN, j, 2 * RY)];
    }
    /* What the lanes beside have next to this strip. */
    static MASS_FN_MEMBER void look_aside(T *row)
    {
#pragma unroll
        for (int c = 0; c < RX; c++) {
            row[c] = (T)__shfl_up_sync(~0u, row[CX + c], 1);
            row[RX + CX + c] = (T)__shfl_down_sync(~0u, row[RX + c], 1);
        }
    }
    template <int TURN> MASS_FN_MEMBER void enter(int j)
    {
        T *const row = newest<TURN, 0>(j);
#pragma unroll
        for (int c = 0; c < CX; c++) row[RX + c] = coming[c];
        look_aside(row);
    }
    template <int TURN, int LEVEL> MASS_FN_MEMBER void rest(int j)
    {
        if constexpr (LEVEL < LEVELS) {
            T *const row = newest<TURN, LEVEL>(j);
#pragma unroll
            for (int c = 0; c < CX + 2 * RX; c++) row[c] = v[LEVEL - 1][mass_slot(TURN, j, RY)][c];
        }
    }
    template <int TURN, int LEVEL>
    MASS_FN_MEMBER void show(window &n, const T *, const mass_launch &, int j, int c, bool) const
    {
        n.none = beyond;
#pragma unroll
        for (int b = 0; b < 2 * RY + 1; b++)
#pragma unroll
            for (int d = 0; d < 2 * RX + 1; d++) n.v[0][b][d] = v[LEVEL - 1][mass_slot(TURN, j, b)][c + d];
    }
    MASS_FN_MEMBER void keep(const window &, uint64_t *, int, bool) {}
    template <int TURN, int LEVEL> MASS_FN_MEMBER void pass(const uint64_t *made, uint32_t has, int j)
    {
        T *const row = newest<TURN, LEVEL>(j);
#pragma unroll
        for (int c = 0; c < CX; c++) {
            T value;
            memcpy(&value, &made[c], sizeof value);
            row[RX + c] = has >> c & 1 ? value : none;
        }
        look_aside(row);
    }
    template <bool EDGE, class... A> MASS_FN_MEMBER void place(A &&...) {}
};

template <class T, int ACCESS, int CX, int RX, int RY, int LEVELS>
struct mass_flow<MASS_VIEW_VALUE_, T, ACCESS, CX, RX, RY, LEVELS>
    : mass_flow<MASS_VIEW_POINT_, T, ACCESS, CX, RX, RY, LEVELS> {
    typedef T window;
    template <int TURN, int LEVEL> MASS_FN_MEMBER void show(window &, T *, const mass_launch &, int, int, bool) {}
    MASS_FN_MEMBER void keep(const window &n, uint64_t *made, int c, bool)
    {
        made[c] = 0;
        memcpy(&made[c], &n, sizeof n);
    }
    template <bool EDGE> MASS_FN_MEMBER void place(T *p, int64_t at, const uint64_t *made, uint32_t has)
    {
        T row[CX];
#pragma unroll
        for (int c = 0; c < CX; c++) memcpy(&row[c], &made[c], sizeof(T));
        if constexpr (!EDGE) mass_store<CX>(p + at, row);
        else
#pragma unroll
            for (int c = 0; c < CX; c++)
                if (has >> c & 1) p[at + c] = row[c];
    }
};

#define MASS_FLOW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    mass_flow<MASS_VIEW_##VIEW, MASS_ELEMENT_(VIEW, ACCESS, T), ACCESS, CX, RX, RY, LEVELS> n;
#define MASS_FLOW_NUMBER_(CLASS, VIEW, ACCESS, n, ...) MASS_JOIN(n, _at),
#define MASS_FLOW_FIELD_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target) {ACCESS, target},
#define MASS_FLOW_START_(CLASS, VIEW, ACCESS, n, ...) s.n.start(f.n, l, at, t.world);
#define MASS_FLOW_FETCH_(CLASS, VIEW, ACCESS, n, ...) s.n.fetch(f.n, at, !EDGE, has);
#define MASS_FLOW_ENTER_(CLASS, VIEW, ACCESS, n, ...) s.n.template enter<TURN>(j);
#define MASS_FLOW_REST_(CLASS, VIEW, ACCESS, n, ...) s.n.template rest<TURN, LEVEL>(j);
#define MASS_FLOW_SHOW_(CLASS, VIEW, ACCESS, n, ...) s.n.template show<TURN, LEVEL>(window.n, f.n, l, j, c, counts);
#define MASS_FLOW_KEEP_(CLASS, VIEW, ACCESS, n, ...) s.n.keep(window.n, made[MASS_JOIN(n, _at)], c, counts);
/* A field that nobody writes stays as it is, one row further on. */
#define MASS_FLOW_PASS_(CLASS, VIEW, ACCESS, n, ...)                                                  \
    if constexpr (constexpr int pair = mass_fused_pair(fields, fields_count, MASS_JOIN(n, _at)); pair >= 0) \
        s.n.template pass<TURN, LEVEL>(made[pair], has, j);                                           \
    else s.n.template rest<TURN, LEVEL>(j);
#define MASS_FLOW_PLACE_(CLASS, VIEW, ACCESS, n, ...) \
    s.n.template place<EDGE>(f.n, at, made[MASS_JOIN(n, _at)], has);

#define MASS_FUSED_(NAME, LIST, DIMENSIONS, RADIUS)                                                                   \
    template <class = void> struct MASS_JOIN(NAME, _flow) {                                                           \
        enum { CX = MASS_STRIP_PLACES(LIST), RX = RADIUS, RY = RADIUS,                                                \
               LEVELS = MASS_FUSED_STEPS(LIST, MASS_OVER_PLACES, DIMENSIONS, RADIUS) };                               \
        MASS_EACH_(MASS_FLOW_, LIST)                                                                                  \
    };                                                                                                                \
    /* Row i of the tile's lowest level has come: a level, and those above it, go on. */                              \
    template <bool TALLY, bool EDGE, int TURN, int LEVEL>                                                             \
    MASS_FN void MASS_JOIN(NAME, _level)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                     \
                                         const mass_launch *steps, MASS_JOIN(NAME, _flow)<> &s, const mass_tile &t,   \
                                         int i, int j)                                                                \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int CX = flow::CX, RY = flow::RY, LEVELS = flow::LEVELS;                                            \
        enum { MASS_EACH_(MASS_FLOW_NUMBER_, LIST) fields_count };                                                    \
        constexpr mass_fused_field fields[] = {MASS_EACH_(MASS_FLOW_FIELD_, LIST)};                                   \
        (void)fields;                                                                                                 \
        const int y = t.y + i - (LEVELS + LEVEL) * RY;                                                                \
        const bool counts = TALLY && t.stores;                                                                        \
        if (i < 2 * LEVEL * RY) return;                                                                               \
        if (LEVEL < LEVELS && LEVEL <= t.idle) {                                                                      \
            MASS_EACH_(MASS_FLOW_REST_, LIST)                                                                         \
        } else {                                                                                                      \
            uint64_t made[fields_count][CX];                                                                          \
            uint32_t has = EDGE ? 0 : ~0u;                                                                            \
            const int beyond = (LEVELS - LEVEL) * RADIUS;                                                             \
            const bool row_is = !EDGE || mass_tile_has(l, 1, y, beyond);                                              \
            _Pragma("unroll") for (int c = 0; c < CX; c++) {                                                          \
                if (EDGE && !(row_is && mass_tile_has(l, 0, t.x + c, beyond))) {                                      \
                    _Pragma("unroll") for (int k = 0; k < fields_count; k++) made[k][c] = 0;                          \
                    continue; /* bodies run for places alone */                                                       \
                }                                                                                                     \
                if (EDGE) has |= 1u << c;                                                                             \
                MASS_JOIN(NAME, _window) window;                                                                      \
                window.reach_ = {{RADIUS, RADIUS, 0}};                                                                \
                window.site.launch = &steps[LEVEL - 1];                                                               \
                window.site.x = EDGE ? mass_tile_wrap(l, 0, t.x + c) : l.origin[0] + t.x + c;                         \
                window.site.y = EDGE ? mass_tile_wrap(l, 1, y) : l.origin[1] + y;                                     \
                window.site.z = l.origin[2] + t.z;                                                                    \
                window.site.world = t.world;                                                                          \
                window.site.id = 0;                                                                                   \
                MASS_EACH_(MASS_FLOW_SHOW_, LIST)                                                                     \
                MASS_JOIN(NAME, _body)(&window);                                                                      \
                MASS_EACH_(MASS_FLOW_KEEP_, LIST)                                                                     \
            }                                                                                                         \
            if constexpr (LEVEL < LEVELS) { MASS_EACH_(MASS_FLOW_PASS_, LIST) }                                       \
            else if (t.stores) {                                                                                      \
                const int64_t at = t.world * l.world_stride + t.z * l.plane + y * l.pitch + t.x;                      \
                MASS_EACH_(MASS_FLOW_PLACE_, LIST)                                                                    \
            }                                                                                                         \
            if (TALLY) { MASS_EACH_(MASS_FOLD_, LIST) }                                            \
        }                                                                                                             \
        if constexpr (LEVEL + 1 == LEVELS && MASS_HAS_TALLIES(LIST)) {                                                \
            if (l.gathers) MASS_JOIN(NAME, _level)<true, EDGE, TURN, LEVEL + 1>(f, l, steps, s, t, i, j);             \
            else MASS_JOIN(NAME, _level)<false, EDGE, TURN, LEVEL + 1>(f, l, steps, s, t, i, j);                      \
        } else if constexpr (LEVEL < LEVELS)                                                                          \
            MASS_JOIN(NAME, _level)<false, EDGE, TURN, LEVEL + 1>(f, l, steps, s, t, i, j);                           \
    }                                                                                                                 \
    template <bool EDGE>                                                                                  \
    MASS_FN void MASS_JOIN(NAME, _fetch)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                     \
                                         MASS_JOIN(NAME, _flow)<> &s, const mass_tile &t, int i)                      \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        const int y = t.y + i - flow::LEVELS * flow::RY, beyond = (flow::LEVELS - t.idle) * RADIUS;                   \
        const int64_t at = t.world * l.world_stride + t.z * l.plane + y * l.pitch + t.x;                              \
        uint32_t has = 0;                                                                                             \
        if (EDGE && mass_tile_has(l, 1, y, beyond))                                                                   \
            _Pragma("unroll") for (int c = 0; c < flow::CX; c++)                                                      \
                has |= (uint32_t)mass_tile_has(l, 0, t.x + c, beyond) << c;                                           \
        MASS_EACH_(MASS_FLOW_FETCH_, LIST)                                                                            \
    }                                                                                                                 \
    template <bool EDGE>                                                                                  \
    MASS_FN void MASS_JOIN(NAME, _stream)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,                    \
                                          const mass_launch *steps, MASS_JOIN(NAME, _flow)<> &s, const mass_tile &t)  \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int TURN = EDGE ? 1 : 2 * flow::RY + 1;                                                             \
        const int rows = t.rows + 2 * flow::LEVELS * flow::RY;                                                        \
        MASS_JOIN(NAME, _fetch)<EDGE>(f, l, s, t, 0);                                                          \
        _Pragma("unroll 1") for (int first = 0; first < rows; first += TURN)                                          \
            _Pragma("unroll") for (int j = 0; j < TURN; j++) {                                                        \
                const int i = first + j;                                                                              \
                if (i >= rows) break;                                                                                 \
                MASS_EACH_(MASS_FLOW_ENTER_, LIST)                                                                    \
                if (i + 1 < rows) MASS_JOIN(NAME, _fetch)<EDGE>(f, l, s, t, i + 1);                            \
                MASS_JOIN(NAME, _level)<false, EDGE, TURN, 1>(f, l, steps, s, t, i, j);                               \
            }                                                                                                         \
    }                                                                                                                 \
    template <class = void> MASS_FN void MASS_JOIN(NAME, _tiles)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l) \
    {                                                                                                                 \
        typedef MASS_JOIN(NAME, _flow)<> flow;                                                                        \
        constexpr int CX = flow::CX, LEVELS = flow::LEVELS, RIM = (LEVELS * RADIUS + CX - 1) / CX;                    \
        const int tiles = gridDim.y * blockDim.y, rows = (l.extent[1] + tiles - 1) / tiles;                           \
        const int lane = threadIdx.x, left = ((int)blockIdx.x * (32 - 2 * RIM) - RIM) * CX;                           \
        mass_tile t;                                                                                                  \
        t.idle = LEVELS - (int)l.steps;                                                                               \
        t.y = ((int)blockIdx.y * (int)blockDim.y + (int)threadIdx.y) * rows;                                          \
        t.rows = l.extent[1] - t.y < rows ? l.extent[1] - t.y : rows;                                                 \
        t.x = left + lane * CX;                                                                                       \
        t.stores = lane >= RIM && lane < 32 - RIM && t.x < l.extent[0];                                               \
        mass_follow_predecessor();                                                                                    \
        if (t.rows <= 0) return;                                                                                      \
        mass_launch steps[LEVELS];                                                                                    \
        _Pragma("unroll") for (int k = 0; k < LEVELS; k++) {                                                          \
            steps[k] = l;                                                                                             \
            steps[k].step = mass_launch_step(&l) + (k > t.idle ? k - t.idle : 0);                                     \
            steps[k].clock = nullptr;                                                                                 \
        }                                                                                                             \
        for (int sheet = blockIdx.z; sheet < l.extent[2] * l.worlds; sheet += gridDim.z) {                            \
            t.world = l.extent[2] == 1 ? sheet : sheet / l.extent[2];                                                 \
            t.z = sheet - t.world * l.extent[2];                                                                      \
            if (l.gates && l.gates[t.world]) continue;                                                                \
            const int64_t at = 0;                                                                                     \
            flow s;                                                                                                   \
            MASS_EACH_(MASS_FLOW_START_, LIST)                                                                        \
            const int beyond = (int)l.steps * RADIUS, rim = LEVELS * RADIUS;                                          \
            if (mass_tile_is_inside(l, 0, left, left + 32 * CX, beyond) &&                                            \
                mass_tile_is_inside(l, 1, t.y - rim, t.y + t.rows + rim, beyond))                                     \
                MASS_JOIN(NAME, _stream)<false>(f, l, steps, s, t);                                            \
            else MASS_JOIN(NAME, _stream)<true>(f, l, steps, s, t);                                            \
            if (l.gathers) { MASS_EACH_(MASS_FLUSH_WARP_, LIST) }                                                     \
        }                                                                                                             \
    }

#endif
