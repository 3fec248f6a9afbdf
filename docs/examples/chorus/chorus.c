/* SPDX-License-Identifier: Apache-2.0 */
/* Frogs that call. Each place of the pond hears the loudest of them, and frogs follow one that is louder. */
#include <mass/model.h>

MASS_SPACE(pond, 2, .size = {96, 64}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(pond, int32_t, heard)
MASS_POPULATION(frogs, pond, .capacity = 1, .count = 200, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(frogs, int32_t, call)
MASS_TALLY(SUM, int64_t, silent, "places that hear nobody")

MASS_AGENT(tune, frogs, 2, WRITES(call)) { OUT(call) = 50 + (int32_t)(RANDOM(0).v[0] % 50); }

MASS_STENCIL(hear, 2, 4, WRITES(heard), NEARBY_OF(frogs, call), SUMS(silent))
{
    const mass_other loudest = MOST_NEARBY_OF(frogs, o, 4, OF(call, o) - o.dx * o.dx - o.dy * o.dy);
    OUT(heard) = IS_ANYBODY(loudest) ? OF(call, loudest) : 0;
    ADD(silent, !IS_ANYBODY(loudest));
}

MASS_AGENT(follow, frogs, 2, READS(call), NEARBY(AS(theirs, call)))
{
    const mass_other louder = ONE_NEARBY_WHERE(o, 4, 0, OF(theirs, o) > IN(call));
    if (IS_ANYBODY(louder)) MIGRATE((louder.dx > 0) - (louder.dx < 0), (louder.dy > 0) - (louder.dy < 0));
}

MASS_SCHEDULE(STARTS(tune), STEPS(hear), STEPS(follow, .reach = 4), MANAGES(frogs))

MASS_PLUGIN(.name = "chorus", .version = "1.0.0", .help = "a pond that hears the loudest of its frogs");
