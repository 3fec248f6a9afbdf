/* SPDX-License-Identifier: Apache-2.0 */
/* Block-resident worlds: the device functions of callbacks, and the kernel (world.h). Included by kernel.h under
 * nvcc. */
#ifndef MASS_KERNEL_WORLD_H
#define MASS_KERNEL_WORLD_H

#include <mass/impl/kernel_world_manage.h>
#include <mass/impl/kernel_world_sites.h>

/* ---- callbacks over one world ---- */

/* A READ field around one place. */
template <class T> struct mass_around {
    const T *here, *none;
    int64_t pitch, plane;
    MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
    MASS_FN_MEMBER T own() const { return at(0, 0, 0); }
};

/* Is true for numbers so small that those of a warp add up in 32 bits. */
MASS_FN bool mass_world_is_small(int64_t v)
{
    constexpr uint32_t SMALL = 1 << 25;
    return (uint64_t)v + SMALL < 2 * SMALL;
}

/* Combines the values of all threads of a warp; its first thread gets the result. `small` is the same in all of them:
 * all values are small. */
template <int ACCESS> MASS_FN int64_t mass_world_combine(int64_t v, bool small)
{
#if __CUDA_ARCH__ >= 800
    if (ACCESS == MASS_SUM && small) return __reduce_add_sync(~0u, (int)v);
#endif
    return mass_combine_warp<ACCESS>(v);
}

/* Adds to the warp's own part of a tally. */
template <int ACCESS> MASS_FN void mass_world_add(int64_t *tally, int64_t v, bool small)
{
    v = mass_world_combine<ACCESS>(v, small);
    int64_t *const own = tally + threadIdx.x / 32;
    if (threadIdx.x % 32 == 0 && (ACCESS != MASS_SUM || v != 0)) *own = mass_combine<ACCESS>(*own, v);
}

/* The code of a thread for a field of a callback over places, by its view (views.h): load sets the window for one
 * place, and store takes the body's results. The engine uses launches for worlds with callbacks that count bins, keys
 * or reals, or that scatter. Here these callbacks only have to compile. */
struct mass_visited_nothing {
    template <class... A> static MASS_FN_MEMBER void store(A &&...) {}
};
template <mass_view VIEW, class T, int ACCESS> struct mass_visited : mass_visited_nothing {
    static_assert(VIEW == MASS_VIEW_POINT_ || VIEW == MASS_VIEW_WHOLE_ || VIEW == MASS_VIEW_OTHERS_ ||
                  VIEW == MASS_VIEW_NEARBY_ || VIEW == MASS_VIEW_ANYBODY_, "a view of views.h lacks a mass_visited");
    typedef T *window;
    static MASS_FN_MEMBER void load(window &n, T *p, const mass_block_launch &, int at)
    {
        n = VIEW == MASS_VIEW_POINT_ ? p + at : p;
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_AROUND_, T, ACCESS> : mass_visited_nothing {
    typedef mass_around<T> window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_block_launch &l, int at)
    {
        n = {p + at, p + mass_default_element(&l), l.pitch, l.plane};
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_VALUE_, T, ACCESS> {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_block_launch &, int at)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = mass_block_get(p + at);
    }
    static MASS_FN_MEMBER void store(const window &n, T *p, const mass_launch &l, int at, bool edge, int x, int y,
                                     int z)
    {
        mass_block_put(p + at, n);
        if (edge) mass_push_row<1>(p + at, &n, 1, l, x, y, z);
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_SCALAR_, T, ACCESS> : mass_visited_nothing {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_block_launch &, int) { n = *p; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_LIST_, T, ACCESS> : mass_visited_nothing {
    typedef const T *window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_block_launch &, int) { n = p; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_SUM_, T, ACCESS> : mass_visited_nothing {
    typedef mass_sum window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_block_launch &, int) { n = 0; }
};
template <int ACCESS> struct mass_visited<MASS_VIEW_SUM_, double, ACCESS> : mass_visited_nothing {
    typedef mass_exact_window *window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_block_launch &, int) { n = nullptr; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_EXTREME_, T, ACCESS> : mass_visited_nothing {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_block_launch &, int)
    {
        n = mass_farthest<ACCESS, T>();
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_BINS_, T, ACCESS> : mass_visited_nothing {
    typedef mass_counter window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_block_launch &, int) { n.near = n.remote = 0; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_KEYS_, T, ACCESS> : mass_visited_nothing {
    typedef mass_key_counter window;
    static MASS_FN_MEMBER void load(window &n, mass_key_table *, const mass_block_launch &, int) { n.table = nullptr; }
};
#define MASS_VISITED_(VIEW, ACCESS, T) mass_visited<MASS_VIEW_##VIEW, MASS_ELEMENT_(VIEW, ACCESS, T), ACCESS>
#define MASS_AROUND_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::window n; MASS_REST_(MASS_NOBODY_##VIEW(ACCESS, n, T))
#define MASS_LOAD_VIEW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::load(window.n, f.n, l, at); MASS_REST_(MASS_SHOW_NOBODY_##VIEW(n, n2, T))
#define MASS_STORE_VIEW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::store(window.n, f.n, l, at, edge, x, y, z);

/* A thread's contribution to a tally of integers, a minimum or a maximum, of places or of agents. */
template <class T, int ACCESS> struct mass_world_part {
    int64_t v;
    MASS_FN_MEMBER void open() { v = ACCESS == MASS_SUM ? 0 : mass_limits<T>::rank(mass_farthest<ACCESS, T>()); }
    MASS_FN_MEMBER void add(const T &n) { v = mass_combine<ACCESS>(v, mass_limits<T>::rank(n)); }
    MASS_FN_MEMBER bool is_small() const { return ACCESS != MASS_SUM || mass_world_is_small(v); }
    MASS_FN_MEMBER void close(int64_t *p, bool small) { mass_world_add<ACCESS>(p, v, small); }
};
template <> struct mass_world_part<double, MASS_SUM> {
    MASS_FN_MEMBER void open() {}
    MASS_FN_MEMBER void add(const mass_exact_window *) {}
    MASS_FN_MEMBER bool is_small() const { return true; }
    MASS_FN_MEMBER void close(int64_t *, bool) {}
};
#define MASS_SUMS_OPEN_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_SUMS_OPEN_##VIEW(ACCESS, n, T))
#define MASS_SUMS_OPEN_SUM_(ACCESS, n, T) \
    ~, mass_world_part<T, ACCESS> MASS_JOIN(n, _part); MASS_JOIN(n, _part).open();
#define MASS_SUMS_OPEN_EXTREME_(ACCESS, n, T) MASS_SUMS_OPEN_SUM_(ACCESS, n, T)
#define MASS_SUMS_ADD_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUMS_ADD_##VIEW(n))
#define MASS_SUMS_ADD_SUM_(n) ~, MASS_JOIN(n, _part).add(window.n);
#define MASS_SUMS_ADD_EXTREME_(n) MASS_SUMS_ADD_SUM_(n)
#define MASS_SUMS_SMALL_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUMS_SMALL_##VIEW(n))
#define MASS_SUMS_SMALL_SUM_(n) ~, & MASS_JOIN(n, _part).is_small()
#define MASS_SUMS_SMALL_EXTREME_(n) MASS_SUMS_SMALL_SUM_(n)
#define MASS_SUMS_CLOSE_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUMS_CLOSE_##VIEW(n))
#define MASS_SUMS_CLOSE_SUM_(n) ~, MASS_JOIN(n, _part).close(f.n, small);
#define MASS_SUMS_CLOSE_EXTREME_(n) MASS_SUMS_CLOSE_SUM_(n)
/* One vote for all tallies of a callback. */
#define MASS_WORLD_SUMS_CLOSE_(LIST)                                                  \
    const bool small = __all_sync(~0u, true MASS_EACH_(MASS_SUMS_SMALL_, LIST)) != 0; \
    (void)small;                                                                      \
    MASS_EACH_(MASS_SUMS_CLOSE_, LIST)

/* Sets the pointers of fields from the local offsets that the engine gives. Only fields that a callback over places
 * writes or updates may be outside of the block's memory. */
#define MASS_WORLD_FIND_(CLASS, VIEW, ACCESS, n, ...) mass_world_find(f.n, h.fields[field++]);
#define MASS_WORLD_FIND_OF_PLACES_(CLASS, VIEW, ACCESS, n, ...)                                   \
    if constexpr (MASS_VIEW_##VIEW == MASS_VIEW_VALUE_) mass_world_find(p, f.n, h.fields[field]); \
    else mass_world_find(f.n, h.fields[field]);                                                   \
    field++;

/* Sets the site to a place, by its number, and returns its element. DIMENSIONS 0: as many as the space has. */
template <int DIMENSIONS>
MASS_FN int mass_world_stand(mass_block_site &site, const mass_launch &l, const mass_world_call &c, uint32_t place)
{
    const uint32_t row = DIMENSIONS == 1 ? 0 : c.rows ? __umulhi(place, c.rows) : place;
    const uint32_t sheet = DIMENSIONS == 1 || DIMENSIONS == 2 ? 0 : c.sheets ? __umulhi(row, c.sheets) : row;
    const uint32_t x = place - row * c.size[0], y = row - sheet * c.size[1];
    static_cast<mass_site &>(site) = {&l, x, y, sheet, 0, nullptr};
    __builtin_assume(sheet < c.size[2]);
    return (int)(sheet * c.plane + y * c.pitch + x);
}

/* Returns the launch record of a phase, with facts that help compilers: its numbers of places have 32 bits, and its
 * arrays are in the block's memory, or not used. */
MASS_FN mass_block_launch mass_world_launch(const mass_block_program &p, const mass_world_call &c,
                                            const mass_world_phase &h, uint64_t step, const uint64_t *key)
{
    mass_block_launch l = {};
    for (int a = 0; a < 3; a++) {
        l.size[a] = c.size[a], l.extent[a] = (mass_lidx)c.size[a], l.ghost[a] = c.ghost[a];
        l.inner_first[a] = c.inner_first[a], l.inner_last[a] = c.inner_last[a];
    }
    l.phase = h.phase;
    l.step = step;
    l.random_keys = key;
    l.torus = c.torus;
    l.push = c.push;
    l.none = c.none;
    l.plane = c.plane;
    l.pitch = c.pitch;
    l.reach = (int32_t)h.reach;
    l.first_world = p.first_world + (int32_t)blockIdx.x;
    l.worlds = 1;
    l.diagnostics = p.diagnostics + h.phase;
    mass_agents &g = l.populations[0];
    g.id = mass_world_at<const uint64_t>(h.id);
    g.cell = mass_world_at<const uint32_t>(h.cell);
    g.lost = mass_world_at<const uint8_t>(h.lost);
    g.start = mass_world_at<const uint32_t>(c.start);
    g.move = mass_world_at<uint32_t>(c.move);
    g.asked = mass_world_at<uint32_t>(c.asked);
    g.places = c.places;
    return l;
}

/* Returns the number of agents of the call's population in the world. */
MASS_FN uint32_t mass_world_count(const mass_world_call &c) { return *mass_world_at<const uint32_t>(c.agents); }

/* Runs a callback over the places of the world, or those with agents, by all threads of its block. */
#define MASS_WORLD_PLACES_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                    \
    struct MASS_JOIN(NAME, _around) : mass_in_block {                                               \
        static const char axes_[DIMENSIONS + 1];                                                    \
        MASS_EACH_(MASS_AROUND_, LIST)                                                              \
        mass_reach reach_;                                                                          \
        mass_block_site site;                                                                       \
        uint32_t first_resident;                                                                    \
        union { uint32_t end_of_residents, MASS_MARK_##OVER; };                                     \
        MASS_EACH_(MASS_OWNER_, LIST)                                                               \
        MASS_JOIN(NAME, _sight) sight; /* only the callback's own population: callbacks with        \
                                          several use launches */                                   \
        MASS_OTHERS_(LIST)                                                                          \
        char (*asks_)[MASS_JOIN(NAME, _asks) + 1];                                                  \
    };                                                                                              \
    template <class = void>                                                                         \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const mass_block_program &p, const mass_world_call &c,  \
                                            const mass_world_phase &h, uint64_t step)               \
    {                                                                                               \
        const uint64_t key = *mass_world_at<const uint64_t>(c.random_keys);                         \
        const mass_block_launch l = mass_world_launch(p, c, h, step, &key);                         \
        const unsigned places = l.extent[0] * l.extent[1] * l.extent[2];                            \
        MASS_JOIN(NAME, _fields) f;                                                                 \
        uint32_t field = 0;                                                                         \
        MASS_EACH_(MASS_WORLD_FIND_OF_PLACES_, LIST)                                                \
        MASS_EACH_(MASS_SUMS_OPEN_, LIST)                                                           \
        (void)field;                                                                                \
        const uint32_t *const cells = mass_world_at<const uint32_t>(c.occupied);                    \
        const unsigned count = OVER == MASS_OVER_OCCUPIED ? cells[0] : places;                      \
        for (unsigned k = threadIdx.x; k < count; k += blockDim.x) {                                \
            const unsigned i = OVER == MASS_OVER_OCCUPIED ? cells[1 + k] : k;                       \
            MASS_JOIN(NAME, _around) window;                                                        \
            const int at = mass_world_stand<DIMENSIONS>(window.site, l, c, i);                      \
            const int x = (int)window.site.x, y = (int)window.site.y, z = (int)window.site.z;       \
            const bool edge = c.push && mass_at_edge(l, x, y, z, 1, 1);                             \
            (void)at, (void)edge;                                                                   \
            window.reach_ = {{RADIUS, DIMENSIONS > 1 ? RADIUS : 0, DIMENSIONS > 2 ? RADIUS : 0}};   \
            if (OVER >= MASS_OVER_RESIDENTS) {                                                      \
                window.first_resident = l.populations[0].start[i];                                  \
                window.end_of_residents = l.populations[0].start[i + 1];                            \
            }                                                                                       \
            MASS_EACH_(MASS_LOAD_VIEW_, LIST)                                                       \
            MASS_JOIN(NAME, _body)(&window);                                                        \
            MASS_EACH_(MASS_STORE_VIEW_, LIST)                                                      \
            MASS_EACH_(MASS_SUMS_ADD_, LIST)                                                        \
        }                                                                                           \
        if (h.tallies) { MASS_WORLD_SUMS_CLOSE_(LIST) }                                             \
    }

/* Runs a callback over the world's agents. */
#define MASS_WORLD_AGENTS_(NAME, LIST, DIMENSIONS)                                                    \
    template <class = void>                                                                           \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const mass_block_program &p, const mass_world_call &c,    \
                                            const mass_world_phase &h, uint64_t step)                 \
    {                                                                                                 \
        const uint64_t key = *mass_world_at<const uint64_t>(c.random_keys);                           \
        const mass_block_launch l = mass_world_launch(p, c, h, step, &key);                           \
        MASS_JOIN(NAME, _fields) f;                                                                   \
        uint32_t field = 0;                                                                           \
        MASS_EACH_(MASS_WORLD_FIND_, LIST)                                                            \
        MASS_EACH_(MASS_SUMS_OPEN_, LIST)                                                             \
        (void)field;                                                                                  \
        const uint32_t count = mass_world_count(c);                                                   \
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {                                  \
            MASS_JOIN(NAME, _window)<mass_block_site> window;                                         \
            const int at = mass_world_stand<DIMENSIONS>(window.site, l, c, l.populations[0].cell[i]); \
            window.site.id = l.populations[0].id + i;                                                 \
            MASS_JOIN(NAME, _agent)(f, l, i, at, window, nullptr);                                    \
            MASS_EACH_(MASS_SUMS_ADD_, LIST)                                                          \
        }                                                                                             \
        if (h.tallies) { MASS_WORLD_SUMS_CLOSE_(LIST) }                                               \
    }

/* ---- steps ---- */

/* Returns the bound of a condition. */
MASS_FN double mass_world_bound_of(const mass_block_program &p, const mass_world_bound &b)
{
    double bound = b.value;
    if (b.parameter != MASS_WORLD_NONE)
        bound *= b.real ? *mass_world_at<double>(b.parameter) : (double)*mass_world_at<int64_t>(b.parameter);
    if (b.counted != MASS_WORLD_NONE) bound *= (double)mass_world_at<uint32_t>(p.counts)[b.counted];
    return bound;
}

/* Prepares the first step: no requests, and no contributions to tallies that restart. */
MASS_FN void mass_world_begin(const mass_block_program &p)
{
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) {
        mass_world_drop(populations[i], mass_world_at<const uint32_t>(p.counts)[i]);
        for (uint32_t c = threadIdx.x; c < (populations[i].places + 4) / 4 * 4; c += blockDim.x)
            mass_world_at<uint32_t>(populations[i].place_counts)[c] = 0;
        mass_world_list_occupied(populations[i]);
    }
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x)
        if (values[i].restarts) mass_world_set(values[i], values[i].neutral);
    const mass_world_bound *const bounds = mass_world_at<const mass_world_bound>(p.bounds);
    for (uint32_t i = threadIdx.x; i < p.bound_count; i += blockDim.x)
        *mass_world_at<double>(bounds[i].local) = mass_world_bound_of(p, bounds[i]);
}

/* Returns true if a phase runs, in all lanes of the calling warp. */
MASS_FN bool mass_world_holds(const mass_world_phase &h)
{
    const int64_t part = mass_world_at<int64_t>(h.tally)[threadIdx.x % 32];
    const bool small = __all_sync(~0u, mass_world_is_small(part)) != 0;
    const int64_t tally = __shfl_sync(~0u, mass_world_combine<MASS_SUM>(part, small), 0);
    return mass_relation_holds(h.relation, (double)tally, *mass_world_at<const double>(h.bound));
}
/* Returns true if a phase runs, in all threads of the block: one warp evaluates the condition, and all threads wait
 * before they may change its tally. */
MASS_FN bool mass_world_all_hold(const mass_world_phase &h)
{
    return __any_sync(~0u, __syncthreads_or(threadIdx.x < 32 && mass_world_holds(h))) != 0;
}

/* Records that agents requested something, if there is no manage. */
MASS_FN void mass_world_effects_ignored(const mass_world_population &g, uint32_t count, mass_diagnostics *diagnostics)
{
    bool asks = false;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        asks |= mass_world_at<uint32_t>(g.move)[i] != MASS_CELL_STAY || mass_world_at<uint32_t>(g.asked)[i] != 0;
    if (asks && !diagnostics->ignored[MASS_IGNORED_REQUEST]) diagnostics->ignored[MASS_IGNORED_REQUEST] = 1;
}

/* Between two steps: restarts tallies and discards requests. Each warp has its own part of a tally, and each thread the
 * requests of its agents. So the next phase may begin in one warp before another warp arrives here. */
MASS_FN void mass_world_end_step(const mass_block_program &p)
{
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x % 32; i < p.value_count; i += 32)
        if (values[i].restarts) mass_world_at<int64_t>(values[i].local)[threadIdx.x / 32] = values[i].neutral;
    __syncwarp();
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) {
        const uint32_t count = mass_world_at<const uint32_t>(p.counts)[i];
        if (populations[i].drops > 1) mass_world_effects_ignored(populations[i], count, p.of_populations + i);
        if (populations[i].drops) mass_world_drop(populations[i], count);
    }
}

/* Runs the steps of a world. `call(p, h, step)` runs the callback of a phase. */
template <class Call>
MASS_FN void mass_world_steps_of(const mass_block_program &p, uint64_t step, uint64_t pairs, Call call)
{
    const int world = blockIdx.x;
    for (uint32_t i = threadIdx.x; i < p.table_bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(0)[i] = ((const uint4 *)p.tables)[i];
    __syncthreads();
    mass_world_link(p, world);
    mass_world_move<true>(p, world);
    __syncthreads();
    mass_world_begin(p);
    __syncthreads();
    bool runs = true;
    for (uint64_t k = 0; k < pairs; k++) {
        for (uint32_t i = 0; i < 2 * p.phase_count; i++) {
            const mass_world_phase &h = p.phases[i];
            if (h.conditional == 0) runs = true;
            else if (h.conditional == 1) runs = mass_world_all_hold(h);
            if (!runs) continue;
            if (h.kind == MASS_WORLD_CALL) call(p, h, step + 1 + 2 * k + (i >= p.phase_count));
            else if (h.kind == MASS_WORLD_MANAGE) mass_world_manage(p, h);
            else mass_world_end_step(p);
            if (h.waits) __syncthreads();
        }
    }
    __syncthreads();
    mass_world_move<false>(p, world);
}

#define MASS_WORLD_CASE_(NAME)                                                                \
    if (k < MASS_WORLD_CALLS && h.callback == k)                                              \
        MASS_JOIN(NAME, _in_world)(p, p.calls[k < MASS_WORLD_CALLS ? k : 0], h, step);        \
    k++;
#define MASS_WORLD_NAME_(NAME) #NAME ";"
#define MASS_CALLBACKS_(M, FIRST, ...) M(FIRST) __VA_OPT__(MASS_CALLBACKS_AGAIN_ MASS_NONE_ ()(M, __VA_ARGS__))
#define MASS_CALLBACKS_AGAIN_() MASS_CALLBACKS_
#define MASS_NONE_
/* As many rescans as there may be phases. */
#define MASS_EXPAND_(...) MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(__VA_ARGS__))))
#define MASS_EXPAND1_(...) MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(__VA_ARGS__))))
#define MASS_EXPAND2_(...) MASS_EXPAND3_(MASS_EXPAND3_(MASS_EXPAND3_(MASS_EXPAND3_(__VA_ARGS__))))
#define MASS_EXPAND3_(...) MASS_EXPAND4_(MASS_EXPAND4_(MASS_EXPAND4_(MASS_EXPAND4_(__VA_ARGS__))))
#define MASS_EXPAND4_(...) __VA_ARGS__

/* See kernel.h. */
#define MASS_WORLD_STEPS(...)                                                                                    \
    extern "C" __device__ const char mass_world_callbacks[];                                                     \
    __device__ const char mass_world_callbacks[] = MASS_EXPAND_(MASS_CALLBACKS_(MASS_WORLD_NAME_, __VA_ARGS__)); \
    extern "C" __global__ void __launch_bounds__(MASS_WORLD_THREADS, 2)                                          \
        mass_world_steps_7(const __grid_constant__ mass_block_program p, uint64_t step, uint64_t pairs)          \
    {                                                                                                            \
        mass_world_steps_of(p, step, pairs,                                                                      \
                            [](const mass_block_program &p, const mass_world_phase &h, uint64_t step) {          \
            uint32_t k = 0;                                                                                      \
            MASS_EXPAND_(MASS_CALLBACKS_(MASS_WORLD_CASE_, __VA_ARGS__))                                         \
        });                                                                                                      \
    }

#endif
