/* SPDX-License-Identifier: Apache-2.0 */
/* Points of continuous space, and what is computed of them to the same bits on every device. positions.h gives the
 * words that bodies use.
 *
 * A space has `size` cells of an edge `cell` along an axis, so its length is size * cell. A coordinate is from 0 to
 * before the length. Its cell is floor(coordinate / cell), by a division of doubles, and at most size - 1. */
#ifndef MASS_POINTS_H
#define MASS_POINTS_H

#include <mass/impl/launch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A point in one to three dimensions. */
typedef struct mass_point_float_1 { float x; } mass_point_float_1;
typedef struct mass_point_float_2 { float x, y; } mass_point_float_2;
typedef struct mass_point_float_3 { float x, y, z; } mass_point_float_3;
typedef struct mass_point_double_1 { double x; } mass_point_double_1;
typedef struct mass_point_double_2 { double x, y; } mass_point_double_2;
typedef struct mass_point_double_3 { double x, y, z; } mass_point_double_3;

/* Device code may read so many points at once, so that arrays of them have MASS_POINTS_READ - 1 more at their end. */
enum { MASS_POINTS_READ = 4 };

/* The way from one point to another, and the square of its length. Axes that the space does not have are 0. */
typedef struct mass_way_float { float x, y, z, square; } mass_way_float;
typedef struct mass_way_double { double x, y, z, square; } mass_way_double;

/* Returns the cell of a coordinate that is inside the space. */
MASS_FN mass_gidx mass_cell_along(double at, double cell, mass_gidx size)
{
    const mass_gidx k = (mass_gidx)(at / cell); /* at is not negative, so this is the floor */
    return k < size ? k : size - 1;
}

/* Returns how many cells away an agent at a distance may stand, at most `most`: the distance in cells, rounded up. It
 * is -1 if the distance is negative, or no number. */
MASS_FN int64_t mass_cells_within(double distance, double cell, int64_t most)
{
    if (!(distance >= 0)) return -1;
    const double exact = distance / cell;
    if (exact >= (double)most) return exact > (double)most ? most + 1 : most;
    const int64_t down = (int64_t)exact;
    return down + ((double)down < exact);
}

/* The same for each type of numbers. F: a suffix of numbers of the type; BITS: an unsigned integer of its size. */
#define MASS_POINT_FUNCTIONS_(T, F, BITS, S)                                                                          \
    /* Returns the largest number below a positive one. */                                                            \
    MASS_FN T mass_below_##T(T v) { return mass_##S##_bits((BITS)(mass_bits_##S(v) - 1)); }                           \
    /* Returns the largest integer that is not above v. Numbers without a fraction stay. */                           \
    MASS_FN T mass_floor_##T(T v)                                                                                     \
    {                                                                                                                 \
        const T most = (T)0x1p62;                                                                                     \
        if (!(v > -most && v < most)) return v;                                                                       \
        const T whole = (T)(int64_t)v;                                                                                \
        return whole > v ? whole - 1 : whole;                                                                         \
    }                                                                                                                 \
    /* Returns a coordinate on an axis that wraps. A sum that rounds to the end is 0. */                              \
    MASS_FN T mass_wrap_##T(T v, T length)                                                                            \
    {                                                                                                                 \
        if (v >= 0 && v < length) return v;                                                                           \
        v -= mass_floor_##T(v / length) * length;                                                                     \
        return v >= 0 && v < length ? v : 0;                                                                          \
    }                                                                                                                 \
    /* Returns a coordinate that stops at an edge. */                                                                 \
    MASS_FN T mass_stop_##T(T v, T length) { return v < 0 ? 0 : v < length ? v : mass_below_##T(length); }            \
    /* Returns a coordinate that an edge reflects, any number of times. */                                            \
    MASS_FN T mass_reflect_##T(T v, T length)                                                                         \
    {                                                                                                                 \
        if (v >= 0 && v < length) return v;                                                                           \
        v = mass_wrap_##T(v, 2 * length);                                                                             \
        return mass_stop_##T(v < length ? v : 2 * length - v, length);                                                \
    }                                                                                                                 \
    /* Returns the shorter way by a difference of coordinates; the negative one at half the length. The length is     \
     * infinite if the axis does not wrap. */                                                                         \
    MASS_FN T mass_shorter_##T(T d, T length)                                                                         \
    {                                                                                                                 \
        const T half = length * (T)0.5;                                                                               \
        return d >= half ? d - length : d < -half ? d + length : d;                                                   \
    }
MASS_POINT_FUNCTIONS_(float, f, uint32_t, f32)
MASS_POINT_FUNCTIONS_(double, , uint64_t, f64)


/* ---- agents within a distance ---- */

/* On CPUs, what a search has found (positions.h): a bit of `hits` says that an agent of a walk is within, from `first`
 * on. direct: 1 if all ways to a range of agents go over the same edges, 2 before that is known. Then `shift` is
 * subtracted from differences of coordinates. Device code has a search of its own. */
#ifdef __cplusplus
#define MASS_SOUGHT_(T)
#define MASS_NOT_SOUGHT_
#else
#define MASS_SOUGHT_(T) uint32_t first, hits; int direct; T shift[3];
#define MASS_NOT_SOUGHT_ , 0, 0, 2, {0, 0, 0}
#endif

/* A search for agents within a distance of a point. It works with numbers of the type T. */
#define MASS_WITHIN_(T, BITS)                                                                                          \
    typedef struct mass_within_##T {                                                                                   \
        T from[3];     /* the point */                                                                                 \
        T length[3];   /* of each axis that wraps; infinity for the others */                                          \
        T most;        /* the square of the distance */                                                                \
        int64_t cells; /* how many cells away agents may stand; -1: there are none */                                  \
        int once;                                                                                                      \
        uint32_t nth;  /* of EACH_NEAREST: the number of agents that were found */                                     \
        T square;      /* ... the square of the last one's distance, */                                                \
        uint32_t rank; /* ... and its number in the walk */                                                            \
        mass_way_##T way; /* to the agent that was looked at last */                                                   \
        MASS_SOUGHT_(T)                                                                                                \
    } mass_within_##T;                                                                                                 \
    MASS_FN mass_within_##T mass_within_begin_##T(const mass_launch *l, mass_point_double_3 from, double distance)     \
    {                                                                                                                  \
        const T r = (T)distance, infinite = BITS;                                                                      \
        const mass_within_##T w = {                                                                                    \
            {(T)from.x, (T)from.y, (T)from.z},                                                                         \
            {l->torus & 1 ? (T)((double)l->size[0] * l->cell) : infinite,                                              \
             l->torus & 2 ? (T)((double)l->size[1] * l->cell) : infinite,                                              \
             l->torus & 4 ? (T)((double)l->size[2] * l->cell) : infinite},                                             \
            r * r, mass_cells_within(distance, l->cell, l->reach), 1, 0, -1, 0, {0, 0, 0, 0} MASS_NOT_SOUGHT_};        \
        return w;                                                                                                      \
    }
MASS_WITHIN_(float, mass_f32_bits(0x7f800000u))
MASS_WITHIN_(double, mass_f64_bits(0x7ff0000000000000ull))

/* Finds the way to a point of numbers P, along the axes of the points. Is true if it is within the distance. */
#define MASS_IS_WITHIN_(T, P, DIMENSIONS, SQUARE, ...)                                                       \
    MASS_FN int mass_is_within_##T##_##P##_##DIMENSIONS(mass_within_##T *w, const mass_point_##P##_##DIMENSIONS *p) \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
        w->way.square = SQUARE;                                                                              \
        return w->way.square <= w->most;                                                                     \
    }
#define MASS_ALONG_(T, A, I) w->way.A = mass_shorter_##T((T)p->A - w->from[I], w->length[I]);
#define MASS_ARE_WITHIN_(T, P)                                                                               \
    MASS_IS_WITHIN_(T, P, 1, w->way.x * w->way.x, MASS_ALONG_(T, x, 0))                                      \
    MASS_IS_WITHIN_(T, P, 2, w->way.x * w->way.x + w->way.y * w->way.y, MASS_ALONG_(T, x, 0) MASS_ALONG_(T, y, 1)) \
    MASS_IS_WITHIN_(T, P, 3, w->way.x * w->way.x + w->way.y * w->way.y + w->way.z * w->way.z,                \
                    MASS_ALONG_(T, x, 0) MASS_ALONG_(T, y, 1) MASS_ALONG_(T, z, 2))
MASS_ARE_WITHIN_(float, float)
MASS_ARE_WITHIN_(double, float)
MASS_ARE_WITHIN_(double, double)

/* ---- moves ---- */

/* Records that a body moves an agent by what is no finite number. */
#ifdef __CUDACC__
MASS_FN void mass_report_no_number(const mass_launch *l)
{
    if (l->diagnostics && !l->diagnostics->no_number) l->diagnostics->no_number = 1;
}
#else
static void mass_report_no_number(const mass_launch *l) __attribute__((noinline, cold, unused));
static void mass_report_no_number(const mass_launch *l)
{
    if (!l->diagnostics || __atomic_load_n(&l->diagnostics->no_number, __ATOMIC_RELAXED)) return;
    __atomic_store_n(&l->diagnostics->no_number, 1, __ATOMIC_RELAXED);
}
#endif

/* Brings a coordinate into the space, and finds its cell. Returns what became of it: 0: it is in the space; 1: it is
 * over a bounded edge, and unchanged; 2: it is no finite number. */
#define MASS_BRING_INSIDE_(T)                                                                              \
    MASS_FN int mass_bring_inside_##T(const mass_launch *l, int axis, uint32_t at_edge, T *v, mass_gidx *cell) \
    {                                                                                                      \
        const T length = (T)((double)l->size[axis] * l->cell);                                             \
        if (!(*v - *v == 0)) return 2;                                                                     \
        if (l->torus >> axis & 1) *v = mass_wrap_##T(*v, length);                                          \
        else if (!(*v >= 0 && *v < length)) {                                                              \
            if (at_edge == MASS_REFUSES) return 1;                                                         \
            *v = at_edge == MASS_STOPS ? mass_stop_##T(*v, length) : mass_reflect_##T(*v, length);         \
        }                                                                                                  \
        *cell = mass_cell_along((double)*v, l->cell, l->size[axis]);                                       \
        return 0;                                                                                          \
    }
MASS_BRING_INSIDE_(float)
MASS_BRING_INSIDE_(double)

/* The same for all coordinates of a point. */
#define MASS_BRING_POINT_(T, DIMENSIONS, WHAT)                                                             \
    MASS_FN int mass_bring_##T##_##DIMENSIONS(const mass_launch *l, uint32_t at_edge,                      \
                                              mass_point_##T##_##DIMENSIONS *p, mass_gidx cell[3])         \
    {                                                                                                      \
        cell[0] = cell[1] = cell[2] = 0;                                                                   \
        return WHAT;                                                                                       \
    }
#define MASS_BRINGS_(T, A, I) mass_bring_inside_##T(l, I, at_edge, &p->A, &cell[I])
#define MASS_BRING_POINTS_(T)                                                                              \
    MASS_BRING_POINT_(T, 1, MASS_BRINGS_(T, x, 0))                                                         \
    MASS_BRING_POINT_(T, 2, MASS_BRINGS_(T, x, 0) | MASS_BRINGS_(T, y, 1))                                 \
    MASS_BRING_POINT_(T, 3, MASS_BRINGS_(T, x, 0) | MASS_BRINGS_(T, y, 1) | MASS_BRINGS_(T, z, 2))
MASS_BRING_POINTS_(float)
MASS_BRING_POINTS_(double)

/* Requests a move to a point. Returns the agent's request: a cell, or MASS_CELL_NOWHERE over a bounded edge. `move`,
 * the request before, stays if a coordinate is no finite number. CELL_OF returns the cell of a place.
 *
 * mass_three_... returns a point as three doubles, without a loss; mass_point_... makes one of three numbers. */
#define MASS_POINT_(T, DIMENSIONS, THREE, ...)                                                                       \
    MASS_FN mass_point_double_3 mass_three_##T##_##DIMENSIONS(mass_point_##T##_##DIMENSIONS p)                       \
    {                                                                                                                \
        const mass_point_double_3 three = THREE;                                                                     \
        return three;                                                                                                \
    }                                                                                                                \
    MASS_FN mass_point_##T##_##DIMENSIONS mass_moved_##T##_##DIMENSIONS(mass_point_##T##_##DIMENSIONS p, double x,   \
                                                                        double y, double z, int by)                  \
    {                                                                                                                \
        (void)y, (void)z;                                                                                            \
        __VA_ARGS__                                                                                                  \
        return p;                                                                                                    \
    }
#define MASS_MOVED_(T, A) p.A = by ? p.A + (T)A : (T)A;
#define MASS_POINTS_OF_(T)                                                                                           \
    MASS_POINT_(T, 1, MASS_BRACED_(p.x, 0, 0), MASS_MOVED_(T, x))                                                    \
    MASS_POINT_(T, 2, MASS_BRACED_(p.x, p.y, 0), MASS_MOVED_(T, x) MASS_MOVED_(T, y))                                \
    MASS_POINT_(T, 3, MASS_BRACED_(p.x, p.y, p.z), MASS_MOVED_(T, x) MASS_MOVED_(T, y) MASS_MOVED_(T, z))
#define MASS_BRACED_(...) {__VA_ARGS__}
MASS_POINTS_OF_(float)
MASS_POINTS_OF_(double)

#ifdef __cplusplus
}
#endif
#endif
