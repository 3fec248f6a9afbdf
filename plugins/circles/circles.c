/* SPDX-License-Identifier: Apache-2.0 */
/* Circles: agents in a box push those near them away, pull those farther off, gather in balls and come to rest. The
 * model is that of M. K. Chisholm, P. Richmond and others, "FLAME GPU 2: a framework for flexible and performant agent
 * based simulation on GPUs" (2023), where it is a benchmark of searches for neighbours. */
#include <mass/model.h>

MASS_PARAMETER(double, radius, 2, 0.01, 1000, "how far agents see, and the edge of a cell")
MASS_PARAMETER(double, density, 1, 0, 1000, "agents in a unit of volume")
MASS_PARAMETER(int64_t, agents, 0, 0, UINT32_MAX - 2, "how many there are", .by_default = "density decides, as with 0")
MASS_PARAMETER(double, repulsion, 0.05, 0, 10, "the longest step, at a quarter of the radius")

MASS_SPACE(box, 3, .size = {10, 10, 10}, .torus = MASS_AXES_ALL, .cell = VALUE(radius))
MASS_ATTRIBUTE(box, uint8_t, air, .most = 0, .help = "what pictures show circles on")

MASS_TALLY(SUM, int64_t, pairs, "pairs of agents within the radius, counted from both sides")
MASS_TALLY(MEAN, double, drift, "length of an agent's step")
MASS_TALLY(MEAN, double, apart, "distance of an agent to the nearest one, of those that have one within the radius")

MASS_POPULATION(circles, box, .initial = MASS_RANDOM_PLACES, .constant = 1, .help = "agents that gather",
                .count = VALUE(agents) ? VALUE(agents)
                                       : (int64_t)(VALUE(density) * VALUE(radius) * VALUE(radius) * VALUE(radius) *
                                                   (double)(EXTENT(box, 0) * EXTENT(box, 1) * EXTENT(box, 2))),
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0x2d6cc2}})
MASS_POSITIONS(circles, 3, float)

/* Returns sin(2 pi t) / t for t from 0 to 1, given its square, to 1.2e-6. The sine has zeros at t = 1/2 and t = 1; the
 * rest is a polynomial of the square. So neither a root nor a division is needed. */
MASS_FN float sine_over_distance(float v)
{
    return (1 - v) * (1 - 4 * v) *
           (6.283185f + v * (-9.9257536f + v * (6.8432646f + v * (-2.7823889f +
            v * (0.75464696f + v * (-0.14070389f + v * 0.014946943f))))));
}

/* Agents nearer than half of the radius are pushed away, those farther off are pulled. */
MASS_AGENT(circles_move, circles, 3, READS(position), WITHIN(circles), GIVEN(radius, repulsion),
           SUMS(pairs, drift, apart))
{
    const float radius = (float)PARAM(radius), turns = 1 / radius;
    float x = 0, y = 0, z = 0, nearest = radius * radius;
    int32_t count = 0;
    EACH_WITHIN(o, circles, radius) {
        const float step = sine_over_distance(AWAY_2(o) * (turns * turns));
        x += step * AWAY_X(o);
        y += step * AWAY_Y(o);
        z += step * AWAY_Z(o);
        nearest = mass_min_f32(nearest, AWAY_2(o));
        count++;
    }
    ADD(pairs, count);
    if (count) {
        const float share = -(float)PARAM(repulsion) * turns / (float)count;
        x *= share, y *= share, z *= share;
        ADD(apart, (double)mass_sqrt_f32(nearest));
    }
    ADD(drift, (double)mass_sqrt_f32(x * x + y * y + z * z));
    MOVE_BY(x, y, z);
}

MASS_SCHEDULE(STEPS(circles_move, .reach = 1), MANAGES(circles))
MASS_PICTURE(box, air, 0, 1, 0xf2f6fa, 0)
MASS_SERIES("drift")
MASS_SERIES("apart")
MASS_DEFAULT_STEPS(200)
MASS_PLUGIN(.name = "circles", .version = "1.0.0", .help = "agents in a box that gather and come to rest");
