/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for a manage over ranks that is all queued (population/manage/manage_queued.h), so that it
 * can be recorded. The caller exchanges the mailboxes between the steps. Places hold one agent at most. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_QUEUED_H
#define MASS_ENGINE_DEVICE_QUEUED_H

#include "comm/link.h"
#include "manage.h"

#include <stdbool.h>

enum {
    MASS_QUEUED_ROUNDS_MOST = 4,           /* of refusals */
    MASS_QUEUED_ROOM_MOST = (1 << 24) - 1, /* most claims in a mailbox: refusals have 24 bits for their number */
};

/* Consecutive places of one rank whose occupancy another rank sees. */
typedef struct mass_seen_run {
    int32_t rank;   /* the other rank */
    uint32_t count;
    /* The first place: a cell of the rank that holds it; on the other rank, its index among `place_counts`. */
    uint64_t first;
} mass_seen_run;

/* Sizes of the messages between ranks. Rooms of mailboxes are in claims, [ranks]. There are runs of own cells whose
 * occupancy is sent, and of other ranks' cells whose occupancy is received. Both sides have the runs between them in
 * the same order. */
typedef struct mass_queued_rooms {
    int32_t ranks, rank;
    const int64_t *first_place; /* [ranks + 1] as in mass_weights */
    const uint32_t *out, *in;   /* to and from each rank; 0 for the own rank */
    const mass_seen_run *seen_out, *seen_in;
    uint32_t seen_out_count, seen_in_count;
    uint32_t *place_counts; /* as in mass_agents, on the device; manages update it */
} mass_queued_rooms;

typedef struct mass_queued_operations {
    uint32_t struct_size;
    /* Reserves all memory for manages like `work`, until the next call; no recording may use the former memory.
     * MASS_BAD_USAGE: agents have too many attributes, or there are too many agents. */
    mass_status (*reserve)(mass_device *, const mass_manage_work *work, const mass_queued_rooms *rooms,
                           mass_error *error);
    /* Returns whether memory that recordings use has moved since it was reserved. */
    bool (*has_moved)(mass_device *);
    /* Begins a manage. `work` must live until commit. moves: agents may ask for places of other ranks. Then their
     * claims are put into mailboxes, and `rounds` rounds of refusals follow, 1 to MASS_QUEUED_ROUNDS_MOST. All steps
     * that follow are queued. */
    mass_status (*begin)(mass_device *, const mass_manage_work *work, bool moves, uint32_t rounds, mass_error *error);
    /* Return the mailboxes to and from another rank: of claims, of the refusals of a round, or of status. */
    void (*claims)(mass_device *, int32_t rank, mass_message *out, mass_message *in);
    void (*refusals)(mass_device *, int32_t rank, uint32_t round, mass_message *out, mass_message *in);
    void (*news)(mass_device *, int32_t rank, mass_message *out, mass_message *in);
    /* Decides moves. Claims must have arrived, if there are moves. */
    mass_status (*move)(mass_device *, mass_error *error);
    /* Takes the refusals of a round, which must have arrived. Further refusals go into the mailboxes of the next round.
     * Devices that exchange by themselves do as many rounds as needed in one call. */
    mass_status (*refuse)(mass_device *, uint32_t round, mass_error *error);
    /* Settles all agents, and puts the status into mailboxes. All refusals must have arrived. */
    mass_status (*conclude)(mass_device *, mass_error *error);
    /* Applies the manage. All ranks' status must have arrived. If any rank cannot apply it, it stops
     * (device/recordings.h), and nothing has changed. If it is not recorded, it waits, clears the stop, and sets
     * *stopped. */
    mass_status (*commit)(mass_device *, bool *stopped, mass_error *error);
    /* Optional. Lets the devices write messages directly into each other's memory, if the link allows it. Then the
     * caller exchanges no mailboxes, and may not ask for them. Memory must be reserved. All ranks call it, and *alone
     * is the same on all. */
    mass_status (*meet)(mass_device *, mass_comm *, mass_link *, bool *alone, mass_error *error);
    bool (*alone)(mass_device *); /* *alone of the last meet */
} mass_queued_operations;

#endif
