/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/rpc.h"
#include "process/progress.h"

#include <stdio.h>
#include <string.h>

typedef struct message {
    uint32_t call;
    _Alignas(8) uint8_t arguments[MASS_RPC_BYTES];
} message;

mass_status mass_rpc_tell(mass_comm *comm, mass_rpc call, const void *arguments, size_t bytes, mass_error *error)
{
    message m = {.call = call};
    if (comm->size == 1 || comm->rank > 0) return MASS_OK;
    if (bytes > sizeof m.arguments)
        return mass_error_set(error, MASS_FAILED, "a call of %zu bytes is too long for ranks", bytes);
    if (bytes) memcpy(m.arguments, arguments, bytes);
    comm->agreed = false;
    return comm->table->broadcast(comm, &m, sizeof m, error);
}

mass_status mass_rpc_hear(mass_comm *comm, mass_rpc *call, void *arguments, mass_error *error)
{
    message m;
    const mass_status status = comm->table->broadcast(comm, &m, sizeof m, error);
    if (status != MASS_OK) return status;
    *call = (mass_rpc)m.call;
    comm->agreed = false;
    memcpy(arguments, m.arguments, sizeof m.arguments);
    return MASS_OK;
}

/* Sends the error of rank `failed` to all ranks, through rank 0, and returns its status. All ranks call it together. */
static mass_status share_error(mass_comm *comm, int32_t failed, mass_error *error)
{
    mass_error shared = {0};
    mass_status status = MASS_OK;
    if (comm->rank == failed && failed == 0) shared = *error;
    else if (comm->rank == failed)
        mass_error_set(&shared, error->status, "rank %d on %s: %s", comm->rank, comm->host, error->text);
    if (failed > 0) {
        const mass_message up = {failed, &shared, sizeof shared}, out = {0, &shared, sizeof shared};
        status = comm->table->exchange(comm, &out, comm->rank == failed, &up, comm->rank == 0, error);
    }
    if (status == MASS_OK) status = comm->table->broadcast(comm, &shared, sizeof shared, error);
    if (status != MASS_OK) return status;
    if (comm->rank != failed) *error = shared;
    comm->agreed = true;
    return error->status;
}

mass_status mass_rpc_agree(mass_comm *comm, mass_status status, mass_error *error)
{
    int64_t failed = status == MASS_OK ? comm->size : comm->rank;
    if (comm->size == 1) return status;
    comm->agreed = false;
    const mass_status met = comm->table->all_reduce(comm, MASS_REDUCE_LEAST, &failed, 1, error);
    if (met != MASS_OK) return met;
    return failed == comm->size ? MASS_OK : share_error(comm, (int32_t)failed, error);
}

mass_status mass_rpc_abandon(mass_comm *comm, mass_status status, const mass_error *error)
{
    if (comm->size == 1 || status == MASS_OK) return status;
    mass_error ended = {0};
    if (!comm->agreed)
        mass_progress_say_last("mass-engine: rank %d on %s: %s", comm->rank, comm->host, error->text);
    else if (comm->rank == 0) mass_progress_say_last("mass-engine: %s", error->text);
    else comm->table->barrier(comm, &ended); /* which rank 0 never enters: this rank waits until rank 0 has reported the
                                                error and ends it */
    comm->table->abort(comm, (int)status);
    return status;
}
