/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for pictures. It makes pixels where the places are, so that only pixels come to the host.
 * Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_PICTURES_H
#define MASS_ENGINE_DEVICE_PICTURES_H

#include "base/error.h"
#include "shrink.h"

typedef struct mass_device mass_device;

typedef struct mass_picture_operations {
    uint32_t struct_size;
    uint32_t rules; /* bits of the rules that it supports, 1 << mass_shrink_rule */
    /* Draws a frame into index, [mass_shrink_rows][mass_shrink_columns] in host memory. Parts are in host memory, and
     * their bases on the device. Unless w->ranged, lowers range[0] to the least value, and raises range[1] to the
     * greatest. NaN does not count. With w->ranged, the range may change or not. */
    mass_status (*shrink)(mass_device *, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error);
} mass_picture_operations;

/* Returns the bytes of `memory` that mass_pictures_shrink_on_host needs. Pure. */
size_t mass_pictures_host_memory(const mass_shrink_work *w);
/* Draws a frame as `shrink` does, of places in host memory, on this thread. */
void mass_pictures_shrink_on_host(const mass_shrink_work *w, void *memory, uint8_t *index, double range[2]);

#endif
