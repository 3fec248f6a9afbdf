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
    /* Carries out what agents asked for (manage.h). *agents is how many there would be afterwards: where that is more
     * than work->room, nothing was done, and the caller calls again with larger arrays. Queued where there can be no
     * births (work->children is 0) or it is being recorded; *agents is then 0 on devices that need not know it. After
     * MASS_NO_DEVICE, for lack of memory to sort agents in, nothing was done either. */
    mass_status (*manage)(mass_device *, const mass_manage_work *work, uint64_t *agents, mass_error *error);
    /* Takes back requests that no manage has carried out (manage.h). Queued. */
    mass_status (*drop)(mass_device *, const mass_drop_work *work, mass_error *error);
    /* tally[w] = the number of agents in world w, of `places` places, by `start` as in mass_agents. Queued. */
    mass_status (*census)(mass_device *, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error);
    /* The threads that do this in host memory, for a manage over ranks; or NULL. The device's own. */
    struct mass_cpu_team *(*team)(mass_device *);
} mass_agents_operations;

#endif
