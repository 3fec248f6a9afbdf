/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of a run of one rank, which receives all that it sends. */
#include "comm/comm.h"

#include <stdlib.h>
#include <string.h>

/* Copies each message to the receive of the same index. */
static mass_status exchange(mass_comm *comm, const mass_message *sends, uint32_t send_count,
                            const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    (void)comm, (void)error, (void)receive_count;
    for (uint32_t i = 0; i < send_count; i++)
        if (sends[i].bytes) memcpy(receives[i].data, sends[i].data, sends[i].bytes);
    return MASS_OK;
}

/* Leaves the values: the reduction over one rank. */
static mass_status all_reduce(mass_comm *comm, mass_reduction_operation operation, int64_t *values, size_t count,
                              mass_error *error)
{
    (void)comm, (void)operation, (void)values, (void)count, (void)error;
    return MASS_OK;
}

/* Sets the values to 0: there are no lower ranks. */
static mass_status scan(mass_comm *comm, int64_t *values, size_t count, mass_error *error)
{
    (void)comm, (void)error;
    for (size_t i = 0; i < count; i++) values[i] = 0;
    return MASS_OK;
}

/* Copies this rank's data: those of all ranks. */
static mass_status all_gather(mass_comm *comm, const void *from, size_t bytes, void *to, mass_error *error)
{
    (void)comm, (void)error;
    if (bytes) memcpy(to, from, bytes);
    return MASS_OK;
}

/* Copies this rank's message to itself. */
static mass_status all_to_all(mass_comm *comm, const mass_message *sends, const mass_message *receives,
                              mass_error *error)
{
    return exchange(comm, sends, 1, receives, 1, error);
}

/* Leaves the data: this rank has it. */
static mass_status broadcast(mass_comm *comm, void *data, size_t bytes, mass_error *error)
{
    (void)comm, (void)data, (void)bytes, (void)error;
    return MASS_OK;
}

/* Returns at once: there are no other ranks. */
static mass_status barrier(mass_comm *comm, mass_error *error)
{
    (void)comm, (void)error;
    return MASS_OK;
}

/* Ends this process at once, without exit handlers and without flushing streams. */
static void end(mass_comm *comm, int exit_status)
{
    (void)comm;
    _Exit(exit_status);
}

/* Does nothing: the communicator is static. */
static void close_self(mass_comm *comm) { (void)comm; }

mass_comm *mass_comm_self(void)
{
    static const mass_comm_table table = {sizeof table, "self", exchange, all_reduce, scan, all_gather, all_to_all,
                                          broadcast, barrier, end, close_self};
    static mass_comm self = {.table = &table, .size = 1, .local_size = 1, .host = "this host"};
    return &self;
}
