/* SPDX-License-Identifier: Apache-2.0 */
/* The callback claims, and its list has no CLAIMS. says: claim_hunt */
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_POPULATION(wolves, grid, .count = 8)
MASS_CLAIMS(hunt, (wolves, sheep), 2, 1)

MASS_AGENT(chase, (wolves, sheep), 2, NEARBY(FROM(sheep, energy)))
{
    EACH_NEARBY_OF(sheep, o, 1) CLAIM(hunt, o, OF(energy, o)); /* here */
}

MASS_SCHEDULE(STEPS(chase, .reach = 1), DECIDES(hunt))

MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");
