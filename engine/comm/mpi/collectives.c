/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of all ranks, by MPI's nonblocking collectives. */
#include "comm/mpi/mpi_comm.h"

#include <string.h>

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* An operation on data of all ranks, split into chunks. */
typedef struct collective {
    const char *name, *waits; /* "MPI_Ibcast", "for rank 0" */
    bool for_ever;
    int (*start)(const mass_mpi *m, void *data, int count, mass_reduction_operation operation, MPI_Request *request);
} collective;

/* Executes the operation on `count` elements of `size` bytes each, chunk by chunk, and waits for its end. */
static void do_in_pieces(mass_mpi *m, const collective *c, mass_reduction_operation operation, void *data, size_t count,
                         size_t size)
{
    for (size_t at = 0, chunk; at < count; at += chunk) {
        MPI_Request request;
        chunk = least(count - at, MASS_MPI_PIECE / size);
        mass_mpi_check(m, c->start(m, (char *)data + at * size, (int)chunk, operation, &request), c->name);
        mass_mpi_wait_for(m, request, c->waits, c->for_ever);
    }
}

/* Starts a reduction in place over all ranks. Sums wrap around, which C defines for unsigned integers only. Returns
 * MPI's result, as all start functions do. */
static int start_all_reduce(const mass_mpi *m, void *data, int count, mass_reduction_operation operation,
                            MPI_Request *request)
{
    const MPI_Op op = operation == MASS_REDUCE_SUM ? MPI_SUM : operation == MASS_REDUCE_LEAST ? MPI_MIN : MPI_MAX;
    const MPI_Datatype type = operation == MASS_REDUCE_SUM ? MPI_UINT64_T : MPI_INT64_T;
    return MPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, m->world, request);
}

/* Replaces the values by their reduction over all ranks, and waits. An error of MPI ends all ranks. */
mass_status mass_mpi_all_reduce(mass_comm *comm, mass_reduction_operation operation, int64_t *values, size_t count,
                                mass_error *error)
{
    static const collective all_reduce = {"MPI_Iallreduce", "for a sum over all ranks", false, start_all_reduce};
    (void)error;
    do_in_pieces(mass_mpi_of(comm), &all_reduce, operation, values, count, sizeof *values);
    return MASS_OK;
}

/* Starts an exclusive sum modulo 2^64 over the lower ranks. Rank 0's values are then undefined. */
static int start_scan(const mass_mpi *m, void *data, int count, mass_reduction_operation operation,
                      MPI_Request *request)
{
    (void)operation;
    return MPI_Iexscan(MPI_IN_PLACE, data, count, MPI_UINT64_T, MPI_SUM, m->world, request);
}

/* Replaces each value by the sum over the lower ranks: 0 on rank 0. */
mass_status mass_mpi_scan(mass_comm *comm, int64_t *values, size_t count, mass_error *error)
{
    static const collective scan = {"MPI_Iexscan", "for a sum over the ranks before", false, start_scan};
    (void)error;
    do_in_pieces(mass_mpi_of(comm), &scan, MASS_REDUCE_SUM, values, count, sizeof *values);
    if (comm->rank == 0 && count) memset(values, 0, count * sizeof *values); /* MPI leaves them undefined there */
    return MASS_OK;
}

/* Gathers data that is longer than a chunk by messages, which are split. */
static mass_status gather_long(mass_comm *comm, const void *from, size_t bytes, void *to, mass_error *error)
{
    for (int32_t i = 1; i < comm->size; i++) {
        const int32_t above = (comm->rank + i) % comm->size, below = (comm->rank + comm->size - i) % comm->size;
        const mass_message send = {above, (void *)(uintptr_t)from, bytes};
        const mass_message receive = {below, (char *)to + (size_t)below * bytes, bytes};
        const mass_status status = mass_mpi_exchange(comm, &send, 1, &receive, 1, error);
        if (status != MASS_OK) return status;
    }
    memcpy((char *)to + (size_t)comm->rank * bytes, from, bytes);
    return MASS_OK;
}

/* Gathers `bytes` of every rank in order of ranks. Uses messages if the ranks' data together is longer than a chunk. */
mass_status mass_mpi_all_gather(mass_comm *comm, const void *from, size_t bytes, void *to, mass_error *error)
{
    mass_mpi *const m = mass_mpi_of(comm);
    MPI_Request request;
    if (bytes == 0) return MASS_OK;
    if (bytes > MASS_MPI_PIECE / (size_t)comm->size) return gather_long(comm, from, bytes, to, error);
    mass_mpi_check(m, MPI_Iallgather(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, m->world, &request),
                   "MPI_Iallgather");
    mass_mpi_wait_for(m, request, "for what all ranks tell", false);
    return MASS_OK;
}

/* Starts a broadcast from rank 0. */
static int start_broadcast(const mass_mpi *m, void *data, int count, mass_reduction_operation operation,
                           MPI_Request *request)
{
    (void)operation;
    return MPI_Ibcast(data, count, MPI_BYTE, 0, m->world, request);
}

/* Sends rank 0's data to all ranks. The other ranks wait without a limit: rank 0 may read or write files first. */
mass_status mass_mpi_broadcast(mass_comm *comm, void *data, size_t bytes, mass_error *error)
{
    static const collective to_all = {"MPI_Ibcast", "to tell all ranks", false, start_broadcast};
    static const collective from_0 = {"MPI_Ibcast", "for rank 0", true, start_broadcast};
    (void)error;
    do_in_pieces(mass_mpi_of(comm), comm->rank == 0 ? &to_all : &from_0, MASS_REDUCE_SUM, data, bytes, 1);
    return MASS_OK;
}

/* Waits until all ranks have called it. */
mass_status mass_mpi_barrier(mass_comm *comm, mass_error *error)
{
    (void)error;
    mass_mpi *const m = mass_mpi_of(comm);
    MPI_Request request;
    mass_mpi_check(m, MPI_Ibarrier(m->world, &request), "MPI_Ibarrier");
    mass_mpi_wait_for(m, request, "for all ranks", false);
    return MASS_OK;
}
