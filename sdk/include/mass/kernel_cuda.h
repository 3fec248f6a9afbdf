/* CUDA forms of a kernel: a thread walks down a strip of CX places (MASS_STRIP_PLACES) by ROWS rows and
 * keeps the rows that it still needs in registers, loaded in one piece, so that one thread's loads
 * serve many places. Radii above 2 read their neighbours through the cache instead. Included by kernel.h
 * under nvcc. */
#ifndef MASS_KERNEL_CUDA_H
#define MASS_KERNEL_CUDA_H

#include <mass/callback.h>
#include <mass/exact.h>
#include <mass/random.h>

enum { MASS_WINDOW_RADIUS = 2 };

/* Neighbouring elements that one instruction moves. */
template <class T, int N> struct alignas(N * sizeof(T)) mass_pack { T v[N]; };
template <class T, int N>
constexpr bool mass_is_pack = N * sizeof(T) == 2 || N * sizeof(T) == 4 || N * sizeof(T) == 8 ||
                              N * sizeof(T) == 16;

template <int N, class T> MASS_FN void mass_load(T *to, const T *from)
{
    if constexpr (mass_is_pack<T, N>) {
        const mass_pack<T, N> pack = *(const mass_pack<T, N> *)from;
#pragma unroll
        for (int c = 0; c < N; c++) to[c] = pack.v[c];
    } else {
#pragma unroll
        for (int c = 0; c < N; c++) to[c] = from[c];
    }
}

/* Of an array that nobody writes during the launch: such loads may be moved ahead of stores, so that
 * more of them are under way at a time. */
template <class Word, class T, int N> MASS_FN void mass_load_words(T *to, const T *from)
{
    const Word word = __ldg((const Word *)from);
#pragma unroll
    for (int c = 0; c < N; c++) memcpy(&to[c], (const char *)&word + c * sizeof(T), sizeof(T));
}
template <int N, class T> MASS_FN void mass_load_constant(T *to, const T *from)
{
    constexpr size_t bytes = N * sizeof(T);
    if constexpr (bytes == 1) mass_load_words<unsigned char, T, N>(to, from);
    else if constexpr (bytes == 2) mass_load_words<unsigned short, T, N>(to, from);
    else if constexpr (bytes == 4) mass_load_words<unsigned, T, N>(to, from);
    else if constexpr (bytes == 8) mass_load_words<uint2, T, N>(to, from);
    else if constexpr (bytes == 16) mass_load_words<uint4, T, N>(to, from);
    else
#pragma unroll
        for (int c = 0; c < N; c++) to[c] = from[c];
}

template <int N, class T> MASS_FN void mass_store(T *to, const T *from)
{
    if constexpr (mass_is_pack<T, N>) {
        mass_pack<T, N> pack;
#pragma unroll
        for (int c = 0; c < N; c++) pack.v[c] = from[c];
        *(mass_pack<T, N> *)to = pack;
    } else {
#pragma unroll
        for (int c = 0; c < N; c++) to[c] = from[c];
    }
}

/* A READ field of a strip: the rows in registers, and the same seen from one place. */
template <class T, int CX, int RX, int RY, int RZ, bool WINDOW = (RX <= MASS_WINDOW_RADIUS)>
struct mass_rows {
    T v[2 * RZ + 1][2 * RY + 1][CX + 2 * RX];
    struct near {
        T v[2 * RZ + 1][2 * RY + 1][2 * RX + 1];
        MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return v[RZ + dz][RY + dy][RX + dx]; }
    };
    const T *next; /* the row that is loaded next */
    /* Row `row` of the strip into its register slot. */
    MASS_FN_MEMBER void load(int64_t pitch, int64_t plane, int row)
    {
#pragma unroll
        for (int dz = -RZ; dz <= RZ; dz++) {
            const T *q = next + dz * plane;
            T *r = v[RZ + dz][(row + RY) % (2 * RY + 1)];
#pragma unroll
            for (int c = 0; c < RX; c++) {
                mass_load_constant<1>(r + c, q + c - RX);
                mass_load_constant<1>(r + RX + CX + c, q + CX + c);
            }
            mass_load_constant<CX>(r + RX, q);
        }
        next += pitch;
    }
    MASS_FN_MEMBER void first(const T *p, int64_t pitch, int64_t plane)
    {
        next = p - RY * pitch;
#pragma unroll
        for (int row = -RY; row < RY; row++) load(pitch, plane, row);
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

template <class T, int CX, int RX, int RY, int RZ> struct mass_rows<T, CX, RX, RY, RZ, false> {
    const T *start;
    int64_t pitch, plane;
    struct near {
        const T *here;
        int64_t pitch, plane;
        MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
    };
    MASS_FN_MEMBER void load(int64_t, int64_t, int) {}
    MASS_FN_MEMBER void first(const T *p, int64_t a_pitch, int64_t a_plane)
    {
        start = p;
        pitch = a_pitch;
        plane = a_plane;
    }
    MASS_FN_MEMBER void see(near &n, int row, int c) const
    {
        n.here = start + row * pitch + c;
        n.pitch = pitch;
        n.plane = plane;
    }
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
template <int CX, class T>
MASS_FN void mass_push_row(T *p, const T *v, int columns, const mass_launch &l, int x, int y, int z)
{
    int from[3], to[3];
    mass_images(l, 0, x, from[0], to[0]);
    int last_from, last_to; /* of the row's last place */
    mass_images(l, 0, x + CX - 1, last_from, last_to);
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
                    for (int c = 0; c < CX; c++)
                        if (c < columns && first + c >= -l.ghost[0] && first + c < l.extent[0] + l.ghost[0])
                            q[c] = v[c];
            }
}

/* Whether some place of a strip is shown by ghosts that this launch writes, or lies outside. */
MASS_FN bool mass_at_edge(const mass_launch &l, int x, int y, int z, int columns, int rows)
{
    return x < l.inner_first[0] || x + columns > l.inner_last[0] || y < l.inner_first[1] ||
           y + rows > l.inner_last[1] || z < l.inner_first[2] || z >= l.inner_last[2];
}

/* Whether a strip in the middle, as mass_at_edge has it, starts or ends where an axis wraps. That can be
 * only if it holds all ghosts of that side (launch.inner_first). */
MASS_FN bool mass_wraps_x(const mass_launch &l, int x, int columns)
{
    return (l.push & MASS_AXIS_X) && (x == 0 || x + columns == l.extent[0]);
}
MASS_FN bool mass_wraps_y(const mass_launch &l, int y, int rows)
{
    return (l.push & MASS_AXIS_Y) && (y == 0 || y + rows == l.extent[1]);
}

/* Copies the outermost columns and rows of such a strip, as they were stored at p, to the ghosts beyond
 * the opposite sides. */
template <int CX, int ROWS, class T> MASS_FN void mass_push_sides(T *p, const mass_launch &l, int x, int y)
{
    const bool wraps_x = mass_wraps_x(l, x, CX), wraps_y = mass_wraps_y(l, y, ROWS);
    const int64_t right = x == 0 ? l.extent[0] : -(int64_t)l.extent[0];
    const int64_t down = (y == 0 ? l.extent[1] : -(int64_t)l.extent[1]) * l.pitch;
    const int first_column = x == 0 ? 0 : CX - l.ghost[0], first_row = y == 0 ? 0 : ROWS - l.ghost[1];
    if (wraps_x) {
        T *q = p + first_column;
#pragma unroll 1
        for (int g = 0; g < l.ghost[0]; g++, q++)
#pragma unroll
            for (int r = 0; r < ROWS; r++) q[r * l.pitch + right] = q[r * l.pitch];
    }
    if (wraps_y) {
        T *q = p + first_row * l.pitch;
#pragma unroll 1
        for (int g = 0; g < l.ghost[1]; g++, q += l.pitch) {
            T row[CX];
            mass_load<CX>(row, q);
            mass_store<CX>(q + down, row);
            for (int c = first_column; wraps_x && c < first_column + l.ghost[0]; c++) q[down + right + c] = q[c];
        }
    }
}

/* Stores a row of a strip: in the middle of a partition all elements at once and nothing else. */
template <bool EDGE, int CX, class T>
MASS_FN void mass_store_row(T *p, const T *v, int columns, const mass_launch &l, int x, int y, int z)
{
    if constexpr (!EDGE) mass_store<CX>(p, v);
    else {
#pragma unroll
        for (int c = 0; c < CX; c++)
            if (c < columns) p[c] = v[c];
        if (l.push) mass_push_row<CX>(p, v, columns, l, x, y, z);
    }
}

/* One value for a block, added to a tally by one of its threads. Every thread of the block calls. */
template <int ACCESS> MASS_FN int64_t mass_combine(int64_t a, int64_t b)
{
    return ACCESS == MASS_SUM ? a + b : ACCESS == MASS_MIN ? (b < a ? b : a) : (b > a ? b : a);
}
template <int ACCESS> MASS_FN void mass_contribute(int64_t *tally, int64_t v)
{
    if (ACCESS == MASS_SUM) atomicAdd((unsigned long long *)tally, (unsigned long long)v);
    if (ACCESS == MASS_MIN) atomicMin((long long *)tally, (long long)v);
    if (ACCESS == MASS_MAX) atomicMax((long long *)tally, (long long)v);
}
/* Of all threads of a warp, in its first one. */
template <int ACCESS> MASS_FN int64_t mass_combine_warp(int64_t v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2) v = mass_combine<ACCESS>(v, __shfl_down_sync(~0u, v, d));
    return v;
}
template <int ACCESS> MASS_FN void mass_flush_warp(int64_t *tally, int64_t v)
{
    v = mass_combine_warp<ACCESS>(v);
    if (threadIdx.x % 32 == 0) mass_contribute<ACCESS>(tally, v);
}
template <int ACCESS> MASS_FN void mass_flush_block(int64_t *tally, int64_t v)
{
    __shared__ int64_t partial[32];
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    v = mass_combine_warp<ACCESS>(v);
    if (thread % 32 == 0) partial[thread / 32] = v;
    __syncthreads();
    if (thread == 0) {
        for (int i = 1; i < threads / 32; i++) v = mass_combine<ACCESS>(v, partial[i]);
        mass_contribute<ACCESS>(tally, v);
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

/* ---- tallies of more than one accumulator ---- */

/* Hands a thread's window over; where those of a warp are at the same digits, they add up first. Every thread of
 * the warp calls. */
MASS_FN void mass_exact_flush_warp(mass_exact_window *w)
{
    if (!__all_sync(~0u, w->exponent == __shfl_sync(~0u, w->exponent, 0))) {
        mass_exact_flush(w);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) w->digit[i] = mass_combine_warp<MASS_SUM>(w->digit[i]);
    w->count = mass_combine_warp<MASS_SUM>(w->count);
    if (threadIdx.x % 32 == 0) mass_exact_flush(w);
}

/* Where a body counts: bins of its world in the device's memory, and the block's own copies of some of them, if it
 * has any. */
struct mass_counter {
    unsigned long long *bins;
    uint32_t first, near, far; /* so many bins from the first are counted in the block's memory, or else in the device's */
    uint32_t step, local;      /* bytes in the block's memory: from bin to bin; this thread's copy of the first one */
    bool certain;              /* all bins are near */
};
extern __shared__ uint32_t mass_bin_memory[];

/* Where a callback's bins are counted: code that knows is half as long. */
enum mass_where { MASS_ANYWHERE, MASS_NEAR_BINS, MASS_FAR_BINS };
MASS_FN mass_counter mass_counter_of(int64_t *bins, const mass_bins &b, int world, bool tallies, mass_where where)
{
    const bool near = where == MASS_ANYWHERE ? b.local != MASS_BINS_GLOBAL : where == MASS_NEAR_BINS;
    const uint32_t copies = 1u << b.copies_log2, word = sizeof *mass_bin_memory;
    return {(unsigned long long *)bins + (int64_t)world * b.length, b.first, tallies && near ? b.count : 0,
            tallies && !near ? b.count : 0, copies * word,
            (b.local + (threadIdx.x & (copies - 1))) * word, where == MASS_NEAR_BINS};
}
MASS_FN bool mass_is_among(uint64_t bin, uint32_t first, uint32_t count)
{
    return bin >> 32 == 0 && (uint32_t)bin - first < count;
}
#define MASS_IS_BYTE_(bin) false
MASS_FN void mass_count_one(const mass_counter *c, uint64_t bin, bool)
{
    char *const local = (char *)mass_bin_memory + c->local;
    const uint32_t at = bin >> 32 ? UINT32_MAX : (uint32_t)bin - c->first;
    /* Without a branch: behind the last bin there is one for what is ignored. */
    if (c->certain) atomicAdd((uint32_t *)(local + (at < c->near ? at : c->near) * c->step), 1u);
    else if (at < c->near) atomicAdd((uint32_t *)(local + at * c->step), 1u);
    else if (mass_is_among(bin, c->first, c->far)) atomicAdd(&c->bins[bin], 1ull);
}
MASS_FN void mass_count(const mass_counter *c, uint64_t bin, int64_t v)
{
    if (mass_is_among(bin, c->first, c->near | c->far)) atomicAdd(&c->bins[bin], (unsigned long long)v);
}

/* Before the first world: empties the block's bins, of so many fields. Every thread calls. */
MASS_FN void mass_bins_begin(const mass_launch &l, int fields)
{
    for (int i = 0; i < fields; i++)
        if (l.bins[i].local != MASS_BINS_GLOBAL)
            for (uint32_t k = threadIdx.x; k < l.bins[i].count << l.bins[i].copies_log2; k += blockDim.x)
                mass_bin_memory[l.bins[i].local + k] = 0;
    __syncthreads();
}
/* After a world: adds the block's bins to the tally, and empties them. Every thread calls. */
MASS_FN void mass_bins_hand_over(int64_t *bins, const mass_bins &b, int world)
{
    if (b.local == MASS_BINS_GLOBAL) return;
    __syncthreads();
    const uint32_t copies = 1u << b.copies_log2;
    for (uint32_t i = threadIdx.x; i < b.count; i += blockDim.x) {
        uint32_t *own = mass_bin_memory + b.local + (i << b.copies_log2), sum = 0;
        for (uint32_t c = 0; c < copies; c++) {
            const uint32_t turn = (c + threadIdx.x) & (copies - 1); /* threads of a warp in different banks */
            sum += own[turn];
            own[turn] = 0;
        }
        if (sum) atomicAdd((unsigned long long *)bins + (int64_t)world * b.length + b.first + i, (unsigned long long)sum);
    }
    __syncthreads();
}

#define MASS_NEAR1(f, dx) (w->f.at((dx), 0, 0))
#define MASS_NEAR2(f, dx, dy) (w->f.at((dx), (dy), 0))
#define MASS_NEAR3(f, dx, dy, dz) (w->f.at((dx), (dy), (dz)))
#define IN(f) (w->f.at(0, 0, 0))

#define MASS_WINDOW_(name, type, access, target) MASS_JOIN(MASS_WINDOW_, access)(type, name)
#define MASS_WINDOW_READ(T, n) typename mass_rows<T, CX, RX, RY, RZ>::near n;
#define MASS_WINDOW_WRITE(T, n) T n;
#define MASS_WINDOW_UPDATE(T, n) T n;
#define MASS_WINDOW_PARAM(T, n) T n;
#define MASS_WINDOW_SUM(T, n) MASS_JOIN(MASS_SUMMED_, T) n;
#define MASS_WINDOW_BINS(T, n) mass_counter n;
#define MASS_WINDOW_KEYS(T, n) mass_key_counter n;
#define MASS_WINDOW_ITEMS(T, n) const T *n;
#define MASS_WINDOW_MIN(T, n) T n;
#define MASS_WINDOW_MAX(T, n) T n;
#define MASS_WINDOW_RESIDENT(T, n) const T *n;
#define MASS_WINDOW_RESIDENT_UPDATE(T, n) T *n;
#define MASS_STRIP_(name, type, access, target) MASS_JOIN(MASS_STRIP_, access)(type, name)
#define MASS_STRIP_READ(T, n) mass_rows<T, CX, RX, RY, RZ> n;
#define MASS_STRIP_WRITE(T, n) T n[CX];
#define MASS_STRIP_UPDATE(T, n) T n[CX];
#define MASS_STRIP_PARAM(T, n) T n;
#define MASS_STRIP_SUM(T, n) MASS_JOIN(MASS_STRIP_SUM_, T) n;
#define MASS_STRIP_SUM_int64_t int64_t
#define MASS_STRIP_SUM_double mass_exact_window
#define MASS_STRIP_BINS(T, n) mass_counter n;
#define MASS_STRIP_KEYS(T, n)
#define MASS_STRIP_ITEMS(T, n)
#define MASS_STRIP_MIN(T, n) T n;
#define MASS_STRIP_MAX(T, n) T n;
#define MASS_STRIP_RESIDENT(T, n) const T *n;
#define MASS_STRIP_RESIDENT_UPDATE(T, n) T *n;
#define MASS_FIRST_(name, type, access, target) MASS_JOIN(MASS_FIRST_, access)(type, name)
#define MASS_FIRST_READ(T, n) s.n.first(f.n + at, l.pitch, l.plane);
#define MASS_FIRST_WRITE(T, n)
#define MASS_FIRST_UPDATE(T, n)
#define MASS_FIRST_PARAM(T, n) s.n = f.n[world];
#define MASS_FIRST_SUM(T, n)
#define MASS_FIRST_BINS(T, n)
#define MASS_FIRST_KEYS(T, n)
#define MASS_FIRST_ITEMS(T, n)
#define MASS_FIRST_MIN(T, n)
#define MASS_FIRST_MAX(T, n)
#define MASS_FIRST_RESIDENT(T, n) s.n = f.n;
#define MASS_FIRST_RESIDENT_UPDATE(T, n) s.n = f.n;
#define MASS_EMPTY_(name, type, access, target) MASS_JOIN(MASS_EMPTY_, access)(type, name)
#define MASS_EMPTY_READ(T, n)
#define MASS_EMPTY_WRITE(T, n)
#define MASS_EMPTY_UPDATE(T, n)
#define MASS_EMPTY_PARAM(T, n)
#define MASS_EMPTY_SUM(T, n) MASS_JOIN(MASS_EMPTY_SUM_, T)(n)
#define MASS_EMPTY_SUM_int64_t(n) s.n = 0;
#define MASS_EMPTY_SUM_double(n) if (TALLY) mass_exact_begin(&s.n, f.n + world * MASS_EXACT_WORDS);
#define MASS_EMPTY_BINS(T, n) s.n = mass_counter_of(f.n, l.bins[MASS_JOIN(n, _number)], world, TALLY, where);
#define MASS_EMPTY_KEYS(T, n)
#define MASS_EMPTY_ITEMS(T, n)
#define MASS_EMPTY_MIN(T, n) s.n = mass_limits<T>::greatest();
#define MASS_EMPTY_MAX(T, n) s.n = mass_limits<T>::smallest();
#define MASS_EMPTY_RESIDENT(T, n)
#define MASS_EMPTY_RESIDENT_UPDATE(T, n)
#define MASS_LOAD_(name, type, access, target) MASS_JOIN(MASS_LOAD_, access)(type, name)
#define MASS_LOAD_READ(T, n) s.n.load(l.pitch, l.plane, r + RY);
#define MASS_LOAD_WRITE(T, n)
#define MASS_LOAD_UPDATE(T, n) mass_load<CX>(s.n, f.n + at + r * l.pitch);
#define MASS_LOAD_PARAM(T, n)
#define MASS_LOAD_SUM(T, n)
#define MASS_LOAD_BINS(T, n)
#define MASS_LOAD_KEYS(T, n)
#define MASS_LOAD_ITEMS(T, n)
#define MASS_LOAD_MIN(T, n)
#define MASS_LOAD_MAX(T, n)
#define MASS_LOAD_RESIDENT(T, n)
#define MASS_LOAD_RESIDENT_UPDATE(T, n)
#define MASS_GET_(name, type, access, target) MASS_JOIN(MASS_GET_, access)(type, name)
#define MASS_GET_READ(T, n) s.n.see(window.n, r, c);
#define MASS_GET_WRITE(T, n)
#define MASS_GET_UPDATE(T, n) window.n = s.n[c];
#define MASS_GET_PARAM(T, n) window.n = s.n;
#define MASS_GET_SUM(T, n) MASS_JOIN(MASS_GET_SUM_, T)(n)
#define MASS_GET_SUM_int64_t(n) window.n = 0;
#define MASS_GET_SUM_double(n) window.n = TALLY ? &s.n : nullptr;
#define MASS_GET_BINS(T, n) window.n = s.n;
#define MASS_GET_KEYS(T, n) window.n.table = TALLY ? f.n + world : nullptr;
#define MASS_GET_ITEMS(T, n) window.n = f.n + at + r * l.pitch + c;
#define MASS_GET_MIN(T, n) window.n = mass_limits<T>::greatest();
#define MASS_GET_MAX(T, n) window.n = mass_limits<T>::smallest();
#define MASS_GET_RESIDENT(T, n) window.n = s.n;
#define MASS_GET_RESIDENT_UPDATE(T, n) window.n = s.n;
#define MASS_PUT_(name, type, access, target) MASS_JOIN(MASS_PUT_, access)(type, name)
#define MASS_PUT_READ(T, n)
#define MASS_PUT_WRITE(T, n) s.n[c] = window.n;
#define MASS_PUT_UPDATE(T, n) s.n[c] = window.n;
#define MASS_PUT_PARAM(T, n)
#define MASS_PUT_SUM(T, n) MASS_JOIN(MASS_PUT_SUM_, T)(n)
#define MASS_PUT_SUM_int64_t(n) if (TALLY && (!EDGE || c < columns)) s.n += window.n;
#define MASS_PUT_SUM_double(n)
#define MASS_PUT_BINS(T, n)
#define MASS_PUT_KEYS(T, n)
#define MASS_PUT_ITEMS(T, n)
#define MASS_PUT_MIN(T, n) if (TALLY && (!EDGE || c < columns) && window.n < s.n) s.n = window.n;
#define MASS_PUT_MAX(T, n) if (TALLY && (!EDGE || c < columns) && window.n > s.n) s.n = window.n;
#define MASS_PUT_RESIDENT(T, n)
#define MASS_PUT_RESIDENT_UPDATE(T, n)
#define MASS_STORE_(name, type, access, target) MASS_JOIN(MASS_STORE_, access)(type, name)
#define MASS_STORE_READ(T, n)
#define MASS_STORE_WRITE(T, n) mass_store_row<EDGE, CX>(f.n + at + r * l.pitch, s.n, columns, l, x, y + r, z);
#define MASS_STORE_UPDATE(T, n) mass_store_row<EDGE, CX>(f.n + at + r * l.pitch, s.n, columns, l, x, y + r, z);
#define MASS_STORE_PARAM(T, n)
#define MASS_STORE_SUM(T, n)
#define MASS_STORE_BINS(T, n)
#define MASS_STORE_KEYS(T, n)
#define MASS_STORE_ITEMS(T, n)
#define MASS_STORE_MIN(T, n)
#define MASS_STORE_MAX(T, n)
#define MASS_STORE_RESIDENT(T, n)
#define MASS_STORE_RESIDENT_UPDATE(T, n)
#define MASS_SIDE_(name, type, access, target) MASS_JOIN(MASS_SIDE_, access)(type, name)
#define MASS_SIDE_READ(T, n)
#define MASS_SIDE_WRITE(T, n) mass_push_sides<CX, ROWS>(f.n + at, l, x, y);
#define MASS_SIDE_UPDATE(T, n) mass_push_sides<CX, ROWS>(f.n + at, l, x, y);
#define MASS_SIDE_PARAM(T, n)
#define MASS_SIDE_SUM(T, n)
#define MASS_SIDE_BINS(T, n)
#define MASS_SIDE_KEYS(T, n)
#define MASS_SIDE_ITEMS(T, n)
#define MASS_SIDE_MIN(T, n)
#define MASS_SIDE_MAX(T, n)
#define MASS_SIDE_RESIDENT(T, n)
#define MASS_SIDE_RESIDENT_UPDATE(T, n)
#define MASS_FLUSH_(name, type, access, target) MASS_JOIN(MASS_FLUSH_, access)(type, name)
#define MASS_FLUSH_READ(T, n)
#define MASS_FLUSH_WRITE(T, n)
#define MASS_FLUSH_UPDATE(T, n)
#define MASS_FLUSH_PARAM(T, n)
#define MASS_FLUSH_SUM(T, n) MASS_JOIN(MASS_FLUSH_SUM_, T)(n)
#define MASS_FLUSH_SUM_int64_t(n) mass_flush_block<MASS_SUM>(f.n + world, s.n);
#define MASS_FLUSH_SUM_double(n) mass_exact_flush_warp(&s.n);
#define MASS_FLUSH_BINS(T, n) mass_bins_hand_over(f.n, l.bins[MASS_JOIN(n, _number)], world);
#define MASS_FLUSH_KEYS(T, n)
#define MASS_FLUSH_ITEMS(T, n)
#define MASS_FLUSH_MIN(T, n) mass_flush_block<MASS_MIN>(f.n + world, mass_limits<T>::rank(s.n));
#define MASS_FLUSH_MAX(T, n) mass_flush_block<MASS_MAX>(f.n + world, mass_limits<T>::rank(s.n));
#define MASS_FLUSH_RESIDENT(T, n)
#define MASS_FLUSH_RESIDENT_UPDATE(T, n)

/* A launch may begin while the one before it ends (programmatic dependent launch): it lets its
 * successor begin, and touches no memory before its predecessor's is complete. */
MASS_FN void mass_follow_predecessor(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* Fields that are added to, by any thread. */
template <class T, class V> MASS_FN void mass_scatter_to(T *to, V v)
{
    if constexpr (sizeof(T) == sizeof(unsigned)) atomicAdd((unsigned *)to, (unsigned)(T)v);
    else atomicAdd((unsigned long long *)to, (unsigned long long)(T)v);
}
#define MASS_SCATTER_TO_(to, v) mass_scatter_to((to), (v))
#define MASS_WINDOW_SCATTER_ADD(T, n) struct { T *to; } n;
#define MASS_STRIP_SCATTER_ADD(T, n) T *n;
#define MASS_FIRST_SCATTER_ADD(T, n) s.n = f.n;
#define MASS_EMPTY_SCATTER_ADD(T, n)
#define MASS_LOAD_SCATTER_ADD(T, n)
#define MASS_GET_SCATTER_ADD(T, n) window.n.to = s.n;
#define MASS_PUT_SCATTER_ADD(T, n)
#define MASS_STORE_SCATTER_ADD(T, n)
#define MASS_SIDE_SCATTER_ADD(T, n)
#define MASS_FLUSH_SCATTER_ADD(T, n)

#define MASS_CUDA_KERNEL_(NAME, KERNEL, ROWS_)                                                     \
    extern "C" __global__ void __launch_bounds__(128)                                              \
    KERNEL(const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l) \
    {                                                                                              \
        MASS_JOIN(NAME, _strips)<ROWS_, false>(f, l);                                              \
    }

#define MASS_TALLY_KERNEL_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                   \
    extern "C" __global__ void __launch_bounds__((0 LIST(MASS_GATHERS_)) ? 1024 : 128)             \
    MASS_JOIN(NAME, _tally)(const __grid_constant__ MASS_JOIN(NAME, _fields) f,                    \
                            const __grid_constant__ mass_launch l)                                 \
    {                                                                                              \
        if constexpr ((0 LIST(MASS_GATHERS_)) != 0) {                                              \
            if (l.bins[0].local == MASS_BINS_GLOBAL) MASS_JOIN(NAME, _strides)<true, MASS_FAR_BINS>(f, l); \
            else MASS_JOIN(NAME, _strides)<true, MASS_NEAR_BINS>(f, l);                            \
        } else MASS_JOIN(NAME, _strips)<MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS), true>(f, l);      \
    }

/* One strip: from the middle of a partition, or (EDGE) one that reaches its edge or beyond. They are
 * two pieces of code, since checks that are rarely needed cost most of a short rule's time. A tallying
 * block keeps all its threads to the end, since they add up together; in a quiet one those outside
 * the partition leave. */
#define MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, OVER)                                         \
    struct MASS_JOIN(NAME, _fields) { LIST(MASS_POINTER_) };                                       \
    struct MASS_JOIN(NAME, _window) {                                                              \
        enum { CX = MASS_STRIP_PLACES(LIST), RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0,        \
               RZ = DIMENSIONS > 2 ? RADIUS : 0 };                                                 \
        LIST(MASS_WINDOW_)                                                                         \
        mass_site site;                                                                            \
    };                                                                                             \
    struct MASS_JOIN(NAME, _strip) {                                                               \
        enum { CX = MASS_STRIP_PLACES(LIST), RX = RADIUS, RY = DIMENSIONS > 1 ? RADIUS : 0,        \
               RZ = DIMENSIONS > 2 ? RADIUS : 0 };                                                 \
        LIST(MASS_STRIP_)                                                                          \
    };                                                                                             \
    template <class Window> MASS_FN void MASS_JOIN(NAME, _body)(Window *const w);                  \
    template <int ROWS, bool TALLY, bool EDGE>                                                     \
    MASS_FN void MASS_JOIN(NAME, _rows)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l,   \
                                        MASS_JOIN(NAME, _strip) &s, int64_t at, int x, int y, int z, \
                                        int world)                                                 \
    {                                                                                              \
        constexpr int CX = MASS_JOIN(NAME, _strip)::CX, RY = MASS_JOIN(NAME, _strip)::RY;          \
        const int columns = l.extent[0] - x, rows = l.extent[1] - y;                               \
        (void)RY, (void)columns;                                                                   \
        LIST(MASS_FIRST_)                                                                          \
        _Pragma("unroll") for (int r = 0; r < ROWS; r++) {                                         \
            if (EDGE && r >= rows) break;                                                          \
            LIST(MASS_LOAD_)                                                                       \
            _Pragma("unroll") for (int c = 0; c < CX; c++) {                                       \
                if (EDGE && c >= columns) break; /* bodies run for places alone */                 \
                MASS_JOIN(NAME, _window) window;                                                   \
                window.site.launch = &l;                                                           \
                window.site.x = l.origin[0] + x + c;                                               \
                window.site.y = l.origin[1] + y + r;                                               \
                window.site.z = l.origin[2] + z;                                                   \
                window.site.world = world;                                                         \
                window.site.id = 0;                                                                \
                LIST(MASS_GET_)                                                                    \
                MASS_JOIN(NAME, _body)(&window);                                                   \
                LIST(MASS_PUT_)                                                                    \
            }                                                                                      \
            LIST(MASS_STORE_)                                                                      \
        }                                                                                          \
    }                                                                                              \
    template <int ROWS, bool TALLY>                                                                \
    MASS_FN void MASS_JOIN(NAME, _strips)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l) \
    {                                                                                              \
        enum { LIST(MASS_BIN_FIELD_) MASS_JOIN(NAME, _bin_fields) };                               \
        constexpr mass_where where = MASS_ANYWHERE;                                                \
        (void)where;                                                                               \
        constexpr int CX = MASS_JOIN(NAME, _strip)::CX;                                            \
        const int x = (blockIdx.x * blockDim.x + threadIdx.x) * CX;                                \
        const int last_first = blockIdx.y == 0 ? gridDim.y - 1 : blockIdx.y - 1; /* edges take longer */ \
        const int y = (last_first * blockDim.y + threadIdx.y) * ROWS;                              \
        const bool inside = x < l.extent[0] && y < l.extent[1];                                    \
        mass_follow_predecessor();                                                                 \
        if (!TALLY && !inside) return;                                                             \
        for (int sheet = blockIdx.z; sheet < l.extent[2] * l.worlds; sheet += gridDim.z) {         \
            const int world = l.extent[2] == 1 ? sheet : sheet / l.extent[2];                      \
            const int z = sheet - world * l.extent[2];                                             \
            if (l.gates && l.gates[world]) continue;                                               \
            const int64_t at = world * l.world_stride + z * l.plane + y * l.pitch + x;             \
            MASS_JOIN(NAME, _strip) s;                                                             \
            LIST(MASS_EMPTY_)                                                                      \
            if (mass_at_edge(l, x, y, z, CX, ROWS)) {                                                  \
                _Pragma("unroll 1") for (int r = 0; inside && r < ROWS && y + r < l.extent[1]; r += 2) \
                    MASS_JOIN(NAME, _rows)<2, TALLY, true>(f, l, s, at + r * l.pitch, x, y + r, z, world); \
            } else {                                                                               \
                MASS_JOIN(NAME, _rows)<ROWS, TALLY, false>(f, l, s, at, x, y, z, world);           \
                if (mass_wraps_x(l, x, CX) || mass_wraps_y(l, y, ROWS)) { LIST(MASS_SIDE_) }           \
            }                                                                                      \
            if (TALLY) { LIST(MASS_FLUSH_) }                                                       \
        }                                                                                          \
    }                                                                                              \
    /* The same for tallies of many accumulators: a thread keeps what it gathers in a world, over many strips. */ \
    template <bool TALLY, mass_where where>                                                        \
    MASS_FN void MASS_JOIN(NAME, _strides)(const MASS_JOIN(NAME, _fields) &f, const mass_launch &l) \
    {                                                                                              \
        enum { LIST(MASS_BIN_FIELD_) MASS_JOIN(NAME, _bin_fields) };                               \
        constexpr int CX = MASS_JOIN(NAME, _strip)::CX, ROWS = 1;                                  \
        (void)ROWS;                                                                                \
        constexpr bool writes = (0 LIST(MASS_WRITES_)) != 0;                                       \
        const int64_t strips = (l.extent[0] + CX - 1) / CX, total = strips * l.extent[1] * l.extent[2]; \
        mass_bins_begin(l, MASS_JOIN(NAME, _bin_fields));                                          \
        mass_follow_predecessor();                                                                 \
        for (int world = blockIdx.y; world < l.worlds; world += gridDim.y) {                       \
            if (l.gates && l.gates[world]) continue;                                               \
            MASS_JOIN(NAME, _strip) s;                                                             \
            LIST(MASS_EMPTY_)                                                                      \
            for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < total;            \
                 i += (int64_t)gridDim.x * blockDim.x) {                                           \
                const int row = strips == total ? 0 : (int)(i / strips);                           \
                const int z = l.extent[2] == 1 ? 0 : row / l.extent[1], y = row - z * l.extent[1]; \
                const int x = (int)(i - row * strips) * CX;                                        \
                const int64_t at = world * l.world_stride + z * l.plane + y * l.pitch + x;         \
                if (writes ? mass_at_edge(l, x, y, z, CX, 1) : x + CX > l.extent[0]) {             \
                    MASS_JOIN(NAME, _rows)<1, TALLY, true>(f, l, s, at, x, y, z, world);           \
                } else {                                                                           \
                    MASS_JOIN(NAME, _rows)<1, TALLY, false>(f, l, s, at, x, y, z, world);          \
                    if (writes && (mass_wraps_x(l, x, CX) || mass_wraps_y(l, y, 1))) { LIST(MASS_SIDE_) } \
                }                                                                                  \
            }                                                                                      \
            LIST(MASS_FLUSH_)                                                                      \
        }                                                                                          \
    }                                                                                              \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _large), MASS_ROWS_LARGE(LIST, OVER, DIMENSIONS, RADIUS))    \
    MASS_CUDA_KERNEL_(NAME, MASS_JOIN(NAME, _small), MASS_ROWS_SMALL(LIST, OVER, DIMENSIONS, RADIUS))    \
    MASS_TALLY_KERNEL_(NAME, LIST, OVER, DIMENSIONS, RADIUS)                                       \
    MASS_WORLD_PLACES_(NAME, LIST, OVER)                                                           \
    MASS_BODY_(NAME, _body)

/* The head of a body. */
#define MASS_BODY_(NAME, SUFFIX) template <class Window> MASS_FN void MASS_JOIN(NAME, SUFFIX)(Window *const w)

#endif
