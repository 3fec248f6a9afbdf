/* SPDX-License-Identifier: Apache-2.0 */
/* Blur: agents see fields at points, and scatter amounts there, in one, two and three dimensions. After the last step a
 * plain program sums up what they saw and scattered (blur_plain.c). */
#include <mass/model.h>

#include "blur.h"

MASS_PARAMETER(int64_t, torus, 5, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(double, cell, 1.5, 0.001, 1000, "edge of a cell")

#define DISH_(space, AXES, PLACE, ...)                                                                       \
    MASS_SPACE(space, AXES, .size = {__VA_ARGS__}, .torus = (uint32_t)VALUE(torus), .cell = VALUE(cell))     \
    MASS_ATTRIBUTE(space, float, warmth_##space, .initial = &(const float){0.375f})                          \
    MASS_ATTRIBUTE(space, int32_t, count_##space)                                                            \
    MASS_ATTRIBUTE(space, int64_t, laid_##space)                                                             \
    MASS_POPULATION(specks_##space, space, .count = 60, .at_edge = MASS_REFLECTS)                            \
    MASS_MAP(warm_##space, WRITES(warmth_##space, count_##space, laid_##space))                              \
    {                                                                                                        \
        const int64_t place = PLACE;                                                                         \
        OUT(warmth_##space) = (float)(place * place % 97) * 0.37f + (float)STEP;                             \
        OUT(count_##space) = (int32_t)(place * 7919 % 1000) - 500;                                           \
        OUT(laid_##space) = 0;                                                                               \
    }

/* A number from -1.9 to 1.9 cells. */
#define AWAY_(draw) ((mass_unit_f64(RANDOM(draw).v[0], RANDOM(draw).v[1]) - 0.5) * 3.8 * PARAM(cell))
/* On an axis that wraps, a point has many coordinates. */
#define AROUND_(axis, size) \
    (PARAM(torus) >> (axis) & 1 ? (double)((int)(RANDOM(5).v[axis] % 5) - 2) * (double)(size) * PARAM(cell) : 0)
#define AMOUNT_ (double)((int64_t)(RANDOM(4).v[0] % 2001) - 1000)

DISH_(line, 1, AT_X, 9)
MASS_POSITIONS(specks_line, 1, double)
MASS_AGENT_VECTOR(specks_line, blur_seen, double, blurred_line)
MASS_AGENT(see_line, specks_line, 1, READS(position), SEES(warmth_line, count_line), SCATTERS(laid_line),
           WRITES(blurred_line), GIVEN(cell, torus))
{
    blur_seen seen = {IN(position).x, 0, 0, IN(position).x + AWAY_(1) + AROUND_(0, SIZE_X), 0, 0, 0, 0, 0, AMOUNT_};
    seen.here = SEE_AT(warmth_line, IN(position).x);
    seen.there = SEE_AT(warmth_line, seen.x);
    seen.count = SEE_AT(count_line, seen.x);
    OUT(blurred_line) = seen;
    SCATTER_AT(laid_line, (int64_t)seen.amount, seen.x);
    MOVE_BY(AWAY_(0));
}

DISH_(sheet, 2, AT_X + 8 * AT_Y, 8, 7)
MASS_POSITIONS(specks_sheet, 2, float)
MASS_AGENT_VECTOR(specks_sheet, blur_seen, double, blurred_sheet)
MASS_AGENT(see_sheet, specks_sheet, 2, READS(position), SEES(warmth_sheet, count_sheet), SCATTERS(laid_sheet),
           WRITES(blurred_sheet), GIVEN(cell, torus))
{
    const double x = (double)IN(position).x, y = (double)IN(position).y;
    blur_seen seen = {x, y, 0, x + AWAY_(1) + AROUND_(0, SIZE_X), y + AWAY_(2) + AROUND_(1, SIZE_Y),
                      0, 0, 0, 0, AMOUNT_};
    seen.here = SEE_AT(warmth_sheet, IN(position).x, IN(position).y);
    seen.there = SEE_AT(warmth_sheet, seen.x, seen.y);
    seen.count = SEE_AT(count_sheet, seen.x, seen.y);
    OUT(blurred_sheet) = seen;
    SCATTER_AT(laid_sheet, (int64_t)seen.amount, seen.x, seen.y);
    MOVE_BY(AWAY_(0), AWAY_(3));
}

DISH_(block, 3, AT_X + 6 * (AT_Y + 5 * AT_Z), 6, 5, 7)
MASS_POSITIONS(specks_block, 3, float)
MASS_AGENT_VECTOR(specks_block, blur_seen, double, blurred_block)
MASS_AGENT(see_block, specks_block, 3, READS(position), SEES(warmth_block, count_block), SCATTERS(laid_block),
           WRITES(blurred_block), GIVEN(cell, torus))
{
    const double x = (double)IN(position).x, y = (double)IN(position).y, z = (double)IN(position).z;
    blur_seen seen = {x, y, z, x + AWAY_(1) + AROUND_(0, SIZE_X), y + AWAY_(2) + AROUND_(1, SIZE_Y),
                      z + AWAY_(3) + AROUND_(2, SIZE_Z), 0, 0, 0, AMOUNT_};
    seen.here = SEE_AT(warmth_block, IN(position).x, IN(position).y, IN(position).z);
    seen.there = SEE_AT(warmth_block, seen.x, seen.y, seen.z);
    seen.count = SEE_AT(count_block, seen.x, seen.y, seen.z);
    OUT(blurred_block) = seen;
    SCATTER_AT(laid_block, (int64_t)seen.amount, seen.x, seen.y, seen.z);
    MOVE_BY(AWAY_(0), AWAY_(2), AWAY_(1));
}

MASS_SCHEDULE(STEPS(warm_line, .space = "line"), STEPS(see_line, .reach = 3), STEPS(warm_sheet, .space = "sheet"),
              STEPS(see_sheet, .reach = 3),
              STEPS(warm_block, .space = "block"), STEPS(see_block, .reach = 3),
              MANAGES(specks_line), MANAGES(specks_sheet), MANAGES(specks_block))
MASS_PLUGIN(.name = "blur", .version = "1.0.0", .help = "fields at points", .finish = blur_compare);
