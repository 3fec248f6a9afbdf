/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over places that ask the agents there to die and to have children. Wolves eat the sheep of their place, one
 * each, and no sheep is eaten twice. Trees, one a place, fall, and a seedling may take the place. known.c has the same
 * rules as plain loops. */
#include <mass/model.h>

#include "eaten.h"

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, strays, 0, 0, 1, "whether bodies name agents that are not there")

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, flock)
MASS_ATTRIBUTE(field, int32_t, pack)
MASS_ATTRIBUTE(field, int32_t, wood)
MASS_ATTRIBUTE(field, int32_t, graves)
MASS_ATTRIBUTE(field, int32_t, waiting)

MASS_TALLY(SUM, int64_t, eaten, "sheep", .cumulative = 1)
MASS_TALLY(SUM, int64_t, killed, "sheep that died", .cumulative = 1)
MASS_TALLY(SUM, int64_t, asked, "lambs that were asked for", .cumulative = 1)
MASS_TALLY(SUM, int64_t, lambs, "that were born", .cumulative = 1)
MASS_TALLY(SUM, int64_t, seedlings, "that grew", .cumulative = 1)
MASS_TALLY(SUM, int64_t, shaded, "seedlings without a place", .cumulative = 1)

MASS_POPULATION(sheep, field, .children = 2, .initial = MASS_BY_ATTRIBUTE, .where = "flock", .died = "killed",
                .born = "lambs")
MASS_AGENT_ATTRIBUTE(sheep, int32_t, fat, .initial = &(const int32_t){3})
MASS_AGENT_ATTRIBUTE(sheep, uint64_t, dam)
MASS_AGENT_ATTRIBUTE(sheep, float, wool, .flush = 1)
MASS_POPULATION(wolves, field, .children = 1, .initial = MASS_BY_ATTRIBUTE, .where = "pack")
MASS_AGENT_ATTRIBUTE(wolves, int32_t, energy, .initial = &(const int32_t){6})
MASS_AGENT_ATTRIBUTE(wolves, int16_t, line, .length = 2)
MASS_POPULATION(trees, field, .capacity = 1, .children = 1, .initial = MASS_BY_ATTRIBUTE, .where = "wood",
                .born = "seedlings", .unborn = "shaded")
MASS_AGENT_ATTRIBUTE(trees, int32_t, rings)

MASS_MAP(eaten_begin, WRITES(flock, pack, wood))
{
    const mass_random4 r = RANDOM(0);
    OUT(flock) = (int32_t)EATEN_FLOCK(r);
    OUT(pack) = (int32_t)EATEN_PACK(r);
    OUT(wood) = (int32_t)EATEN_WOOD(r);
}

#define WALK                                                          \
    {                                                                 \
        const int x = EATEN_STEP_BY(AGENT_ID, STEP);                  \
        const int y = SIZE_Y > 1 ? EATEN_STEP_BY(AGENT_ID + 7, STEP) : 0; \
        const int z = SIZE_Z > 1 ? EATEN_STEP_BY(AGENT_ID + 9, STEP) : 0; \
        if (EXISTS(x, y, z)) MIGRATE(x, y, z);                        \
    }
MASS_AGENT(eaten_graze, sheep, 0, UPDATES(fat))
{
    OUT(fat) += 1;
    WALK
}
MASS_AGENT(eaten_prowl, wolves, 0) WALK

/* Each wolf takes the first sheep of its place that lives. */
MASS_OCCUPIED(eaten_eat, (wolves, sheep), 0, 0, CHANGES(energy), MEETS(FROM(sheep, fat)), ASKS(sheep, wolves),
              UPDATES(graves), SUMS(eaten), GIVEN(strays))
{
    if (PARAM(strays)) {
        const int64_t none = (int64_t)1 << 40;
        KILL_RESIDENT_OF(sheep, none);
        SPAWN_OF_RESIDENT_OF(sheep, -1, 1);
        OUT(graves) += !IS_KILLED(none);
        EACH_RESIDENT(wolf) { /* the number of a wolf is no sheep's, though sheep may have the same one */
            KILL_RESIDENT_OF(sheep, wolf);
            OUT(graves) += OF(fat, wolf);
        }
        EACH_RESIDENT_OF(sheep, one) {
            KILL_RESIDENT(one);
            OUT(graves) += OF(energy, one);
        }
    }
    EACH_RESIDENT(wolf) {
        int64_t caught = 0;
        OF(energy, wolf) -= 1;
        EACH_RESIDENT_OF(sheep, one) {
            if (caught || !KILL_RESIDENT_OF(sheep, one)) continue;
            OF(energy, wolf) += OF(fat, one);
            OUT(graves) += 1;
            caught = 1;
        }
        ADD(eaten, caught);
        if (OF(energy, wolf) < 0) KILL_RESIDENT(wolf);
    }
}

/* Of the same requests: eaten sheep have no lambs. Places without agents count nobody. */
MASS_RESIDENTS(eaten_breed, (sheep, wolves), 0, 0, CHANGES(fat, FROM(wolves, energy)), CHILDREN(fat, dam, wool),
               CHILDREN(FROM(wolves, strength, energy), FROM(wolves, sire, line, 0)), WRITES(waiting), SUMS(asked))
{
    OUT(waiting) = (int32_t)(RESIDENT_COUNT + 100 * RESIDENT_COUNT_OF(wolves));
    EACH_RESIDENT(one) {
        if (IS_KILLED(one) || OF(fat, one) < EATEN_LAMBING) continue;
        const int lambs = 1 + (int)(RESIDENT_ID(one) % 3 == 0);
        SPAWN_OF_RESIDENT(one, lambs);
        for (int k = 0; k < lambs; k++) {
            CHILD_OF_RESIDENT(fat, one, k) = OF(fat, one) / 3 + k;
            CHILD_OF_RESIDENT(dam, one, k) = RESIDENT_ID(one);
            CHILD_OF_RESIDENT(wool, one, k) = k ? 1e-40f : 0.5f;
        }
        OF(fat, one) /= 2;
        ADD(asked, lambs);
    }
    EACH_RESIDENT_OF(wolves, b) {
        if (IS_KILLED_OF(wolves, b) || OF(energy, b) < EATEN_LITTERING) continue;
        SPAWN_OF_RESIDENT_OF(wolves, b, 1);
        CHILD_OF_RESIDENT(strength, b, 0) = OF(energy, b) / 2;
        CHILD_OF_RESIDENT(sire, b, 0) = (int16_t)(RESIDENT_ID_OF(wolves, b) % 1000);
        OF(energy, b) -= OF(energy, b) / 2;
    }
}

/* One population, of one agent a place. */
MASS_OCCUPIED(eaten_grow, trees, 0, 0, CHANGES(rings), CHILDREN(AS(start, rings)), ASKS(trees))
{
    EACH_RESIDENT(tree) {
        OF(rings, tree) += 1;
        if (OF(rings, tree) < EATEN_OLD(RESIDENT_ID(tree))) continue;
        if (OF(rings, tree) % 3) KILL_RESIDENT(tree);
        SPAWN_OF_RESIDENT(tree, OF(rings, tree) % 2);
        CHILD_OF_RESIDENT(start, tree, 0) = -OF(rings, tree);
    }
}

MASS_SCHEDULE(STARTS(eaten_begin))
MASS_SCHEDULE(STEPS(eaten_graze), MANAGES(sheep), STEPS(eaten_prowl), MANAGES(wolves), STEPS(eaten_eat),
              STEPS(eaten_breed), MANAGES(sheep), MANAGES(wolves), STEPS(eaten_grow),
              MANAGES(trees, .order = MASS_KILL_SPAWN_MIGRATE))

MASS_PLUGIN(.name = "eaten", .version = "1.0.0",
            .help = "agents of a place that are asked to die and to have children");
