/* SPDX-License-Identifier: Apache-2.0 */
/* Wolves and sheep walk at random. A wolf that meets a sheep eats it; wolves starve, and both have young. */
#include <mass/model.h>

MASS_PARAMETER(double, lambing, 0.04, 0, 1, "chance that a sheep that is alone on its place has a lamb in a step")
MASS_PARAMETER(double, littering, 0.06, 0, 1, "chance that a wolf has a young one in a step")
MASS_PARAMETER(int64_t, meal, 10, 1, 1000, "energy of a sheep; a wolf spends 1 in a step")

MASS_SPACE(field, 2, .size = {256, 256}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, eaten, "sheep that met a wolf so far", .cumulative = 1)
MASS_TALLY(SUM, int64_t, killed, "sheep that died so far", .cumulative = 1)
MASS_POPULATION(sheep, field, .count = 6000, .children = 1, .died = "killed",
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0xf6f1e4}})
MASS_POPULATION(wolves, field, .count = 600, .children = 1,
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0x3a3f4b}})
MASS_AGENT_ATTRIBUTE(wolves, int32_t, energy, .initial = &(const int32_t){20}, .least = -1e9, .most = 1e9)
MASS_ATTRIBUTE(field, uint32_t, remains, .help = "sheep that were eaten there")

#define WALK                                                   \
    {                                                          \
        const mass_random4 r = RANDOM(0);                      \
        MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1); \
    }
MASS_AGENT(sheep_walk, sheep, 2) WALK
MASS_AGENT(wolves_walk, wolves, 2) WALK

/* Each wolf eats one sheep of its place, as long as there are some: the living one with the lowest id. */
MASS_OCCUPIED(wolves_hunt, (wolves, sheep), 2, 0, CHANGES(energy), ASKS(sheep), UPDATES(remains), GIVEN(meal),
              SUMS(eaten))
{
    EACH_RESIDENT(wolf)
        EACH_RESIDENT_OF(sheep, one) {
            if (!KILL_RESIDENT_OF(sheep, one)) continue;
            OF(energy, wolf) += (int32_t)PARAM(meal);
            OUT(remains) += 1;
            ADD(eaten, 1);
            break;
        }
}

/* With other sheep on its place, grass is short, and there are no lambs. */
MASS_AGENT(sheep_live, sheep, 2, GIVEN(lambing))
{
    const mass_random4 r = RANDOM(0);
    if (COUNT_AT(0, 0) == 1 && mass_unit_f64(r.v[0], r.v[1]) < PARAM(lambing)) SPAWN(1);
}

MASS_AGENT(wolves_live, wolves, 2, UPDATES(energy), GIVEN(littering), CHILDREN(energy))
{
    const mass_random4 r = RANDOM(0);
    if (--OUT(energy) <= 0) KILL();
    else if (mass_unit_f64(r.v[0], r.v[1]) < PARAM(littering)) {
        SPAWN(1);
        CHILD(energy, 0) = OUT(energy) / 2;
        OUT(energy) -= OUT(energy) / 2;
    }
}

MASS_SCHEDULE(STEPS(sheep_walk), STEPS(wolves_walk), MANAGES(sheep), MANAGES(wolves))
MASS_SCHEDULE(STEPS(wolves_hunt), MANAGES(sheep))
MASS_SCHEDULE(STEPS(sheep_live), STEPS(wolves_live), MANAGES(sheep), MANAGES(wolves))
MASS_PICTURE(field, remains, 0, 8, 0x4f8f46, 0xa8573d)

MASS_PLUGIN(.name = "prey", .version = "1.0.0", .help = "wolves that eat the sheep they meet");
