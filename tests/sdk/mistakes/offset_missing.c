/* SPDX-License-Identifier: Apache-2.0 */
/* A move along one axis of two. says: MIGRATE(1) lacks a number for y: give one for each dimension of the callback */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {60, 60}, .torus = MASS_AXES_ALL)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)

MASS_AGENT(walk, sheep, 2, UPDATES(energy))
{
    MIGRATE(1); /* here */
    OUT(energy)--;
}

MASS_SCHEDULE(STEPS(walk), MANAGES(sheep))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
