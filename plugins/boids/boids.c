/* SPDX-License-Identifier: Apache-2.0 */
/* Birds that flock, after C. W. Reynolds, "Flocks, herds and schools: a distributed behavioral model" (1987): each
 * turns to where those within its sight are, flies as they fly, and keeps a distance. The rule is that of the flocking
 * model of Agents.jl and of the ABMFrameworksComparison, all at once. */
#include <mass/model.h>

MASS_PARAMETER(double, sight, 5, 0.01, 1000, "how far a bird sees")
MASS_PARAMETER(double, cell, 0, 0, 1000, "the edge of a cell", .by_default = "the sight, as with 0")
MASS_PARAMETER(int64_t, birds, 200, 0, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(double, speed, 1, 0, 100, "length of a bird's step")
MASS_PARAMETER(double, separation, 1, 0, 1000, "birds keep this distance")
MASS_PARAMETER(double, cohere, 0.03, 0, 1, "weight of where the others are")
MASS_PARAMETER(double, separate, 0.015, 0, 1, "weight of the distance")
MASS_PARAMETER(double, match, 0.05, 0, 1, "weight of how the others fly")

MASS_SPACE(sky, 2, .size = {20, 20}, .torus = MASS_AXES_ALL, .cell = VALUE(cell) > 0 ? VALUE(cell) : VALUE(sight))
MASS_ATTRIBUTE(sky, uint8_t, air, .most = 0, .help = "what pictures show birds on")

MASS_TALLY(MEAN, double, heading_x, "x of the direction in which a bird flies")
MASS_TALLY(MEAN, double, heading_y, "y of that direction")
MASS_TALLY(MEAN, double, seen, "birds that a bird sees")

MASS_POPULATION(birds, sky, .count = VALUE(birds), .initial = MASS_RANDOM_PLACES, .constant = 1,
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0x203040},
                                             .heading = "heading"})
MASS_POSITIONS(birds, 2, float)
MASS_AGENT_VECTOR(birds, mass_point_float_2, float, heading, .help = "the direction in which it flies, of length 1")

/* Each begins in a direction of its own. */
MASS_AGENT(boids_hatch, birds, 2, WRITES(heading))
{
    const float angle = mass_unit_f32(RANDOM(0).v[0]) * 6.2831855f;
    OUT(heading).x = mass_cos_f32(angle);
    OUT(heading).y = mass_sin_f32(angle);
}

MASS_AGENT(boids_fly, birds, 2, READS(position), WITHIN(birds), NEARBY(AS(others, heading)), UPDATES(heading),
           GIVEN(sight, speed, separation, cohere, separate, match), SUMS(seen, heading_x, heading_y))
{
    const float near = (float)PARAM(separation);
    float x = 0, y = 0, away_x = 0, away_y = 0, along_x = 0, along_y = 0;
    int32_t count = 0;
    EACH_WITHIN(o, birds, PARAM(sight)) {
        x += AWAY_X(o), y += AWAY_Y(o);
        along_x += OF(others, o).x, along_y += OF(others, o).y;
        if (AWAY_2(o) < near * near) away_x -= AWAY_X(o), away_y -= AWAY_Y(o);
        count++;
    }
    const float cohere = (float)PARAM(cohere), separate = (float)PARAM(separate), match = (float)PARAM(match);
    const float share = (float)(count ? count : 1);
    x = OUT(heading).x + (x * cohere + away_x * separate + along_x * match) / share;
    y = OUT(heading).y + (y * cohere + away_y * separate + along_y * match) / share;
    const float length = mass_sqrt_f32(x * x + y * y);
    if (length > 0) OUT(heading).x = x / length, OUT(heading).y = y / length;
    ADD(seen, (double)count);
    ADD(heading_x, (double)OUT(heading).x);
    ADD(heading_y, (double)OUT(heading).y);
    MOVE_BY(OUT(heading).x * (float)PARAM(speed), OUT(heading).y * (float)PARAM(speed));
}

MASS_SCHEDULE(STARTS(boids_hatch), STEPS(boids_fly, .reach = CELLS(sky, VALUE(sight))), MANAGES(birds))
MASS_PICTURE(sky, air, 0, 1, 0xf2f6fa, 0)
MASS_SERIES("heading_x * heading_x + heading_y * heading_y", .name = "order")
MASS_DEFAULT_STEPS(500)
MASS_PLUGIN(.name = "boids", .version = "1.0.0", .help = "birds that flock");
