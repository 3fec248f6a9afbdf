/* SPDX-License-Identifier: Apache-2.0 */
/* Opinions that follow the majority around them. */
#include <mass/model.h>

/* The model's declarations. */
MASS_PARAMETER(double, share, 0.5, 0, 1, "share of places with opinion 1 at the start")
MASS_SPACE(grid, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, uint8_t, opinion, .most = 1, .help = "0 or 1")
MASS_TALLY(SUM, int64_t, ones, "places with opinion 1")

/* At the start: a place has opinion 1 with probability `share`. */
MASS_MAP(majority_draw, WRITES(opinion), GIVEN(share))
{
    const mass_random4 r = RANDOM(0);
    OUT(opinion) = (uint8_t)(mass_unit_f64(r.v[0], r.v[1]) < PARAM(share));
}

/* Every step: a place follows the majority of itself and its eight neighbours. */
MASS_STENCIL(majority_follow, 2, 1, READS(opinion), WRITES(opinion), SUMS(ones))
{
    uint8_t n = IN(opinion);
    MASS_MOORE_2D(dx, dy, 1) n = (uint8_t)(n + NEAR(opinion, dx, dy));
    OUT(opinion) = n > 4;
    ADD(ones, n > 4);
}

MASS_SCHEDULE(STARTS(majority_draw), STEPS(majority_follow))
MASS_PICTURE(grid, opinion, 0, 1, 0x1f3a5f, 0xf4d35e)

MASS_PLUGIN(.name = "majority", .version = "0.1.0", .help = "every place follows the majority around it");
