/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks (manage_over_ranks.h) without the hosts: devices tell each other over a link what
 * manage_of_devices.h has the hosts carry, in boxes of a fixed size and in a fixed number of rounds, so that it can be
 * recorded. Where that is not enough on any rank, all stop before any of them writes, and the hosts do that manage.
 * Main thread. */
#ifndef MASS_ENGINE_MANAGE_QUEUED_H
#define MASS_ENGINE_MANAGE_QUEUED_H

#include "comm/link.h"
#include "device/device.h"

/* What a phase's manage takes, as earlier ones have shown. The same on all ranks. */
typedef struct mass_queued_shape {
    bool moves;      /* agents ask for places of other ranks */
    uint32_t rounds; /* of refusals */
} mass_queued_shape;

/* Has all devices find each other, which cannot be recorded: in each other's memory if they can (mass_shared). All
 * ranks call it once boxes are reserved, which are empty then. */
mass_status mass_manage_meet(mass_device *, mass_comm *, mass_link *, mass_error *error);

/* Queues it. The device has reserved memory (device/queued.h); places hold one agent at most. *stopped: as commit says
 * there. All ranks call it. */
mass_status mass_manage_queue(mass_device *, mass_link *, int32_t ranks, int32_t rank, const mass_manage_work *w,
                              mass_queued_shape shape, bool *stopped, mass_error *error);

#endif
