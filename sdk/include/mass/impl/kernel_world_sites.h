/* SPDX-License-Identifier: Apache-2.0 */
/* Positions and accessors of bodies in a block-resident world (world.h). They do the same as elsewhere
 * (kernel_agents_sites.h), with numbers of 32 bits, as such a world has few places and is whole. Included by kernel.h
 * under nvcc. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_WORLD_SITES_H
#define MASS_KERNEL_WORLD_SITES_H

/* A site whose coordinates, and extents of the space, are below 2^31. Its world is number 0, and its first place is the
 * space's. */
struct mass_block_site : mass_site {};

/* Its launch record, and the number of the element with an attribute's default. */
struct mass_block_launch : mass_launch {
    uint32_t none;
};
/* Returns that number. */
MASS_FN int64_t mass_default_element(const mass_block_launch *l) { return l->none; }

/* Gets the coordinate at an offset. Returns true if it is in the space without wrapping. */
template <bool ALONE, class T>
MASS_FN bool mass_block_axis(const mass_launch *l, int axis, mass_gidx at, T by, uint32_t *to)
{
    if constexpr (mass_is_short<T, ALONE>) {
        *to = (uint32_t)at + (uint32_t)by;
        return *to < (uint32_t)l->size[axis];
    } else {
        const mass_gidx sum = mass_sum_i64(at, by);
        *to = (uint32_t)sum;
        return (uint64_t)sum < (uint64_t)l->size[axis];
    }
}

/* Is 1 if there is a place at an offset, else 0. */
template <class X, class Y, class Z> MASS_FN int mass_site_exists(const mass_block_site *s, X dx, Y dy, Z dz)
{
    const mass_launch *l = s->launch;
    uint32_t x, y, z;
    const bool in_x = mass_block_axis<false>(l, 0, s->x, dx, &x), in_y = mass_block_axis<false>(l, 1, s->y, dy, &y),
               in_z = mass_block_axis<false>(l, 2, s->z, dz, &z);
    return (in_x | (l->torus & 1)) & (in_y | (l->torus >> 1 & 1)) & (in_z | (l->torus >> 2 & 1));
}

/* Returns the cell of a place beyond the edges of the space. */
MASS_CALLED_FN_ uint32_t mass_block_cell_beyond(uint32_t torus, uint32_t wide, uint32_t high, uint32_t deep,
                                                mass_gidx x, mass_gidx y, mass_gidx z, mass_gidx dx, mass_gidx dy,
                                                mass_gidx dz)
{
    mass_launch l;
    l.torus = torus;
    l.size[0] = wide, l.size[1] = high, l.size[2] = deep;
    mass_gidx place;
    return mass_place_from(&l, x, y, z, dx, dy, dz, &place) ? (uint32_t)place : MASS_CELL_NOWHERE;
}
/* Returns the cell at an offset, or MASS_CELL_NOWHERE. ALONE: the offset counts from 0, and not from a place. */
template <bool ALONE, class X, class Y, class Z>
MASS_FN uint32_t mass_block_cell(const mass_launch *l, mass_gidx x, mass_gidx y, mass_gidx z, X dx, Y dy, Z dz)
{
    uint32_t at[3];
    const bool in_x = mass_block_axis<ALONE>(l, 0, x, dx, at), in_y = mass_block_axis<ALONE>(l, 1, y, dy, at + 1),
               in_z = mass_block_axis<ALONE>(l, 2, z, dz, at + 2);
    const uint32_t wide = (uint32_t)l->size[0], high = (uint32_t)l->size[1];
    if (in_x & in_y & in_z) return (at[2] * high + at[1]) * wide + at[0];
    if (!l->torus) return MASS_CELL_NOWHERE;
    return mass_block_cell_beyond(l->torus, wide, high, (uint32_t)l->size[2], x, y, z, dx, dy, dz);
}
MASS_FN int mass_may_ask_for_place(const mass_block_site *) { return 1; } /* its agents have no positions */
/* Return the request for a move by an offset, and to a place: a cell, or MASS_CELL_NOWHERE. */
template <class X, class Y, class Z>
MASS_FN uint32_t mass_move(const mass_block_site *s, uint32_t, X dx, Y dy, Z dz)
{
    return mass_block_cell<false>(s->launch, s->x, s->y, s->z, dx, dy, dz);
}
template <class X, class Y, class Z>
MASS_FN uint32_t mass_move_to(const mass_block_site *s, uint32_t, X x, Y y, Z z)
{
    return mass_block_cell<true>(s->launch, 0, 0, 0, x, y, z);
}

/* Returns the address of the element at an offset; `none` beyond the reach, which it does not report. */
template <class X, class Y, class Z>
MASS_FN const void *mass_place(const mass_block_site *, const mass_reach *r, uint32_t, const void *own,
                               const void *none, size_t size, int64_t pitch, int64_t plane, X dx, Y dy, Z dz)
{
    const bool within = mass_is_near(dx, r->along[0]) & mass_is_near(dy, r->along[1]) &
                        mass_is_near(dz, r->along[2]);
    const int away = (int)dx + (int)dy * (int)pitch + (int)dz * (int)plane;
    return within ? (const char *)own + away * (int)size : (const char *)none;
}

/* Get and put elements of places. Their arrays begin and end at multiples of 16 bytes, so an element of 16 bytes is
 * moved at once. */
template <class T> MASS_FN T mass_block_get(const T *p)
{
    if constexpr (sizeof(T) == sizeof(uint4)) {
        const uint4 bytes = *(const uint4 *)p;
        T element;
        memcpy(&element, &bytes, sizeof element);
        return element;
    } else {
        return *p;
    }
}
template <class T> MASS_FN T mass_element(const mass_block_site *, const T *p) { return mass_block_get(p); }
template <class T> MASS_FN void mass_block_put(T *p, const T &element)
{
    if constexpr (sizeof(T) == sizeof(uint4)) {
        uint4 bytes;
        memcpy(&bytes, &element, sizeof bytes);
        *(uint4 *)p = bytes;
    } else {
        *p = element;
    }
}

#endif
