/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for tallies that count by key. Launches add to the counts in `keys` of the KEYS field's
 * mass_field_memory, and are waited for. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_KEY_COUNTS_H
#define MASS_ENGINE_DEVICE_KEY_COUNTS_H

#include "base/error.h"
#include "base/keys.h"

#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_keys mass_keys; /* counts by key of one tally, in all worlds */

typedef struct mass_keys_operations {
    uint32_t struct_size;
    /* Creates empty counts, of texts or of numbers. The caller frees them. On failure *out is untouched. */
    mass_status (*create)(mass_device *, bool texts, int32_t worlds, mass_keys **out, mass_error *error);
    void (*free)(mass_device *, mass_keys *); /* NULL is allowed */
    mass_status (*clear)(mass_device *, mass_keys *, mass_error *error); /* queued */
    /* Returns a sorted list of a world's keys, which the caller frees. *out must be empty; on failure it stays so. */
    mass_status (*read)(mass_device *, mass_keys *, int32_t world, mass_key_list *out, mass_error *error);
    /* Sets the keys of a world to those of a list. After a failure the world's keys are undefined. */
    mass_status (*write)(mass_device *, mass_keys *, int32_t world, const mass_key_list *list, mass_error *error);
} mass_keys_operations;

#endif
