/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for streamed input: pieces that are copied to the device while callbacks work on the one before,
 * in two slots that take turns. Without this part, input is read straight into the device's memory. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_STREAMS_H
#define MASS_ENGINE_DEVICE_STREAMS_H

#include "core/error.h"

typedef struct mass_device mass_device;

typedef struct mass_stream_operations {
    uint32_t struct_size;
    /* Memory of the host that is copied from fast; the caller gives it back to unstage. On failure *out is
     * untouched. */
    mass_status (*stage)(mass_device *, size_t bytes, void **out, mass_error *error);
    void (*unstage)(mass_device *, void *);
    /* Queued. It begins once what was queued before the last `consumed` of its slot is done, and what is queued after
     * it finds the data. */
    mass_status (*send)(mass_device *, int slot, void *to, const void *staged, size_t bytes, mass_error *error);
    /* Waits until the slot's sends are done, so that its staged memory can be written again. */
    mass_status (*sent)(mass_device *, int slot, mass_error *error);
    /* All that works on a slot's data has been queued. */
    mass_status (*consumed)(mass_device *, int slot, mass_error *error);
} mass_stream_operations;

#endif
