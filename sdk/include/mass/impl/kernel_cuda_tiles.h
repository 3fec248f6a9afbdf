/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of the forms that advance several steps (kernel_cuda_fused.h), and the data of a field in a thread of a tile,
 * by the field's view. */
#ifndef MASS_KERNEL_CUDA_TILES_H
#define MASS_KERNEL_CUDA_TILES_H

#include <mass/callback.h>
#include <mass/impl/kernel_cuda_fields.h>
#include <mass/impl/launch.h>

enum { MASS_SHEET_ROWS = MASS_TILE_WARPS(3) };
#define MASS_TILE_THREADS(DIMENSIONS) (32 * MASS_TILE_WARPS(DIMENSIONS))
#define MASS_TILE_BLOCKS(DIMENSIONS) ((DIMENSIONS) > 2 ? 2 : 4) /* blocks of a multiprocessor that have enough
                                                                   registers */

/* A thread's work: its strip in the tile's first row, or sheet, and the number of these to be stored. If the launch has
 * fewer steps than levels, `idle` is the number of levels without a step. These are the first ones; they pass on the
 * rows that they get. */
struct mass_tile {
    int x, y, z, rows, world, idle;
    int source; /* coordinate at which the strip is read, if all of it is inside */
    bool stores; /* this thread stores its results */
};

/* Is true if a coordinate is in the space, and at most `beyond` places outside the launch's own. */
MASS_FN bool mass_tile_has(const mass_launch &l, int axis, int at, int beyond)
{
    const mass_gidx global = l.origin[axis] + at;
    return at >= -beyond && at < l.extent[axis] + beyond &&
           ((l.torus >> axis & 1) || (global >= 0 && global < l.size[axis]));
}
/* Is true if every place that a tile reads exists, or is not needed; on an axis that wraps all places exist. */
MASS_FN bool mass_tile_is_inside(const mass_launch &l, int axis, int first, int last, int rim)
{
    return l.torus >> axis & 1 ? l.size[axis] >= rim
                               : l.origin[axis] + first >= 0 && l.origin[axis] + last <= l.size[axis];
}
MASS_FN int mass_tile_clamp(const mass_launch &l, int axis, int at, int beyond)
{
    const int least = -beyond, most = l.extent[axis] + beyond - 1;
    return at < least ? least : at > most ? most : at;
}
MASS_FN mass_gidx mass_tile_wrap(const mass_launch &l, int axis, int at)
{
    mass_gidx global = l.origin[axis] + at;
    while (global < 0) global += l.size[axis];
    while (global >= l.size[axis]) global -= l.size[axis];
    return global;
}

/* Returns the coordinate at which a tile reads. If the launch has all places of an axis that wraps, coordinates beyond
 * them wrap. Others do not change. */
MASS_FN int mass_tile_source(const mass_launch &l, int axis, int at)
{
    if (!(l.torus >> axis & 1) || l.origin[axis] != 0 || l.extent[axis] != l.size[axis]) return at;
    if ((uint32_t)at < (uint32_t)l.extent[axis]) return at;
    at %= l.extent[axis];
    return at < 0 ? at + l.extent[axis] : at;
}

/* The division of a partition among blocks: rows of a block's tile, or of a warp's in 2-D, and sheets of a tile along
 * z. */
struct mass_tiling {
    int first_y, last_y, covered_y, sheet, sheets_a_world, sheets;
};
/* Returns the division, and the rows of the calling block, or warp in 2-D. rim: rows at each edge of a block's tile in
 * 3-D that it does not cover. */
template <int DIMENSIONS> MASS_FN mass_tiling mass_tile_grid(const mass_launch &l, int rim)
{
    mass_tiling g;
    if (DIMENSIONS > 2) {
        const int rows = MASS_SHEET_ROWS - 2 * rim;
        g.first_y = (int)blockIdx.y * rows;
        g.covered_y = g.first_y + rows;
        const int tiles = (int)gridDim.z > l.worlds ? (int)gridDim.z / l.worlds : 1;
        g.sheet = (l.extent[2] + tiles - 1) / tiles;
    } else {
        const int tiles = gridDim.y * blockDim.y, rows = (l.extent[1] + tiles - 1) / tiles;
        g.first_y = ((int)blockIdx.y * (int)blockDim.y + (int)threadIdx.y) * rows;
        g.covered_y = l.extent[1] - g.first_y < rows ? l.extent[1] : g.first_y + rows;
        g.sheet = 1;
    }
    g.last_y = g.covered_y < l.extent[1] ? g.covered_y : l.extent[1];
    g.sheets_a_world = (l.extent[2] + g.sheet - 1) / g.sheet;
    g.sheets = g.sheets_a_world * l.worlds;
    return g;
}

/* Returns an element of an array in registers. */
template <int LEVELS_> MASS_FN uint32_t mass_tile_columns(const uint32_t *columns, int level)
{
    uint32_t found = 0;
#pragma unroll
    for (int k = 0; k <= LEVELS_; k++) found = k == level ? columns[k] : found;
    return found;
}

/* A field of the list. */
struct mass_fused_field {
    uint32_t access;
    const char *target;
};
/* Returns the number of the WRITE field with the new values of READ field `read`, which has the same target; or -1. */
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

/* Returns the slot of the `a`-th row that a level keeps after row i. Slots in registers rotate: a turn of the loop has
 * TURN_ rows, and j is the row's number in it. If TURN_ is 1, rows move up instead. */
MASS_FN constexpr int mass_slot(int turn, int j, int a) { return turn == 1 ? a : (j + 1 + a) % turn; }
struct mass_row {
    int i, j;
};

/* Rows of a level that neighbouring warps read, in 3-D. */
template <class T, int CX, int RZ, int LEVELS_> struct mass_aside {
    alignas(16) T v[RZ ? LEVELS_ : 1][RZ ? 2 * RZ + 1 : 1][RZ ? MASS_SHEET_ROWS : 1][RZ ? 32 * CX : 1];
};

/* The data of a field in a lane, as mass_held:
 *     start   begins a tile                fetch   loads a row of the lowest level
 *     enter   makes the row its newest     rest    a level passes on its middle row
 *     look    reads the rows of the neighbouring warps below a level
 *     show    sets the window for a place  keep    takes the body's results into `made`
 *     pass    makes a computed row the newest of the level above
 *     place   ... or stores it as the result */
template <mass_view VIEW, class T, int ACCESS, int CX, int RX, int RY, int RZ, int LEVELS_>
struct mass_tiled : mass_held<VIEW, T, ACCESS, CX, RX, RY, RZ> {
    template <class... A> MASS_FN_MEMBER void fetch(A &&...) {}
    template <int TURN_, class... A> MASS_FN_MEMBER void enter(A &&...) {}
    template <int TURN_, int LEVEL_, class... A> MASS_FN_MEMBER void rest(A &&...) {}
    template <int TURN_, int LEVEL_, class... A> MASS_FN_MEMBER void look(A &&...) {}
    template <int TURN_, int LEVEL_, class N, class P>
    MASS_FN_MEMBER void show(N &n, P *p, const mass_launch &l, int, int c, bool counts)
    {
        this->get(n, p, l, 0, 0, c, 0, counts);
    }
    template <class N> MASS_FN_MEMBER void keep(const N &n, uint64_t *, int c, bool counts) { this->put(n, c, counts); }
    template <int TURN_, int LEVEL_, class... A> MASS_FN_MEMBER void pass(A &&...) {}
    template <bool EDGE, class... A> MASS_FN_MEMBER void place(A &&...) {}
    template <class P> MASS_FN_MEMBER void start(P *p, const mass_launch &l, int64_t at, int world, int number)
    {
        this->begin(p, l, world, true, MASS_ANYWHERE, number);
        this->first(p, l, at, world);
        this->load(p, l, at, 0);
    }
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ, int LEVELS_>
struct mass_tiled<MASS_VIEW_AROUND_, T, ACCESS, CX, RX, RY, RZ, LEVELS_> : mass_held_nothing {
    typedef typename mass_rows<T, CX, RX, RY, RZ>::near window;
    typedef mass_aside<T, CX, RZ, LEVELS_> aside;
    enum { KEPT = 2 * (RZ ? RZ : RY) + 1, MIDDLE = KEPT / 2, WIDTH = CX + 2 * RX, SIDES = RZ ? 2 * RY : 0 };
    typedef typename mass_kept<T>::type kept;
    kept v[LEVELS_][KEPT][WIDTH], none;
    T coming[CX];
    kept side[KEPT][SIDES ? SIDES : 1][WIDTH]; /* rows of the neighbouring warps, for the present level */
    const T *beyond;
    MASS_FN_MEMBER void start(const T *p, const mass_launch &l, int64_t, int, int)
    {
        beyond = p + mass_default_element(&l);
        none = mass_keep(*beyond);
    }
    /* `has`: a bit for each place that exists. */
    MASS_FN_MEMBER void fetch(const T *p, const mass_launch &l, int64_t row, int x, bool whole, uint32_t has)
    {
        if (whole) mass_load_constant<CX>(coming, p + row + x);
        else
#pragma unroll
            for (int c = 0; c < CX; c++)
                coming[c] = has >> c & 1 ? p[row + mass_tile_source(l, 0, x + c)] : (T)none;
    }
    template <int TURN_, int LEVEL_> MASS_FN_MEMBER kept *newest(mass_row at)
    {
        if (TURN_ == 1)
#pragma unroll
            for (int a = 0; a < KEPT - 1; a++)
#pragma unroll
                for (int c = 0; c < WIDTH; c++) v[LEVEL_][a][c] = v[LEVEL_][a + 1][c];
        return v[LEVEL_][mass_slot(TURN_, at.j, KEPT - 1)];
    }
    /* Stores a row for the neighbouring warps. */
    template <int TURN_, int LEVEL_> static MASS_FN_MEMBER void share(aside &a, const kept *row, mass_row at)
    {
        if constexpr (RZ > 0) {
            T elements[CX];
#pragma unroll
            for (int c = 0; c < CX; c++) elements[c] = (T)row[RX + c];
            mass_store<CX>(&a.v[LEVEL_][(TURN_ == 1 ? at.i : at.j) % KEPT][threadIdx.y][threadIdx.x * CX], elements);
        }
    }
    /* Gets the elements next to this strip from the neighbouring lanes. */
    static MASS_FN_MEMBER void look_along(kept *row)
    {
#pragma unroll
        for (int c = 0; c < RX; c++) {
            row[c] = __shfl_up_sync(~0u, row[CX + c], 1);
            row[RX + CX + c] = __shfl_down_sync(~0u, row[RX + c], 1);
        }
    }
    template <int TURN_> MASS_FN_MEMBER void enter(aside &a, mass_row at)
    {
        kept *const row = newest<TURN_, 0>(at);
#pragma unroll
        for (int c = 0; c < CX; c++) row[RX + c] = mass_keep(coming[c]);
        look_along(row);
        share<TURN_, 0>(a, row, at);
    }
    template <int TURN_, int LEVEL_> MASS_FN_MEMBER void rest(aside &a, mass_row at)
    {
        if constexpr (LEVEL_ < LEVELS_) {
            kept *const row = newest<TURN_, LEVEL_>(at);
#pragma unroll
            for (int c = 0; c < WIDTH; c++) row[c] = v[LEVEL_ - 1][mass_slot(TURN_, at.j, MIDDLE)][c];
            share<TURN_, LEVEL_>(a, row, at);
        }
    }
    /* Values that a strip lacks at an end of the tile are not needed. */
    template <int TURN_, int LEVEL_> MASS_FN_MEMBER void look(const aside &a, mass_row at)
    {
        const int last = 32 * CX - 1, first = threadIdx.x * CX;
#pragma unroll
        for (int k = 0; k < KEPT; k++)
#pragma unroll
            for (int b = 0; b < SIDES; b++) {
                const int y = (int)threadIdx.y + b - RY + (b >= RY);
                const T *const row = a.v[LEVEL_ - 1][((TURN_ == 1 ? at.i : at.j) + 1 + k) % KEPT]
                                        [y < 0 ? 0 : y < MASS_SHEET_ROWS ? y : MASS_SHEET_ROWS - 1];
                T elements[CX];
                mass_load<CX>(elements, row + first);
#pragma unroll
                for (int c = 0; c < CX; c++) side[k][b][RX + c] = mass_keep(elements[c]);
#pragma unroll
                for (int c = 0; c < RX; c++) {
                    side[k][b][c] = mass_keep(row[first + c < RX ? 0 : first + c - RX]);
                    side[k][b][RX + CX + c] = mass_keep(row[first + CX + c > last ? last : first + CX + c]);
                }
            }
    }
    template <int TURN_, int LEVEL_>
    MASS_FN_MEMBER void show(window &n, const T *, const mass_launch &, int j, int c, bool) const
    {
        n.none = beyond;
#pragma unroll
        for (int a = 0; a < 2 * RZ + 1; a++)
#pragma unroll
            for (int b = 0; b < 2 * RY + 1; b++)
#pragma unroll
                for (int d = 0; d < 2 * RX + 1; d++)
                    n.v[a][b][d] = RZ == 0   ? v[LEVEL_ - 1][mass_slot(TURN_, j, b)][c + d]
                                   : b == RY ? v[LEVEL_ - 1][mass_slot(TURN_, j, a)][c + d]
                                             : side[a][b - (b > RY)][c + d];
    }
    MASS_FN_MEMBER void keep(const window &, uint64_t *, int, bool) {}
    template <int TURN_, int LEVEL_> MASS_FN_MEMBER void pass(aside &a, const uint64_t *made, uint32_t has, mass_row at)
    {
        kept *const row = newest<TURN_, LEVEL_>(at);
#pragma unroll
        for (int c = 0; c < CX; c++) {
            T value;
            memcpy(&value, &made[c], sizeof value);
            row[RX + c] = has >> c & 1 ? mass_keep(value) : none;
        }
        look_along(row);
        share<TURN_, LEVEL_>(a, row, at);
    }
    template <bool EDGE, class... A> MASS_FN_MEMBER void place(A &&...) {}
};

template <class T, int ACCESS, int CX, int RX, int RY, int RZ, int LEVELS_>
struct mass_tiled<MASS_VIEW_VALUE_, T, ACCESS, CX, RX, RY, RZ, LEVELS_>
    : mass_tiled<MASS_VIEW_POINT_, T, ACCESS, CX, RX, RY, RZ, LEVELS_> {
    typedef T window;
    template <int TURN_, int LEVEL_> MASS_FN_MEMBER void show(window &, T *, const mass_launch &, int, int, bool) {}
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

#endif
