/* SPDX-License-Identifier: Apache-2.0 */
/* Places bring forth agents of two populations, while these have children, die and move. Weeds start from nothing;
 * beasts are managed in some steps only. With luck=0 all is decided by the numbers of ways.h, from which known.c comes
 * to the same digest in a plain loop. */
#include <mass/model.h>

#include "ways.h"

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, capacity, 3, 0, 1000, "weeds on a place")
MASS_PARAMETER(int64_t, weeds, 0, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, order, 0, 0, 2, "of the weeds' manage")
MASS_PARAMETER(int64_t, gate, 0, 0, 100000, "beasts are managed in steps in which so many places wish for one")
MASS_PARAMETER(int64_t, luck, 0, 0, 1, "1: random numbers decide, which differ between worlds")

MASS_SPACE_OF(field, 1, 3, .size = {12, 10}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, soil)

MASS_TALLY(SUM, int64_t, digest, "of all agents in all steps", .cumulative = 1)
MASS_TALLY(SUM, int64_t, wishes, "places that wish for a beast")
MASS_TALLY(SUM, int64_t, born, "weeds", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "weeds", .cumulative = 1)
MASS_TALLY(SUM, int64_t, unborn, "weeds", .cumulative = 1)
MASS_TALLY(SUM, int64_t, asked, "weeds, by places and parents", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alive, "weeds")
MASS_TALLY(SUM, int64_t, beasts_born, "beasts", .cumulative = 1)
MASS_TALLY(SUM, int64_t, beasts_died, "beasts", .cumulative = 1)
MASS_TALLY(SUM, int64_t, beasts_unborn, "beasts", .cumulative = 1)
MASS_TALLY(SUM, int64_t, beasts_alive, "beasts")

MASS_POPULATION(weeds, field, .count = VALUE(weeds), .capacity = (uint32_t)VALUE(capacity), .children = 2,
                .sprouts = 3, .born = "born", .died = "died", .unborn = "unborn", .alive = "alive")
MASS_AGENT_ATTRIBUTE(weeds, int64_t, energy, .initial = &(const int64_t){7})
MASS_AGENT_ATTRIBUTE(weeds, int16_t, size, .length = 2, .initial = &(const int16_t){5})
MASS_AGENT_ATTRIBUTE(weeds, int32_t, kind, .initial = &(const int32_t){3})
MASS_AGENT_ATTRIBUTE(weeds, float, dew, .flush = 1, .initial = &(const float){1})
MASS_POPULATION(beasts, field, .count = 0, .capacity = 1, .sprouts = 2, .born = "beasts_born", .died = "beasts_died",
                .unborn = "beasts_unborn", .alive = "beasts_alive")
MASS_AGENT_ATTRIBUTE(beasts, uint8_t, hunger, .initial = &(const uint8_t){9})

#define LUCK(number) (PARAM(luck) ? (uint64_t)RANDOM(0).v[(number) % 4] : (number))
#define PLACE ((uint64_t)((AT_Z * SIZE_Y + AT_Y) * SIZE_X + AT_X))

MASS_RESIDENTS(sprout_grow, (weeds, beasts), 0, 0, UPDATES(soil), MEETS(energy), GIVEN(luck), SUMS(wishes, asked),
               SPROUTS(energy, AS(height, size, 1), dew, FROM(beasts, hunger)))
{
    const uint64_t h = LUCK(sprout_place(PLACE, (uint64_t)STEP, (uint64_t)OUT(soil)));
    uint64_t here = 0;
    EACH_RESIDENT(a) here = here * 31 + (uint64_t)OF(energy, a) + RESIDENT_ID(a);
    OUT(soil) = (int32_t)(((uint64_t)OUT(soil) * 5 + here % 1009 + RESIDENT_COUNT_OF(beasts)) % 9973);
    const int weeds = sprout_weeds(h), beasts = sprout_beasts(h);
    SPROUT(3); /* the last request counts, and keeps values */
    SPROUT_VALUE(energy, 2) = 1000;
    SPROUT(weeds);
    for (int k = 0; k < weeds; k++) {
        if (!sprout_is_set(h, k)) continue;
        SPROUT_VALUE(energy, k) = sprout_energy(h, k);
        SPROUT_VALUE(height, k) = (int16_t)(h % 100 + (uint64_t)k);
        SPROUT_VALUE(dew, k) = k ? 1e-30f : 2.0f;
    }
    ADD(asked, weeds);
    if (beasts == 0) return;
    SPROUT_OF(beasts, beasts);
    SPROUT_VALUE(hunger, beasts - 1) = (uint8_t)(h % 50);
    ADD(wishes, 1);
}

MASS_AGENT(sprout_live, weeds, 0, UPDATES(energy), CHILDREN(energy), SUMS(asked), GIVEN(luck))
{
    const uint64_t h = LUCK(sprout_agent(AGENT_ID, (uint64_t)STEP, 0));
    OUT(energy) += 1 + WAS_REFUSED;
    const int children = sprout_children(h);
    SPAWN(children);
    for (int k = 0; k < children; k++) CHILD(energy, k) = OUT(energy) / 2 + k;
    ADD(asked, children);
    if (sprout_dies(h)) KILL();
    const int x = sprout_move(h, 0), y = SIZE_Y > 1 ? sprout_move(h, 1) : 0, z = SIZE_Z > 1 ? sprout_move(h, 2) : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_AGENT(sprout_prey, beasts, 0, UPDATES(hunger), GIVEN(luck))
{
    const uint64_t h = LUCK(sprout_agent(AGENT_ID, (uint64_t)STEP, 1));
    OUT(hunger)++;
    if (sprout_dies(h)) KILL();
    const int x = sprout_move(h, 0);
    if (EXISTS(x)) MIGRATE(x, 0, 0);
}

MASS_RESIDENTS(sprout_count, weeds, 0, 0, READS(soil), SUMS(digest),
               MEETS(energy, kind, AS(width, size, 0), AS(height, size, 1), dew))
{
    uint64_t h = sprout_mix(PLACE, (uint64_t)IN(soil), RESIDENT_COUNT);
    EACH_RESIDENT(a)
    {
        h = sprout_mix(h, RESIDENT_ID(a), (uint64_t)OF(energy, a));
        h = sprout_mix(h, (uint64_t)(OF(kind, a) * 100 + OF(width, a)),
                       (uint64_t)(OF(height, a) * 4 + (int)OF(dew, a)));
    }
    ADD(digest, (int64_t)(h >> 8));
}

MASS_RESIDENTS(sprout_count_beasts, beasts, 0, 0, READS(soil), MEETS(hunger), SUMS(digest))
{
    uint64_t h = (uint64_t)IN(soil);
    EACH_RESIDENT(a) h = sprout_mix(h, RESIDENT_ID(a) + 77, OF(hunger, a));
    ADD(digest, (int64_t)(h >> 8));
}

#define WISHED .condition = &(const mass_condition){.tally = "wishes", .relation = MASS_AT_LEAST, .value = 1, \
                                                    .parameter = "gate"}
MASS_SCHEDULE(STEPS(sprout_live), STEPS(sprout_prey), STEPS(sprout_grow),
              MANAGES(weeds, .order = (uint32_t)VALUE(order)), MANAGES(beasts, WISHED), STEPS(sprout_count),
              STEPS(sprout_count_beasts))

MASS_PLUGIN(.name = "sprout", .version = "1.0.0", .help = "places that bring forth agents");
