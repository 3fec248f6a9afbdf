/* SPDX-License-Identifier: Apache-2.0 */
/* An offset of -1 is drawn in an unsigned type. says: an offset to move by is a whole number of a type with a sign */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {60, 60}, .torus = MASS_AXES_ALL)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)

MASS_AGENT(walk, sheep, 2, UPDATES(energy))
{
    const mass_random4 r = RANDOM(0);
    MIGRATE(r.v[0] % 3 - 1, 0); /* here */
    OUT(energy)--;
}

MASS_SCHEDULE(STEPS(walk), MANAGES(sheep))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
