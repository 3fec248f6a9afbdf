/* SPDX-License-Identifier: Apache-2.0 */
/* The two operations of a halo: refresh updates copies, and combine returns contributions, which are in the copies, to
 * the owners. One message goes to each rank. All ranks call the same functions, with the same arguments, in the same
 * order. Main thread. */
#ifndef MASS_ENGINE_HALO_EXCHANGE_H
#define MASS_ENGINE_HALO_EXCHANGE_H

#include "comm/comm.h"
#include "halo/halo.h"

typedef struct mass_halo_values mass_halo_values;

/* How units are packed. A run has `columns` columns; the number of bytes of each is the same on both sides. */
typedef struct mass_halo_kind {
    size_t alignment;    /* of a column in a message */
    bool in_host_memory; /* messages are in host memory; false: on the device */
    bool others_only;    /* the caller itself handles runs with both sides on this rank */
    /* Returns the bytes of a run in a column, without alignment. */
    size_t (*bytes)(const mass_halo_values *, const mass_halo_run *, uint32_t column);
    /* Copies these bytes into a message. */
    mass_status (*pack)(const mass_halo_values *, const mass_halo_run *, uint32_t column, void *to, mass_error *error);
    /* Copies received values, or combines them. */
    mass_status (*unpack)(const mass_halo_values *, const mass_halo_run *, uint32_t column, const void *from,
                          mass_error *error);
    /* Optional. Returns memory of the device that a link can send as it is, without packing. */
    mass_message (*in_place)(const mass_halo_values *, const mass_halo_run *, uint32_t column);
} mass_halo_kind;

struct mass_halo_values {
    const mass_halo_kind *kind;
    mass_domain *d;
    uint32_t columns;
    bool in_place; /* a refresh does not pack; over a link only */
    /* Recordings use the memory for messages, so the domain's `changes` is raised when it moves. All ranks must then
     * give the same `room`, so that they record again after the same step: bytes in each direction, enough for any
     * rank. */
    bool recorded;
    size_t room;
    const void *context; /* for the kind's functions */
};

/* Queued, if messages are in the device's memory. */
mass_status mass_halo_refresh(const mass_halo *, const mass_halo_values *, mass_error *error);
mass_status mass_halo_combine(const mass_halo *, const mass_halo_values *, mass_error *error);

/* Frees the memory for messages that a domain keeps. */
void mass_halo_rooms_free(mass_domain *d);

#endif
