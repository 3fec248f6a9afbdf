/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks (manage_over_ranks.h) for agents in GPU memory. The devices decide (device/agents.h:
 * mass_remote_operations). Between their steps, the hosts exchange claims to cells of other ranks, refusals, and
 * agents that change rank. Main thread. */
#ifndef MASS_ENGINE_MANAGE_OF_DEVICES_H
#define MASS_ENGINE_MANAGE_OF_DEVICES_H

#include "device/device.h"
#include "population/manage/manage_over_ranks.h"
#include "population/manage/manage_queued.h"

typedef struct mass_manage_messages mass_manage_messages;

/* Decide and commit a manage as mass_manage_decide and mass_manage_commit do, with arrays in the device's memory.
 * Between the two, once the arrays are large enough, call mass_manage_messages_prepare: it reserves all memory that the
 * commit needs. */
mass_status mass_manage_messages_decide(mass_device *, const mass_manage_work *w, const mass_weights *weights,
                                mass_manage_messages **kept, uint64_t *after, mass_error *error);
mass_status mass_manage_messages_prepare(mass_device *, const mass_manage_messages *, const mass_manage_work *w,
                                         mass_error *error);
mass_status mass_manage_messages_commit(mass_device *, const mass_manage_messages *, const mass_manage_work *w,
                                        mass_error *error);

/* Return what queued manages have to know, from the statistics of past manages. */
/* Returns false if children are born on other ranks' places, which queued manages cannot do, or if l is NULL: there was
 * no manage yet. */
bool mass_manage_messages_can_queue(const mass_manage_messages *l);
/* Returns the exchanges of a phase's manage; none if the phase had no manage yet. */
mass_queued_shape mass_manage_messages_shape(const mass_manage_messages *l, uint32_t phase);
/* Gets the capacities of the mailboxes to and from each rank: out[ranks], in[ranks]; 0 for this rank. */
void mass_manage_messages_rooms(const mass_manage_messages *l, uint32_t *out, uint32_t *in);
/* Returns a number that grows with every manage that raises a statistic; 0 for NULL. */
uint64_t mass_manage_messages_lessons(const mass_manage_messages *l);

/* Accepts NULL. */
void mass_manage_messages_free(mass_manage_messages *);

#endif
