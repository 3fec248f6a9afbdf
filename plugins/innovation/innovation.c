/* SPDX-License-Identifier: Apache-2.0 */
/* The diffusion of an innovation, after F. M. Bass (1969), among people who listen to others and who change to whom
 * they listen. An edge comes from the one who is listened to. */
#include <mass/model.h>

MASS_PARAMETER(text, ties, "", "file of those who are listened to, and by whom, with lines source,target",
               .by_default = "a network is drawn")
MASS_PARAMETER(choice, network, "ring", "the network that is drawn", "ring", "random", "small-world")
MASS_PARAMETER(int64_t, degree, 6, 1, 255, "people to whom one listens, in the mean at the start; then at least")
MASS_PARAMETER(double, rewired, 0.1, 0, 1, "part of the ties of a small world that are with anybody")
MASS_PARAMETER(int64_t, draw, 1, 0, INT64_MAX, "seed of that network, apart from that of the run")
MASS_PARAMETER(double, invention, 0.003, 0, 1, "chance a step to adopt it without being told")
MASS_PARAMETER(double, imitation, 0.4, 0, 1, "chance a step to adopt it if all have it to whom one listens")
MASS_PARAMETER(double, churn, 0.02, 0, 1, "chance a step that a tie ends, and that one listens to anybody instead")

MASS_NETWORK(people, .file = VALUE(ties), .nodes = VALUE(ties)[0] ? 0 : 10000, .directed = 1,
             .generator = (const uint32_t[]){MASS_RING, MASS_RANDOM_EDGES, MASS_SMALL_WORLD}[VALUE(network)],
             .degree = 2 * VALUE(degree), .rewired = VALUE(rewired), .seed = (uint64_t)VALUE(draw),
             .links = (uint32_t)VALUE(degree))
MASS_ATTRIBUTE(people, uint8_t, has, .most = 1)

MASS_TALLY(SUM, int64_t, adopters, "people who have it")
MASS_TALLY(SUM, int64_t, news, "people who adopted it in this step")
MASS_TALLY(SUM, int64_t, ended, "ties that end in this step")

MASS_MAP(innovation_begin, WRITES(has), SUMS(adopters))
{
    OUT(has) = 0;
    ADD(adopters, 0);
}

/* Draws from 2 on are those of ties. */
MASS_NODES(innovation_step, people, LINKED(AS(theirs, has)), UPDATES(has), LINKS(people),
           GIVEN(degree, invention, imitation, churn), SUMS(adopters, news, ended))
{
    int64_t with = 0, left = 0, number = 0;
    EACH_EDGE(e) {
        const mass_random4 r = RANDOM(2 + number++ % 60000);
        with += OF(theirs, e);
        if (mass_unit_f64(r.v[0], r.v[1]) < PARAM(churn)) UNLINK(e);
        else left++;
    }
    const double share = number ? (double)with / (double)number : 0;
    const mass_random4 r = RANDOM(0);
    const int adopts = !OUT(has) && mass_unit_f64(r.v[0], r.v[1]) < PARAM(invention) + PARAM(imitation) * share;
    for (int64_t k = left; k < PARAM(degree) && SIZE_X > 1; k++) {
        const mass_random4 whom = RANDOM(61000 + k);
        const int64_t other = mass_below_u32((uint32_t)SIZE_X - 1, whom.v[0], whom.v[1]);
        LINK(other < AT_X ? other : other + 1);
    }
    if (adopts) OUT(has) = 1;
    ADD(adopters, OUT(has));
    ADD(news, adopts);
    ADD(ended, number - left);
}

MASS_SCHEDULE(STARTS(innovation_begin), STEPS(innovation_step), RELINKS(people))
MASS_PICTURE(people, has, 0, 1, 0xf4f1e8, 0x2d7d46)
MASS_SERIES("adopters")
MASS_DEFAULT_STEPS(100)
MASS_PLUGIN(.name = "innovation", .version = "1.0.0",
            .help = "an innovation that spreads among people who change to whom they listen");
