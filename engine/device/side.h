/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for work in parallel to other work. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_SIDE_H
#define MASS_ENGINE_DEVICE_SIDE_H

#include "base/error.h"

typedef struct mass_device mass_device;

/* Work queued between enter and leave begins when all work queued before is done. It runs in parallel to work queued
 * between leave and join, and has priority over it if the device cannot run both. Work queued after join waits for
 * both. Only queued operations may come between enter and join. All three are queued themselves, and can be
 * recorded. */
typedef struct mass_side_operations {
    uint32_t struct_size;
    int64_t worthwhile; /* least places of a launch with which work in parallel to it saves more than this costs */
    mass_status (*enter)(mass_device *, mass_error *error);
    mass_status (*leave)(mass_device *, mass_error *error);
    mass_status (*join)(mass_device *, mass_error *error);
} mass_side_operations;

#endif
