/* SPDX-License-Identifier: Apache-2.0 */
/* Which form of a callback a CPU runs. */
#include "launching.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void base_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 1;
}
static void avx2_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 2;
}
static void avx512_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)l;
    (void)range;
    **(uint8_t *const *)fields = 3;
}

/* What the chosen loop of these forms left, run with MASS_ISA, or 0 if it is refused. */
static int chosen(const mass_form *forms, uint32_t count, const char *isa, mass_error *error)
{
    setenv("MASS_ISA", isa, 1);
    const mass_launch l = launch_of(1, 1, 1, 1);
    const mass_callback callback = touch_with(forms, count);
    uint8_t mark = 0;
    int64_t tally = 0;
    mass_device *device = open_cpu(1);
    const mass_status status = launch_on(device, &callback, &l, (void *[]){&mark, &tally}, true, error);
    cr_assert_eq(status, mark ? MASS_OK : MASS_BAD_PLUGIN);
    mass_cpu_table.close(device);
    unsetenv("MASS_ISA");
    return mark;
}

#define BOTH(ISA, LOOP) LOOP_FORM(ISA, 0, LOOP, 1, 0), LOOP_FORM(ISA, TALLIES, LOOP, 1, 0)

Test(cpu, the_widest_form_up_to_the_instruction_set_runs)
{
    static const mass_form forms[] = {BOTH(MASS_ISA_AVX2, avx2_loop), BOTH(MASS_ISA_BASE, base_loop),
                                      BOTH(MASS_ISA_AVX512, avx512_loop)};
    mass_error error = {0};
    const char *names[3];
    const int sets = instruction_sets(names);
    for (int s = 0; s < sets; s++) {
        cr_assert_eq(chosen(forms, 6, names[s], &error), s + 1, "%s", names[s]);
        cr_assert_eq(chosen(forms + 2, 2, names[s], &error), 1, "%s", names[s]);
    }
}

Test(cpu, forms_of_a_later_engine_are_skipped)
{
    static const mass_form forms[] = {LOOP_FORM(MASS_ISA_BASE, TALLIES, avx2_loop, 2, 0),
                                      LOOP_FORM(MASS_ISA_BASE, TALLIES, avx2_loop, 1, 1),
                                      LOOP_FORM(MASS_ISA_BASE, TALLIES | 64, avx2_loop, 1, 0),
                                      {sizeof(mass_form), 99, MASS_ISA_BASE, TALLIES, avx2_loop, NULL, 1, 1, 1, 0},
                                      BOTH(MASS_ISA_BASE, base_loop)};
    mass_error error = {0};
    cr_assert_eq(chosen(forms, 6, "base", &error), 1);
}

Test(cpu, a_callback_without_a_form_for_this_machine_is_refused)
{
    static const mass_form wide[] = {BOTH(MASS_ISA_AVX2, avx2_loop)};
    static const mass_form only_quiet[] = {LOOP_FORM(MASS_ISA_BASE, 0, base_loop, 1, 0)};
    mass_error error = {0};
    cr_assert_eq(chosen(wide, 2, "base", &error), 0);
    cr_assert_str_eq(error.text, "callback touch has no form that this CPU runs");
    error = (mass_error){0};
    cr_assert_eq(chosen(only_quiet, 1, "base", &error), 0);
}

Test(cpu, an_unknown_instruction_set_is_bad_usage)
{
    mass_error error = {0};
    mass_device *device = NULL;
    setenv("MASS_ISA", "mmx", 1);
    cr_assert_eq(mass_cpu_table.open(0, 1, &device, &error), MASS_BAD_USAGE);
    cr_assert_null(device);
    cr_assert(strstr(error.text, "MASS_ISA=mmx") && strstr(error.text, "base"), "%s", error.text);
}
