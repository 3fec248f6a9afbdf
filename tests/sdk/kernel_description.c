/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel macros tell the engine of a callback. */
#include "everything.h"

#include <criterion/criterion.h>

MASS_MAP(dice, WRITES(TYPED(word, uint32_t))) { OUT(word) = RANDOM(5).v[2]; }

MASS_STENCIL(sum_2d_3, 2, 3, READS(TYPED(from, uint32_t, a)), WRITES(TYPED(to, uint32_t, b)))
{
    OUT(to) = IN(from) + NEAR(from, 3, -3);
}

Test(kernel, a_callback_says_what_it_is)
{
    cr_assert_str_eq(sum_2d_3.name, "sum_2d_3");
    cr_assert_eq(sum_2d_3.struct_size, sizeof(mass_callback));
    cr_assert_eq(sum_2d_3.over, MASS_OVER_PLACES);
    cr_assert_eq(sum_2d_3.dimensions, 2);
    cr_assert_eq(sum_2d_3.radius, 3);
    cr_assert_eq(sum_2d_3.form_size, sizeof(mass_form));
    cr_assert_eq(everything.dimensions, 0);
    cr_assert_eq(everything.radius, 0);
}

Test(kernel, fields_are_reflected_in_their_order)
{
    static const mass_field expected[] =
        {{"seen", "seen", MASS_READ, MASS_U8, 1, 0},       {"count", "count", MASS_UPDATE, MASS_I32, 4, 0},
         {"both", "both", MASS_UPDATE, MASS_STRUCT, 4, 0}, {"made", "made[1]", MASS_WRITE, MASS_F64, 8, 0},
         {"gain", "gain", MASS_PARAM, MASS_I64, 8, 0},     {"rate", "rate", MASS_PARAM, MASS_F64, 8, 0},
         {"total", "total", MASS_SUM, MASS_I64, 8, 0},     {"least", "least", MASS_MIN, MASS_I64, 8, 0},
         {"most", "most", MASS_MAX, MASS_I64, 8, 0},       {"coldest", "coldest", MASS_MIN, MASS_F64, 8, 0},
         {"hottest", "hottest", MASS_MAX, MASS_F64, 8, 0}};
    cr_assert_eq(everything.field_count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < everything.field_count; i++) {
        const mass_field *const got = &everything.fields[i];
        cr_assert_str_eq(got->name, expected[i].name);
        cr_assert_str_eq(got->target, expected[i].target);
        cr_assert_eq(got->access, expected[i].access, "%s", got->name);
        cr_assert_eq(got->type, expected[i].type, "%s", got->name);
        cr_assert_eq(got->size, expected[i].size, "%s", got->name);
    }
}

Test(kernel, every_loop_has_a_quiet_and_a_tallying_form)
{
    uint32_t quiet = 0, tallying = 0;
    for (uint32_t i = 0; i < everything.form_count; i++) {
        const mass_form *const form = &everything.forms[i];
        cr_assert_eq(form->struct_size, sizeof(mass_form));
        if (form->id != MASS_FORM_LOOP) continue;
        cr_assert_eq(form->steps, 1);
        cr_assert(form->loop);
        *(form->flags & MASS_FORM_TALLIES ? &tallying : &quiet) |= 1u << form->isa;
    }
    cr_assert_eq(quiet, tallying);
    cr_assert(quiet & 1u << MASS_ISA_BASE);
}

/* One that has no tallies contributes to none in the forms that it has anyway. */
Test(kernel, device_kernels_are_named_after_the_callback)
{
    static const char *const names[] = {"dice_large", "dice_small", "dice_small", "dice_large"};
    static const int32_t rows[] = {4, 2, 2, 4}; /* of a map */
    uint32_t found = 0;
    for (uint32_t i = 0; i < dice.form_count; i++) {
        const mass_form *const form = &dice.forms[i];
        if (form->id != MASS_FORM_KERNEL || form->steps != 1) continue;
        cr_assert_lt(found, 4u);
        cr_assert_str_eq(form->kernel, names[found]);
        cr_assert_eq(!!(form->flags & MASS_FORM_TALLIES), found >= 2);
        cr_assert_eq(form->places_x, 4);
        cr_assert_eq(form->places_y, rows[found]);
        found++;
    }
    cr_assert_eq(found, 4u);
}
