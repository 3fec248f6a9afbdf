/* SPDX-License-Identifier: Apache-2.0 */
/* Agents anywhere in the world. People give to one of all, look for a partner by its id, are born and die, and jump
 * anywhere. Movers of a limited number on a place draw free places, again if they were refused. Movers tax people, who
 * need not be where they are. plain.c computes the same one after the other. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXIS_X, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, people, 40, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, movers, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, seats, 1, 1, 100, "movers that a place holds")

MASS_SPACE_OF(field, 1, 3, .size = {12, 9}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, int64_t, paid)
MASS_ATTRIBUTE(field, int64_t, passed)

MASS_TALLY(SUM, int64_t, total, "wealth of all people")
MASS_TALLY(SUM, int64_t, lonely, "people whose partner is dead", .cumulative = 1)
MASS_TALLY(SUM, int64_t, retried, "movers that were refused", .cumulative = 1)
MASS_TALLY(SUM, int64_t, alive, "people")
MASS_TALLY(SUM, int64_t, died, "people", .cumulative = 1)

MASS_POPULATION(people, field, .count = VALUE(people), .children = 1, .initial = MASS_RANDOM_PLACES, .alive = "alive",
                .died = "died")
MASS_AGENT_ATTRIBUTE(people, int32_t, wealth)
MASS_AGENT_ATTRIBUTE(people, uint64_t, boss)
MASS_AGENT_ATTRIBUTE(people, int64_t, trace)
MASS_POPULATION(movers, field, .count = VALUE(movers), .capacity = (uint32_t)VALUE(seats),
                .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(movers, int64_t, tries)

MASS_AGENT(anybody_begin, people, 0, WRITES(wealth, boss), GIVEN(people))
{
    OUT(wealth) = 3;
    OUT(boss) = AGENT_ID * 7 % (uint64_t)(PARAM(people) + 1);
}

/* Boltzmann's wealth. */
MASS_AGENT(anybody_give, people, 0, READS(wealth), ADDS_ANYBODY(wealth))
{
    if (IN(wealth) <= 0) return;
    ADD_TO(wealth, SELF, -1);
    ADD_TO(wealth, ONE_OF(people, 0), 1);
}

MASS_AGENT(anybody_pair, people, 0, BY_ID(people), UPDATES(boss, trace), ANYBODY(wealth, AS(theirs, boss)),
           SUMS(lonely))
{
    const mass_somebody boss = AGENT(people, OUT(boss)), other = ONE_OF(people, 1);
    if (!IS_ANYBODY(boss)) {
        OUT(boss) = ID_OF(other);
        ADD(lonely, (uint8_t)1);
        return;
    }
    OUT(trace) = (OUT(trace) * 3 + OF(wealth, boss) + (int64_t)(OF(theirs, boss) % 97) + (int64_t)ID_OF(boss)) % 10007;
    if (RANDOM(2).v[0] % 4 == 0) OUT(boss) = OF(theirs, other);
}

MASS_AGENT(anybody_live, people, 0, READS(wealth), CHILDREN(boss))
{
    const mass_random4 r = RANDOM(0);
    if (IN(wealth) == 0 && r.v[0] % 5 == 0) KILL();
    if (r.v[1] % 17 == 0) {
        SPAWN(1);
        CHILD(boss, 0) = AGENT_ID;
    }
    if (r.v[3] % 3) MIGRATE_TO_PLACE((int64_t)(r.v[2] % (uint64_t)(SIZE_X * SIZE_Y * SIZE_Z)));
}

MASS_AGENT(anybody_seek, movers, 0, FREE_PLACES(movers), UPDATES(tries))
{
    if (RANDOM(1).v[0] % 3) return;
    const int64_t place = FREE_PLACE(0);
    OUT(tries) += place + 2;
    MIGRATE_TO_PLACE(place);
}

MASS_REFUSED(anybody_again, movers, 0, FREE_PLACES(movers), UPDATES(tries), SUMS(retried))
{
    const int64_t place = FREE_PLACE(0);
    OUT(tries) += place + 1000;
    MIGRATE_TO_PLACE(place);
    ADD(retried, (uint8_t)1);
}

/* What a mover takes, it gives to another of the people. */
MASS_RESIDENTS(anybody_tax, (movers, people), 0, 0, WRITES(paid), MEETS(tries), BY_ID(people),
               ANYBODY(FROM(people, rich, wealth)), ADDS_ANYBODY(FROM(people, wealth)))
{
    uint64_t draw = 0;
    OUT(paid) = 0;
    EACH_RESIDENT(a)
    {
        const mass_somebody from = ONE_OF(people, draw++), to = AGENT(people, (uint64_t)OF(tries, a) % 50);
        if (!IS_ANYBODY(to) || OF(rich, from) < 3) continue;
        ADD_TO(wealth, from, -2);
        ADD_TO(wealth, to, 2);
        OUT(paid) += 2 * OF(rich, from) + (int64_t)ID_OF_IN(people, to);
    }
}

MASS_OCCUPIED(anybody_pass, people, 0, 0, UPDATES(passed), MEETS(trace), CHANGES(wealth), ANYBODY(AS(all, wealth)))
{
    const mass_somebody other = ONE_OF(people, 9);
    EACH_RESIDENT(a) OUT(passed) = (OUT(passed) * 5 + OF(trace, a) + OF(wealth, a) + OF(all, other)) % 10007;
    int32_t pot = 0;
    EACH_RESIDENT(a)
    {
        if (OF(wealth, a) > 1) OF(wealth, a)--, pot++;
    }
    EACH_RESIDENT(a)
    {
        OF(wealth, a) += pot;
        pot = 0;
    }
}

MASS_AGENT(anybody_count, people, 0, READS(wealth), SUMS(total)) { ADD(total, (int64_t)IN(wealth)); }

MASS_SCHEDULE(STARTS(anybody_begin), STEPS(anybody_give), STEPS(anybody_pair), STEPS(anybody_live), MANAGES(people),
              STEPS(anybody_seek), MANAGES(movers), STEPS(anybody_again), MANAGES(movers), STEPS(anybody_tax),
              STEPS(anybody_pass), STEPS(anybody_count))

MASS_PLUGIN(.name = "anybody", .version = "1.0.0", .help = "agents anywhere in the world");
