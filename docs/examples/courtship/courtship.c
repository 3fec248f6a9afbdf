/* SPDX-License-Identifier: Apache-2.0 */
/* Adults propose to a free neighbour, and marry if nobody better asks either of them. */
#include <mass/model.h>

MASS_SPACE(town, 2, .size = {64, 48}, .torus = MASS_AXES_ALL)
MASS_POPULATION(people, town, .count = 1500, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(people, int32_t, charm)
MASS_AGENT_ATTRIBUTE(people, int32_t, partner_charm, .help = "0: single")
MASS_AGENT_ATTRIBUTE(people, uint64_t, spouse, .help = "the id of the partner")
MASS_TALLY(SUM, int64_t, married, "people who have married", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alike, "of these, whose charm differs by less than 100", .cumulative = 1)
MASS_CLAIMS(wed, people, 2, 2)

MASS_AGENT(be_born, people, 2, WRITES(charm)) { OUT(charm) = 1 + (int32_t)(RANDOM(0).v[0] % 1000); }

MASS_AGENT(propose, people, 2, READS(charm, partner_charm), NEARBY(charm, partner_charm), CLAIMS(wed))
{
    int32_t most = 0;
    EACH_NEARBY(o, 2) {
        if (IN(partner_charm) || OF(partner_charm, o) || OF(charm, o) <= most) continue;
        most = OF(charm, o);
        CLAIM_BY_LOT(wed, o, IN(charm) + most);
    }
}

MASS_AGENT(marry, people, 2, READS(charm), UPDATES(partner_charm, spouse), NEARBY(charm), PAIRS(wed),
           SUMS(married, alike))
{
    const mass_other partner = PARTNER(wed);
    if (IS_ANYBODY(partner)) {
        OUT(partner_charm) = OF(charm, partner);
        OUT(spouse) = PARTNER_ID(wed);
        ADD(married, 1);
        ADD(alike, IN(charm) - OF(charm, partner) < 100 && OF(charm, partner) - IN(charm) < 100);
    }
}

MASS_AGENT(stroll, people, 2, READS(partner_charm))
{
    const mass_random4 r = RANDOM(0);
    if (!IN(partner_charm)) MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

MASS_SCHEDULE(STARTS(be_born), STEPS(propose, .reach = 2), DECIDES(wed), STEPS(marry, .reach = 2), STEPS(stroll),
              MANAGES(people))

MASS_PLUGIN(.name = "courtship", .version = "1.0.0", .help = "people who meet and marry");
