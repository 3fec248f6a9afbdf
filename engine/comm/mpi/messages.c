/* SPDX-License-Identifier: Apache-2.0 */
/* Messages from rank to rank, split into chunks. MPI keeps the order of messages between two ranks, so chunks arrive in
 * order. */
#include "comm/mpi/mpi_comm.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 };

/* Doubles the memory for requests. Returns false if memory is short; then the requests so far stay. */
static bool grow(mass_mpi *m)
{
    const size_t room = m->room ? 2 * m->room : 16;
    MPI_Request *const requests = realloc(m->requests, room * sizeof *requests);
    if (requests) m->requests = requests;
    MPI_Status *const statuses = realloc(m->statuses, room * sizeof *statuses);
    if (statuses) m->statuses = statuses;
    mass_mpi_request *const facts = realloc(m->facts, room * sizeof *facts);
    if (facts) m->facts = facts;
    if (requests && statuses && facts) m->room = room;
    return requests && statuses && facts;
}

/* Starts to send or receive one chunk. Ends all ranks on failure. */
static void start_piece(mass_mpi *m, int32_t other, char *data, size_t bytes, bool receives)
{
    if (m->count == m->room && (m->room >= INT_MAX / 2 || !grow(m)))
        mass_mpi_fail(m, "there is no memory for %zu messages", m->count + 1);
    MPI_Request *const request = &m->requests[m->count];
    m->facts[m->count] = (mass_mpi_request){other, (int)bytes, receives};
    if (receives) mass_mpi_check(m, MPI_Irecv(data, (int)bytes, MPI_BYTE, other, TAG, m->world, request), "MPI_Irecv");
    else mass_mpi_check(m, MPI_Isend(data, (int)bytes, MPI_BYTE, other, TAG, m->world, request), "MPI_Isend");
    m->count++;
}

/* Starts a message. Both ranks split it alike; an empty message sends nothing. */
static void start(mass_mpi *m, int32_t other, const mass_message *message, bool receives)
{
    for (size_t at = 0; at < message->bytes; at += MASS_MPI_PIECE) {
        const size_t rest = message->bytes - at, bytes = rest < MASS_MPI_PIECE ? rest : MASS_MPI_PIECE;
        start_piece(m, other, (char *)message->data + at, bytes, receives);
    }
}

/* Waits until all messages are sent and received. An error of MPI ends all ranks. */
mass_status mass_mpi_exchange(mass_comm *comm, const mass_message *sends, uint32_t send_count,
                              const mass_message *receives, uint32_t receive_count, mass_error *error)
{
    (void)error;
    mass_mpi *const m = mass_mpi_of(comm);
    for (uint32_t i = 0; i < receive_count; i++) start(m, receives[i].rank, &receives[i], true);
    for (uint32_t i = 0; i < send_count; i++) start(m, sends[i].rank, &sends[i], false);
    mass_mpi_wait(m, "in an exchange");
    return MASS_OK;
}

/* Sends one message to every rank and receives one from each. Copies this rank's own. Ends all ranks if its two lengths
 * differ. */
mass_status mass_mpi_all_to_all(mass_comm *comm, const mass_message *sends, const mass_message *receives,
                                mass_error *error)
{
    (void)error;
    mass_mpi *const m = mass_mpi_of(comm);
    const mass_message *const kept = &sends[comm->rank], *const taken = &receives[comm->rank];
    if (kept->bytes != taken->bytes)
        mass_mpi_fail(m, "rank %d has %zu bytes, and %zu were expected", comm->rank, kept->bytes, taken->bytes);
    if (kept->bytes) memmove(taken->data, kept->data, kept->bytes);
    for (int32_t i = 1; i < comm->size; i++) { /* different ranks begin with different partners */
        const int32_t to = (comm->rank + i) % comm->size, from = (comm->rank + comm->size - i) % comm->size;
        start(m, from, &receives[from], true);
        start(m, to, &sends[to], false);
    }
    mass_mpi_wait(m, "in an exchange of all");
    return MASS_OK;
}
