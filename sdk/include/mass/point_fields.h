/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of cells at points of continuous space (positions.h), in bodies over agents with positions:
 *
 *     MASS_AGENT(graze, sheep, 2, READS(position), SEES(grass), SCATTERS(eaten))
 *     {
 *         const double here = SEE_AT(grass, IN(position).x, IN(position).y);
 *         SCATTER_AT(eaten, (int64_t)(here * 1000), IN(position).x, IN(position).y);
 *     }
 *
 *     SEE_AT(f, x[, y[, z]])      the value of SEES at a point, a double: between the centres of the two, four or eight
 *                                 cells around the point, it changes linearly along each axis
 *     SCATTER_AT(f, n, x[, y[, z]])   adds the whole number n to SCATTERS, divided between these cells by the same
 *                                 weights. Each part is a whole number, and their sum is n. For real amounts, give the
 *                                 attribute a unit: thousandths, say
 *
 * A point may be anywhere within the reach of the phase, less one cell; the agent's own position needs a reach of 1.
 * Beyond it, SEE_AT reads the attribute's default and SCATTER_AT adds nothing, as SEE and SCATTER. So do they with a
 * coordinate that is infinite or no number. Along an axis that wraps, the cells around a point wrap too, and the point
 * may be given by any coordinate. Along a bounded one, all that is beyond the centre of the last cell is as at that
 * centre.
 *
 * To the last bit: along an axis u = x / cell - 1/2, of doubles. The low cell is floor(u), and the high one, the next,
 * has the weight u - floor(u). Values a and b with the weight w make a + (b - a) * w, along x, then y, then z. Of an
 * amount n the high cell gets floor(n * w + 1/2), along z, then y, then x. An amount is below 2^53.
 *
 * It is known as cloud-in-cell: R. W. Hockney and J. W. Eastwood, "Computer Simulation Using Particles" (1988). */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_POINT_FIELDS_H
#define MASS_POINT_FIELDS_H

/* The two cells around a coordinate, as offsets from the body's cell, and the weight of the high one. */
typedef struct mass_between {
    int32_t low, high;
    double weight;
} mass_between;
enum { MASS_BETWEEN_NONE = INT32_MAX }; /* an offset beyond the reach */

/* Returns an offset by the shorter way round an axis that wraps. */
MASS_FN int32_t mass_offset_between(const mass_launch *l, int axis, mass_gidx by)
{
    const mass_gidx size = l->size[axis];
    if (l->torus >> axis & 1) {
        if (by >= size || by <= -size) by %= size;
        if (2 * by >= size) by -= size;
        else if (2 * by < -size) by += size;
    }
    return by > -MASS_BETWEEN_NONE && by < MASS_BETWEEN_NONE ? (int32_t)by : MASS_BETWEEN_NONE;
}
/* Finds the cells around a coordinate. Both are MASS_BETWEEN_NONE for one that is infinite, no number, or at 2^53
 * cells and more. Beyond the centre of the first or last cell of a bounded axis, both are that cell. */
MASS_FN mass_between mass_find_between(const mass_site *s, int axis, double at)
{
    const mass_launch *const l = s->launch;
    const mass_gidx here = axis == 0 ? s->x : axis == 1 ? s->y : s->z, last = l->size[axis] - 1;
    const double u = at / l->cell - 0.5, most = 0x1p53;
    mass_between b = {MASS_BETWEEN_NONE, MASS_BETWEEN_NONE, 0};
    if (!(u > -most && u < most)) return b;
    const double down = mass_floor_double(u);
    if ((l->torus >> axis & 1) || (u > 0 && u < (double)last)) {
        b.low = mass_offset_between(l, axis, (mass_gidx)down - here);
        b.high = mass_offset_between(l, axis, (mass_gidx)down + 1 - here);
        b.weight = u - down;
    } else b.low = b.high = mass_offset_between(l, axis, u > 0 ? last - here : -here);
    return b;
}
/* Returns the value between two, of which the high one has the weight. */
MASS_FN double mass_blend(double low, double high, double weight) { return low + (high - low) * weight; }
/* Returns what the high cell gets of an amount, or the low one. The two parts add up to the amount. */
MASS_FN int64_t mass_part_along(int64_t amount, mass_between b, int high)
{
    const int64_t part = (int64_t)mass_floor_double((double)amount * b.weight + 0.5);
    return high ? part : amount - part;
}
/* Returns the offset of the high cell, or of the low one. */
MASS_FN int32_t mass_cell_between(mass_between b, int high) { return high ? b.high : b.low; }

#define SEE_AT(f, ...) MASS_PICK_(__VA_ARGS__, MASS_SEE_AT3_, MASS_SEE_AT2_, MASS_SEE_AT1_, )(f, __VA_ARGS__)
#define MASS_BETWEEN_(name, axis, at) const mass_between name = mass_find_between(&mass_w->site, (axis), (double)(at));
#define MASS_SEE_AT1_(f, x)                                                                                     \
    __extension__({                                                                                             \
        MASS_BETWEEN_(mass_x_##f, 0, x)                                                                         \
        mass_blend((double)SEE(f, mass_x_##f.low), (double)SEE(f, mass_x_##f.high), mass_x_##f.weight);         \
    })
#define MASS_SEE_AT2_(f, x, y)                                                                                  \
    __extension__({                                                                                             \
        MASS_BETWEEN_(mass_x_##f, 0, x)                                                                         \
        MASS_BETWEEN_(mass_y_##f, 1, y)                                                                         \
        mass_blend(MASS_SEE_ROW_(f, mass_y_##f.low), MASS_SEE_ROW_(f, mass_y_##f.high), mass_y_##f.weight);     \
    })
#define MASS_SEE_AT3_(f, x, y, z)                                                                               \
    __extension__({                                                                                             \
        MASS_BETWEEN_(mass_x_##f, 0, x)                                                                         \
        MASS_BETWEEN_(mass_y_##f, 1, y)                                                                         \
        MASS_BETWEEN_(mass_z_##f, 2, z)                                                                         \
        mass_blend(MASS_SEE_LAYER_(f, mass_z_##f.low), MASS_SEE_LAYER_(f, mass_z_##f.high), mass_z_##f.weight); \
    })
#define MASS_SEE_ROW_(f, ...)                                                                      \
    mass_blend((double)SEE(f, mass_x_##f.low, __VA_ARGS__), (double)SEE(f, mass_x_##f.high, __VA_ARGS__), \
               mass_x_##f.weight)
#define MASS_SEE_LAYER_(f, dz)                                                                           \
    mass_blend(MASS_SEE_ROW_(f, mass_y_##f.low, dz), MASS_SEE_ROW_(f, mass_y_##f.high, dz), mass_y_##f.weight)

#define SCATTER_AT(f, n, ...) \
    MASS_PICK_(__VA_ARGS__, MASS_SCATTER_AT3_, MASS_SCATTER_AT2_, MASS_SCATTER_AT1_, )(f, n, __VA_ARGS__)
#define MASS_AMOUNT_(name, n)                                                                                   \
    MASS_ASSERT_((__typeof__((n) + 0))0.5 == 0, "SCATTER_AT divides a whole number: cast it to int64_t")        \
    const int64_t name = (int64_t)(n);
#define MASS_SCATTER_AT1_(f, n, x)                                                                              \
    do {                                                                                                        \
        MASS_AMOUNT_(mass_all_, n)                                                                              \
        MASS_BETWEEN_(mass_x_, 0, x)                                                                            \
        for (int mass_i_ = 0; mass_i_ < 2; mass_i_++) {                                                         \
            const int64_t mass_part_ = mass_part_along(mass_all_, mass_x_, mass_i_);                            \
            if (mass_part_) SCATTER(f, mass_part_, mass_cell_between(mass_x_, mass_i_));                        \
        }                                                                                                       \
    } while (0)
#define MASS_SCATTER_AT2_(f, n, x, y)                                                                           \
    do {                                                                                                        \
        MASS_AMOUNT_(mass_all_, n)                                                                              \
        MASS_BETWEEN_(mass_x_, 0, x)                                                                            \
        MASS_BETWEEN_(mass_y_, 1, y)                                                                            \
        for (int mass_i_ = 0; mass_i_ < 4; mass_i_++) {                                                         \
            const int64_t mass_row_ = mass_part_along(mass_all_, mass_y_, mass_i_ >> 1),                        \
                          mass_part_ = mass_part_along(mass_row_, mass_x_, mass_i_ & 1);                        \
            if (mass_part_)                                                                                     \
                SCATTER(f, mass_part_, mass_cell_between(mass_x_, mass_i_ & 1),                                 \
                        mass_cell_between(mass_y_, mass_i_ >> 1));                                              \
        }                                                                                                       \
    } while (0)
#define MASS_SCATTER_AT3_(f, n, x, y, z)                                                                        \
    do {                                                                                                        \
        MASS_AMOUNT_(mass_all_, n)                                                                              \
        MASS_BETWEEN_(mass_x_, 0, x)                                                                            \
        MASS_BETWEEN_(mass_y_, 1, y)                                                                            \
        MASS_BETWEEN_(mass_z_, 2, z)                                                                            \
        for (int mass_i_ = 0; mass_i_ < 8; mass_i_++) {                                                         \
            const int64_t mass_layer_ = mass_part_along(mass_all_, mass_z_, mass_i_ >> 2),                      \
                          mass_row_ = mass_part_along(mass_layer_, mass_y_, mass_i_ >> 1 & 1),                  \
                          mass_part_ = mass_part_along(mass_row_, mass_x_, mass_i_ & 1);                        \
            if (mass_part_)                                                                                     \
                SCATTER(f, mass_part_, mass_cell_between(mass_x_, mass_i_ & 1),                                 \
                        mass_cell_between(mass_y_, mass_i_ >> 1 & 1), mass_cell_between(mass_z_, mass_i_ >> 2)); \
        }                                                                                                       \
    } while (0)

#endif
