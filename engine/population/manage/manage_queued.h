/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks (manage_over_ranks.h) without the hosts, so that it can be recorded. The devices exchange over a
 * link, in mailboxes of a fixed size, what the hosts exchange in manage_of_devices.h. There are three kinds of
 * messages.
 *
 * 1. Claims to places of other ranks, each with the agent's values. The granted claims are the agents that arrive.
 *
 * 2. Refusals of claims, in as many rounds as earlier manages of the phase needed. Devices that write to each
 * other's memory do all rounds in one launch.
 *
 * 3. The status of each rank, to all ranks. It says if a mailbox or an array was too small, or if there are more
 * refusals to send. It has the number of births, for the ids. It has a bit for each place at the boundary, which
 * says if an agent will be there.
 *
 * A phase whose agents never claimed a place of another rank exchanges only status.
 *
 * No rank writes the population before it has the status of all. If a rank cannot go on, all ranks stop there, and
 * the hosts repeat that manage from its beginning. They learn the sizes and rounds for the next recording.
 *
 * The model has one population, a place holds one agent at most, and there are up to 16 ranks. Main thread. */
#ifndef MASS_ENGINE_MANAGE_QUEUED_H
#define MASS_ENGINE_MANAGE_QUEUED_H

#include "comm/link.h"
#include "device/device.h"

/* What a phase's manage has to exchange, from the statistics of earlier ones. The same on all ranks. */
typedef struct mass_queued_shape {
    bool moves;      /* agents claim places of other ranks */
    uint32_t rounds; /* rounds of refusals */
} mass_queued_shape;

/* Connects all devices, which cannot be recorded: through each other's memory if possible (mass_shared). All ranks
 * call it once mailboxes are reserved, which are empty then. */
mass_status mass_manage_notify(mass_device *, mass_comm *, mass_link *, mass_error *error);

/* Queues a manage. The device has reserved memory (device/queued.h). A place holds one agent at most. *stopped: as
 * for `commit` there. All ranks call it. */
mass_status mass_manage_queue(mass_device *, mass_link *, int32_t ranks, int32_t rank, const mass_manage_work *w,
                              mass_queued_shape shape, bool *stopped, mass_error *error);

#endif
