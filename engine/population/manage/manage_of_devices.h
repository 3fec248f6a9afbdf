/* SPDX-License-Identifier: Apache-2.0 */
/* manage over ranks (manage_over_ranks.h) where agents lie in the memory of GPUs. The devices decide (device/agents.h:
 * mass_remote_operations), and the hosts carry what ranks tell each other in between: claims to cells of other ranks,
 * claims that come back, and those who travel. Main thread. */
#ifndef MASS_ENGINE_MANAGE_OF_DEVICES_H
#define MASS_ENGINE_MANAGE_OF_DEVICES_H

#include "device/device.h"
#include "population/manage/manage_over_ranks.h"
#include "population/manage/manage_queued.h"

typedef struct mass_manage_messages mass_manage_messages;

/* As mass_manage_decide and mass_manage_commit, of which it has the contracts, with arrays in the device's memory. team
 * and part of holders mean nothing. prepare comes in between, once the arrays have room for all: it has all memory
 * ready that the commit takes. */
mass_status mass_manage_messages_decide(mass_device *, const mass_manage_work *w, const mass_weights *weights,
                                mass_manage_messages **kept, uint64_t *after, mass_error *error);
mass_status mass_manage_messages_prepare(mass_device *, const mass_manage_messages *, const mass_manage_work *w,
                                         mass_error *error);
mass_status mass_manage_messages_commit(mass_device *, const mass_manage_messages *, const mass_manage_work *w,
                                        mass_error *error);

/* What manages have shown so far of what ranks tell each other, and so what the next ones take that are queued. False:
 * they cannot be, since children are born on other ranks' places. rooms: its boxes, [ranks] each. */
bool mass_manage_messages_can_queue(const mass_manage_messages *l);
mass_queued_shape mass_manage_messages_shape(const mass_manage_messages *l, uint32_t phase);
void mass_manage_messages_rooms(const mass_manage_messages *l, uint32_t *out, uint32_t *in);
/* Grows with every manage that has shown more than those before it. */
uint64_t mass_manage_messages_lessons(const mass_manage_messages *l);

/* NULL is fine. */
void mass_manage_messages_free(mass_manage_messages *);

#endif
