/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of every kind that GPUs gather apart: of bytes, of what has come to be so, and of numbers, in all places and in
 * some. */
#include <mass/model.h>

MASS_SPACE(grid, 2, .size = {37, 23}, .torus = MASS_AXES_ALL)
MASS_ATTRIBUTE(grid, uint8_t, byte)

MASS_TALLY(SUM, int64_t, became, "odd, and was even")
MASS_TALLY(SUM, int64_t, ceased, "even, and was odd")
MASS_TALLY(SUM, int64_t, twice, "of two kinds, the second of some places")
MASS_TALLY(SUM, int64_t, sometimes, "of some places")
MASS_TALLY(SUM, int64_t, bytes, "of all places")
MASS_TALLY(SUM, int64_t, many, "above what a byte holds, in a place")
MASS_TALLY(SUM, int64_t, few, "of some places")
MASS_TALLY(SUM, int64_t, numbers, "without signs, of some places")
MASS_TALLY(SUM, int64_t, negative, "with signs")
MASS_TALLY(SUM, int64_t, mixed, "numbers, bytes and what has come to be so")

MASS_MAP(sums_sow, WRITES(byte)) { OUT(byte) = (uint8_t)RANDOM(0).v[0]; }

MASS_STENCIL(sums_step, 2, 1, READS(byte), WRITES(byte),
             SUMS(became, ceased, twice, sometimes, bytes, many, few, numbers, negative, mixed))
{
    const uint8_t was = IN(byte), is = (uint8_t)(NEAR(byte, -1, 0) * 5 + NEAR(byte, 1, -1) * 3 + (was >> 1) + 7);
    OUT(byte) = is;
    ADD_UNLESS(became, is, was);
    ADD_UNLESS(ceased, was, is);
    ADD_UNLESS(twice, is, was >> 1);
    if (was & 4) ADD_UNLESS(twice, is >> 1, was);
    if (is & 2) ADD_UNLESS(sometimes, was, is);
    ADD(bytes, is);
    ADD(many, is);
    ADD(many, was);
    ADD(many, is);
    if (is > 200) ADD(few, is);
    if (was > 100) ADD(numbers, (uint32_t)is * 0x01010101u);
    ADD(negative, -(int32_t)is * 1000);
    ADD(negative, INT32_MIN + (int32_t)was);
    ADD_UNLESS(mixed, is, was);
    ADD(mixed, was);
    if (is & 1) ADD(mixed, 0x7fffffff - (int32_t)was);
    ADD(mixed, (int64_t)is << 40);
}

MASS_SCHEDULE(STARTS(sums_sow), STEPS(sums_step))

MASS_PLUGIN(.name = "sums", .version = "1.0.0", .help = "sums of every kind");
