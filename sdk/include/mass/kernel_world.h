/* Worlds that one block of a GPU carries through many steps: the device functions of callbacks, and the kernel
 * (world.h). Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_WORLD_H
#define MASS_KERNEL_WORLD_H

#include <mass/world.h>

template <class T = char> MASS_FN T *mass_world_at(uint32_t local)
{
    extern __shared__ uint4 mass_world_memory[];
    return (T *)((char *)mass_world_memory + local);
}

/* ---- callbacks over one world ---- */

/* A READ field seen from one place. */
template <class T> struct mass_around {
    const T *here;
    int64_t pitch, plane;
    MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
};

#define MASS_AROUND_(name, type, access, target) MASS_JOIN(MASS_AROUND_, access)(type, name)
#define MASS_AROUND_READ(T, n) mass_around<T> n;
#define MASS_AROUND_WRITE(T, n) T n;
#define MASS_AROUND_UPDATE(T, n) T n;
#define MASS_AROUND_PARAM(T, n) T n;
#define MASS_AROUND_SUM(T, n) T n;
#define MASS_AROUND_MIN(T, n) T n;
#define MASS_AROUND_MAX(T, n) T n;
#define MASS_AROUND_RESIDENT(T, n) const T *n;
#define MASS_AROUND_RESIDENT_UPDATE(T, n) T *n;
#define MASS_ARRIVE_(name, type, access, target) MASS_JOIN(MASS_ARRIVE_, access)(type, name)
#define MASS_ARRIVE_READ(T, n) window.n = {f.n + at, l.pitch, l.plane};
#define MASS_ARRIVE_WRITE(T, n)
#define MASS_ARRIVE_UPDATE(T, n) window.n = f.n[at];
#define MASS_ARRIVE_PARAM(T, n) window.n = *f.n;
#define MASS_ARRIVE_SUM(T, n) window.n = 0;
#define MASS_ARRIVE_MIN(T, n) window.n = mass_limits<T>::greatest();
#define MASS_ARRIVE_MAX(T, n) window.n = mass_limits<T>::smallest();
#define MASS_ARRIVE_RESIDENT(T, n) window.n = f.n;
#define MASS_ARRIVE_RESIDENT_UPDATE(T, n) window.n = f.n;
#define MASS_DEPART_(name, type, access, target) MASS_JOIN(MASS_DEPART_, access)(type, name)
#define MASS_DEPART_READ(T, n)
#define MASS_DEPART_WRITE(T, n)                                                                    \
    f.n[at] = window.n;                                                                            \
    if (edge) mass_push_row<1>(f.n + at, &window.n, 1, l, x, y, z);
#define MASS_DEPART_UPDATE(T, n) MASS_DEPART_WRITE(T, n)
#define MASS_DEPART_PARAM(T, n)
#define MASS_DEPART_SUM(T, n)
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
#define MASS_SUMS_RESIDENT(A, T, n)
#define MASS_SUMS_RESIDENT_UPDATE(A, T, n)
#define MASS_SUMS_SUM(A, T, n) MASS_JOIN(A, SUM)(T, n)
#define MASS_SUMS_MIN(A, T, n) MASS_JOIN(A, MIN)(T, n)
#define MASS_SUMS_MAX(A, T, n) MASS_JOIN(A, MAX)(T, n)
#define MASS_SUMS_OPEN_(name, type, access, target) MASS_SUMS_(MASS_SUMS_OPEN_, name, type, access)
#define MASS_SUMS_OPEN_SUM(T, n) int64_t sum_##n = 0;
#define MASS_SUMS_OPEN_MIN(T, n) int64_t sum_##n = mass_limits<T>::rank(mass_limits<T>::greatest());
#define MASS_SUMS_OPEN_MAX(T, n) int64_t sum_##n = mass_limits<T>::rank(mass_limits<T>::smallest());
#define MASS_SUMS_ADD_(name, type, access, target) MASS_SUMS_(MASS_SUMS_ADD_, name, type, access)
#define MASS_SUMS_ADD_SUM(T, n) sum_##n += window.n;
#define MASS_SUMS_ADD_MIN(T, n) sum_##n = mass_combine<MASS_MIN>(sum_##n, mass_limits<T>::rank(window.n));
#define MASS_SUMS_ADD_MAX(T, n) sum_##n = mass_combine<MASS_MAX>(sum_##n, mass_limits<T>::rank(window.n));
#define MASS_SUMS_CLOSE_(name, type, access, target) MASS_SUMS_(MASS_SUMS_CLOSE_, name, type, access)
#define MASS_SUMS_CLOSE_SUM(T, n) if (__any_sync(~0u, sum_##n != 0)) mass_flush_warp<MASS_SUM>(f.n, sum_##n);
#define MASS_SUMS_CLOSE_MIN(T, n) mass_flush_warp<MASS_MIN>(f.n, sum_##n);
#define MASS_SUMS_CLOSE_MAX(T, n) mass_flush_warp<MASS_MAX>(f.n, sum_##n);

/* A callback over the places of the world, by all threads of its block, one thread a place ... */
#define MASS_WORLD_PLACES_(NAME, LIST)                                                             \
    struct MASS_JOIN(NAME, _around) {                                                              \
        LIST(MASS_AROUND_)                                                                         \
        mass_site site;                                                                            \
    };                                                                                             \
    template <class = void>                                                                        \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies) \
    {                                                                                              \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;              \
        const unsigned wide = l.extent[0], high = l.extent[1], places = wide * high * l.extent[2]; \
        (void)f;                                                                                   \
        LIST(MASS_SUMS_OPEN_)                                                                      \
        for (unsigned i = threadIdx.x; i < places; i += blockDim.x) {                              \
            const int row = i / wide, x = i - row * wide;                                          \
            const int z = l.extent[2] == 1 ? 0 : row / high, y = row - z * high;                   \
            const int64_t at = z * l.plane + y * l.pitch + x;                                      \
            const bool edge = l.push && mass_at_edge(l, x, y, z, 1, 1);                            \
            (void)at, (void)edge;                                                                  \
            MASS_JOIN(NAME, _around) window;                                                       \
            window.site = {&l, x, y, z, 0, 0};                                                     \
            LIST(MASS_ARRIVE_)                                                                     \
            MASS_JOIN(NAME, _body)(&window);                                                       \
            LIST(MASS_DEPART_)                                                                     \
            LIST(MASS_SUMS_ADD_)                                                                   \
        }                                                                                          \
        if (tallies) { LIST(MASS_SUMS_CLOSE_) }                                                    \
    }

/* ... and over its agents. */
#define MASS_WORLD_AGENTS_(NAME, LIST)                                                             \
    template <class = void>                                                                        \
    MASS_FN void MASS_JOIN(NAME, _in_world)(const void *fields, const mass_launch &l, bool tallies) \
    {                                                                                              \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;              \
        const uint32_t agents = l.agents.start[l.agents.places];                                   \
        (void)f;                                                                                   \
        LIST(MASS_SUMS_OPEN_)                                                                      \
        for (uint32_t i = threadIdx.x; i < agents; i += blockDim.x) {                              \
            MASS_JOIN(NAME, _window) window;                                                       \
            MASS_JOIN(NAME, _agent)(f, l, i, 0, window);                                           \
            LIST(MASS_SUMS_ADD_)                                                                   \
        }                                                                                          \
        if (tallies) { LIST(MASS_SUMS_CLOSE_) }                                                    \
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
            mass_world_element<IN>((char *)a.global + (uint64_t)(first + i) * a.size, mass_world_at(a.local + i * a.size),
                                   a.size);
}

template <bool IN> MASS_FN void mass_world_move(const mass_world_program &p, int world)
{
    const mass_world_array *arrays = mass_world_at<const mass_world_array>(p.arrays);
    const mass_world_value *values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x) {
        int64_t *const local = mass_world_at<int64_t>(values[i].local);
        if (IN) *local = values[i].global[world];
        else if (values[i].stored) values[i].global[world] = *local;
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

/* Each element becomes the sum of those before it. */
MASS_FN void mass_world_scan(uint32_t *v, uint32_t count)
{
    __shared__ uint32_t sums[32];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint32_t each = (count + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    const uint32_t last = first + each < count ? first + each : count;
    uint32_t own = 0;
    for (uint32_t k = first; k < last; k++) own += v[k];
    uint32_t before = own;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) sums[warp] = before;
    __syncthreads();
    if (warp == 0) {
        uint32_t sum = lane < blockDim.x / 32 ? sums[lane] : 0;
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            const uint32_t other = __shfl_up_sync(~0u, sum, d);
            if (lane >= d) sum += other;
        }
        sums[lane] = sum;
    }
    __syncthreads();
    before += (warp ? sums[warp - 1] : 0) - own;
    for (uint32_t k = first; k < last; k++) {
        const uint32_t value = v[k];
        v[k] = before;
        before += value;
    }
    __syncthreads();
}

/* Moves of a population without births, deaths or a capacity (the words of manage, in agents.h): everybody gets
 * where it wants, and canonical order is made by counting. */
MASS_FN void mass_world_manage(const mass_world_program &p, const mass_world_population &g, uint32_t count)
{
    constexpr uint32_t LOST = 0x80000000u;
    uint32_t *const start = mass_world_at<uint32_t>(g.starts), *const cell = mass_world_at<uint32_t>(g.cell);
    uint32_t *const move = mass_world_at<uint32_t>(g.move), *const asked = mass_world_at<uint32_t>(g.asked);
    uint32_t *const order = mass_world_at<uint32_t>(g.order);
    const mass_world_array *const arrays = mass_world_at<const mass_world_array>(p.arrays);
    const uint64_t *const id = mass_world_at<const uint64_t>(arrays[g.first_array].local);
    const uint32_t to_spare = g.spare - g.columns;

    for (uint32_t c = threadIdx.x; c <= g.places; c += blockDim.x) start[c] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        const uint32_t wish = move[i], target = wish < MASS_CELL_NOWHERE ? wish : cell[i];
        move[i] = target;
        asked[i] = atomicAdd(&start[target], 1) | (wish == MASS_CELL_NOWHERE ? LOST : 0);
    }
    __syncthreads();
    mass_world_scan(start, (uint32_t)g.places + 1);
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        order[start[move[i]] + (asked[i] & ~LOST)] = i | (asked[i] & LOST);
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < count; s += blockDim.x) {
        const uint32_t i = order[s] & ~LOST, target = move[i], first = start[target], last = start[target + 1];
        const uint64_t own = id[i];
        uint32_t at = first;
        if (last - first > 1)
            for (uint32_t k = first; k < last; k++) at += id[order[k] & ~LOST] < own;
        mass_world_at<uint32_t>(g.cell + to_spare)[at] = target;
        mass_world_at<uint8_t>(g.lost + to_spare)[at] = order[s] >> 31;
        for (uint32_t k = g.first_array; k < g.last_array; k++) {
            const uint32_t size = arrays[k].size, local = arrays[k].local;
            mass_world_copy(mass_world_at(local + to_spare + at * size), mass_world_at(local + i * size), size);
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < g.bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(g.columns)[i] = mass_world_at<uint4>(g.spare)[i];
    mass_world_drop(g, count);
}

/* ---- steps ---- */

/* The same in all threads. */
MASS_FN bool mass_world_holds(const mass_world_program &p, const mass_world_phase &h)
{
    double bound = h.value;
    if (h.parameter != MASS_WORLD_NONE)
        bound *= h.real ? *mass_world_at<double>(h.parameter) : (double)*mass_world_at<int64_t>(h.parameter);
    if (h.counted != MASS_WORLD_NONE) bound *= (double)mass_world_at<uint32_t>(p.counts)[h.counted];
    return mass_relation_holds(h.relation, (double)*mass_world_at<int64_t>(h.tally), bound);
}

/* A phase but for callbacks. */
MASS_FN void mass_world_run(const mass_world_program &p, const mass_world_phase &h)
{
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    const uint32_t *const counts = mass_world_at<const uint32_t>(p.counts);
    const mass_world_value *const values = mass_world_at<const mass_world_value>(p.values);
    if (h.kind == MASS_WORLD_MANAGE) mass_world_manage(p, populations[h.population], counts[h.population]);
    else if (h.kind == MASS_WORLD_RESTART) {
        for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x)
            if (values[i].restarts) *mass_world_at<int64_t>(values[i].local) = values[i].neutral;
    } else mass_world_drop(populations[h.population], counts[h.population]);
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
    const mass_world_population *const populations = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = 0; i < p.population_count; i++) /* no step leaves requests to the next one */
        mass_world_drop(populations[i], mass_world_at<const uint32_t>(p.counts)[i]);
    __syncthreads();
    const mass_world_phase *const phases = mass_world_at<const mass_world_phase>(p.phases);
    for (uint64_t k = 0; k < pairs; k++) {
        for (uint32_t i = 0; i < 2 * p.phase_count; i++) {
            const mass_world_phase &h = phases[i];
            bool runs = true;
            if (h.conditional) {
                runs = mass_world_holds(p, h);
                __syncthreads(); /* before anybody changes the tally */
            }
            if (!runs) continue;
            if (h.kind == MASS_WORLD_CALL) call(h.callback, h.fields, h.launch, h.tallies);
            else mass_world_run(p, h);
            __syncthreads();
        }
        if (threadIdx.x == 0) *mass_world_at<uint64_t>(p.clock) += 2;
        __syncthreads();
    }
    mass_world_move<false>(p, world);
}

#define MASS_WORLD_CASE_(NAME) \
    if (number == k++) MASS_JOIN(NAME, _in_world)(fields, launch, tallies);
#define MASS_WORLD_NAME_(NAME) #NAME ";"
#define MASS_EACH_(M, FIRST, ...) M(FIRST) __VA_OPT__(MASS_EACH_AGAIN_ MASS_NONE_ ()(M, __VA_ARGS__))
#define MASS_EACH_AGAIN_() MASS_EACH_
#define MASS_NONE_
#define MASS_EXPAND_(...) MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(MASS_EXPAND1_(__VA_ARGS__))))
#define MASS_EXPAND1_(...) MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(MASS_EXPAND2_(__VA_ARGS__))))
#define MASS_EXPAND2_(...) __VA_ARGS__

/* See kernel.h. */
#define MASS_WORLD_STEPS(...)                                                                      \
    extern "C" __device__ const char mass_world_callbacks[];                                       \
    __device__ const char mass_world_callbacks[] = MASS_EXPAND_(MASS_EACH_(MASS_WORLD_NAME_, __VA_ARGS__)); \
    extern "C" __global__ void __launch_bounds__(MASS_WORLD_THREADS)                               \
        mass_world_steps(const __grid_constant__ mass_world_program p, uint64_t step, uint64_t pairs) \
    {                                                                                              \
        mass_world_steps_of(p, step, pairs, [](uint32_t number, const void *fields, const mass_launch &launch, \
                                               bool tallies) {                                     \
            uint32_t k = 0;                                                                        \
            MASS_EXPAND_(MASS_EACH_(MASS_WORLD_CASE_, __VA_ARGS__))                                \
        });                                                                                        \
    }

#endif
