/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn. Hunters walk, see and change places, change each other, kill prey and each other, move, bear children
 * and die, each at once. After the last step, a plain program does all of it again (plain.c). */
#include <mass/model.h>

#include "../first_agents.h"
#include "turn.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, hunters, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, prey, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, seats, 1, 0, 100, "of hunters on a place; 0: any number")
MASS_PARAMETER(int64_t, prey_seats, 0, 0, 100, "of prey on a place; 0: any number")
MASS_PARAMETER(int64_t, radius, 1, 0, 6, "of bodies: 0, 1, 2, 3 or 6")
MASS_PARAMETER(int64_t, far, 1, -1, 6, "how far they walk")
MASS_PARAMETER(int64_t, fertile, 6, 1, 1000000, "one of so many has children")
MASS_PARAMETER(int64_t, deadly, 9, 1, 1000000, "one of so many kills, and one dies")
MASS_PARAMETER(int64_t, gated, 0, 0, 1, "1: no turns in every third step")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")
MASS_PARAMETER(int64_t, odd, 0, 0, 10, "a body goes beyond its radius or a range, or names nobody; requests come first")

MASS_SPACE_OF(field, 1, 3, .size = {12, 9}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, sign, .initial = &(const int32_t){7})
MASS_ATTRIBUTE(field, int64_t, grass, .initial = &(const int64_t){3}, .most = 1000000)
MASS_ATTRIBUTE(field, bool, wet)
MASS_WORLD_ATTRIBUTE(int64_t, open, .initial = 1)
MASS_WORLD_ARRAY(int64_t, words, 1, .help = "drawn in this step: they tell the number of the world")

MASS_TALLY(SUM, int64_t, met, "what all bodies met")
MASS_TALLY(MAX, int64_t, most, "agents nearby")
MASS_TALLY(SUM, double, mean, "a real number", .initial = 0)
MASS_TALLY(SUM, int64_t, born, "hunters", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "hunters", .cumulative = 1)
MASS_TALLY(SUM, int64_t, unborn, "hunters", .cumulative = 1)
MASS_TALLY(SUM, int64_t, eaten, "prey", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alive, "hunters")

MASS_POPULATION(hunters, field, .initial = MASS_BY_LOAD, .capacity = (uint32_t)VALUE(seats), .children = TURN_CHILDREN,
                .born = "born", .died = "died", .unborn = "unborn", .alive = "alive")
MASS_AGENT_ATTRIBUTE(hunters, int32_t, energy, .initial = &(const int32_t){100})
MASS_AGENT_ATTRIBUTE(hunters, uint64_t, trail)
MASS_POPULATION(prey, field, .initial = MASS_BY_LOAD, .capacity = (uint32_t)VALUE(prey_seats), .died = "eaten")
MASS_AGENT_ATTRIBUTE(prey, int16_t, weight, .initial = &(const int16_t){5}, .most = 30000)

/* Bodies of several radii are the same. */
#define TURN_BODY(NAME, RADIUS)                                                                                       \
    MASS_IN_TURN(NAME, (hunters, prey), 0, RADIUS, UPDATES(trail, energy), SEES(sign),                                \
                 ALTERS(grass, wet), CHANGES(AS(its, energy), AS(path, trail)), CHANGES(FROM(prey, weight)),          \
                 GIVEN(far, fertile, deadly, odd), SUMS(met, mean), MAXES(most), TOTALS(AS(before, alive)))           \
    {                                                                                                                 \
        const mass_random4 w = RANDOM(0), v = RANDOM(1), u = RANDOM(2);                                               \
        const int x = turn_offset(w.v[0], RADIUS), y = turn_offset(w.v[1], RADIUS), z = turn_offset(w.v[2], RADIUS);  \
        const int64_t far = PARAM(far), before = COUNT_NEARBY(far);                                                   \
        uint64_t trail = OUT(trail) + (uint64_t)TOTAL(before);                                                        \
        EACH_NEARBY(o, far) trail = turn_mix(trail, ID_OF(o), OF(its, o), o.dx, o.dy, o.dz);                          \
        EACH_NEARBY_OF(prey, o, far) trail = turn_mix(trail, ID_OF_IN(prey, o), OF(weight, o)++, o.dx, o.dy, o.dz);   \
        trail = trail * 3 + (uint64_t)(SEE(sign, x, y, z) + THERE(grass, y, x, z)) + (uint64_t)THERE(wet, x, x, z);   \
        trail = trail * 3 + COUNT_AT(x, z, y) + COUNT_NEARBY_OF(prey, far) * 17 + (uint64_t)EXISTS(x, y, z);          \
        THERE(grass, x, y, z) += 1 + (int64_t)(trail % 5);                                                            \
        THERE(wet, y, y, y) = (trail >> 7 & 1) != 0;                                                                  \
        const mass_peer one = ONE_NEARBY(far, 3), near = NEAREST(far), food = ONE_NEARBY_OF(prey, far, 4);            \
        if (IS_ANYBODY(one)) {                                                                                        \
            OF(its, one) += 3;                                                                                        \
            OF(path, one) ^= trail;                                                                                   \
            OUT(energy) -= 3;                                                                                         \
        }                                                                                                             \
        if (IS_ANYBODY(food) && v.v[0] % 4 == 0) {                                                                    \
            OUT(energy) += OF(weight, food);                                                                          \
            KILL_NEARBY_OF(prey, food);                                                                               \
            trail += (uint64_t)IS_DEAD_OF(prey, food) + (uint64_t)OF(weight, food);                                   \
        }                                                                                                             \
        if (IS_ANYBODY(near) && v.v[1] % (uint32_t)PARAM(deadly) == 0) KILL_NEARBY(near);                             \
        trail += 5 * (uint64_t)MOVE(x, y, z);                                                                         \
        if (v.v[2] % (uint32_t)PARAM(fertile) == 0)                                                                   \
            for (int k = 0; k < TURN_CHILDREN; k++) {                                                                 \
                const mass_peer child = BEAR(k ? z : 0, k ? x : 0, k ? y : 0);                                        \
                trail = trail * 2 + (uint64_t)IS_ANYBODY(child);                                                      \
                if (IS_ANYBODY(child)) OF(its, child) = OUT(energy) / 2 + k;                                          \
            }                                                                                                         \
        EACH_NEARBY(o, far) trail = turn_mix(trail, ID_OF(o), OF(its, o), o.dx, o.dy, o.dz);                          \
        trail += 7 * (uint64_t)MOVE(turn_offset(u.v[0], RADIUS), turn_offset(u.v[1], RADIUS),                         \
                                    turn_offset(u.v[2], RADIUS));                                                     \
        if (u.v[3] % (uint32_t)PARAM(deadly) == 1) {                                                                  \
            DIE();                                                                                                    \
            trail += 11 * (uint64_t)MOVE(0, 0, 0) + 13 * (uint64_t)IS_ANYBODY(BEAR(0, 0, 0)) + COUNT_NEARBY(far);     \
        }                                                                                                             \
        if (PARAM(odd) == 1) trail += (uint64_t)SEE(sign, 1 + RADIUS, 0, 0);                                          \
        if (PARAM(odd) == 2) THERE(grass, 0, -1 - RADIUS, 0) = 1000;                                                  \
        if (PARAM(odd) == 3) trail += (uint64_t)MOVE(2 + RADIUS, 0, 0);                                               \
        if (PARAM(odd) == 4) trail += (uint64_t)IS_ANYBODY(BEAR(0, 9, 0));                                            \
        if (PARAM(odd) == 5) trail += (uint64_t)OF(its, NOBODY);                                                      \
        if (PARAM(odd) == 6) trail += COUNT_AT(7, 0, 0);                                                              \
        if (PARAM(odd) == 9) THERE(grass, 0, 0, 0) = -1;                                                              \
        if (PARAM(odd) == 10 && IS_ANYBODY(food)) OF(weight, food) = -1;                                              \
        OUT(trail) = trail;                                                                                           \
        ADD(met, (int64_t)(trail % 1000));                                                                            \
        ADD(mean, (double)(trail % 1000) / 3);                                                                        \
        MOST(most, before);                                                                                           \
    }
TURN_BODY(turn_0, 0)
TURN_BODY(turn_1, 1)
TURN_BODY(turn_2, 2)
TURN_BODY(turn_3, 3)
TURN_BODY(turn_6, 6)

/* Any body over agents may make requests; this one makes none. */
MASS_AGENT(turn_ask, prey, 0, UPDATES(weight)) { OUT(weight) = (int16_t)(OUT(weight) + 0); }

MASS_ONCE(turn_gate, WRITES(open, words), GIVEN(gated))
{
    const mass_random4 r = RANDOM(7);
    OUT(open) = PARAM(gated) == 0 || STEP % 3 != 0;
    OUT_AT(words, 0) = (int64_t)((uint64_t)r.v[0] << 32 | r.v[1]);
}

/* Every ghost shows what the phase in turn left: a stencil reads them. */
MASS_STENCIL(turn_shift, 0, 1, READS(grass), WRITES(sign))
{
    OUT(sign) = (int32_t)((NEAR(grass, -1, 0, 0) * 3 + NEAR(grass, 1, 0, 0) + IN(grass)) % 1009);
}

#define OPEN .condition = &(const mass_condition){.tally = "open", .relation = MASS_AT_LEAST, .value = 1}
MASS_SCHEDULE(STEPS(turn_gate), IF(VALUE(odd) == 7 || VALUE(odd) == 8, STEPS(turn_ask)),
              IF(VALUE(odd) == 8, MANAGES(prey)),
              IF(VALUE(radius) == 0, STEPS(turn_0, OPEN)),
              IF(VALUE(radius) == 1, STEPS(turn_1, OPEN)), IF(VALUE(radius) == 2, STEPS(turn_2, OPEN)),
              IF(VALUE(radius) == 3, STEPS(turn_3, OPEN)),
              IF(VALUE(radius) == 6, STEPS(turn_6, OPEN)), STEPS(turn_shift))

#if MASS_HOST

static mass_status turn_load(mass_host *host)
{
    const mass_status status = add_first_agents(host, "field", "hunters", VALUE(hunters), VALUE(seats), turn_place);
    if (status != MASS_OK) return status;
    return add_first_agents(host, "field", "prey", VALUE(prey), VALUE(prey_seats), turn_place);
}

#endif

MASS_PLUGIN(.name = "turn", .version = "1.0.0", .help = "agents in turn", .load = turn_load, .finish = turn_compare);
