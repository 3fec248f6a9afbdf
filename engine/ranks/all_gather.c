/* SPDX-License-Identifier: Apache-2.0 */
#include "ranks/all_gather.h"
#include "ranks/rpc.h"

#include <stdlib.h>
#include <string.h>

mass_status mass_all_gather_bytes(mass_comm *comm, const void *own, uint64_t bytes, char **all, uint64_t *all_bytes,
                                  mass_status status, mass_error *error)
{
    const size_t ranks = (size_t)comm->size;
    uint64_t *const lengths = malloc(ranks * sizeof *lengths);
    mass_message *const sends = calloc(2 * ranks, sizeof *sends), *const receives = sends ? sends + ranks : NULL;
    if (status == MASS_OK && (!lengths || !sends)) status = mass_error_memory(error, ranks * sizeof *sends, "ranks");
    status = mass_rpc_agree(comm, status, error);
    if (status == MASS_OK) status = comm->table->all_gather(comm, &bytes, sizeof bytes, lengths, error);
    *all_bytes = 0;
    for (size_t r = 0; status == MASS_OK && r < ranks; r++) *all_bytes += lengths[r];
    *all = status == MASS_OK ? malloc(*all_bytes + 1) : NULL;
    if (status == MASS_OK && !*all) status = mass_error_memory(error, *all_bytes, "edges of all ranks");
    status = mass_rpc_agree(comm, status, error);
    char *at = *all;
    for (size_t r = 0; status == MASS_OK && r < ranks; at += lengths[r], r++) {
        const bool self = (int32_t)r == comm->rank;
        sends[r] = (mass_message){(int32_t)r, (void *)(uintptr_t)own, self ? 0 : bytes};
        receives[r] = (mass_message){(int32_t)r, at, self ? 0 : lengths[r]};
        if (self && bytes) memcpy(at, own, bytes);
    }
    if (status == MASS_OK) status = comm->table->all_to_all(comm, sends, receives, error);
    free(lengths);
    free(sends);
    return mass_rpc_abandon(comm, status, error);
}
