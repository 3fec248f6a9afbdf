/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds that one block of a GPU carries through many steps: the device functions of callbacks, and the kernel
 * (world.h). Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_WORLD_H
#define MASS_KERNEL_WORLD_H

#include <mass/kernel_cuda.h>
#include <mass/world.h>

template <class T = char> MASS_FN T *mass_world_at(uint32_t local)
{
    extern __shared__ uint4 mass_world_memory[];
    return (T *)((char *)mass_world_memory + local);
}

/* ---- callbacks over one world ---- */

/* A READ field seen from one place. */
template <class T> struct mass_around {
    const T *here, *none;
    int64_t pitch, plane;
    MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
    MASS_FN_MEMBER T own() const { return at(0, 0, 0); }
};

/* Of all threads of a warp, in its first one: sums of small numbers by one instruction. */
template <int ACCESS> MASS_FN int64_t mass_world_combine(int64_t v)
{
#if __CUDA_ARCH__ >= 800
    constexpr int64_t SMALL = 1 << 25;
    if (ACCESS == MASS_SUM && __all_sync(~0u, v > -SMALL && v < SMALL)) return __reduce_add_sync(~0u, (int)v);
#endif
    return mass_combine_warp<ACCESS>(v);
}

/* To the warp's own part of a tally. */
template <int ACCESS> MASS_FN void mass_world_add(int64_t *tally, int64_t v)
{
    v = mass_world_combine<ACCESS>(v);
    int64_t *const own = tally + threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) *own = mass_combine<ACCESS>(*own, v);
}

/* What a thread does with a field of a callback over places, by its view (entries.h): load shows it to the body, for
 * one place, and store takes over what the body left. The engine takes no world with a callback that counts bins, keys
 * or reals, or scatters this way; they only have to compile. */
struct mass_visited_nothing {
    template <class... A> static MASS_FN_MEMBER void store(A &&...) {}
};
template <mass_view VIEW, class T, int ACCESS> struct mass_visited : mass_visited_nothing {
    typedef T *window;
    static MASS_FN_MEMBER void load(window &n, T *p, const mass_launch &, int at)
    {
        n = VIEW == MASS_VIEW_POINT_ ? p + at : p;
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_AROUND_, T, ACCESS> : mass_visited_nothing {
    typedef mass_around<T> window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_launch &l, int at)
    {
        n = {p + at, p + mass_default_element(&l), l.pitch, l.plane};
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_VALUE_, T, ACCESS> {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_launch &, int at)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = p[at];
    }
    static MASS_FN_MEMBER void store(const window &n, T *p, const mass_launch &l, int at, bool edge, int x, int y,
                                     int z)
    {
        p[at] = n;
        if (edge) mass_push_row<1>(p + at, &n, 1, l, x, y, z);
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_SCALAR_, T, ACCESS> : mass_visited_nothing {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, const T *p, const mass_launch &, int) { n = *p; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_SUM_, T, ACCESS> : mass_visited_nothing {
    typedef mass_sum window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_launch &, int) { n = 0; }
};
template <int ACCESS> struct mass_visited<MASS_VIEW_SUM_, double, ACCESS> : mass_visited_nothing {
    typedef mass_exact_window *window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_launch &, int) { n = nullptr; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_EXTREME_, T, ACCESS> : mass_visited_nothing {
    typedef T window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_launch &, int)
    {
        n = mass_farthest<ACCESS, T>();
    }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_BINS_, T, ACCESS> : mass_visited_nothing {
    typedef mass_counter window;
    static MASS_FN_MEMBER void load(window &n, int64_t *, const mass_launch &, int) { n.near = n.far = 0; }
};
template <class T, int ACCESS> struct mass_visited<MASS_VIEW_KEYS_, T, ACCESS> : mass_visited_nothing {
    typedef mass_key_counter window;
    static MASS_FN_MEMBER void load(window &n, mass_key_table *, const mass_launch &, int) { n.table = nullptr; }
};
#define MASS_VISITED_(VIEW, ACCESS, T) mass_visited<MASS_VIEW_##VIEW, MASS_ELEMENT_(VIEW, ACCESS, T), ACCESS>
#define MASS_AROUND_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::window n; MASS_REST_(MASS_NOBODY_##VIEW(ACCESS, n2, T))
#define MASS_LOAD_VIEW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::load(window.n, f.n, l, at); MASS_REST_(MASS_SHOW_NOBODY_##VIEW(n, n2, T))
#define MASS_STORE_VIEW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_VISITED_(VIEW, ACCESS, T)::store(window.n, f.n, l, at, edge, x, y, z);

/* What a thread adds to a tally of integers, a minimum or a maximum, of places or of agents. */
template <class T, int ACCESS> struct mass_world_part {
    int64_t v;
    MASS_FN_MEMBER void open() { v = ACCESS == MASS_SUM ? 0 : mass_limits<T>::rank(mass_farthest<ACCESS, T>()); }
    MASS_FN_MEMBER void add(const T &n) { v = mass_combine<ACCESS>(v, mass_limits<T>::rank(n)); }
    MASS_FN_MEMBER void close(int64_t *p)
    {
        if (ACCESS != MASS_SUM || __any_sync(~0u, v != 0)) mass_world_add<ACCESS>(p, v);
    }
};
template <> struct mass_world_part<double, MASS_SUM> {
    MASS_FN_MEMBER void open() {}
    MASS_FN_MEMBER void add(const mass_exact_window *) {}
    MASS_FN_MEMBER void close(int64_t *) {}
};
#define MASS_SUMS_OPEN_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_SUMS_OPEN_##VIEW(ACCESS, n, T))
#define MASS_SUMS_OPEN_SUM_(ACCESS, n, T) \
    ~, mass_world_part<T, ACCESS> MASS_JOIN(n, _part); MASS_JOIN(n, _part).open();
#define MASS_SUMS_OPEN_EXTREME_(ACCESS, n, T) MASS_SUMS_OPEN_SUM_(ACCESS, n, T)
#define MASS_SUMS_ADD_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUMS_ADD_##VIEW(n))
#define MASS_SUMS_ADD_SUM_(n) ~, MASS_JOIN(n, _part).add(window.n);
#define MASS_SUMS_ADD_EXTREME_(n) MASS_SUMS_ADD_SUM_(n)
#define MASS_SUMS_CLOSE_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_SUMS_CLOSE_##VIEW(n))
#define MASS_SUMS_CLOSE_SUM_(n) ~, MASS_JOIN(n, _part).close(f.n);
#define MASS_SUMS_CLOSE_EXTREME_(n) MASS_SUMS_CLOSE_SUM_(n)

/* Fields of a callback are all in the block's memory, which makes for faster instructions. */
#define MASS_SHARED_(CLASS, VIEW, ACCESS, n, ...) __builtin_assume(__isShared(f.n));

/* a / b, of a below 2^20: as a float the quotient is off by less than the distance of (a + 0.5) / b to the next
 * whole number. */
MASS_FN uint32_t mass_world_divide(uint32_t a, uint32_t b)
{
    return (uint32_t)(((float)a + 0.5f) * __frcp_rn((float)b));
}

/* Stands on a place, by its number, and returns its element. */
MASS_FN int mass_world_stand(mass_site &site, const mass_launch &l, uint32_t place)
{
    const uint32_t row = mass_world_divide(place, l.extent[0]), x = place - row * l.extent[0];
    const uint32_t z = l.extent[2] == 1 ? 0 : mass_world_divide(row, l.extent[1]), y = row - z * l.extent[1];
    site = {&l, x, y, z, 0, nullptr};
    return (int)(z * (uint32_t)l.plane + y * (uint32_t)l.pitch + x);
}

/* A callback over the places of the world, by all threads of its block: one thread a place, or the first agent's
 * of an occupied one ... */
#define MASS_WORLD_PLACES_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                      \
    struct MASS_JOIN(NAME, _around) {                                                                 \
        MASS_EACH_(MASS_AROUND_, LIST)                                                                \
        mass_reach reach_;                                                                            \
        mass_site site;                                                                               \
        uint32_t first_resident;                                                                      \
        union { uint32_t end_of_residents, MASS_MARK_##OVER; };                                       \
    };                                                                                                \
    template <class = void>                                                                           \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies)   \
    {                                                                                                 \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;                 \
        const unsigned places = l.extent[0] * l.extent[1] * l.extent[2];                              \
        MASS_EACH_(MASS_SHARED_, LIST)                                                                \
        MASS_EACH_(MASS_SUMS_OPEN_, LIST)                                                             \
        const uint32_t *const cell = l.agents.cell;                                                   \
        const unsigned count = OVER == MASS_OVER_OCCUPIED ? l.agents.start[l.agents.places] : places; \
        for (unsigned k = threadIdx.x; k < count; k += blockDim.x) {                                  \
            if (OVER == MASS_OVER_OCCUPIED && k > 0 && cell[k - 1] == cell[k]) continue;              \
            const unsigned i = OVER == MASS_OVER_OCCUPIED ? cell[k] : k;                              \
            MASS_JOIN(NAME, _around) window;                                                          \
            const int at = mass_world_stand(window.site, l, i);                                       \
            const int x = (int)window.site.x, y = (int)window.site.y, z = (int)window.site.z;         \
            const bool edge = l.push && mass_at_edge(l, x, y, z, 1, 1);                               \
            (void)at, (void)edge;                                                                     \
            window.reach_ = {{RADIUS, DIMENSIONS > 1 ? RADIUS : 0, DIMENSIONS > 2 ? RADIUS : 0}};     \
            if (OVER >= MASS_OVER_RESIDENTS)                                                          \
                mass_meet_residents(&window.site, &window.first_resident, &window.end_of_residents);  \
            MASS_EACH_(MASS_LOAD_VIEW_, LIST)                                                         \
            MASS_JOIN(NAME, _body)(&window);                                                          \
            MASS_EACH_(MASS_STORE_VIEW_, LIST)                                                        \
            MASS_EACH_(MASS_SUMS_ADD_, LIST)                                                          \
        }                                                                                             \
        if (tallies) { MASS_EACH_(MASS_SUMS_CLOSE_, LIST) }                                           \
    }

/* ... and over its agents. */
#define MASS_WORLD_AGENTS_(NAME, LIST)                                                              \
    template <class = void>                                                                         \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies) \
    {                                                                                               \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;               \
        const uint32_t agents = l.agents.start[l.agents.places];                                    \
        MASS_EACH_(MASS_SHARED_, LIST)                                                              \
        MASS_EACH_(MASS_SUMS_OPEN_, LIST)                                                           \
        for (uint32_t i = threadIdx.x; i < agents; i += blockDim.x) {                               \
            MASS_JOIN(NAME, _window) window;                                                        \
            const int at = mass_world_stand(window.site, l, l.agents.cell[i]);                      \
            window.site.id = l.agents.id + i;                                                       \
            MASS_JOIN(NAME, _agent)(f, l, i, at, window, nullptr);                                  \
            MASS_EACH_(MASS_SUMS_ADD_, LIST)                                                        \
        }                                                                                           \
        if (tallies) { MASS_EACH_(MASS_SUMS_CLOSE_, LIST) }                                         \
    }

/* ---- a world comes and goes ---- */

MASS_FN void mass_world_copy(void *to, const void *from, uint32_t size)
{
    switch (size) {
    case 1: *(uint8_t *)to = *(const uint8_t *)from; break;
    case 2: *(uint16_t *)to = *(const uint16_t *)from; break;
    case 4: *(uint32_t *)to = *(const uint32_t *)from; break;
    case 8: *(uint2 *)to = *(const uint2 *)from; break;
    case 16: *(uint4 *)to = *(const uint4 *)from; break;
    default:
        for (uint32_t k = 0; k < size; k++) ((char *)to)[k] = ((const char *)from)[k];
    }
}

/* Either way between the memory of all worlds and the block's. */
template <bool IN> MASS_FN void mass_world_element(char *global, char *local, uint32_t size)
{
    if (IN) mass_world_copy(local, global, size);
    else mass_world_copy(global, local, size);
}

template <bool IN> MASS_FN void mass_world_places(const mass_world_array &a, const mass_world_space &s, int world)
{
    const uint32_t wide = s.extent[0] + 2 * s.ghost[0], high = s.extent[1] + 2 * s.ghost[1];
    for (uint32_t i = threadIdx.x; i < a.elements; i += blockDim.x) {
        const int row = i / wide, x = (int)(i - row * wide) - s.ghost[0];
        const int sheet = row / high, y = row - sheet * high - s.ghost[1], z = sheet - s.ghost[2];
        const int64_t element = world * s.world_stride + z * s.plane + y * s.pitch + x;
        mass_world_element<IN>((char *)a.global + element * a.size, mass_world_at(a.local + i * a.size), a.size);
    }
}

/* Numbers of cells and agents count from the world's first one. */
template <bool IN>
MASS_FN void mass_world_numbers(uint32_t *global, uint32_t *local, uint32_t count, uint32_t first)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        if (IN) local[i] = global[i] < MASS_CELL_NOWHERE ? global[i] - first : global[i];
        else global[i] = local[i] < MASS_CELL_NOWHERE ? local[i] + first : local[i];
    }
}

template <bool IN> MASS_FN void mass_world_array_in(const mass_world_program &p, const mass_world_array &a, int world)
{
    if (a.kind == MASS_WORLD_PLACES) {
        mass_world_places<IN>(a, mass_world_at<const mass_world_space>(p.spaces)[a.owner], world);
        return;
    }
    const mass_world_population &g = mass_world_at<const mass_world_population>(p.populations)[a.owner];
    const uint32_t base = (uint32_t)(world * g.places), first = g.start[base], count = g.start[base + g.places] - first;
    if (a.kind == MASS_WORLD_STARTS)
        mass_world_numbers<IN>((uint32_t *)a.global + base, mass_world_at<uint32_t>(a.local), (uint32_t)g.places + IN,
                               first);
    else if (a.kind == MASS_WORLD_CELLS)
        mass_world_numbers<IN>((uint32_t *)a.global + first, mass_world_at<uint32_t>(a.local), count, base);
    else
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
            mass_world_element<IN>((char *)a.global + (uint64_t)(first + i) * a.size,
                                   mass_world_at(a.local + i * a.size), a.size);
}

MASS_FN void mass_world_set(const mass_world_value &v, int64_t number)
{
    int64_t *const parts = mass_world_at<int64_t>(v.local);
    for (int k = 0; k < MASS_WORLD_WARPS; k++) parts[k] = k == 0 ? number : v.neutral;
}

MASS_FN int64_t mass_world_total(const mass_world_value &v)
{
    const int64_t *const parts = mass_world_at<const int64_t>(v.local);
    int64_t total = v.neutral;
    for (int k = 0; k < MASS_WORLD_WARPS; k++)
        total = v.access == MASS_SUM   ? mass_combine<MASS_SUM>(total, parts[k])
                : v.access == MASS_MIN ? mass_combine<MASS_MIN>(total, parts[k])
                                       : mass_combine<MASS_MAX>(total, parts[k]);
    return total;
}

template <bool IN> MASS_FN void mass_world_move(const mass_world_program &p, int world)
{
    const mass_world_array *arrays = mass_world_at<const mass_world_array>(p.arrays);
    const mass_world_value *values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x) {
        int64_t *const local = mass_world_at<int64_t>(values[i].local);
        if (IN && values[i].access) mass_world_set(values[i], values[i].global[world]);
        else if (IN) *local = values[i].global[world];
        else if (values[i].access) values[i].global[world] = mass_world_total(values[i]);
    }
    for (uint32_t i = 0; i < p.array_count; i++)
        if (IN || arrays[i].stored) mass_world_array_in<IN>(p, arrays[i], world);
}

template <class T> MASS_FN void mass_world_relocate(T *&pointer)
{
    pointer = (uint64_t)pointer == MASS_WORLD_NONE ? nullptr : (T *)mass_world_at((uint32_t)(uint64_t)pointer);
}

/* Of the phases, local offsets become pointers. */
MASS_FN void mass_world_link(const mass_world_program &p, int world, uint64_t step)
{
    mass_world_phase *const phases = mass_world_at<mass_world_phase>(p.phases);
    for (uint32_t i = threadIdx.x; i < 2 * p.phase_count; i += blockDim.x) {
        mass_world_phase &h = phases[i];
        for (uint32_t k = 0; k < h.field_count; k++) h.fields[k] = (uint64_t)mass_world_at((uint32_t)h.fields[k]);
        mass_world_relocate(h.launch.clock);
        mass_world_relocate(h.launch.random_keys);
        mass_world_relocate(h.launch.agents.id);
        mass_world_relocate(h.launch.agents.cell);
        mass_world_relocate(h.launch.agents.lost);
        mass_world_relocate(h.launch.agents.start);
        mass_world_relocate(h.launch.agents.move);
        mass_world_relocate(h.launch.agents.asked);
        h.launch.first_world = p.first_world + world;
    }
    const mass_world_population *const all = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = threadIdx.x; i < p.population_count; i += blockDim.x) {
        const uint64_t base = (uint64_t)world * (uint64_t)all[i].places;
        mass_world_at<uint32_t>(p.counts)[i] = all[i].start[base + (uint64_t)all[i].places] - all[i].start[base];
    }
    if (threadIdx.x == 0) *mass_world_at<uint64_t>(p.clock) = step;
}

/* ---- manage ---- */

MASS_FN void mass_world_drop(const mass_world_population &g, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        mass_world_at<uint32_t>(g.move)[i] = MASS_CELL_STAY;
        mass_world_at<uint32_t>(g.asked)[i] = 0;
    }
}

/* start[c] becomes the sum of n[0] to n[c - 1], and n[] zero; four at a time, of which both have room. */
MASS_FN void mass_world_scan(uint4 *start, uint4 *n, uint32_t fours, uint32_t each)
{
    __shared__ uint32_t sums[MASS_WORLD_WARPS];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint32_t first = threadIdx.x * each;
    const uint32_t last = first + each < fours ? first + each : fours;
    uint32_t own = 0;
    for (uint32_t k = first; k < last; k++) own += n[k].x + n[k].y + n[k].z + n[k].w;
    uint32_t before = own;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) sums[warp] = before;
    __syncthreads();
    const uint32_t sum = lane < warp ? sums[lane] : 0;
#if __CUDA_ARCH__ >= 800
    before += __reduce_add_sync(~0u, sum) - own;
#else
    before += (uint32_t)__shfl_sync(~0u, mass_combine_warp<MASS_SUM>(sum), 0) - own;
#endif
    for (uint32_t k = first; k < last; k++) {
        const uint4 v = n[k];
        start[k] = {before, before + v.x, before + v.x + v.y, before + v.x + v.y + v.z};
        before += v.x + v.y + v.z + v.w;
        n[k] = {0, 0, 0, 0};
    }
}

/* Elements of agent i in columns of one width. */
template <class T>
MASS_FN void mass_world_carry(const mass_world_array *columns, uint32_t first, uint32_t last, uint32_t from, uint32_t i,
                              uint32_t to, uint32_t at)
{
    for (uint32_t k = first; k < last; k++)
        mass_world_at<T>(columns[k].local + to)[at] = mass_world_at<const T>(columns[k].local + from)[i];
}

/* Moves of a population without births, deaths or a capacity (the words of manage, in agents.h): everybody gets
 * where it wants, and canonical order is made by counting. */
MASS_FN void mass_world_manage(const mass_world_program &p, const mass_world_phase &h)
{
    constexpr uint32_t LOST = 0x80000000u;
    const mass_world_population &g = mass_world_at<const mass_world_population>(p.populations)[h.population];
    const uint32_t count = mass_world_at<const uint32_t>(p.counts)[h.population];
    const uint32_t from = h.columns - g.columns, to = h.spare - g.columns;
    uint32_t *const start = mass_world_at<uint32_t>(g.starts), *const crowds = mass_world_at<uint32_t>(g.crowds);
    uint32_t *const move = mass_world_at<uint32_t>(g.move), *const asked = mass_world_at<uint32_t>(g.asked);
    uint32_t *const order = mass_world_at<uint32_t>(g.order);
    const uint32_t *const cell = mass_world_at<const uint32_t>(g.cell + from);
    const mass_world_array *const columns = mass_world_at<const mass_world_array>(p.arrays);
    const uint64_t *const id = mass_world_at<const uint64_t>(g.id + from);

    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint32_t asked_cell = move[i], target = asked_cell < MASS_CELL_NOWHERE ? asked_cell : cell[i];
        move[i] = target;
        asked[i] = atomicAdd(&crowds[target], 1) | (asked_cell == MASS_CELL_NOWHERE ? LOST : 0);
    }
    __syncthreads();
    mass_world_scan((uint4 *)start, (uint4 *)crowds, g.fours, g.fours_a_thread);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        order[start[move[i]] + (asked[i] & ~LOST)] = i | (asked[i] & LOST);
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < count; s += blockDim.x) {
        const uint32_t i = order[s] & ~LOST, target = move[i], first = start[target], last = start[target + 1];
        uint32_t at = first;
        if (last - first > 1) {
            const uint64_t own = id[i];
            for (uint32_t k = first; k < last; k++) at += id[order[k] & ~LOST] < own;
        }
        mass_world_at<uint32_t>(g.cell + to)[at] = target;
        mass_world_at<uint8_t>(g.lost + to)[at] = order[s] >> 31;
        mass_world_carry<uint8_t>(columns, g.wider[0], g.wider[1], from, i, to, at);
        mass_world_carry<uint16_t>(columns, g.wider[1], g.wider[2], from, i, to, at);
        mass_world_carry<uint32_t>(columns, g.wider[2], g.wider[3], from, i, to, at);
        mass_world_carry<uint2>(columns, g.wider[3], g.wider[4], from, i, to, at);
        mass_world_carry<uint4>(columns, g.wider[4], g.wider[5], from, i, to, at);
        for (uint32_t k = g.wider[5]; k < g.wider[6]; k++) {
            const uint32_t size = columns[k].size, local = columns[k].local;
            mass_world_copy(mass_world_at(local + to + at * size), mass_world_at(local + from + i * size), size);
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; h.conditional && i < g.bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(h.columns)[i] = mass_world_at<const uint4>(h.spare)[i];
    mass_world_drop(g, count);
}

/* ---- steps ---- */

/* No step leaves requests or contributions of tallies that restart to the next. */
MASS_FN void mass_world_begin(const mass_world_program &p)
{
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) {
        mass_world_drop(populations[i], mass_world_at<const uint32_t>(p.counts)[i]);
        for (uint32_t c = threadIdx.x; c < (populations[i].places + 4) / 4 * 4; c += blockDim.x)
            mass_world_at<uint32_t>(populations[i].crowds)[c] = 0;
    }
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x)
        if (values[i].restarts) mass_world_set(values[i], values[i].neutral);
}

/* The same in all threads. */
MASS_FN bool mass_world_holds(const mass_world_program &p, const mass_world_phase &h)
{
    double bound = h.value;
    if (h.parameter != MASS_WORLD_NONE)
        bound *= h.real ? *mass_world_at<double>(h.parameter) : (double)*mass_world_at<int64_t>(h.parameter);
    if (h.counted != MASS_WORLD_NONE) bound *= (double)mass_world_at<uint32_t>(p.counts)[h.counted];
    const int64_t part = mass_world_at<int64_t>(h.tally)[threadIdx.x % 32];
    const int64_t tally = __shfl_sync(~0u, mass_world_combine<MASS_SUM>(part), 0);
    return mass_relation_holds(h.relation, (double)tally, bound);
}

/* Notes that agents asked for something, where no manage comes. */
MASS_FN void mass_world_note_ignored(const mass_world_population &g, uint32_t count, mass_diagnostics *diagnostics)
{
    bool asks = false;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        asks |= mass_world_at<uint32_t>(g.move)[i] != MASS_CELL_STAY || mass_world_at<uint32_t>(g.asked)[i] != 0;
    if (asks && !diagnostics->ignored[MASS_IGNORED_REQUEST]) diagnostics->ignored[MASS_IGNORED_REQUEST] = 1;
}

/* Between two steps: tallies restart, requests are dropped, the clock goes on. */
MASS_FN void mass_world_end_step(const mass_world_program &p, mass_diagnostics *diagnostics)
{
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count * MASS_WORLD_WARPS; i += blockDim.x) {
        const mass_world_value &v = values[i / MASS_WORLD_WARPS];
        if (v.restarts) mass_world_at<int64_t>(v.local)[i % MASS_WORLD_WARPS] = v.neutral;
    }
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) {
        const uint32_t count = mass_world_at<const uint32_t>(p.counts)[i];
        if (populations[i].drops > 1 && diagnostics) mass_world_note_ignored(populations[i], count, diagnostics + i);
        if (populations[i].drops) mass_world_drop(populations[i], count);
    }
    if (threadIdx.x == 0) ++*mass_world_at<uint64_t>(p.clock);
}

/* `call(number, fields, launch, tallies)` runs callback `number`. */
template <class Call>
MASS_FN void mass_world_steps_of(const mass_world_program &p, uint64_t step, uint64_t pairs, Call call)
{
    const int world = blockIdx.x;
    for (uint32_t i = threadIdx.x; i < p.table_bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(0)[i] = ((const uint4 *)p.tables)[i];
    __syncthreads();
    mass_world_link(p, world, step);
    mass_world_move<true>(p, world);
    __syncthreads();
    mass_world_begin(p);
    __syncthreads();
    const mass_world_phase *const phases = mass_world_at<const mass_world_phase>(p.phases);
    bool runs = true;
    for (uint64_t k = 0; k < pairs; k++) {
        for (uint32_t i = 0; i < 2 * p.phase_count; i++) {
            const mass_world_phase &h = phases[i];
            if (h.conditional != 2 || runs) {
                runs = !h.conditional || mass_world_holds(p, h);
                if (h.conditional) __syncthreads(); /* before anybody changes the tally */
            }
            if (!runs) continue;
            if (h.kind == MASS_WORLD_CALL) call(h.callback, h.fields, h.launch, h.tallies);
            else if (h.kind == MASS_WORLD_MANAGE) mass_world_manage(p, h);
            else mass_world_end_step(p, h.launch.diagnostics);
            __syncthreads();
        }
    }
    mass_world_move<false>(p, world);
}

#define MASS_WORLD_CASE_(NAME) \
    if (number == k++) MASS_JOIN(NAME, _in_world)(fields, launch, tallies);
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
    extern "C" __global__ void __launch_bounds__(MASS_WORLD_THREADS)                                             \
        mass_world_steps(const __grid_constant__ mass_world_program p, uint64_t step, uint64_t pairs)            \
    {                                                                                                            \
        mass_world_steps_of(p, step, pairs, [](uint32_t number, const void *fields, const mass_launch &launch,   \
                                               bool tallies) {                                                   \
            uint32_t k = 0;                                                                                      \
            MASS_EXPAND_(MASS_CALLBACKS_(MASS_WORLD_CASE_, __VA_ARGS__))                                         \
        });                                                                                                      \
    }

#endif
