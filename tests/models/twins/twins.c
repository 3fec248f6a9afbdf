/* SPDX-License-Identifier: Apache-2.0 */
/* Places that hold the same values twice, as bits and as bytes: whatever is done to either, they stay the same. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")
MASS_PARAMETER(int64_t, beyond, 1, 0, 1, "what is beyond bounded edges")
MASS_PARAMETER(int64_t, walkers, 40, 0, 100000, "how many there are")
#define BEYOND(type) .initial = &(const type){VALUE(beyond) != 0}

MASS_SPACE_OF(grid, 1, 3, .size = {65, 33}, .torus = (uint32_t)VALUE(torus))

#if MASS_HOST

static uint32_t dimensions; /* found out when the plugin is opened */

MASS_OPEN(twins_find_dimensions)
{
    mass_gidx size[3];
    return mass_values_of(host)->size(host, "grid", size, &dimensions);
}

#endif

MASS_ATTRIBUTE(grid, bool, bit, BEYOND(bool), .help = "0 or 1")
MASS_ATTRIBUTE(grid, uint8_t, byte, BEYOND(uint8_t), .help = "the same")
MASS_ATTRIBUTE(grid, bool, seen)
MASS_ATTRIBUTE(grid, uint8_t, seen_too)
MASS_ATTRIBUTE(grid, int32_t, age, .help = "how often it was set")
MASS_ATTRIBUTE(grid, bool, met)
MASS_ATTRIBUTE(grid, uint8_t, met_too)
MASS_POPULATION(walkers, grid, .constant = 1, .count = VALUE(walkers))
MASS_AGENT_ATTRIBUTE(walkers, uint32_t, path, .help = "what it saw")

MASS_TALLY(SUM, int64_t, alive, "places that are 1")
MASS_TALLY(SUM, int64_t, alive_too, "the same of bytes")
MASS_TALLY(MAX, int64_t, last, "the last of them, row-major")
MASS_TALLY(SUM, int64_t, differ, "places where bits and bytes differ", .cumulative = 1)

MASS_MAP(twins_sow, WRITES(bit, byte))
{
    OUT(bit) = RANDOM(0).v[0] & 4; /* any truth value */
    OUT(byte) = (uint8_t)(RANDOM(0).v[0] >> 2 & 1);
}

/* Of neighbours and weights that are no symmetric rule; `age` beside them is of another size. */
#define STEP_OF(f, n, far) (((n) * 5 + IN(f) * 3 + (far) + ((uint32_t)IN(age) & 3)) % 7 < 3)
#define FIELDS READS(bit, byte, age), WRITES(bit, byte, age), SUMS(alive, alive_too, differ), MAXES(last)
#define REPORT                                                \
    ADD(alive, OUT(bit));                                     \
    ADD(alive_too, OUT(byte));                                \
    ADD(differ, OUT(bit) != OUT(byte));                       \
    OUT(age) = IN(age) + OUT(byte);                           \
    if (OUT(bit)) MOST(last, (AT_Z * SIZE_Y + AT_Y) * SIZE_X + AT_X);

#define NEAR_1D(f) ((uint32_t)NEAR(f, -3) + NEAR(f, -1) * 2 + NEAR(f, 2) * 3 + NEAR(f, 3))
MASS_STENCIL(twins_step_1d, 1, 3, FIELDS)
{
    OUT(bit) = STEP_OF(bit, NEAR_1D(bit), NEAR(bit, 3));
    OUT(byte) = STEP_OF(byte, NEAR_1D(byte), NEAR(byte, 3));
    REPORT
}

#define NEAR_2D(f) ((uint32_t)NEAR(f, -1, -1) + NEAR(f, 0, -2) * 2 + NEAR(f, 2, 1) * 3 + NEAR(f, -2, 0) + NEAR(f, 1, 2))
MASS_STENCIL(twins_step_2d, 2, 2, FIELDS)
{
    OUT(bit) = STEP_OF(bit, NEAR_2D(bit), NEAR(bit, 2, 2));
    OUT(byte) = STEP_OF(byte, NEAR_2D(byte), NEAR(byte, 2, 2));
    REPORT
}

#define NEAR_3D(f) ((uint32_t)NEAR(f, -1, -1, 1) + NEAR(f, 0, -1, -1) * 2 + NEAR(f, 1, 1, 0) * 3 + NEAR(f, -1, 1, -1))
MASS_STENCIL(twins_step_3d, 3, 1, FIELDS)
{
    OUT(bit) = STEP_OF(bit, NEAR_3D(bit), NEAR(bit, 1, 1, 1));
    OUT(byte) = STEP_OF(byte, NEAR_3D(byte), NEAR(byte, 1, 1, 1));
    REPORT
}

/* Bits alone, which look at nobody; and in some worlds and steps only. */
MASS_MAP(twins_see, READS(bit), UPDATES(seen))
{
    OUT(seen) ^= IN(bit);
}

MASS_MAP(twins_see_too, READS(byte, seen), UPDATES(seen_too), SUMS(differ))
{
    OUT(seen_too) ^= IN(byte);
    ADD(differ, OUT(seen_too) != IN(seen));
}

MASS_MAP(twins_turn, UPDATES(bit, byte))
{
    OUT(bit) = !OUT(bit);
    OUT(byte) = !OUT(byte);
}

MASS_AGENT(twins_walk, walkers, 0, SEES(bit, byte), UPDATES(path), SUMS(differ))
{
    const uint32_t bits = SEE(bit, 0) + SEE(bit, 1) * 2u + SEE(bit, -1) * 4u;
    const uint32_t bytes = SEE(byte, 0) + SEE(byte, 1) * 2u + SEE(byte, -1) * 4u;
    ADD(differ, bits != bytes);
    OUT(path) = OUT(path) * 9 + bits;
    const int by = bits % 3 == 0 ? 1 : -1;
    if (EXISTS(by)) MIGRATE(by);
}

MASS_RESIDENTS(twins_meet, walkers, 0, 1, READS(bit, byte), MEETS(path), UPDATES(met, met_too), SUMS(differ))
{
    EACH_RESIDENT(a) {
        OUT(met) = OUT(met) ^ (OF(path, a) & 1) ^ NEAR(bit, 1);
        OUT(met_too) = OUT(met_too) ^ (OF(path, a) & 1) ^ NEAR(byte, 1);
    }
    ADD(differ, OUT(met) != OUT(met_too));
}

#define ODD .condition = &(const mass_condition){.tally = "alive", .relation = MASS_GREATER, .value = 40}
MASS_SCHEDULE(STARTS(twins_sow), IF(dimensions == 1, STEPS(twins_step_1d)), IF(dimensions == 2, STEPS(twins_step_2d)),
              IF(dimensions == 3, STEPS(twins_step_3d)), STEPS(twins_see), STEPS(twins_see_too),
              STEPS(twins_turn, .space = "grid", ODD), STEPS(twins_walk, .reach = 1), MANAGES(walkers),
              STEPS(twins_meet))

MASS_PLUGIN(.name = "twins", .version = "1.0.0", .help = "the same values as bits and as bytes");
