/* CUDA forms of a kernel: a thread walks down a strip of 4 places by ROWS rows and keeps the rows
 * that it still needs in registers, loaded 4 places at a time, so that one thread's loads serve
 * many places. Radii above 2 read their neighbours through the cache instead. Included by kernel.h
 * under nvcc. */
#ifndef MASS_KERNEL_CUDA_H
#define MASS_KERNEL_CUDA_H

#include <mass/callback.h>
#include <mass/random.h>

#ifdef MASS_MIN_BLOCKS
#define MASS_BLOCKS_ , MASS_MIN_BLOCKS
#else
#define MASS_BLOCKS_
#endif
enum { MASS_STRIP = 4, MASS_WINDOW_RADIUS = 2 };

/* Four neighbouring elements, moved by one instruction where the hardware can. */
template <class T> struct alignas(MASS_STRIP * sizeof(T)) mass_four { T v[MASS_STRIP]; };
template <class T> constexpr bool mass_moves_four = sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

template <class T> MASS_FN void mass_load_four(T *to, const T *from)
{
    if constexpr (mass_moves_four<T>) {
        const mass_four<T> four = *(const mass_four<T> *)from;
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = four.v[c];
    } else {
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = from[c];
    }
}

/* As above, and one element, of an array that nobody writes during the launch: such loads may be
 * moved ahead of stores, so that more of them are under way at a time. */
template <class T> MASS_FN T mass_load_constant(const T *from)
{
    if constexpr (sizeof(T) == 1) {
        const unsigned char v = __ldg((const unsigned char *)from);
        return *(const T *)&v;
    } else if constexpr (sizeof(T) == 2) {
        const unsigned short v = __ldg((const unsigned short *)from);
        return *(const T *)&v;
    } else if constexpr (sizeof(T) == 4) {
        const unsigned v = __ldg((const unsigned *)from);
        return *(const T *)&v;
    } else if constexpr (sizeof(T) == 8) {
        const uint2 v = __ldg((const uint2 *)from);
        return *(const T *)&v;
    } else
        return *from;
}
template <class T> MASS_FN void mass_load_four_constant(T *to, const T *from)
{
    if constexpr (sizeof(T) == 1) {
        const unsigned v = __ldg((const unsigned *)from);
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = (T)__byte_perm(v, 0, 0x4440 + c);
    } else if constexpr (sizeof(T) == 2 && mass_moves_four<T>) {
        const uint2 v = __ldg((const uint2 *)from);
        const mass_four<T> four = *(const mass_four<T> *)&v;
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = four.v[c];
    } else if constexpr (sizeof(T) == 4) {
        const uint4 v = __ldg((const uint4 *)from);
        const mass_four<T> four = *(const mass_four<T> *)&v;
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = four.v[c];
    } else {
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) to[c] = mass_load_constant(from + c);
    }
}

/* Stores the first `count` of four elements. */
template <class T> MASS_FN void mass_store_four(T *to, const T *from, int count)
{
    if (mass_moves_four<T> && count >= MASS_STRIP) {
        mass_four<T> four;
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++) four.v[c] = from[c];
        *(mass_four<T> *)to = four;
    } else {
#pragma unroll
        for (int c = 0; c < MASS_STRIP; c++)
            if (c < count) to[c] = from[c];
    }
}

/* A READ field of a strip: the rows in registers, and the same seen from one place. */
template <class T, int RX, int RY, int RZ, bool WINDOW = (RX <= MASS_WINDOW_RADIUS)> struct mass_rows {
    T v[2 * RZ + 1][2 * RY + 1][MASS_STRIP + 2 * RX];
    struct near {
        T v[2 * RZ + 1][2 * RY + 1][2 * RX + 1];
        MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return v[RZ + dz][RY + dy][RX + dx]; }
    };
    /* Row `row` of the strip, which starts at p, into its register slot. */
    MASS_FN_MEMBER void load(const T *p, int64_t pitch, int64_t plane, int row)
    {
#pragma unroll
        for (int dz = -RZ; dz <= RZ; dz++) {
            const T *q = p + (int64_t)row * pitch + dz * plane;
            T *r = v[RZ + dz][(row + RY) % (2 * RY + 1)];
#pragma unroll
            for (int c = 0; c < RX; c++) {
                r[c] = mass_load_constant(q + c - RX);
                r[RX + MASS_STRIP + c] = mass_load_constant(q + MASS_STRIP + c);
            }
            mass_load_four_constant(r + RX, q);
        }
    }
    MASS_FN_MEMBER void first(const T *p, int64_t pitch, int64_t plane)
    {
#pragma unroll
        for (int row = -RY; row < RY; row++) load(p, pitch, plane, row);
    }
    MASS_FN_MEMBER void see(near &n, int row, int c) const
    {
#pragma unroll
        for (int a = 0; a < 2 * RZ + 1; a++)
#pragma unroll
            for (int b = 0; b < 2 * RY + 1; b++)
#pragma unroll
                for (int d = 0; d < 2 * RX + 1; d++) n.v[a][b][d] = v[a][(row + b) % (2 * RY + 1)][c + d];
    }
};

template <class T, int RX, int RY, int RZ> struct mass_rows<T, RX, RY, RZ, false> {
    const T *start;
    int64_t pitch, plane;
    struct near {
        const T *here;
        int64_t pitch, plane;
        MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
    };
    MASS_FN_MEMBER void load(const T *, int64_t, int64_t, int) {}
    MASS_FN_MEMBER void first(const T *p, int64_t a_pitch, int64_t a_plane) { start = p; pitch = a_pitch; plane = a_plane; }
    MASS_FN_MEMBER void see(near &n, int row, int c) const { n.here = start + row * pitch + c; n.pitch = pitch; n.plane = plane; }
};

/* Along one axis, how many extents below and above a coordinate there are ghosts that show it. */
MASS_FN void mass_images(const mass_launch &l, int axis, int here, int &from, int &to)
{
    from = to = 0;
    if (!(l.push >> axis & 1)) return;
    while (here + (from - 1) * l.extent[axis] >= -l.ghost[axis]) from--;
    while (here + (to + 1) * l.extent[axis] < l.extent[axis] + l.ghost[axis]) to++;
}

/* Copies a row of a strip to the ghosts that show it, along the axes of l.push. p is where the row was
 * stored, (x, y, z) its first place. */
template <class T>
MASS_FN void mass_push_row(T *p, const T *v, int columns, const mass_launch &l, int x, int y, int z)
{
    int from[3], to[3];
    mass_images(l, 0, x, from[0], to[0]);
    int last_from, last_to; /* of the row's last place */
    mass_images(l, 0, x + MASS_STRIP - 1, last_from, last_to);
    if (last_from < from[0]) from[0] = last_from;
    mass_images(l, 1, y, from[1], to[1]);
    mass_images(l, 2, z, from[2], to[2]);
#pragma unroll 1
    for (int kz = from[2]; kz <= to[2]; kz++)
#pragma unroll 1
        for (int ky = from[1]; ky <= to[1]; ky++)
#pragma unroll 1
            for (int kx = from[0]; kx <= to[0]; kx++) {
                const int first = x + kx * l.extent[0];
                T *q = p + kz * (l.extent[2] * l.plane) + ky * (l.extent[1] * l.pitch) + kx * (int64_t)l.extent[0];
                if (kx | ky | kz)
#pragma unroll
                    for (int c = 0; c < MASS_STRIP; c++)
                        if (c < columns && first + c >= -l.ghost[0] && first + c < l.extent[0] + l.ghost[0]) q[c] = v[c];
            }
}

/* Whether some place of a strip is shown by ghosts that this launch writes, or lies outside. */
MASS_FN bool mass_at_edge(const mass_launch &l, int x, int y, int z, int rows)
{
    return x + MASS_STRIP > l.extent[0] ||
           ((l.push & MASS_AXIS_X) && (x < l.ghost[0] || x + MASS_STRIP > l.extent[0] - l.ghost[0])) ||
           ((l.push & MASS_AXIS_Y) && (y < l.ghost[1] || y + rows > l.extent[1] - l.ghost[1])) ||
           ((l.push & MASS_AXIS_Z) && (z < l.ghost[2] || z >= l.extent[2] - l.ghost[2]));
}

/* Stores a row of a strip: in the middle of a partition four elements at once and nothing else. */
template <class T>
MASS_FN void mass_store_row(T *p, const T *v, bool edge, int columns, const mass_launch &l, int x, int y, int z)
{
    if (edge) {
        mass_store_four(p, v, columns);
        if (l.push) mass_push_row(p, v, columns, l, x, y, z);
    } else
        mass_store_four(p, v, MASS_STRIP);
}

/* One value for a block, added to a tally by one of its threads. Every thread of the block calls. */
template <int ACCESS> MASS_FN int64_t mass_combine(int64_t a, int64_t b)
{
    return ACCESS == MASS_SUM ? a + b : ACCESS == MASS_MIN ? (b < a ? b : a) : (b > a ? b : a);
}
template <int ACCESS> MASS_FN void mass_flush_block(int64_t *tally, int64_t v)
{
    __shared__ int64_t partial[32];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v = mass_combine<ACCESS>(v, __shfl_down_sync(~0u, v, d));
    if (thread % 32 == 0) partial[thread / 32] = v;
    __syncthreads();
    if (thread == 0) {
        for (int i = 1; i < threads / 32; i++) v = mass_combine<ACCESS>(v, partial[i]);
        if (ACCESS == MASS_SUM) atomicAdd((unsigned long long *)tally, (unsigned long long)v);
        if (ACCESS == MASS_MIN) atomicMin((long long *)tally, (long long)v);
        if (ACCESS == MASS_MAX) atomicMax((long long *)tally, (long long)v);
    }
    __syncthreads();
}
template <class T> struct mass_limits;
template <> struct mass_limits<int64_t> {
    static MASS_FN_MEMBER int64_t greatest() { return INT64_MAX; }
    static MASS_FN_MEMBER int64_t smallest() { return INT64_MIN; }
    static MASS_FN_MEMBER int64_t rank(int64_t v) { return v; }
};
template <> struct mass_limits<double> {
    static MASS_FN_MEMBER double greatest() { return mass_f64_bits(0x7ff0000000000000ull); }
    static MASS_FN_MEMBER double smallest() { return mass_f64_bits(0xfff0000000000000ull); }
    static MASS_FN_MEMBER int64_t rank(double v) { return mass_rank_f64(v); }
};

#define MASS_NEAR1(f, dx) (w->f.at((dx), 0, 0))
#define MASS_NEAR2(f, dx, dy) (w->f.at((dx), (dy), 0))
#define MASS_NEAR3(f, dx, dy, dz) (w->f.at((dx), (dy), (dz)))
#define IN(f) (w->f.at(0, 0, 0))

#define MASS_WINDOW_(name, type, access, target) MASS_JOIN(MASS_WINDOW_, access)(type, name)
#define MASS_WINDOW_READ(T, n) typename mass_rows<T, RX, RY, RZ>::near n;
#define MASS_WINDOW_WRITE(T, n) T n;
#define MASS_WINDOW_UPDATE(T, n) T n;
#define MASS_WINDOW_PARAM(T, n) T n;
#define MASS_WINDOW_SUM(T, n) T n;
#define MASS_WINDOW_MIN(T, n) T n;
#define MASS_WINDOW_MAX(T, n) T n;
#define MASS_STRIP_(name, type, access, target) MASS_JOIN(MASS_STRIP_, access)(type, name)
#define MASS_STRIP_READ(T, n) mass_rows<T, RX, RY, RZ> n;
#define MASS_STRIP_WRITE(T, n) T n[MASS_STRIP];
#define MASS_STRIP_UPDATE(T, n) T n[MASS_STRIP];
#define MASS_STRIP_PARAM(T, n) T n;
#define MASS_STRIP_SUM(T, n) int64_t n;
#define MASS_STRIP_MIN(T, n) T n;
#define MASS_STRIP_MAX(T, n) T n;
#define MASS_FIRST_(name, type, access, target) MASS_JOIN(MASS_FIRST_, access)(type, name)
#define MASS_FIRST_READ(T, n) if (rows > 0) s.n.first(f.n + at, l.pitch, l.plane);
#define MASS_FIRST_WRITE(T, n)
#define MASS_FIRST_UPDATE(T, n)
#define MASS_FIRST_PARAM(T, n) s.n = f.n[world];
#define MASS_FIRST_SUM(T, n) s.n = 0;
#define MASS_FIRST_MIN(T, n) s.n = mass_limits<T>::greatest();
#define MASS_FIRST_MAX(T, n) s.n = mass_limits<T>::smallest();
#define MASS_LOAD_(name, type, access, target) MASS_JOIN(MASS_LOAD_, access)(type, name)
#define MASS_LOAD_READ(T, n) s.n.load(f.n + at, l.pitch, l.plane, r + RY);
#define MASS_LOAD_WRITE(T, n)
#define MASS_LOAD_UPDATE(T, n) mass_load_four(s.n, f.n + at + r * l.pitch);
#define MASS_LOAD_PARAM(T, n)
#define MASS_LOAD_SUM(T, n)
#define MASS_LOAD_MIN(T, n)
#define MASS_LOAD_MAX(T, n)
#define MASS_GET_(name, type, access, target) MASS_JOIN(MASS_GET_, access)(type, name)
#define MASS_GET_READ(T, n) s.n.see(window.n, r, c);
#define MASS_GET_WRITE(T, n)
#define MASS_GET_UPDATE(T, n) window.n = s.n[c];
#define MASS_GET_PARAM(T, n) window.n = s.n;
#define MASS_GET_SUM(T, n) window.n = 0;
#define MASS_GET_MIN(T, n) window.n = mass_limits<T>::greatest();
#define MASS_GET_MAX(T, n) window.n = mass_limits<T>::smallest();
#define MASS_PUT_(name, type, access, target) MASS_JOIN(MASS_PUT_, access)(type, name)
#define MASS_PUT_READ(T, n)
#define MASS_PUT_WRITE(T, n) s.n[c] = window.n;
#define MASS_PUT_UPDATE(T, n) s.n[c] = window.n;
#define MASS_PUT_PARAM(T, n)
#define MASS_PUT_SUM(T, n) if (TALLY && c < columns) s.n += window.n;
#define MASS_PUT_MIN(T, n) if (TALLY && c < columns && window.n < s.n) s.n = window.n;
#define MASS_PUT_MAX(T, n) if (TALLY && c < columns && window.n > s.n) s.n = window.n;
#define MASS_STORE_(name, type, access, target) MASS_JOIN(MASS_STORE_, access)(type, name)
#define MASS_STORE_READ(T, n)
#define MASS_STORE_WRITE(T, n) mass_store_row(f.n + at + r * l.pitch, s.n, edge, columns, l, x, y + r, z);
#define MASS_STORE_UPDATE(T, n) mass_store_row(f.n + at + r * l.pitch, s.n, edge, columns, l, x, y + r, z);
#define MASS_STORE_PARAM(T, n)
#define MASS_STORE_SUM(T, n)
#define MASS_STORE_MIN(T, n)
#define MASS_STORE_MAX(T, n)
#define MASS_FLUSH_(name, type, access, target) MASS_JOIN(MASS_FLUSH_, access)(type, name)
#define MASS_FLUSH_READ(T, n)
#define MASS_FLUSH_WRITE(T, n)
#define MASS_FLUSH_UPDATE(T, n)
#define MASS_FLUSH_PARAM(T, n)
#define MASS_FLUSH_SUM(T, n) mass_flush_block<MASS_SUM>(f.n + world, s.n);
#define MASS_FLUSH_MIN(T, n) mass_flush_block<MASS_MIN>(f.n + world, mass_limits<T>::rank(s.n));
#define MASS_FLUSH_MAX(T, n) mass_flush_block<MASS_MAX>(f.n + world, mass_limits<T>::rank(s.n));

#define MASS_CUDA_KERNEL_(NAME, KERNEL, ROWS_, TALLY_)                                             \
    extern "C" __global__ void __launch_bounds__(128 MASS_BLOCKS_)                                              \
    KERNEL(const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l) \
    {                                                                                              \
        MASS_JOIN(NAME, _strips)<ROWS_, TALLY_>(f, l);                                             \
    }

/* The strips of one thread. A tallying block keeps all its threads to the end, since they add up
 * together; in a quiet one those outside the partition leave. */
#define MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS)                                               \
    struct MASS_JOIN(NAME, _fields) { LIST(MASS_POINTER_) };                                       \
    struct MASS_JOIN(NAME, _window) {                                                              \
        enum { RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0, RZ = DIMENSIONS > 2 ? RADIUS : 0 };  \
        LIST(MASS_WINDOW_)                                                                         \
        mass_site site;                                                                            \
    };                                                                                             \
    struct MASS_JOIN(NAME, _strip) {                                                               \
        enum { RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0, RZ = DIMENSIONS > 2 ? RADIUS : 0 };  \
        LIST(MASS_STRIP_)                                                                          \
    };                                                                                             \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                        \
    template <int ROWS, bool TALLY>                                                                \
    MASS_FN void MASS_JOIN(NAME, _strips)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l) \
    {                                                                                              \
        constexpr int RY = MASS_JOIN(NAME, _strip)::RY;                                            \
        (void)RY;                                                                                  \
        const int x = (blockIdx.x * blockDim.x + threadIdx.x) * MASS_STRIP;                        \
        const int y = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;                              \
        const int columns = l.extent[0] - x, rows = columns > 0 ? l.extent[1] - y : 0;             \
        for (int sheet = blockIdx.z; sheet < l.extent[2] * l.worlds; sheet += gridDim.z) {         \
            const int world = sheet / l.extent[2], z = sheet - world * l.extent[2];                \
            if (l.gates && l.gates[world]) continue;                                               \
            if (!TALLY && rows <= 0) return;                                                       \
            const int64_t at = world * l.world_stride + z * l.plane + y * l.pitch + x;             \
            const bool edge = mass_at_edge(l, x, y, z, ROWS);                                      \
            (void)edge;                                                                            \
            MASS_JOIN(NAME, _strip) s;                                                             \
            LIST(MASS_FIRST_)                                                                      \
            _Pragma("unroll") for (int r = 0; r < ROWS; r++) {                                     \
                if (r >= rows) break;                                                              \
                LIST(MASS_LOAD_)                                                                   \
                _Pragma("unroll") for (int c = 0; c < MASS_STRIP; c++) {                           \
                    MASS_JOIN(NAME, _window) window;                                               \
                    window.site.launch = &l;                                                       \
                    window.site.x = l.origin[0] + x + c;                                           \
                    window.site.y = l.origin[1] + y + r;                                           \
                    window.site.z = l.origin[2] + z;                                               \
                    window.site.world = world;                                                     \
                    LIST(MASS_GET_)                                                                \
                    MASS_JOIN(NAME, _body)(&window);                                               \
                    LIST(MASS_PUT_)                                                                \
                }                                                                                  \
                LIST(MASS_STORE_)                                                                  \
            }                                                                                      \
            if (TALLY) { LIST(MASS_FLUSH_) }                                                       \
        }                                                                                          \
    }                                                                                              \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _quiet_8), 8, false)                                   \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _tally_8), 8, true)                                    \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _quiet_2), 2, false)                                   \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _tally_2), 2, true)                                    \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w)

#endif
