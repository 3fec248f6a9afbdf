/* SPDX-License-Identifier: Apache-2.0 */
/* Rabbits eat grass and foxes eat rabbits, one animal after the other. */
#include <mass/model.h>

MASS_SPACE(glade, 2, .size = {60, 40}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(glade, uint8_t, grass, .most = 1, .initial = &(const uint8_t){1})
MASS_TALLY(SUM, int64_t, rabbit_count, "rabbits alive")
MASS_TALLY(SUM, int64_t, fox_count, "foxes alive")
MASS_TALLY(SUM, int64_t, caught, "rabbits that foxes caught", .cumulative = 1)
MASS_POPULATION(rabbits, glade, .count = 300, .capacity = 1, .children = 1, .initial = MASS_RANDOM_PLACES,
                .alive = "rabbit_count")
MASS_POPULATION(foxes, glade, .count = 25, .children = 1, .initial = MASS_RANDOM_PLACES, .alive = "fox_count")
MASS_AGENT_ATTRIBUTE(rabbits, int32_t, food, .initial = &(const int32_t){5})
MASS_AGENT_ATTRIBUTE(foxes, int32_t, food, .initial = &(const int32_t){12})

MASS_IN_TURN(graze, rabbits, 2, 1, UPDATES(food), CHANGES(AS(its_food, food)), ALTERS(grass))
{
    int dx = (int)(RANDOM(0).v[0] % 3) - 1, dy = (int)(RANDOM(0).v[1] % 3) - 1;
    if (!MOVE(dx, dy)) dx = dy = 0;
    OUT(food) += 3 * THERE(grass, dx, dy) - 1;
    THERE(grass, dx, dy) = 0;
    if (OUT(food) < 0) DIE();
    if (OUT(food) < 12) return;
    const mass_peer child = BEAR(0, 0);
    if (IS_ANYBODY(child)) OF(its_food, child) = OUT(food) /= 2;
}

MASS_IN_TURN(hunt, (foxes, rabbits), 2, 2, UPDATES(food), CHANGES(AS(its_food, food)), SUMS(caught))
{
    const mass_peer prey = ONE_NEARBY_OF(rabbits, 2, 0);
    if (IS_ANYBODY(prey)) {
        KILL_NEARBY_OF(rabbits, prey);
        MOVE(prey.dx, prey.dy);
        OUT(food) += 3;
        ADD(caught, 1);
    } else {
        MOVE((int)(RANDOM(1).v[0] % 5) - 2, (int)(RANDOM(1).v[1] % 5) - 2);
    }
    if (--OUT(food) < 0) DIE();
    if (OUT(food) < 20) return;
    const mass_peer child = BEAR(0, 0);
    if (IS_ANYBODY(child)) OF(its_food, child) = OUT(food) /= 2;
}

MASS_MAP(regrow, UPDATES(grass)) { OUT(grass) |= RANDOM(0).v[0] % 16 == 0; }

MASS_SCHEDULE(STEPS(graze), STEPS(hunt), STEPS(regrow))

MASS_PLUGIN(.name = "glade", .version = "1.0.0", .help = "rabbits and foxes, one after the other");
