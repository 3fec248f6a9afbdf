/* SPDX-License-Identifier: Apache-2.0 */
/* Grass and sheep in turn, and what BREAKS says that the bodies do in memory that is none of their fields. */
#include <mass/model.h>

enum { NOTHING, COUNTS_PLACES, WRITES_FAR, COUNTS_SHEEP, REMEMBERS, THIRD_AXIS };

MASS_SPACE(field, 2, .size = {40, 12}, .torus = MASS_AXIS_Y)
MASS_ATTRIBUTE(field, uint16_t, grass, .initial = &(const uint16_t){3})
MASS_TALLY(SUM, double, grown, "grass", .initial = 0)
MASS_POPULATION(sheep, field, .count = 90, .capacity = 2, .children = 1)
MASS_AGENT_ATTRIBUTE(sheep, uint32_t, found)

MASS_IN_TURN_PLACES(grow, 2, 1, ALTERS(grass), SUMS(grown))
{
    static uint16_t calls;
    uint16_t *const own = &THERE(grass, 0, 0);
    *own = (uint16_t)(*own * 3 + THERE(grass, 1, 0) * 5 + THERE(grass, 0, -1) + RANDOM(0).v[0] % 7);
    if (BREAKS == THIRD_AXIS) *own = (uint16_t)(*own + THERE(grass, 0, 0, 1));
    if (BREAKS == COUNTS_PLACES) *own = (uint16_t)(*own + calls++);
    if (BREAKS == WRITES_FAR && AT_X < 4) own[3] = (uint16_t)(own[3] * 7 + *own);
    ADD(grown, *own * 0.1);
}

MASS_IN_TURN(graze, sheep, 2, 1, UPDATES(found), CHANGES(AS(its, found)), ALTERS(grass))
{
    static uint32_t calls, last;
    EACH_NEARBY(o, 1) OF(its, o) += 2;
    OUT(found) = OUT(found) * 3 + THERE(grass, 0, 1);
    if (BREAKS == COUNTS_SHEEP && OUT(found) % 2) OUT(found) += calls++;
    if (BREAKS == REMEMBERS) {
        OUT(found) += last % 5;
        last = OUT(found) + (uint32_t)AGENT_ID;
    }
    if (OUT(found) % 5 == 0) BEAR(0, 1);
    if (OUT(found) % 7 == 1) DIE();
    MOVE((int)(OUT(found) % 3) - 1, 0);
}

MASS_SCHEDULE(STEPS(grow), STEPS(graze))
MASS_DEFAULT_STEPS(9)

MASS_PLUGIN(.name = "promise-turn", .version = "1.0.0", .help = "bodies in turn that keep to their fields, or not");
