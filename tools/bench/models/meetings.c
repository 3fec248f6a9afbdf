/* SPDX-License-Identifier: Apache-2.0 */
/* The models with which mass-bench measures what agents that meet cost: sums over neighbours, claims, and places that
 * read a total. */
#include <mass/model.h>

MASS_PARAMETER(choice, of, "sums", "what a step does", "sums", "claims", "total", "count")
MASS_PARAMETER(int64_t, people, 0, 0, UINT32_MAX - 2, "how many there are, at most one on a place")

MASS_SPACE(town, 2, .size = {512, 512}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(town, uint32_t, heat)
MASS_POPULATION(people, town, .count = VALUE(people), .capacity = 1, .initial = MASS_RANDOM_PLACES, .constant = 1)
MASS_AGENT_ATTRIBUTE(people, uint32_t, value)
MASS_AGENT_ATTRIBUTE(people, uint32_t, sum)
MASS_TALLY(SUM, int64_t, hot, "places with an odd heat", .initial = 0)
MASS_CLAIMS(wed, people, 2, 1)

MASS_MAP(meetings_warm, WRITES(heat)) { OUT(heat) = RANDOM(0).v[0] & 0xff; }
MASS_AGENT(meetings_settle, people, 2, WRITES(value, sum))
{
    OUT(value) = RANDOM(0).v[0];
    OUT(sum) = 0;
}

/* The sum of the values of all people on the eight places around. */
MASS_AGENT(meetings_sum, people, 2, WRITES(sum), NEARBY(value))
{
    uint32_t sum = 0;
    EACH_NEARBY(o, 1) sum += OF(value, o);
    OUT(sum) = sum;
}

/* Each claims one of those around, at random, and notes the partner's value. */
MASS_AGENT(meetings_claim, people, 2, READS(value), NEARBY(value), CLAIMS(wed))
{
    const mass_other one = ONE_NEARBY(1, 0);
    if (IS_ANYBODY(one)) CLAIM_BY_LOT(wed, one, IN(value) ^ OF(value, one));
}
MASS_AGENT(meetings_pair, people, 2, UPDATES(sum), NEARBY(value), PAIRS(wed))
{
    const mass_other partner = PARTNER(wed);
    if (IS_ANYBODY(partner)) OUT(sum) += OF(value, partner);
}

/* Each place grows, with the total of the step before or without, and counts itself if it is odd. */
MASS_MAP(meetings_total, UPDATES(heat), TOTALS(hot), SUMS(hot))
{
    OUT(heat) = OUT(heat) * 5 + 1 + ((uint32_t)TOTAL(hot) & 2);
    ADD(hot, OUT(heat) & 1);
}
MASS_MAP(meetings_count, UPDATES(heat), SUMS(hot))
{
    OUT(heat) = OUT(heat) * 5 + 1;
    ADD(hot, OUT(heat) & 1);
}

MASS_SCHEDULE(IF(VALUE(of) >= 2, STARTS(meetings_warm)), IF(VALUE(of) < 2, STARTS(meetings_settle)),
              IF(VALUE(of) == 0, STEPS(meetings_sum, .reach = 1)),
              IF(VALUE(of) == 1, STEPS(meetings_claim, .reach = 1)), IF(VALUE(of) == 1, DECIDES(wed)),
              IF(VALUE(of) == 1, STEPS(meetings_pair, .reach = 1)),
              IF(VALUE(of) == 2, STEPS(meetings_total)), IF(VALUE(of) == 3, STEPS(meetings_count)))
MASS_DEFAULT_STEPS(20)

MASS_PLUGIN(.name = "meetings", .version = "1.0.0", .help = "agents that meet, and places that read a total");
