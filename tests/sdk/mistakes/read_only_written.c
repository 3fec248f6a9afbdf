/* SPDX-License-Identifier: Apache-2.0 */
/* A field that is only read is written. says: out_state */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "places on fire")

MASS_STENCIL(step, 2, 1, READS(state), GIVEN(growth), SUMS(burning))
{
    OUT(state) = NEAR(state, 1, 0); /* here */
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
