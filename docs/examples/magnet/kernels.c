/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the magnet. */
#include "kernels.h"

#include <mass/mass.h>

#define DRAW(FIELD)                       \
    FIELD(spin,     int8_t, WRITE, spin)  \
    FIELD(bias,     double, WRITE, bias)  \
    FIELD(disorder, double, PARAM, disorder)

MASS_MAP(magnet_draw, DRAW)
{
    OUT(spin) = (int8_t)(RANDOM(0).v[0] & 1 ? 1 : -1);
    OUT(bias) = PARAM(disorder) * mass_normal_f64(RANDOM(1));
}

#define TURN(FIELD)                              \
    FIELD(spin,   int8_t,        READ,   spin)   \
    FIELD(next,   int8_t,        WRITE,  spin)   \
    FIELD(bias,   double,        READ,   bias)   \
    FIELD(record, magnet_record, UPDATE, record) \
    FIELD(cold,   double,        PARAM,  cold)

/* Whether a spin turns that takes `work` for it. */
MASS_FN int magnet_turns(double work, double cold, mass_random4 r)
{
    return mass_unit_f64(r.v[0], r.v[1]) < mass_exp_f64(-work * cold);
}

MASS_FN void magnet_note(magnet_record *record, int turns, double work, uint64_t step)
{
    record->work += turns ? work : 0.0;
    record->turns += (uint32_t)turns;
    record->last = turns ? (uint32_t)step : record->last;
}

/* Black places, where x + y is even, have white neighbours only: all of them may turn at once. */
#define TURN_COLOUR(WHITE)                                                                              \
    {                                                                                                   \
        const int around = NEAR(spin, 0, -1) + NEAR(spin, -1, 0) + NEAR(spin, 1, 0) + NEAR(spin, 0, 1); \
        const double work = 2.0 * IN(spin) * (around + IN(bias));                                       \
        const int mine = ((AT_X + AT_Y) & 1) == WHITE;                                                  \
        const int turns = mine & magnet_turns(work, PARAM(cold), RANDOM(0));                            \
        OUT(next) = (int8_t)(turns ? -IN(spin) : IN(spin));                                             \
        magnet_note(&OUT(record), turns, work, STEP);                                                   \
    }
MASS_STENCIL(magnet_turn_black, TURN, 2, 1) TURN_COLOUR(0)
MASS_STENCIL(magnet_turn_white, TURN, 2, 1) TURN_COLOUR(1)

#define MEASURE(FIELD)                                \
    FIELD(spin,     int8_t,         READ,   spin)     \
    FIELD(bias,     double,         READ,   bias)     \
    FIELD(moments,  magnet_moments, UPDATE, moments)  \
    FIELD(up,       int64_t,        SUM,    up)       \
    FIELD(energy,   int64_t,        SUM,    energy)   \
    FIELD(weakest,  double,         MIN,    weakest)  \
    FIELD(strength, double,         SUM,    strength) \
    FIELD(alike,    int64_t,        BINS,   alike)    \
    FIELD(bound,    int64_t,        BINS,   bound)

MASS_STENCIL(magnet_measure, MEASURE, 2, 1)
{
    const int around = NEAR(spin, 0, -1) + NEAR(spin, -1, 0) + NEAR(spin, 1, 0) + NEAR(spin, 0, 1);
    const double field = around + IN(bias), strength = field < 0 ? -field : field;
    const int64_t energy = mass_fixed(-IN(spin) * (0.5 * around + IN(bias)), ENERGY_BITS); /* half of each pair's */
    const int alike = (4 + IN(spin) * around) / 2;
    OUT(moments).first += field;
    OUT(moments).second += field * field;
    ADD(up, IN(spin) > 0);
    ADD(energy, energy);
    LEAST(weakest, strength);
    ADD(strength, strength);
    COUNT_IN(alike, alike);
    ADD_IN(bound, alike, energy);
}
