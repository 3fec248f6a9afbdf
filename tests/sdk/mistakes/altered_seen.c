/* SPDX-License-Identifier: Apache-2.0 */
/* In turn, an attribute that ALTERS names is read by THERE; says: see_grass */
#include <mass/model.h>
MASS_SPACE(field, 2, .size = {8, 8}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(field, float, grass)
MASS_POPULATION(sheep, field, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)

MASS_IN_TURN(graze, sheep, 2, 1, UPDATES(energy), ALTERS(grass))
{
    OUT(energy) += SEE(grass, 1, 0); /* here */
    THERE(grass, 1, 0) = 0;
}

MASS_SCHEDULE(STEPS(graze))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
