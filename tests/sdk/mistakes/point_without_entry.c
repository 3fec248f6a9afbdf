/* SPDX-License-Identifier: Apache-2.0 */
/* The body moves in continuous space, and no entry names the position; says: in_position */
#include <mass/model.h>
MASS_SPACE(sky, 2, .size = {8, 8}, .torus = MASS_AXES_ALL)
MASS_POPULATION(birds, sky, .count = 8)
MASS_POSITIONS(birds, 2, float)
MASS_AGENT_ATTRIBUTE(birds, float, speed)

MASS_AGENT(fly, birds, 2, UPDATES(speed))
{
    OUT(speed) += 1;
    MOVE_BY(1, 1); /* here */
}

MASS_SCHEDULE(STEPS(fly), MANAGES(birds))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
