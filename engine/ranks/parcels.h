/* SPDX-License-Identifier: Apache-2.0 */
/* Records of one size that ranks send each other, any number to any rank. Host memory, main thread. */
#ifndef MASS_ENGINE_PARCELS_H
#define MASS_ENGINE_PARCELS_H

#include "comm/comm.h"

/* What goes between this rank and another. */
typedef struct mass_parcel_pair {
    uint64_t sent, received;             /* records of this exchange */
    uint64_t usual_sent, usual_received; /* so many go with the first message, which both sides know */
    uint64_t packed;
    char *out, *in, *rest; /* the first messages, and the records that don't fit */
} mass_parcel_pair;

/* Begins as {.comm = ..., .size = ...}; size changes never. */
typedef struct mass_parcels {
    mass_comm *comm; /* borrowed */
    size_t size;     /* of a record, in bytes */
    uint64_t note;   /* bits that an exchange tells all ranks, and then those of any rank */
    uint64_t count, room;
    int32_t *ranks;   /* [count] where each record goes */
    char *records;    /* [count][size] */
    uint64_t arrived, arrival_room;
    char *arrivals; /* [arrived][size], by the rank that sent them, and in its order */
    /* Memory of exchanges. */
    mass_parcel_pair *pairs;         /* [ranks] */
    mass_message *sends, *receives;  /* [ranks] */
    char *out, *in;
    uint64_t out_room, in_room;
} mass_parcels;

/* A record to another rank, for the caller to fill in; it is valid until the next one. NULL: no memory, *error says
 * so. */
void *mass_parcels_add(mass_parcels *p, int32_t rank, mass_error *error);

/* Sends the records, of which there are none then, and receives `arrivals`, in place of earlier ones. All ranks call
 * it. All ranks meet in one message each way with as many records as usual; what is more goes between those ranks alone
 * that have it for each other. */
mass_status mass_parcels_exchange(mass_parcels *p, mass_error *error);

void mass_parcels_free(mass_parcels *p);

#endif
