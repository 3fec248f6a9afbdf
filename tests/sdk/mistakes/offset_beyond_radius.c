/* SPDX-License-Identifier: Apache-2.0 */
/* A stencil of radius 1 looks 2 places away. nvcc: no;
   says: NEAR(state, ...): the offset 2 along x is beyond the radius */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "places on fire")

MASS_STENCIL(step, 2, 1, READS(state), WRITES(state), GIVEN(growth), SUMS(burning))
{
    OUT(state) = NEAR(state, 2, 0); /* here */
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
