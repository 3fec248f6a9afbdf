/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/rule_counts.h"

#include <stddef.h>

/* Returns the field of all inputs, or UINT32_MAX if there are several. */
static uint32_t only_input(const mass_rule *rule)
{
    uint32_t field = rule->input_count ? rule->inputs[0].field : UINT32_MAX;
    for (uint32_t i = 1; i < rule->input_count; i++)
        if (rule->inputs[i].field != field) field = UINT32_MAX;
    return field;
}

/* Returns the only output that is a field, or NULL. */
static const mass_rule_output *only_field(const mass_rule *rule)
{
    const mass_rule_output *only = NULL;
    for (uint32_t i = 0; i < rule->output_count; i++) {
        if (rule->outputs[i].kind != MASS_RULE_FIELD) continue;
        if (only) return NULL;
        only = &rule->outputs[i];
    }
    return only;
}

/* Finds or adds the sum of a field. Returns false if a step cannot have so many. */
static bool find_sum(mass_rule_counts *c, uint32_t field, mass_bits_sum **out)
{
    uint32_t i = 0;
    while (i < c->sum_count && c->sum_fields[i] != field) i++;
    if (i == MASS_BITS_SUMS) return false;
    if (i == c->sum_count) {
        c->sum_fields[c->sum_count++] = field;
        c->sums[i] = (mass_bits_sum){0};
    }
    *out = &c->sums[i];
    return true;
}

/* Adds a sum to *c, as numbers of places that are set after the step, become set, and cease to be set. Modulo 2^64,
 * like sums. Returns false if the sum depends on more than a place's old and new bit, if it counts places that stay
 * unset, or if there are too many sums. */
static bool add_sum(mass_rule_counts *c, const mass_rule *rule, const mass_rule_output *sum,
                    const mass_rule_output *next)
{
    bool adds[2][2];
    mass_bits_sum *s;
    if (!mass_rule_adds_by_change(rule, sum, next, adds) || adds[0][0] || !find_sum(c, sum->field, &s)) return false;
    const uint64_t weight = (uint64_t)sum->weight;
    s->set = (int64_t)((uint64_t)s->set + adds[1][1] * weight);
    s->born = (int64_t)((uint64_t)s->born + adds[0][1] * weight - adds[1][1] * weight);
    s->died = (int64_t)((uint64_t)s->died + adds[1][0] * weight);
    return true;
}

bool mass_rule_counts_of(const mass_rule *rule, mass_rule_counts *out)
{
    const mass_rule_output *next = only_field(rule);
    const uint32_t counts = rule->von_neumann ? (1u << 5) - 1 : (1u << 9) - 1;
    if (!rule->counted || !next || only_input(rule) == UINT32_MAX) return false;
    *out = (mass_rule_counts){.from = only_input(rule), .to = next->field, .birth = next->birth & counts,
                              .survive = next->survive & counts};
    bool can = out->from != out->to;
    for (uint32_t i = 0; i < rule->output_count && can; i++)
        if (rule->outputs[i].kind == MASS_RULE_SUM) can = add_sum(out, rule, &rule->outputs[i], next);
    return can;
}
