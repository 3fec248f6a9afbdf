/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn bear by BEAR, and CHILD_TO is a request. says: asked; nvcc: no */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8, .children = 1)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy)

MASS_IN_TURN(graze, sheep, 2, 1, UPDATES(energy))
{
    if (--OUT(energy) < 0) CHILD_TO(0, 1, 0); /* here */
}

MASS_SCHEDULE(STEPS(graze))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
