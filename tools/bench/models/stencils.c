/* SPDX-License-Identifier: Apache-2.0 */
/* The stencils that mass-bench measures: weighted means of a place and those around it, with one f32 for each place. */
#include <mass/model.h>

MASS_PARAMETER(choice, shape, "star2d1r", "which places count, under the names that papers on stencils use", "star2d1r",
               "box2d1r", "star3d1r")

MASS_SPACE_OF(grid, 2, 3, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, float, value)

/* Sets each place to a random number from 0 to 1. */
MASS_MAP(stencils_start, WRITES(value))
{
    OUT(value) = mass_unit_f32(RANDOM(0).v[0]);
}

MASS_STENCIL(star2d1r, 2, 1, READS(value), WRITES(value))
{
    OUT(value) = 0.5f * IN(value) + 0.125f * ((NEAR(value, -1, 0) + NEAR(value, 1, 0)) +
                                              (NEAR(value, 0, -1) + NEAR(value, 0, 1)));
}

#define ROW(dy) (NEAR(value, -1, dy) + 2.0f * NEAR(value, 0, dy) + NEAR(value, 1, dy))
MASS_STENCIL(box2d1r, 2, 1, READS(value), WRITES(value))
{
    OUT(value) = 0.0625f * (ROW(-1) + 2.0f * ROW(0) + ROW(1));
}

MASS_STENCIL(star3d1r, 3, 1, READS(value), WRITES(value))
{
    OUT(value) = 0.25f * IN(value) + 0.125f * (((NEAR(value, -1, 0, 0) + NEAR(value, 1, 0, 0)) +
                                                (NEAR(value, 0, -1, 0) + NEAR(value, 0, 1, 0))) +
                                               (NEAR(value, 0, 0, -1) + NEAR(value, 0, 0, 1)));
}

MASS_SCHEDULE(STARTS(stencils_start), IF(VALUE(shape) == 0, STEPS(star2d1r)), IF(VALUE(shape) == 1, STEPS(box2d1r)),
              IF(VALUE(shape) == 2, STEPS(star3d1r)))
MASS_DEFAULT_STEPS(100)

MASS_PLUGIN(.name = "stencils", .version = "1.0.0", .help = "weighted means of a place and those around it");
