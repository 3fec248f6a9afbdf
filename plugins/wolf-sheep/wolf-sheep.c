/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves, sheep and grass, after U. Wilensky, "NetLogo Wolf Sheep Predation model" (1997): sheep eat grass, wolves eat
 * sheep, both have young ones and starve. They act all at once or in turn. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, sheep, 1000, 0, UINT32_MAX - 2, "how many sheep there are at first")
MASS_PARAMETER(int64_t, wolves, 500, 0, UINT32_MAX - 2, "how many wolves there are at first")
MASS_PARAMETER(double, grass_energy, 5, 0, 1000, "energy that a sheep gets from the grass of a place")
MASS_PARAMETER(double, sheep_energy, 13, 0, 1000, "energy that a wolf gets from a sheep")
MASS_PARAMETER(int64_t, regrowth, 10, 0, 1000000, "steps after which grass has grown again")
MASS_PARAMETER(double, sheep_births, 0.4, 0, 1, "chance that a sheep has a lamb in a step")
MASS_PARAMETER(double, wolf_births, 0.2, 0, 1, "chance that a wolf has a cub in a step")
MASS_PARAMETER(choice, edge, "bounded", "whether opposite edges of the meadow meet", "torus", "bounded")
MASS_PARAMETER(choice, activation, "all", "whether animals act all at once, or one after the other", "all", "turn")
MASS_SPACE(meadow, 2, .size = {100, 100}, .torus = VALUE(edge) == 0 ? MASS_AXES_ALL : 0)
MASS_ATTRIBUTE(meadow, int32_t, bare, .least = 0, .most = 1000000, .unit = "steps",
               .help = "steps until the place has grass; 0: it has")

MASS_TALLY(SUM, int64_t, sheep, "alive")
MASS_TALLY(SUM, int64_t, wolves, "alive")
MASS_TALLY(SUM, int64_t, grass, "places with grass")
MASS_TALLY(SUM, int64_t, lambs, "sheep born so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, cubs, "wolves born so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, eaten, "sheep that wolves have eaten so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, starved_sheep, "sheep that have starved so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, starved_wolves, "wolves that have starved so far", .cumulative = 1)

#define ANIMALS(colour)                             \
    .children = 1, .help = "any number on a place", \
    .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){colour}}
MASS_POPULATION(sheep, meadow, .count = VALUE(sheep), .alive = "sheep", .born = "lambs", ANIMALS(0xf7f3e8))
MASS_POPULATION(wolves, meadow, .count = VALUE(wolves), .alive = "wolves", .born = "cubs", ANIMALS(0x30343f))
MASS_AGENT_ATTRIBUTE(sheep, float, energy, .help = "one is spent in a step; below 0 a sheep starves")
MASS_AGENT_ATTRIBUTE(wolves, float, energy, .help = "one is spent in a step; below 0 a wolf starves")

/* On half of the places there is grass. On the others it was eaten some steps ago. */
MASS_MAP(wolf_sheep_sow, WRITES(bare), GIVEN(regrowth), SUMS(grass))
{
    const mass_random4 r = RANDOM(0);
    OUT(bare) = r.v[0] & 1 ? 0 : (int32_t)mass_below_u32((uint32_t)PARAM(regrowth) + 1, r.v[1], r.v[2]);
    ADD(grass, OUT(bare) == 0);
}

#define FEED(MEAL) OUT(energy) = (float)(mass_unit_f64(RANDOM(0).v[0], RANDOM(0).v[1]) * 2 * PARAM(MEAL))
MASS_AGENT(wolf_sheep_feed_sheep, sheep, 2, WRITES(energy), GIVEN(grass_energy)) { FEED(grass_energy); }
MASS_AGENT(wolf_sheep_feed_wolves, wolves, 2, WRITES(energy), GIVEN(sheep_energy)) { FEED(sheep_energy); }

/* Spends 1, and declares the offset of one of the eight places around. */
#define SET_OUT(dx, dy)                                                       \
    const int way_ = (int)mass_below_u32(8, RANDOM(0).v[0], RANDOM(0).v[1]);  \
    int dx = (way_ + (way_ >= 4)) % 3 - 1, dy = (way_ + (way_ >= 4)) / 3 - 1; \
    OUT(energy) -= 1

enum { LIVES, STARVES, BEARS };

/* Returns what becomes of an animal: without energy it starves. Another one has a young one with that chance. */
MASS_FN int fate_of(float energy, double chance, mass_random4 r)
{
    return energy < 0 ? STARVES : mass_unit_f64(r.v[0], r.v[1]) < chance ? BEARS : LIVES;
}

/* ---- a step, all at once ---- */

/* An animal that would leave the meadow stays. */
#define WALK { SET_OUT(dx, dy); if (EXISTS(dx, dy)) MIGRATE(dx, dy); }
MASS_AGENT(wolf_sheep_walk_sheep, sheep, 2, UPDATES(energy)) WALK
MASS_AGENT(wolf_sheep_walk_wolves, wolves, 2, UPDATES(energy)) WALK

/* Each wolf eats one sheep of its place, as long as there are some. The first sheep that is left eats the grass. */
MASS_RESIDENTS(wolf_sheep_live, (sheep, wolves), 2, 0, UPDATES(bare), CHANGES(energy, FROM(wolves, strength, energy)),
               CHILDREN(energy, FROM(wolves, strength, energy)),
               GIVEN(grass_energy, sheep_energy, regrowth, sheep_births, wolf_births),
               SUMS(grass, eaten, starved_sheep, starved_wolves))
{
    uint32_t draw = 0;
    if (OUT(bare) > 0) OUT(bare)--;
    EACH_RESIDENT_OF(wolves, wolf)
        EACH_RESIDENT(one) {
            if (!KILL_RESIDENT(one)) continue;
            OF(strength, wolf) += (float)PARAM(sheep_energy);
            ADD(eaten, 1);
            break;
        }
    EACH_RESIDENT(one) {
        if (IS_KILLED(one)) continue;
        if (OUT(bare) == 0) OUT(bare) = (int32_t)PARAM(regrowth), OF(energy, one) += (float)PARAM(grass_energy);
        const int fate = fate_of(OF(energy, one), PARAM(sheep_births), RANDOM(draw++));
        if (fate == STARVES) KILL_RESIDENT(one);
        if (fate == BEARS) SPAWN_OF_RESIDENT(one, 1), CHILD_OF_RESIDENT(energy, one, 0) = OF(energy, one) /= 2;
        ADD(starved_sheep, fate == STARVES);
    }
    EACH_RESIDENT_OF(wolves, wolf) {
        const int fate = fate_of(OF(strength, wolf), PARAM(wolf_births), RANDOM(draw++));
        if (fate == STARVES) KILL_RESIDENT_OF(wolves, wolf);
        if (fate == BEARS)
            SPAWN_OF_RESIDENT_OF(wolves, wolf, 1), CHILD_OF_RESIDENT(strength, wolf, 0) = OF(strength, wolf) /= 2;
        ADD(starved_wolves, fate == STARVES);
    }
    ADD(grass, OUT(bare) == 0);
}

/* ---- a step in turn ---- */

MASS_MAP(wolf_sheep_grow, UPDATES(bare)) { OUT(bare) -= OUT(bare) > 0; }

/* Starves without energy, or may have a young one on its place. */
#define STARVE_OR_BEAR(STARVED, CHANCE, DX, DY)                            \
    do {                                                                   \
        const int fate_ = fate_of(OUT(energy), PARAM(CHANCE), RANDOM(1));  \
        const mass_peer child_ = fate_ == BEARS ? BEAR(DX, DY) : NOBODY;   \
        if (IS_ANYBODY(child_)) OF(its_energy, child_) = OUT(energy) /= 2; \
        if (fate_ == STARVES) DIE();                                       \
        ADD(STARVED, fate_ == STARVES);                                    \
    } while (0)

MASS_IN_TURN(wolf_sheep_graze, sheep, 2, 1, UPDATES(energy), CHANGES(AS(its_energy, energy)), ALTERS(bare),
             GIVEN(grass_energy, regrowth, sheep_births), SUMS(starved_sheep))
{
    SET_OUT(dx, dy);
    if (!MOVE(dx, dy)) dx = dy = 0;
    if (THERE(bare, dx, dy) == 0)
        THERE(bare, dx, dy) = (int32_t)PARAM(regrowth), OUT(energy) += (float)PARAM(grass_energy);
    STARVE_OR_BEAR(starved_sheep, sheep_births, dx, dy);
}

/* A wolf eats one of the sheep of its place. */
MASS_IN_TURN(wolf_sheep_hunt, (wolves, sheep), 2, 1, UPDATES(energy), CHANGES(AS(its_energy, energy)),
             GIVEN(sheep_energy, wolf_births), SUMS(eaten, starved_wolves))
{
    SET_OUT(dx, dy);
    if (!MOVE(dx, dy)) dx = dy = 0;
    const mass_peer prey = ONE_AT_OF(sheep, 2, dx, dy);
    if (IS_ANYBODY(prey)) KILL_NEARBY_OF(sheep, prey), OUT(energy) += (float)PARAM(sheep_energy);
    ADD(eaten, IS_ANYBODY(prey));
    STARVE_OR_BEAR(starved_wolves, wolf_births, dx, dy);
}

MASS_MAP(wolf_sheep_count, READS(bare), SUMS(grass)) { ADD(grass, IN(bare) == 0); }

MASS_SCHEDULE(STARTS(wolf_sheep_sow), STARTS(wolf_sheep_feed_sheep), STARTS(wolf_sheep_feed_wolves))

#define AT_ONCE(phase) IF(VALUE(activation) == 0, phase)
MASS_SCHEDULE(AT_ONCE(STEPS(wolf_sheep_walk_sheep)), AT_ONCE(STEPS(wolf_sheep_walk_wolves)), AT_ONCE(MANAGES(sheep)),
              AT_ONCE(MANAGES(wolves)))
MASS_SCHEDULE(AT_ONCE(STEPS(wolf_sheep_live)), AT_ONCE(MANAGES(sheep)), AT_ONCE(MANAGES(wolves)))

#define IN_TURN(phase) IF(VALUE(activation) == 1, phase)
MASS_SCHEDULE(IN_TURN(STEPS(wolf_sheep_grow)), IN_TURN(STEPS(wolf_sheep_graze)), IN_TURN(STEPS(wolf_sheep_hunt)),
              IN_TURN(STEPS(wolf_sheep_count)))

MASS_PICTURE(meadow, bare, 0, 10, 0x3f7d3a, 0x8a7a45)
MASS_SERIES("sheep")
MASS_SERIES("wolves")
MASS_DEFAULT_STEPS(100)
MASS_PLUGIN(.name = "wolf-sheep", .version = "1.0.0", .help = "wolves that eat sheep that eat grass");
