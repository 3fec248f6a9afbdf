/* SPDX-License-Identifier: Apache-2.0 */
/* Communication between ranks, the processes that compute one run together. A communicator has one table of operations.
 * `self` implements it for a run of one rank. Modules implement it for several ranks and are opened only then. Callers
 * need not know which it is. Data is in host memory.
 *
 * Every rank calls the same operations in the same order. Each operation waits for the ranks that it concerns. If one
 * fails, the communicator can only be aborted and closed, and its rank ends the run. Main thread. */
#ifndef MASS_ENGINE_COMM_H
#define MASS_ENGINE_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mass_comm mass_comm;

/* A message to one rank, or from it. Between two ranks, the messages of an exchange match in the order in which both
 * list them. The first that a rank receives from another is the first that the other sends to it. A rank may send to
 * itself. Both sides state the same number of bytes, which may be 0. */
typedef struct mass_message {
    int32_t rank; /* the other rank */
    void *data;   /* not written to if it is sent */
    size_t bytes;
} mass_message;

typedef enum mass_reduction_operation { MASS_REDUCE_SUM, MASS_REDUCE_LEAST, MASS_REDUCE_MOST } mass_reduction_operation;

typedef struct mass_comm_table {
    uint32_t struct_size;
    const char *name; /* "self", "mpi", ...: for reports */

    /* Sends and receives lists of messages. Ranks that send to each other cannot deadlock, whatever the order of the
     * lists. */
    mass_status (*exchange)(mass_comm *, const mass_message *sends, uint32_t send_count, const mass_message *receives,
                            uint32_t receive_count, mass_error *error);
    /* Replaces values[i] on all ranks by the sum, modulo 2^64, the least or the most of all ranks' values[i]. */
    mass_status (*all_reduce)(mass_comm *, mass_reduction_operation, int64_t *values, size_t count, mass_error *error);
    /* Replaces values[i] by the sum, modulo 2^64, of the values[i] of all lower ranks; 0 on rank 0. */
    mass_status (*scan)(mass_comm *, int64_t *values, size_t count, mass_error *error);
    /* Gathers `bytes` of every rank on all ranks: to[rank * bytes]. from and to do not overlap. */
    mass_status (*all_gather)(mass_comm *, const void *from, size_t bytes, void *to, mass_error *error);
    /* Sends sends[i] to rank i and receives receives[i] from rank i. Both lists have `size` messages, of any length,
     * also 0. The ranks know all lengths beforehand. */
    mass_status (*all_to_all)(mass_comm *, const mass_message *sends, const mass_message *receives, mass_error *error);
    /* Sends rank 0's data to all ranks. */
    mass_status (*broadcast)(mass_comm *, void *data, size_t bytes, mass_error *error);
    /* Waits until all ranks have called it. */
    mass_status (*barrier)(mass_comm *, mass_error *error);
    /* Ends the processes of all ranks at once, including this one, with that exit status. Not async-signal-safe. */
    void (*abort)(mass_comm *, int exit_status);
    /* Ends communication, once all ranks have called it. Frees *comm. */
    void (*close)(mass_comm *);
} mass_comm_table;

/* The beginning of every implementation's communicator. */
struct mass_comm {
    const mass_comm_table *table;
    int32_t rank, size;
    int32_t local_rank, local_size; /* among the ranks of this host, which share its cores and GPUs */
    const char *host;               /* the host's name, for messages */
    bool agreed; /* the last failure was on all ranks, and all ranks know it (ranks/rpc.h) */
    bool patient;  /* waits have no time limit, as other ranks may be busy with files for long */
    const char *awaits; /* the file of which all ranks write parts, for messages; NULL: none */
    double waited; /* seconds that this rank has waited for other ranks in operations */
};

/* Returns the communicator of a run of one rank. The library owns it; close does nothing. */
mass_comm *mass_comm_self(void);

#endif
