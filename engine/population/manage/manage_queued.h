/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks (manage_over_ranks.h) without the hosts, so that it can be recorded. Devices exchange over a link
 * what the hosts carry in manage_of_devices.h, in mailboxes of a fixed size:
 *   1. claims   to places of other ranks, each with the agent's values; so granted claims are the agents that come;
 *   2. refusals of claims, in rounds; as many rounds as earlier manages of the phase took. Devices that write into each
 *               other's memory do as many as it takes in one launch;
 *   3. status   of each rank to all: a mailbox or an array was too small, or there is more to send; births, for the
 *               ids; and a bit for each place beside the boundary, which says if an agent will be there.
 * A phase whose agents never claimed a place of another rank exchanges only status.
 *
 * No rank writes anything of the population before it has the status of all. If any rank has trouble, all stop there,
 * and the hosts do that manage from its beginning. They learn the sizes and rounds that the next recording takes.
 *
 * Only for one population, whose places hold one agent at most, and up to 16 ranks. Main thread. */
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
mass_status mass_manage_notify(mass_device *, mass_comm *, mass_link *, mass_error *error);

/* Queues it. The device has reserved memory (device/queued.h); places hold one agent at most. *stopped: as commit says
 * there. All ranks call it. */
mass_status mass_manage_queue(mass_device *, mass_link *, int32_t ranks, int32_t rank, const mass_manage_work *w,
                              mass_queued_shape shape, bool *stopped, mass_error *error);

#endif
