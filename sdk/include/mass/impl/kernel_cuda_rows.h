/* SPDX-License-Identifier: Apache-2.0 */
/* A strip's rows: elements next to each other, moved in as few instructions as their size allows. And a READ field for
 * bodies, from registers (radii up to MASS_WINDOW_RADIUS) or through the cache. This code reads nothing beyond the
 * ghosts, and writes only the elements that are named. */
#ifndef MASS_KERNEL_CUDA_ROWS_H
#define MASS_KERNEL_CUDA_ROWS_H

#include <mass/arithmetic.h>
#include <mass/callback.h>
#include <mass/impl/launch.h>

enum { MASS_WINDOW_RADIUS = 2 };

/* Neighbouring elements that one instruction moves. */
template <class T, int N> struct alignas(N * sizeof(T)) mass_pack { T v[N]; };
template <class T, int N>
constexpr bool mass_is_pack = N * sizeof(T) == 2 || N * sizeof(T) == 4 || N * sizeof(T) == 8 ||
                              N * sizeof(T) == 16;

/* Loads N elements that are next to each other: by one instruction if they are a pack, at a multiple of its size. */
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

/* Loads from an array that does not change during the launch. Compilers may move such loads before stores, so that more
 * of them are in progress at a time. */
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

/* Stores N elements in the same way. */
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

/* The type of an element in registers: the type to which C promotes a small integer. mass_keep hides the origin of the
 * value. Otherwise compilers add in 16 bits, two numbers at a time rather than three. */
template <class T> struct mass_kept { typedef T type; };
template <> struct mass_kept<uint8_t> { typedef int type; };
template <> struct mass_kept<int8_t> { typedef int type; };
template <> struct mass_kept<uint16_t> { typedef int type; };
template <> struct mass_kept<int16_t> { typedef int type; };
template <class T> MASS_FN typename mass_kept<T>::type mass_keep(T v)
{
    typename mass_kept<T>::type kept = v;
    if constexpr (sizeof kept > sizeof v) asm("" : "+r"(kept));
    return kept;
}

/* Unpacks 8-bit integers from words of four. It uses the pipe for products, as sums of one byte's product with 1: the
 * instructions of a rule keep the pipe for sums, comparisons and logic busy. Strips of 16, whose bodies gather
 * (MASS_STRIP_PLACES), do not: so many numbers at once take registers that a second block needs. */
template <class T, int N>
constexpr bool mass_is_unpacked = N % 4 == 0 && N <= 8 && sizeof(T) == 1 && sizeof(typename mass_kept<T>::type) == 4;
/* Returns the byte of a word that `one` selects: 1 in that byte, 0 in the others. It is signed if T is. */
template <class T> MASS_FN int mass_byte_of(uint32_t word, uint32_t one)
{
    int v;
    if constexpr ((T)-1 < (T)0) {
        asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(v) : "r"(word), "r"(one), "r"(0));
        __builtin_assume(v >= INT8_MIN && v <= INT8_MAX);
    } else {
        asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(word), "r"(one), "r"(0));
        __builtin_assume(v >= 0 && v <= UINT8_MAX);
    }
    return v;
}
/* Loads N of them, a multiple of four. */
template <int N, class T> MASS_FN void mass_load_unpacked(int *to, const T *from)
{
    uint32_t words[N / 4];
    mass_load_constant<N / 4>(words, (const uint32_t *)from);
#pragma unroll
    for (int c = 0; c < N; c++) to[c] = mass_byte_of<T>(words[c / 4], 1u << 8 * (c % 4));
}

/* The types and numbers of elements that are packed into words by the same pipe, as sums of products. */
template <class T, int N>
constexpr bool mass_is_packed = N % 4 == 0 && N <= 16 && (MASS_TYPE_OF(T) == MASS_U8 || MASS_TYPE_OF(T) == MASS_I8);
/* Returns the factor for byte n of a word. It hides the factor from compilers, which otherwise do not use that pipe. */
MASS_FN uint32_t mass_byte_factor(const mass_launch &l, int n)
{
    uint32_t factor = l.struct_size != 0 ? 1u << 8 * n : 0;
    asm("" : "+r"(factor));
    return factor;
}

/* A READ field around one place, in registers. */
template <class T, int RX, int RY, int RZ> struct mass_neighbourhood {
    typedef typename mass_kept<T>::type kept;
    kept v[2 * RZ + 1][2 * RY + 1][2 * RX + 1];
    const T *none; /* the default, for reads beyond the radius */
    MASS_FN_MEMBER kept at(int dx, int dy, int dz) const { return v[RZ + dz][RY + dy][RX + dx]; }
    MASS_FN_MEMBER T own() const { return (T)at(0, 0, 0); }
};

/* A READ field of a strip: its rows in registers. */
template <class T, int CX, int RX, int RY, int RZ, bool WINDOW = (RX <= MASS_WINDOW_RADIUS)>
struct mass_rows {
    typedef typename mass_kept<T>::type kept;
    kept v[2 * RZ + 1][2 * RY + 1][CX + 2 * RX];
    typedef mass_neighbourhood<T, RX, RY, RZ> near;
    const T *next; /* the row that is loaded next */
    const T *none; /* as in mass_neighbourhood */
    /* Loads row `row` of the strip into its register slot. */
    MASS_FN_MEMBER void load(int64_t pitch, int64_t plane, int row)
    {
#pragma unroll
        for (int dz = -RZ; dz <= RZ; dz++) {
            const T *q = next + dz * plane;
            kept *const to = v[RZ + dz][(row + RY) % (2 * RY + 1)];
            T r[CX + 2 * RX];
#pragma unroll
            for (int c = 0; c < RX; c++) {
                mass_load_constant<1>(r + c, q + c - RX);
                mass_load_constant<1>(r + RX + CX + c, q + CX + c);
                to[c] = r[c], to[RX + CX + c] = r[RX + CX + c];
            }
            if constexpr (mass_is_unpacked<T, CX>) mass_load_unpacked<CX>(to + RX, q);
            else {
                mass_load_constant<CX>(r + RX, q);
#pragma unroll
                for (int c = RX; c < RX + CX; c++) to[c] = r[c];
            }
        }
        next += pitch;
    }
    MASS_FN_MEMBER void first(const T *p, int64_t pitch, int64_t plane, const T *a_none)
    {
        none = a_none;
        next = p - RY * pitch;
#pragma unroll
        for (int row = -RY; row < RY; row++) load(pitch, plane, row);
    }
    MASS_FN_MEMBER void see(near &n, int row, int c) const
    {
        n.none = none;
#pragma unroll
        for (int a = 0; a < 2 * RZ + 1; a++)
#pragma unroll
            for (int b = 0; b < 2 * RY + 1; b++)
#pragma unroll
                for (int d = 0; d < 2 * RX + 1; d++) n.v[a][b][d] = v[a][(row + b) % (2 * RY + 1)][c + d];
    }
};

template <class T, int CX, int RX, int RY, int RZ> struct mass_rows<T, CX, RX, RY, RZ, false> {
    const T *start, *none;
    int64_t pitch, plane;
    struct near {
        const T *here, *none;
        int64_t pitch, plane;
        MASS_FN_MEMBER T at(int dx, int dy, int dz) const { return here[dx + dy * pitch + dz * plane]; }
        MASS_FN_MEMBER T own() const { return at(0, 0, 0); }
    };
    MASS_FN_MEMBER void load(int64_t, int64_t, int) {}
    MASS_FN_MEMBER void first(const T *p, int64_t a_pitch, int64_t a_plane, const T *a_none)
    {
        start = p;
        none = a_none;
        pitch = a_pitch;
        plane = a_plane;
    }
    MASS_FN_MEMBER void see(near &n, int row, int c) const
    {
        n.here = start + row * pitch + c;
        n.none = none;
        n.pitch = pitch;
        n.plane = plane;
    }
};

#endif
