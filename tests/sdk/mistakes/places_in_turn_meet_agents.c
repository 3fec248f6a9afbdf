/* SPDX-License-Identifier: Apache-2.0 */
/* Places in turn meet no agents. says: walks agents that no entry names */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, int32_t, grass)
MASS_POPULATION(sheep, grid, .count = 8)

MASS_IN_TURN_PLACES(grow, 2, 1, ALTERS(grass))
{
    THERE(grass, 0, 0) += COUNT_NEARBY(1) == 0; /* here */
}

MASS_SCHEDULE(STEPS(grow))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
