/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel macros: they make vectorised CPU loops and CUDA kernels of a body that is written once, in C or C++20.
 *
 *     MASS_STENCIL(life_step, 2, 1, READS(health), WRITES(health))
 *     {
 *         const uint8_t n = NEAR(health, -1, -1) + ... ;
 *         OUT(health) = (n == 3) | ((n == 2) & IN(health));
 *     }
 *
 * The entries after the numbers name the values that the body uses; callback.h lists them. The model's statements
 * (model.h) or TYPED entries declare their types.
 *
 * MASS_MAP(name, entries...): the body uses only the elements of its own place.
 *
 * MASS_STENCIL(name, dimensions, radius, entries...): the body also reads READS attributes up to `radius` away along
 * each of the first `dimensions` axes. It writes its own place only. A stencil may read and write the same attribute:
 * the engine keeps the old and the new values apart.
 *
 * MASS_SCATTER(name, dimensions, radius, entries...): a stencil that also adds to SCATTERS attributes of places up to
 * `radius` away. These are integers of 32 or 64 bits, and no other entry may name them. Any body with such an entry may
 * scatter.
 *
 * In a body:
 *     IN(f)               own element of READS
 *     NEAR(f, dx[,dy[,dz]]) element of READS at an offset; the default over a bounded edge, and beyond the radius.
 *                         Give one number for each dimension of the callback, here and in all accessors of places.
 *                         A map has no dimension: there, numbers that are left out are 0
 *     EXISTS(dx[,dy[,dz]])  1 if there is a place at that offset, else 0
 *     OUT(f)              own element of WRITES or UPDATES
 *     PARAM(f)            value of GIVEN, in this world
 *     PARAM_AT(f, i)      value i, from 0, of LISTS, in this world; 0 if the list is shorter
 *     PARAM_COUNT(f)      the number of values of LISTS, in this world
 *     PARAM_NOW(f)        the value of this step of LISTS, of a MASS_PARAMETER_TABLE: step 1 has the first, and so has
 *                         `start`; 0 beyond the last
 *     TOTAL(f)            value of a tally of TOTALS, in this world
 *     OF_WORLD(f)         value of a world attribute of WORLD
 *     OF_WORLD_AT(f, i)   value i, from 0, of one that is an array; 0 beyond its length
 *     SCATTER(f, v, dx[,dy[,dz]])  adds v to SCATTERS at an offset, modulo 2^bits; does nothing over a bounded edge,
 *                         and beyond the radius
 *     ADD(f, v) LEAST(f, v) MOST(f, v)   contribute to a tally of SUMS, MINS or MAXES; a uint8_t adds up fastest
 *     ADD_UNLESS(f, v, other)  adds 1 if v is odd and `other` is even; for bytes that are mostly 0 or 1, to count
 *                         changes to 1. A GPU computes four places in one operation
 *     COUNT_IN(f, bin) ADD_IN(f, bin, v)  add 1, or v, to a bin of BINS; a bin that the tally does not have is ignored
 *     COUNT_KEY(f, key)   adds 1 to a 64-bit number of KEYS
 *     COUNT_TEXT(f, text, n)  adds 1 to the n bytes at text, of KEYS that are texts; they must be in the array of the
 *                         callback's only entry of ITEMS, SEES or MEETS
 *     ITEM(f, k)          of ITEMS, over places: the element k places further along x, in the partition's row
 *     ITEMS_AT(f)         ... a pointer to the own element; those of the places after it follow
 *     ITEMS_LEFT  ITEMS_BEFORE  the number of places of that row from the own one on, and before it
 *     AT_X AT_Y AT_Z SIZE_X SIZE_Y SIZE_Z  global coordinates and extents in places, mass_gidx
 *     STEP                the step being computed, from 1; 0 in `start`
 *     RANDOM(draw)        four random words (random.h)
 *     SHUFFLED(draw, i, n)  element i of a random permutation of n, the same for all of the world (random.h)
 *
 * MASS_ONCE(name, entries...): the body runs once in each world. Its entries are UPDATES and WRITES of world
 * attributes, WORLD, TOTALS, GIVEN and LISTS. It has no place, and contributes to no tally. In it:
 *     OUT(f)              the value of a world attribute of WRITES or UPDATES
 *     OUT_AT(f, i)        value i, from 0, of one that is an array; beyond its length it is 0, and is not kept
 *
 * network.h describes bodies over the nodes of a network (MASS_NODES). kernel_agents.h describes bodies over agents,
 * over the agents on a place, and those of maps and stencils that see agents around the place (NEARBY_OF).
 *
 * The engine may skip a tally in steps in which neither an output nor a TOTAL needs it. For the CPU to
 * vectorise, use | and & of comparisons rather than || and &&. */
#ifndef MASS_KERNEL_H
#define MASS_KERNEL_H

#include <mass/callback.h>
#include <mass/impl/entries.h>
#include <mass/impl/exact.h>
#include <mass/impl/fields.h>
#include <mass/impl/flush.h>
#include <mass/impl/keys.h>
#include <mass/impl/points.h>
#include <mass/impl/effects.h>
#include <mass/impl/reach.h>
#include <mass/random.h>

/* The struct of typed pointers that the engine fills. */
#define MASS_POINTER_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_CONST_(ACCESS) MASS_VIEW_HAS_(ELEMENT, VIEW, ACCESS, T) *n;
#define MASS_CONST_(ACCESS) MASS_REST_(MASS_CONST_##ACCESS)

/* The offset along three axes, from numbers along one, two or three. `call` must have as many as the callback has
 * dimensions. */
#define MASS_THREE_(call, ...) MASS_PICK_(__VA_ARGS__, MASS_THREE3_, MASS_THREE2_, MASS_THREE1_, )(call, __VA_ARGS__)
#define MASS_THREE1_(call, x) (MASS_CHECK_AXES_(1, call, y)(x)), 0, 0
#define MASS_THREE2_(call, x, y) (MASS_CHECK_AXES_(2, call, z)(x)), (y), 0
#define MASS_THREE3_(call, x, y, z) (x), (y), (z)
#define MASS_PICK_(a, b, c, d, ...) d

#define IN(f) MASS_OWN_(in_##f)
#define NEAR(...) MASS_PICK5_(__VA_ARGS__, MASS_NEAR3, MASS_NEAR2, MASS_NEAR1, MASS_NEAR0, )(__VA_ARGS__)
#define MASS_PICK5_(a, b, c, d, e, ...) e
#define MASS_NEAR0(f) MASS_LACKING_("NEAR(" #f ") lacks the offset: NEAR(" #f ", dx, dy)", IN(f))
#define MASS_NEAR1(f, dx) (MASS_CHECK_AXES_(1, "NEAR(" #f ", " #dx ")", y) MASS_NEAR3(f, dx, 0, 0))
#define MASS_NEAR2(f, dx, dy) (MASS_CHECK_AXES_(2, "NEAR(" #f ", " #dx ", " #dy ")", z) MASS_NEAR3(f, dx, dy, 0))
#define MASS_NEAR3(f, dx, dy, dz) (MASS_CHECK_OFFSET_(f, dx, dy, dz) MASS_LOOK_(in_##f, near_##f, (dx), (dy), (dz)))
/* The element of a place around, or the element `beyond` for places that the body may not read. */
#define MASS_BESIDE_(...) MASS_BESIDE_BY_(mass_place, __VA_ARGS__)
#define MASS_BESIDE_BY_(place, what, f, beyond, ...)                                                         \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, f)))place(                                                        \
        &mass_w->site, &mass_w->reach_, what, MASS_MEMBER_OF_(POINTER, f), MASS_MEMBER_OF_(POINTER, beyond), \
        sizeof *MASS_MEMBER_OF_(POINTER, f), mass_w->pitch, mass_w->plane, __VA_ARGS__))
#define EXISTS(...)                \
    MASS_ASKED_(MASS_NOTED_EXISTS, \
                mass_site_exists(&mass_w->site, MASS_THREE_("EXISTS(" #__VA_ARGS__ ")", __VA_ARGS__)))
#define OUT(f) (MASS_MEMBER_OF_(ELEMENT, out_##f))
#define PARAM(f) (MASS_MEMBER_OF_(ELEMENT, given_##f))
#define PARAM_COUNT(f) (+MASS_MEMBER_OF_(LIST, list_##f)->count)
#define PARAM_AT(f, i) MASS_LISTED_AT_(MASS_MEMBER_OF_(LIST, list_##f), values, i, mass_w->reach_.checked)
#define PARAM_NOW(f) \
    MASS_LISTED_AT_(MASS_MEMBER_OF_(LIST, list_##f), rows_of_a_MASS_PARAMETER_TABLE, mass_row_of_step(STEP), 0)
/* A value of a list, or 0 for a number that it does not have. The engine checks tables by step before a run. */
#define MASS_LISTED_AT_(list, member, i, checked)                                             \
    __extension__({                                                                           \
        const int64_t mass_nth = (int64_t)(i);                                                \
        const __typeof__((list)->values[0]) *const mass_first = (list)->member;               \
        mass_is_listed(&mass_w->site, (checked), (list)->count, mass_nth)                     \
            ? mass_first[mass_nth] : (__typeof__((list)->values[0] + 0))0;                    \
    })
#define TOTAL(f) (+MASS_MEMBER_OF_(ELEMENT, total_##f))
#define OF_WORLD(f)                                                                                                   \
    __extension__({                                                                                                   \
        MASS_ASSERT_(!MASS_IS_ARRAY_OF_WORLD_(MASS_MEMBER_OF_(WORLD, world_##f)),                                     \
                     "OF_WORLD(" #f ") of an array: a value of it is OF_WORLD_AT(" #f ", i)")                         \
        *MASS_MEMBER_OF_(WORLD, world_##f);                                                                           \
    })
#define OF_WORLD_AT(f, i)                                                                                             \
    __extension__({                                                                                                   \
        const int64_t mass_nth = (int64_t)(i);                                                                        \
        MASS_AUTO_ mass_all = MASS_MEMBER_OF_(WORLD_AT, world_##f);                                                   \
        MASS_ASSERT_(MASS_IS_ARRAY_OF_WORLD_(mass_all),                                                               \
                     "OF_WORLD_AT(" #f ", ...) of a single value: it is OF_WORLD(" #f ")")                            \
        mass_is_of_world(&mass_w->site, mass_w->reach_.checked, sizeof mass_all->values / sizeof(int64_t), mass_nth)  \
            ? mass_all->values[mass_nth] : 0;                                                                         \
    })
#define OUT_AT(f, i)                                                                                                  \
    (*(MASS_CHECK_ARRAY_OF_WORLD_(&MASS_MEMBER_OF_(WORLD_OUT, out_##f),                                               \
                                  "OUT_AT(" #f ", ...) of a single value: it is OUT(" #f ")")                         \
       (__typeof__(&MASS_MEMBER_OF_(WORLD_OUT, out_##f).values[0]))mass_value_at(                                     \
           &mass_w->site, mass_w->reach_.checked, MASS_MEMBER_OF_(WORLD_OUT, out_##f).values,                         \
           sizeof MASS_MEMBER_OF_(WORLD_OUT, out_##f).values / sizeof(int64_t), (int64_t)(i), &mass_w->nowhere_)))
#define ADD(f, v) MASS_ADD_(#f, MASS_MEMBER_OF_(SUM, sum_##f), v)
#define MASS_ADD_(name, sum, v)                                                                                    \
    __extension__({                                                                                                \
        MASS_ASSERT_(!(MASS_IS_INTEGER_SUM_(sum) && MASS_IS_REAL_(v)), "ADD(" name ", ...) of a real number, and " \
                     name " is a sum of integers: make it real, or add mass_fixed() or a cast to int64_t")         \
        (void)(sum = MASS_ADDED_(sum, v)(sum, (v)));                                                               \
    })
#ifdef __CUDACC__
#define ADD_UNLESS(f, v, other) \
    ((void)(mass_w->sum_##f = mass_added_unless_(mass_w->sum_##f, (uint8_t)((v) | 0), (uint8_t)((other) | 0))))
#else
#define ADD_UNLESS(f, v, other) ADD(f, (uint8_t)((v) & ((other) ^ 1) & 1))
#endif
#define COUNT_IN(f, bin) mass_count_one(&MASS_MEMBER_OF_(BINS, bins_##f), (uint64_t)(bin), MASS_IS_BYTE_(bin))
#define ADD_IN(f, bin, v)                                                                                           \
    __extension__({                                                                                                 \
        MASS_ASSERT_(!MASS_IS_REAL_(v), "ADD_IN(" #f ", ...) of a real number, and bins are sums of integers: add " \
                     "mass_fixed() or a cast to int64_t")                                                           \
        mass_count(&MASS_MEMBER_OF_(BINS, bins_##f), (uint64_t)(bin), (v));                                         \
    })
#define COUNT_KEY(f, key) mass_count_key(&MASS_MEMBER_OF_(KEYS, keys_##f), (uint64_t)(key))
#define COUNT_TEXT(f, text, n) mass_count_bytes(&MASS_MEMBER_OF_(KEYS, keys_##f), (text), (uint64_t)(n))
#define ITEM(f, k) (MASS_MEMBER_OF_(POINTER, item_##f)[(k)])
#define ITEMS_AT(f) (MASS_MEMBER_OF_(POINTER, item_##f))
#define ITEMS_BEFORE \
    ((void)sizeof(mass_w->items), MASS_ASKED_(MASS_NOTED_POSITION, mass_w->site.x - mass_w->site.launch->origin[0]))
#define ITEMS_LEFT (mass_w->site.launch->extent[0] - ITEMS_BEFORE)
#define LEAST(f, v) MASS_KEEP_(MASS_MEMBER_OF_(ELEMENT, least_##f), <, v)
#define MOST(f, v) MASS_KEEP_(MASS_MEMBER_OF_(ELEMENT, most_##f), >, v)
#define MASS_KEEP_(kept, BETTER, v) ((void)(kept = (v) BETTER kept ? (v) : kept))
#define AT_X MASS_ASKED_(MASS_NOTED_POSITION, mass_w->site.x)
#define AT_Y MASS_ASKED_(MASS_NOTED_POSITION, mass_w->site.y)
#define AT_Z MASS_ASKED_(MASS_NOTED_POSITION, mass_w->site.z)
#define SIZE_X MASS_ASKED_(MASS_NOTED_SIZE, mass_w->site.launch->size[0])
#define SIZE_Y MASS_ASKED_(MASS_NOTED_SIZE, mass_w->site.launch->size[1])
#define SIZE_Z MASS_ASKED_(MASS_NOTED_SIZE, mass_w->site.launch->size[2])
/* A function call. A schedule recognizes its name if it has STEP instead of STEPS (model.h). */
#define STEP mass_the_step(MASS_ASKED_(MASS_NOTED_STEP, mass_launch_step(mass_w->site.launch)))
#ifdef __CUDACC__
#define MASS_RANDOM_(draw) mass_site_random(&mass_w->site, (draw))
#else
#define MASS_RANDOM_(draw) mass_random_of(&mass_w->site, mass_w->draws, (draw))
#endif
#define RANDOM(draw)                                                                                       \
    MASS_RANDOM_(mass_draw(&mass_w->site, MASS_ASKED_(MASS_NOTED_RANDOM, (uint64_t)(draw)), MASS_LAST_DRAW))
#define SHUFFLED(draw, i, n)                                                                                     \
    MASS_ASKED_(MASS_NOTED_RANDOM,                                                                               \
                mass_site_shuffled(&mass_w->site, mass_draw(&mass_w->site, (uint64_t)(draw), MASS_LAST_SHUFFLE), \
                                   (i), (n)))

/* Returns its argument: STEP is a call of it. */
MASS_FN uint64_t mass_the_step(uint64_t step) { return step; }

/* The numbers of a callback's BINS fields, for an enum. */
#define MASS_BIN_FIELD_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_BIN_FIELD_##VIEW(n))
#define MASS_BIN_FIELD_BINS_(n) ~, MASS_JOIN(n, _number),

/* The numbers of a callback's SUM fields, for an enum. */
#define MASS_SUM_FIELD_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUM_FIELD_##VIEW(n))
#define MASS_SUM_FIELD_SUM_(n) ~, MASS_JOIN(n, _sum),
#define MASS_SUM_NUMBER_(VIEW, n) (0 MASS_REST_(MASS_SUM_NUMBER_##VIEW(n)))
#define MASS_SUM_NUMBER_SUM_(n) ~, + MASS_JOIN(n, _sum)

/* Is true if the compiler knows that an offset is 0. */
#ifdef __CUDACC__
#define MASS_IS_NONE_(by) 0
#else
#define MASS_IS_NONE_(by) (__builtin_constant_p(by) && (by) == 0)
#endif

/* Is 1 if the coordinate `at` + `by` of the space exists along one axis: the axis wraps, or it is within the extent. */
MASS_FN int mass_axis_exists(const mass_launch *l, int axis, mass_gidx at, mass_gidx by)
{
    const mass_gidx to = mass_sum_i64(at, by);
    if (MASS_IS_NONE_(by)) return 1;
    return (l->torus >> axis & 1) || (to >= 0 && to < l->size[axis]);
}
/* Is 1 if there is a place at an offset from the body's place, else 0. */
MASS_FN int mass_site_exists(const mass_site *s, int64_t dx, int64_t dy, int64_t dz)
{
    return mass_axis_exists(s->launch, 0, s->x, dx) & mass_axis_exists(s->launch, 1, s->y, dy) &
           mass_axis_exists(s->launch, 2, s->z, dz);
}

/* Adds to places. A field is the address of place (0, 0, 0) of world 0. */
#define SCATTER(f, v, ...)                                                                                \
    do {                                                                                                  \
        const int64_t mass_element_ =                                                                     \
            mass_scattered(&mass_w->site, &mass_w->reach_,                                                \
                           MASS_THREE_("SCATTER(" #f ", " #v ", " #__VA_ARGS__ ")", __VA_ARGS__));        \
        if (mass_element_ != MASS_NO_ELEMENT)                                                             \
            MASS_SCATTER_TO_(MASS_MEMBER_OF_(POINTER, scatter_##f) + mass_element_, (v));                 \
    } while (0)
#define MASS_NO_ELEMENT INT64_MIN

/* A function that a GPU calls: inlined, it would make bodies too long. */
#ifdef __CUDACC__
#define MASS_CALLED_FN_ static __device__ __noinline__ __attribute__((unused))
#else
#define MASS_CALLED_FN_ MASS_FN
#endif

/* Returns the element of a place outside the partition; x, y and z count from the partition's first place. Across a
 * boundary it is a ghost's, from which the engine adds to the place that the ghost shows. An axis that is not cut wraps
 * here. */
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

/* Returns the element of the place at an offset, or MASS_NO_ELEMENT. */
MASS_FN int64_t mass_scattered(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *l = s->launch;
    const uint32_t reach = (uint32_t)l->reach;
    if (!(mass_within(dx, reach) & mass_within(dy, reach) & mass_within(dz, reach))) {
        mass_report_out_of_reach(s, r->checked, MASS_OUT_OF_REACH_SCATTER, dx, dy, dz);
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

/* Is true if bodies follow edges. */
#define MASS_FOLLOWS_(LIST) ((0 MASS_EACH_(MASS_FOLLOWED_, LIST)) != 0)
#define MASS_FOLLOWED_(CLASS, ...) MASS_REST_(MASS_FOLLOWED_##CLASS)
#define MASS_FOLLOWED_LINKED_ ~, + 1
#define MASS_FOLLOWED_EDGES_ ~, + 1
/* Places along x that a thread of a CUDA form computes: 8 if all elements are bytes, whatever residents have, 16 if
 * they are counted, else 4. It is 8 with bits, so that they fill whole bytes. A thread follows the edges of one node.
 */
#define MASS_STRIP_PLACES(LIST)                                                           \
    (MASS_FOLLOWS_(LIST) && !(0 MASS_EACH_(MASS_BITS_, LIST)) ? 1 :                       \
     (0 MASS_EACH_(MASS_WIDE_, LIST)) != 0 ? ((0 MASS_EACH_(MASS_BITS_, LIST)) ? 8 : 4) : \
     (0 MASS_EACH_(MASS_GATHERS_, LIST)) && !(0 MASS_EACH_(MASS_MEETS_, LIST)) ? 16 : 8)
#define MASS_MEETS_(CLASS, VIEW, ...) MASS_REST_(MASS_MEETS_##VIEW)
#define MASS_MEETS_OTHERS_ ~, + 1
/* ... and along y: more in a large space, as far as compilation stays fast enough. Bodies over residents are loops:
 * more rows only save additions to tallies. Bodies that scatter are long, and so are those that walk agents nearby. */
#define MASS_SCATTERS(LIST) ((0 MASS_EACH_(MASS_SCATTERS_, LIST)) != 0)
#define MASS_SCATTERS_(CLASS, VIEW, ...) MASS_REST_(MASS_SCATTERS_##VIEW)
#define MASS_SCATTERS_WHOLE_ ~, + 1
/* Is true if bodies name agents nearby. */
#define MASS_IS_NEARBY_(LIST) ((0 MASS_EACH_(MASS_NEAR_BIT_, LIST)) != 0)
#define MASS_ROWS_FEW(DIMENSIONS, RADIUS) ((DIMENSIONS) == 3 || (RADIUS) == 0 || (RADIUS) > 2)
#define MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS)                                            \
    (MASS_FOLLOWS_(LIST) ? 1 :                                                                     \
     MASS_SCATTERS(LIST) || (OVER) == MASS_OVER_OCCUPIED ? 2 : (OVER) == MASS_OVER_RESIDENTS ? 8 : \
     MASS_IS_NEARBY_(LIST) ? 2 : MASS_ROWS_FEW(DIMENSIONS, RADIUS) ? 4 : (RADIUS) == 2 ? 8 : 16)
#define MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS)                               \
    (MASS_FOLLOWS_(LIST) ? 1 :                                                        \
     (OVER) >= MASS_OVER_RESIDENTS || MASS_SCATTERS(LIST) || MASS_IS_NEARBY_(LIST) || \
             MASS_ROWS_FEW(DIMENSIONS, RADIUS)                                        \
         ? 2 : 4)
/* A kernel that gathers computes single rows. */
#define MASS_ROWS_TALLY(LIST, OVER, DIMENSIONS, RADIUS) \
    ((0 MASS_EACH_(MASS_GATHERS_, LIST)) ? 1 : MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS))
#define MASS_HAS_TALLIES(LIST) ((0 MASS_EACH_(MASS_TALLIES_, LIST)) != 0)
#define MASS_TALLIES_(CLASS, ...) MASS_REST_(MASS_TALLIES_##CLASS)
#define MASS_TALLIES_TALLY_ ~, + 1
/* Places along x that a thread of a CUDA form of several steps computes. With more, even of bytes, its rows do not fit
 * into registers. */
enum { MASS_FUSED_PLACES = 4 };
/* The most steps that a CUDA form of several advances: as many as the rows fit into registers; 0: there is no such
 * form. The values of a place may depend only on parameters and on READS attributes around it, of up to 32 bits. */
#define MASS_FUSED_STEPS(LIST, OVER, DIMENSIONS, RADIUS)                                                       \
    ((OVER) != MASS_OVER_PLACES || (DIMENSIONS) < 2 || (RADIUS) < 1 || (RADIUS) > 2 ||                         \
             (0 MASS_EACH_(MASS_UNFUSED_, LIST)) != 0 || (0 MASS_EACH_(MASS_WRITES_, LIST)) == 0               \
         ? 0 : (DIMENSIONS) == 2 ? MASS_FUSED_ROOM(MASS_FUSED_ROW(LIST, RADIUS))                               \
         : (RADIUS) == 1 && (0 MASS_EACH_(MASS_READ_BYTES_, LIST)) * MASS_FUSED_PLACES <= 16 ? 2 : 0)
#define MASS_READ_BYTES_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_READ_BYTES_##VIEW(T))
#define MASS_READ_BYTES_AROUND_(T) ~, + sizeof(T)
#define MASS_FUSED_ROW(LIST, RADIUS) \
    ((0 MASS_EACH_(MASS_READS_, LIST)) * (2 * (RADIUS) + 1) * (MASS_FUSED_PLACES + 2 * (RADIUS)))
#define MASS_FUSED_ROOM(registers) ((registers) <= 32 ? 4 : (registers) <= 40 ? 3 : (registers) <= 64 ? 2 : 0)
#define MASS_READS_(CLASS, VIEW, ...) MASS_REST_(MASS_READS_##VIEW)
#define MASS_READS_AROUND_ ~, + 1
#define MASS_STRIDES_(LIST) ((0 MASS_EACH_(MASS_GATHERS_, LIST)) ? MASS_FORM_STRIDES : 0)

/* A member that only windows of bodies over places have, or only those over residents. Code about items, or about
 * residents, does not compile in other bodies. */
#define MASS_MARK_MASS_OVER_PLACES items
#define MASS_MARK_MASS_OVER_RESIDENTS residents
#define MASS_MARK_MASS_OVER_OCCUPIED residents

/* Callbacks are static unless MASS_SHARED_CALLBACKS is defined: compilers then warn of those in no schedule. */
#ifdef MASS_SHARED_CALLBACKS
#define MASS_CALLBACK_(NAME)         \
    extern const mass_callback NAME; \
    const mass_callback NAME
#else
#define MASS_CALLBACK_(NAME) static const mass_callback NAME
#endif

#ifdef __CUDACC__
#include <mass/impl/kernel_cuda.h>
#else
#include <mass/impl/kernel_cpu.h>
#endif

/* mass_add_plugin() makes device code of one file, in which it defines MASS_IS_MODEL. */
#if defined(MASS_CALLBACKS_IN_MODEL) && !defined(MASS_IS_MODEL)
#define MASS_PLACED_HERE_(NAME) \
    MASS_ASSERT_(0, #NAME " gets no GPU code here: name this file by MODEL in mass_add_plugin()")
#else
#define MASS_PLACED_HERE_(NAME)
#endif
#define MASS_CHECKED_(E, NAME, KIND, OWNER, ...)              \
    MASS_PLACED_HERE_(NAME)                                   \
    MASS_CHECK_LIST_(NAME, KIND, #__VA_ARGS__)                \
    MASS_ENTRIES_(E, MASS_CHECK_ENTRY_, KIND, __VA_ARGS__##E) \
    MASS_EACH_(MASS_FIELD_TYPE_, (MASS_LISTED_(E, KIND, OWNER, NAME, __VA_ARGS__##E)))
/* The populations that a callback sees, its own first: their numbers, their count and their names. A body's window has,
 * by name, an array of a population's number and one elements, and the agents that are here. */
#define MASS_POPULATED_(NAME, ...) MASS_NO_SETS_(NAME) MASS_POPULATED_ON_(NAME, , "", __VA_ARGS__)
#define MASS_POPULATED_ON_(NAME, MEMBER, NETWORK, ...)                                                   \
    MASS_SIGHT_(NAME, MEMBER, __VA_ARGS__)                                                               \
    enum { MASS_JOIN(NAME, _meets) = MASS_JOIN(NAME, _populations) };                                    \
    MASS_OF_NETWORK_(NAME, NETWORK)                                                                      \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _population) = MASS_FIRST_NAME_(__VA_ARGS__, );
#define MASS_SIGHT_(NAME, MEMBER, ...)                                                                   \
    enum { MASS_NAMES_(MASS_SEEN_NUMBER_, NAME, __VA_ARGS__) MASS_JOIN(NAME, _populations) };            \
    MASS_ASSERT_((int)MASS_JOIN(NAME, _populations) <= (int)MASS_POPULATIONS_SEEN,                       \
                 #NAME " sees more than the 4 populations that a callback may see")                      \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _sees)[] = {                        \
        MASS_NAMES_(MASS_SEEN_NAME_, NAME, __VA_ARGS__)};                                                \
    typedef struct {                                                                                     \
        MASS_NAMES_(MASS_SEEN_MEMBER_, NAME, __VA_ARGS__)                                                \
        mass_span others[MASS_JOIN(NAME, _populations)];                                                 \
        MEMBER                                                                                           \
        struct { MASS_TAGS_(__VA_ARGS__, 1, 2, 3, 4) } *tags;                                            \
    } MASS_JOIN(NAME, _sight);
#define MASS_SEEN_NUMBER_(NAME, population) NAME##_sees_##population,
#define MASS_SEEN_NAME_(NAME, population) #population,
#define MASS_SEEN_MEMBER_(NAME, population) char (*sees_##population)[NAME##_sees_##population + 1];
#define MASS_FIRST_NAME_(population, ...) #population
/* A type for each population, by which claims find its number; numbers fill the places up to four. */
#define MASS_TAGS_(...) MASS_TAGS_OF_(__VA_ARGS__)
#define MASS_TAGS_OF_(a, b, c, d, ...) \
    struct mass_tag_##a *tag0; struct mass_tag_##b *tag1; struct mass_tag_##c *tag2; struct mass_tag_##d *tag3;
#define MASS_UNPOPULATED_(NAME) MASS_NO_SETS_(NAME) MASS_UNPOPULATED_BUT_(NAME, , "")
#define MASS_UNPOPULATED_BUT_(NAME, MEMBER, NETWORK)                                                     \
    enum { MASS_JOIN(NAME, _populations) };                                                              \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _sees)[] = {0};                     \
    typedef struct { mass_span others[1]; MEMBER } MASS_JOIN(NAME, _sight);                              \
    MASS_UNPOPULATED_PLACES_(NAME, NETWORK)
/* The name of the network over whose nodes a callback runs; "": it is of no network. */
#define MASS_OF_NETWORK_(NAME, NETWORK) __attribute__((unused)) static const char MASS_JOIN(NAME, _network)[] = NETWORK;
/* The sets of edges that a callback walks, with numbers from 1. */
#define MASS_NO_SETS_(NAME)                                                                   \
    enum { MASS_JOIN(NAME, _set_count) };                                                     \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _sets)[] = {0};          \
    typedef struct { char (*none)[1]; } MASS_JOIN(NAME, _walked_sets);
#define MASS_SETS_OF_(NAME, ...) \
    MASS_JOIN(MASS_SETS_OF_, MASS_SECOND_(MASS_JOIN(MASS_ALONE_, MASS_COUNT_(__VA_ARGS__)), 2))(NAME, __VA_ARGS__)
#define MASS_SETS_OF_1(NAME, none) MASS_NO_SETS_(NAME)
#define MASS_SETS_OF_2(NAME, none, ...)                                                                          \
    enum { MASS_JOIN(NAME, _own_edges), MASS_NAMES_(MASS_SEEN_NUMBER_, NAME, __VA_ARGS__)                        \
           MASS_JOIN(NAME, _sets_end), MASS_JOIN(NAME, _set_count) = MASS_JOIN(NAME, _sets_end) - 1 };           \
    MASS_ASSERT_((int)MASS_JOIN(NAME, _set_count) <= (int)MASS_EDGE_SETS,                                        \
                 #NAME " walks more than the 3 sets of edges that a callback may walk")                          \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _sets)[] = {                                \
        MASS_NAMES_(MASS_SEEN_NAME_, NAME, __VA_ARGS__)};                                                        \
    typedef struct { MASS_NAMES_(MASS_SEEN_MEMBER_, NAME, __VA_ARGS__) } MASS_JOIN(NAME, _walked_sets);
/* Places have no population of their own, and meet no agents: they see those of NEARBY_OF. */
#define MASS_UNPOPULATED_PLACES_(NAME, NETWORK)                                                          \
    enum { MASS_JOIN(NAME, _meets) = 0, MASS_JOIN(NAME, _asks) = 0 };                                    \
    MASS_OF_NETWORK_(NAME, NETWORK)                                                                      \
    __attribute__((unused)) static const char *const MASS_JOIN(NAME, _population) = 0;
#define MASS_PLACES_SEE_(NAME, ...) \
    MASS_JOIN(MASS_PLACES_SEE_, MASS_SECOND_(MASS_JOIN(MASS_ALONE_, MASS_COUNT_(__VA_ARGS__)), 2))(NAME, __VA_ARGS__)
#define MASS_PLACES_SEE_1(NAME, none) MASS_UNPOPULATED_(NAME)
#define MASS_PLACES_SEE_2(NAME, none, ...) \
    MASS_NO_SETS_(NAME)                     \
    MASS_SIGHT_(NAME, , __VA_ARGS__)        \
    MASS_UNPOPULATED_PLACES_(NAME, "")
/* Populations as a callback lists them, `ants` or `(ants, bees)`: as a list; and the first of them. */
#define MASS_POPULATIONS_(P) MASS_JOIN(MASS_POPULATIONS_OF_, MASS_COUNT_(MASS_IS_LIST_ P))(P)
#define MASS_IS_LIST_(...) ~, ~
#define MASS_POPULATIONS_OF_1(P) P
#define MASS_POPULATIONS_OF_2(P) MASS_UNWRAPPED_ P
#define MASS_OWN_POPULATION_(P) MASS_FIRST_OF_LIST_(MASS_POPULATIONS_(P), )
#define MASS_FIRST_OF_LIST_(...) MASS_FIRST1_(__VA_ARGS__)
#define MASS_FIRST1_(a, ...) a

/* Entries after `##` are not expanded (impl/each.h). */
#define MASS_STENCIL(NAME, DIMENSIONS, RADIUS, ...) MASS_STENCIL_(, NAME, DIMENSIONS, RADIUS, ##__VA_ARGS__)
#define MASS_STENCIL_(E, NAME, DIMENSIONS, RADIUS, ...)                                    \
    MASS_JOIN(MASS_STENCIL_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, DIMENSIONS, RADIUS, __VA_ARGS__##E)
#define MASS_STENCIL_OF_2(E, NAME, DIMENSIONS, RADIUS, ...) MASS_STENCIL_OF_1(E, NAME, DIMENSIONS, RADIUS, __VA_ARGS__)
#define MASS_STENCIL_OF_1(E, NAME, DIMENSIONS, RADIUS, ...)                                                     \
    MASS_PLACES_SEE_(NAME, MASS_SEEN_BY_PLACES_(E, __VA_ARGS__##E))                                             \
    MASS_CHECK_RADIUS_(NAME, RADIUS)                                                                            \
    MASS_CHECKED_(E, NAME, PLACES_, , __VA_ARGS__##E)                                                           \
    MASS_KERNEL_(NAME, (MASS_LISTED_(E, PLACES_, , NAME, __VA_ARGS__##E)), DIMENSIONS, MASS_NUMBER_(RADIUS),    \
                 MASS_OVER_PLACES)
#define MASS_MAP(NAME, ...) MASS_STENCIL_(, NAME, 0, 0, ##__VA_ARGS__)
#define MASS_SCATTER(NAME, DIMENSIONS, RADIUS, ...) MASS_STENCIL_(, NAME, DIMENSIONS, RADIUS, ##__VA_ARGS__)

#include <mass/impl/kernel_once.h>
#include <mass/kernel_agents.h>
#include <mass/impl/kernel_edges.h>

/* MASS_WORLD_STEPS(callback, ...) names the callbacks of the step schedule, once in a plugin, at the end of the file.
 * It adds a program for block-resident worlds: a GPU then computes many steps in one launch for worlds that fit into
 * one of its multiprocessors. All populations must be constant and without a capacity. It does not change results. */
#ifdef __CUDACC__
#include <mass/impl/kernel_world.h>
#else
#define MASS_WORLD_STEPS(...) _Static_assert(1, "");
#endif

#endif
