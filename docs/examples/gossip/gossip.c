/* SPDX-License-Identifier: Apache-2.0 */
/* People take over opinions from those around them, thank one of them, and keep away from dogs. */
#include <mass/model.h>

MASS_SPACE(town, 2, .size = {64, 48}, .torus = MASS_AXES_ALL)
MASS_POPULATION(people, town, .capacity = 1, .count = 800, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(people, int32_t, opinion)
MASS_AGENT_ATTRIBUTE(people, int64_t, thanks)
MASS_POPULATION(dogs, town, .count = 60, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(dogs, int32_t, barks)

MASS_AGENT(be_born, people, 2, WRITES(opinion)) { OUT(opinion) = (int32_t)(RANDOM(0).v[0] % 1000); }

MASS_AGENT(talk, (people, dogs), 2, UPDATES(opinion), NEARBY(opinion), ADDS(thanks, FROM(dogs, barks)))
{
    int32_t sum = OUT(opinion);
    EACH_NEARBY(o, 1) sum += OF(opinion, o);
    OUT(opinion) = sum / (int32_t)(1 + COUNT_NEARBY(1));
    const mass_other thanked = ONE_NEARBY(2, 0);
    if (IS_ANYBODY(thanked) && OF(opinion, thanked) == OUT(opinion)) ADD_TO(thanks, thanked, 1);
    const mass_other dog = NEAREST_OF(dogs, 2);
    if (IS_ANYBODY(dog)) {
        ADD_TO(barks, dog, 1);
        MIGRATE(dog.dx > 0 ? -1 : 1, dog.dy > 0 ? -1 : 1);
    }
}

MASS_AGENT(roam, dogs, 2, READS(barks))
{
    const mass_random4 r = RANDOM(0);
    if (IN(barks) % 2 == 0) MIGRATE((int)(r.v[0] % 3) - 1, (int)(r.v[1] % 3) - 1);
}

MASS_SCHEDULE(STARTS(be_born), STEPS(talk, .reach = 2), MANAGES(people), STEPS(roam), MANAGES(dogs))

MASS_PLUGIN(.name = "gossip", .version = "1.0.0", .help = "people who listen to those around them");
