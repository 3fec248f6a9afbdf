/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter that is stated nowhere. says: mass_parameter_grwth */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "places on fire")

MASS_MAP(step, UPDATES(state), GIVEN(grwth), SUMS(burning)) /* here */
{
    OUT(state) = PARAM(grwth) > 0.5;
    ADD(burning, 1);
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
