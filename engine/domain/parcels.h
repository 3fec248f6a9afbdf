/* SPDX-License-Identifier: Apache-2.0 */
/* Records of one size that ranks send each other, any number to any rank. Host memory, main thread. */
#ifndef MASS_ENGINE_PARCELS_H
#define MASS_ENGINE_PARCELS_H

#include "comm/comm.h"

/* Begins as {.comm = ..., .size = ...}. */
typedef struct mass_parcels {
    mass_comm *comm; /* borrowed */
    size_t size;     /* of a record, in bytes */
    uint64_t note;   /* bits that an exchange tells all ranks, and then those of any rank */
    uint64_t count, room;
    int32_t *ranks;   /* [count] where each record goes */
    char *records;    /* [count][size] */
    uint64_t arrived, arrival_room;
    char *arrivals; /* [arrived][size], by the rank that sent them, and in its order */
} mass_parcels;

/* A record to another rank, for the caller to fill in; it is valid until the next one. NULL: no memory, *error says
 * so. */
void *mass_parcels_add(mass_parcels *p, int32_t rank, mass_error *error);

/* Sends the records, of which there are none then, and receives `arrivals`, in place of earlier ones. All ranks call
 * it. Records are messages between those ranks alone that have some for each other. */
mass_status mass_parcels_exchange(mass_parcels *p, mass_error *error);

void mass_parcels_free(mass_parcels *p);

#endif
