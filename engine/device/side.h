/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for work that is done beside other work. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_SIDE_H
#define MASS_ENGINE_DEVICE_SIDE_H

#include "base/error.h"

typedef struct mass_device mass_device;

/* What is queued from enter to leave begins when all that was queued before is done, and is done beside what is queued
 * from leave to join, and has priority over it where the device cannot run both. What is queued after join waits for
 * both. Between enter and join there are queued operations only. All three are queued themselves, and can be
 * recorded. */
typedef struct mass_side_operations {
    uint32_t struct_size;
    int64_t worthwhile; /* places that a launch covers at least for work beside it to save more than this costs */
    mass_status (*enter)(mass_device *, mass_error *error);
    mass_status (*leave)(mass_device *, mass_error *error);
    mass_status (*join)(mass_device *, mass_error *error);
} mass_side_operations;

#endif
