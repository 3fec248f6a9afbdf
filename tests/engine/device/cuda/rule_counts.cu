/* SPDX-License-Identifier: Apache-2.0 */
/* Rules by counts, and what their sums come to in terms of places that are set, born and died: against the masks, for
 * every count; no GPU. */
#include "device/cuda/rule_counts.h"

#include <random>
#include <stdio.h>

namespace {

enum { SUMS = 3, NEXT = 1, FIRST_TALLY = 2 };

struct masks {
    mass_rule_input inputs[2];
    mass_rule_output outputs[1 + SUMS];
    mass_rule rule;
};

/* A mask that is one of those which follow from `next`, and now and then one that does not. */
uint32_t follow(std::mt19937 &g, uint32_t next, bool unset)
{
    return ((unset && g() % 2 ? ~next : 0) | (g() % 2 ? next : 0)) ^ (g() % 12 == 0);
}

masks make(std::mt19937 &g)
{
    masks m = {};
    m.inputs[0] = {0, -1, 0, 0};
    m.inputs[1] = {0, 1, 1, 0};
    m.outputs[0] = {MASS_RULE_FIELD, NEXT, 0, 0, (uint32_t)g() & 511, (uint32_t)g() & 511};
    for (int i = 1; i <= SUMS; i++)
        m.outputs[i] = {MASS_RULE_SUM, FIRST_TALLY + (uint32_t)(g() % 2), (int64_t)(g() % 9) - 4, 0,
                        follow(g, m.outputs[0].birth, g() % 8 == 0), follow(g, m.outputs[0].survive, true)};
    return m;
}

/* Of a place that is `set` with n neighbours, for a tally's field. */
int64_t wanted(const masks &m, uint32_t field, bool set, int n)
{
    int64_t sum = 0;
    for (int i = 1; i <= SUMS; i++)
        if (m.outputs[i].field == field)
            sum += m.outputs[i].weight * ((set ? m.outputs[i].survive : m.outputs[i].birth) >> n & 1);
    return sum;
}

int64_t given(const mass_rule_counts &c, uint32_t field, bool set, bool next)
{
    for (uint32_t i = 0; i < c.sum_count; i++)
        if (c.sum_fields[i] == field)
            return c.sums[i].set * next + c.sums[i].born * (next && !set) + c.sums[i].died * (set && !next);
    return 0;
}

bool right(const masks &m, const mass_rule_counts &c, int counts)
{
    bool same = c.from == 0 && c.to == NEXT;
    for (uint32_t field = FIRST_TALLY; field < FIRST_TALLY + 2; field++)
        for (int set = 0; set < 2; set++)
            for (int n = 0; n < counts; n++) {
                const bool next = (set ? c.survive : c.birth) >> n & 1;
                same &= given(c, field, set, next) == wanted(m, field, set, n);
            }
    return same;
}

} // namespace

int main()
{
    std::mt19937 g(1);
    int taken = 0, refused = 0;
    for (int i = 0; i < 4000; i++) {
        masks m = make(g);
        m.rule = {m.inputs, 2, nullptr, 0, m.outputs, 1 + SUMS, true, g() % 2 == 0, true};
        mass_rule_counts c;
        if (!mass_rule_counts_of(&m.rule, &c)) {
            refused++;
            continue;
        }
        taken++;
        if (right(m, c, m.rule.von_neumann ? 5 : 9)) continue;
        fprintf(stderr, "case %d: sums differ\n", i);
        return 1;
    }
    if (taken > 500 && refused > 500) return 0;
    fprintf(stderr, "%d taken, %d refused\n", taken, refused);
    return 1;
}
