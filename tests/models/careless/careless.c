/* SPDX-License-Identifier: Apache-2.0 */
/* Careless: bodies that leave a field unwritten, or look too far for nothing, each when it is told to. What is not
 * written has no value, and compilers take the one that comes handy: the other path's. What is looked at changes
 * nothing. */
#include <mass/model.h>

#include "careless.h"

MASS_PARAMETER(int64_t, who, 0, -63, 63, "who is careless, added up")
MASS_PARAMETER(int64_t, dx, 0, -INT64_MAX, INT64_MAX, "how far is looked along x")
MASS_PARAMETER(int64_t, dy, 0, -INT64_MAX, INT64_MAX, "how far is looked along y")

MASS_SPACE(grid, 2, .size = {13, 11}, .torus = MASS_AXIS_X)
MASS_ATTRIBUTE(grid, uint8_t, ground)
MASS_ATTRIBUTE(grid, uint8_t, heard)
MASS_ATTRIBUTE(grid, uint8_t, read)
MASS_POPULATION(ants, grid, .count = 40)
MASS_AGENT_ATTRIBUTE(ants, uint8_t, done)
MASS_AGENT_ATTRIBUTE(ants, uint8_t, seen)

MASS_MAP(careless_lay, GIVEN(who), WRITES(ground))
{
    if (!(PARAM(who) & LAYS) || AT_X != 5) OUT(ground) = 3;
}

MASS_RESIDENTS(careless_meet, ants, 2, 0, GIVEN(who), WRITES(heard))
{
    if (!(PARAM(who) & MEETS) || RESIDENT_COUNT != 0) OUT(heard) = 3;
}

MASS_AGENT(careless_act, ants, 2, GIVEN(who), WRITES(done))
{
    if (!(PARAM(who) & ACTS) || AGENT_ID != 7) OUT(done) = 3;
}

MASS_AGENT(careless_look, ants, 2, GIVEN(who, dx, dy), SEES(ground), UPDATES(seen))
{
    if (PARAM(who) & SEES) OUT(seen) |= SEE(ground, PARAM(dx), PARAM(dy)) & 0;
    if (PARAM(who) & COUNTS) (void)COUNT_AT(PARAM(dx), PARAM(dy));
}

MASS_STENCIL(careless_read, 2, 1, GIVEN(who, dx, dy), READS(ground), UPDATES(read))
{
    if (PARAM(who) & READS) OUT(read) |= NEAR(ground, PARAM(dx), PARAM(dy)) & 0;
}

MASS_SCHEDULE(STEPS(careless_lay), STEPS(careless_meet), STEPS(careless_act), STEPS(careless_look, .reach = 1),
              STEPS(careless_read))
MASS_DEFAULT_STEPS(2)

MASS_PLUGIN(.name = "careless", .version = "1.0.0", .help = "bodies that leave fields unwritten, or look too far");
