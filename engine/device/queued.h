/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part of a manage over ranks of which all is queued (population/manage/manage_queued.h), so that it can
 * be recorded. The caller exchanges the contents of the boxes between the steps. Places hold one agent at most.
 * Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_QUEUED_H
#define MASS_ENGINE_DEVICE_QUEUED_H

#include "comm/link.h"
#include "manage.h"

#include <stdbool.h>

enum {
    MASS_QUEUED_ROUNDS_MOST = 4,           /* of refusals */
    MASS_QUEUED_ROOM_MOST = (1 << 24) - 1, /* claims in a box: who refuses says how many in 24 bits */
};

/* Places that follow each other, of one rank, which another one sees. */
typedef struct mass_seen_run {
    int32_t rank;   /* on the other side */
    uint32_t count;
    uint64_t first; /* the first one: a cell of the rank that holds it; on the other side, its number among crowds */
} mass_seen_run;

/* What ranks have for each other: rooms of boxes in claims, [ranks]; and the runs of cells whose occupation is told,
 * and that of others which becomes known, with those of one other rank in the order that both sides have. */
typedef struct mass_queued_rooms {
    int32_t ranks, rank;
    const int64_t *first_place; /* [ranks + 1] as in mass_holders */
    const uint32_t *out, *in;   /* to and from each rank; 0 for the own one */
    const mass_seen_run *seen_out, *seen_in;
    uint32_t seen_out_count, seen_in_count;
    uint32_t *crowds; /* as in mass_agents, on the device; manages keep it up to date */
} mass_queued_rooms;

typedef struct mass_queued_operations {
    uint32_t struct_size;
    /* Has all memory ready that manages like `work` take, until the next call; no recording may use the former one.
     * MASS_BAD_USAGE: agents have too many attributes, or are too many. */
    mass_status (*reserve)(mass_device *, const mass_manage_work *work, const mass_queued_rooms *rooms,
                           mass_error *error);
    /* Whether memory that recordings use has been moved since it was reserved. */
    bool (*has_moved)(mass_device *);
    /* Begins one. `work` has to live until commit. moves: agents may ask for places of other ranks; then their claims
     * lie in boxes, and `rounds` of refusals follow, 1 to MASS_QUEUED_ROUNDS_MOST. All that follows is queued. */
    mass_status (*begin)(mass_device *, const mass_manage_work *work, bool moves, uint32_t rounds, mass_error *error);
    /* The boxes to and from another rank: of claims, of the refusals of a round, or of news. */
    void (*claims)(mass_device *, int32_t rank, mass_message *out, mass_message *in);
    void (*refusals)(mass_device *, int32_t rank, uint32_t round, mass_message *out, mass_message *in);
    void (*news)(mass_device *, int32_t rank, mass_message *out, mass_message *in);
    /* Claims have come, if there are moves. */
    mass_status (*move)(mass_device *, mass_error *error);
    /* Refusals of a round have come; those that follow from them lie in the boxes of the next. Devices that exchange by
     * themselves do all rounds at once, as many as it takes. */
    mass_status (*refuse)(mass_device *, uint32_t round, mass_error *error);
    /* All refusals that are awaited have come: what becomes of everybody is decided, and lies in the boxes of news. */
    mass_status (*conclude)(mass_device *, mass_error *error);
    /* All ranks' news have come. Carries it out, or where that cannot be done on any rank, stops
     * (device/recordings.h) with nothing changed. Where it is not recorded, it waits, and *stopped tells, with the stop
     * taken back. */
    mass_status (*commit)(mass_device *, bool *stopped, mass_error *error);
    /* Optional. Once memory is reserved: has the devices write what is for others into their memory, if the link lets
     * them, so that the caller exchanges no boxes, and none of these may be asked for. All ranks call it, and *alone is
     * the same on all. */
    mass_status (*meet)(mass_device *, mass_comm *, mass_link *, bool *alone, mass_error *error);
    bool (*alone)(mass_device *); /* what meet said last */
} mass_queued_operations;

#endif
