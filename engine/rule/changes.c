/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the sums of counted rules that depend only on how a place changes. */
#include "rule/rule.h"

/* Returns whether bits are equal wherever a mask is set; *value is that bit, or false if the mask is empty. */
static bool is_uniform(uint32_t bits, uint32_t mask, bool *value)
{
    *value = (bits & mask) != 0;
    return (bits & mask) == 0 || (bits & mask) == mask;
}

bool mass_rule_adds_by_change(const mass_rule *rule, const mass_rule_output *sum, const mass_rule_output *field,
                              bool adds[2][2])
{
    const uint32_t counts = rule->von_neumann ? (1u << 5) - 1 : (1u << 9) - 1;
    return is_uniform(sum->birth, counts & ~field->birth, &adds[0][0]) &&
           is_uniform(sum->birth, counts & field->birth, &adds[0][1]) &&
           is_uniform(sum->survive, counts & ~field->survive, &adds[1][0]) &&
           is_uniform(sum->survive, counts & field->survive, &adds[1][1]);
}
