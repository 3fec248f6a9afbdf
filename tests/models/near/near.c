/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that see others nearby: those of their own population and of another, in callbacks over agents, refused
 * agents, residents and occupied places. Ants may share a place; bees are alone on theirs. They move, are born and
 * die. After the last step, a plain program does that step's walks again (reference.c). */
#include <mass/model.h>

#include "near.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, ants, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, bees, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, reach, 2, 0, 1024, "of phases over agents")
MASS_PARAMETER(int64_t, far, 2, -1, 2000, "how far they walk")
MASS_PARAMETER(int64_t, odd, 0, 0, 2, "1: a body names nobody, 2: an agent that no walk has given")

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, uint64_t, met)
MASS_ATTRIBUTE(field, uint64_t, stayed)
MASS_ATTRIBUTE(field, uint64_t, words)

MASS_POPULATION(ants, field, .count = VALUE(ants), .children = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(ants, int32_t, value)
MASS_AGENT_ATTRIBUTE(ants, int32_t, was)
MASS_AGENT_ATTRIBUTE(ants, uint64_t, trail)
MASS_AGENT_ATTRIBUTE(ants, int32_t, wealth, .initial = &(const int32_t){100})
MASS_AGENT_ATTRIBUTE(ants, int32_t, wealth_was)
MASS_AGENT_ATTRIBUTE(ants, int64_t, got)
MASS_AGENT_ATTRIBUTE(ants, int64_t, got_was)
MASS_AGENT_ATTRIBUTE(ants, uint64_t, words)
MASS_POPULATION(bees, field, .count = VALUE(bees), .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(bees, int32_t, value)
MASS_AGENT_ATTRIBUTE(bees, int32_t, was)
MASS_AGENT_ATTRIBUTE(bees, uint64_t, trail)
MASS_AGENT_ATTRIBUTE(bees, uint32_t, got)
MASS_AGENT_ATTRIBUTE(bees, uint32_t, got_was)

MASS_AGENT(near_move_ants, ants, 0, UPDATES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (OUT(value) + (int32_t)(r.v[3] % 100)) % NEAR_MODULUS;
    if (r.v[3] % 23 == 0) SPAWN(1);
    else if (r.v[3] % 23 == 1) KILL();
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_AGENT(near_move_bees, bees, 0, UPDATES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (OUT(value) + (int32_t)(r.v[3] % 100)) % NEAR_MODULUS;
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
}

MASS_AGENT(near_note_ants, ants, 0, READS(value, wealth, got), WRITES(was, wealth_was, got_was, trail))
{
    OUT(was) = IN(value);
    OUT(wealth_was) = IN(wealth);
    OUT(got_was) = IN(got);
    OUT(trail) = AGENT_ID;
}

MASS_AGENT(near_note_bees, bees, 0, READS(value, got), WRITES(was, got_was, trail))
{
    OUT(was) = IN(value);
    OUT(got_was) = IN(got);
    OUT(trail) = AGENT_ID;
}

/* Ants see both, give to one of each, and change what others read. */
MASS_AGENT(near_look, (ants, bees), 0, UPDATES(value, trail, wealth), WRITES(words),
           NEARBY(value, FROM(bees, bee, value)), ADDS(got, AS(gift, wealth), FROM(bees, pollen, got)), GIVEN(far, odd))
{
    const int64_t r = PARAM(far);
    uint64_t trail = OUT(trail), count = 0;
    EACH_NEARBY(o, r)
    {
        if (count == 50) break;
        trail = near_mix(trail, ID_OF(o), OF(value, o), o.dx, o.dy, o.dz);
        count++;
    }
    EACH_NEARBY_OF(bees, o, r)
    {
        if (OF(bee, o) % 5 == 0) continue;
        trail = near_mix(trail, ID_OF_IN(bees, o), OF(bee, o), o.dx, o.dy, o.dz);
    }
    trail = near_mix(trail, COUNT_NEARBY(r), COUNT_NEARBY_OF(bees, r), 0, 0, 0);
    const mass_other near = NEAREST(r), bee = NEAREST_OF(bees, r);
    if (IS_ANYBODY(near)) trail = near_mix(trail, ID_OF(near), OF(value, near), near.dx, near.dy, near.dz);
    if (IS_ANYBODY(bee)) {
        trail = near_mix(trail, ID_OF_IN(bees, bee), OF(bee, bee), bee.dx, bee.dy, bee.dz);
        ADD_TO(pollen, bee, 3);
    }
    const mass_other one = ONE_NEARBY(r, NEAR_DRAW);
    if (IS_ANYBODY(one)) {
        trail = near_mix(trail, ID_OF(one), OF(value, one), one.dx, one.dy, one.dz);
        ADD_TO(got, one, OUT(value) - 50000);
        ADD_TO(gift, one, 1);
        OUT(wealth) -= 1;
    }
    if (PARAM(odd)) {
        const mass_other odd = {PARAM(odd) == 1 ? MASS_NOBODY : 1, PARAM(odd) == 1 ? 0 : 30000, 0, 0};
        trail = near_mix(trail, 1, OF(value, odd), 0, 0, 0);
        ADD_TO(got, odd, 1);
    }
    const mass_random4 words = RANDOM(NEAR_DRAW);
    OUT(words) = (uint64_t)words.v[0] << 32 | words.v[1];
    OUT(trail) = trail;
    OUT(value) = near_next(OUT(value), trail);
}

MASS_AGENT(near_hunt, (bees, ants), 0, UPDATES(value, trail), NEARBY(value), NEARBY(FROM(ants, prey, value)),
           ADDS(got), GIVEN(far))
{
    const int64_t r = PARAM(far);
    uint64_t trail = OUT(trail);
    EACH_NEARBY(o, r) trail = near_mix(trail, ID_OF(o), OF(value, o), o.dx, o.dy, o.dz);
    EACH_NEARBY_OF(ants, o, r)
    {
        trail = near_mix(trail, ID_OF_IN(ants, o), OF(prey, o), o.dx, o.dy, o.dz);
        EACH_NEARBY(other, 1) trail += (uint64_t)OF(value, other) + (uint64_t)OF(prey, o);
    }
    EACH_NEARBY(o, 1) ADD_TO(got, o, 7);
    OUT(trail) = trail + COUNT_NEARBY(0);
    OUT(value) = near_next(OUT(value), trail);
}

MASS_REFUSED(near_again, (bees, ants), 0, UPDATES(trail), NEARBY(value), NEARBY(FROM(ants, prey, value)),
             ADDS(FROM(ants, got)))
{
    uint64_t trail = OUT(trail);
    EACH_NEARBY(o, 1) trail = near_mix(trail, ID_OF(o), OF(value, o), o.dx, o.dy, o.dz);
    EACH_NEARBY_OF(ants, o, 1)
    {
        trail = near_mix(trail, 5, OF(prey, o), o.dx, o.dy, o.dz);
        ADD_TO(got, o, (int64_t)1 << 40);
    }
    OUT(trail) = trail;
}

/* Old and new values of one attribute: of handles those from before the phase, of residents the present ones. */
MASS_RESIDENTS(near_meet, (ants, bees), 0, NEAR_RADIUS, WRITES(met, words), CHANGES(value), NEARBY(value),
               NEARBY(FROM(bees, bee, value)), ADDS(FROM(bees, got)))
{
    uint64_t trail = 0;
    EACH_RESIDENT(a) OF(value, a) = (OF(value, a) + 1) % NEAR_MODULUS;
    EACH_NEARBY(o, NEAR_RADIUS) trail = near_mix(trail, ID_OF(o), OF(value, o), o.dx, o.dy, o.dz);
    EACH_NEARBY_OF(bees, o, 1) trail = near_mix(trail, ID_OF_IN(bees, o), OF(bee, o), o.dx, o.dy, o.dz);
    const mass_other one = ONE_NEARBY_OF(bees, NEAR_RADIUS, NEAR_DRAW);
    if (IS_ANYBODY(one)) {
        trail = near_mix(trail, ID_OF_IN(bees, one), OF(bee, one), one.dx, one.dy, one.dz);
        ADD_TO(got, one, 11);
    }
    const mass_random4 words = RANDOM(NEAR_DRAW);
    OUT(words) = (uint64_t)words.v[0] << 32 | words.v[1];
    OUT(met) = trail + COUNT_NEARBY(1) * 1000;
    EACH_RESIDENT(a) OF(value, a) = near_next(OF(value, a), trail);
}

MASS_OCCUPIED(near_stay, (bees, ants), 0, NEAR_STAY_RADIUS, UPDATES(stayed), NEARBY(FROM(ants, value)))
{
    EACH_NEARBY_OF(ants, o, NEAR_STAY_RADIUS)
        OUT(stayed) = near_mix(OUT(stayed), ID_OF_IN(ants, o), OF(value, o), o.dx, o.dy, o.dz);
}

MASS_SCHEDULE(STEPS(near_move_ants), MANAGES(ants), STEPS(near_move_bees), MANAGES(bees), STEPS(near_note_ants),
              STEPS(near_note_bees), STEPS(near_look, .reach = (int32_t)VALUE(reach)),
              STEPS(near_hunt, .reach = (int32_t)VALUE(reach)), STEPS(near_again, .reach = 1), STEPS(near_meet),
              STEPS(near_stay))

MASS_PLUGIN(.name = "near", .version = "1.0.0", .help = "agents that see others nearby", .finish = near_compare);
