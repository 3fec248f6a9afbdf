/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose callback makes a NaN that is not the canonical one: over places, or OVER_AGENTS. */
#include <mass/model.h>

MASS_SPACE(grid, 2, .size = {8, 8})
MASS_DEFAULT_STEPS(4)

#ifdef OVER_AGENTS
MASS_POPULATION(folk, grid, .capacity = 1, .count = 64, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(folk, double, value)
MASS_AGENT(spoil, folk, 2, UPDATES(value))
#else
MASS_ATTRIBUTE(grid, double, value)
MASS_MAP(spoil, UPDATES(value))
#endif
{
    OUT(value) = mass_f64_bits(AT_X == 3 && STEP == 2 ? 0xfff8000000000000u : 0x7ff8000000000000u);
}

#ifdef OVER_AGENTS
MASS_SCHEDULE(STEPS(spoil), MANAGES(folk))
#else
MASS_SCHEDULE(STEPS(spoil))
#endif

MASS_PLUGIN(.name = "odd", .version = "1.0.0", .help = "makes an odd NaN");
