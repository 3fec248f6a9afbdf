/* SPDX-License-Identifier: Apache-2.0 */
/* Sums that go by what a place was and becomes, made of masks by hand. */
#include "rule/rule.h"

#include <criterion/criterion.h>

enum { COUNTS = 511 };

static const mass_rule rule;

/* What a sum adds for places that a field leaves in this or that way. */
static mass_rule_output sum_of(const mass_rule_output *field, const bool adds[2][2])
{
    return (mass_rule_output){
        .birth = (adds[0][0] ? COUNTS & ~field->birth : 0) | (adds[0][1] ? field->birth : 0),
        .survive = (adds[1][0] ? COUNTS & ~field->survive : 0) | (adds[1][1] ? field->survive : 0)};
}

Test(changes, each_sum_by_change_is_found)
{
    const mass_rule_output field = {.birth = 1 << 3 | 1 << 6, .survive = 1 << 2 | 1 << 3};
    for (int k = 0; k < 16; k++) {
        const bool adds[2][2] = {{k & 1, k >> 1 & 1}, {k >> 2 & 1, k >> 3 & 1}};
        const mass_rule_output sum = sum_of(&field, adds);
        bool found[2][2];
        cr_assert(mass_rule_adds_by_change(&rule, &sum, &field, found));
        for (int i = 0; i < 4; i++) cr_assert_eq(found[i / 2][i % 2], adds[i / 2][i % 2], "sum %d, change %d", k, i);
    }
}

Test(changes, a_sum_that_depends_on_the_count_is_none)
{
    const mass_rule_output field = {.birth = 1 << 3 | 1 << 6, .survive = 1 << 2 | 1 << 3};
    const mass_rule_output some_births = {.birth = 1 << 3}, some_that_stay = {.survive = 1 << 2};
    bool adds[2][2];
    cr_assert(!mass_rule_adds_by_change(&rule, &some_births, &field, adds));
    cr_assert(!mass_rule_adds_by_change(&rule, &some_that_stay, &field, adds));
}
