/* SPDX-License-Identifier: Apache-2.0 */
/* Links: messages between ranks from the memory of one device to the memory of another, without the host. A link is
 * made for a device and a communicator. The communicator connects the ranks, and they use it further for data in host
 * memory. Without a link, data is staged through the host, with the same bits as result.
 *
 * Operations queued on a link are executed in order with all other work on its device (device.h). They can be kept in a
 * recording, which all ranks make and replay alike. Every rank calls the same operations in the same order, as with a
 * communicator. An operation may fail at once or when the host next waits for the device. Then link and device are
 * unusable, and the rank ends the run. Main thread. */
#ifndef MASS_ENGINE_LINK_H
#define MASS_ENGINE_LINK_H

#include "comm/comm.h"

typedef struct mass_device mass_device;
typedef struct mass_link_table mass_link_table;

/* The beginning of every implementation's link. */
typedef struct mass_link {
    const mass_link_table *table;
    bool failed; /* here or on another rank */
    const char *by; /* name for reports; NULL: the table's name */
    size_t short_path;   /* a message of so many bytes to a neighbouring rank takes hardly longer than a few bytes */
} mass_link;

/* Memory that devices write to directly: one buffer on each device, at the addresses that this rank's device uses. */
typedef struct mass_shared {
    char *const *at;       /* [ranks]; NULL: devices cannot reach each other */
    const uint32_t *ended; /* for kernels that wait in the memory: nonzero once nothing more will come */
} mass_shared;

/* A rank's description of itself for the others, before there is a link. */
typedef struct mass_link_card {
    char lacks[240];    /* why it cannot take part, in one line; "": it can */
    char host[64];
    char device[24];    /* its name */
    uint8_t id[16];     /* unique to the device */
    int32_t version;    /* of the library that makes links */
    bool linkless;      /* its device is of a kind that has no links */
} mass_link_card;

/* The key by which ranks connect. */
typedef struct mass_link_key {
    char bytes[128];
} mass_link_key;

/* The operations that a kind of device implements for links. */
struct mass_link_table {
    uint32_t struct_size;
    const char *name; /* "nccl": for reports */

    /* For mass_link_open. describe fills in all but the host. Rank 0 calls make_key. All ranks call join and wait for
     * each other in it. On failure *out is unchanged. */
    void (*describe)(mass_device *, mass_link_card *out);
    mass_status (*make_key)(mass_device *, mass_link_key *out, mass_error *error);
    mass_status (*join)(mass_device *, const mass_comm *, const mass_link_key *key, double limit, mass_link **out,
                        mass_error *error);

    /* Sends and receives messages in device memory, which match as those of mass_message. Memory that is received into
     * overlaps no other message. Queued. */
    mass_status (*exchange)(mass_link *, const mass_message *sends, uint32_t send_count, const mass_message *receives,
                            uint32_t receive_count, mass_error *error);
    /* Replaces values[i], in device memory, on all ranks by the sum, modulo 2^64, the least or the most of all ranks'
     * values[i]. Queued. */
    mass_status (*all_reduce)(mass_link *, mass_reduction_operation, int64_t *values, size_t count, mass_error *error);
    /* Closes the link. Call it after waiting for all its work and discarding its recordings, and before its device and
     * its communicator are closed. Waits for the other ranks to close it, unless the link has failed. */
    void (*close)(mass_link *);
    /* Optional. Opens the path for short messages; if there is one, sets `by` and `short_path`. Keeps the communicator
     * until close. All ranks call it once, after all have the link and before the first exchange. Waits. */
    mass_status (*ready)(mass_link *, mass_comm *, mass_error *error);
    /* Optional. Makes buffers of the most `bytes` that any rank asks for, all zeros. They replace the earlier ones,
     * which no queued or recorded work may use any more. All ranks call it, and all have buffers or none. They remain
     * valid until the next call or the end of the link. Waits. */
    mass_status (*share)(mass_link *, mass_comm *, size_t bytes, mass_shared *out, mass_error *error);
};

/* Returns the name of the link for reports. */
static inline const char *mass_link_by(const mass_link *link) { return link->by ? link->by : link->table->name; }

/* Makes a link over all ranks of the communicator, each with its device. table is NULL, unlike the others', if the
 * device has no links. All ranks call it. All get a link, or all fail with the same text, which names the reason:
 * MASS_NO_DEVICE, and data can be staged.
 *
 * *odd, if it is not NULL, becomes whether the failure should be reported even if the user did not ask for a link. It
 * is the same on all ranks, and false if a device has no links, ranks share a device, or no rank has the library.
 *
 * limit: most seconds that the host waits for the device before it takes another rank for lost; 0: no limit. On failure
 * *out is unchanged. */
mass_status mass_link_open(mass_device *, const mass_link_table *table, mass_comm *, double limit, mass_link **out,
                           bool *odd, mass_error *error);

#endif
