/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for populations: what is done to the agents of all places at once, outside callbacks. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_AGENTS_H
#define MASS_ENGINE_DEVICE_AGENTS_H

#include "core/error.h"
#include "manage.h"

typedef struct mass_device mass_device;

typedef struct mass_agents_operations {
    uint32_t struct_size;
    /* Carries out requests (manage.h). *agents: how many there would be; where that is over the room that it was given,
     * nothing was done. While it is recorded it tells 0. */
    mass_status (*manage)(mass_device *, const mass_manage_work *work, uint64_t *agents, mass_error *error);
    mass_status (*drop)(mass_device *, const mass_drop_work *work, mass_error *error); /* queued */
    /* tally[w] = agents of world w; queued. */
    mass_status (*census)(mass_device *, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error);
} mass_agents_operations;

#endif
