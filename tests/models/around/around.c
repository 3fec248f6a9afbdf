/* SPDX-License-Identifier: Apache-2.0 */
/* Places that see agents around them, and have no population of their own, in maps and in stencils. And agents chosen
 * from those nearby by a value or by a condition. Ants may share a place; bees are alone on theirs. Nothing changes
 * values after the moves of a step, so a plain program does all of its walks again (reference.c). */
#include <mass/model.h>

#include "around.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, ants, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, bees, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, far, 2, -1, 9, "how far bodies walk")
MASS_PARAMETER(int64_t, odd, 0, 0, 2, "1: a body names nobody, 2: an agent that no walk has given")

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, heat)
MASS_ATTRIBUTE(field, uint64_t, first)
MASS_ATTRIBUTE(field, uint64_t, here)
MASS_ATTRIBUTE(field, uint64_t, seen)
MASS_ATTRIBUTE(field, uint64_t, words)
MASS_ATTRIBUTE(field, uint64_t, past)
MASS_ATTRIBUTE(field, uint8_t, open)
MASS_ATTRIBUTE(field, uint8_t, marked)
MASS_ATTRIBUTE(field, uint8_t, crowd)
MASS_TALLY(SUM, int64_t, marks, "places that are marked")
MASS_TALLY(SUM, int64_t, crowds, "ants around places, by how many", .bins = 4)

MASS_POPULATION(ants, field, .count = VALUE(ants), .children = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(ants, int32_t, value)
MASS_AGENT_ATTRIBUTE(ants, uint64_t, chosen)
MASS_AGENT_ATTRIBUTE(ants, uint64_t, words)
MASS_POPULATION(bees, field, .count = VALUE(bees), .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(bees, int32_t, value)

/* ---- before anybody looks ---- */

MASS_STENCIL(around_begin, 0, 1, WRITES(first), NEARBY_OF(bees), NEARBY_OF(ants))
{
    OUT(first) = COUNT_NEARBY_OF(ants, 1) * 1000 + COUNT_NEARBY_OF(bees, 0);
}

MASS_AGENT(around_move_ants, ants, 0, UPDATES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int32_t)(r.v[3] % 1000);
    if (r.v[2] % 23 == 0) SPAWN(1);
    else if (r.v[2] % 23 == 1) KILL();
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_AGENT(around_move_bees, bees, 0, UPDATES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int32_t)(r.v[3] % 1000);
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_MAP(around_warm, WRITES(heat, open))
{
    const mass_random4 r = RANDOM(0);
    OUT(heat) = (int32_t)(r.v[0] % 100);
    OUT(open) = r.v[1] % 3 == 0;
}

/* ---- those who look ---- */

MASS_MAP(around_here, WRITES(here), NEARBY_OF(ants, value))
{
    uint64_t trail = 0;
    EACH_NEARBY_OF(ants, o, 0) trail = around_mix(trail, ID_OF_IN(ants, o), OF(value, o), o.dx, o.dy, o.dz);
    OUT(here) = trail + COUNT_NEARBY_OF(ants, 0);
}

MASS_STENCIL(around_look, 0, AROUND_RADIUS, READS(heat), WRITES(seen, words), UPDATES(past),
             NEARBY_OF(ants, value), NEARBY_OF(bees, AS(bee, value)), GIVEN(far, odd))
{
    const int64_t r = PARAM(far);
    uint64_t trail = (uint64_t)(IN(heat) + NEAR(heat, -7, 0, 0) + NEAR(heat, 3, 0, 0)), count = 0;
    EACH_NEARBY(o, r)
    {
        if (count == 50) break;
        trail = around_mix(trail, ID_OF(o), OF(value, o), o.dx, o.dy, o.dz);
        count++;
    }
    EACH_NEARBY_OF(bees, o, r)
    {
        if (OF(bee, o) % 5 == 0) continue;
        trail = around_mix(trail, ID_OF_IN(bees, o), OF(bee, o), o.dx, o.dy, o.dz);
    }
    trail = around_mix(trail, COUNT_NEARBY_OF(ants, r), COUNT_NEARBY_OF(bees, r), 0, 0, 0);
    const mass_other near = NEAREST_OF(bees, r), one = ONE_NEARBY_OF(ants, r, AROUND_DRAW);
    if (IS_ANYBODY(near)) trail = around_mix(trail, ID_OF_IN(bees, near), OF(bee, near), near.dx, near.dy, near.dz);
    if (IS_ANYBODY(one)) trail = around_mix(trail, ID_OF_IN(ants, one), OF(value, one), one.dx, one.dy, one.dz);
    const mass_other least = LEAST_NEARBY_OF(ants, o, r, around_rank(OF(value, o)));
    const mass_other most = MOST_NEARBY_OF(bees, o, r, around_score(OF(bee, o), o.dx, o.dy));
    if (IS_ANYBODY(least))
        trail = around_mix(trail, ID_OF_IN(ants, least), OF(value, least), least.dx, least.dy, least.dz);
    if (IS_ANYBODY(most)) trail = around_mix(trail, ID_OF_IN(bees, most), OF(bee, most), most.dx, most.dy, most.dz);
    const mass_other odd_one = ONE_NEARBY_WHERE_OF(ants, o, r, AROUND_DRAW, OF(value, o) % 2);
    if (IS_ANYBODY(odd_one)) trail = around_mix(trail, ID_OF(odd_one), OF(value, odd_one), odd_one.dx, odd_one.dy, 0);
    if (PARAM(odd)) {
        const mass_other odd = {PARAM(odd) == 1 ? MASS_NOBODY : 1, PARAM(odd) == 1 ? 0 : 30000, 0, 0};
        trail = around_mix(trail, 1, OF(value, odd), 0, 0, 0);
    }
    const mass_random4 words = RANDOM(AROUND_DRAW);
    OUT(words) = (uint64_t)words.v[0] << 32 | words.v[1];
    OUT(past) += trail;
    OUT(seen) = trail;
}

/* Bytes that it looks at, and a sum. */
MASS_STENCIL(around_mark, 0, AROUND_SHORT, READS(open), WRITES(marked), NEARBY_OF(bees), SUMS(marks))
{
    const int bees = COUNT_NEARBY_OF(bees, 2) > 0;
    OUT(marked) = (NEAR(open, -1, 0, 0) ^ NEAR(open, 2, 0, 0) ^ bees) & 1;
    ADD(marks, OUT(marked));
}

/* Bytes that it only writes, and bins. */
MASS_STENCIL(around_crowd, 0, 1, WRITES(crowd), NEARBY_OF(ants), BINS(crowds))
{
    const uint32_t count = COUNT_NEARBY(1);
    OUT(crowd) = (uint8_t)count;
    COUNT_IN(crowds, count);
}

MASS_AGENT(around_choose, (ants, bees), 0, READS(value), WRITES(chosen, words), NEARBY(AS(theirs, value)),
           NEARBY_OF(bees, AS(bee, value)), GIVEN(far))
{
    const int64_t r = PARAM(far);
    uint64_t trail = AGENT_ID;
    const mass_other least = LEAST_NEARBY(o, r, around_score(OF(theirs, o), o.dx, o.dy));
    const mass_other most = MOST_NEARBY(o, r, (uint8_t)OF(theirs, o));
    if (IS_ANYBODY(least)) trail = around_mix(trail, ID_OF(least), OF(theirs, least), least.dx, least.dy, least.dz);
    if (IS_ANYBODY(most)) trail = around_mix(trail, ID_OF(most), OF(theirs, most), most.dx, most.dy, most.dz);
    const mass_other above =
        MOST_NEARBY_OF(bees, o, 2, IS_ANYBODY(ONE_NEARBY_WHERE(p, 1, 0, OF(theirs, p) < OF(bee, o))));
    if (IS_ANYBODY(above))
        trail = around_mix(trail, ID_OF_IN(bees, above), OF(bee, above), above.dx, above.dy, above.dz);
    const mass_other drawn = ONE_NEARBY_WHERE(o, r, AROUND_DRAW, OF(theirs, o) < IN(value));
    if (IS_ANYBODY(drawn)) trail = around_mix(trail, ID_OF(drawn), OF(theirs, drawn), drawn.dx, drawn.dy, drawn.dz);
    const mass_random4 words = RANDOM(AROUND_DRAW);
    OUT(words) = (uint64_t)words.v[0] << 32 | words.v[1];
    OUT(chosen) = trail;
}

MASS_SCHEDULE(STARTS(around_warm), STARTS(around_begin), STEPS(around_move_ants), MANAGES(ants),
              STEPS(around_move_bees), MANAGES(bees), STEPS(around_warm), STEPS(around_here), STEPS(around_look),
              STEPS(around_mark), STEPS(around_crowd), STEPS(around_choose, .reach = AROUND_RADIUS))

MASS_PLUGIN(.name = "around", .version = "1.0.0", .help = "places that see agents around them",
            .finish = around_compare);
