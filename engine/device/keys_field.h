/* SPDX-License-Identifier: Apache-2.0 */
/* Which of a callback's fields count by key, and hold the texts that they count. */
#ifndef MASS_ENGINE_DEVICE_KEYS_FIELD_H
#define MASS_ENGINE_DEVICE_KEYS_FIELD_H

#include "device/device.h"

#include <inttypes.h>

/* The first field of some accesses, bit a for access a; or -1. */
static inline int mass_field_of(const mass_callback *c, uint32_t accesses)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (accesses >> c->fields[i].access & 1) return (int)i;
    return -1;
}

/* Fields that a body has the addresses of elements from, and so texts. */
#define MASS_KEYS_INPUTS (1u << MASS_ITEMS | 1u << MASS_PLACE | 1u << MASS_RESIDENT)

/* A callback's KEYS field, or -1; and the field whose array holds its texts, or -1. */
static inline int mass_keys_field(const mass_callback *c) { return mass_field_of(c, 1u << MASS_KEYS); }
static inline int mass_keys_input(const mass_callback *c) { return mass_field_of(c, MASS_KEYS_INPUTS); }

/* The refusal of a text that lies elsewhere. */
static inline mass_status mass_keys_outside(const mass_callback *c, uint64_t step, mass_error *error)
{
    const int input = mass_keys_input(c);
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s, step %" PRIu64 ": it counts a text that does "
                          "not lie in the array of field %s", c->name, c->fields[mass_keys_field(c)].name, step,
                          input >= 0 ? c->fields[input].name : "ITEMS, which it does not have");
}

#endif
