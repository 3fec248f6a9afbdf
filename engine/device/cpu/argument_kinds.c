/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/argument_kinds.h"

#include "model/access.h"

#include <string.h>

/* Returns whether field i reads old values of an array. */
static bool is_old(const mass_callback *c, uint32_t i)
{
    return mass_access_of(c->fields[i].access)->buffer == MASS_BUFFER_OLD;
}

/* Returns whether field i is a new value, which the callback writes. */
static bool is_new(const mass_callback *c, uint32_t i)
{
    return mass_access_of(c->fields[i].access)->buffer == MASS_BUFFER_NEW;
}

/* Returns whether field i has one value a world: a parameter or a tally. */
static bool is_value(const mass_callback *c, uint32_t i)
{
    const mass_access_class class = mass_access_class_of(c->fields[i].access, c->over);
    return class == MASS_CLASS_WORLD || class == MASS_CLASS_KEPT || class == MASS_CLASS_TOTAL ||
           class == MASS_CLASS_ACCUMULATOR;
}

/* Returns the first field for which `is` is true, with the target of field i; or the number of fields. */
static uint32_t find_field(const mass_callback *c, bool (*is)(const mass_callback *, uint32_t), uint32_t i)
{
    uint32_t k = 0;
    while (k < c->field_count && !(is(c, k) && strcmp(c->fields[k].target, c->fields[i].target) == 0)) k++;
    return k;
}

mass_cpu_argument_kind mass_cpu_argument_kind_of(const mass_callback *c, uint32_t i, uint32_t *partner)
{
    *partner = c->field_count;
    if (is_value(c, i)) return MASS_ROLE_VALUE;
    *partner = find_field(c, is_old(c, i) ? is_new : is_old, i);
    const bool alone = *partner == c->field_count;
    if (is_old(c, i)) return alone ? MASS_ROLE_FIXED : MASS_ROLE_PRESENT;
    return alone ? MASS_ROLE_RESULT : MASS_ROLE_NEXT;
}

bool mass_cpu_hands_on(const mass_callback *c)
{
    bool all = c->over == MASS_OVER_PLACES && c->field_count <= MASS_CPU_FIELDS_MOST;
    for (uint32_t i = 0; all && i < c->field_count; i++)
        all = is_value(c, i) ? c->fields[i].access != MASS_KEYS
                             : is_old(c, i) || (is_new(c, i) && find_field(c, is_new, i) == i);
    return all;
}
