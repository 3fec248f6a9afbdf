/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part of a manage over ranks of which all is queued (domain/manage/manage_queued.h), so that it can be
 * recorded. The caller exchanges what lies in the boxes between the steps. Places hold one agent at most. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_QUEUED_H
#define MASS_ENGINE_DEVICE_QUEUED_H

#include "comm/comm.h"
#include "manage.h"

#include <stdbool.h>

typedef struct mass_device mass_device;

enum { MASS_QUEUED_ROUNDS_MOST = 4 }; /* of refusals */

/* What ranks have for each other: rooms of boxes in claims, [ranks]. */
typedef struct mass_queued_rooms {
    int32_t ranks, rank;
    const int64_t *first_place; /* [ranks + 1] as in mass_holders */
    const uint32_t *out, *in;   /* to and from each rank; 0 for the own one */
} mass_queued_rooms;

typedef struct mass_queued_operations {
    uint32_t struct_size;
    /* Has all memory ready that manages like `work` take, until the next call; no recording may use the former one.
     * MASS_BAD_USAGE: agents have too many attributes. */
    mass_status (*reserve)(mass_device *, const mass_manage_work *work, const mass_queued_rooms *rooms,
                           mass_error *error);
    /* Whether memory that recordings use has been moved since it was reserved. */
    bool (*has_moved)(mass_device *);
    /* Begins one. `work` has to live until commit. moves: agents may ask for places of other ranks; then their claims
     * lie in boxes, and `rounds` of refusals follow, 1 to MASS_QUEUED_ROUNDS_MOST. All that follows is queued. */
    mass_status (*begin)(mass_device *, const mass_manage_work *work, bool moves, uint32_t rounds, mass_error *error);
    /* The boxes to and from another rank: of claims, or of the refusals of a round. */
    void (*claims)(mass_device *, int32_t rank, mass_message *out, mass_message *in);
    void (*refusals)(mass_device *, int32_t rank, uint32_t round, mass_message *out, mass_message *in);
    mass_status (*decide)(mass_device *, uint32_t sub_phase, mass_error *error);
    /* Refusals of a round have come; those that follow from them lie in the boxes of the next. */
    mass_status (*refuse)(mass_device *, uint32_t round, mass_error *error);
    /* All is decided: words that are to become the sum of all ranks'. */
    mass_status (*sum)(mass_device *, int64_t **words, size_t *count, mass_error *error);
    /* They have. Carries it out, or where that cannot be done on any rank, stops (device/recordings.h) with nothing
     * changed. Where it is not recorded, it waits, and *stopped tells, with the stop taken back. */
    mass_status (*commit)(mass_device *, bool *stopped, mass_error *error);
} mass_queued_operations;

#endif
