/* SPDX-License-Identifier: Apache-2.0 */
/* An entry that there is not. says: REEDS(state) is not an entry of a callback over places */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, burning, "places on fire")

MASS_MAP(step, UPDATES(state), GIVEN(growth), REEDS(state), SUMS(burning)) /* here */
{
    OUT(state) = 1;
    ADD(burning, PARAM(growth) > 0);
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
