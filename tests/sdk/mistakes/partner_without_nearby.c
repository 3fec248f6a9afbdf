/* SPDX-License-Identifier: Apache-2.0 */
/* A partner whose population no NEARBY names. says: PARTNER(hunt) reads agents that no entry names */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_CLAIMS(hunt, (wolves, sheep), 2, 1)

MASS_AGENT(chase, (wolves, sheep), 2, PAIRS(hunt))
{
    if (IS_ANYBODY(PARTNER(hunt))) KILL(); /* here */
}

MASS_SCHEDULE(DECIDES(hunt), STEPS(chase))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
