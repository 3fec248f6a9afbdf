/* SPDX-License-Identifier: Apache-2.0 */
/* A fad at a school: pupils take it up if enough of their friends have it, and drop it if hardly any has it. */
#include <mass/model.h>

MASS_PARAMETER(text, friends, "", "file of friendships; unset: a small world of 1000 pupils is drawn")
MASS_PARAMETER(double, enough, 0.3, 0, 1, "part of one's friends, by closeness, for which one takes it up")
MASS_NETWORK(school, .file = VALUE(friends), .nodes = VALUE(friends)[0] ? 0 : 1000, .generator = MASS_SMALL_WORLD,
             .degree = 8, .rewired = 0.05, .seed = 12)
MASS_EDGE_ATTRIBUTE(school, float, closeness, .initial = 1)
MASS_ATTRIBUTE(school, uint8_t, has, .most = 1)
MASS_TALLY(SUM, int64_t, followers, "pupils who have it")

MASS_MAP(fad_begin, WRITES(has)) { OUT(has) = AT_X < 20; }

MASS_NODES(fad_spread, school, LINKED(AS(theirs, has)), EDGES(closeness), UPDATES(has), GIVEN(enough), SUMS(followers))
{
    float with = 0, all = 0;
    EACH_EDGE(e) {
        all += EDGE(closeness, e);
        if (OF(theirs, e)) with += EDGE(closeness, e);
    }
    if (with >= (float)PARAM(enough) * all) OUT(has) = 1;
    else if (with < 0.1f * all) OUT(has) = 0;
    ADD(followers, OUT(has));
}

/* Now and then somebody does as one friend does, each friend with the same chance. */
MASS_NODES(fad_imitate, school, LINKED(AS(theirs, has)), UPDATES(has))
{
    const mass_edge one = ONE_EDGE(0);
    if (IS_EDGE(one) && RANDOM(1).v[0] < 1u << 24) OUT(has) = OF(theirs, one);
}

MASS_SCHEDULE(STARTS(fad_begin), STEPS(fad_spread), STEPS(fad_imitate))
MASS_PICTURE(school, has, 0, 1, 0xf4f1e8, 0x8a2d6c)
MASS_PLUGIN(.name = "fad", .version = "1.0.0", .help = "a fad that spreads among friends");
