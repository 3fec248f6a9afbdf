/* SPDX-License-Identifier: Apache-2.0 */
/* Fish in two colours, which the page shows as points, on water of one colour. */
#include <mass/model.h>

MASS_SPACE(pond, 2, .size = {12, 12}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(pond, uint8_t, water, .most = 0)
MASS_POPULATION(fish, pond, .count = 200, .initial = MASS_RANDOM_PLACES, .constant = 1,
                .drawn = &(const mass_drawn){.attribute = "kind", .colours = 2,
                                             .palette = (const uint32_t[]){0x203040, 0xe0a010}})
MASS_POSITIONS(fish, 2, float)
MASS_AGENT_ATTRIBUTE(fish, uint8_t, kind)

MASS_AGENT(shoal_hatch, fish, 2, WRITES(kind)) { OUT(kind) = AGENT_ID % 4 == 0; }
MASS_AGENT(shoal_swim, fish, 2, READS(position)) { MOVE_BY(0.25f, 0); }

MASS_SCHEDULE(STARTS(shoal_hatch), STEPS(shoal_swim), MANAGES(fish))
MASS_PICTURE(pond, water, 0, 1, 0xf2f6fa, 0xf2f6fa)
MASS_PLUGIN(.name = "shoal", .version = "1.0.0", .help = "fish in two colours");
