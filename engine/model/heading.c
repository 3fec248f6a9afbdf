/* SPDX-License-Identifier: Apache-2.0 */
#include "model/heading.h"

#include <string.h>
#include <strings.h>

/* Returns whether an attribute's unit is one of a list that NULL ends, in small or capital letters. */
static bool has_unit(const mass_attribute_def *a, const char *const units[])
{
    for (size_t i = 0; a->unit && units[i]; i++)
        if (strcasecmp(a->unit, units[i]) == 0) return true;
    return false;
}

bool mass_heading_has_numbers(const mass_attribute_def *a)
{
    return !a->derived && !a->streamed && mass_type_size(a->type) > 0 && a->type != MASS_BIT;
}

bool mass_heading_is_in_degrees(const mass_attribute_def *a)
{
    static const char *const units[] = {"deg", "degree", "degrees", "\xc2\xb0", NULL};
    return has_unit(a, units);
}

bool mass_heading_is_angle(const mass_attribute_def *a)
{
    static const char *const units[] = {"rad", "radian", "radians", NULL};
    return mass_heading_has_numbers(a) && a->length == 1 && (has_unit(a, units) || mass_heading_is_in_degrees(a));
}

mass_status mass_heading_resolve(mass_model *m, uint32_t population, mass_error *error)
{
    mass_population_def *const p = &m->populations[population];
    const bool declared = p->heading_name[0];
    p->heading = declared ? mass_model_named_agent_attribute(m, population, p->heading_name) : -1;
    for (uint32_t i = 0; !declared && p->heading < 0 && i < m->attribute_count; i++)
        if (m->attributes[i].population == (int)population && mass_heading_is_angle(&m->attributes[i]))
            p->heading = (int)i;
    if (!declared) return MASS_OK;
    const mass_attribute_def *const a = p->heading < 0 ? NULL : &m->attributes[p->heading];
    if (!a || p->heading == p->position || !mass_heading_has_numbers(a) || (a->length < 2 && !mass_heading_is_angle(a)))
        return mass_error_set(error, MASS_BAD_PLUGIN, "population %s: its .heading '%s' is not an attribute of it that "
                              "is a direction: two numbers or more, or an angle with the unit \"rad\" or \"deg\"",
                              p->name, p->heading_name);
    return MASS_OK;
}
