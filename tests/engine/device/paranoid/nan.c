/* SPDX-License-Identifier: Apache-2.0 */
/* A NaN is stored in its canonical bits alone, by which devices agree. */
#include "model/model.h"
#include "scene.h"

#include <mass/kernel.h>

#include <criterion/criterion.h>
#include <string.h>

#define FLOATS READS(TYPED(from, uint8_t)), WRITES(TYPED(single, float)), UPDATES(TYPED(wide, double))
MASS_MAP(odd_single, FLOATS) { OUT(single) = mass_f32_bits(AT_X == 12 && AT_Y == 21 ? 0xffc00000u : 0x7fc00000u); }
MASS_MAP(odd_wide, FLOATS)
{
    OUT(single) = 0;
    if (AT_X == 12 && AT_Y == 21) OUT(wide) = mass_f64_bits(0x7ff8000000000001u);
}
MASS_MAP(no_odd_ones, FLOATS)
{
    OUT(single) = mass_canonical_f32(mass_f32_bits(0xff800001u));
    OUT(wide) = AT_Y & 1 ? OUT(wide) : -1.0 / 0.0;
}

Test(paranoid, another_NaN_than_the_canonical_one_is_refused)
{
    expect_sentence(&odd_single, false,
                    "field single, step 7: it is a NaN, as of 0/0, with other bits than the canonical one at place "
                    "(12, 21) of world 5: if it is meant, store what mass_canonical_f32 or _f64 makes of it");
    expect_sentence(&odd_wide, false,
                    "field wide, step 7: it is a NaN, as of 0/0, with other bits than the canonical one at place (12, "
                    "21) of world 5: if it is meant, store what mass_canonical_f32 or _f64 makes of it");
}

Test(paranoid, infinities_the_canonical_NaN_and_one_that_was_there_are_fine)
{
    scene s = make_scene(&no_odd_ones, 6, 5, 1, 1);
    mass_error error = {0};
    const uint64_t odd = 0xfff8000000000123u;
    for (size_t at = 0; at < s.bytes[2]; at += sizeof odd) memcpy((char *)memory_of(&s, 2) + at, &odd, sizeof odd);
    cr_assert_eq(run_scene(&s, &mass_paranoid_table, false, &error), MASS_OK, "%s", error.text);
    free_scene(&s);
}

typedef struct velocity { float x, y, z; } velocity;
MASS_MAP(keep_flow, READS(TYPED(flow, velocity)), WRITES(TYPED(next, velocity, flow))) { OUT(next) = IN(flow); }

/* The attribute tells where the numbers of a struct are. */
static void expect_odd_member(const mass_attribute_def *attribute, bool refused)
{
    scene s = make_scene(&keep_flow, 6, 5, 1, 1);
    mass_error error = {0};
    const uint32_t odd = 0xffc00000u;
    for (size_t at = 0; at < s.bytes[0]; at += sizeof odd) memcpy((char *)memory_of(&s, 0) + at, &odd, sizeof odd);
    s.memory[1].attribute = attribute;
    cr_assert_eq(run_scene(&s, &mass_paranoid_table, false, &error), refused ? MASS_BAD_PLUGIN : MASS_OK, "%s",
                 error.text);
    free_scene(&s);
}

Test(paranoid, another_NaN_within_an_element_is_refused)
{
    mass_member_def floats[] = {{"x", MASS_F32, 0}, {"y", MASS_F32, 4}, {"z", MASS_F32, 8}};
    mass_member_def integers[] = {{"x", MASS_U32, 0}, {"y", MASS_U32, 4}, {"z", MASS_U32, 8}};
    mass_attribute_def a = {.type = MASS_F32, .length = 3, .layout = MASS_INTERLEAVED, .component_size = 4};
    expect_odd_member(&a, true);
    a.type = MASS_U32;
    expect_odd_member(&a, false);
    a = (mass_attribute_def){.type = MASS_STRUCT, .length = 1, .component_size = 12, .member_count = 3,
                             .members = floats};
    expect_odd_member(&a, true);
    a.members = integers;
    expect_odd_member(&a, false);
}
