/* SPDX-License-Identifier: Apache-2.0 */
/* Sugarscape's rules, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

/* ---- the start ---- */

/* Square of the distance to a hill's top, in quarters of the space; the top is `quarters` along an axis. */
MASS_FN double square_to(mass_gidx at, mass_gidx size, int quarters)
{
    const double away = 4.0 * (double)at / (double)size - quarters, near = away < 0 ? -away : away;
    return near < 2 ? near * near : (4 - near) * (4 - near);
}

#define PLANT(FIELD)                                  \
    FIELD(most,      uint8_t, WRITE, most)            \
    FIELD(sugar,     uint8_t, WRITE, sugar)           \
    FIELD(sugar_max, int64_t, PARAM, sugar_max)       \
    FIELD(landscape, int64_t, PARAM, landscape)

/* Terraces of equal area around the hills' tops, or `sugar_max` everywhere. */
MASS_MAP(sugarscape_plant, PLANT)
{
    const double first = square_to(AT_X, SIZE_X, 3) + square_to(AT_Y, SIZE_Y, 1);
    const double second = square_to(AT_X, SIZE_X, 1) + square_to(AT_Y, SIZE_Y, 3);
    const double height = 1.0 - 0.5 * mass_min_f64(first, second);
    const int32_t most = (int32_t)PARAM(sugar_max), level = mass_i32_f64((most + 1) * mass_max_f64(height, 0));
    OUT(most) = (uint8_t)(PARAM(landscape) == 1 || level > most ? most : level);
    OUT(sugar) = OUT(most);
}

#define RANGES(FIELD)                                                                                           \
    FIELD(vision_min,     int64_t, PARAM, vision_min)     FIELD(vision_max,     int64_t, PARAM, vision_max)     \
    FIELD(metabolism_min, int64_t, PARAM, metabolism_min) FIELD(metabolism_max, int64_t, PARAM, metabolism_max) \
    FIELD(endowment_min,  int64_t, PARAM, endowment_min)  FIELD(endowment_max,  int64_t, PARAM, endowment_max)

MASS_FN int32_t between(int64_t least, int64_t most, uint32_t high, uint32_t low)
{
    return (int32_t)least + (int32_t)mass_below_u32((uint32_t)(most - least + 1), high, low);
}

/* What an ant is born with, when it is not a child of its parent's. */
#define ENDOW(VISION, METABOLISM, WEALTH)                                                              \
    do {                                                                                               \
        const mass_random4 r_ = RANDOM(0), s_ = RANDOM(1);                                             \
        VISION = (uint8_t)between(PARAM(vision_min), PARAM(vision_max), r_.v[0], r_.v[1]);             \
        METABOLISM = (uint8_t)between(PARAM(metabolism_min), PARAM(metabolism_max), r_.v[2], r_.v[3]); \
        WEALTH = between(PARAM(endowment_min), PARAM(endowment_max), s_.v[0], s_.v[1]);                \
    } while (0)

#define SETTLE(FIELD)                             \
    RANGES(FIELD)                                 \
    FIELD(vision,     uint8_t, WRITE, vision)     \
    FIELD(metabolism, uint8_t, WRITE, metabolism) \
    FIELD(wealth,     int32_t, WRITE, wealth)

MASS_AGENT(sugarscape_settle, SETTLE, 2)
{
    ENDOW(OUT(vision), OUT(metabolism), OUT(wealth));
}

/* ---- the step ---- */

#define GROW(FIELD)                            \
    FIELD(most,     uint8_t, READ,   most)     \
    FIELD(sugar,    uint8_t, UPDATE, sugar)    \
    FIELD(growback, int64_t, PARAM,  growback) \
    FIELD(grown,    int64_t, SUM,    grown)

MASS_MAP(sugarscape_grow, GROW)
{
    const int32_t room = IN(most) - OUT(sugar), growback = (int32_t)PARAM(growback);
    const int32_t grown = growback < room ? growback : room;
    OUT(sugar) = (uint8_t)(OUT(sugar) + grown);
    ADD(grown, grown);
}

/* Steps in x and y in the directions 0 right, 1 down, 2 left, 3 up. */
MASS_FN int ahead_x(int direction) { return direction == 0 ? 1 : direction == 2 ? -1 : 0; }
MASS_FN int ahead_y(int direction) { return direction == 1 ? 1 : direction == 3 ? -1 : 0; }

#define LOOK(FIELD)                         \
    FIELD(vision, uint8_t, READ,  vision)   \
    FIELD(sugar,  uint8_t, PLACE, sugar)

/* Asks for the best of the free places in sight, if it is better than its own: of equals the nearest, and of these
 * the one in the direction that drew the largest number. */
#define ASK_FOR_BEST                                                                                           \
    do {                                                                                                       \
        const mass_random4 drawn_ = RANDOM(0);                                                                 \
        uint64_t best_ = (uint64_t)SEE(sugar, 0, 0) << 32 | UINT32_MAX;                                        \
        int x_ = 0, y_ = 0;                                                                                    \
        for (int far_ = 1; far_ <= IN(vision); far_++) {                                                       \
            MASS_UNROLL_ for (int direction_ = 0; direction_ < 4; direction_++) {                              \
                const int dx_ = far_ * ahead_x(direction_), dy_ = far_ * ahead_y(direction_);                  \
                const uint64_t found_ = (uint64_t)SEE(sugar, dx_, dy_) << 32 | drawn_.v[direction_];           \
                if (found_ > best_ && CROWD(dx_, dy_) == 0) best_ = found_, x_ = dx_, y_ = dy_;                \
            }                                                                                                  \
            best_ |= UINT32_MAX; /* whatever is farther has to have more sugar */                              \
        }                                                                                                      \
        if (x_ | y_) MIGRATE(x_, y_);                                                                          \
    } while (0)

MASS_AGENT(sugarscape_look, LOOK, 2) { ASK_FOR_BEST; }

/* Who lost its place to another, and sees by now where the others have gone. */
MASS_AGENT(sugarscape_look_again, LOOK, 2)
{
    if (WAS_LOST) ASK_FOR_BEST;
}

#define EAT(FIELD)                                     \
    FIELD(sugar,  uint8_t, UPDATE,          sugar)     \
    FIELD(wealth, int32_t, RESIDENT_UPDATE, wealth)    \
    FIELD(eaten,  int64_t, SUM,             eaten)

MASS_RESIDENTS(sugarscape_eat, EAT, 2, 0)
{
    EACH_RESIDENT(ant) {
        OF(wealth, ant) += OUT(sugar);
        ADD(eaten, OUT(sugar));
        OUT(sugar) = 0;
    }
}

#define LIVE(FIELD)                                      \
    RANGES(FIELD)                                        \
    FIELD(replace,          int64_t, PARAM,  replace)    \
    FIELD(reproduce,        int64_t, PARAM,  reproduce)  \
    FIELD(vision,           uint8_t, READ,   vision)     \
    FIELD(metabolism,       uint8_t, READ,   metabolism) \
    FIELD(wealth,           int32_t, UPDATE, wealth)     \
    FIELD(child_vision,     uint8_t, CHILD,  vision)     \
    FIELD(child_metabolism, uint8_t, CHILD,  metabolism) \
    FIELD(child_wealth,     int32_t, CHILD,  wealth)     \
    FIELD(burnt,            int64_t, SUM,    burnt)      \
    FIELD(endowed,          int64_t, SUM,    endowed)

/* In one step all parents put their child into the same direction, so that no two ask for one place and
 * every birth that is asked for happens: what a parent gives, its child has. */
MASS_AGENT(sugarscape_live, LIVE, 2)
{
    const int32_t burnt = IN(metabolism) < OUT(wealth) ? IN(metabolism) : OUT(wealth);
    const int direction = (int)(STEP & 3), dx = ahead_x(direction), dy = ahead_y(direction);
    OUT(wealth) -= burnt;
    ADD(burnt, burnt);
    if (OUT(wealth) == 0) {
        KILL();
        if (!PARAM(replace)) return;
        SPAWN(1);
        ENDOW(CHILD(child_vision, 0), CHILD(child_metabolism, 0), CHILD(child_wealth, 0));
        ADD(endowed, CHILD(child_wealth, 0));
    } else if (PARAM(reproduce) > 0 && OUT(wealth) >= PARAM(reproduce) && CROWD(dx, dy) == 0) {
        SPAWN(1);
        CHILD_TO(0, dx, dy);
        CHILD(child_vision, 0) = IN(vision);
        CHILD(child_metabolism, 0) = IN(metabolism);
        CHILD(child_wealth, 0) = OUT(wealth) / 2;
        OUT(wealth) -= OUT(wealth) / 2;
    }
}

#define CENSUS(FIELD)                                \
    FIELD(sugar,      uint8_t, READ,     sugar)      \
    FIELD(wealth,     int32_t, RESIDENT, wealth)     \
    FIELD(ants,       int64_t, SUM,      ants)       \
    FIELD(sugar_here, int64_t, SUM,      sugar)      \
    FIELD(held,       int64_t, SUM,      wealth)

MASS_RESIDENTS(sugarscape_census, CENSUS, 2, 0)
{
    ADD(ants, RESIDENT_COUNT);
    ADD(sugar_here, IN(sugar));
    EACH_RESIDENT(ant) ADD(held, OF(wealth, ant));
}
