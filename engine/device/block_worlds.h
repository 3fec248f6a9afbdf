/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for small worlds: each world fits into the fast memory of one processor, and stays there from
 * step to step (the SDK's world.h). Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_BLOCK_WORLDS_H
#define MASS_ENGINE_DEVICE_BLOCK_WORLDS_H

#include "base/error.h"

#include <mass/impl/world.h>

typedef struct mass_device mass_device;

typedef struct mass_block_world_operations {
    uint32_t struct_size;
    /* Returns the bytes that a world may have there; 0: the plugin has no MASS_WORLD_STEPS. */
    size_t (*memory)(mass_device *);
    /* Returns the bytes that each of `worlds` worlds may have if a processor takes two at a time, with `threads`
     * threads each. 0: it takes one, or there are processors for all. */
    size_t (*memory_of_two)(mass_device *, int32_t worlds, uint32_t threads);
    /* Returns the number of a callback among those of MASS_WORLD_STEPS, or -1. */
    int (*callback)(mass_device *, const char *name);
    /* Does 2 * `pairs` steps of all worlds; `step` steps are done before. Queued; keep_up of recordings.h waits for it
     * as for a replay. */
    mass_status (*steps)(mass_device *, const mass_block_program *program, uint64_t step, uint64_t pairs,
                         mass_error *error);
} mass_block_world_operations;

#endif
