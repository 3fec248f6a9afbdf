/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the fields of a callback that count by key and that hold the texts to count; sets the error of a text
 * outside. */
#ifndef MASS_ENGINE_DEVICE_KEY_FIELDS_H
#define MASS_ENGINE_DEVICE_KEY_FIELDS_H

#include "model/access.h"
#include "device/device.h"

#include <inttypes.h>

/* Returns a callback's KEYS field, or -1. */
static inline int mass_keys_field(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].access == MASS_KEYS) return (int)i;
    return -1;
}

/* Returns the field whose array holds the texts, or -1. */
static inline int mass_keys_input(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (mass_access_of(c->fields[i].access)->addressed) return (int)i;
    return -1;
}

/* Sets the error of a text that is not in the array of texts. */
static inline mass_status mass_keys_outside(const mass_callback *c, uint64_t step, mass_error *error)
{
    const int input = mass_keys_input(c);
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, field %s, step %" PRIu64 ": it counts a text that is "
                          "not in the array of field %s", c->name, c->fields[mass_keys_field(c)].name, step,
                          input >= 0 ? c->fields[input].name : "ITEMS, which it does not have");
}

#endif
