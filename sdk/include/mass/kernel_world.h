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
};

#define MASS_AROUND_(name, type, access, target) MASS_JOIN(MASS_AROUND_, access)(type, name)
#define MASS_AROUND_READ(T, n) mass_around<T> n;
#define MASS_AROUND_WRITE(T, n) T n;
#define MASS_AROUND_UPDATE(T, n) T n;
#define MASS_AROUND_PARAM(T, n) T n;
#define MASS_AROUND_SUM(T, n) MASS_JOIN(MASS_SUMMED_, T) n;
#define MASS_AROUND_BINS(T, n) mass_counter n;
#define MASS_AROUND_KEYS(T, n) mass_key_counter n;
#define MASS_AROUND_ITEMS(T, n) const T *n;
#define MASS_AROUND_MIN(T, n) T n;
#define MASS_AROUND_MAX(T, n) T n;
#define MASS_AROUND_RESIDENT(T, n) const T *n, *MASS_JOIN(n, _none);
#define MASS_AROUND_RESIDENT_UPDATE(T, n) T *n, *MASS_JOIN(n, _none);
#define MASS_ARRIVE_(name, type, access, target) MASS_JOIN(MASS_ARRIVE_, access)(type, name)
#define MASS_ARRIVE_READ(T, n) window.n = {f.n + at, f.n + mass_default_element(&l), l.pitch, l.plane};
#define MASS_ARRIVE_WRITE(T, n)
#define MASS_ARRIVE_UPDATE(T, n) window.n = f.n[at];
#define MASS_ARRIVE_PARAM(T, n) window.n = *f.n;
#define MASS_ARRIVE_SUM(T, n) window.n = 0;
#define MASS_ARRIVE_BINS(T, n) window.n.near = window.n.far = 0;
#define MASS_ARRIVE_KEYS(T, n) window.n.table = nullptr;
#define MASS_ARRIVE_ITEMS(T, n) window.n = f.n + at;
#define MASS_ARRIVE_MIN(T, n) window.n = mass_limits<T>::greatest();
#define MASS_ARRIVE_MAX(T, n) window.n = mass_limits<T>::smallest();
#define MASS_ARRIVE_RESIDENT(T, n)                                   \
    T MASS_JOIN(n, _of_nobody);                                      \
    memset(&MASS_JOIN(n, _of_nobody), 0, sizeof(T));                 \
    window.n = f.n, window.MASS_JOIN(n, _none) = &MASS_JOIN(n, _of_nobody);
#define MASS_ARRIVE_RESIDENT_UPDATE(T, n) MASS_ARRIVE_RESIDENT(T, n)
#define MASS_DEPART_(name, type, access, target) MASS_JOIN(MASS_DEPART_, access)(type, name)
#define MASS_DEPART_READ(T, n)
#define MASS_DEPART_WRITE(T, n)                                                                    \
    f.n[at] = window.n;                                                                            \
    if (edge) mass_push_row<1>(f.n + at, &window.n, 1, l, x, y, z);
#define MASS_DEPART_UPDATE(T, n) MASS_DEPART_WRITE(T, n)
#define MASS_DEPART_PARAM(T, n)
#define MASS_DEPART_SUM(T, n)
#define MASS_DEPART_BINS(T, n)
#define MASS_DEPART_KEYS(T, n)
#define MASS_DEPART_ITEMS(T, n)
#define MASS_DEPART_MIN(T, n)
#define MASS_DEPART_MAX(T, n)
#define MASS_DEPART_RESIDENT(T, n)
#define MASS_DEPART_RESIDENT_UPDATE(T, n)

/* What a thread adds to tallies: of a callback's fields those that are tallies. */
#define MASS_SUMS_(ACTION, name, type, access) MASS_JOIN(MASS_SUMS_, access)(ACTION, type, name)
#define MASS_SUMS_READ(A, T, n)
#define MASS_SUMS_WRITE(A, T, n)
#define MASS_SUMS_UPDATE(A, T, n)
#define MASS_SUMS_PARAM(A, T, n)
#define MASS_SUMS_PLACE(A, T, n)
#define MASS_SUMS_CHILD(A, T, n)
#define MASS_SUMS_RACE(A, T, n)
#define MASS_SUMS_RESIDENT(A, T, n)
#define MASS_SUMS_RESIDENT_UPDATE(A, T, n)
#define MASS_SUMS_SUM(A, T, n) MASS_JOIN(A, MASS_JOIN(SUM_, T))(n)
#define MASS_SUMS_BINS(A, T, n)
#define MASS_SUMS_KEYS(A, T, n)
#define MASS_SUMS_ITEMS(A, T, n)
#define MASS_SUMS_MIN(A, T, n) MASS_JOIN(A, MIN)(T, n)
#define MASS_SUMS_MAX(A, T, n) MASS_JOIN(A, MAX)(T, n)
#define MASS_SUMS_OPEN_(name, type, access, target) MASS_SUMS_(MASS_SUMS_OPEN_, name, type, access)
#define MASS_SUMS_OPEN_SUM_double(n)
#define MASS_SUMS_OPEN_SUM_int64_t(n) int64_t sum_##n = 0;
#define MASS_SUMS_OPEN_MIN(T, n) int64_t sum_##n = mass_limits<T>::rank(mass_limits<T>::greatest());
#define MASS_SUMS_OPEN_MAX(T, n) int64_t sum_##n = mass_limits<T>::rank(mass_limits<T>::smallest());
#define MASS_SUMS_ADD_(name, type, access, target) MASS_SUMS_(MASS_SUMS_ADD_, name, type, access)
#define MASS_SUMS_ADD_SUM_double(n)
#define MASS_SUMS_ADD_SUM_int64_t(n) sum_##n += window.n;
#define MASS_SUMS_ADD_MIN(T, n) sum_##n = mass_combine<MASS_MIN>(sum_##n, mass_limits<T>::rank(window.n));
#define MASS_SUMS_ADD_MAX(T, n) sum_##n = mass_combine<MASS_MAX>(sum_##n, mass_limits<T>::rank(window.n));
#define MASS_SUMS_CLOSE_(name, type, access, target) MASS_SUMS_(MASS_SUMS_CLOSE_, name, type, access)
#define MASS_SUMS_CLOSE_SUM_double(n)
#define MASS_SUMS_CLOSE_SUM_int64_t(n) if (__any_sync(~0u, sum_##n != 0)) mass_world_add<MASS_SUM>(f.n, sum_##n);
#define MASS_SUMS_CLOSE_MIN(T, n) mass_world_add<MASS_MIN>(f.n, sum_##n);
#define MASS_SUMS_CLOSE_MAX(T, n) mass_world_add<MASS_MAX>(f.n, sum_##n);

/* The engine takes no world with a callback that scatters this way; it only has to compile. */
#define MASS_AROUND_SCATTER_ADD(T, n) struct { T *to; } n;
#define MASS_ARRIVE_SCATTER_ADD(T, n) window.n.to = f.n;
#define MASS_DEPART_SCATTER_ADD(T, n)
#define MASS_SUMS_SCATTER_ADD(A, T, n)

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

/* Fields of a callback are all in the block's memory, which makes for faster instructions. */
#define MASS_SHARED_(name, type, access, target) __builtin_assume(__isShared(f.name));

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
        LIST(MASS_AROUND_)                                                                            \
        mass_reach reach_;                                                                            \
        mass_site site;                                                                               \
        uint32_t first_resident, end_of_residents;                                                    \
    };                                                                                                \
    template <class = void>                                                                           \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies)   \
    {                                                                                                 \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;                 \
        const unsigned places = l.extent[0] * l.extent[1] * l.extent[2];                              \
        LIST(MASS_SHARED_)                                                                            \
        LIST(MASS_SUMS_OPEN_)                                                                         \
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
            LIST(MASS_ARRIVE_)                                                                        \
            MASS_JOIN(NAME, _body)(&window);                                                          \
            LIST(MASS_DEPART_)                                                                        \
            LIST(MASS_SUMS_ADD_)                                                                      \
        }                                                                                             \
        if (tallies) { LIST(MASS_SUMS_CLOSE_) }                                                       \
    }

/* ... and over its agents. */
#define MASS_WORLD_AGENTS_(NAME, LIST)                                                              \
    template <class = void>                                                                         \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies) \
    {                                                                                               \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;               \
        const uint32_t agents = l.agents.start[l.agents.places];                                    \
        LIST(MASS_SHARED_)                                                                          \
        LIST(MASS_SUMS_OPEN_)                                                                       \
        for (uint32_t i = threadIdx.x; i < agents; i += blockDim.x) {                               \
            MASS_JOIN(NAME, _window) window;                                                        \
            const int at = mass_world_stand(window.site, l, l.agents.cell[i]);                      \
            window.site.id = l.agents.id + i;                                                       \
            MASS_JOIN(NAME, _agent)(f, l, i, at, window, nullptr);                                  \
            LIST(MASS_SUMS_ADD_)                                                                    \
        }                                                                                           \
        if (tallies) { LIST(MASS_SUMS_CLOSE_) }                                                     \
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
        mass_world_relocate(h.launch.keys);
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
        const uint32_t wish = move[i], target = wish < MASS_CELL_NOWHERE ? wish : cell[i];
        move[i] = target;
        asked[i] = atomicAdd(&crowds[target], 1) | (wish == MASS_CELL_NOWHERE ? LOST : 0);
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
MASS_FN void mass_world_note_requests(const mass_world_population &g, uint32_t count, mass_stray *stray)
{
    bool asks = false;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        asks |= mass_world_at<uint32_t>(g.move)[i] != MASS_CELL_STAY || mass_world_at<uint32_t>(g.asked)[i] != 0;
    if (asks && !stray->vain[MASS_VAIN_REQUEST]) stray->vain[MASS_VAIN_REQUEST] = 1;
}

/* Between two steps: tallies restart, requests are dropped, the clock goes on. */
MASS_FN void mass_world_turn(const mass_world_program &p, mass_stray *strays)
{
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count * MASS_WORLD_WARPS; i += blockDim.x) {
        const mass_world_value &v = values[i / MASS_WORLD_WARPS];
        if (v.restarts) mass_world_at<int64_t>(v.local)[i % MASS_WORLD_WARPS] = v.neutral;
    }
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) {
        const uint32_t count = mass_world_at<const uint32_t>(p.counts)[i];
        if (populations[i].drops > 1 && strays) mass_world_note_requests(populations[i], count, strays + i);
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
            else mass_world_turn(p, h.launch.stray);
            __syncthreads();
        }
    }
    mass_world_move<false>(p, world);
}

#define MASS_WORLD_CASE_(NAME) \
    if (number == k++) MASS_JOIN(NAME, _in_world)(fields, launch, tallies);
#define MASS_WORLD_NAME_(NAME) #NAME ";"
#define MASS_EACH_(M, FIRST, ...) M(FIRST) __VA_OPT__(MASS_EACH_AGAIN_ MASS_NONE_ ()(M, __VA_ARGS__))
#define MASS_EACH_AGAIN_() MASS_EACH_
#define MASS_NONE_
/* As many rescans as there may be phases. */
#define MASS_EXPAND_(...) MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(__VA_ARGS__))))
#define MASS_EXPAND1_(...) MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(__VA_ARGS__))))
#define MASS_EXPAND2_(...) MASS_EXPAND3_(MASS_EXPAND3_(MASS_EXPAND3_(MASS_EXPAND3_(__VA_ARGS__))))
#define MASS_EXPAND3_(...) MASS_EXPAND4_(MASS_EXPAND4_(MASS_EXPAND4_(MASS_EXPAND4_(__VA_ARGS__))))
#define MASS_EXPAND4_(...) __VA_ARGS__

/* See kernel.h. */
#define MASS_WORLD_STEPS(...)                                                                                  \
    extern "C" __device__ const char mass_world_callbacks[];                                                   \
    __device__ const char mass_world_callbacks[] = MASS_EXPAND_(MASS_EACH_(MASS_WORLD_NAME_, __VA_ARGS__));    \
    extern "C" __global__ void __launch_bounds__(MASS_WORLD_THREADS)                                           \
        mass_world_steps(const __grid_constant__ mass_world_program p, uint64_t step, uint64_t pairs)          \
    {                                                                                                          \
        mass_world_steps_of(p, step, pairs, [](uint32_t number, const void *fields, const mass_launch &launch, \
                                               bool tallies) {                                                 \
            uint32_t k = 0;                                                                                    \
            MASS_EXPAND_(MASS_EACH_(MASS_WORLD_CASE_, __VA_ARGS__))                                            \
        });                                                                                                    \
    }

#endif
