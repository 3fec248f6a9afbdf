/* SPDX-License-Identifier: Apache-2.0 */
/* Links: what ranks exchange from the memory of one's device to the memory of another's, without the host. A link is
 * made for a device and a communicator, which brings the ranks together and which they go on to use for all that lies
 * in the host's memory. Where there is no link, data is staged through the host instead, to the same bits.
 *
 * What is queued on a link is done in order with all else that is queued on its device (device.h), and can be kept in a
 * recording, which all ranks then make and replay alike. As with a communicator, every rank calls the same operations
 * in the same order. An operation that fails, or that turns out to have failed when the host next waits for the device,
 * leaves link and device unusable, so that the rank ends the run. Main thread. */
#ifndef MASS_ENGINE_LINK_H
#define MASS_ENGINE_LINK_H

#include "comm/comm.h"

typedef struct mass_device mass_device;
typedef struct mass_link_table mass_link_table;

/* What every implementation's link begins with. */
typedef struct mass_link {
    const mass_link_table *table;
    bool failed; /* here or on another rank */
    const char *by; /* what reports say; NULL: the table's name */
    size_t swift;   /* so many bytes to a rank on either side take hardly longer than a few */
} mass_link;

/* Memory that devices write to by themselves: a piece on each, as the device of this rank reaches them. */
typedef struct mass_shared {
    char *const *at;       /* [ranks]; NULL: they cannot */
    const uint32_t *ended; /* for a device that waits in it: not 0 once nothing comes any more */
} mass_shared;

/* What a rank tells the others about itself before there is a link. */
typedef struct mass_link_card {
    char lacks[240];    /* why it cannot take part, in one line; "": it can */
    char host[64];
    char device[24];    /* its name */
    uint8_t id[16];     /* of the device, unlike that of any other */
    int32_t version;    /* of the library that makes the link */
    bool linkless;      /* its device is of a kind that has no links */
} mass_link_card;

/* By which ranks find each other. */
typedef struct mass_link_key {
    char bytes[128];
} mass_link_key;

/* A device's part for links. */
struct mass_link_table {
    uint32_t struct_size;
    const char *name; /* "nccl": what reports say */

    /* For mass_link_open. describe fills in all but the host; make_key is called on rank 0, and join on all ranks,
     * which wait for each other in it. On failure *out is untouched. */
    void (*describe)(mass_device *, mass_link_card *out);
    mass_status (*make_key)(mass_device *, mass_link_key *out, mass_error *error);
    mass_status (*join)(mass_device *, const mass_comm *, const mass_link_key *key, double limit, mass_link **out,
                        mass_error *error);

    /* Sends and receives messages whose data lies in the device's memory; how they match says mass_message. What one
     * receives overlaps no other message. Queued. */
    mass_status (*exchange)(mass_link *, const mass_message *sends, uint32_t send_count, const mass_message *receives,
                            uint32_t receive_count, mass_error *error);
    /* values[i], in the device's memory, becomes the sum, modulo 2^64, or the least or most of all ranks' values[i]: on
     * all ranks. Queued. */
    mass_status (*all_reduce)(mass_link *, mass_reduction_operation, int64_t *values, size_t count, mass_error *error);
    /* When all work that it takes part in was waited for and its recordings were discarded, and before its device and
     * its communicator are closed. Waits for the other ranks to do the same, unless it has failed. */
    void (*close)(mass_link *);
    /* Optional. All ranks call it once, when all have the link and before they exchange anything. Waits. */
    mass_status (*ready)(mass_link *, mass_comm *, mass_error *error);
    /* Optional. Pieces of so many bytes, or of more where a rank asks for more, all zeros, in place of those before,
     * which nothing that is queued or recorded may use any more. All ranks call it, and all have pieces or none; they
     * stay valid until the next call or the link's end. Waits. */
    mass_status (*share)(mass_link *, mass_comm *, size_t bytes, mass_shared *out, mass_error *error);
};

static inline const char *mass_link_by(const mass_link *link) { return link->by ? link->by : link->table->name; }

/* Makes a link over all ranks of the communicator, each with its device; NULL, and another table than the others': a
 * device that has none. All ranks call it, and all have a link then, or all fail with one text that names what is in
 * the way: MASS_NO_DEVICE, and data can be staged. *odd, if it is not NULL, says on all alike whether that is to be
 * told also where nobody insists on a link: not where a device has none, ranks share one, or no rank has the library.
 * limit: seconds for which the host waits for the device, at most, before it takes another rank for lost; 0: any time.
 * On failure *out is untouched. */
mass_status mass_link_open(mass_device *, const mass_link_table *table, mass_comm *, double limit, mass_link **out,
                           bool *odd, mass_error *error);

#endif
