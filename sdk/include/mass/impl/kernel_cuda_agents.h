/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over agents on CUDA devices: the code of a thread for a field of an agent, by the field's view, and the
 * kernels over a partition's agents. */
#ifndef MASS_KERNEL_CUDA_AGENTS_H
#define MASS_KERNEL_CUDA_AGENTS_H

#include <mass/impl/kernel_agents_sites.h>

struct mass_block_site; /* kernel_world_sites.h */

/* Adds one thread's contribution. Threads of a warp in the same world add up first. */
template <int ACCESS> MASS_FN void mass_add_by_world(int64_t *tally, int64_t v, int world)
{
    const unsigned active = __activemask();
    if (active == ~0u && __match_any_sync(active, world) == active) mass_flush_warp<ACCESS>(tally + world, v);
    else mass_contribute<ACCESS>(tally + world, v);
}
MASS_FN void mass_add_fixed_by_world(int64_t *tally, int64_t v, int64_t beyond, int world)
{
    const unsigned active = __activemask();
    if (active == ~0u && __match_any_sync(active, world) == active) {
        v = mass_combine_warp_fixed(v, beyond);
        if (threadIdx.x % 32 == 0) mass_contribute_fixed(tally + world, v);
    } else mass_contribute_fixed(tally + world, beyond < 0 ? MASS_NO_SUM : v);
}

/* Returns the world of all agents of a block's threads; -1 if there are several worlds. `world` is that of the thread's
 * last agent, or -1. */
MASS_FN int32_t mass_world_of_block(const mass_launch &l, int32_t world)
{
    __shared__ int32_t some;
    if (l.worlds == 1) return 0;
    if (threadIdx.x == 0) some = -1;
    __syncthreads();
    if (world >= 0) some = world;
    __syncthreads();
    const int32_t all = some;
    return __syncthreads_or(world >= 0 && world != all) ? -1 : all;
}

/* Returns an element of places, for bodies in any world, or in a block-resident one. */
template <class T> MASS_FN T mass_element(const mass_site *, const T *p) { return *p; }
template <class T> MASS_FN T mass_element(const mass_block_site *, const T *p);

/* Returns the element of SEES at an offset from the agent's place. For bits, `own` is the array and the element's
 * number. */
template <class Window, class T, class X, class Y, class Z>
MASS_FN T mass_see(const Window &w, const T *own, const T *none, X dx, Y dy, Z dz)
{
    return mass_element(&w.site, (const T *)mass_place(&w.site, &w.reach_, MASS_OUT_OF_REACH_SEE, own, none, sizeof(T),
                                                       w.pitch, w.plane, dx, dy, dz));
}
struct mass_bit_at {
    const bool *start;
    int64_t at;
};
template <class Window>
MASS_FN bool mass_see(const Window &w, mass_bit_at own, const bool *, int64_t dx, int64_t dy, int64_t dz)
{
    const int64_t at = own.at + dx + dy * w.pitch + dz * w.plane, none = mass_default_element(w.site.launch);
    return mass_bit(own.start, mass_is_in_reach(&w.reach_, dx, dy, dz) ? at : none);
}

/* A READ field of an agent. */
template <class T> struct mass_own {
    T v;
    MASS_FN_MEMBER T own() const { return v; }
};

/* The code of a thread of a kernel over agents for a field, by its view (views.h). For agent `own` at element `here`:
 *     get     sets the window for the body
 *     put     takes the body's results from the window
 *     fold    adds its contribution to those that the thread keeps for a world
 *     give    adds these to the tally; add_up and hand_over add those of a whole block
 *
 * The accumulators of all agents of a world (`gathered`) have begin and end. */
struct mass_met_nothing {
    struct gathered {};
    struct kept {};
    template <class... A> static MASS_FN_MEMBER void put(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void start(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void fold(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void give(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void add_up(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void hand_over(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void begin(A &&...) {}
    template <class... A> static MASS_FN_MEMBER void end(A &&...) {}
};
struct mass_met_at {
    const mass_launch &l;
    uint32_t own;
    int64_t here;
    int32_t world;
    bool gathers;
};
/* A pointer to the agent's element, to its place's element and those around, or to all elements. */
template <mass_view VIEW, class T, int ACCESS> struct mass_met : mass_met_nothing {
    static_assert(VIEW == MASS_VIEW_AROUND_ || VIEW == MASS_VIEW_POINT_ || VIEW == MASS_VIEW_WHOLE_ ||
                  VIEW == MASS_VIEW_NEARBY_ || VIEW == MASS_VIEW_ANYBODY_,
                  "a view of views.h lacks a mass_met");
    typedef T *window;
    static MASS_FN_MEMBER void get(window &n, T *p, const mass_met_at &a, gathered *, int)
    {
        constexpr bool all = VIEW == MASS_VIEW_WHOLE_ || VIEW == MASS_VIEW_NEARBY_ || VIEW == MASS_VIEW_ANYBODY_;
        n = all ? p : MASS_IS_REQUEST_(ACCESS) ? p + a.own : p + a.here;
    }
};
template <int ACCESS> struct mass_met<MASS_VIEW_AROUND_, const bool, ACCESS> : mass_met_nothing {
    typedef mass_bit_at window;
    static MASS_FN_MEMBER void get(window &n, const bool *p, const mass_met_at &a, gathered *, int) { n = {p, a.here}; }
};
template <class T> struct mass_met<MASS_VIEW_POINT_, const T, MASS_READ> : mass_met_nothing {
    typedef mass_own<T> window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int) { n.v = p[a.own]; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_VALUE_, T, ACCESS> : mass_met_nothing {
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = p[a.own];
    }
    static MASS_FN_MEMBER void put(const window &n, T *p, uint32_t own) { p[own] = n; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_SCALAR_, T, ACCESS> : mass_met_nothing {
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int) { n = p[a.world]; }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_LIST_, T, ACCESS> : mass_met_nothing {
    typedef const T *window;
    static MASS_FN_MEMBER void get(window &n, const T *p, const mass_met_at &a, gathered *, int) { n = p + a.world; }
};
template <int ACCESS> struct mass_met_number : mass_met_nothing {
    struct kept {
        int64_t v;
    };
    static MASS_FN_MEMBER void give(const kept &k, int64_t *p, int32_t world, bool)
    {
        mass_add_by_world<ACCESS>(p, k.v, world);
    }
    static MASS_FN_MEMBER void add_up(const kept &k, int64_t *parts, bool)
    {
        mass_add_up_warp(parts, mass_combine_warp<ACCESS>(k.v));
    }
    static MASS_FN_MEMBER void hand_over(int64_t *p, const int64_t *parts, int32_t world, int number, bool)
    {
        mass_hand_over_block<ACCESS>(p + world, parts, number);
    }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_SUM_, T, ACCESS> : mass_met_nothing {
    typedef mass_agent_sum window;
    typedef mass_agent_sum kept;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &, gathered *, int) { n = {0, 0}; }
    static MASS_FN_MEMBER void start(kept &k) { k = {0, 0}; }
    static MASS_FN_MEMBER void fold(kept &k, const window &n)
    {
        k.v = mass_sum_i64(k.v, n.v);
        k.beyond |= n.beyond | mass_beyond_fixed(k.v);
    }
    static MASS_FN_MEMBER void give(const kept &k, int64_t *p, int32_t world, bool fixed)
    {
        if (fixed) mass_add_fixed_by_world(p, k.v, k.beyond, world);
        else mass_add_by_world<MASS_SUM>(p, k.v, world);
    }
    static MASS_FN_MEMBER void add_up(const kept &k, int64_t *parts, bool fixed)
    {
        mass_add_up_warp(parts, fixed ? mass_combine_warp_fixed(k.v, k.beyond) : mass_combine_warp<MASS_SUM>(k.v));
    }
    static MASS_FN_MEMBER void hand_over(int64_t *p, const int64_t *parts, int32_t world, int number, bool fixed)
    {
        if (fixed) mass_hand_over_block_fixed(p + world, parts, number);
        else mass_hand_over_block<MASS_SUM>(p + world, parts, number);
    }
};
template <int ACCESS> struct mass_met<MASS_VIEW_SUM_, double, ACCESS> : mass_met_nothing {
    typedef mass_exact_window *window;
    typedef mass_exact_window gathered;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &a, gathered *g, int)
    {
        n = a.gathers ? g : nullptr;
    }
    static MASS_FN_MEMBER void begin(gathered &g, int64_t *p, int world)
    {
        mass_exact_begin(&g, p + world * MASS_EXACT_WORDS);
    }
    static MASS_FN_MEMBER void end(gathered &g, int64_t *, const mass_launch &, int, int) { mass_exact_flush_warp(&g); }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_EXTREME_, T, ACCESS> : mass_met_number<ACCESS> {
    typedef typename mass_met_number<ACCESS>::gathered gathered;
    typedef typename mass_met_number<ACCESS>::kept kept;
    typedef T window;
    static MASS_FN_MEMBER void get(window &n, int64_t *, const mass_met_at &, gathered *, int)
    {
        n = mass_farthest<ACCESS, T>();
    }
    static MASS_FN_MEMBER void start(kept &k) { k.v = mass_limits<T>::rank(mass_farthest<ACCESS, T>()); }
    static MASS_FN_MEMBER void fold(kept &k, const window &n)
    {
        k.v = mass_combine<ACCESS>(k.v, mass_limits<T>::rank(n));
    }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_BINS_, T, ACCESS> : mass_met_nothing {
    typedef mass_counter window;
    static MASS_FN_MEMBER void get(window &n, int64_t *p, const mass_met_at &a, gathered *, int number)
    {
        n = mass_counter_of(p, a.l.bins[number], a.world, a.gathers, MASS_ANYWHERE);
    }
    static MASS_FN_MEMBER void end(gathered &, int64_t *p, const mass_launch &l, int world, int number)
    {
        mass_bins_hand_over(p, l.bins[number], world);
    }
};
template <class T, int ACCESS> struct mass_met<MASS_VIEW_KEYS_, T, ACCESS> : mass_met_nothing {
    typedef mass_key_counter window;
    static MASS_FN_MEMBER void get(window &n, mass_key_table *p, const mass_met_at &a, gathered *, int)
    {
        n.table = a.gathers ? p + a.world : nullptr;
    }
};
#define MASS_MET_(VIEW, ACCESS, T) \
    mass_met<MASS_VIEW_##VIEW, MASS_REST_(MASS_POINTS_##VIEW(ACCESS)) T, ACCESS>
#define MASS_POINTS_AROUND_(ACCESS) ~, const
#define MASS_POINTS_POINT_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_POINTS_NEARBY_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_POINTS_ANYBODY_(ACCESS) ~, MASS_CONST_(ACCESS)
#define MASS_SELF_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::window n; MASS_REST_(MASS_UNSEEN_##VIEW(n2, T))
#define MASS_UNSEEN_AROUND_(n2, T) ~, const T *n2;
#define MASS_GATHER_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::gathered n;
#define MASS_MEET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...)                                                              \
    MASS_MET_(VIEW, ACCESS, T)::get(window.n, f.n, met, gathered ? &gathered->n : nullptr, MASS_BIN_NUMBER_(VIEW, n)); \
    MASS_REST_(MASS_MEET_UNSEEN_##VIEW(n, n2, T))
#define MASS_MEET_UNSEEN_AROUND_(n, n2, T) ~, window.n2 = f.n + none;
#define MASS_MEET_UNSEEN_NEARBY_(n, n2, T) MASS_GET_OTHER_(others_, n, n2, T)
#define MASS_MEET_UNSEEN_ANYBODY_(n, n2, T) MASS_GET_OTHER_(anybody_, n, n2, T)
#define MASS_LEAVE_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::put(window.n, f.n, i);
#define MASS_KEPT_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::kept n;
#define MASS_KEPT_START_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::start(kept.n);
#define MASS_KEPT_FOLD_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::fold(kept.n, window.n);
#define MASS_KEPT_GIVE_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::give(kept.n, f.n, world, MASS_MET_FIXED_(VIEW, n));
#define MASS_MET_FIXED_(VIEW, n) mass_is_fixed(&l, MASS_SUM_NUMBER_(VIEW, n))
#define MASS_KEPT_ADD_UP_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::add_up(kept.n, parts[MASS_TALLY_SLOT_(VIEW, n)], MASS_MET_FIXED_(VIEW, n));
#define MASS_KEPT_HAND_OVER_(CLASS, VIEW, ACCESS, n, n2, S, T, ...)                    \
    MASS_MET_(VIEW, ACCESS, T)::hand_over(f.n, parts[MASS_TALLY_SLOT_(VIEW, n)], all,  \
                                          MASS_TALLY_SLOT_(VIEW, n), MASS_MET_FIXED_(VIEW, n));
#define MASS_BEGIN_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_MET_(VIEW, ACCESS, T)::begin(gathered.n, f.n, k);
#define MASS_END_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_MET_(VIEW, ACCESS, T)::end(gathered.n, f.n, l, k, MASS_BIN_NUMBER_(VIEW, n));

/* Finds the position of agent i: global coordinates and world. The partition's first cell in each world has the number
 * `skipped`. `world` is that of an agent before it, or 0. To save registers, coordinates have 32 bits, except in a
 * space of one row. */
template <int DIMENSIONS>
MASS_FN void mass_stand_in(mass_site *s, const mass_launch *l, uint32_t i, int32_t world, uint32_t skipped)
{
    const mass_agents &g = l->populations[0];
    uint32_t place = g.cell[i] - (uint32_t)(world * g.places);
    while (place >= g.places) place -= (uint32_t)g.places, world++;
    place -= skipped;
    if constexpr (DIMENSIONS < 2) {
        if (l->size[1] == 1 && l->size[2] == 1) {
            *s = {l, l->origin[0] + place, 0, 0, world, g.id + i};
            return;
        }
    }
    const uint32_t row = place / (uint32_t)l->size[0], x = place - row * (uint32_t)l->size[0];
    if constexpr (DIMENSIONS == 2) {
        *s = {l, x, row + (uint32_t)l->origin[1], 0, world, g.id + i};
        return;
    }
    const uint32_t sheet = row / (uint32_t)l->size[1], y = row - sheet * (uint32_t)l->size[1];
    *s = {l, x + (uint32_t)l->origin[0], y + (uint32_t)l->origin[1], sheet + (uint32_t)l->origin[2], world,
          g.id + i};
}

/* Calls `visit` for each refused agent from `first` to before `last`. All lanes of a warp must call it. A warp checks
 * many agents at once and shares the refused ones, so that no thread has much more work than others. */
template <class Visit> MASS_FN void mass_each_refused(const mass_launch &l, uint32_t first, uint32_t last, Visit visit)
{
    constexpr uint32_t EACH = 8, ALL = 32 * EACH, WARPS_MOST = 32, LANES = ~0u;
    __shared__ uint8_t found[WARPS_MOST][ALL];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (uint32_t from = first / EACH * EACH + (blockIdx.x * warps + warp) * ALL; from < last;
         from += gridDim.x * warps * ALL) {
        const uint32_t own = from + lane * EACH;
        uint32_t set = 0;
        if (own >= first && own + EACH <= last) {
            const uint2 eight = *(const uint2 *)(l.populations[0].lost + own);
            set = mass_set_of_16({eight.x, eight.y, 0, 0});
        } else {
            for (uint32_t k = 0; k < EACH; k++)
                if (own + k >= first && own + k < last && l.populations[0].lost[own + k]) set |= 1u << k;
        }
        uint32_t up_to = (uint32_t)__popc(set);
        for (uint32_t d = 1; d < 32; d *= 2) {
            const uint32_t other = __shfl_up_sync(LANES, up_to, d);
            if (lane >= d) up_to += other;
        }
        const uint32_t all = __shfl_sync(LANES, up_to, 31);
        for (uint32_t at = up_to - (uint32_t)__popc(set); set; set &= set - 1)
            found[warp][at++] = (uint8_t)(lane * EACH + (uint32_t)__ffs((int)set) - 1);
        __syncwarp();
        for (uint32_t k = lane; k < all; k += 32) visit(from + found[warp][k]);
        __syncwarp();
    }
}

/* Threads stride over the partition's agents, world by world unless it is the whole space and there are no such
 * accumulators. LOST: for refused agents only. */
#define MASS_AGENT_(NAME, LIST, DIMENSIONS, LOST)                                                             \
    struct MASS_JOIN(NAME, _fields) { MASS_EACH_(MASS_POINTER_, LIST) };                                      \
    template <class Site> struct MASS_JOIN(NAME, _window) {                                                   \
        static const char axes_[DIMENSIONS + 1];                                                              \
        MASS_EACH_(MASS_SELF_, LIST)                                                                          \
        int64_t pitch, plane;                                                                                 \
        mass_reach reach_;                                                                                    \
        Site site;                                                                                            \
        uint32_t agent, move, asked, lost;                                                                    \
        MASS_JOIN(NAME, _sight) sight;                                                                        \
        MASS_OTHERS_(LIST)                                                                                    \
    };                                                                                                        \
    struct MASS_JOIN(NAME, _gathered) { MASS_EACH_(MASS_GATHER_, LIST) };                                     \
    struct MASS_JOIN(NAME, _kept) { MASS_EACH_(MASS_KEPT_, LIST) };                                           \
    MASS_BODY_(NAME, _body);                                                                                  \
    /* Runs the body for agent i, whose site and element are known. */                                        \
    template <class Launch, class Window>                                                                     \
    MASS_FN void MASS_JOIN(NAME, _agent)(const MASS_JOIN(NAME, _fields) &f, const Launch &l, uint32_t i,      \
                                         int64_t at, Window &window, MASS_JOIN(NAME, _gathered) *gathered)    \
    {                                                                                                         \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                              \
        const mass_agents &g = l.populations[0];                                                              \
        const int64_t none = mass_default_element(&l);                                                        \
        const mass_met_at met = {l, i, at, window.site.world, gathered != nullptr};                           \
        (void)met, (void)gathered, (void)none;                                                                \
        __builtin_assume(window.site.id != nullptr);                                                          \
        window.pitch = l.pitch;                                                                               \
        window.plane = l.plane;                                                                               \
        window.reach_ = mass_reach_of(&l, DIMENSIONS, 0);                                                     \
        window.agent = window.self_ = i;                                                                      \
        window.walked_.first = window.walked_.end = 0;                                                        \
        window.lost = g.lost[i];                                                                              \
        const uint32_t move = window.move = g.move[i], asked = window.asked = g.asked[i];                     \
        MASS_EACH_(MASS_MEET_, LIST)                                                                          \
        MASS_JOIN(NAME, _body)(&window);                                                                      \
        if (window.move != move) g.move[i] = window.move; /* most agents request nothing new */               \
        if (window.asked != asked) g.asked[i] = window.asked;                                                 \
        MASS_FLUSH_FIELDS_(LIST, l.flush_floats, l.flush_doubles)                                             \
        MASS_EACH_(MASS_LEAVE_, LIST)                                                                         \
    }                                                                                                         \
    template <bool TALLY>                                                                                     \
    MASS_FN void MASS_JOIN(NAME, _agents)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l)            \
    {                                                                                                         \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                              \
        enum { MASS_EACH_(MASS_TALLY_NUMBER_, LIST) tallies };                                                \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                              \
        constexpr bool gathers = TALLY && (0 MASS_EACH_(MASS_GATHERS_, LIST)) != 0;                           \
        constexpr bool keeps = TALLY && tallies > 0;                                                          \
        MASS_JOIN(NAME, _gathered) gathered;                                                                  \
        MASS_JOIN(NAME, _kept) kept;                                                                          \
        int32_t world = -1; /* the world of the contributions that it keeps */                                \
        (void)kept;                                                                                           \
        if (keeps) { MASS_EACH_(MASS_KEPT_START_, LIST) }                                                     \
        if (gathers) mass_bins_begin(l, MASS_JOIN(NAME, _bin_fields));                                        \
        mass_follow_predecessor();                                                                            \
        const mass_agents &g = l.populations[0];                                                              \
        const int64_t places = (int64_t)l.extent[0] * l.extent[1] * l.extent[2];                              \
        const int64_t skipped = (l.origin[2] * l.size[1] + l.origin[1]) * l.size[0] + l.origin[0] -           \
                                g.first_place;                                                                \
        const bool whole = places == g.places && (!gathers || l.worlds == 1);                                 \
        for (int k = blockIdx.y; k < (whole ? 1 : l.worlds); k += gridDim.y) {                                \
            const int64_t cell = k * g.places + skipped;                                                      \
            const uint32_t last = mass_first_agent(&l, whole ? l.worlds * g.places : cell + places);          \
            if (gathers) { MASS_EACH_(MASS_BEGIN_, LIST) }                                                    \
            const uint32_t first = mass_first_agent(&l, cell);                                                \
            const auto visit = [&](uint32_t i) {                                                              \
                MASS_JOIN(NAME, _window)<mass_site> window;                                                   \
                const int32_t in = l.worlds == 1 ? 0 : (int32_t)(g.cell[i] / (uint32_t)g.places);             \
                mass_stand_in<DIMENSIONS>(&window.site, &l, i, in, (uint32_t)skipped);                        \
                if (l.gates && l.gates[window.site.world]) return;                                            \
                MASS_JOIN(NAME, _agent)(f, l, i, mass_element_of(&window.site), window,                       \
                                        gathers ? &gathered : nullptr);                                       \
                if (keeps && world != window.site.world) {                                                    \
                    if (world >= 0) { MASS_EACH_(MASS_KEPT_GIVE_, LIST) MASS_EACH_(MASS_KEPT_START_, LIST) }  \
                    world = window.site.world;                                                                \
                }                                                                                             \
                if (keeps) { MASS_EACH_(MASS_KEPT_FOLD_, LIST) }                                              \
            };                                                                                                \
            if constexpr (LOST && !gathers) {                                                                 \
                mass_each_refused(l, first, last, visit);                                                     \
            } else {                                                                                          \
                for (uint32_t i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last;                    \
                     i += gridDim.x * blockDim.x)                                                             \
                    visit(i);                                                                                 \
            }                                                                                                 \
            if (gathers) { MASS_EACH_(MASS_END_, LIST) }                                                      \
        }                                                                                                     \
        if constexpr (keeps) {                                                                                \
            __shared__ int64_t parts[tallies > 0 ? (int)tallies : 1][MASS_BLOCK_WARPS];                       \
            const int32_t all = mass_world_of_block(l, world);                                                \
            (void)parts, (void)kept, (void)all;                                                               \
            if (all >= 0) {                                                                                   \
                MASS_EACH_(MASS_KEPT_ADD_UP_, LIST)                                                           \
                __syncthreads();                                                                              \
                MASS_EACH_(MASS_KEPT_HAND_OVER_, LIST)                                                        \
            } else if (world >= 0) { MASS_EACH_(MASS_KEPT_GIVE_, LIST) }                                      \
        }                                                                                                     \
    }                                                                                                         \
    extern "C" __global__ void MASS_SEARCH_REGISTERS_(LIST) MASS_JOIN(NAME, _agents_quiet)(                   \
        const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l)            \
    {                                                                                                         \
        MASS_JOIN(NAME, _agents)<false>(f, l);                                                                \
    }                                                                                                         \
    extern "C" __global__ void MASS_SEARCH_REGISTERS_(LIST) MASS_JOIN(NAME, _agents_tally)(                   \
        const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l)            \
    {                                                                                                         \
        MASS_JOIN(NAME, _agents)<true>(f, l);                                                                 \
    }                                                                                                         \
    MASS_WORLD_AGENTS_(NAME, LIST, DIMENSIONS)                                                                \
    MASS_BODY_(NAME, _body)

#endif
