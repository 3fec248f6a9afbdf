/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds of a sweep that have the same rule. */
#include "rule/rule.h"

int32_t mass_world_rules_same(const mass_world_rules *rules, int32_t world)
{
    int32_t next = world + 1;
    if (rules->count == 1) return rules->worlds;
    while (next < rules->worlds && rules->of[next] == rules->of[world]) next++;
    return next;
}
