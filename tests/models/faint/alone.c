/* SPDX-License-Identifier: Apache-2.0 */
/* A field that fades alone, so that devices may do several steps of it in one pass. */
#include <mass/model.h>

MASS_SPACE(field, 2, .size = {96, 64}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(field, float, heat, .flush = 1)
MASS_MAP(alone_begin, WRITES(heat)) { OUT(heat) = (AT_X == 5 && AT_Y == 7) ? 1.0f : 0.0f; }
MASS_STENCIL(alone_spread, 2, 1, READS(heat), WRITES(heat))
{
    OUT(heat) = IN(heat) + 0.125f * (NEAR(heat, 0, -1) + NEAR(heat, -1, 0) + NEAR(heat, 1, 0) + NEAR(heat, 0, 1) -
                                     4 * IN(heat));
}
MASS_SCHEDULE(STARTS(alone_begin), STEPS(alone_spread))
MASS_REDUCTION(least, .operation = MASS_MIN, .space = "field", .attribute = "heat")
MASS_PICTURE(field, heat, 0, 1, 0, 0xffffff)
MASS_DEFAULT_STEPS(45)
MASS_PLUGIN(.name = "alone", .version = "1.0.0", .help = "a number that fades");
