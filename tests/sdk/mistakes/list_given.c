/* SPDX-License-Identifier: Apache-2.0 */
/* A list among single values. says: LISTS takes a MASS_PARAMETER_LIST */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, double, state)
MASS_PARAMETER_LIST(double, rates, 4, "0.5", 0, 1, "of decay")

MASS_MAP(step, UPDATES(state), GIVEN(rates)) /* here */
{
    OUT(state) *= 2;
}

MASS_SCHEDULE(STEPS(step))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
