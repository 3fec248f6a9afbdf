/* SPDX-License-Identifier: Apache-2.0 */
/* Records of one size that ranks send each other, any number to any rank. Host memory. Main thread. */
#ifndef MASS_ENGINE_RECORD_BUFFERS_H
#define MASS_ENGINE_RECORD_BUFFERS_H

#include "comm/comm.h"

/* The records between this rank and another one. */
typedef struct mass_record_buffer_pair {
    uint64_t sent, received;             /* records of this exchange */
    uint64_t usual_sent, usual_received; /* records that a first message can hold; both ranks know it */
    uint64_t packed;
    char *out, *in, *rest; /* first messages, and records that do not fit */
} mass_record_buffer_pair;

/* Initialise with {.comm = ..., .size = ...}; size never changes. */
typedef struct mass_record_buffers {
    mass_comm *comm; /* borrowed */
    size_t size;     /* of a record, in bytes */
    uint64_t note;   /* before an exchange: this rank's flags; after it: the flags of all ranks, ORed */
    uint64_t count, room;
    int32_t *ranks;   /* [count] receiver of each record */
    char *records;    /* [count][size] */
    uint64_t arrived, arrival_room;
    char *arrivals; /* [arrived][size], by sender, and in the sender's order */
    /* Memory for exchanges. */
    mass_record_buffer_pair *pairs;         /* [ranks] */
    mass_message *sends, *receives;  /* [ranks] */
    char *out, *in;
    uint64_t out_room, in_room;
} mass_record_buffers;

/* Returns a new record for a rank, which may be this one. The caller fills it in. It is valid until the next one. NULL:
 * no memory; sets *error. */
void *mass_record_buffers_add(mass_record_buffers *p, int32_t rank, mass_error *error);

/* Sends all added records and removes them, also on failure. Receives `arrivals`, which replace earlier ones. All ranks
 * call it. Every pair of ranks exchanges one message each way, with as many records as usual. Further records go only
 * between the ranks that have some for each other. If it fails, only this rank may know: the caller ends the others
 * (mass_rpc_abandon). */
mass_status mass_record_buffers_exchange(mass_record_buffers *p, mass_error *error);

/* Frees all memory. The buffers are empty then, and can be used again. */
void mass_record_buffers_free(mass_record_buffers *p);

#endif
