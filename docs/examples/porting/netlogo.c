/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep on a pasture: the parts that docs/porting.md shows next to code of NetLogo. */
#include <mass/model.h>

/* 1. Agents and their attributes. */
MASS_SPACE(pasture, 2, .size = {33, 33}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(pasture, uint8_t, grass, .most = 1, .initial = &(const uint8_t){1})
MASS_TALLY(SUM, int64_t, flock, "sheep alive")
MASS_POPULATION(sheep, pasture, .count = 100, .children = 1, .alive = "flock")
MASS_AGENT_ATTRIBUTE(sheep, int32_t, energy, .initial = &(const int32_t){8})

/* Further attributes. */
MASS_ATTRIBUTE(pasture, float, scent, .flush = 1)
MASS_ATTRIBUTE(pasture, uint32_t, seen, .help = "sheep around the place")

/* 2. A slider, and chance. */
MASS_PARAMETER(double, growth, 0.05, 0, 1, "chance that grass grows on a bare place")

MASS_MAP(grow, UPDATES(grass), GIVEN(growth))
{
    const mass_random4 r = RANDOM(0);
    if (mass_unit_f64(r.v[0], r.v[1]) < PARAM(growth)) OUT(grass) = 1;
}

/* 3. One after the other. */
MASS_IN_TURN(graze, sheep, 2, 1, UPDATES(energy), ALTERS(grass))
{
    const mass_random4 r = RANDOM(0);
    const int way = (int)mass_below_u32(8, r.v[0], r.v[1]), at = way + (way >= 4);
    const int dx = at % 3 - 1, dy = at / 3 - 1;
    MOVE(dx, dy);
    OUT(energy) -= 1;
    if (THERE(grass, dx, dy) == 0) return;
    THERE(grass, dx, dy) = 0;
    OUT(energy) += 4;
}

/* 4. Deaths and births. */
MASS_IN_TURN(live, sheep, 2, 0, UPDATES(energy), CHANGES(AS(its_energy, energy)))
{
    if (OUT(energy) < 0) DIE();
    if (OUT(energy) <= 12) return;
    OUT(energy) /= 2;
    const mass_peer lamb = BEAR(0, 0);
    if (IS_ANYBODY(lamb)) OF(its_energy, lamb) = OUT(energy);
}

/* 5. All at once. */
MASS_AGENT(level, sheep, 2, UPDATES(energy), NEARBY(AS(its_energy, energy)))
{
    int32_t sum = OUT(energy), count = 1;
    EACH_NEARBY(o, 2) {
        if (o.dx * o.dx + o.dy * o.dy > 4) continue;
        sum += OF(its_energy, o);
        count++;
    }
    OUT(energy) = sum / count;
}

/* 6. Another agent. */
MASS_IN_TURN(share, sheep, 2, 2, UPDATES(energy), CHANGES(AS(its_energy, energy)))
{
    const mass_peer other = ONE_NEARBY_WHERE(o, 2, 0, OF(its_energy, o) < 3 && o.dx * o.dx + o.dy * o.dy <= 4);
    if (OUT(energy) < 4 || !IS_ANYBODY(other)) return;
    OF(its_energy, other) += 1;
    OUT(energy) -= 1;
}

/* 7. Agents change their places, and scent spreads. */
MASS_OCCUPIED(mark, sheep, 2, 0, UPDATES(scent)) { OUT(scent) += (float)RESIDENT_COUNT; }

MASS_STENCIL(spread, 2, 1, READS(scent), WRITES(scent))
{
    float around = 0;
    MASS_MOORE_2D(dx, dy, 1) around += NEAR(scent, dx, dy);
    OUT(scent) = 0.9f * (0.5f * IN(scent) + 0.5f * around / 8);
}

/* 8. Places see agents. */
MASS_STENCIL(look, 2, 1, WRITES(seen), NEARBY_OF(sheep)) { OUT(seen) = COUNT_NEARBY_OF(sheep, 1); }

/* 9. A total that feeds back. */
MASS_WORLD_ATTRIBUTE(double, price, .initial = 1)

MASS_ONCE(trade, UPDATES(price), TOTALS(flock)) { OUT(price) *= 1 + 0.001 * (100 - (double)TOTAL(flock)); }

/* 10. Series, and a step. */
MASS_REDUCTION(mean_energy, .operation = MASS_MEAN, .population = "sheep", .attribute = "energy")
MASS_SERIES("flock")
MASS_SERIES("mean_energy")

MASS_SCHEDULE(STEPS(grow), STEPS(graze), STEPS(live), STEPS(level, .reach = 2), MANAGES(sheep), STEPS(share))
MASS_SCHEDULE(STEPS(mark), STEPS(spread), STEPS(look), STEPS(trade))

/* Picture and name. */
MASS_PICTURE(pasture, grass, 0, 1, 0x8a6f4d, 0x4f8f46)
MASS_PLUGIN(.name = "from-netlogo", .version = "1.0.0", .help = "sheep on a pasture");
