/* SPDX-License-Identifier: Apache-2.0 */
/* Segregation, after T. C. Schelling, "Dynamic models of segregation" (1971): households that have too few neighbours
 * of their own kind move to a free place of the whole space. */
#include <mass/model.h>

MASS_PARAMETER(double, full, 0.8, 0, 1, "share of places with a household, unless `households` is set")
MASS_PARAMETER(int64_t, households, 0, 0, UINT32_MAX - 2, "how many there are",
               .by_default = "the share `full` of the places, as with 0")
MASS_PARAMETER(double, threshold, 0.375, 0, 1, "least share of its neighbours of its own kind with which one stays")
MASS_PARAMETER(int64_t, needs, 0, 0, 16640, "least number of neighbours of its own kind with which one stays",
               .by_default = "`threshold` decides, as with 0")
MASS_PARAMETER(int64_t, radius, 1, 1, 64, "how far neighbours are, along each axis")
MASS_PARAMETER(int64_t, tries, 3, 1, 8, "how often one draws a place in a step, while others get those that it draws")
MASS_PARAMETER(choice, edge, "bounded", "whether opposite edges of the space meet", "torus", "bounded")

MASS_SPACE(town, 2, .size = {500, 500}, .torus = VALUE(edge) == 0 ? MASS_AXES_ALL : 0)
MASS_TALLY(SUM, int64_t, unhappy, "households that wanted to move in this step")
MASS_TALLY(SUM, int64_t, alike, "neighbours of the same kind, over all households")
MASS_TALLY(SUM, int64_t, neighbours, "neighbours, over all households")
MASS_TALLY(MEAN, double, likeness, "share of neighbours of the same kind, over households that have any")

MASS_POPULATION(people, town, .capacity = 1, .conflict = MASS_LOTTERY,
                .count = VALUE(households) ? VALUE(households)
                                           : (int64_t)(VALUE(full) * (double)(EXTENT(town, 0) * EXTENT(town, 1))),
                .drawn = &(const mass_drawn){.attribute = "kind", .colours = 2,
                                             .palette = (const uint32_t[]){0xc2452d, 0x2d6cc2}},
                .help = "households, at most one on a place")
MASS_AGENT_ATTRIBUTE(people, uint8_t, kind, .most = 1, .help = "0 or 1")

MASS_AGENT(schelling_settle, people, 2, WRITES(kind)) { OUT(kind) = RANDOM(0).v[0] & 1; }

/* A household looks at its neighbours, and draws a free place if too few are like it. */
MASS_AGENT(schelling_look, people, 2, READS(kind), NEARBY(AS(other, kind)), GIVEN(threshold, needs, radius),
           SUMS(unhappy, alike, neighbours, likeness))
{
    int32_t same = 0, all = 0;
    EACH_NEARBY(o, (int)PARAM(radius)) {
        same += OF(other, o) == IN(kind);
        all++;
    }
    ADD(alike, same);
    ADD(neighbours, all);
    if (all) ADD(likeness, (double)same / all);
    if (PARAM(needs) ? same >= PARAM(needs) : same >= PARAM(threshold) * all) return;
    ADD(unhappy, 1);
    MIGRATE_TO_PLACE(FREE_PLACE(0));
}

/* One whose place another got draws again, of those that are free now. */
MASS_REFUSED(schelling_try_again, people, 2, FREES(people)) { MIGRATE_TO_PLACE(FREE_PLACE(0)); }

MASS_SCHEDULE(STARTS(schelling_settle), STEPS(schelling_look, .reach = (int32_t)VALUE(radius)), MANAGES(people))

#if MASS_HOST

MASS_OPEN(schelling_declare_tries)
{
    for (int64_t k = 1; k < VALUE(tries); k++) {
        MASS_DECLARE_PHASE(host, MASS_STEP, schelling_try_again);
        MASS_DECLARE_MANAGE(host, MASS_STEP, people);
    }
    return MASS_OK;
}

#endif

MASS_PLUGIN(.name = "schelling", .version = "1.0.0", .help = "households that move away from neighbours unlike them");
