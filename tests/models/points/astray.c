/* SPDX-License-Identifier: Apache-2.0 */
/* Astray: agents with positions that ask for places, or for points that are none, in one step. Another model with the
 * same moves that asks for neither ends with the same state. */
#include <mass/model.h>

enum { MIGRATES = 1, MIGRATES_TO = 2, BEARS_AT_PLACE = 4, MOVES_TO_NAN = 8, BEARS_AT_INFINITY = 16, SEES_AT_NAN = 32,
       SCATTERS_AT_INFINITY = 64 };

MASS_PARAMETER(int64_t, asks, 0, 0, 127, "what is asked for, added up")
MASS_PARAMETER(int64_t, when, 0, 0, 1000, "the step in which it is; 0: never")

MASS_SPACE(dish, 2, .size = {7, 6}, .torus = MASS_AXES_ALL, .cell = 2)
MASS_ATTRIBUTE(dish, float, haze)
MASS_ATTRIBUTE(dish, int32_t, dust)
MASS_POPULATION(specks, dish, .count = 50, .children = 1)
MASS_POSITIONS(specks, 2, float)

MASS_AGENT(astray_move, specks, 2, READS(position), GIVEN(asks, when))
{
    const mass_random4 r = RANDOM(0);
    const int64_t asks = (int64_t)STEP == PARAM(when) ? PARAM(asks) : 0;
    const float nan = mass_f32_bits(0x7fc00000u), infinity = mass_f32_bits(0x7f800000u);
    if (AGENT_ID % 2) MOVE_BY(mass_unit_f32(r.v[0]) - 0.5f, mass_unit_f32(r.v[1]) - 0.5f);
    if (r.v[2] % 8 == 0) SPAWN(1);
    if (r.v[3] % 9 == 0) KILL();
    if (asks & MIGRATES) MIGRATE(2, -1);
    if (asks & MIGRATES_TO) MIGRATE_TO(3, 3);
    if (asks & BEARS_AT_PLACE) CHILD_TO(0, 1, 0);
    if (asks & MOVES_TO_NAN) MOVE_TO(IN(position).x, nan);
    if (asks & BEARS_AT_INFINITY) CHILD_AT(0, infinity, 0);
}

/* It lists no positions, and asks for places all the same. */
MASS_AGENT(astray_jump, specks, 2, GIVEN(asks, when))
{
    if ((int64_t)STEP == PARAM(when) && PARAM(asks) & MIGRATES) MIGRATE(0, 1);
}

/* It sees 0, and scatters nothing. Only at an infinity it scatters 2, which is nowhere. */
MASS_AGENT(astray_look, specks, 2, READS(position), SEES(haze), SCATTERS(dust), GIVEN(asks, when))
{
    const int64_t asks = (int64_t)STEP == PARAM(when) ? PARAM(asks) : 0;
    const float nan = mass_f32_bits(0x7fc00000u), infinity = mass_f32_bits(0x7f800000u);
    const double seen = SEE_AT(haze, IN(position).x, asks & SEES_AT_NAN ? nan : IN(position).y);
    SCATTER_AT(dust, seen > 1 ? 1 : asks & SCATTERS_AT_INFINITY ? 2 : 0,
               asks & SCATTERS_AT_INFINITY ? infinity : IN(position).x, IN(position).y);
}

MASS_SCHEDULE(STEPS(astray_move), STEPS(astray_jump), STEPS(astray_look, .reach = 2), MANAGES(specks))
MASS_PLUGIN(.name = "astray", .version = "1.0.0", .help = "agents with positions that ask for places");
