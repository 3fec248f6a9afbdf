/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks: the processes that compute one run together, and what they tell each other. One table of operations, which
 * `self` (a run of one rank) and modules implement that are opened only where there are several ranks: whoever uses it
 * never asks which. Memory is the host's.
 *
 * Every rank calls the same operations in the same order; each waits for the ranks that it concerns. An operation that
 * fails leaves the communicator unusable but for abort and close: its rank ends the run. Main thread. */
#ifndef MASS_ENGINE_COMM_H
#define MASS_ENGINE_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mass_comm mass_comm;

/* What goes to one rank, or comes from it. Between two ranks, the messages of an exchange match in the order in which
 * either lists them: the receiver's first one from a rank is that rank's first one to it, and so on. A rank may be its
 * own neighbour. Both sides say the same number of bytes; 0 is fine. */
typedef struct mass_message {
    int32_t rank; /* the other one */
    void *data;   /* not written where it is sent */
    size_t bytes;
} mass_message;

typedef enum mass_reduction_operation { MASS_REDUCE_SUM, MASS_REDUCE_LEAST, MASS_REDUCE_MOST } mass_reduction_operation;

typedef struct mass_comm_table {
    uint32_t struct_size;
    const char *name; /* "self", "mpi", ...: what reports say */

    /* Sends and receives lists of messages. Where a rank both sends and receives, no order of its neighbours can lock
     * it. */
    mass_status (*exchange)(mass_comm *, const mass_message *sends, uint32_t send_count, const mass_message *receives,
                            uint32_t receive_count, mass_error *error);
    /* values[i] becomes the sum, modulo 2^64, or the least or most of all ranks' values[i]: on all ranks. */
    mass_status (*all_reduce)(mass_comm *, mass_reduction_operation, int64_t *values, size_t count, mass_error *error);
    /* values[i] becomes the sum, modulo 2^64, of the values[i] of the ranks before this one; 0 on the first. */
    mass_status (*scan)(mass_comm *, int64_t *values, size_t count, mass_error *error);
    /* `bytes` from every rank to all: to[rank * bytes]. from and to do not overlap. */
    mass_status (*all_gather)(mass_comm *, const void *from, size_t bytes, void *to, mass_error *error);
    /* sends[i] to rank i, receives[i] from rank i: what crosses may be of any length, and of 0 bytes. Both have `size`
     * messages, whose lengths the ranks have told each other before. */
    mass_status (*all_to_all)(mass_comm *, const mass_message *sends, const mass_message *receives, mass_error *error);
    /* From rank 0 to all. */
    mass_status (*broadcast)(mass_comm *, void *data, size_t bytes, mass_error *error);
    /* Until all ranks are there. */
    mass_status (*barrier)(mass_comm *, mass_error *error);
    /* Ends the processes of all ranks at once, this one included, with that exit status, whatever they do. Async-signal
     * safety is not promised. */
    void (*abort)(mass_comm *, int exit_status);
    /* After all ranks have called it, the processes have nothing to do with each other. Frees *comm. */
    void (*close)(mass_comm *);
} mass_comm_table;

/* What every implementation's communicator begins with. */
struct mass_comm {
    const mass_comm_table *table;
    int32_t rank, size;
    int32_t local_rank, local_size; /* among the ranks of this host, which share its cores and GPUs */
    const char *host;               /* its name, for messages */
    bool agreed; /* what failed last failed on all ranks, which know it (ranks/call.h) */
    bool patient;  /* waits have no limit: others may be busy for long, as with files */
    const char *awaits; /* the file that they write parts of, for messages; NULL: none */
    double waited; /* seconds that this rank has spent in operations until other ranks were there */
};

/* A run of one rank. Owned by the library; close does nothing. */
mass_comm *mass_comm_self(void);

#endif
