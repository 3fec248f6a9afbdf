/* SPDX-License-Identifier: Apache-2.0 */
/* People leave a room. They walk down the way to the exits, keep a distance, and stop at walls. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, people, 300, 0, 1000000, "who are in the room")
MASS_PARAMETER(int64_t, door, 3, 1, 100, "half the width of an exit, in cells")
MASS_PARAMETER(double, speed, 0.13, 0, 1, "the longest step, in metres")

MASS_SPACE(room, 2, .size = {40, 30}, .cell = 0.5) /* 20 by 15 metres, with walls around */
MASS_ATTRIBUTE(room, bool, wall)
MASS_ATTRIBUTE(room, float, way, .unit = "m", .help = "to the nearest exit")
MASS_ATTRIBUTE(room, int32_t, trampled, .help = "thousandths of a person, added up over all steps")
MASS_ATTRIBUTE(room, int32_t, tread)

MASS_TALLY(SUM, int64_t, inside, "people in the room")
MASS_TALLY(SUM, int64_t, left, "people who have left", .cumulative = 1)
MASS_TALLY(MEAN, double, mean_x, "where they are along x")
MASS_TALLY(MEAN, double, mean_y, "where they are along y")
MASS_TALLY(MEAN, double, order, "1: all walk towards the exit with all their speed")
MASS_TALLY(SUM, int64_t, pairs, "pairs by distance, in steps of 0.1 m", .bins = 20, .low = 0, .high = 2)

MASS_POPULATION(people, room, .count = VALUE(people), .at_edge = MASS_STOPS, .alive = "inside", .died = "left",
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0xc2452d}})
MASS_POSITIONS(people, 2, float)

/* Exits are at both ends. A bar stands in the middle. */
MASS_MAP(furnish, WRITES(wall, way), GIVEN(door))
{
    const int64_t from_middle = AT_Y - SIZE_Y / 2;
    const int exit = (AT_X == 0 || AT_X == SIZE_X - 1) && from_middle >= -PARAM(door) && from_middle < PARAM(door);
    OUT(wall) = AT_X >= SIZE_X / 4 && AT_X < SIZE_X / 4 + 2 && from_middle >= -SIZE_Y / 4 && from_middle < SIZE_Y / 4;
    OUT(way) = exit ? 0 : 1000;
}

/* Each step, the way is known one cell farther from the exits. */
MASS_STENCIL(look_around, 2, 1, READS(wall, way), WRITES(way))
{
    float least = IN(way);
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            const float there = NEAR(way, x, y) + (x && y ? 0.7071f : 0.5f);
            if ((x || y) && EXISTS(x, y) && there < least) least = there;
        }
    OUT(way) = IN(wall) ? 1000 : least;
}

MASS_AGENT(walk, people, 2, READS(position), WITHIN(people), SEES(wall, way), SCATTERS(tread), GIVEN(speed),
           SUMS(mean_x, mean_y, order), BINS(pairs))
{
    const float x = IN(position).x, y = IN(position).y, speed = (float)PARAM(speed);
    const float here = SEE(way, 0, 0);
    ADD(mean_x, (double)x);
    ADD(mean_y, (double)y);
    SCATTER_AT(tread, 1000, x, y);
    if (here == 0) {
        KILL(); /* it is in an exit */
        return;
    }
    float to_x = (float)(SEE_AT(way, x - 0.25f, y) - SEE_AT(way, x + 0.25f, y));
    float to_y = (float)(SEE_AT(way, x, y - 0.25f) - SEE_AT(way, x, y + 0.25f));
    const float slope = mass_sqrt_f32(to_x * to_x + to_y * to_y);
    if (slope > 0) to_x /= slope, to_y /= slope;
    const mass_random4 r = RANDOM(0);
    float step_x = to_x + mass_unit_f32(r.v[0]) - 0.5f, step_y = to_y + mass_unit_f32(r.v[1]) - 0.5f;
    EACH_WITHIN(o, people, 2) {
        const float away = mass_sqrt_f32(AWAY_2(o));
        COUNT_IN(pairs, (int64_t)(away * 10));
        if (away > 0 && away < 0.8f) {
            const float push = (0.8f - away) / away;
            step_x -= AWAY_X(o) * push, step_y -= AWAY_Y(o) * push;
        }
    }
    const float length = mass_sqrt_f32(step_x * step_x + step_y * step_y);
    if (length > 1) step_x /= length, step_y /= length;
    ADD(order, (double)(step_x * to_x + step_y * to_y));
    /* A step into a wall is not taken along that axis. Who began in the bar climbs out. */
    const int dx = (int)(mass_floor_float((x + speed * step_x) / 0.5f) - (float)AT_X);
    const int dy = (int)(mass_floor_float((y + speed * step_y) / 0.5f) - (float)AT_Y);
    const bool out = !SEE(wall, 0, 0);
    if (out && SEE(wall, dx, 0)) step_x = 0;
    if (out && (SEE(wall, 0, dy) || SEE(wall, dx, dy))) step_y = 0;
    MOVE_BY(speed * step_x, speed * step_y);
}

MASS_MAP(count, READS(tread), UPDATES(trampled)) { OUT(trampled) += IN(tread); }
MASS_MAP(sweep, WRITES(tread)) { OUT(tread) = 0; }

MASS_SCHEDULE(STARTS(furnish), STEPS(look_around), STEPS(sweep), STEPS(walk, .reach = CELLS(room, 2)), STEPS(count),
              MANAGES(people))
MASS_PICTURE(room, trampled, 0, 60000, 0xf4f1e8, 0x2d6cc2, 0x101820)
MASS_DEFAULT_STEPS(400)
MASS_PLUGIN(.name = "evacuation", .version = "1.0.0", .help = "people who leave a room");
