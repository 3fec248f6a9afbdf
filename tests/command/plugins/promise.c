/* SPDX-License-Identifier: Apache-2.0 */
/* Sheep on a field, and what BREAKS says that the model does against its own word. */
#include <mass/model.h>

#include <fenv.h>
#include <time.h>

enum { NOTHING, SEES_FAR, SEES_LATE, READS_FAR, COUNTS_CALLS, DIES, BEARS, NUMBERS, ROUNDS_UP, ROUNDS_LATE,
       LOADS_ROUNDING, EXCEEDS, FADES, ENDS };

MASS_SPACE(field, 2, .size = {32, 16}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(field, double, height, .flush = BREAKS == ENDS)
MASS_ATTRIBUTE(field, uint8_t, grass, .most = BREAKS == EXCEEDS, .initial = &(const uint8_t){1})
MASS_POPULATION(sheep, field, .count = 300 /* more than a trial has room for */, .capacity = 1,
                .constant = BREAKS == DIES, .children = BREAKS == BEARS || BREAKS == NUMBERS)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, found)

MASS_STENCIL(grow, 2, 1, READS(grass), WRITES(grass), UPDATES(height))
{
    const int far = BREAKS == READS_FAR && AT_X == 3 ? 2 : 1;
    if (BREAKS == ROUNDS_UP || (BREAKS == ROUNDS_LATE && STEP == 20 && AT_X == 20)) fesetround(FE_UPWARD);
    OUT(height) = BREAKS < FADES ? OUT(height) + 0.1 : STEP == 1 ? 1e-309 : OUT(height) * 0.9;
    static uint8_t calls;
    if (BREAKS == EXCEEDS && STEP == 2 && AT_X == 5) {
        OUT(grass) = 2;
        return;
    }
    OUT(grass) = (uint8_t)(NEAR(grass, far, 0) | (BREAKS == COUNTS_CALLS ? calls++ : IN(grass)));
}

MASS_AGENT(look, sheep, 2, UPDATES(found), SEES(grass), CHILDREN(found))
{
    for (int dx = -1; dx <= 1; dx++) OUT(found) += SEE(grass, dx, 0);
    if (BREAKS == DIES && AGENT_ID == 3) KILL();
    if (BREAKS == BEARS && AGENT_ID < 5) {
        SPAWN(1);
        if (AGENT_ID != 3) CHILD(found, 0) = 1;
    }
    if (BREAKS == NUMBERS && AGENT_ID < 5) {
        static int born = 1;
        SPAWN(1);
        CHILD(found, 0) = born++;
    }
}

MASS_SCHEDULE(STEPS(grow), STEPS(look, .reach = BREAKS != SEES_FAR && BREAKS != SEES_LATE), MANAGES(sheep))
MASS_DEFAULT_STEPS(25)

#if MASS_HOST
static mass_status promise_load(mass_host *host)
{
    (void)host;
    if (BREAKS == LOADS_ROUNDING) fesetround(FE_UPWARD);
    if (BREAKS == SEES_LATE) nanosleep(&(const struct timespec){.tv_nsec = 60000000}, NULL);
    return MASS_OK;
}
#endif

MASS_PLUGIN(.name = "promise", .version = "1.0.0", .help = "keeps its promises, or not", .load = promise_load);
