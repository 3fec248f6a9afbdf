/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel macros: a rule written once in C, or C++20, becomes vectorised CPU loops and CUDA
 * kernels.
 *
 *     #define LIFE(FIELD)                        \
 *         FIELD(health, uint8_t, READ,  health)  \
 *         FIELD(next,   uint8_t, WRITE, health)
 *     MASS_STENCIL(life_step, LIFE, 2, 1)
 *     {
 *         const uint8_t n = NEAR(health, -1, -1) + ... ;
 *         OUT(next) = (n == 3) | ((n == 2) & IN(health));
 *     }
 *
 * FIELD(name, C type, access, target) names what the body touches; callback.h lists the accesses.
 * MASS_MAP(name, fields) promises that only the place's own elements are touched;
 * MASS_STENCIL(name, fields, dimensions, radius) also reads READ fields up to `radius` away along
 * each of the first `dimensions` axes, and writes its own place only. Reading an attribute and
 * writing it in one stencil is safe: the engine keeps the old and the new values apart.
 * MASS_SCATTER(name, fields, dimensions, radius) is a stencil that also adds to SCATTER_ADD fields, integers of 32 or
 * 64 bits, of places up to `radius` away. Any body with such a field may; no other field names the same attribute.
 *
 * In a body:
 *     IN(f)               own element of a READ field
 *     NEAR(f, dx[,dy[,dz]]) element of a READ field at an offset; over a bounded edge, and beyond the radius, the
 *                         default
 *     EXISTS(dx[,dy[,dz]])  whether there is a place at that offset
 *     OUT(f)              own element of a WRITE or UPDATE field
 *     PARAM(f)            value of a PARAM field in this world
 *     SCATTER(f, v, dx[,dy[,dz]])  adds v to a SCATTER_ADD field at an offset, modulo 2^bits; beyond a bounded
 *                         edge, and beyond the radius, nothing
 *     ADD(f, v) LEAST(f, v) MOST(f, v)   contribute to a SUM, MIN or MAX tally; a uint8_t adds up fastest
 *     COUNT_IN(f, bin) ADD_IN(f, bin, v)  add 1, or v, to a bin of a BINS tally; one that it does not have is ignored
 *     COUNT_KEY(f, key)   add 1 to a 64-bit number of a KEYS tally
 *     COUNT_TEXT(f, text, n)  add 1 to the n bytes at text of a KEYS tally of texts; they lie in the array of the
 *                         callback's one ITEMS, PLACE or RESIDENT field
 *     ITEM(f, k)          of an ITEMS field, over places: the element k places further along x, in the partition's row
 *     ITEMS_AT(f)         ... where the own element is; behind it those of the places after it
 *     ITEMS_LEFT  ITEMS_BEFORE  how many places of that row there are from the own one on, and before it
 *     AT_X AT_Y AT_Z SIZE_X SIZE_Y SIZE_Z  global coordinates and extents, mass_gidx
 *     STEP                the step being computed, from 1; 0 in `start`
 *     RANDOM(draw)        four random words (random.h)
 *     SHUFFLED(draw, i, n)  element i of a random permutation of n, the same for all of the world (random.h)
 * Bodies over agents, and over the agents that stand on a place: kernel_agents.h.
 * A tally may be skipped in steps that nobody looks at, so a body must not depend on it.
 * For the CPU to vectorise, use | and & of comparisons rather than || and &&. */
#ifndef MASS_KERNEL_H
#define MASS_KERNEL_H

#include <mass/callback.h>
#include <mass/exact.h>
#include <mass/fields.h>
#include <mass/keys.h>
#include <mass/random.h>
#include <mass/reach.h>

#define MASS_JOIN_(a, b) a##b
#define MASS_JOIN(a, b) MASS_JOIN_(a, b)
#define MASS_TEXT_OF(...) #__VA_ARGS__

/* The struct of typed pointers, as the engine fills it. */
#define MASS_POINTER_(name, type, access, target) MASS_JOIN(MASS_POINTER_, access)(type, name)
#define MASS_POINTER_READ(T, n) const T *n;
#define MASS_POINTER_WRITE(T, n) T *n;
#define MASS_POINTER_UPDATE(T, n) T *n;
#define MASS_POINTER_PARAM(T, n) const T *n;
#define MASS_POINTER_SUM(T, n) int64_t *n;
#define MASS_POINTER_BINS(T, n) int64_t *n;
#define MASS_POINTER_KEYS(T, n) mass_key_table *n;
#define MASS_POINTER_ITEMS(T, n) const T *n;
#define MASS_POINTER_MIN(T, n) int64_t *n;
#define MASS_POINTER_MAX(T, n) int64_t *n;
#define MASS_POINTER_PLACE(T, n) const T *n;
#define MASS_POINTER_CHILD(T, n) T *n;
#define MASS_POINTER_RACE(T, n) T *n;
#define MASS_POINTER_RESIDENT(T, n) const T *n;
#define MASS_POINTER_RESIDENT_UPDATE(T, n) T *n;

#define MASS_PICK_(a, b, c, d, ...) d
#define NEAR(f, ...) MASS_PICK_(__VA_ARGS__, MASS_NEAR3, MASS_NEAR2, MASS_NEAR1, )(f, __VA_ARGS__)
#define EXISTS(...) MASS_PICK_(__VA_ARGS__, MASS_EXISTS3, MASS_EXISTS2, MASS_EXISTS1, )(__VA_ARGS__)
#define MASS_EXISTS1(dx) mass_site_exists(&w->site, (dx), 0, 0)
#define MASS_EXISTS2(dx, dy) mass_site_exists(&w->site, (dx), (dy), 0)
#define MASS_EXISTS3(dx, dy, dz) mass_site_exists(&w->site, (dx), (dy), (dz))
#define OUT(f) (w->f)
#define PARAM(f) (w->f)
#define ADD(f, v)                                                                                                    \
    __extension__({                                                                                                  \
        MASS_ASSERT_(!(MASS_IS_INTEGER_SUM_(w->f) && MASS_IS_REAL_(v)), "ADD(" #f ", ...) of a real number, and "    \
                     #f " is a sum of integers: make field and tally real, or add mass_fixed() or a cast to int64_t") \
        (void)(w->f = MASS_ADDED_(w->f, v)(w->f, (v)));                                                              \
    })
#define COUNT_IN(f, bin) mass_count_one(&w->f, (uint64_t)(bin), MASS_IS_BYTE_(bin))
#define ADD_IN(f, bin, v)                                                                                            \
    __extension__({                                                                                                  \
        MASS_ASSERT_(!MASS_IS_REAL_(v), "ADD_IN(" #f ", ...) of a real number, and bins are sums of integers: add "  \
                     "mass_fixed() or a cast to int64_t")                                                            \
        mass_count(&w->f, (uint64_t)(bin), (v));                                                                     \
    })
#define COUNT_KEY(f, key) mass_count_key(&w->f, (uint64_t)(key))
#define COUNT_TEXT(f, text, n) mass_count_bytes(&w->f, (text), (uint64_t)(n))
#define ITEM(f, k) (w->f[(k)])
#define ITEMS_AT(f) (w->f)
#define ITEMS_BEFORE (w->site.x - w->site.launch->origin[0])
#define ITEMS_LEFT (w->site.launch->extent[0] - ITEMS_BEFORE)
#define LEAST(f, v) ((void)(w->f = (v) < w->f ? (v) : w->f))
#define MOST(f, v) ((void)(w->f = (v) > w->f ? (v) : w->f))
#define AT_X (w->site.x)
#define AT_Y (w->site.y)
#define AT_Z (w->site.z)
#define SIZE_X (w->site.launch->size[0])
#define SIZE_Y (w->site.launch->size[1])
#define SIZE_Z (w->site.launch->size[2])
#define STEP (mass_launch_step(w->site.launch))
#define RANDOM(draw) mass_site_random(&w->site, mass_draw(&w->site, (uint64_t)(draw), MASS_LAST_DRAW))
#define SHUFFLED(draw, i, n) \
    mass_site_shuffled(&w->site, mass_draw(&w->site, (uint64_t)(draw), MASS_LAST_SHUFFLE), (i), (n))

/* A SUM field as a body sees it: of int64_t, its own contributions; of double, where they go. */
#define MASS_SUMMED_int64_t mass_sum
#define MASS_SUMMED_double mass_exact_window *

/* The numbers of a callback's BINS fields, for an enum. */
#define MASS_BIN_FIELD_(name, type, access, target) MASS_JOIN(MASS_BIN_FIELD_, access)(name)
#define MASS_BIN_FIELD_READ(n)
#define MASS_BIN_FIELD_WRITE(n)
#define MASS_BIN_FIELD_UPDATE(n)
#define MASS_BIN_FIELD_PARAM(n)
#define MASS_BIN_FIELD_SUM(n)
#define MASS_BIN_FIELD_KEYS(n)
#define MASS_BIN_FIELD_ITEMS(n)
#define MASS_BIN_FIELD_MIN(n)
#define MASS_BIN_FIELD_MAX(n)
#define MASS_BIN_FIELD_PLACE(n)
#define MASS_BIN_FIELD_CHILD(n)
#define MASS_BIN_FIELD_RACE(n)
#define MASS_BIN_FIELD_RESIDENT(n)
#define MASS_BIN_FIELD_RESIDENT_UPDATE(n)
#define MASS_BIN_FIELD_BINS(n) MASS_JOIN(n, _number),

/* Whether a callback has tallies whose accumulators are too many for a thread's registers. */
#define MASS_GATHERS_(name, type, access, target) MASS_JOIN(MASS_GATHERS_, access)(type)
#define MASS_GATHERS_READ(T)
#define MASS_GATHERS_WRITE(T)
#define MASS_GATHERS_UPDATE(T)
#define MASS_GATHERS_PARAM(T)
#define MASS_GATHERS_SUM(T) + (MASS_TYPE_OF(T) == MASS_F64)
#define MASS_GATHERS_KEYS(T) + 1
#define MASS_GATHERS_ITEMS(T)
#define MASS_GATHERS_MIN(T)
#define MASS_GATHERS_MAX(T)
#define MASS_GATHERS_PLACE(T)
#define MASS_GATHERS_CHILD(T)
#define MASS_GATHERS_RACE(T)
#define MASS_GATHERS_RESIDENT(T)
#define MASS_GATHERS_RESIDENT_UPDATE(T)
#define MASS_GATHERS_BINS(T) + 1

/* Whether a callback writes to places. */
#define MASS_WRITES_(name, type, access, target) MASS_JOIN(MASS_WRITES_, access)
#define MASS_WRITES_READ
#define MASS_WRITES_WRITE + 1
#define MASS_WRITES_UPDATE + 1
#define MASS_WRITES_PARAM
#define MASS_WRITES_SUM
#define MASS_WRITES_MIN
#define MASS_WRITES_MAX
#define MASS_WRITES_RESIDENT
#define MASS_WRITES_RESIDENT_UPDATE
#define MASS_WRITES_BINS
#define MASS_WRITES_KEYS
#define MASS_WRITES_ITEMS

/* Whether the compiler knows that an offset is 0. */
#ifdef __CUDACC__
#define MASS_IS_NONE_(by) 0
#else
#define MASS_IS_NONE_(by) (__builtin_constant_p(by) && (by) == 0)
#endif

MASS_FN int mass_axis_exists(const mass_launch *l, int axis, mass_gidx at, mass_gidx by)
{
    const mass_gidx to = mass_sum_i64(at, by);
    if (MASS_IS_NONE_(by)) return 1;
    return (l->torus >> axis & 1) || (to >= 0 && to < l->size[axis]);
}
MASS_FN int mass_site_exists(const mass_site *s, int64_t dx, int64_t dy, int64_t dz)
{
    return mass_axis_exists(s->launch, 0, s->x, dx) & mass_axis_exists(s->launch, 1, s->y, dy) &
           mass_axis_exists(s->launch, 2, s->z, dz);
}

/* Adding to places. A field is the address of place (0, 0, 0) of world 0. */
#define SCATTER(f, v, ...)                                                                         \
    do {                                                                                           \
        const int64_t mass_element_ = mass_scattered(&w->site, &w->reach_, MASS_THREE_(__VA_ARGS__)); \
        if (mass_element_ != MASS_NO_ELEMENT) MASS_SCATTER_TO_(w->f.to + mass_element_, (v));      \
    } while (0)
#define MASS_NO_ELEMENT INT64_MIN
#define MASS_POINTER_SCATTER_ADD(T, n) T *n;
#define MASS_BIN_FIELD_SCATTER_ADD(n)
#define MASS_GATHERS_SCATTER_ADD(T)
#define MASS_WRITES_SCATTER_ADD + 1

/* A function that a GPU calls: bodies are long enough without it. */
#ifdef __CUDACC__
#define MASS_CALLED_FN_ static __device__ __noinline__ __attribute__((unused))
#else
#define MASS_CALLED_FN_ MASS_FN
#endif

/* The element of a place beyond those of the partition, whose first one x, y and z count from. Over a cut it is a
 * ghost's, from which the engine adds to the place that it shows; an axis that is not cut wraps right here. */
MASS_CALLED_FN_ int64_t mass_element_beyond(const mass_launch *l, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z)
{
    const int64_t stride[3] = {1, l->pitch, l->plane};
    mass_gidx at[3] = {x, y, z};
    int64_t element = world * l->world_stride;
    for (int a = 0; a < 3; a++) {
        const mass_gidx size = l->size[a];
        const int outside = at[a] + l->origin[a] < 0 || at[a] + l->origin[a] >= size;
        if (outside && !(l->torus >> a & 1)) return MASS_NO_ELEMENT;
        if (outside && l->extent[a] == size) at[a] = (at[a] % size + size) % size;
        element += at[a] * stride[a];
    }
    return element;
}

/* The element of the place at an offset, or MASS_NO_ELEMENT. */
MASS_FN int64_t mass_scattered(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *l = s->launch;
    const uint32_t reach = (uint32_t)l->reach;
    if (!(mass_within(dx, reach) & mass_within(dy, reach) & mass_within(dz, reach))) {
        mass_note_stray(s, r->tells, MASS_STRAY_SCATTER, dx, dy, dz);
        return MASS_NO_ELEMENT;
    }
    const mass_gidx x = s->x - l->origin[0] + dx, y = s->y - l->origin[1] + dy, z = s->z - l->origin[2] + dz;
    if ((x >= 0) & (x < l->extent[0]) & (y >= 0) & (y < l->extent[1]) & (z >= 0) & (z < l->extent[2]))
        return s->world * l->world_stride + z * l->plane + y * l->pitch + x;
    return mass_element_beyond(l, s->world, x, y, z);
}

/* Loops over the offsets of a neighbourhood without its centre, unrolled:
 *     MASS_MOORE_2D(dx, dy, 1) { n += NEAR(health, dx, dy); }                                    */
#if defined(__clang__) || defined(__CUDACC__)
#define MASS_UNROLL_ _Pragma("unroll")
#else
#define MASS_UNROLL_ _Pragma("GCC unroll 32")
#endif
#define MASS_ABS_(a) ((a) < 0 ? -(a) : (a))
#define MASS_MOORE_1D(dx, r) \
    MASS_UNROLL_ for (int dx = -(r); dx <= (r); dx++) if (dx)
#define MASS_MOORE_2D(dx, dy, r)                      \
    MASS_UNROLL_ for (int dy = -(r); dy <= (r); dy++) \
    MASS_UNROLL_ for (int dx = -(r); dx <= (r); dx++) if (dx | dy)
#define MASS_MOORE_3D(dx, dy, dz, r)                  \
    MASS_UNROLL_ for (int dz = -(r); dz <= (r); dz++) \
    MASS_UNROLL_ for (int dy = -(r); dy <= (r); dy++) \
    MASS_UNROLL_ for (int dx = -(r); dx <= (r); dx++) if (dx | dy | dz)
#define MASS_VON_NEUMANN_2D(dx, dy, r) \
    MASS_MOORE_2D(dx, dy, r) if (MASS_ABS_(dx) + MASS_ABS_(dy) <= (r))
#define MASS_VON_NEUMANN_3D(dx, dy, dz, r) \
    MASS_MOORE_3D(dx, dy, dz, r) if (MASS_ABS_(dx) + MASS_ABS_(dy) + MASS_ABS_(dz) <= (r))

/* Places along x that a thread of a CUDA form covers: 8 where all elements are bytes, 16 where they are counted, else
 * 4. */
#define MASS_STRIP_PLACES(LIST) ((0 LIST(MASS_WIDE_)) != 0 ? 4 : (0 LIST(MASS_GATHERS_)) ? 16 : 8)
/* ... and along y: the larger the space, the more, until the compiler's patience ends. Bodies over residents
 * are loops, which gain nothing from it, and bodies that scatter are long. */
#define MASS_SCATTERS(LIST) ((0 LIST(MASS_SCATTERS_)) != 0)
#define MASS_SCATTERS_(name, type, access, target) + (MASS_JOIN(MASS_, access) == MASS_SCATTER_ADD)
#define MASS_ROWS_FEW(DIMENSIONS, RADIUS) ((DIMENSIONS) == 3 || (RADIUS) == 0 || (RADIUS) > 2)
#define MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS)         \
    ((OVER) >= MASS_OVER_RESIDENTS || MASS_SCATTERS(LIST) ? 2 : \
     MASS_ROWS_FEW(DIMENSIONS, RADIUS) ? 4 : (RADIUS) == 2 ? 8 : 16)
#define MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS) \
    ((OVER) >= MASS_OVER_RESIDENTS || MASS_SCATTERS(LIST) || MASS_ROWS_FEW(DIMENSIONS, RADIUS) ? 2 : 4)
/* A kernel that gathers takes single strips. */
#define MASS_ROWS_TALLY(LIST, OVER, DIMENSIONS, RADIUS) \
    ((0 LIST(MASS_GATHERS_)) ? 1 : MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS))
#define MASS_STRIDES_(LIST) ((0 LIST(MASS_GATHERS_)) ? MASS_FORM_STRIDES : 0)
#define MASS_WIDE_(name, type, access, target) MASS_JOIN(MASS_WIDE_, access)(type)
#define MASS_WIDE_READ(T) + (sizeof(T) > 1)
#define MASS_WIDE_WRITE(T) + (sizeof(T) > 1)
#define MASS_WIDE_UPDATE(T) + (sizeof(T) > 1)
#define MASS_WIDE_PARAM(T)
#define MASS_WIDE_SUM(T)
#define MASS_WIDE_BINS(T)
#define MASS_WIDE_KEYS(T) + 1
#define MASS_WIDE_ITEMS(T)
#define MASS_WIDE_MIN(T)
#define MASS_WIDE_MAX(T)
#define MASS_WIDE_RESIDENT(T) + 1
#define MASS_WIDE_RESIDENT_UPDATE(T) + 1
#define MASS_WIDE_SCATTER_ADD(T) + 1

#ifdef __CUDACC__
#include <mass/kernel_cuda.h>
#else
#include <mass/kernel_cpu.h>
#endif

/* mass_add_plugin() makes device code of one file, and defines MASS_KERNELS there. */
#if defined(MASS_CALLBACKS_IN_KERNELS) && !defined(MASS_KERNELS)
#define MASS_PLACED_(NAME) \
    MASS_ASSERT_(0, #NAME " gets no GPU code here: name this file by KERNELS in mass_add_plugin()")
#else
#define MASS_PLACED_(NAME)
#endif
#define MASS_CHECKED_(NAME, LIST, KIND) MASS_PLACED_(NAME) LIST(MASS_CHECK_##KIND##_)

#define MASS_MAP(NAME, LIST) MASS_CHECKED_(NAME, LIST, PLACES) MASS_KERNEL_(NAME, LIST, 0, 0, MASS_OVER_PLACES)
#define MASS_STENCIL(NAME, LIST, DIMENSIONS, RADIUS) \
    MASS_CHECKED_(NAME, LIST, PLACES) MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, MASS_OVER_PLACES)
#define MASS_SCATTER(NAME, LIST, DIMENSIONS, RADIUS) MASS_STENCIL(NAME, LIST, DIMENSIONS, RADIUS)

#include <mass/kernel_agents.h>

/* MASS_WORLD_STEPS(callback, ...) at the end of the file names the callbacks of the step schedule, once in a
 * plugin. A GPU then takes worlds that fit into one of its processors through many steps in one launch, where
 * all populations are constant and without a capacity. It changes no result. */
#ifdef __CUDACC__
#include <mass/kernel_world.h>
#else
#define MASS_WORLD_STEPS(...) _Static_assert(1, "");
#endif

#endif
