/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose agents take their time in a few rows, and move about elsewhere. */
#include <mass/model.h>
#include <time.h>

MASS_SPACE(grid, 2, .size = {4, 60})
MASS_POPULATION(folk, grid, .count = 1, .initial = MASS_EVERY_PLACE)
MASS_ATTRIBUTE(grid, int64_t, soil)
MASS_AGENT_ATTRIBUTE(folk, int64_t, toil)
MASS_DEFAULT_STEPS(60)

MASS_AGENT(work, folk, 2, UPDATES(toil))
{
    OUT(toil) = (OUT(toil) * 3 + AT_Y + (int64_t)STEP) % 1000003;
    if (AT_Y < 8) nanosleep(&(struct timespec){0, 50000}, NULL);
    else MIGRATE((int)(RANDOM(0).v[0] % 3) - 1, AT_Y < 12 ? 1 : (int)(RANDOM(0).v[1] % 3) - 1);
}

MASS_RESIDENTS(dig, folk, 2, 0, UPDATES(soil), MEETS(toil))
{
    EACH_RESIDENT(a) OUT(soil) = (OUT(soil) * 5 + OF(toil, a)) % 1000003;
}

MASS_SCHEDULE(STEPS(work), MANAGES(folk), STEPS(dig))
MASS_PLUGIN(.name = "uneven", .version = "1.0.0", .help = "takes its time in a few rows");
