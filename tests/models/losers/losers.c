/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that ask again for a place as long as others get it, in several manages of a step, and count as they do. Who
 * dies or is born between these, as parameters say, is one that devices that keep agents' order do not expect. */
#include <mass/model.h>

MASS_SPACE(floor, 2, .size = {40, 30}, .torus = MASS_AXES_ALL)
MASS_PARAMETER(int64_t, dies, 0, 0, 1000000, "one in so many of those that ask again dies; 0: none")
MASS_PARAMETER(int64_t, bears, 0, 0, 1000000, "one in so many of those that ask first has a child; 0: none")
MASS_PARAMETER(int64_t, late, 9, 1, 1000000, "one in so many asks for a child at a step's end, and half as many die")
MASS_PARAMETER(choice, order, "spawn_kill_migrate", "of the last manage", "spawn_kill_migrate", "kill_spawn_migrate",
               "kill_migrate_spawn")

MASS_TALLY(SUM, int64_t, alive, "dancers")
MASS_TALLY(SUM, int64_t, born, "dancers", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "dancers", .cumulative = 1)
MASS_TALLY(SUM, int64_t, refused, "dancers", .cumulative = 1)
MASS_TALLY(SUM, int64_t, lost, "marks of all that lost, by one who looks at all", .cumulative = 1)
MASS_TALLY(SUM, int64_t, retried, "the same, by one who looks at losers", .cumulative = 1)
MASS_TALLY(MAX, int64_t, largest, "mark of one who lost", .cumulative = 1)
MASS_TALLY(MIN, double, least, "root of a mark of one who lost")
MASS_TALLY(SUM, double, roots, "of marks of those who lost")
MASS_TALLY(SUM, int64_t, by_mark, "those who lost, by mark", .bins = 8)
MASS_TALLY(SUM, int64_t, trodden, "marks that the floor has seen", .cumulative = 1)

MASS_ATTRIBUTE(floor, int64_t, worn)
MASS_ATTRIBUTE(floor, int64_t, scent)
MASS_POPULATION(dancers, floor, .capacity = 1, .children = 1, .count = 400, .conflict = MASS_LOTTERY, .alive = "alive",
                .born = "born", .died = "died", .unborn = "refused")
MASS_AGENT_ATTRIBUTE(dancers, int64_t, mark)
MASS_AGENT_ATTRIBUTE(dancers, uint8_t, pace)

enum { PRIME = 1000003 };

#define ASK_FOR_ANY(NUMBER)                                                                             \
    do {                                                                                                \
        const uint32_t r_ = RANDOM(NUMBER).v[0];                                                        \
        if (r_ % 5) MIGRATE((int)(r_ / 8 % 5) - 2, COUNT_AT(0, 1) ? (int)(r_ / 64 % 3) - 1 : IN(pace)); \
    } while (0)
#define IS_ONE_IN(RATE, NUMBER) (PARAM(RATE) > 0 && RANDOM(NUMBER).v[1] % (uint32_t)PARAM(RATE) == 0)

MASS_AGENT(losers_begin, dancers, 2, WRITES(mark, pace))
{
    OUT(mark) = RANDOM(0).v[2] % 1000;
    OUT(pace) = RANDOM(0).v[3] % 3;
}

MASS_AGENT(losers_ask, dancers, 2, READS(pace), UPDATES(mark), SEES(scent), CHILDREN(mark, pace), GIVEN(bears))
{
    OUT(mark) = (OUT(mark) * 3 + SEE(scent, 1, 0) + WAS_REFUSED) % PRIME;
    ASK_FOR_ANY(1);
    if (!IS_ONE_IN(bears, 2)) return;
    SPAWN(1);
    CHILD(mark, 0) = OUT(mark) / 2;
    CHILD(pace, 0) = 1;
    CHILD_TO(0, 0, 1);
}

MASS_AGENT(losers_tell, dancers, 2, READS(mark), SUMS(lost))
{
    if (WAS_REFUSED) ADD(lost, IN(mark));
}

MASS_REFUSED(losers_retry, dancers, 2, READS(pace), UPDATES(mark), GIVEN(dies), SUMS(retried), MAXES(largest),
            MINS(least))
{
    ADD(retried, OUT(mark));
    MOST(largest, OUT(mark));
    LEAST(least, mass_sqrt_f64((double)OUT(mark)));
    OUT(mark) = (OUT(mark) * 7 + (int64_t)AGENT_ID) % PRIME;
    ASK_FOR_ANY(3);
    if (IS_ONE_IN(dies, 4)) KILL();
}

MASS_REFUSED(losers_count, dancers, 2, READS(pace), UPDATES(mark), SUMS(roots), BINS(by_mark))
{
    ADD(roots, mass_sqrt_f64((double)OUT(mark)));
    COUNT_IN(by_mark, OUT(mark) % 8);
    OUT(mark) = (OUT(mark) + 11) % PRIME;
    ASK_FOR_ANY(5);
}

MASS_OCCUPIED(losers_tread, dancers, 2, 0, UPDATES(worn), CHANGES(mark), SUMS(trodden))
{
    EACH_RESIDENT(a) {
        OUT(worn) = (OUT(worn) * 5 + OF(mark, a)) % PRIME;
        OF(mark, a) = (OF(mark, a) + OUT(worn)) % PRIME;
        ADD(trodden, OF(mark, a));
    }
}

MASS_AGENT(losers_breed, dancers, 2, READS(pace), UPDATES(mark), CHILDREN(mark, pace), GIVEN(late))
{
    if (IS_ONE_IN(late, 6)) {
        SPAWN(1);
        CHILD(mark, 0) = OUT(mark) / 3;
        CHILD(pace, 0) = IN(pace);
        if (RANDOM(6).v[2] % 9) CHILD_TO(0, (int)(RANDOM(6).v[3] % 5) - 2, 1);
    }
    if (IS_ONE_IN(late, 7) && RANDOM(7).v[3] % 2) KILL();
    if (RANDOM(7).v[2] % 4 == 0) MIGRATE(0, -1);
}

MASS_RESIDENTS(losers_leave, dancers, 2, 0, UPDATES(scent), MEETS(mark))
{
    OUT(scent) = (OUT(scent) * 2 + RESIDENT_COUNT) % PRIME;
    EACH_RESIDENT(a) OUT(scent) = (OUT(scent) + OF(mark, a) + (int64_t)RESIDENT_ID(a)) % PRIME;
}

MASS_SCHEDULE(STARTS(losers_begin), STEPS(losers_ask, .reach = 1), MANAGES(dancers), STEPS(losers_tell),
              STEPS(losers_retry, .reach = 1), MANAGES(dancers), STEPS(losers_count, .reach = 1), MANAGES(dancers),
              STEPS(losers_tread), STEPS(losers_breed), MANAGES(dancers, .order = (uint32_t)VALUE(order)),
              STEPS(losers_leave))

MASS_PLUGIN(.name = "losers", .version = "1.0.0", .help = "dancers that ask until they get a place");
