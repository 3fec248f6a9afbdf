/* SPDX-License-Identifier: Apache-2.0 */
/* Where bodies in turn act: the places of a world, or of the part of it that a rank has, and how far a body may reach.
 * An offset is from the place of the body's frame. An access beyond the reach is reported, and finds no place. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_TURN_SITES_H
#define MASS_KERNEL_TURN_SITES_H

/* ---- parts of worlds ---- */

/* Return the place of the space that a place of the part is, and the place of the part that one of the space is. */
MASS_FN mass_gidx mass_turn_from_part(const mass_turn_part *p, mass_gidx place)
{
    return place < p->low_end ? place : place + p->gap;
}
MASS_FN mass_gidx mass_turn_in_part(const mass_turn_part *p, mass_gidx place)
{
    return place < p->low_end ? place : place - p->gap;
}
/* Returns whether a site is on one of `count` places, which may wrap. */
MASS_FN int mass_turn_is_among(const mass_site *s, mass_gidx first, mass_gidx count)
{
    const mass_gidx *const size = s->launch->size;
    const mass_gidx by = (s->z * size[1] + s->y) * size[0] + s->x - first;
    return (by < 0 ? by + size[0] * size[1] * size[2] : by) < count;
}
/* Return whether the actor that began on a site counts, and whether it acts. */
MASS_FN int mass_turn_counts(const mass_site *s)
{
    const mass_turn_part *const p = &s->launch->turn->part;
    return MASS_LIKELY_(!p->shared) || mass_turn_is_among(s, p->counted_first, p->counted);
}
MASS_FN int mass_turn_may_act(const mass_site *s)
{
    const mass_turn_part *const p = &s->launch->turn->part;
    return MASS_LIKELY_(!p->shared) || mass_turn_is_among(s, p->acting_first, p->acting);
}
/* Moves a site from a place of the part, as if the part were the space, to that place of the space. */
MASS_FN void mass_turn_leave_part(mass_site *s)
{
    const mass_gidx *const size = s->launch->size;
    const mass_turn_part *const p = &s->launch->turn->part;
    if (MASS_LIKELY_(p->gap == 0)) return;
    const mass_gidx place = mass_turn_from_part(p, (s->z * size[1] + s->y) * size[0] + s->x), row = place / size[0];
    s->x = place - row * size[0];
    s->z = row / size[1];
    s->y = row - s->z * size[1];
}

/* Adds 1 to the count of a world, if the actor that began on the site counts. */
MASS_FN void mass_turn_count_one(const mass_site *s, int64_t *counts)
{
    if (!mass_turn_counts(s)) return;
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long *)&counts[s->world], 1ull);
#else
    if (s->launch->alone) counts[s->world]++;
    else __atomic_fetch_add(&counts[s->world], 1, __ATOMIC_RELAXED);
#endif
}

/* Returns whether an offset is within a distance along each axis, and on an axis if it has to be; reports it if not. */
MASS_FN int mass_turn_reaches(const mass_site *s, const mass_reach *r, const uint32_t along[3], uint32_t what,
                              mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const int within = mass_within(dx, along[0]) & mass_within(dy, along[1]) & mass_within(dz, along[2]);
    const int allowed = within & (!r->axes | ((dx != 0) + (dy != 0) + (dz != 0) < 2));
    if (!allowed) mass_report_out_of_reach(s, r->checked, what, dx, dy, dz);
    return allowed;
}

/* Returns the distances along each axis of a body with a number of dimensions; 0: any. */
MASS_FN mass_reach mass_turn_reach(const mass_launch *l, int dimensions, int checked)
{
    const mass_turn_scope scope = l->turn->scope;
    mass_reach r = {{0, 0, 0}, checked, {0, 0, 0}, {0, 0, 0}, (int)scope.axes, l->turn->part.gap != 0};
    for (int a = 0; a < 3; a++) {
        if (dimensions != 0 && a >= dimensions) continue;
        r.along[a] = (uint32_t)l->reach;
        r.meets[a] = (uint32_t)scope.meets;
        r.changes[a] = (uint32_t)scope.changes;
    }
    return r;
}

/* ---- places ---- */

/* Returns the number of places of a world, or of the part. */
MASS_FN mass_gidx mass_turn_places(const mass_launch *l)
{
    return (mass_gidx)l->extent[0] * l->extent[1] * l->extent[2];
}
/* Sets the site of a body over place i (mass_turn). */
MASS_FN void mass_turn_stand_on(mass_site *s, const mass_launch *l, uint32_t i, int32_t world)
{
    const uint32_t place = i - (uint32_t)(world * mass_turn_places(l)), row = place / (uint32_t)l->size[0];
    s->launch = l;
    s->x = place - (mass_gidx)row * l->size[0];
    s->z = row / (uint32_t)l->size[1];
    s->y = row - s->z * l->size[1];
    s->world = world;
    s->id = 0;
    mass_turn_leave_part(s);
}

MASS_FN int mass_turn_is_inside(const mass_launch *l, mass_gidx x, mass_gidx y, mass_gidx z)
{
    return ((uint64_t)x < (uint64_t)l->size[0]) & ((uint64_t)y < (uint64_t)l->size[1]) &
           ((uint64_t)z < (uint64_t)l->size[2]);
}
/* Returns the product of a coordinate and a distance between elements. If the coordinate is not 0, both have 32 bits,
 * as the places of a space in turn have. A GPU multiplies these faster. */
MASS_FN int64_t mass_turn_product(mass_gidx at, int64_t stride)
{
#ifdef __CUDA_ARCH__
    return (int64_t)((uint64_t)(uint32_t)at * (uint32_t)stride);
#else
    return at * stride;
#endif
}
#ifndef __CUDACC__
/* Returns the element of a place by its number among those of all worlds. */
MASS_FN int64_t mass_turn_element_of(const mass_launch *l, int32_t world, uint32_t cell)
{
    const uint32_t place = cell - (uint32_t)(world * mass_turn_places(l)), row = place / (uint32_t)l->size[0];
    const uint32_t z = l->size[2] > 1 ? row / (uint32_t)l->size[1] : 0;
    return world * l->world_stride + z * l->plane + (row - z * l->size[1]) * l->pitch +
           (place - row * (uint32_t)l->size[0]);
}
/* Returns the address of two numbers: of the first edge that comes into node i (mass_turn), and of the one after the
 * last. */
MASS_FN const uint64_t *mass_turn_edges_of(const mass_launch *l, int32_t world, uint32_t i)
{
    return l->edges.first + world * l->edges.each + (i - (uint32_t)(world * mass_turn_places(l)));
}
/* Prefetches the memory at an address, and at the same x in `rows` rows before and after it, `row` bytes apart. */
MASS_FN void mass_turn_fetch(const void *at, int64_t row, int64_t rows)
{
    for (int64_t y = -rows; y <= rows; y++) __builtin_prefetch((const char *)at + y * row);
}
#endif
/* Returns the element of the place at an offset, or MASS_NO_ELEMENT over a bounded edge, and beyond the distance. */
MASS_FN int64_t mass_turn_element(const mass_site *s, const mass_reach *r, const uint32_t along[3], uint32_t what,
                                  mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const mass_gidx x = s->x + dx, y = s->y + dy, z = s->z + dz;
    if (!mass_turn_reaches(s, r, along, what, dx, dy, dz)) return MASS_NO_ELEMENT;
    if (!MASS_LIKELY_(!r->part)) {
        mass_gidx place;
        return mass_place_from(l, s->x, s->y, s->z, dx, dy, dz, &place)
                   ? s->world * l->world_stride + mass_turn_in_part(&l->turn->part, place)
                   : MASS_NO_ELEMENT;
    }
    if (mass_turn_is_inside(l, x, y, z))
        return s->world * l->world_stride + mass_turn_product(z, l->plane) + mass_turn_product(y, l->pitch) + x;
    return mass_element_beyond(l, s->world, x, y, z);
}
/* Returns the address of the element at an offset in an array, or `none`. It has the form of mass_place. */
MASS_FN const void *mass_turn_place(const mass_site *s, const mass_reach *r, uint32_t what, const void *array,
                                    const void *none, size_t size, int64_t pitch, int64_t plane, mass_gidx dx,
                                    mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, r->along, what, dx, dy, dz);
    (void)pitch, (void)plane;
    return element == MASS_NO_ELEMENT ? none : (const char *)array + element * (int64_t)size;
}
/* Returns the address of an element that the body may change. If there is none, it is that of a copy of the default. */
MASS_FN void *mass_turn_there(const mass_site *s, const mass_reach *r, void *array, const void *none, void *nowhere,
                              size_t size, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const int64_t element = mass_turn_element(s, r, r->changes, MASS_OUT_OF_REACH_ALTER, dx, dy, dz);
    if (element != MASS_NO_ELEMENT) return (char *)array + element * (int64_t)size;
    memcpy(nowhere, none, size);
    return nowhere;
}

/* Returns the cell of the place at an offset, or MASS_CELL_NOWHERE over a bounded edge. */
MASS_FN uint32_t mass_turn_cell(const mass_site *s, const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const mass_gidx x = s->x + dx, y = s->y + dy, z = s->z + dz;
    mass_gidx place;
    if (MASS_LIKELY_(!r->part) && mass_turn_is_inside(l, x, y, z))
        return (uint32_t)s->world * (uint32_t)l->populations[0].places +
               ((uint32_t)z * (uint32_t)l->size[1] + (uint32_t)y) * (uint32_t)l->size[0] + (uint32_t)x;
    if (!mass_place_from(l, s->x, s->y, s->z, dx, dy, dz, &place)) return MASS_CELL_NOWHERE;
    if (r->part) place = mass_turn_in_part(&l->turn->part, place);
    return (uint32_t)(s->world * l->populations[0].places + place);
}

#endif
