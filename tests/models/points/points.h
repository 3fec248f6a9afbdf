/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in continuous space: specks have positions of floats, motes of doubles. They move in all ways, are born and
 * die, and look for each other within distances that differ by agent. After the last step a plain program does that
 * step's moves and searches again (plain.c). The models points1.c to points3.c define AXES. */
#include <mass/model.h>

#include "trail.h"

#if AXES == 1
#define ALONG_(x, y, z) x
#elif AXES == 2
#define ALONG_(x, y, z) x, y
#else
#define ALONG_(x, y, z) x, y, z
#endif
#define POINT_(NUMBER) MASS_JOIN(mass_point_##NUMBER##_, AXES)

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, specks, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, motes, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, edge, 0, 0, 2, "what becomes of moves over an edge")
MASS_PARAMETER(double, cell, 1.0, 0.001, 1000, "edge of a cell")
MASS_PARAMETER(double, sight, 1.5, 0, 1000, "the most that agents see, in cells")

MASS_SPACE(dish, AXES, .size = {ALONG_(9, 8, 7)}, .torus = (uint32_t)VALUE(torus), .cell = VALUE(cell))
MASS_POPULATION(specks, dish, .count = VALUE(specks), .children = 2, .at_edge = (uint32_t)VALUE(edge))
MASS_POSITIONS(specks, AXES, float)
MASS_AGENT_ATTRIBUTE(specks, uint64_t, trail)
MASS_AGENT_ATTRIBUTE(specks, float, sight)
MASS_AGENT_VECTOR(specks, trail_three, double, from)
MASS_AGENT_VECTOR(specks, trail_three, double, by)
MASS_AGENT_ATTRIBUTE(specks, int32_t, moved)
MASS_POPULATION(motes, dish, .count = VALUE(motes), .at_edge = (uint32_t)VALUE(edge))
MASS_POSITIONS(motes, AXES, double)
MASS_AGENT_ATTRIBUTE(motes, uint64_t, trail)
MASS_AGENT_ATTRIBUTE(motes, float, sight)
MASS_AGENT_VECTOR(motes, trail_three, double, from)
MASS_AGENT_VECTOR(motes, trail_three, double, by)
MASS_AGENT_ATTRIBUTE(motes, int32_t, moved)

/* A step along an axis: of any size, from nothing to many lengths, and to the ends. */
MASS_FN double a_step(mass_random4 r, double cell, double length, double at)
{
    const double unit = mass_unit_f64(r.v[0], r.v[1]) - 0.5;
    switch (r.v[2] % 10) {
    case 0: return 0;
    case 1: return unit * 1e-30;
    case 2: return length - at;
    case 3: return -at - 1e-20;
    case 4: return unit * length * 999;
    case 5: return cell * (double)((int64_t)(r.v[3] % 5) - 2);
    case 6: return length * 0.5;
    default: return unit * cell * 3;
    }
}
#define STEP_X_(at) a_step(RANDOM(1), PARAM(cell), (double)SIZE_X * PARAM(cell), (at))
#define STEP_Y_(at) a_step(RANDOM(2), PARAM(cell), (double)SIZE_Y * PARAM(cell), (at))
#define STEP_Z_(at) a_step(RANDOM(3), PARAM(cell), (double)SIZE_Z * PARAM(cell), (at))

MASS_AGENT(points_roam, specks, AXES, READS(position), WRITES(from, by, moved, sight), GIVEN(cell, sight, edge))
{
    const mass_random4 r = RANDOM(0);
    const mass_point_double_3 at = MASS_THREE_OF_(IN(position));
    trail_three from = {at.x, at.y, at.z}, by = {STEP_X_(at.x), STEP_Y_(at.y), STEP_Z_(at.z)};
    OUT(from) = from;
    OUT(by) = by;
    OUT(sight) = (float)(PARAM(sight) * PARAM(cell) * mass_unit_f64(r.v[2], r.v[3]));
    OUT(moved) = 1 + (int32_t)(r.v[0] % 3);
    if (OUT(moved) == 1) MOVE_BY(ALONG_(by.x, by.y, by.z));
    else if (OUT(moved) == 2) MOVE_TO(ALONG_(from.x + by.x, from.y + by.y, from.z + by.z));
    if (r.v[1] % 11 == 0) {
        SPAWN(2);
        if (PARAM(edge) != MASS_REFUSES) CHILD_AT(1, ALONG_(from.x + by.x, from.y + by.y, from.z + by.z));
    } else if (r.v[1] % 11 < 3) KILL();
}

MASS_AGENT(points_drift, motes, AXES, READS(position), WRITES(from, by, moved, sight), GIVEN(cell, sight))
{
    const mass_random4 r = RANDOM(0);
    const mass_point_double_3 at = MASS_THREE_OF_(IN(position));
    trail_three from = {at.x, at.y, at.z}, by = {STEP_X_(at.x), STEP_Y_(at.y), STEP_Z_(at.z)};
    OUT(from) = from;
    OUT(by) = by;
    OUT(sight) = (float)(PARAM(sight) * PARAM(cell) * mass_unit_f64(r.v[2], r.v[3]));
    OUT(moved) = 1 + (int32_t)(r.v[0] % 3);
    if (OUT(moved) == 1) MOVE_BY(ALONG_(by.x, by.y, by.z));
    else if (OUT(moved) == 2) MOVE_TO(ALONG_(from.x + by.x, from.y + by.y, from.z + by.z));
}

/* Floats see floats in floats, and doubles in doubles. Reads of `sight` say what others had in this phase. */
MASS_AGENT(points_look, (specks, motes), AXES, READS(position, sight), WITHIN(specks), WITHIN(motes),
           NEARBY(AS(sight_of, sight)), WRITES(trail))
{
    uint64_t trail = AGENT_ID;
    float sum = 0;
    EACH_WITHIN(o, specks, IN(sight)) {
        trail = trail_mix(trail, ID_OF(o), mass_bits_f32(AWAY_2(o)));
        sum += AWAY_X(o) * OF(sight_of, o);
        if (IS_AHEAD(o, 0.5, ALONG_(1, 0, 0))) trail += 77;
    }
    trail = trail_mix(trail, 1, mass_bits_f32(sum));
    EACH_WITHIN(m, motes, IN(sight)) {
        if (ID_OF_IN(motes, m) % 4 == 0) continue;
        trail = trail_mix(trail, ID_OF_IN(motes, m), mass_bits_f64(AWAY_2(m)) + mass_bits_f64(AWAY_X(m)));
        if (ID_OF_IN(motes, m) % 64 == 1) break;
    }
    EACH_NEAREST(n, specks, 3, IN(sight)) trail = trail_mix(trail, ID_OF(n), mass_bits_f32(AWAY_X(n)));
    EACH_NEAREST(n, motes, 1, IN(sight)) trail = trail_mix(trail, ID_OF_IN(motes, n), mass_bits_f64(AWAY_2(n)));
    OUT(trail) = trail;
}

MASS_AGENT(points_look_back, (motes, specks), AXES, READS(position, sight), WITHIN(motes), WITHIN(specks),
           WRITES(trail))
{
    uint64_t trail = AGENT_ID;
    double sum = 0;
    EACH_WITHIN(o, motes, IN(sight)) sum += AWAY_2(o);
    trail = trail_mix(trail, 2, mass_bits_f64(sum));
    EACH_WITHIN(o, specks, IN(sight)) trail = trail_mix(trail, ID_OF_IN(specks, o), mass_bits_f64(AWAY_X(o)));
    EACH_NEAREST(n, specks, 2, IN(sight)) trail = trail_mix(trail, ID_OF_IN(specks, n), mass_bits_f64(AWAY_2(n)));
    OUT(trail) = trail;
}

MASS_SCHEDULE(STEPS(points_roam), STEPS(points_drift), MANAGES(specks), MANAGES(motes),
              STEPS(points_look, .reach = CELLS(dish, VALUE(sight) * VALUE(cell))),
              STEPS(points_look_back, .reach = CELLS(dish, VALUE(sight) * VALUE(cell))))
