/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of stencils read their neighbours, against plain nested loops over the same arrays. */
#include "loops.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>

/* A different weight for every offset within 3. */
#define WEIGHT(dx, dy, dz) ((uint32_t)(((dz) + 3) * 49 + ((dy) + 3) * 7 + (dx) + 4))

#define FROM_TO READS(TYPED(from, uint32_t, a)), WRITES(TYPED(to, uint32_t, b))

#define STENCIL_1D(RADIUS)                                                      \
    MASS_STENCIL(sum_1d_##RADIUS, 1, RADIUS, FROM_TO)                           \
    {                                                                           \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                              \
        MASS_MOORE_1D(dx, RADIUS) { sum += WEIGHT(dx, 0, 0) * NEAR(from, dx); } \
        OUT(to) = sum;                                                          \
    }
#define STENCIL_2D(RADIUS)                                                               \
    MASS_STENCIL(sum_2d_##RADIUS, 2, RADIUS, FROM_TO)                                    \
    {                                                                                    \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                                       \
        MASS_MOORE_2D(dx, dy, RADIUS) { sum += WEIGHT(dx, dy, 0) * NEAR(from, dx, dy); } \
        OUT(to) = sum;                                                                   \
    }
#define STENCIL_3D(RADIUS)                                                                        \
    MASS_STENCIL(sum_3d_##RADIUS, 3, RADIUS, FROM_TO)                                             \
    {                                                                                             \
        uint32_t sum = WEIGHT(0, 0, 0) * IN(from);                                                \
        MASS_MOORE_3D(dx, dy, dz, RADIUS) { sum += WEIGHT(dx, dy, dz) * NEAR(from, dx, dy, dz); } \
        OUT(to) = sum;                                                                            \
    }
STENCIL_1D(1)
STENCIL_1D(2)
STENCIL_1D(3)
STENCIL_2D(1)
STENCIL_2D(2)
STENCIL_2D(3)
STENCIL_3D(1)
STENCIL_3D(2)
STENCIL_3D(3)

static uint32_t weighted_sum(const mass_launch *l, const uint32_t *own, int dimensions, int radius)
{
    const int rx = radius, ry = dimensions > 1 ? radius : 0, rz = dimensions > 2 ? radius : 0;
    uint32_t sum = 0;
    for (int dz = -rz; dz <= rz; dz++)
        for (int dy = -ry; dy <= ry; dy++)
            for (int dx = -rx; dx <= rx; dx++) sum += WEIGHT(dx, dy, dz) * own[dz * l->plane + dy * l->pitch + dx];
    return sum;
}

/* The range's places by the reference; all else as it was. */
static void sum_plainly(const mass_launch *l, const mass_range *range, const uint32_t *from, uint32_t *to,
                        int dimensions, int radius)
{
    int64_t row = 0;
    for (int w = 0; w < l->worlds; w++)
        for (int z = 0; z < l->extent[2]; z++)
            for (int y = 0; y < l->extent[1]; y++, row++)
                for (int x = range->first_x; x < range->last_x; x++) {
                    const int64_t at = place_at(l, w, z, y, x);
                    if (row >= range->first_row && row < range->last_row)
                        to[at] = weighted_sum(l, from + at, dimensions, radius);
                }
}

static void check_sums(const mass_callback *callback, const mass_launch l, const mass_range range)
{
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    uint32_t *const expected = array_of(&l, 4);
    const void *const fields[] = {from, to};
    scramble(&l, from, 4, 1);
    scramble(&l, expected, 4, 2);
    sum_plainly(&l, &range, from, expected, callback->dimensions, callback->radius);
    EACH_FORM(form, *callback) {
        scramble(&l, to, 4, 2);
        form->loop(fields, &l, &range);
        expect_equal(&l, to, expected, 4, form);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
    array_free(&l, expected, 4);
}

static void check_sums_at_widths(const mass_callback *callback, int ny, int nz)
{
    static const int widths[] = {1, 2, 3, 7, 16, 31, 33, 64, 67, 129};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const mass_launch l = launch_of(widths[i], ny, nz, 2);
        check_sums(callback, l, whole(&l));
    }
}

Test(kernel, stencils_of_one_dimension_read_their_neighbours)
{
    check_sums_at_widths(&sum_1d_1, 1, 1);
    check_sums_at_widths(&sum_1d_2, 1, 1);
    check_sums_at_widths(&sum_1d_3, 1, 1);
}

Test(kernel, stencils_of_two_dimensions_read_their_neighbours)
{
    check_sums_at_widths(&sum_2d_1, 5, 1);
    check_sums_at_widths(&sum_2d_2, 5, 1);
    check_sums_at_widths(&sum_2d_3, 5, 1);
}

Test(kernel, stencils_of_three_dimensions_read_their_neighbours)
{
    check_sums_at_widths(&sum_3d_1, 4, 3);
    check_sums_at_widths(&sum_3d_2, 4, 3);
    check_sums_at_widths(&sum_3d_3, 4, 3);
}

/* Rows of every world and plane are cut, and so are both ends of each. */
Test(kernel, a_partial_range_touches_nothing_else)
{
    const mass_launch l = launch_of(53, 5, 3, 3);
    const mass_range ranges[] = {{0, 0, 0, 53},  {0, 45, 7, 7},    {7, 8, 0, 53},
                                 {4, 38, 1, 52}, {14, 16, 52, 53}, {44, 45, 3, 36}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) check_sums(&sum_3d_1, l, ranges[i]);
}

Test(kernel, ranges_cut_anywhere_together_equal_the_whole)
{
    mass_launch l = launch_of(37, 6, 2, 2);
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    uint32_t *const expected = array_of(&l, 4);
    const void *const fields[] = {from, to};
    const mass_range all = whole(&l);
    scramble(&l, from, 4, 3);
    scramble(&l, expected, 4, 4);
    sum_plainly(&l, &all, from, expected, 2, 2);
    EACH_FORM(form, sum_2d_2) {
        scramble(&l, to, 4, 4);
        for (int64_t row = 0; row < all.last_row; row += 5)
            for (int x = 0; x < 37; x += 11) {
                const int64_t last_row = row + 5 < all.last_row ? row + 5 : all.last_row;
                const mass_range part = {row, last_row, x, x + 11 < 37 ? x + 11 : 37};
                form->loop(fields, &l, &part);
            }
        expect_equal(&l, to, expected, 4, form);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
    array_free(&l, expected, 4);
}

/* Offsets that a neighbourhood visits, as one bit each. */
MASS_STENCIL(moore_2d, 2, 2, FROM_TO)
{
    uint32_t seen = 0;
    MASS_MOORE_2D(dx, dy, 2) { seen ^= 1u << ((dy + 2) * 5 + dx + 2); }
    OUT(to) = seen;
}
MASS_STENCIL(von_neumann_2d, 2, 2, FROM_TO)
{
    uint32_t seen = 0;
    MASS_VON_NEUMANN_2D(dx, dy, 2) { seen ^= 1u << ((dy + 2) * 5 + dx + 2); }
    OUT(to) = seen;
}
MASS_STENCIL(von_neumann_3d, 3, 1, FROM_TO)
{
    uint32_t seen = 0;
    MASS_VON_NEUMANN_3D(dx, dy, dz, 1) { seen ^= 1u << ((dz + 1) * 9 + (dy + 1) * 3 + dx + 1); }
    OUT(to) = seen;
}

static void expect_everywhere(const mass_callback *callback, uint32_t expected)
{
    mass_launch l = launch_of(9, 1, 1, 1);
    const mass_range all = whole(&l);
    uint32_t *const from = array_of(&l, 4), *const to = array_of(&l, 4);
    const void *const fields[] = {from, to};
    EACH_FORM(form, *callback) {
        scramble(&l, to, 4, 5);
        form->loop(fields, &l, &all);
        for (int x = 0; x < 9; x++) cr_assert_eq(to[x], expected, "%x", to[x]);
    }
    array_free(&l, from, 4);
    array_free(&l, to, 4);
}

/* Rows of 5 bits, or planes of three rows of 3, the least offset first. */
Test(kernel, neighbourhoods_visit_each_offset_once_and_never_the_centre)
{
    expect_everywhere(&moore_2d, 0x1ffefff);
    expect_everywhere(&von_neumann_2d, 04 | 016 << 5 | 033 << 10 | 016 << 15 | 04 << 20);
    expect_everywhere(&von_neumann_3d, 020 | 0252 << 9 | 020 << 18);
}
