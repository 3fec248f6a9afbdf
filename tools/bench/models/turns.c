/* SPDX-License-Identifier: Apache-2.0 */
/* The model with which mass-bench measures agents in turn: ants go to the richest free place within a radius, along the
 * axes, and eat what is there. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, ants, 100000, 0, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(int64_t, radius, 1, 1, 6, "how far they see: 1, 2 or 6")

MASS_SPACE(field, 2, .size = {1024, 1024}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(field, uint8_t, sugar)
MASS_POPULATION(ants, field, .count = VALUE(ants), .capacity = 1, .initial = MASS_RANDOM_PLACES, .constant = 1)
MASS_AGENT_ATTRIBUTE(ants, uint32_t, energy)

MASS_MAP(turns_grow, WRITES(sugar)) { OUT(sugar) = (uint8_t)(RANDOM(0).v[0] % 5); }

#define TURNS_OF(NAME, RADIUS)                                                \
    MASS_IN_TURN(NAME, ants, 2, RADIUS, UPDATES(energy), ALTERS(sugar))       \
    {                                                                         \
        int x = 0, y = 0;                                                     \
        uint8_t best = THERE(sugar, 0, 0);                                    \
        for (int d = 1; d <= RADIUS; d++)                                     \
            for (int k = 0; k < 4; k++) {                                     \
                const int dx = k == 0 ? d : k == 2 ? -d : 0;                  \
                const int dy = k == 1 ? d : k == 3 ? -d : 0;                  \
                const uint8_t there = THERE(sugar, dx, dy);                   \
                if (there > best && COUNT_AT(dx, dy) == 0) {                  \
                    best = there;                                             \
                    x = dx;                                                   \
                    y = dy;                                                   \
                }                                                             \
            }                                                                 \
        MOVE(x, y);                                                           \
        OUT(energy) += best;                                                  \
        THERE(sugar, x, y) = 0;                                               \
    }
TURNS_OF(turns_1, 1)
TURNS_OF(turns_2, 2)
TURNS_OF(turns_6, 6)

MASS_SCHEDULE(STARTS(turns_grow), IF(VALUE(radius) == 1, STEPS(turns_1, .shape = MASS_AXES)),
              IF(VALUE(radius) == 2, STEPS(turns_2, .shape = MASS_AXES)),
              IF(VALUE(radius) == 6, STEPS(turns_6, .shape = MASS_AXES)))
MASS_DEFAULT_STEPS(20)

MASS_PLUGIN(.name = "turns", .version = "1.0.0", .help = "ants that act one after the other");
