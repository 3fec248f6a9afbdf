/* SPDX-License-Identifier: Apache-2.0 */
#include "device/paranoid/canonical.h"
#include "model/range.h"

#include <mass/arithmetic.h>
#include <stdio.h>
#include <string.h>

/* Returns whether a number has the bits that the engine stores for its value. All integers have. */
static bool is_canonical_number(uint32_t type, const void *at)
{
    if (type == MASS_F32) {
        float number;
        memcpy(&number, at, sizeof number);
        const float canonical = mass_canonical_f32(number);
        return memcmp(&canonical, at, sizeof canonical) == 0;
    }
    if (type == MASS_F64) {
        double number;
        memcpy(&number, at, sizeof number);
        const double canonical = mass_canonical_f64(number);
        return memcmp(&canonical, at, sizeof canonical) == 0;
    }
    return true;
}

/* Returns whether all numbers of a component are canonical; it may be a struct. */
static bool is_canonical_component(const mass_attribute_def *a, const char *at)
{
    if (a->type != MASS_STRUCT) return is_canonical_number(a->type, at);
    for (uint32_t i = 0; i < a->member_count; i++)
        if (!is_canonical_number(a->members[i].type, at + a->members[i].offset)) return false;
    return true;
}

bool mass_is_canonical(const mass_field *field, const mass_attribute_def *attribute, const void *element)
{
    if (!attribute) return is_canonical_number(field->type, element);
    const uint32_t components = attribute->layout == MASS_INTERLEAVED ? attribute->length : 1;
    for (uint32_t i = 0; i < components; i++)
        if (!is_canonical_component(attribute, (const char *)element + i * attribute->component_size)) return false;
    return true;
}

bool mass_is_declared(const mass_attribute_def *a, const void *element, char text[MASS_DECLARED_TEXT])
{
    if (!a || !a->ranged) return true;
    char range[MASS_RANGE_TEXT];
    const size_t components = a->layout == MASS_INTERLEAVED ? a->length : 1;
    const size_t first = mass_range_find(a, element, components);
    if (first == components) return true;
    const double value = mass_range_value(a, (const char *)element + first * a->component_size);
    snprintf(text, MASS_DECLARED_TEXT, "%.17g, and %s has %s", value, a->name, mass_range_show(a, range));
    return false;
}
