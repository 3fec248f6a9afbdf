/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for streamed input. Chunks are copied to the device while callbacks work on the chunk before,
 * in two slots that take turns. Without these operations, input is read straight into the device's memory. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_INPUT_H
#define MASS_ENGINE_DEVICE_INPUT_H

#include "base/error.h"

typedef struct mass_device mass_device;

typedef struct mass_stream_operations {
    uint32_t struct_size;
    /* Returns host memory from which copies are fast and asynchronous. The caller gives it back to unstage, which waits
     * for copies from it. On failure *out is untouched. */
    mass_status (*stage)(mass_device *, size_t bytes, void **out, mass_error *error);
    void (*unstage)(mass_device *, void *);
    /* Queues a copy in parallel to other work. It begins when all work queued before the last `consumed` of its slot (0
     * or 1) is done. Work queued after it waits for it. `staged` is read until `sent` has returned. */
    mass_status (*send)(mass_device *, int slot, void *to, const void *staged, size_t bytes, mass_error *error);
    /* Waits until the slot's copies are done, so that their staged memory may be written again. */
    mass_status (*sent)(mass_device *, int slot, mass_error *error);
    /* Marks that all work on the slot's data has been queued. */
    mass_status (*consumed)(mass_device *, int slot, mass_error *error);
} mass_stream_operations;

#endif
