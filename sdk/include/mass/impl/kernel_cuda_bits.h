/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits in CUDA forms. A thread's strip is whole bytes of a row. They fit into one register with the bits
 * next to them that the thread needs. Bodies get a bool for each place. Included by kernel_cuda_fields.h. */
#ifndef MASS_KERNEL_CUDA_BITS_H
#define MASS_KERNEL_CUDA_BITS_H

#include <mass/impl/kernel_cuda_fields.h>

/* Returns the bit `at` elements from the first place of p. */
MASS_FN bool mass_bit(const bool *p, int64_t at) { return __ldg((const uint8_t *)p + (at >> 3)) >> (at & 7) & 1; }

/* The default, with the interface of a pointer to it, as other elements have. */
struct mass_no_bit {
    bool v;
    MASS_FN_MEMBER bool operator*() const { return v; }
};
/* Returns the default of an attribute of bits, which its array p has in an element of its own. */
MASS_FN mass_no_bit mass_default_bit(const bool *p, const mass_launch &l)
{
    return {mass_bit(p, mass_default_element(&l))};
}

/* The rows of a READ field: each row that is needed now, from eight places before the strip on. */
template <int CX, int RX, int RY, int RZ, bool WINDOW = (RX <= MASS_WINDOW_RADIUS)> struct mass_bit_rows {
    static_assert(CX == 8 || CX == 16, "a strip of bits is whole bytes, and fits into a word with its neighbours");
    uint32_t v[2 * RZ + 1][2 * RY + 1];
    struct near {
        uint32_t v[2 * RZ + 1][2 * RY + 1]; /* bit RX is the own place */
        mass_no_bit none;
        MASS_FN_MEMBER bool at(int dx, int dy, int dz) const { return v[RZ + dz][RY + dy] >> (RX + dx) & 1; }
        MASS_FN_MEMBER bool own() const { return at(0, 0, 0); }
    };
    const bool *start;
    int64_t next; /* first place of the row that is loaded next */
    mass_no_bit none;
    MASS_FN_MEMBER void load(int64_t pitch, int64_t plane, int row)
    {
#pragma unroll
        for (int dz = -RZ; dz <= RZ; dz++) {
            const int64_t from = next + dz * plane - (RX ? 8 : 0);
            const uint32_t *low = (const uint32_t *)start + (from >> 5);
            const uint32_t *high = (const uint32_t *)start + (from + CX + (RX ? 15 : -1) >> 5); /* often the same
                                                                                                   word */
            v[RZ + dz][(row + RY) % (2 * RY + 1)] = __funnelshift_r(__ldg(low), __ldg(high), (uint32_t)from & 31);
        }
        next += pitch;
    }
    MASS_FN_MEMBER void first(const bool *p, const mass_launch &l, int64_t at)
    {
        start = p;
        none = mass_default_bit(p, l);
        next = at - RY * l.pitch;
#pragma unroll
        for (int row = -RY; row < RY; row++) load(l.pitch, l.plane, row);
    }
    MASS_FN_MEMBER void see(near &n, const mass_launch &, int64_t, int row, int c) const
    {
        n.none = none;
#pragma unroll
        for (int a = 0; a < 2 * RZ + 1; a++)
#pragma unroll
            for (int b = 0; b < 2 * RY + 1; b++)
                n.v[a][b] = v[a][(row + b) % (2 * RY + 1)] >> (c + (RX ? 8 - RX : 0));
    }
};

template <int CX, int RX, int RY, int RZ> struct mass_bit_rows<CX, RX, RY, RZ, false> {
    const bool *start;
    mass_no_bit none;
    struct near {
        const bool *start;
        int64_t here, pitch, plane;
        mass_no_bit none;
        MASS_FN_MEMBER bool at(int dx, int dy, int dz) const
        {
            return mass_bit(start, here + dx + dy * pitch + dz * plane);
        }
        MASS_FN_MEMBER bool own() const { return at(0, 0, 0); }
    };
    MASS_FN_MEMBER void load(int64_t, int64_t, int) {}
    MASS_FN_MEMBER void first(const bool *p, const mass_launch &l, int64_t)
    {
        start = p;
        none = mass_default_bit(p, l);
    }
    MASS_FN_MEMBER void see(near &n, const mass_launch &l, int64_t at, int row, int c) const
    {
        n = {start, at + row * l.pitch + c, l.pitch, l.plane, none};
    }
};

template <int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_AROUND_, bool, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef typename mass_bit_rows<CX, RX, RY, RZ>::near window;
    mass_bit_rows<CX, RX, RY, RZ> rows;
    MASS_FN_MEMBER void first(const bool *p, const mass_launch &l, int64_t at, int) { rows.first(p, l, at); }
    MASS_FN_MEMBER void load(const bool *, const mass_launch &l, int64_t, int r)
    {
        rows.load(l.pitch, l.plane, r + RY);
    }
    MASS_FN_MEMBER void get(window &n, const bool *, const mass_launch &l, int64_t at, int r, int c, int, bool)
    {
        rows.see(n, l, at, r, c);
    }
};

/* The bits of a row that a strip writes, stored in one piece. Ghosts in the same byte, after the row's last place, are
 * lost. */
template <int ACCESS, int CX, int RX, int RY, int RZ>
struct mass_held<MASS_VIEW_VALUE_, bool, ACCESS, CX, RX, RY, RZ> : mass_held_nothing {
    typedef bool window;
    uint32_t in, out;
    MASS_FN_MEMBER void load(const bool *p, const mass_launch &l, int64_t at, int r)
    {
        const uint8_t *row = (const uint8_t *)p + (at + r * l.pitch >> 3);
        in = out = 0;
        if constexpr (MASS_IS_LOADED_(ACCESS)) in = CX == 8 ? *row : *(const uint16_t *)row;
    }
    MASS_FN_MEMBER void get(window &n, const bool *, const mass_launch &, int64_t, int, int c, int, bool)
    {
        if constexpr (MASS_IS_LOADED_(ACCESS)) n = in >> c & 1;
    }
    MASS_FN_MEMBER void put(const window &n, int c, bool, bool = false) { out |= (uint32_t)n << c; }
    template <bool EDGE>
    MASS_FN_MEMBER void store(bool *p, const mass_launch &l, int64_t at, int r, int, int, int, int)
    {
        uint8_t *row = (uint8_t *)p + (at + r * l.pitch >> 3);
        if constexpr (CX == 8) *row = (uint8_t)out;
        else *(uint16_t *)row = (uint16_t)out;
    }
};

#endif
