/* SPDX-License-Identifier: Apache-2.0 */
/* Brim: sums and values up to their limits, and beyond. Sums in fixed point reach the most that they hold, and more:
 * over places, agents and residents, in bins, and over all steps. A rule writes values outside of the ranges of
 * attributes, as parameters say. Agents come from a table whose columns the start would overwrite. */
#include <mass/model.h>
#include <math.h>

enum { BITS = 10, BINS = 3 };

MASS_PARAMETER(double, value, 1, 0, 0, "what each of them contributes")
MASS_PARAMETER(choice, kind, "value", "... or one of them in its place", "value", "nan", "plus", "minus")
MASS_PARAMETER(int64_t, flag, 1, 0, 255, "what is written at the place (20, 0), where there is one")
MASS_PARAMETER(int64_t, mood, 3, 0, 255, "what ant 1000 gets, where there is one")
MASS_PARAMETER(text, ants_table, "", "where ants are at first")
MASS_PARAMETER(int64_t, from, 1, 0, INT64_MAX, "the first step that writes them")

MASS_SPACE(grid, 2, .size = {64, 16}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(grid, bool, bit)
MASS_ATTRIBUTE(grid, uint8_t, flag, .most = 1)
MASS_ATTRIBUTE(grid, float, level, .most = INFINITY)
MASS_POPULATION(ants, grid, .count = 1024, .constant = 1, .table = "ants_table")
MASS_AGENT_ATTRIBUTE(ants, uint8_t, mood, .most = 3)
MASS_AGENT_ATTRIBUTE(ants, int32_t, age)
MASS_AGENT_ATTRIBUTE(ants, int32_t, size)
MASS_AGENT_ATTRIBUTE(ants, int32_t, grown)

#define FIXED .fraction_bits = BITS
MASS_TALLY(SUM, int64_t, places, "of places", FIXED)
MASS_TALLY(SUM, int64_t, ever, "of places, from the beginning on", FIXED, .cumulative = 1)
MASS_TALLY(SUM, int64_t, agents, "of agents", FIXED)
MASS_TALLY(SUM, int64_t, residents, "of agents, place by place", FIXED)
MASS_TALLY(SUM, int64_t, parts, "of places, by column", FIXED, .bins = BINS)
MASS_TALLY(SUM, int64_t, bits, "of places, by a rule over bits", FIXED)
MASS_TALLY(SUM, int64_t, count, "of places: an integer, which wraps")

MASS_FN int64_t contribution(int64_t kind, double value, int first)
{
    const double other = kind == 1 ? mass_f64_bits(0x7ff8000000000000ull)
                                   : mass_f64_bits(kind == 2 ? 0x7ff0000000000000ull : 0xfff0000000000000ull);
    return mass_fixed(kind != 0 && first ? other : value, BITS);
}

MASS_AGENT(brim_cheer, ants, 2, WRITES(mood)) { OUT(mood) = 1; }

MASS_AGENT(brim_age, ants, 2, WRITES(age, size))
{
    OUT(age) = 5;
    OUT(size) = 6;
}

MASS_AGENT(brim_raise, ants, 2, READS(size), WRITES(grown)) { OUT(grown) = IN(size) + 100; }

MASS_MAP(brim_places, GIVEN(value, kind), SUMS(places, ever, count), BINS(parts))
{
    const int64_t v = contribution(PARAM(kind), PARAM(value), AT_X + AT_Y == 0);
    ADD(places, v);
    ADD(ever, v);
    ADD(count, v);
    ADD_IN(parts, AT_X % BINS, v);
}

MASS_STENCIL(brim_bits, 2, 1, READS(bit), WRITES(bit), GIVEN(value, kind), SUMS(bits))
{
    OUT(bit) = !(IN(bit) | NEAR(bit, 1, 0));
    ADD(bits, contribution(PARAM(kind), PARAM(value), 1));
}

MASS_AGENT(brim_agents, ants, 2, GIVEN(value, kind, mood, from), SUMS(agents), UPDATES(mood))
{
    ADD(agents, contribution(PARAM(kind), PARAM(value), AGENT_ID == 0));
    if (AGENT_ID == 1000 && STEP >= (uint64_t)PARAM(from)) OUT(mood) = (uint8_t)PARAM(mood);
}

MASS_RESIDENTS(brim_residents, ants, 2, 0, GIVEN(value, kind), SUMS(residents), MEETS(mood))
{
    EACH_RESIDENT(ant)
        ADD(residents, contribution(PARAM(kind), PARAM(value), RESIDENT_ID(ant) == 0) + (OF(mood, ant) & 0));
}

MASS_MAP(brim_flag, GIVEN(flag, from), UPDATES(flag, level))
{
    if (AT_X == 20 && AT_Y == 0 && STEP >= (uint64_t)PARAM(from)) {
        OUT(flag) = (uint8_t)PARAM(flag);
        OUT(level) = 1.0f - (float)PARAM(flag);
    }
}

MASS_SCHEDULE(STARTS(brim_cheer), STARTS(brim_age), STARTS(brim_raise))
MASS_SCHEDULE(STEPS(brim_places), STEPS(brim_bits), STEPS(brim_agents), STEPS(brim_residents), STEPS(brim_flag))
MASS_DEFAULT_STEPS(1)

MASS_PLUGIN(.name = "brim", .version = "1.0.0", .help = "sums and values up to the most that they may be");
