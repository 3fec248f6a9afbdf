/* SPDX-License-Identifier: Apache-2.0 */
/* Random points of places in continuous space: where agents begin that nobody gave a position. The same bits on the
 * host and on every device. */
#ifndef MASS_KERNELS_POINT_IN_PLACE_H
#define MASS_KERNELS_POINT_IN_PLACE_H

#include <mass/impl/points.h>
#include <mass/random.h>

/* A space, and how the agents of a population draw their points. */
typedef struct mass_point_draws {
    mass_gidx size[3]; /* 1 along axes that the space does not have */
    double cell;
    uint32_t dimensions;
    uint32_t type;           /* of coordinates: MASS_F32 or MASS_F64 */
    uint32_t phase, draw;    /* of the two random blocks, by the id of the agent: draw and draw + 1 */
    mass_gidx first_place;   /* of this process: the place of cell 0 of each world */
    const uint64_t *keys;    /* [worlds] random keys */
} mass_point_draws;

/* Is true if a coordinate that is not negative is before the end of the axis, in numbers of the type. */
MASS_FN int mass_point_is_inside(const mass_point_draws *d, int axis, double v)
{
    const double length = (double)d->size[axis] * d->cell;
    return d->type == MASS_F32 ? (float)v < (float)length : v < length;
}

/* Returns the next number of the type, up or down, after a positive one. */
MASS_FN double mass_point_next(const mass_point_draws *d, double v, int up)
{
    if (d->type == MASS_F32) {
        const uint32_t bits = mass_bits_f32((float)v);
        return (double)mass_f32_bits(up ? bits + 1 : bits - 1);
    }
    const uint64_t bits = mass_bits_f64(v);
    return mass_f64_bits(up ? bits + 1 : bits - 1);
}

/* Returns a coordinate in a cell: that at `unit` of its edge, or the nearest number of the type that is in it. */
MASS_FN double mass_point_in_cell(const mass_point_draws *d, int axis, mass_gidx cell, double unit)
{
    double v = ((double)cell + unit) * d->cell;
    if (d->type == MASS_F32) v = (double)(float)v;
    for (;;) {
        const mass_gidx found = mass_point_is_inside(d, axis, v) ? mass_cell_along(v, d->cell, d->size[axis])
                                                                  : d->size[axis];
        if (found == cell) return v;
        v = mass_point_next(d, v, found < cell);
    }
}

/* Stores a point of a place of the space. unit: a number of [0, 1) for each axis. */
MASS_FN void mass_point_store(const mass_point_draws *d, mass_gidx place, const double unit[3], void *point)
{
    for (int a = 0; a < (int)d->dimensions; a++) {
        const double v = mass_point_in_cell(d, a, place % d->size[a], unit[a]);
        place /= d->size[a];
        if (d->type == MASS_F32) ((float *)point)[a] = (float)v;
        else ((double *)point)[a] = v;
    }
}

/* Draws a number of [0, 1) for each axis, by a random key and the id of an agent. */
MASS_FN void mass_point_draw_units(const mass_point_draws *d, uint64_t key, uint64_t id, double unit[3])
{
    const mass_random4 a = mass_random_block(key, id, 0, d->phase, d->draw);
    const mass_random4 b = mass_random_block(key, id, 0, d->phase, d->draw + 1);
    unit[0] = mass_unit_f64(a.v[0], a.v[1]);
    unit[1] = mass_unit_f64(a.v[2], a.v[3]);
    unit[2] = mass_unit_f64(b.v[0], b.v[1]);
}

/* Stores a random point for an agent with an id, of cell `cell` of a world of this process. */
MASS_FN void mass_point_of_agent(const mass_point_draws *d, int32_t world, mass_gidx cell, uint64_t id, void *point)
{
    double unit[3];
    mass_point_draw_units(d, d->keys[world], id, unit);
    mass_point_store(d, d->first_place + cell, unit, point);
}

#endif
