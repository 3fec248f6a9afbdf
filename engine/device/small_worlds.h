/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for small worlds: steps of worlds that each fit into the fast memory of one processor, and stay
 * there from step to step (the SDK's world.h). Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_SMALL_WORLDS_H
#define MASS_ENGINE_DEVICE_SMALL_WORLDS_H

#include "base/error.h"

#include <mass/impl/world.h>

typedef struct mass_device mass_device;

typedef struct mass_small_world_operations {
    uint32_t struct_size;
    /* Bytes that a world may have there; 0: the plugin has no MASS_WORLD_STEPS. */
    size_t (*memory)(mass_device *);
    /* Bytes that each of so many worlds may have for a processor to take two of them at a time, with that many threads
     * each; 0: it takes one, or there are processors for all. */
    size_t (*memory_of_two)(mass_device *, int32_t worlds, uint32_t threads);
    /* The number of a callback among those of MASS_WORLD_STEPS, or -1. */
    int (*callback)(mass_device *, const char *name);
    /* `pairs` times two steps of all worlds, of which `step` steps are done. Queued, and waited for by keep_up of
     * recordings.h as a replay is. */
    mass_status (*steps)(mass_device *, const mass_world_program *program, uint64_t step, uint64_t pairs,
                         mass_error *error);
} mass_small_world_operations;

#endif
