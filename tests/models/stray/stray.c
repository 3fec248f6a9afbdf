/* SPDX-License-Identifier: Apache-2.0 */
/* Stray: bodies that look, move and name children and residents by numbers that lie in attributes, as files may have
 * given them. */
#include <mass/model.h>

#include "stray.h"

MASS_PARAMETER(int64_t, strays, ALL, 0, ALL, "which bodies name what they may not")
MASS_PARAMETER(int64_t, births, 0, 0, 1, "whether any")

MASS_SPACE(grid, 2, .size = {13, 11}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(grid, uint8_t, ground, .initial = &(const uint8_t){DEFAULT}, .help = "never the default")
MASS_ATTRIBUTE(grid, int64_t, heard, .help = "for a test")
MASS_ATTRIBUTE(grid, int64_t, ox, .help = "for a test")
MASS_ATTRIBUTE(grid, int64_t, oy, .help = "for a test")
MASS_ATTRIBUTE(grid, uint8_t, read, .help = "for a test")

MASS_POPULATION(walker, grid, .count = 40, .constant = !VALUE(births), .children = VALUE(births) ? CHILDREN : 0,
                .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(walker, int64_t, dx, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, int64_t, dy, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, int64_t, child, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, uint8_t, seen, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, uint32_t, crowd, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, uint32_t, born, .help = "for a test")
MASS_AGENT_ATTRIBUTE(walker, uint32_t, weight, .help = "for a test")

MASS_FN int64_t offset_of(uint64_t n)
{
    const int64_t offsets[OFFSETS] = STRAY_OFFSETS;
    return offsets[n % OFFSETS];
}
MASS_FN int64_t number_of(uint64_t n)
{
    const int64_t numbers[NUMBERS] = STRAY_NUMBERS;
    return numbers[n % NUMBERS];
}

MASS_MAP(stray_lay, WRITES(ground)) { OUT(ground) = (uint8_t)((AT_X * 5 + AT_Y * 3) % 6); }

MASS_AGENT(stray_aim, walker, 2, GIVEN(strays), WRITES(dx, dy, child))
{
    OUT(dx) = offset_of(AGENT_ID * 7 + STEP * 3);
    OUT(dy) = offset_of(AGENT_ID * 5 / 3 + STEP);
    OUT(child) = PARAM(strays) & NAMES_CHILDREN ? number_of(AGENT_ID + STEP) : 0;
}

MASS_AGENT(stray_look, walker, 2, GIVEN(strays), SEES(ground), READS(dx, dy), WRITES(seen, crowd))
{
    const int sees = (PARAM(strays) & SEES) != 0, counts = (PARAM(strays) & COUNTS) != 0;
    OUT(seen) = (uint8_t)(10 * SEE(ground, sees ? IN(dx) : 0, sees ? IN(dy) : 0) + SEE(ground, 0, 0));
    OUT(crowd) = COUNT_AT(counts ? IN(dx) : 0, counts ? IN(dy) : 0);
    if (EXISTS(IN(dx), IN(dy))) MIGRATE(IN(dx), IN(dy));
}

MASS_AGENT(stray_breed, walker, 2, READS(dx, dy, child), CHILDREN(born))
{
    if ((AGENT_ID + STEP) % 4 != 0) return;
    SPAWN(CHILDREN);
    CHILD(born, 0) = 10;
    CHILD(born, 1) = 11;
    CHILD(born, IN(child)) = 12;
    if (EXISTS(IN(dy), IN(dx))) CHILD_TO(IN(child), IN(dy), IN(dx));
}

MASS_RESIDENTS(stray_listen, walker, 2, 0, GIVEN(strays), WRITES(heard), CHANGES(weight), MEETS(born))
{
    const uint64_t n = (uint64_t)(AT_X * 31 + AT_Y * 17) + STEP;
    const int64_t named = n % 3 ? (int64_t)(n * 13 % 400) : number_of(n / 3);
    int64_t sum = 0;
    EACH_RESIDENT(a) {
        OF(weight, a) += (uint32_t)(1 + RESIDENT_ID(a) % 3);
        sum += OF(weight, a) + OF(born, a);
    }
    if (PARAM(strays) & NAMES_RESIDENTS) {
        OF(weight, named) += 100;
        sum = 1000 * sum + 10 * OF(weight, named) + (RESIDENT_ID(named) == UINT64_MAX) + OF(born, named);
    }
    OUT(heard) = sum;
}

MASS_MAP(stray_turn, WRITES(ox, oy))
{
    OUT(ox) = offset_of((uint64_t)(AT_X + 3 * AT_Y) + STEP);
    OUT(oy) = offset_of((uint64_t)(AT_X / 2 + AT_Y) + STEP);
}

MASS_STENCIL(stray_read, 2, 1, GIVEN(strays), READS(ground, ox, oy), WRITES(read))
{
    const int reads = (PARAM(strays) & READS) != 0;
    OUT(read) = (uint8_t)(10 * NEAR(ground, reads ? IN(ox) : 0, reads ? IN(oy) : 0) + NEAR(ground, 0, 1));
}

MASS_SCHEDULE(STARTS(stray_lay), STEPS(stray_aim), STEPS(stray_look, .reach = REACH),
              IF(VALUE(births), STEPS(stray_breed)), MANAGES(walker), STEPS(stray_listen), STEPS(stray_turn),
              STEPS(stray_read))
MASS_DEFAULT_STEPS(6)

MASS_WORLD_STEPS(stray_aim, stray_look, stray_listen, stray_turn, stray_read)
MASS_PLUGIN(.name = "stray", .version = "1.0.0", .help = "bodies that name what they may not");
