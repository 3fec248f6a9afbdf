/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn that see farther than they meet, and meet farther than they change; or do all that along the axes
 * alone. After the last step, a plain program does all of it again (plain.c). */
#include <mass/model.h>

#include "../first_agents.h"
#include "scope.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, ants, 60, 0, 1000000, "at the start")
MASS_PARAMETER(int64_t, seats, 1, 0, 9, "of a place; 0: any number")
MASS_PARAMETER(int64_t, sees, 4, 1, 4, "how far they see")
MASS_PARAMETER(int64_t, meets, 2, 0, 4, "how far they meet each other")
MASS_PARAMETER(int64_t, changes, 1, 0, 4, "how far they change something, at most as far as they meet")
MASS_PARAMETER(int64_t, axes, 0, 0, 1, "1: along the axes alone")
MASS_PARAMETER(int64_t, looks, 0, 0, 1, "1: they see the attribute that they alter")
MASS_PARAMETER(int64_t, odd, 0, 0, 6, "a body goes too far")
MASS_PARAMETER(int64_t, compared, 1, 0, 1, "1: the last state must be that of a plain program, which is slow")

MASS_SPACE_OF(field, 1, 3, .size = {20, 15}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int32_t, height)
MASS_ATTRIBUTE(field, int64_t, grass, .initial = &(const int64_t){3})
MASS_TALLY(SUM, int64_t, met, "what all bodies met")
MASS_TALLY(SUM, int64_t, died, "ants", .cumulative = 1)
MASS_POPULATION(ants, field, .initial = MASS_BY_LOAD, .capacity = (uint32_t)VALUE(seats), .children = 1,
                .died = "died")
MASS_AGENT_ATTRIBUTE(ants, uint64_t, trail)
MASS_AGENT_ATTRIBUTE(ants, int32_t, strength, .initial = &(const int32_t){40})

MASS_MAP(scope_rise, WRITES(height)) { OUT(height) = (int32_t)((AT_X * 31 + AT_Y * 17 + AT_Z * 5) % 97); }

#define SCOPE_BODY(NAME, SEEN, ...)                                                                                \
    MASS_IN_TURN(NAME, ants, 0, 4, UPDATES(trail, strength), NEARBY(AS(force, strength)), CHANGES(AS(path, trail)), \
                 ALTERS(grass), GIVEN(sees, meets, changes, axes, odd), SUMS(met), __VA_ARGS__)                    \
    {                                                                                                              \
        const mass_random4 v = RANDOM(0), u = RANDOM(1);                                                           \
        const int64_t axes = PARAM(axes), meets = PARAM(meets), changes = PARAM(changes);                          \
        const scope_step far = scope_offset(v.v[0], PARAM(sees), axes), by = scope_offset(v.v[1], meets, axes);     \
        const scope_step at = scope_offset(v.v[2], changes, axes), to = scope_offset(v.v[3], changes, axes);        \
        uint64_t trail = OUT(trail) * 3 + (uint64_t)SEE(height, far.x, far.y, far.z);                              \
        trail = trail * 3 + (uint64_t)(SEEN);                                                                      \
        EACH_NEARBY(o, meets) trail = scope_mix(trail, OF(force, o), o.dx, o.dy, o.dz);                             \
        EACH_AT(o, by.x, by.y, by.z) trail = scope_mix(trail, OF(force, o), o.dx, o.dy, o.dz);                      \
        trail += 5 * COUNT_AT(by.x, by.y, by.z);                                                                   \
        const mass_peer one = ONE_AT(3, at.x, at.y, at.z);                                                         \
        if (IS_ANYBODY(one)) OF(path, one) ^= trail;                                                               \
        if (IS_ANYBODY(one) && u.v[0] % 4 == 0) KILL_NEARBY(one);                                                  \
        THERE(grass, to.x, to.y, to.z) += (int64_t)(trail % 7);                                                    \
        trail += 7 * (uint64_t)MOVE(to.x, to.y, to.z);                                                             \
        if (u.v[1] % 6 == 0) {                                                                                     \
            const mass_peer child = BEAR(at.x, at.y, at.z);                                                        \
            if (IS_ANYBODY(child)) OF(path, child) = trail;                                                        \
        }                                                                                                          \
        if (u.v[2] % 16 == 0) DIE();                                                                               \
        OUT(strength) = (int32_t)(trail % 50);                                                                     \
        OUT(trail) = trail;                                                                                        \
        ADD(met, (int64_t)(trail % 1000));                                                                         \
        if (PARAM(odd) == 1) THERE(grass, 2, 0, 0) = 0;                                                            \
        if (PARAM(odd) == 2) MOVE(0, 2, 0);                                                                        \
        if (PARAM(odd) == 3) OUT(strength) = (int32_t)COUNT_AT(3, 0, 0);                                           \
        if (PARAM(odd) == 4) EACH_NEARBY(o, 2) OF(path, o) = 0;                                                    \
        if (PARAM(odd) == 5) OUT(strength) = SEE(height, 1, 1, 0);                                                 \
        if (PARAM(odd) == 6) EACH_AT(o, 0, 3, 0) OUT(strength) = 1;                                                \
    }
SCOPE_BODY(scope_act, 0, SEES(height))
SCOPE_BODY(scope_look, SEE(grass, far.y, far.x, far.z), SEES(height, grass))

#define DISTANCE(name) VALUE(name) ? (int32_t)VALUE(name) : MASS_OWN_PLACE

#define SCOPE .reach = (int32_t)VALUE(sees), .meets = DISTANCE(meets), .changes = DISTANCE(changes), \
              .shape = VALUE(axes) ? MASS_AXES : MASS_SQUARE
MASS_SCHEDULE(STARTS(scope_rise), IF(!VALUE(looks), STEPS(scope_act, SCOPE)),
              IF(VALUE(looks), STEPS(scope_look, SCOPE)))

#if MASS_HOST

static mass_status scope_load(mass_host *host)
{
    return add_first_agents(host, "field", "ants", VALUE(ants), VALUE(seats), scope_place);
}

#endif

MASS_PLUGIN(.name = "scope", .version = "1.0.0", .help = "agents that see farther than they change",
            .load = scope_load, .finish = scope_compare);
