/* SPDX-License-Identifier: Apache-2.0 */
/* A model that does everything that small worlds on a GPU may do. The space has three axes, one of them bounded. There
 * are stencils, residents and occupied places, tallies of every kind, and conditions. Agents move near, far, and out of
 * the space. */
#include <mass/model.h>

/* Columns that are not of a machine's word. */
typedef struct wander_bag {
    uint32_t of[3];
} wander_bag;

MASS_PARAMETER(double, share, 0.5, 0, 1, "of the walkers, that have to be odd for the conditions")
MASS_PARAMETER(int64_t, walkers, 90, 0, 100000, "how many there are")
MASS_PARAMETER(int64_t, leave, 1, 0, 1, "1: some ask to move over the edge, which the paranoid device reports")

MASS_SPACE(grid, 3, .size = {7, 6, 5}, .torus = MASS_AXIS_X | MASS_AXIS_Z)
MASS_TALLY(SUM, int64_t, odd, "walkers that drew an odd number")
MASS_TALLY(SUM, int64_t, walked, "for a test", .cumulative = 1)
MASS_TALLY(MIN, int64_t, least, "for a test", .cumulative = 1)
MASS_TALLY(MAX, double, most, "for a test", .cumulative = 1)

MASS_POPULATION(walkers, grid, .count = VALUE(walkers), .constant = 1)
MASS_POPULATION(sitters, grid, .count = 11, .constant = 1)
MASS_ATTRIBUTE(grid, uint16_t, scent)
MASS_ATTRIBUTE(grid, uint32_t, trodden)
MASS_ATTRIBUTE(grid, uint8_t, dug)
MASS_AGENT_ATTRIBUTE(walkers, uint64_t, met)
MASS_AGENT_ATTRIBUTE(walkers, int8_t, heading)
MASS_AGENT_ATTRIBUTE(walkers, uint16_t, lost_moves)
MASS_AGENT_ATTRIBUTE(walkers, wander_bag, bag, .member_count = 3,
                     .members = (const mass_member[]){{"first", MASS_U32, 0}, {"second", MASS_U32, 4},
                                                      {"third", MASS_U32, 8}})
MASS_AGENT_ATTRIBUTE(sitters, double, seen)

/* Over the bounded axis, the default: nothing. */
MASS_STENCIL(wander_scent, 3, 1, READS(scent), WRITES(scent), READS(trodden))
{
    uint32_t sum = IN(trodden);
    MASS_VON_NEUMANN_3D(dx, dy, dz, 1) { sum += NEAR(scent, dx, dy, dz) + 3 * NEAR(trodden, dx, dy, dz); }
    OUT(scent) = (uint16_t)(sum / 2);
}

/* Along the scent, far away at times, and over the edge at others. */
MASS_AGENT(wander_walk, walkers, 3, SEES(scent), UPDATES(heading, lost_moves), GIVEN(leave), SUMS(odd, walked))
{
    const mass_random4 r = RANDOM(0);
    const int stays = !PARAM(leave) && !EXISTS(0, 1, 0), goes = !PARAM(leave) && !EXISTS(0, -1, 0);
    const int up = (SEE(scent, 0, 1, 0) > SEE(scent, 0, -1, 0) && !stays) || goes;
    const int right = SEE(scent, 1, 0, 0) >= SEE(scent, -1, 0, 0);
    OUT(lost_moves) = (uint16_t)(OUT(lost_moves) + WAS_REFUSED + (uint32_t)COUNT_AT(0, 0, 1));
    OUT(heading) = (int8_t)(up - right);
    if (r.v[0] % 5 == 0) MIGRATE_TO(r.v[1] % SIZE_X, r.v[2] % SIZE_Y, r.v[3] % SIZE_Z);
    else if (r.v[0] % 5 == 1) MIGRATE(9, up ? 1 : -1, -12);
    else if (r.v[0] % 5 == 2) KILL();
    else MIGRATE(right ? 1 : -1, up ? 1 : -1, (int)(r.v[1] % 3) - 1);
    ADD(odd, r.v[3] & 1);
    ADD(walked, 1000000000000 + AT_X);
}

MASS_RESIDENTS(wander_meet, walkers, 3, 0, UPDATES(trodden), MEETS(heading, lost_moves), CHANGES(met, bag),
               MINS(least), MAXES(most))
{
    uint64_t before = 0;
    EACH_RESIDENT(a)
    {
        OF(met, a) = OF(met, a) * 3 + before;
        OF(bag, a).of[(uint32_t)STEP % 3] += (uint32_t)(OF(heading, a) + 2);
        before = RESIDENT_ID(a) + 1;
    }
    EACH_RESIDENT_WHERE(heading, a) OF(met, a) += before++;
    EACH_RESIDENT_WHERE(lost_moves, a) OF(met, a) ^= before++;
    OUT(trodden) = OUT(trodden) * 2 / 3 + RESIDENT_COUNT;
    LEAST(least, -(int64_t)OUT(trodden));
    MOST(most, 0.1 * OUT(trodden));
}

MASS_OCCUPIED(wander_dig, sitters, 3, 1, READS(trodden), UPDATES(dug), CHANGES(seen))
{
    OUT(dug)++;
    EACH_RESIDENT(a) OF(seen, a) += 0.1 * (NEAR(trodden, 1, 0, 0) + NEAR(trodden, 0, 0, -1));
}

MASS_AGENT(wander_jump, sitters, 3, UPDATES(seen), GIVEN(leave))
{
    OUT(seen) -= 1;
    if (PARAM(leave) || EXISTS(1, 1, 1)) MIGRATE(1, 1, 1);
}

#define CROWDED .condition = &(const mass_condition){"odd", MASS_GREATER, 1, "share", "walkers"}
MASS_SCHEDULE(STEPS(wander_walk, .reach = 1), STEPS(wander_meet), MANAGES(walkers), STEPS(wander_scent),
              STEPS(wander_dig), STEPS(wander_jump, CROWDED), MANAGES(sitters, CROWDED), MANAGES(walkers, CROWDED))

MASS_WORLD_STEPS(wander_scent, wander_walk, wander_meet, wander_dig, wander_jump)
MASS_PLUGIN(.name = "wander", .version = "1.0.0", .help = "walkers that leave a scent");
