/* SPDX-License-Identifier: Apache-2.0 */
/* Tallies that a plugin declares: what they are worth, and the sentence that every other gets. */
#include "../expect.h"
#include "model_world.h"

#include <string.h>

Test(model, bad_tallies_are_refused)
{
    static const char unfit[] = "tally 't' has to be an integer, a fixed-point sum of at most 62 fraction bits, or "
                                "real; and a mean real";
    static const struct { mass_tally t; const char *text; } bad[] = {
        {{.name = "", .access = MASS_SUM}, "tally '' is not named by letters, digits and '_' (at most 63)"},
        {{.name = "births", .access = MASS_SUM}, "tally 'births' is declared twice"},
        {{.name = "t"}, "tally 't' has no access: give it .access = MASS_SUM, MASS_MIN, MASS_MAX or "
         "MASS_MEAN"},
        {{.name = "t", .access = MASS_PARAM}, unfit},
        {{.name = "t", .access = MASS_MAX + 1}, unfit},
        {{.name = "t", .access = MASS_MEAN}, unfit},
        {{.name = "t", .access = MASS_MIN, .bins = 4},
         "tally 't' has bins, and is not a sum of integers or in fixed point"},
        {{.name = "t", .access = MASS_SUM, .bins = 4, .method = 5},
         "tally 't' has more than 1000000000 bins, or an unknown method"},
        {{.name = "t", .access = MASS_SUM, .kind = 3}, unfit},
        {{.name = "t", .access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 63}, unfit}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_REFUSAL(mass_model_add_tally(m, &bad[i].t, e), MASS_BAD_PLUGIN, bad[i].text);
        cr_assert_eq(m->tally_count, 3);
        discard(m);
    }
}

Test(model, a_tally_that_nobody_added_to_is_0)
{
    for (uint32_t access = MASS_SUM; access <= MASS_MAX; access++)
        for (uint32_t kind = MASS_TALLY_INTEGER; kind <= MASS_TALLY_REAL; kind++) {
            const mass_tally_def t = {.access = access, .kind = kind};
            cr_assert_eq(mass_tally_value(&t, &(int64_t){mass_tally_neutral(&t)}), 0.0);
        }
}

Test(model, tallies_are_reported_in_their_own_unit)
{
    const mass_tally_def integer = {.access = MASS_MIN, .kind = MASS_TALLY_INTEGER};
    const mass_tally_def fixed = {.access = MASS_SUM, .kind = MASS_TALLY_FIXED, .fraction_bits = 4};
    cr_assert_eq(mass_tally_value(&integer, &(int64_t){-12}), -12.0);
    cr_assert_eq(mass_tally_value(&fixed, &(int64_t){-40}), -2.5);
}

/* The order of IEEE 754 numbers as integers: the bits of positive ones, and those of the others
 * below them, turned round. */
static int64_t rank_of(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >= 0 ? bits : INT64_MIN - bits;
}

Test(model, a_real_tally_is_the_number_of_its_rank)
{
    static const double values[] = {1.5, -1.5, 1e300, -1e300, 5e-324, -5e-324, 0};
    const mass_tally_def t = {.access = MASS_MAX, .kind = MASS_TALLY_REAL};
    for (size_t i = 0; i < COUNT(values); i++)
        cr_assert_eq(mass_tally_value(&t, &(int64_t){rank_of(values[i])}), values[i]);
}

Test(model, bad_tallies_of_keys_are_refused)
{
    static const char text[] = "tally 't' counts by keys, and is not a sum of integers without bins, or of unknown "
                               "keys: give it .keys = MASS_KEYS_NUMBERS or MASS_KEYS_TEXTS";
    static const mass_tally bad[] = {
        {.name = "t", .access = MASS_MAX, .keys = MASS_KEYS_NUMBERS},
        {.name = "t", .access = MASS_SUM, .keys = 3},
        {.name = "t", .access = MASS_SUM, .bins = 4, .keys = MASS_KEYS_TEXTS},
        {.name = "t", .access = MASS_SUM, .kind = MASS_TALLY_REAL, .keys = MASS_KEYS_TEXTS}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        mass_model *m = world();
        EXPECT_REFUSAL(mass_model_add_tally(m, &bad[i], e), MASS_BAD_PLUGIN, text);
        discard(m);
    }
}
