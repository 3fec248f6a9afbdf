/* SPDX-License-Identifier: Apache-2.0 */
/* The communicator of MPI: opening and closing (mpi.c), waiting (wait.c), messages (messages.c), and operations of all
 * ranks (collectives.c). Once it is open, its functions return no failure: a failure ends all ranks, as the others
 * would wait. */
#ifndef MASS_ENGINE_COMM_MPI_H
#define MASS_ENGINE_COMM_MPI_H

#include "comm/module.h"

#include <mpi.h>

/* Most bytes of one message of MPI, whose lengths are ints. */
#ifndef MASS_MPI_PIECE
#define MASS_MPI_PIECE ((size_t)1 << 30)
#endif

typedef struct mass_mpi_request {
    int32_t rank; /* the other rank */
    int bytes;
    bool receives;
} mass_mpi_request;

typedef struct mass_mpi {
    mass_comm comm; /* must be first */
    const mass_comm_opening *opening;
    MPI_Comm world;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Request *requests; /* [room] in progress */
    MPI_Status *statuses;  /* [room] */
    mass_mpi_request *facts; /* [room] one for each request */
    size_t count, room;
} mass_mpi;

/* Returns the MPI part of a communicator, which must be one of MPI. */
static inline mass_mpi *mass_mpi_of(mass_comm *comm) { return (mass_mpi *)comm; }

/* Ends all ranks if `result` is an error of MPI. `what` names the call: "MPI_Irecv". */
void mass_mpi_check(mass_mpi *m, int result, const char *what);
_Noreturn void mass_mpi_fail(mass_mpi *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Waits until all requests [count] are complete. It tests often at first, then lets others run between tests, then
 * tests ever less often: a rank that waits long uses little of a core. `what` names the wait: "in an exchange".
 * Afterwards count is 0, and the seconds are added to comm.waited. Ends all ranks on an error of MPI, or after the time
 * limit. */
void mass_mpi_wait(mass_mpi *m, const char *what);
/* Waits for one operation of all ranks in the same way. for_ever: without a time limit. */
void mass_mpi_wait_for(mass_mpi *m, MPI_Request request, const char *what, bool for_ever);

mass_status mass_mpi_exchange(mass_comm *, const mass_message *sends, uint32_t send_count,
                              const mass_message *receives, uint32_t receive_count, mass_error *error);
mass_status mass_mpi_all_to_all(mass_comm *, const mass_message *sends, const mass_message *receives,
                                mass_error *error);
mass_status mass_mpi_all_reduce(mass_comm *, mass_reduction_operation, int64_t *values, size_t count,
                                mass_error *error);
mass_status mass_mpi_scan(mass_comm *, int64_t *values, size_t count, mass_error *error);
mass_status mass_mpi_all_gather(mass_comm *, const void *from, size_t bytes, void *to, mass_error *error);
mass_status mass_mpi_broadcast(mass_comm *, void *data, size_t bytes, mass_error *error);
mass_status mass_mpi_barrier(mass_comm *, mass_error *error);

#endif
