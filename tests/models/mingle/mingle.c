/* SPDX-License-Identifier: Apache-2.0 */
/* Three populations, of which each acts in turn and changes the others. A step has one to three phases of ants, then
 * one of bees, then one of cows, in orders of their own, or in one turn that they share. Ants may also act before the
 * first step. After the last step, a plain program does all of it again (plain.c). */
#include <mass/model.h>

#include "../first_agents.h"
#include "mingle.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, ants, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, bees, 30, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, cows, 20, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, seats_of_ants, 1, 0, 100, "on a place; 0: any number")
MASS_PARAMETER(int64_t, seats_of_bees, 0, 0, 100, "on a place; 0: any number")
MASS_PARAMETER(int64_t, seats_of_cows, 3, 0, 100, "on a place; 0: any number")
MASS_PARAMETER(int64_t, radius, 1, 1, 3, "of bodies of ants: 1 or 3")
MASS_PARAMETER(int64_t, reach, 0, 0, 3, "the smaller radius of phases of ants; 0: that of the bodies")
MASS_PARAMETER(int64_t, fertile, 6, 1, 1000000, "one of so many has a child")
MASS_PARAMETER(int64_t, deadly, 9, 3, 1000000, "one of so many kills, and one dies")
MASS_PARAMETER(int64_t, order, 0, 0, 4, "of ants: 0: shuffled; 1: by id; 2: by food; 3: by mood; 4: by trail")
MASS_PARAMETER(int64_t, order_of_bees, 0, 0, 4, "the same")
MASS_PARAMETER(int64_t, reversed, 0, 0, 3, "1: ants act the other way round; 2: bees; 3: both")
MASS_PARAMETER(int64_t, times, 1, 1, 3, "phases of ants in a step")
MASS_PARAMETER(int64_t, starts, 0, 0, 1, "1: ants act before the first step, too")
MASS_PARAMETER(int64_t, gated, 0, 0, 2, "1: no turns of ants in every third step; 2: of bees if few are lost")
MASS_PARAMETER(int64_t, shared, 0, 0, 2, "1: ants and bees share a turn; 2: cows, too. Then all have the same gate")
MASS_PARAMETER(int64_t, stray, 0, 0, 1, "1: bodies of ants and bees make places wetter than they may be")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")

MASS_SPACE_OF(town, 1, 3, .size = {12, 9}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(town, int32_t, mark, .initial = &(const int32_t){MINGLE_MARK})
MASS_ATTRIBUTE(town, uint8_t, wet, .most = 1)
MASS_WORLD_ATTRIBUTE(int64_t, open, .initial = 1)
MASS_WORLD_ARRAY(int64_t, words, 1, .help = "drawn in this step: they tell the number of the world")

MASS_TALLY(SUM, int64_t, met, "what all bodies met")
MASS_TALLY(MIN, int64_t, least, "agents nearby")
MASS_TALLY(SUM, int64_t, born, "ants", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "ants", .cumulative = 1)
MASS_TALLY(SUM, int64_t, unborn, "ants")
MASS_TALLY(SUM, int64_t, lost, "bees and cows, in a step")
MASS_TALLY(SUM, int64_t, bees_left, "at the end of a step")

#define MINGLE_POPULATION(NAME, ...) \
    MASS_POPULATION(NAME, town, .initial = MASS_BY_LOAD, .capacity = (uint32_t)VALUE(seats_of_##NAME), __VA_ARGS__)  \
    MASS_AGENT_ATTRIBUTE(NAME, int32_t, food, .initial = &(const int32_t){MINGLE_FOOD})                              \
    MASS_AGENT_ATTRIBUTE(NAME, float, mood)                                                                          \
    MASS_AGENT_ATTRIBUTE(NAME, uint64_t, trail)
MINGLE_POPULATION(ants, .children = 2, .born = "born", .died = "died", .unborn = "unborn")
MINGLE_POPULATION(bees, .children = 1, .died = "lost", .alive = "bees_left")
MINGLE_POPULATION(cows, .children = 2, .died = "lost")

/* One who acts meets all others, writes on places, kills a prey and a kin, moves, bears children and may die. */
#define MINGLE_BODY(NAME, OWN, PREY, OTHER, RADIUS, FAR, MOST)                                                       \
    MASS_IN_TURN(NAME, (OWN, PREY, OTHER), 0, RADIUS, UPDATES(trail, food, mood), ALTERS(mark, wet),                 \
                 CHANGES(AS(its, food)), CHANGES(FROM(PREY, fat, food)), NEARBY(FROM(OTHER, path, trail)),           \
                 GIVEN(fertile, deadly, reach, stray), SUMS(met), MINS(least))                                       \
    {                                                                                                                \
        const mass_random4 r = RANDOM(0), v = RANDOM(1);                                                             \
        const int far = FAR;                                     \
        const int x = mingle_offset(r.v[0], far), y = mingle_offset(r.v[1], far), z = mingle_offset(r.v[2], far);    \
        const uint32_t deadly = (uint32_t)PARAM(deadly);                                                             \
        uint64_t trail = OUT(trail) ^ r.v[3];                                                                        \
        EACH_NEARBY(o, far) trail = mingle_mix(trail, ID_OF(o), OF(its, o), o.dx, o.dy, o.dz);                       \
        EACH_NEARBY_OF(PREY, o, far) trail = mingle_mix(trail, ID_OF_IN(PREY, o), OF(fat, o)++, o.dx, o.dy, o.dz);   \
        EACH_NEARBY_OF(OTHER, o, 1) trail = mingle_mix(trail, ID_OF_IN(OTHER, o), (int64_t)(OF(path, o) >> 9), o.dx, \
                                                       o.dy, o.dz);                                                  \
        trail = mingle_mix(trail, 0, THERE(mark, y, x, z), THERE(wet, z, z, z), (int)COUNT_AT(x, y, z), 0);          \
        THERE(mark, x, y, z) = (int32_t)(trail >> 40);                                                               \
        THERE(wet, y, y, y) = (uint8_t)((trail >> 7 & 1) + 2 * (uint64_t)PARAM(stray));                              \
        const mass_peer kin = LEAST_NEARBY(o, far, OF(its, o));                                                      \
        const mass_peer prey = ONE_NEARBY_WHERE_OF(PREY, o, far, 4, OF(fat, o) % 2 == 0);                            \
        if (IS_ANYBODY(prey)) {                                                                                      \
            OUT(food) += OF(fat, prey) % 1000;                                                                       \
            if (v.v[0] % deadly == 0) KILL_NEARBY_OF(PREY, prey);                                                    \
        }                                                                                                            \
        if (IS_ANYBODY(kin)) {                                                                                       \
            OF(its, kin) -= 2;                                                                                       \
            if (v.v[1] % deadly == 1) KILL_NEARBY(kin);                                                              \
            trail += IS_DEAD(kin);                                                                                   \
        }                                                                                                            \
        trail = trail * 3 + (uint64_t)MOVE(x, y, z);                                                                 \
        for (int k = 0; k < MOST && v.v[2] % (uint32_t)PARAM(fertile) == 0; k++) {                                   \
            const mass_peer child = BEAR(k ? z : y, x, k ? y : z);                                                   \
            if (IS_ANYBODY(child)) OF(its, child) = OUT(food) / 2 + k;                                               \
            trail = trail * 3 + (uint64_t)IS_ANYBODY(child);                                                         \
        }                                                                                                            \
        trail = trail * 3 + (uint64_t)MOVE(y, z, x) + COUNT_NEARBY(far) + 5 * COUNT_NEARBY_OF(PREY, far);            \
        if (v.v[3] % deadly == 2) DIE();                                                                             \
        OUT(trail) = trail;                                                                                          \
        OUT(mood) = mingle_mood(trail);                                                                              \
        ADD(met, (int64_t)(trail % 1000));                                                                           \
        LEAST(least, (int64_t)COUNT_NEARBY(1));                                                                      \
    }
#define MINGLE_FAR(RADIUS) PARAM(reach) ? (int)PARAM(reach) : RADIUS
MINGLE_BODY(mingle_ants_1, ants, bees, cows, 1, MINGLE_FAR(1), 2)
MINGLE_BODY(mingle_ants_3, ants, bees, cows, 3, MINGLE_FAR(3), 2)
MINGLE_BODY(mingle_bees, bees, cows, ants, 2, 2, 1)

/* Cows see their own kind only, and act by number. */
MASS_IN_TURN(mingle_cows, cows, 0, 1, UPDATES(trail), ALTERS(mark))
{
    const mass_random4 r = RANDOM(0);
    const int x = mingle_offset(r.v[0], 1), y = mingle_offset(r.v[1], 1);
    OUT(trail) = mingle_mix(OUT(trail), AGENT_ID, THERE(mark, x, y, 0), (int)COUNT_NEARBY(1), 0, 0);
    THERE(mark, y, x, 0) = (int32_t)(OUT(trail) >> 35);
    MOVE(x, x, y);
    if (OUT(trail) % 7 == 0) BEAR(0, y, x);
}

MASS_ONCE(mingle_gate, WRITES(open, words), GIVEN(gated))
{
    const mass_random4 r = RANDOM(7);
    OUT(open) = PARAM(gated) != 1 || STEP % 3 != 0;
    OUT_AT(words, 0) = (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]);
}

/* Every ghost shows what the phases in turn left: a stencil reads them. */
MASS_STENCIL(mingle_dry, 0, 1, READS(mark), UPDATES(wet))
{
    OUT(wet) = (uint8_t)(OUT(wet) ^ (NEAR(mark, -1, 0, 0) > NEAR(mark, 1, 0, 0)));
}

#if MASS_HOST

static int64_t place_of_ant(int64_t i, int64_t places) { return mingle_place(0, i, places); }
static int64_t place_of_bee(int64_t i, int64_t places) { return mingle_place(1, i, places); }
static int64_t place_of_cow(int64_t i, int64_t places) { return mingle_place(2, i, places); }

static mass_status mingle_load(mass_host *host)
{
    mass_status status = add_first_agents(host, "town", "ants", VALUE(ants), VALUE(seats_of_ants), place_of_ant);
    if (status == MASS_OK)
        status = add_first_agents(host, "town", "bees", VALUE(bees), VALUE(seats_of_bees), place_of_bee);
    if (status != MASS_OK) return status;
    return add_first_agents(host, "town", "cows", VALUE(cows), VALUE(seats_of_cows), place_of_cow);
}

static const char *const orders[] = {NULL, "id", "food", "mood", "trail"};
#endif

#define IS_OPEN &(const mass_condition){.tally = "open", .relation = MASS_AT_LEAST, .value = 1}
#define OPEN .condition = IS_OPEN
#define SHARED(LEAST) .turn = VALUE(shared) >= LEAST ? "day" : NULL
#define FEW_LOST &(const mass_condition){.tally = "lost", .relation = MASS_AT_MOST, .value = MINGLE_FEW}
#define ANTS_IN_ORDER \
    .order = orders[VALUE(order)], .reversed = (uint32_t)VALUE(reversed) & 1, .reach = (int32_t)VALUE(reach)
#define ANTS(OF_RADIUS) \
    IF(VALUE(radius) == OF_RADIUS, STEPS(mingle_ants_##OF_RADIUS, OPEN, ANTS_IN_ORDER, SHARED(1))), \
    IF(VALUE(radius) == OF_RADIUS && VALUE(times) > 1, STEPS(mingle_ants_##OF_RADIUS, OPEN, ANTS_IN_ORDER)),         \
    IF(VALUE(radius) == OF_RADIUS && VALUE(times) > 2, STEPS(mingle_ants_##OF_RADIUS, OPEN, ANTS_IN_ORDER))
MASS_SCHEDULE(IF(VALUE(starts) && VALUE(radius) == 1, STARTS(mingle_ants_1, ANTS_IN_ORDER)),
              IF(VALUE(starts) && VALUE(radius) == 3, STARTS(mingle_ants_3, ANTS_IN_ORDER)), STEPS(mingle_gate),
              ANTS(1), ANTS(3),
              STEPS(mingle_bees, .order = orders[VALUE(order_of_bees)], .reversed = (uint32_t)VALUE(reversed) >> 1,
                    .condition = VALUE(shared) ? IS_OPEN : VALUE(gated) == 2 ? FEW_LOST : NULL, SHARED(1)),
              IF(VALUE(shared) < 2, STEPS(mingle_cows, .order = "id", .reversed = VALUE(times) == 2)),
              IF(VALUE(shared) == 2, STEPS(mingle_cows, OPEN, SHARED(2))), STEPS(mingle_dry))

MASS_PLUGIN(.name = "mingle", .version = "1.0.0", .help = "three populations in turn", .load = mingle_load,
            .finish = mingle_compare);
