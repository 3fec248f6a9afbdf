/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and pairs: wolves claim sheep, and sheep claim one another, twice. Priorities are integers and reals, with
 * many that are equal, and lots. After the last step, a plain program decides that step's claims again
 * (reference.c). */
#include <mass/model.h>

#include "claims.h"

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, wolves, 60, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, sheep, 80, 0, 100000, "at the start")
MASS_PARAMETER(int64_t, capacity, 0, 0, 100000, "of a place, for wolves")
MASS_PARAMETER(int64_t, reach, 1, 1, 1024, "of bodies")
MASS_PARAMETER(int64_t, far, 1, 0, 1025, "of claims")
MASS_PARAMETER(choice, mistake, "none", "of the author", "none", "nan", "nobody", "undecided", "managed", "early",
               "late", "short", "empty")
enum { MISTAKE_NONE, OF_NAN, OF_NOBODY, UNDECIDED, MANAGED, EARLY, LATE, SHORT, EMPTY };

MASS_SPACE_OF(field, 1, 3, .size = {24, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, uint8_t, ground)
MASS_POPULATION(wolves, field, .count = VALUE(wolves), .capacity = (uint32_t)VALUE(capacity))
MASS_AGENT_ATTRIBUTE(wolves, int32_t, value)
MASS_AGENT_ATTRIBUTE(wolves, noted, hunt_noted, MASS_MEMBERS(noted, aim, bits, lot, kind, far))
MASS_AGENT_ATTRIBUTE(wolves, gotten, hunt_gotten,
                     MASS_MEMBERS(gotten, partner, value, dx, dy, dz, paired, claimant, refused, found))
MASS_POPULATION(sheep, field, .count = VALUE(sheep), .children = 1)
MASS_AGENT_ATTRIBUTE(sheep, int32_t, value)
MASS_AGENT_ATTRIBUTE(sheep, gotten, hunt_gotten,
                     MASS_MEMBERS(gotten, partner, value, dx, dy, dz, paired, claimant, refused, found))
MASS_AGENT_ATTRIBUTE(sheep, noted, wed_noted, MASS_MEMBERS(noted, aim, bits, lot, kind, far))
MASS_AGENT_ATTRIBUTE(sheep, gotten, wed_gotten,
                     MASS_MEMBERS(gotten, partner, value, dx, dy, dz, paired, claimant, refused, found))
MASS_AGENT_ATTRIBUTE(sheep, noted, again_noted, MASS_MEMBERS(noted, aim, bits, lot, kind, far))
MASS_AGENT_ATTRIBUTE(sheep, gotten, again_gotten,
                     MASS_MEMBERS(gotten, partner, value, dx, dy, dz, paired, claimant, refused, found))
MASS_TALLY(SUM, int64_t, hunted, "pairs of a wolf and a sheep")
MASS_TALLY(SUM, int64_t, married, "sheep with a partner, after the first round")
MASS_TALLY(SUM, int64_t, married_again, "after the second round")
MASS_TALLY(SUM, int64_t, vain, "claims that came to nothing")

MASS_CLAIMS(hunt, (wolves, sheep), 0, VALUE(far))
MASS_CLAIMS(wed, sheep, 0, VALUE(far))

MASS_MAP(dig, WRITES(ground)) { OUT(ground) = (uint8_t)RANDOM(0).v[0]; }

#define STROLL()                                                                              \
    const mass_random4 r = RANDOM(0);                                                         \
    OUT(value) = (int32_t)(r.v[3] % 1000);                                                    \
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;          \
    const int z = SIZE_Z > 1 ? (int)(r.v[2] % 3) - 1 : 0;                                     \
    if (EXISTS(x, y, z)) MIGRATE(x, y, z);
MASS_AGENT(stroll_wolves, wolves, 0, WRITES(value)) { STROLL() }
MASS_AGENT(stroll_sheep, sheep, 0, WRITES(value))
{
    STROLL()
    if (r.v[3] % 29 == 0) SPAWN(1);
    else if (r.v[3] % 29 == 1) KILL();
}

/* Claims `one` of a name in one of many ways, and notes it. */
#define MAKE_CLAIM(name, note, one, draw)                                                                    \
    if (IS_ANYBODY(one)) {                                                                                   \
        const mass_random4 w = RANDOM(draw), drawn = RANDOM(MASS_LAST_DRAW);                                 \
        const uint64_t lot = (uint64_t)drawn.v[0] << 32 | drawn.v[1], coin = w.v[2] % 2;                     \
        const int64_t n = (int64_t)(w.v[1] % 3) - 1, large = ((int64_t)1 << 53) + n;                         \
        const double half = (double)n / 2, past = 9007199254740992.0 * (double)n;                            \
        const uint64_t huge = 0x7fffffffffffffffu + w.v[1] % 3;                                              \
        noted made = {(note).aim, (uint64_t)n, 0, NOTED_INTEGER, 0};                                         \
        switch (w.v[0] % 10) {                                                                               \
        case 0: case 1: CLAIM(name, one, (int)n); break;                                                     \
        case 2: CLAIM(name, one, n, coin), made.lot = coin; break;                                           \
        case 3: CLAIM_BY_LOT(name, one), made.bits = 0, made.lot = lot; break;                               \
        case 4: CLAIM_BY_LOT(name, one, n), made.lot = lot; break;                                           \
        case 5: CLAIM(name, one, half), NOTE_REAL(made, half); break;                                        \
        case 6: CLAIM(name, one, (float)half, lot), NOTE_REAL(made, half), made.lot = lot; break;            \
        case 7: CLAIM(name, one, past), NOTE_REAL(made, past); break;                                        \
        case 8: CLAIM(name, one, large), made.bits = (uint64_t)large; break;                                 \
        default: CLAIM(name, one, huge), made.bits = huge, made.kind = NOTED_UNSIGNED;                       \
        }                                                                                                    \
        if (PARAM(mistake) == OF_NAN) CLAIM(name, one, __builtin_nan(""));                                   \
        made.far = FARTHEST(FARTHEST(LENGTH(one.dx), LENGTH(one.dy)), LENGTH(one.dz));                       \
        note = made;                                                                                         \
    }                                                                                                        \
    if (PARAM(mistake) == OF_NOBODY) {                                                                       \
        const mass_other nobody = {MASS_NOBODY, 0, 0, 0};                                                    \
        CLAIM(name, nobody, 1);                                                                              \
    }
#define NOTE_REAL(made, real) ((void)memcpy(&made.bits, &real, 8), made.kind = NOTED_REAL)
#define LENGTH(d) ((d) < 0 ? -(d) : (d))
#define FARTHEST(a, b) ((a) > (b) ? (a) : (b))

#define NOTE_PAIR(pairs, note, field, population)                                                           \
    {                                                                                                       \
        const mass_other mate = PARTNER(pairs);                                                             \
        gotten g = {PARTNER_ID(pairs), -1, mate.dx, mate.dy, mate.dz, IS_PAIRED(pairs), IS_CLAIMANT(pairs), \
                    CLAIM_WAS_REFUSED(pairs), IS_ANYBODY(mate)};                                            \
        if (IS_ANYBODY(mate)) g.value = OF(field, mate);                                                    \
        if (IS_ANYBODY(mate) && ID_OF_IN(population, mate) != g.partner) g.value = -2;                      \
        note = g;                                                                                           \
    }

MASS_AGENT(chase, (wolves, sheep), 0, WRITES(hunt_noted), NEARBY(FROM(sheep, value)), CLAIMS(hunt),
           GIVEN(reach, mistake))
{
    const noted none = {UINT64_MAX, 0, 0, NOTED_NONE, 0};
    const mass_other first = NEAREST_OF(sheep, PARAM(reach)), one = ONE_NEARBY_OF(sheep, PARAM(reach), 1);
    OUT(hunt_noted) = none;
    if (IS_ANYBODY(first)) CLAIM(hunt, first, 1e300);
    if (IS_ANYBODY(one)) OUT(hunt_noted).aim = ID_OF_IN(sheep, one);
    MAKE_CLAIM(hunt, OUT(hunt_noted), one, 2)
}
/* Wolves that could not move claim another sheep instead. */
MASS_REFUSED(chase_again, (wolves, sheep), 0, UPDATES(hunt_noted), NEARBY(FROM(sheep, value)), CLAIMS(hunt),
             GIVEN(mistake))
{
    const mass_other one = ONE_NEARBY_OF(sheep, 1, 1);
    if (IS_ANYBODY(one)) OUT(hunt_noted).aim = ID_OF_IN(sheep, one);
    MAKE_CLAIM(hunt, OUT(hunt_noted), one, 2)
}
MASS_AGENT(eat, (wolves, sheep), 0, WRITES(hunt_gotten), NEARBY(FROM(sheep, value)), PAIRS(hunt), SUMS(hunted, vain))
{
    NOTE_PAIR(hunt, OUT(hunt_gotten), value, sheep)
    ADD(hunted, IS_PAIRED(hunt));
    ADD(vain, CLAIM_WAS_REFUSED(hunt));
}
MASS_AGENT(be_eaten, (sheep, wolves), 0, WRITES(hunt_gotten), NEARBY(FROM(wolves, value)), PAIRS(hunt))
{
    NOTE_PAIR(hunt, OUT(hunt_gotten), value, wolves)
}

MASS_AGENT(propose, sheep, 0, WRITES(wed_noted), NEARBY(value), CLAIMS(wed), GIVEN(reach, mistake))
{
    const noted none = {UINT64_MAX, 0, 0, NOTED_NONE, 0};
    const mass_other one = ONE_NEARBY(PARAM(reach), 1);
    OUT(wed_noted) = none;
    if (RANDOM(0).v[0] % 4) {
        if (IS_ANYBODY(one)) OUT(wed_noted).aim = ID_OF(one);
        MAKE_CLAIM(wed, OUT(wed_noted), one, 2)
    }
}
MASS_AGENT(marry, sheep, 0, WRITES(wed_gotten), NEARBY(value), PAIRS(wed), SUMS(married, vain))
{
    NOTE_PAIR(wed, OUT(wed_gotten), value, sheep)
    ADD(married, IS_PAIRED(wed));
    ADD(vain, CLAIM_WAS_REFUSED(wed));
}
/* A second round, for those who are alone: both names at once, and pairs that are read while claims are made. */
MASS_AGENT(propose_again, sheep, 0, WRITES(again_noted), NEARBY(value), CLAIMS(wed), PAIRS(hunt, wed), GIVEN(mistake))
{
    const noted none = {UINT64_MAX, 0, 0, NOTED_NONE, 0};
    const mass_other one = NEAREST(1);
    OUT(again_noted) = none;
    if (!IS_PAIRED(wed) && !IS_PAIRED(hunt) && IS_ANYBODY(one)) {
        OUT(again_noted).aim = ID_OF(one);
        MAKE_CLAIM(wed, OUT(again_noted), one, 3)
    }
}
MASS_AGENT(marry_again, sheep, 0, WRITES(again_gotten), NEARBY(value), PAIRS(wed), SUMS(married_again))
{
    NOTE_PAIR(wed, OUT(again_gotten), value, sheep)
    ADD(married_again, IS_PAIRED(wed));
}

#define REACH .reach = (int32_t)VALUE(reach)
#define FAR .reach = (int32_t)(VALUE(reach) > VALUE(far) ? VALUE(reach) : VALUE(far))
#define NO(which, phase) IF(VALUE(mistake) != which, phase)
#define ONLY(which, phase) IF(VALUE(mistake) == which, phase)
MASS_SCHEDULE(STEPS(dig), STEPS(stroll_wolves), MANAGES(wolves), STEPS(stroll_sheep), MANAGES(sheep),
              ONLY(EARLY, STEPS(marry, FAR)), NO(EMPTY, STEPS(chase, REACH)),
              NO(EMPTY, STEPS(chase_again, .reach = 1)), STEPS(propose, REACH), ONLY(MANAGED, MANAGES(wolves)),
              DECIDES(hunt), STEPS(eat, FAR), ONLY(LATE, MANAGES(wolves)), STEPS(be_eaten, FAR), DECIDES(wed),
              NO(SHORT, STEPS(marry, FAR)), ONLY(SHORT, STEPS(marry, .reach = 1)), STEPS(propose_again, FAR),
              NO(UNDECIDED, DECIDES(wed)), STEPS(marry_again, FAR))

MASS_PLUGIN(.name = "claims", .version = "1.0.0", .help = "agents that claim one another",
            .finish = claims_compare);
