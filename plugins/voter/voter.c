/* SPDX-License-Identifier: Apache-2.0 */
/* The voter model, after R. A. Holley and T. M. Liggett (1975): each voter takes the opinion of one that it listens to.
 * All do so at once. */
#include <mass/model.h>

MASS_PARAMETER(text, ties, "", "file of those who listen to each other, with lines source,target",
               .by_default = "a network is drawn")
MASS_PARAMETER(choice, network, "complete", "the network that is drawn", "complete", "ring", "random", "small-world",
               "preferential", "blocks")
MASS_PARAMETER(int64_t, degree, 6, 2, 1000000, "ties of a voter in that network, in the mean; even")
MASS_PARAMETER(double, rewired, 0.1, 0, 1, "part of the ties that are with anybody, or with other blocks")
MASS_PARAMETER(int64_t, blocks, 2, 2, 1000000, "blocks of voters")
MASS_PARAMETER(int64_t, draw, 1, 0, INT64_MAX, "seed of that network, apart from that of the run")
MASS_PARAMETER(double, share, 0.5, 0, 1, "share of voters with opinion 1 at the start")

MASS_NETWORK(town, .file = VALUE(ties), .nodes = VALUE(ties)[0] ? 0 : 100,
             .generator = (const uint32_t[]){MASS_COMPLETE, MASS_RING, MASS_RANDOM_EDGES, MASS_SMALL_WORLD,
                                             MASS_PREFERENTIAL, MASS_STOCHASTIC_BLOCKS}[VALUE(network)],
             .degree = VALUE(network) == 4 ? VALUE(degree) / 2 : VALUE(degree), .rewired = VALUE(rewired),
             .blocks = VALUE(blocks), .seed = (uint64_t)VALUE(draw))
MASS_ATTRIBUTE(town, uint8_t, opinion, .most = 1)

MASS_TALLY(SUM, int64_t, ones, "voters with opinion 1")
MASS_TALLY(SUM, int64_t, discord, "pairs of voters with a tie and different opinions, before the step, twice")
MASS_WORLD_ATTRIBUTE(int64_t, consensus, .help = "the step after which all agreed; 0: they do not")

MASS_MAP(voter_begin, WRITES(opinion), GIVEN(share), SUMS(ones))
{
    const double before = PARAM(share) * (double)SIZE_X;
    OUT(opinion) = (double)SHUFFLED(0, (uint64_t)AT_X, (uint64_t)SIZE_X) < before;
    ADD(ones, OUT(opinion));
}

MASS_NODES(voter_listen, town, LINKED(AS(theirs, opinion)), UPDATES(opinion), SUMS(ones, discord))
{
    int64_t other = 0;
    const uint8_t was = OUT(opinion);
    EACH_EDGE(e) other += OF(theirs, e) != was;
    const mass_edge one = ONE_EDGE(0);
    if (IS_EDGE(one)) OUT(opinion) = OF(theirs, one);
    ADD(ones, OUT(opinion));
    ADD(discord, other);
}

MASS_ONCE(voter_note, UPDATES(consensus), TOTALS(ones))
{
    if (OUT(consensus) == 0 && (TOTAL(ones) == 0 || TOTAL(ones) == SIZE_X)) OUT(consensus) = (int64_t)STEP;
}

MASS_SCHEDULE(STARTS(voter_begin), STEPS(voter_listen), STEPS(voter_note))
MASS_PICTURE(town, opinion, 0, 1, 0xf4f1e8, 0x2d6cc2)
MASS_SERIES("ones")
MASS_DEFAULT_STEPS(200)
MASS_PLUGIN(.name = "voter", .version = "1.0.0", .help = "voters who take the opinion of one that they listen to");
