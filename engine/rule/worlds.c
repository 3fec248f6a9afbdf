/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/rule.h"

#include <stdlib.h>

int32_t mass_world_rules_same(const mass_world_rules *rules, int32_t world, int32_t last)
{
    int32_t next = world + 1;
    if (rules->count == 1) return last;
    while (next < last && rules->of[next] == rules->of[world]) next++;
    return next;
}

void mass_world_rules_free(mass_world_rules *rules)
{
    if (!rules) return;
    for (uint32_t i = 0; i < rules->count; i++) mass_rule_free(rules->list[i]);
    free(rules->list);
    free(rules->of);
    free(rules);
}
