/* SPDX-License-Identifier: Apache-2.0 */
/* The El Farol bar, after W. B. Arthur, "Inductive reasoning and bounded rationality" (1994), with the strategies of
 * D. Fogel, K. Chellapilla and P. Angeline (1999): people go to the bar if they expect that it is not crowded. */
#include <mass/model.h>

enum { STRATEGIES = 10, MEMORY = 5, WEEKS = 2 * MEMORY, WEIGHTS = STRATEGIES * (MEMORY + 1) };

MASS_PARAMETER(int64_t, people, 100, 1, UINT32_MAX - 2, "how many there are")
MASS_PARAMETER(double, crowded, 0.6, 0, 1, "share of the people above which the bar is no fun")

MASS_SPACE(town, 2, .size = {10, 10}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(town, uint8_t, ground, .most = 0, .help = "what pictures show people on")
MASS_TALLY(SUM, int64_t, attendance, "people at the bar", .initial = 0)
MASS_TALLY(SUM, int64_t, visits, "people at the bar so far", .cumulative = 1)
MASS_WORLD_ARRAY(double, past, WEEKS, .help = "shares of the people at the bar in the last weeks, the last one first")

MASS_POPULATION(people, town, .count = VALUE(people), .constant = 1, .help = "any number on a place",
                .drawn = &(const mass_drawn){.attribute = "goes", .colours = 2,
                                             .palette = (const uint32_t[]){0xb9bec4, 0xd1495b}})

/* A strategy foretells the share of the people: a sum of the last weeks' shares, each with a weight, and a constant. */
typedef struct strategies {
    float weight[WEIGHTS];
} strategies;
MASS_AGENT_VECTOR(people, strategies, float, strategies, .least = -1, .most = 1,
                  .help = "ten, each with weights of the last five weeks and a constant")
MASS_AGENT_ATTRIBUTE(people, uint8_t, goes, .most = 1, .help = "1: to the bar, 0: stays at home")

/* ---- the start ---- */

MASS_ONCE(el_farol_begin, WRITES(past))
{
    for (int week = 0; week < WEEKS; week++) {
        const mass_random4 r = RANDOM(week);
        OUT_AT(past, week) = mass_unit_f64(r.v[0], r.v[1]);
    }
}

MASS_AGENT(el_farol_think, people, 2, WRITES(strategies))
{
    strategies s;
    for (int i = 0; i < WEIGHTS; i++) s.weight[i] = 2 * mass_unit_f32(RANDOM(i / 4).v[i % 4]) - 1;
    OUT(strategies) = s;
}

/* ---- a step: a week ---- */

/* Returns the share of the people that a strategy foretells from the weeks before week `ago`. */
MASS_FN double foretell(const float *weights, const double *past, int ago)
{
    double share = (double)weights[MEMORY];
    for (int week = 0; week < MEMORY; week++) share += (double)weights[week] * past[ago + week];
    return share;
}

/* Returns how wrong the strategy would have been in the last weeks. */
MASS_FN double error_of(const float *weights, const double *past)
{
    double error = 0;
    for (int week = 0; week < MEMORY; week++) {
        const double wrong = past[week] - foretell(weights, past, week + 1);
        error += wrong < 0 ? -wrong : wrong;
    }
    return error;
}

/* Trusts the strategy that was least wrong. */
MASS_AGENT(el_farol_go, people, 2, READS(strategies), WRITES(goes), WORLD(past), GIVEN(crowded),
           SUMS(attendance, visits))
{
    const strategies mine = IN(strategies);
    double weeks[WEEKS], least = 0;
    int best = 0;
    for (int week = 0; week < WEEKS; week++) weeks[week] = OF_WORLD_AT(past, week);
    for (int s = 0; s < STRATEGIES; s++) {
        const double error = error_of(mine.weight + s * (MEMORY + 1), weeks);
        if (s == 0 || error < least) least = error, best = s;
    }
    OUT(goes) = foretell(mine.weight + best * (MEMORY + 1), weeks, 0) <= PARAM(crowded);
    ADD(attendance, OUT(goes));
    ADD(visits, OUT(goes));
}

MASS_ONCE(el_farol_close, UPDATES(past), TOTALS(attendance), GIVEN(people))
{
    for (int week = WEEKS - 1; week > 0; week--) OUT_AT(past, week) = OUT_AT(past, week - 1);
    OUT_AT(past, 0) = (double)TOTAL(attendance) / (double)PARAM(people);
}

MASS_SCHEDULE(STARTS(el_farol_begin), STARTS(el_farol_think), STEPS(el_farol_go), STEPS(el_farol_close))

MASS_PICTURE(town, ground, 0, 1, 0xf4f1e8, 0)
MASS_SERIES("attendance")
MASS_DEFAULT_STEPS(100)
MASS_PLUGIN(.name = "el-farol", .version = "1.0.0", .help = "people who go to a bar unless they expect a crowd");
