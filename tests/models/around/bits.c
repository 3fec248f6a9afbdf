/* SPDX-License-Identifier: Apache-2.0 */
/* Places of bits that see agents around them: the CPU has blocks of their rows. A tally counts the places where they
 * differ from bytes. A plain program checks stencils of bytes, in around.c. */
#include <mass/model.h>

MASS_PARAMETER(int64_t, torus, MASS_AXES_ALL, 0, MASS_AXES_ALL, "axes that wrap")

MASS_SPACE_OF(field, 1, 3, .size = {70, 18}, .torus = (uint32_t)VALUE(torus))
MASS_ATTRIBUTE(field, bool, open)
MASS_ATTRIBUTE(field, bool, marked)
MASS_ATTRIBUTE(field, bool, alone)
MASS_ATTRIBUTE(field, uint8_t, open_byte)
MASS_ATTRIBUTE(field, uint8_t, marked_byte)
MASS_ATTRIBUTE(field, uint8_t, alone_byte)
MASS_TALLY(SUM, int64_t, marks, "places that are marked")
MASS_TALLY(SUM, int64_t, wrong, "places whose bits are not their bytes", .cumulative = 1)

MASS_POPULATION(bees, field, .count = 60, .capacity = 1, .initial = MASS_RANDOM_PLACES)
MASS_AGENT_ATTRIBUTE(bees, int32_t, value)

MASS_AGENT(bits_move, bees, 0, WRITES(value))
{
    const mass_random4 r = RANDOM(0);
    OUT(value) = (int32_t)(r.v[2] % 100);
    const int x = (int)(r.v[0] % 3) - 1, y = SIZE_Y > 1 ? (int)(r.v[1] % 3) - 1 : 0;
    if (EXISTS(x, y, 0)) MIGRATE(x, y, 0);
}

MASS_MAP(bits_open, WRITES(open, open_byte))
{
    OUT(open) = RANDOM(0).v[0] % 3 == 0;
    OUT(open_byte) = RANDOM(0).v[0] % 3 == 0;
}

/* What a place becomes: f is what is open. */
#define MARK(f) (NEAR(f, -1, 0, 0) ^ NEAR(f, 3, 0, 0) ^ (COUNT_NEARBY_OF(bees, 2) > 0 && IN(f))) & 1
#define IS_ALONE() (IS_ANYBODY(ONE_NEARBY_WHERE_OF(bees, o, 3, 1, OF(value, o) > 50)) && !COUNT_NEARBY(1))

MASS_STENCIL(bits_mark, 0, 3, READS(open), WRITES(marked), NEARBY_OF(bees), SUMS(marks))
{
    OUT(marked) = MARK(open);
    ADD(marks, OUT(marked));
}
MASS_STENCIL(bits_mark_bytes, 0, 3, READS(open_byte), WRITES(marked_byte), NEARBY_OF(bees))
{
    OUT(marked_byte) = MARK(open_byte);
}
MASS_STENCIL(bits_leave, 0, 3, WRITES(alone), NEARBY_OF(bees, value)) { OUT(alone) = IS_ALONE(); }
MASS_STENCIL(bits_leave_bytes, 0, 3, WRITES(alone_byte), NEARBY_OF(bees, value)) { OUT(alone_byte) = IS_ALONE(); }

MASS_MAP(bits_compare, READS(marked, alone, marked_byte, alone_byte), SUMS(wrong))
{
    ADD(wrong, IN(marked) != IN(marked_byte) || IN(alone) != IN(alone_byte));
}

MASS_SCHEDULE(STEPS(bits_move), MANAGES(bees), STEPS(bits_open), STEPS(bits_mark), STEPS(bits_mark_bytes),
              STEPS(bits_leave), STEPS(bits_leave_bytes), STEPS(bits_compare))

MASS_PLUGIN(.name = "around_bits", .version = "1.0.0", .help = "places of bits that see agents around them");
