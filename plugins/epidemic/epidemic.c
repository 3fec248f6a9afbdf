/* SPDX-License-Identifier: Apache-2.0 */
/* An epidemic on a network of contacts: people are susceptible, exposed, infectious or recovered (SEIR). Contacts are
 * those of a file, or of a network that is drawn. */
#include <mass/model.h>

enum { SUSCEPTIBLE, EXPOSED, INFECTIOUS, RECOVERED };

MASS_PARAMETER(text, contacts, "", "file of contacts, with lines source,target and perhaps weight",
               .by_default = "a network is drawn")
MASS_PARAMETER(choice, network, "random", "the network that is drawn", "random", "ring", "small-world", "preferential")
MASS_PARAMETER(int64_t, degree, 10, 2, 1000000, "contacts of a person in that network, in the mean; even")
MASS_PARAMETER(double, rewired, 0.1, 0, 1, "part of the contacts of a small world that are with anybody")
MASS_PARAMETER(int64_t, draw, 1, 0, INT64_MAX, "seed of that network, apart from that of the run")
MASS_PARAMETER(int64_t, infected, 10, 0, 2000000000, "infectious people at the start")
MASS_PARAMETER(double, infection, 0.05, 0, 1, "chance a day that a contact of weight 1 passes the disease on")
MASS_PARAMETER(double, onset, 0.5, 0, 1, "chance a day that one who is exposed becomes infectious; 1: at once")
MASS_PARAMETER(double, recovery, 0.2, 0, 1, "chance a day that one who is infectious recovers")

MASS_NETWORK(town, .file = VALUE(contacts), .nodes = VALUE(contacts)[0] ? 0 : 10000,
             .generator = (const uint32_t[]){MASS_RANDOM_EDGES, MASS_RING, MASS_SMALL_WORLD,
                                             MASS_PREFERENTIAL}[VALUE(network)],
             .degree = VALUE(network) == 3 ? VALUE(degree) / 2 : VALUE(degree), .rewired = VALUE(rewired),
             .seed = (uint64_t)VALUE(draw))
MASS_EDGE_ATTRIBUTE(town, float, weight, .initial = 1, .help = "how close a contact is; 0 or less: none")
MASS_ATTRIBUTE(town, uint8_t, state, .most = RECOVERED, .names = {"susceptible", "exposed", "infectious", "recovered"})

MASS_TALLY(SUM, int64_t, susceptible, "people who have not met the disease")
MASS_TALLY(SUM, int64_t, exposed, "people who have it, and do not pass it on yet")
MASS_TALLY(SUM, int64_t, infectious, "people who pass it on")
MASS_TALLY(SUM, int64_t, recovered, "people who had it")
MASS_TALLY(SUM, int64_t, cases, "people who got it in this step")

#define COUNTS SUMS(susceptible, exposed, infectious, recovered)
#define COUNT_STATE(s)                          \
    do {                                        \
        ADD(susceptible, (s) == SUSCEPTIBLE);   \
        ADD(exposed, (s) == EXPOSED);           \
        ADD(infectious, (s) == INFECTIOUS);     \
        ADD(recovered, (s) == RECOVERED);       \
    } while (0)

MASS_MAP(epidemic_begin, WRITES(state), GIVEN(infected), COUNTS)
{
    const uint8_t is = SHUFFLED(0, (uint64_t)AT_X, (uint64_t)SIZE_X) < (uint64_t)PARAM(infected) ? INFECTIOUS
                                                                                                 : SUSCEPTIBLE;
    OUT(state) = is;
    COUNT_STATE(is);
}

/* A day of one person. Each contact with an infectious one passes the disease on, or not, apart from the others. */
MASS_NODES(epidemic_day, town, LINKED(AS(theirs, state)), EDGES(weight), UPDATES(state),
           GIVEN(infection, onset, recovery), COUNTS, SUMS(cases))
{
    const mass_random4 r = RANDOM(0);
    const double chance = mass_unit_f64(r.v[0], r.v[1]);
    const uint8_t was = OUT(state);
    uint8_t is = was;
    if (was == SUSCEPTIBLE) {
        double escapes = 1;
        EACH_EDGE(e) {
            const double passes = PARAM(infection) * (double)EDGE(weight, e);
            if (OF(theirs, e) == INFECTIOUS) escapes *= passes >= 1 ? 0 : passes > 0 ? 1 - passes : 1;
        }
        if (chance >= escapes) is = PARAM(onset) < 1 ? EXPOSED : INFECTIOUS;
    }
    if (was == EXPOSED && chance < PARAM(onset)) is = INFECTIOUS;
    if (was == INFECTIOUS && chance < PARAM(recovery)) is = RECOVERED;
    OUT(state) = is;
    ADD(cases, (was == SUSCEPTIBLE) & (is != SUSCEPTIBLE));
    COUNT_STATE(is);
}

MASS_SCHEDULE(STARTS(epidemic_begin), STEPS(epidemic_day))
MASS_PICTURE(town, state, 0, RECOVERED, 0xf4f1e8, 0xe0a030, 0xc2452d, 0x6b7f95)
MASS_SERIES("infectious")
MASS_DEFAULT_STEPS(200)
MASS_PLUGIN(.name = "epidemic", .version = "1.0.0", .help = "a disease that spreads along the edges of a network");
