/* SPDX-License-Identifier: Apache-2.0 */
/* Slime mould: amoebae lay a signal that spreads and fades, and turn to where it is strongest. Above a density they
 * gather in clusters. After E. F. Keller and L. A. Segel, "Initiation of slime mold aggregation viewed as an
 * instability" (1970); as agents, as M. Resnick, "Turtles, termites, and traffic jams" (1994). */
#include <mass/model.h>

MASS_PARAMETER(int64_t, amoebae, 400, 0, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(double, sniff, 1, 0.1, 8, "how far ahead an amoeba smells, in cells")
MASS_PARAMETER(double, angle, 0.785, 0, 3.1416, "how far to either side it smells, and turns, in radians")
MASS_PARAMETER(double, wiggle, 0.35, 0, 3.1416, "the most that it turns by chance, in radians")
MASS_PARAMETER(double, speed, 0.5, 0, 8, "length of its step, in cells")
MASS_PARAMETER(double, threshold, 1, 0, 1e6, "it follows the signal where there is more than this of it")
MASS_PARAMETER(double, spread, 0.6, 0, 1, "share of the signal that goes to the cells around in a step")
MASS_PARAMETER(double, fade, 0.1, 0, 1, "share of the signal that is lost in a step")

MASS_SPACE(dish, 2, .size = {80, 80}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(dish, float, signal, .flush = 1, .help = "what amoebae follow")
MASS_ATTRIBUTE(dish, uint32_t, laid, .help = "units of the signal that were laid in this step")

MASS_TALLY(SUM, int64_t, following, "amoebae that follow the signal")
MASS_TALLY(MEAN, double, signal_met, "signal where an amoeba is")
MASS_TALLY(MEAN, double, company, "amoebae within three cells of an amoeba")

MASS_POPULATION(amoebae, dish, .count = VALUE(amoebae), .initial = MASS_RANDOM_PLACES, .constant = 1,
                .drawn = &(const mass_drawn){.colours = 1, .palette = (const uint32_t[]){0xc2452d}})
MASS_POSITIONS(amoebae, 2, float)
MASS_AGENT_ATTRIBUTE(amoebae, float, heading, .unit = "rad")

MASS_AGENT(slime_begin, amoebae, 2, WRITES(heading)) { OUT(heading) = mass_unit_f32(RANDOM(0).v[0]) * 6.2831855f; }

/* The signal in the cell at a distance in a direction. */
#define SMELL(direction)                                                                             \
    SEE(signal, (int)(mass_floor_float(IN(position).x + far * mass_cos_f32(direction)) - (float)AT_X), \
        (int)(mass_floor_float(IN(position).y + far * mass_sin_f32(direction)) - (float)AT_Y))

MASS_AGENT(slime_creep, amoebae, 2, READS(position), WITHIN(amoebae), SEES(signal), SCATTERS(laid), UPDATES(heading),
           GIVEN(sniff, angle, wiggle, speed, threshold), SUMS(following, signal_met, company))
{
    const float far = (float)PARAM(sniff), side = (float)PARAM(angle);
    const float here = SEE(signal, 0, 0), ahead = SMELL(OUT(heading));
    float turn = (mass_unit_f32(RANDOM(0).v[0]) - 0.5f) * 2 * (float)PARAM(wiggle);
    int32_t near = 0;
    EACH_WITHIN(o, amoebae, 3) near++;
    if (ahead > PARAM(threshold) || here > PARAM(threshold)) {
        const float left = SMELL(OUT(heading) + side), right = SMELL(OUT(heading) - side);
        if (left > ahead || right > ahead) turn += left > right ? side : -side;
        ADD(following, 1);
    }
    OUT(heading) += turn;
    if (OUT(heading) > 3.1415927f) OUT(heading) -= 6.2831855f;
    if (OUT(heading) < -3.1415927f) OUT(heading) += 6.2831855f;
    SCATTER(laid, 1, 0, 0);
    ADD(signal_met, (double)here);
    ADD(company, (double)near);
    MOVE_BY((float)PARAM(speed) * mass_cos_f32(OUT(heading)), (float)PARAM(speed) * mass_sin_f32(OUT(heading)));
}

/* The signal goes to the eight cells around in equal parts. */
MASS_STENCIL(slime_spread, 2, 1, READS(signal, laid), WRITES(signal), GIVEN(spread, fade))
{
    float around = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x || y) around += NEAR(signal, x, y);
    const float share = (float)PARAM(spread), left = 1 - (float)PARAM(fade);
    OUT(signal) = ((1 - share) * IN(signal) + share * around / 8 + (float)IN(laid)) * left;
}
MASS_MAP(slime_clear, WRITES(laid)) { OUT(laid) = 0; }

MASS_SCHEDULE(STARTS(slime_begin), STEPS(slime_clear), STEPS(slime_creep, .reach = CELLS(dish, VALUE(sniff) + 3)),
              STEPS(slime_spread), MANAGES(amoebae))
MASS_PICTURE(dish, signal, 0, 30, 0x101820, 0x2d6cc2, 0xf4f1e8)
MASS_SERIES("company")
MASS_DEFAULT_STEPS(1000)
MASS_PLUGIN(.name = "slime", .version = "1.0.0", .help = "amoebae that follow their signal and gather");
