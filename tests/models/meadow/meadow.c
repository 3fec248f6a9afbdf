/* SPDX-License-Identifier: Apache-2.0 */
/* Two populations in one callback: hares of any number on a place and foxes, one a place, see each other there. Each of
 * what a body sees of the other population is also found by callbacks that see one; `differ` counts where it is not
 * the same. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, hares, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, foxes, 25, 0, 100000, "at the start")

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, foxes_here)
MASS_ATTRIBUTE(field, int64_t, hunger_here)
MASS_ATTRIBUTE(field, uint64_t, ids_here)
MASS_ATTRIBUTE(field, int32_t, hares_here)
MASS_ATTRIBUTE(field, int32_t, trodden)
MASS_ATTRIBUTE(field, int32_t, trodden_too)

MASS_TALLY(SUM, int64_t, differ, "what is not the same", .cumulative = 1)
MASS_TALLY(SUM, int64_t, meetings, "of a hare and a fox", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alive, "hares")

MASS_POPULATION(hares, field, .count = VALUE(hares), .children = 1, .initial = MASS_RANDOM_PLACES, .alive = "alive")
MASS_AGENT_ATTRIBUTE(hares, int64_t, fat)
MASS_POPULATION(foxes, field, .count = VALUE(foxes), .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(foxes, int64_t, hunger)
MASS_AGENT_ATTRIBUTE(foxes, int16_t, kills, .length = 2)
MASS_AGENT_ATTRIBUTE(foxes, float, scent, .flush = 1)

MASS_AGENT(meadow_hop, hares, 0, UPDATES(fat))
{
    const mass_random4 r = RANDOM(0);
    OUT(fat)++;
    if (r.v[3] % 9 == 0) SPAWN(1);
    else if (r.v[3] % 9 == 1) KILL();
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_AGENT(meadow_prowl, foxes, 0, UPDATES(hunger))
{
    const mass_random4 r = RANDOM(0);
    OUT(hunger) += 1 + WAS_REFUSED;
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_RESIDENTS(meadow_smell, foxes, 0, 0, WRITES(foxes_here, hunger_here, ids_here), MEETS(hunger))
{
    OUT(foxes_here) = (int32_t)RESIDENT_COUNT;
    OUT(hunger_here) = 0;
    OUT(ids_here) = 0;
    EACH_RESIDENT(a)
    {
        OUT(hunger_here) += OF(hunger, a);
        OUT(ids_here) += RESIDENT_ID(a) + 1;
    }
}

MASS_RESIDENTS(meadow_count, hares, 0, 0, WRITES(hares_here))
{
    OUT(hares_here) = (int32_t)RESIDENT_COUNT;
}

/* Hares see foxes, and read them alone. */
MASS_RESIDENTS(meadow_look, (hares, foxes), 0, 0, READS(foxes_here, hunger_here, ids_here, hares_here),
               MEETS(fat, FROM(foxes, hunger)), SUMS(differ))
{
    int64_t hunger = 0, fat = 0;
    uint64_t ids = 0;
    EACH_RESIDENT(a) fat += OF(fat, a) >= 0;
    EACH_RESIDENT_OF(foxes, b)
    {
        hunger += OF(hunger, b);
        ids += RESIDENT_ID_OF(foxes, b) + 1;
    }
    const uint8_t differs = (RESIDENT_COUNT_OF(foxes) != (uint32_t)IN(foxes_here)) | (hunger != IN(hunger_here)) |
                            (ids != IN(ids_here)) | (RESIDENT_COUNT != (uint32_t)IN(hares_here)) |
                            (RESIDENT_COUNT_OF(hares) != RESIDENT_COUNT) | (fat != IN(hares_here));
    ADD(differ, differs);
}

/* Foxes and hares change each other, one pair after the other. */
MASS_RESIDENTS(meadow_meet, (foxes, hares), 0, 0, CHANGES(hunger, AS(lean, kills, 0), AS(rich, kills, 1), scent),
               CHANGES(FROM(hares, weight, fat)), SUMS(meetings))
{
    EACH_RESIDENT(b) EACH_RESIDENT_OF(hares, a)
    {
        OF(weight, a) = OF(weight, a) * 3 + OF(hunger, b) % 1000;
        OF(hunger, b) = (OF(hunger, b) + OF(weight, a) % 7) % 100000;
        OF(lean, b) = (int16_t)(OF(lean, b) + (OF(weight, a) % 2 == 0));
        OF(rich, b) = (int16_t)(OF(rich, b) + (OF(weight, a) % 2 != 0));
        OF(weight, a) %= 100000;
        OF(scent, b) = OF(scent, b) * 1e-12f + 1e-9f * (float)(OF(weight, a) % 3);
        ADD(meetings, (uint8_t)1);
    }
}

/* The same as from foxes, of other attributes; the foxes' own come from another population here. */
MASS_RESIDENTS(meadow_flee, (hares, foxes), 0, 0, CHANGES(fat, FROM(foxes, scent)), MEETS(FROM(foxes, hunger)))
{
    EACH_RESIDENT_OF(foxes, b)
    {
        OF(scent, b) = OF(scent, b) * 0.5f + 1e-25f * (float)RESIDENT_COUNT;
        EACH_RESIDENT(a) OF(fat, a) = OF(fat, a) / 2 + OF(hunger, b) % 5;
    }
}

/* A place of either. */
MASS_OCCUPIED(meadow_tread, (foxes, hares), 0, 0, UPDATES(trodden))
{
    OUT(trodden) += 1 + (int32_t)RESIDENT_COUNT_OF(hares);
}

MASS_MAP(meadow_compare, READS(foxes_here, hares_here, trodden), UPDATES(trodden_too), SUMS(differ))
{
    if (IN(foxes_here) + IN(hares_here) > 0) OUT(trodden_too) += 1 + IN(hares_here);
    ADD(differ, (uint8_t)(OUT(trodden_too) != IN(trodden)));
}

MASS_SCHEDULE(STEPS(meadow_hop), MANAGES(hares), STEPS(meadow_prowl), MANAGES(foxes), STEPS(meadow_smell),
              STEPS(meadow_count), STEPS(meadow_look), STEPS(meadow_meet), STEPS(meadow_flee), STEPS(meadow_tread),
              STEPS(meadow_compare))

MASS_PLUGIN(.name = "meadow", .version = "1.0.0", .help = "two populations that see each other where they stand");
