/* SPDX-License-Identifier: Apache-2.0 */
/* A relation that the engine does not have: an agent reads its own place only. The patch in this folder adds it. The
 * value must be that of SEE at the agent's place. */
#include <mass/model.h>

#define GROUND(f) (*MASS_MEMBER_OF_(POINTER, ground_##f))

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(field, uint16_t, grass)
MASS_ATTRIBUTE(field, double, height)
MASS_TALLY(SUM, int64_t, differ, "what is not the same", .cumulative = 1)
MASS_TALLY(SUM, int64_t, seen, "grass", .cumulative = 1)
MASS_POPULATION(sheep, field, .count = 60)
MASS_AGENT_ATTRIBUTE(sheep, uint32_t, eaten)

MASS_MAP(ground_grow, UPDATES(grass), WRITES(height))
{
    const mass_random4 r = RANDOM(0);
    OUT(grass) = (uint16_t)(OUT(grass) + r.v[0] % 9);
    OUT(height) = (double)(AT_X + 3 * AT_Y + 7 * AT_Z) + 0.25 * (double)(r.v[1] % 16);
}

MASS_AGENT(ground_graze, sheep, 0, STANDS_ON(grass, height), SEES(AS(around, grass)), UPDATES(eaten),
           SUMS(differ, seen))
{
    const double least = (double)(AT_X + 3 * AT_Y + 7 * AT_Z);
    OUT(eaten) += GROUND(grass);
    ADD(seen, GROUND(grass));
    ADD(differ, (uint8_t)((GROUND(grass) != SEE(around, 0, 0, 0)) | (GROUND(height) < least) |
                          (GROUND(height) >= least + 4)));
}

MASS_AGENT(ground_walk, sheep, 0)
{
    const mass_random4 r = RANDOM(0);
    MIGRATE((int)(r.v[0] % 3) - 1, SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0, SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0);
}

MASS_SCHEDULE(STEPS(ground_grow), STEPS(ground_graze), STEPS(ground_walk), MANAGES(sheep))

MASS_PLUGIN(.name = "ground", .version = "1.0.0", .help = "sheep eat what they stand on");
