/* SPDX-License-Identifier: Apache-2.0 */
/* Trees that bear fruit by their age, in years that are dry or wet. */
#include <mass/model.h>

MASS_PARAMETER_LIST(double, yields, 24, "0, 2, 5, 8, 8, 6, 3", 0, 1000, "of a tree of each age, from 0 years on",
                    .unit = "kg")
MASS_PARAMETER_TABLE(double, rain, 1000, "1, 1, 0.5, 0.75, 1.5, 1, 1, 1, 1, 1", 0, 100, "in each year; 1 is the mean")
MASS_PARAMETER(double, sown, 0.1, 0, 1, "trees for each place at the start")

MASS_SPACE(orchard, 2, .size = {128, 64}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(orchard, double, fruit, .unit = "kg")
MASS_POPULATION(trees, orchard, .count = (int64_t)(VALUE(sown) * (double)(EXTENT(orchard, 0) * EXTENT(orchard, 1))),
                .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(trees, int32_t, age, .unit = "years")
MASS_TALLY(SUM, double, harvest, "fruit of all trees in this year", .unit = "kg")

MASS_AGENT(orchard_grow, trees, 0, UPDATES(age), LISTS(yields))
{
    OUT(age) = OUT(age) < PARAM_COUNT(yields) - 1 ? OUT(age) + 1 : 0; /* an old tree is replaced */
}

MASS_RESIDENTS(orchard_bear, trees, 2, 0, WRITES(fruit), MEETS(age), LISTS(yields, rain), SUMS(harvest))
{
    double all = 0;
    EACH_RESIDENT(a) all += PARAM_AT(yields, OF(age, a)) * PARAM_NOW(rain);
    OUT(fruit) = all;
    ADD(harvest, all);
}

MASS_SCHEDULE(STEPS(orchard_grow), STEPS(orchard_bear))

MASS_PICTURE(orchard, fruit, 0, 10, 0x6b4f2a, 0x3f7d3a, 0xd8e04a, 0xe2582c)
MASS_DEFAULT_STEPS(10)

MASS_PLUGIN(.name = "orchard", .version = "1.0.0", .help = "trees that bear fruit by age and rain");
