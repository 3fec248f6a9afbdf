/* SPDX-License-Identifier: Apache-2.0 */
/* Moths fly to the nearest lamp that they see, and keep away from each other. They breed where it is not crowded. */
#include <mass/model.h>

MASS_PARAMETER(double, sight, 6, 0.1, 100, "how far moths see a lamp")
MASS_SPACE(night, 2, .size = {40, 30}, .cell = 2) /* 80 by 60 units of length */
MASS_TALLY(SUM, int64_t, moth_count, "moths")
MASS_TALLY(MEAN, double, to_lamp, "distance of moths to the nearest lamp, of those that see one")

MASS_POPULATION(moths, night, .count = 500, .children = 1, .at_edge = MASS_REFLECTS, .alive = "moth_count")
MASS_POSITIONS(moths, 2, float)
MASS_POPULATION(lamps, night, .initial = MASS_BY_LOAD, .constant = 1)
MASS_POSITIONS(lamps, 2, double)
MASS_AGENT_ATTRIBUTE(lamps, uint8_t, lit, .most = 1, .initial = &(const uint8_t){1})

MASS_AGENT(fly, (moths, lamps), 2, READS(position), WITHIN(moths), WITHIN(lamps), NEARBY(FROM(lamps, lit)),
           GIVEN(sight), SUMS(to_lamp))
{
    const mass_random4 r = RANDOM(0);
    float x = mass_unit_f32(r.v[0]) - 0.5f, y = mass_unit_f32(r.v[1]) - 0.5f;
    int others = 0;
    EACH_NEAREST(lamp, lamps, 1, PARAM(sight)) {
        if (!OF(lit, lamp)) continue;
        const double away = mass_sqrt_f64(AWAY_2(lamp));
        ADD(to_lamp, away);
        if (away > 0) x += (float)(AWAY_X(lamp) / away), y += (float)(AWAY_Y(lamp) / away);
    }
    EACH_WITHIN(o, moths, 1) {
        x -= AWAY_X(o), y -= AWAY_Y(o);
        others++;
    }
    MOVE_BY(0.5f * x, 0.5f * y);
    if (others == 0 && r.v[2] % 50 == 0) SPAWN(1);
    if (others > 6 || r.v[3] % 60 == 0) KILL();
}

MASS_SCHEDULE(STEPS(fly, .reach = CELLS(night, VALUE(sight))), MANAGES(moths))

#if MASS_HOST

/* Two lamps. */
static mass_status light(mass_host *host)
{
    const mass_point_double_2 at[] = {{20.5, 30.25}, {61, 14}};
    return MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, lamps, 2, MASS_COLUMNS(MASS_COLUMN(position, at)));
}

#endif

MASS_PLUGIN(.name = "moths", .version = "1.0.0", .help = "moths and lamps in continuous space", .load = light);
