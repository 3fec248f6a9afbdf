/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for pictures that are looked at: pixels are made where the places are, so that only they come to
 * the host. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_PICTURES_H
#define MASS_ENGINE_DEVICE_PICTURES_H

#include "base/error.h"
#include "shrink.h"

typedef struct mass_device mass_device;

typedef struct mass_picture_operations {
    uint32_t struct_size;
    uint32_t rules; /* bits of the rules that it has, 1 << mass_shrink_rule */
    /* Draws a frame into the host's index, [mass_shrink_rows][mass_shrink_columns]. Parts are the host's, and their
     * bases the device's. Unless w->ranged, range[0] and range[1] become the least and the greatest value that is a
     * number, if there is one below range[0], or above range[1]. */
    mass_status (*shrink)(mass_device *, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error);
} mass_picture_operations;

/* The same of places in the host's memory, by this thread: memory has mass_pictures_host_memory(w) bytes. Pure. */
size_t mass_pictures_host_memory(const mass_shrink_work *w);
void mass_pictures_shrink_on_host(const mass_shrink_work *w, void *memory, uint8_t *index, double range[2]);

#endif
