/* SPDX-License-Identifier: Apache-2.0 */
/* CPU forms of a kernel: one loop body compiled for each instruction set, and the tables that the engine reads.
 * Included by kernel.h. */
#ifndef MASS_KERNEL_CPU_H
#define MASS_KERNEL_CPU_H

#include <mass/callback.h>
#include <mass/impl/exact.h>
#include <mass/impl/fields.h>
#include <mass/impl/kernel_cpu_draws.h>
#include <mass/impl/kernel_cpu_tallies.h>
#include <mass/impl/views.h>
#include <mass/random.h>
#include <string.h>

/* Tells compilers that places do not depend on each other. The compiler decides if vectors pay. gcc's `omp simd` would
 * insist, but keep structs in memory, such as random words. A rule that does not vectorise is slower, not wrong. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define MASS_VECTOR_ _Pragma("clang loop vectorize(assume_safety)")
#else
#define MASS_VECTOR_ _Pragma("GCC ivdep")
#endif

/* The code of kernels for a field, by its view (views.h). For a view without a line there is no code. The variable
 * `at` is the element at the begin of a row, 0 in loops over agents. Places count from there in `here`, and agents
 * in `own`. */
#define MASS_INDEX_PLACES_ here
#define MASS_INDEX_AGENTS_ own
#define MASS_INDEX_REQUESTS_ own

/* The type of elements in the memory of loops. Bits are bytes of 0 and 1, which compilers vectorise. */
#ifdef __cplusplus
template <class T> struct mass_seen_ { typedef T type; };
template <> struct mass_seen_<bool> { typedef uint8_t type; };
#define MASS_SEEN_(T) typename mass_seen_<T>::type
#else
#define MASS_SEEN_(T) __typeof__(*_Generic((T *)0, bool *: (uint8_t *)0, default: (T *)0))
#endif

/* The members of a body's window. */
#define MASS_WINDOW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_WINDOW_##VIEW(ACCESS, n, n2, T))
#define MASS_WINDOW_AROUND_(ACCESS, n, n2, T) ~, const MASS_SEEN_(T) *n, *n2;
#define MASS_WINDOW_POINT_(ACCESS, n, n2, T) ~, MASS_CONST_(ACCESS) T *n;
#define MASS_WINDOW_WHOLE_(ACCESS, n, n2, T) ~, T *n;
#define MASS_WINDOW_OTHERS_(ACCESS, n, n2, T) ~, MASS_CONST_(ACCESS) T *n, *MASS_JOIN(n, _nobody);
#define MASS_WINDOW_NEARBY_(ACCESS, n, n2, T) ~, MASS_CONST_(ACCESS) T *n;
#define MASS_WINDOW_ANYBODY_(ACCESS, n, n2, T) ~, MASS_CONST_(ACCESS) T *n;
#define MASS_WINDOW_VALUE_(ACCESS, n, n2, T) ~, T n;
#define MASS_WINDOW_SCALAR_(ACCESS, n, n2, T) ~, T n;
#define MASS_WINDOW_LIST_(ACCESS, n, n2, T) ~, const T *n;
#define MASS_WINDOW_SUM_(ACCESS, n, n2, T) ~, MASS_SUMMED_(T) n;
#define MASS_WINDOW_EXTREME_(ACCESS, n, n2, T) ~, T n;
#define MASS_WINDOW_BINS_(ACCESS, n, n2, T) ~, mass_counter n;
#define MASS_WINDOW_KEYS_(ACCESS, n, n2, T) ~, mass_key_counter n;

/* Reads of places around are recorded in the effect log. A read of the own place is not: in loops that do not check,
 * that would cost registers. */
#define MASS_LOOK_(f, beyond, ...)                                                                            \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, f)))mass_place_looked_at(                                          \
        &mass_w->site, &mass_w->reach_, MASS_MEMBER_OF_(POINTER, f), MASS_MEMBER_OF_(POINTER, beyond),        \
        sizeof *MASS_MEMBER_OF_(POINTER, f), mass_w->pitch, mass_w->plane, __VA_ARGS__))
#define MASS_OWN_(f) (*MASS_MEMBER_OF_(POINTER, f))

/* Before a row, or a world's agents: the address of its elements, values of the world, empty tallies. */
#define MASS_ROW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_ROW_##VIEW(ACCESS, n, T))
#define MASS_ROW_AROUND_(ACCESS, n, T) \
    ~, const MASS_SEEN_(T) *__restrict__ const MASS_JOIN(n, _row) = (const MASS_SEEN_(T) *)f.n + at;
#define MASS_ROW_VALUE_(ACCESS, n, T) \
    ~, MASS_SEEN_(T) *__restrict__ const MASS_JOIN(n, _row) = (MASS_SEEN_(T) *)f.n + at;
#define MASS_ROW_SCALAR_(ACCESS, n, T) ~, const T MASS_JOIN(n, _row) = f.n[world];
#define MASS_ROW_LIST_(ACCESS, n, T) ~, const T *const MASS_JOIN(n, _row) = f.n + world;
#define MASS_ROW_SUM_(ACCESS, n, T)                                 \
    ~, __attribute__((unused)) int64_t MASS_JOIN(n, _row) = 0;      \
    __attribute__((unused)) int64_t MASS_JOIN(n, _high) = 0;        \
    __attribute__((unused)) int64_t MASS_JOIN(n, _beyond) = 0;      \
    __attribute__((unused)) mass_exact_window MASS_JOIN(n, _exact); \
    if (MASS_IS_F64_(T)) mass_exact_begin(&MASS_JOIN(n, _exact), f.n + world * MASS_EXACT_WORDS);
#define MASS_ROW_EXTREME_(ACCESS, n, T) \
    ~, __attribute__((unused)) int64_t MASS_JOIN(n, _row) = MASS_RANK_(MASS_FARTHEST_(ACCESS, T));
#define MASS_ROW_BINS_(ACCESS, n, T)                                   \
    ~, __attribute__((unused)) const mass_counter MASS_JOIN(n, _row) = \
        mass_counter_of(f.n, &l.bins[MASS_JOIN(n, _number)], world);
#define MASS_ROW_KEYS_(ACCESS, n, T) \
    ~, const mass_key_counter MASS_JOIN(n, _row) = mass_key_counter_of(f.n, &l, world, tallies);

/* Before a body, and after it. */
#define MASS_GET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_GET_##VIEW(CLASS, ACCESS, n, n2, T))
#define MASS_GET_AROUND_(CLASS, ACCESS, n, n2, T) \
    ~, window.n = MASS_JOIN(n, _row) + here, window.n2 = (const MASS_SEEN_(T) *)f.n + none;
#define MASS_GET_POINT_(CLASS, ACCESS, n, n2, T) ~, window.n = f.n + at + MASS_INDEX_##CLASS;
#define MASS_GET_WHOLE_(CLASS, ACCESS, n, n2, T) ~, window.n = f.n;
#define MASS_GET_OTHERS_(CLASS, ACCESS, n, n2, T)    \
    ~, T MASS_JOIN(n, _of_nobody);                   \
    memset(&MASS_JOIN(n, _of_nobody), 0, sizeof(T)); \
    window.n = f.n, window.MASS_JOIN(n, _nobody) = &MASS_JOIN(n, _of_nobody);
#define MASS_GET_NEARBY_(CLASS, ACCESS, n, n2, T) MASS_GET_OTHER_(others_, n, n2, T)
#define MASS_GET_ANYBODY_(CLASS, ACCESS, n, n2, T) MASS_GET_OTHER_(anybody_, n, n2, T)
#define MASS_GET_VALUE_(CLASS, ACCESS, n, n2, T) \
    ~, if (MASS_IS_LOADED_(ACCESS) || checked) window.n = MASS_JOIN(n, _row)[MASS_INDEX_##CLASS];
#define MASS_GET_SCALAR_(CLASS, ACCESS, n, n2, T) ~, window.n = MASS_JOIN(n, _row);
#define MASS_GET_LIST_(CLASS, ACCESS, n, n2, T) ~, window.n = MASS_JOIN(n, _row);
#define MASS_GET_SUM_(CLASS, ACCESS, n, n2, T) ~, window.n = MASS_SUM_BEGIN_(T)(tallies ? &MASS_JOIN(n, _exact) : 0);
#define MASS_GET_EXTREME_(CLASS, ACCESS, n, n2, T) ~, window.n = MASS_FARTHEST_(ACCESS, T);
#define MASS_GET_BINS_(CLASS, ACCESS, n, n2, T) ~, window.n = mass_counter_lane(&MASS_JOIN(n, _row), lane, tallies);
#define MASS_GET_KEYS_(CLASS, ACCESS, n, n2, T) ~, window.n = MASS_JOIN(n, _row);
#define MASS_IS_SHOWN_(VIEW)                                              \
    MASS_ASSERT_(MASS_COUNT_(MASS_WINDOW_##VIEW(MASS_READ, , , )) > 1 &&  \
                     MASS_COUNT_(MASS_GET_##VIEW(, MASS_READ, , , )) > 1, \
                 "kernel_cpu.h lacks MASS_WINDOW_" #VIEW " or MASS_GET_" #VIEW)
MASS_VIEWS_(MASS_IS_SHOWN_)
#define MASS_PUT_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_PUT_##VIEW(CLASS, n))
#define MASS_PUT_VALUE_(CLASS, n) ~, MASS_JOIN(n, _row)[MASS_INDEX_##CLASS] = window.n;

/* After a body: add its contributions to the row. Bytes of integer sums add up in variables of a loop, which are narrow
 * in vectorised loops. Such a loop ends before they can overflow. Then they are added to the row's sums. */
#define MASS_TALLY_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TALLY_##VIEW(ACCESS, n))
#define MASS_TALLY_SUM_(ACCESS, n)                                                    \
    ~, MASS_JOIN(n, _low) += MASS_SUM_LOW_(window.n);                                 \
    MASS_JOIN(n, _row) = mass_sum_i64(MASS_JOIN(n, _row), MASS_SUM_ABOVE_(window.n)); \
    MASS_JOIN(n, _high) += MASS_SUM_HIGH_(window.n);                                  \
    MASS_JOIN(n, _beyond) |= MASS_SUM_BEYOND_(window.n);
#define MASS_TALLY_EXTREME_(ACCESS, n) \
    ~, MASS_JOIN(n, _row) = mass_better_(ACCESS == MASS_MIN, MASS_RANK_(window.n), MASS_JOIN(n, _row));
enum { MASS_NARROW_PLACES = 256 };
#define MASS_NARROW_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_LOW_##VIEW(uint16_t, n))
#define MASS_WIDE_LOW_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_LOW_##VIEW(uint64_t, n))
#define MASS_LOW_SUM_(WORD, n) ~, __attribute__((unused)) WORD MASS_JOIN(n, _low) = 0;
#define MASS_CARRY_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_CARRY_##VIEW(n))
#define MASS_CARRY_SUM_(n) ~, MASS_JOIN(n, _row) = mass_sum_i64(MASS_JOIN(n, _row), (int64_t)MASS_JOIN(n, _low));

/* After a row, or a world's agents: add the row's contributions to the tally of the world. */
#define MASS_FLUSH_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_FLUSH_##VIEW(ACCESS, n, T))
#define MASS_FLUSH_SUM_(ACCESS, n, T)                                                                           \
    ~, if (MASS_IS_F64_(T)) mass_exact_flush(&MASS_JOIN(n, _exact));                                            \
    else if (!mass_is_fixed(&l, MASS_JOIN(n, _sum))) f.n[world] = mass_sum_i64(f.n[world], MASS_JOIN(n, _row)); \
    else f.n[world] = mass_sum_fixed(f.n[world], mass_row_fixed(MASS_JOIN(n, _row), MASS_JOIN(n, _high),        \
                                                                MASS_JOIN(n, _beyond)));
#define MASS_FLUSH_EXTREME_(ACCESS, n, T) \
    ~, f.n[world] = mass_better_(ACCESS == MASS_MIN, MASS_JOIN(n, _row), f.n[world]);
/* After a row: write its ghosts along x, if its own places are their source. The nearest ghosts come first: in a space
 * narrower than its ghosts, they are the source of those beyond. */
#define MASS_WRAP_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_WRAP_##VIEW(n))
#define MASS_WRAP_VALUE_(n)                                                      \
    ~, for (mass_lidx ghost = 0; ghost < push; ghost++) {                        \
        MASS_JOIN(n, _row)[-1 - ghost] = MASS_JOIN(n, _row)[last_x - 1 - ghost]; \
        MASS_JOIN(n, _row)[last_x + ghost] = MASS_JOIN(n, _row)[ghost];          \
        __asm__("" ::: "memory"); /* too few for vectors */                      \
    }
#define MASS_NOTHING_(...)

/* The number of fields by which a body writes to agents by number. */
#define MASS_UPDATES_(CLASS, VIEW, ACCESS, ...) MASS_REST_(MASS_UPDATES_##VIEW(ACCESS))
#define MASS_UPDATES_OTHERS_(ACCESS) ~, + !MASS_IS_CONST_(ACCESS)

/* A body that names agents nearby compiles to much code. So it has one copy, and one for devices that check. All loops
 * call these but the one in which most of the time goes. Other bodies are compiled into each loop. */
#define MASS_APART_(NAME)                                                                                              \
    __attribute__((noinline, unused)) static void MASS_JOIN(NAME, _apart)(MASS_JOIN(NAME, _window) *const w)           \
    {                                                                                                                  \
        w->reach_.checked = 0;                                                                                         \
        MASS_JOIN(NAME, _body)(w);                                                                                     \
    }                                                                                                                  \
    __attribute__((noinline, unused)) static void MASS_JOIN(NAME, _apart_checked)(MASS_JOIN(NAME, _window) *const w)   \
    {                                                                                                                  \
        MASS_JOIN(NAME, _body)(w);                                                                                     \
    }
#define MASS_RUN_BODY_(NAME, APART)                             \
    if (!(APART)) MASS_JOIN(NAME, _body)(&window);              \
    else if (checked) MASS_JOIN(NAME, _apart_checked)(&window); \
    else MASS_JOIN(NAME, _apart)(&window);

/* Runs the body for one place, x, whose residents are those from FIRST to before END. `lane` is one of a counter's, or
 * -1. */
#define MASS_AT_(NAME, LIST, TALLY, FIRST, END) MASS_AT_LANE_(NAME, LIST, TALLY, FIRST, END, -1)
#define MASS_AT_LANE_(NAME, LIST, TALLY, FIRST, END, LANE)        \
    {                                                             \
        const int lane = (LANE);                                  \
        const mass_lidx here = x;                                 \
        (void)lane, (void)here;                                   \
        MASS_JOIN(NAME, _window) window;                          \
        window.first_resident = (FIRST);                          \
        window.end_of_residents = (END);                          \
        window.pitch = l.pitch;                                   \
        window.plane = l.plane;                                   \
        window.reach_.along[0] = MASS_JOIN(NAME, _reach_x);       \
        window.reach_.along[1] = MASS_JOIN(NAME, _reach_y);       \
        window.reach_.along[2] = MASS_JOIN(NAME, _reach_z);       \
        window.reach_.checked = checked;                          \
        window.site.launch = &l;                                  \
        window.site.x = l.origin[0] + x;                          \
        window.site.y = l.origin[1] + y;                          \
        window.site.z = l.origin[2] + z;                          \
        window.site.world = (int32_t)world;                       \
        window.site.id = 0;                                       \
        window.draws = 0;                                         \
        window.self_ = MASS_NOBODY;                               \
        window.walked_.end = window.walked_.first = 0;            \
        MASS_MEET_OTHERS_(NAME)                                   \
        MASS_EACH_(MASS_GET_, LIST)                               \
        MASS_RUN_BODY_(NAME, MASS_IS_NEARBY_(LIST))               \
        if (flushes) MASS_FLUSH_FIELDS_(LIST, flush[0], flush[1]) \
        MASS_EACH_(MASS_PUT_, LIST)                               \
        MASS_EACH_(TALLY, LIST)                                   \
    }

/* Loops prefetch the values of places that a body updates. Processors prefetch by themselves, but only a few lines
 * ahead. Loops with tallies prefetch those of the places `from` to before `to` at once, if the call covers so many
 * places that they are not in the cache. Loops over occupied places prefetch for each x. */
enum { MASS_LINE = 64, MASS_BYTES_AHEAD = 2048, MASS_PLACES_AHEAD = 1024, MASS_FAR_BYTES = 16 << 20 };
#define MASS_LOADED_BYTES_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_LOADED_BYTES_##VIEW(ACCESS, T))
#define MASS_LOADED_BYTES_VALUE_(ACCESS, T) ~, + (MASS_IS_LOADED_(ACCESS) ? (int64_t)sizeof(T) : 0)
#define MASS_FETCH_ROW_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_FETCH_ROW_##VIEW(ACCESS, n))
#define MASS_FETCH_ROW_VALUE_(ACCESS, n)                                                              \
    ~, if (MASS_IS_LOADED_(ACCESS))                                                                   \
        for (int64_t b = 0; b < (to - from) * (int64_t)sizeof *MASS_JOIN(n, _row); b += MASS_LINE)    \
            __builtin_prefetch((const char *)(MASS_JOIN(n, _row) + from) + MASS_BYTES_AHEAD + b);
#define MASS_FETCH_PLACE_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_FETCH_PLACE_##VIEW(n))
#define MASS_FETCH_PLACE_VALUE_(n) ~, __builtin_prefetch(MASS_JOIN(n, _row) + x + MASS_PLACES_AHEAD);

/* Loops over the places of a row, by the kind of callback.
 *
 * Callbacks over places: compilers vectorise the loop (VECTOR).
 *
 * Callbacks over residents that only read them: the loop calls the body for one place after the other. If a place holds
 * one agent at most, the loop calls it for empty places first, then for the places of agents. For empty places,
 * compilers know that there are no residents, and may vectorise.
 *
 * Callbacks that write to residents: compilers cannot vectorise the loop, and most places are empty. So the loop finds
 * the next occupied place through the agents, and calls the copy without residents for the empty places between.
 *
 * The loops over residents have no VECTOR, which tells that iterations are independent: gcc would then keep loops over
 * residents for places that have none. */
#define MASS_WALK_MASS_OVER_PLACES(NAME, LIST, VECTOR, TALLY)                                    \
    mass_lidx from = first_x;                                                                    \
    if (tallies && MASS_JOIN(NAME, _bin_fields) > 0 && l.bins[0].copies_log2) {                  \
        MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                         \
        for (; from + MASS_CPU_LANES <= last_x; from += MASS_CPU_LANES)                          \
            MASS_UNROLL_ for (int i = 0; i < MASS_CPU_LANES; i++) {                              \
                const mass_lidx x = from + i;                                                    \
                MASS_AT_LANE_(NAME, LIST, TALLY, 0, 0, i)                                        \
            }                                                                                    \
        MASS_EACH_(MASS_CARRY_, LIST)                                                            \
    }                                                                                            \
    for (mass_lidx to; from < last_x; from = to) {                                               \
        to = tallies && last_x - from > MASS_NARROW_PLACES ? from + MASS_NARROW_PLACES : last_x; \
        MASS_EACH_(MASS_NARROW_, LIST)                                                           \
        if (tallies && remote) { MASS_EACH_(MASS_FETCH_ROW_, LIST) }                             \
        VECTOR for (mass_lidx x = from; x < to; x++) MASS_AT_(NAME, LIST, TALLY, 0, 0)           \
        MASS_EACH_(MASS_CARRY_, LIST)                                                            \
    }
#define MASS_WALK_MASS_OVER_RESIDENTS(NAME, LIST, VECTOR, TALLY)                                               \
    const mass_agents g = l.populations[0];                                                                    \
    const int64_t row_cell = world * g.places - g.first_place + l.origin[0] +                                  \
                             ((l.origin[2] + z) * l.size[1] + l.origin[1] + y) * l.size[0];                    \
    if (!(0 MASS_EACH_(MASS_UPDATES_, LIST)) && g.occupancy) {                                                 \
        uint32_t agent = mass_first_agent(&l, row_cell + first_x);                                             \
        uint8_t held[MASS_NARROW_PLACES + 8];                                                                  \
        for (mass_lidx from = first_x, to; from < last_x; from = to) {                                         \
            to = last_x - from > MASS_NARROW_PLACES ? from + MASS_NARROW_PLACES : last_x;                      \
            const uint32_t agents_end = mass_find_held(&l, row_cell + from, to - from, held);                  \
            MASS_EACH_(MASS_NARROW_, LIST)                                                                     \
            for (mass_lidx x = from; x < to; x++)                                                              \
                if (!held[x - from]) MASS_AT_(NAME, LIST, TALLY, 0, 0)                                         \
            for (; agent < agents_end; agent++) {                                                              \
                const mass_lidx x = (mass_lidx)(g.cell[agent] - row_cell);                                     \
                MASS_AT_(NAME, LIST, TALLY, agent, agent + 1)                                                  \
            }                                                                                                  \
            MASS_EACH_(MASS_CARRY_, LIST)                                                                      \
        }                                                                                                      \
    } else if (!(0 MASS_EACH_(MASS_UPDATES_, LIST))) {                                                         \
        const uint32_t *const start = g.start + row_cell;                                                      \
        MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                                       \
        for (mass_lidx x = first_x; x < last_x; x++) MASS_AT_(NAME, LIST, TALLY, start[x], start[x + 1])       \
        MASS_EACH_(MASS_CARRY_, LIST)                                                                          \
    } else {                                                                                                   \
        const uint32_t agents_end = mass_first_agent(&l, row_cell + last_x);                                   \
        uint32_t agent = mass_first_agent(&l, row_cell + first_x);                                             \
        MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                                       \
        for (mass_lidx x = first_x; x < last_x; x++) {                                                         \
            const mass_lidx next = agent < agents_end ? (mass_lidx)(g.cell[agent] - row_cell) : last_x;        \
            for (; x < next; x++) MASS_AT_(NAME, LIST, TALLY, 0, 0)                                            \
            if (x == last_x) break;                                                                            \
            const uint32_t agent_behind = g.occupancy ? agent + 1 : g.start[row_cell + x + 1];                 \
            MASS_AT_(NAME, LIST, TALLY, agent, agent_behind)                                                   \
            agent = agent_behind;                                                                              \
        }                                                                                                      \
        MASS_EACH_(MASS_CARRY_, LIST)                                                                          \
    }

/* Loops over places with agents, which they find through the agents. Bodies that see several populations skip places
 * without agents. */
#define MASS_WALK_MASS_OVER_OCCUPIED(NAME, LIST, VECTOR, TALLY)                                         \
    if (MASS_JOIN(NAME, _populations) > 1) { MASS_WALK_MASS_OVER_RESIDENTS(NAME, LIST, VECTOR, TALLY) } \
    else { MASS_WALK_OCCUPIED_(NAME, LIST, TALLY) }
#define MASS_WALK_OCCUPIED_(NAME, LIST, TALLY)                                                    \
    const mass_agents g = l.populations[0];                                                       \
    const int64_t row_cell = world * g.places - g.first_place + l.origin[0] +                     \
                             ((l.origin[2] + z) * l.size[1] + l.origin[1] + y) * l.size[0];       \
    const uint32_t agents_end = mass_first_agent(&l, row_cell + last_x);                          \
    uint32_t agent = mass_first_agent(&l, row_cell + first_x);                                    \
    MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                              \
    for (; g.occupancy && agent < agents_end; agent++) {                                          \
        const mass_lidx x = (mass_lidx)(g.cell[agent] - row_cell);                                \
        MASS_EACH_(MASS_FETCH_PLACE_, LIST)                                                       \
        MASS_AT_(NAME, LIST, TALLY, agent, agent + 1)                                             \
    }                                                                                             \
    while (agent < agents_end) {                                                                  \
        const mass_lidx x = (mass_lidx)(g.cell[agent] - row_cell);                                \
        const uint32_t agent_behind = g.start[row_cell + x + 1];                                  \
        MASS_AT_(NAME, LIST, TALLY, agent, agent_behind)                                          \
        agent = agent_behind;                                                                     \
    }                                                                                             \
    MASS_EACH_(MASS_CARRY_, LIST)

/* Adds to an element to which any thread may add. */
#define MASS_SCATTER_TO_(to, v)                                                                          \
    (mass_w->site.launch->alone ? (void)__builtin_add_overflow(*(to), (__typeof__(*(to)))(v), (to)) \
                                : (void)__atomic_fetch_add((to), (__typeof__(*(to)))(v), __ATOMIC_RELAXED))

/* The struct of pointers and the record are copied to locals: a store through a uint8_t pointer may alias anything
 * else. */
#define MASS_LOOP_(NAME, LIST, OVER, SUFFIX, TARGET, VECTOR, CHECKED, TALLIES, TALLY, FLUSH)                   \
    TARGET MASS_FN void MASS_JOIN(NAME, MASS_JOIN(SUFFIX, _rows))(                                             \
        const void *fields, const mass_launch *launch, const mass_range *range, const int flushes)             \
    {                                                                                                          \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                               \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                               \
        const int checked = CHECKED, tallies = TALLIES;                                                        \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;                          \
        mass_launch l = *launch;                                                                               \
        l.step = mass_launch_step(launch); /* read once, so that bodies with STEP vectorise */                 \
        l.clock = 0;                                                                                           \
        const uint64_t flush[2] = {l.flush_floats, l.flush_doubles};                                           \
        (void)flush, (void)flushes;                                                                            \
        const int64_t none = mass_default_element(&l);                                                         \
        const mass_lidx first_x = range->first_x, last_x = range->last_x;                                      \
        const int remote = (range->last_row - range->first_row) * (last_x - first_x) *                         \
                        (0 MASS_EACH_(MASS_LOADED_BYTES_, LIST)) >= MASS_FAR_BYTES;                            \
        const int32_t push = (l.push & MASS_AXIS_X) && first_x == 0 && last_x == l.extent[0] ? l.ghost[0] : 0; \
        int64_t y = range->first_row % l.extent[1], z = range->first_row / l.extent[1];                        \
        int64_t world = z / l.extent[2];                                                                       \
        z %= l.extent[2];                                                                                      \
        int64_t at = world * l.world_stride + z * l.plane + y * l.pitch;                                       \
        for (int64_t row = range->first_row; row < range->last_row; row++, y++, at += l.pitch) {               \
            if (__builtin_expect(y == l.extent[1], 0)) {                                                       \
                y = 0;                                                                                         \
                if (++z == l.extent[2]) z = 0, world++;                                                        \
                at = world * l.world_stride + z * l.plane;                                                     \
            }                                                                                                  \
            (void)f, (void)at, (void)push, (void)checked, (void)tallies, (void)none, (void)remote;             \
            if (l.gates && l.gates[world]) continue;                                                           \
            MASS_EACH_(MASS_ROW_, LIST)                                                                        \
            MASS_WALK_##OVER(NAME, LIST, VECTOR, TALLY)                                                        \
            MASS_EACH_(FLUSH, LIST)                                                                            \
            MASS_EACH_(MASS_WRAP_, LIST)                                                                       \
        }                                                                                                      \
    }                                                                                                          \
    TARGET static void MASS_JOIN(NAME, SUFFIX)(const void *fields, const mass_launch *launch,                  \
                                               const mass_range *range)                                        \
    {                                                                                                          \
        const int flushes = MASS_FLUSHABLE_(LIST) && (launch->flush_floats | launch->flush_doubles) != 0;      \
        if (flushes) MASS_JOIN(NAME, MASS_JOIN(SUFFIX, _rows))(fields, launch, range, 1);                      \
        else MASS_JOIN(NAME, MASS_JOIN(SUFFIX, _rows))(fields, launch, range, 0);                              \
    }
#define MASS_LOOPS_(NAME, LIST, OVER, ISA, TARGET)                                                                  \
    MASS_LOOP_(NAME, LIST, OVER, MASS_JOIN(_quiet_, ISA), TARGET, MASS_VECTOR_, 0, 0, MASS_NOTHING_, MASS_NOTHING_) \
    MASS_LOOP_(NAME, LIST, OVER, MASS_JOIN(_tally_, ISA), TARGET, , 0, 1, MASS_TALLY_, MASS_FLUSH_)
/* For devices that check: the loops report, and elements that a body does not write keep their values. They are short
 * rather than fast. */
#define MASS_CHECKED_LOOPS_(NAME, LIST, OVER)                                                                 \
    MASS_LOOP_(NAME, LIST, OVER, _quiet_checked, __attribute__((cold)), , 1, 0, MASS_NOTHING_, MASS_NOTHING_) \
    MASS_LOOP_(NAME, LIST, OVER, _tally_checked, __attribute__((cold)), , 1, 1, MASS_TALLY_, MASS_FLUSH_)

#define MASS_REFLECT_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) \
    {name, target, ACCESS, MASS_TYPE_OF(T), sizeof(T), OWNER},
/* The loop for tallies of a callback that has none is the other loop: it is not compiled. */
#define MASS_TALLY_LOOP_(NAME, LIST, ISA) \
    (MASS_HAS_TALLIES(LIST) ? MASS_JOIN(NAME, _tally_##ISA) : MASS_JOIN(NAME, _quiet_##ISA))
#define MASS_FORM_PAIR_(NAME, LIST, ID, ISA, CODE, FLAGS)                                                  \
    {sizeof(mass_form), ID, CODE, FLAGS, MASS_JOIN(NAME, _quiet_##ISA), 0, 1, 1, 1, 0},                    \
    {sizeof(mass_form), ID, CODE, (FLAGS) | MASS_FORM_TALLIES, MASS_TALLY_LOOP_(NAME, LIST, ISA), 0, 1, 1, \
        1, 0},
#define MASS_FORM_LOOP_(NAME, LIST, ISA, CODE) MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_LOOP, ISA, CODE, MASS_FORM_PUSHES)
#define MASS_FORM_KERNEL_(LIST, KERNEL, FLAGS, STEPS, ROWS)                                \
    {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES | (FLAGS), 0, KERNEL, STEPS, \
        MASS_STRIP_PLACES(LIST), ROWS, 0},
/* A callback without tallies adds to none in any form. The engine ignores a form of 0 steps. A form of several steps
 * writes no ghosts. */
#define MASS_KERNEL_FORMS_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                                     \
    MASS_FORM_KERNEL_(LIST, #NAME "_large", 0, 1, MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS))                   \
    MASS_FORM_KERNEL_(LIST, #NAME "_small", 0, 1, MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS))                   \
    MASS_FORM_KERNEL_(LIST, (MASS_HAS_TALLIES(LIST) ? #NAME "_tally" : #NAME "_small"),                              \
                      MASS_FORM_TALLIES | MASS_STRIDES_(LIST), 1, MASS_ROWS_TALLY(LIST, OVER, DIMENSIONS, RADIUS))   \
    MASS_FORM_KERNEL_(LIST, (MASS_HAS_TALLIES(LIST) ? #NAME "_tally_large" : #NAME "_large"), MASS_FORM_TALLIES,     \
                      MASS_STRIDES_(LIST) ? 0 : 1, MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS))                  \
    {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_AROUND, 0, #NAME "_fused",                                    \
        MASS_FUSED_STEPS(LIST, OVER, DIMENSIONS, RADIUS), MASS_FUSED_PLACES, MASS_TILE_WARPS(DIMENSIONS), 0},

/* Without the wider loops a file compiles in a third of the time. Builds that look for errors use that. */
#if defined(__x86_64__) && !defined(MASS_BASELINE_ONLY)
#define MASS_WIDE_LOOPS_(NAME, LIST, OVER)                 \
    MASS_LOOPS_(NAME, LIST, OVER, avx2, MASS_TARGET_AVX2_) \
    MASS_LOOPS_(NAME, LIST, OVER, avx512, MASS_TARGET_AVX512_)
#define MASS_WIDE_FORMS_(NAME, LIST) \
    MASS_FORM_LOOP_(NAME, LIST, avx2, MASS_ISA_AVX2) MASS_FORM_LOOP_(NAME, LIST, avx512, MASS_ISA_AVX512)
#else
#define MASS_WIDE_LOOPS_(NAME, LIST, OVER)
#define MASS_WIDE_FORMS_(NAME, LIST)
#endif

#define MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, OVER)                                                             \
    typedef struct { MASS_EACH_(MASS_POINTER_, LIST) } MASS_JOIN(NAME, _fields);                                       \
    enum { MASS_JOIN(NAME, _reach_x) = RADIUS, MASS_JOIN(NAME, _reach_y) = DIMENSIONS > 1 ? RADIUS : 0,                \
           MASS_JOIN(NAME, _reach_z) = DIMENSIONS > 2 ? RADIUS : 0 };                                                  \
    typedef struct {                                                                                                   \
        MASS_EACH_(MASS_WINDOW_, LIST)                                                                                 \
        int64_t pitch, plane;                                                                                          \
        mass_reach reach_;                                                                                             \
        mass_site site;                                                                                                \
        mass_draws *draws;                                                                                             \
        uint32_t first_resident;                                                                                       \
        union { uint32_t end_of_residents, MASS_MARK_##OVER; };                                                        \
        MASS_EACH_(MASS_OWNER_, LIST)                                                                                  \
        MASS_JOIN(NAME, _sight) sight;                                                                                 \
        MASS_OTHERS_(LIST)                                                                                             \
        char (*asks_)[MASS_JOIN(NAME, _asks) + 1];                                                                     \
        char (*radius_)[RADIUS + 1][(DIMENSIONS > 1 ? RADIUS : 0) + 1][(DIMENSIONS > 2 ? RADIUS : 0) + 1]              \
                       [DIMENSIONS + 1];                                                                               \
    } MASS_JOIN(NAME, _window);                                                                                        \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                                            \
    MASS_APART_(NAME)                                                                                                  \
    MASS_LOOPS_(NAME, LIST, OVER, base, )                                                                              \
    MASS_WIDE_LOOPS_(NAME, LIST, OVER)                                                                                 \
    MASS_CHECKED_LOOPS_(NAME, LIST, OVER)                                                                              \
    static const mass_field MASS_JOIN(NAME, _reflection)[] = {MASS_EACH_(MASS_REFLECT_, LIST)};                        \
    static const mass_form MASS_JOIN(NAME, _forms)[] = {                                                               \
        MASS_FORM_LOOP_(NAME, LIST, base, MASS_ISA_BASE) MASS_WIDE_FORMS_(NAME, LIST)                                  \
        MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_CHECKED, checked, MASS_ISA_BASE, MASS_FORM_PUSHES)                       \
        MASS_KERNEL_FORMS_(NAME, LIST, OVER, DIMENSIONS, RADIUS)};                                                     \
    MASS_CALLBACK_(NAME) = {                                                                                           \
        sizeof(mass_callback), OVER, #NAME, DIMENSIONS, RADIUS,                                                        \
        sizeof MASS_JOIN(NAME, _reflection) / sizeof(mass_field), sizeof(mass_field),                                  \
        MASS_JOIN(NAME, _reflection),                                                                                  \
        sizeof MASS_JOIN(NAME, _forms) / sizeof(mass_form), sizeof(mass_form),                                         \
        MASS_JOIN(NAME, _forms), MASS_JOIN(NAME, _populations), MASS_JOIN(NAME, _sees), MASS_JOIN(NAME, _asks),        \
        MASS_JOIN(NAME, _network), MASS_JOIN(NAME, _sets), MASS_JOIN(NAME, _set_count), 0};                            \
    MASS_BODY_(NAME, _body)

/* The head of a body. */
#define MASS_BODY_(NAME, SUFFIX) MASS_FN void MASS_JOIN(NAME, SUFFIX)(MASS_JOIN(NAME, _window) *const mass_w)

#endif
