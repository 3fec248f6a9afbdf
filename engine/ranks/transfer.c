/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/transfer.h"
#include "ranks/rpc.h"

#include <stdlib.h>
#include <string.h>

uint64_t mass_transfer_limit = (uint64_t)64 << 20;

/* Returns the bytes of chunk `round` of `length` bytes; 0 behind the last one. */
static size_t piece_of(uint64_t length, uint64_t round)
{
    const uint64_t first = round * mass_transfer_limit;
    if (first >= length) return 0;
    return length - first < mass_transfer_limit ? (size_t)(length - first) : mass_transfer_limit;
}

/* Returns how many rounds the longest of the other ranks' transfers needs. lengths[0] is not looked at. */
static uint64_t rounds_of(const mass_comm *comm, const uint64_t *lengths)
{
    uint64_t rounds = 0;
    for (int32_t r = 1; r < comm->size; r++) {
        const uint64_t own = (lengths[r] + mass_transfer_limit - 1) / mass_transfer_limit;
        if (own > rounds) rounds = own;
    }
    return rounds;
}

/* Lists the messages of rank 0 in a round, one for each other rank that has bytes left. Returns how many. */
static uint32_t list_messages(const mass_comm *comm, const uint64_t *lengths, uint64_t round, char *all,
                              mass_message *list)
{
    uint32_t count = 0;
    uint64_t before = lengths[0];
    for (int32_t r = 1; r < comm->size; before += lengths[r++]) {
        const size_t bytes = piece_of(lengths[r], round);
        if (bytes) list[count++] = (mass_message){r, all + before + round * mass_transfer_limit, bytes};
    }
    return count;
}

/* Moves data between rank 0 and the others in chunks: to rank 0 if `gather`, else from it. Rank 0's own is not copied.
 * All ranks call it together. */
static mass_status move(mass_comm *comm, const uint64_t *lengths, char *own, char *all, bool gather, mass_error *error)
{
    const uint64_t rounds = rounds_of(comm, lengths);
    mass_message one, *list = comm->rank == 0 ? calloc((size_t)comm->size, sizeof *list) : &one;
    mass_status status = MASS_OK;
    if (!list)
        return mass_rpc_abandon(comm, mass_error_memory(error, (size_t)comm->size * sizeof *list, "ranks"), error);
    for (uint64_t i = 0; status == MASS_OK && i < rounds; i++) {
        uint32_t count = 0;
        if (comm->rank == 0) count = list_messages(comm, lengths, i, all, list);
        else if (piece_of(lengths[comm->rank], i) > 0) {
            one = (mass_message){0, own + i * mass_transfer_limit, piece_of(lengths[comm->rank], i)};
            count = 1;
        }
        const bool sends = gather == (comm->rank > 0);
        status = comm->table->exchange(comm, list, sends ? count : 0, list, sends ? 0 : count, error);
    }
    if (comm->rank == 0) free(list);
    return status;
}

mass_status mass_transfer_gather(mass_comm *comm, const uint64_t *lengths, const void *own, void *all,
                                 mass_error *error)
{
    if (comm->rank == 0 && lengths[0] > 0 && own != all) memcpy(all, own, lengths[0]);
    return move(comm, lengths, (char *)(uintptr_t)own, all, true, error);
}

mass_status mass_transfer_scatter(mass_comm *comm, const uint64_t *lengths, const void *all, void *own,
                                  mass_error *error)
{
    if (comm->rank == 0 && lengths[0] > 0 && own != all) memcpy(own, all, lengths[0]);
    return move(comm, lengths, own, (char *)(uintptr_t)all, false, error);
}

mass_status mass_transfer_to_all(mass_comm *comm, void *data, uint64_t bytes, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint64_t i = 0; status == MASS_OK && i * mass_transfer_limit < bytes; i++)
        status = comm->table->broadcast(comm, (char *)data + i * mass_transfer_limit, piece_of(bytes, i), error);
    return status;
}
