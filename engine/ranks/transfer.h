/* SPDX-License-Identifier: Apache-2.0 */
/* Data of any length between rank 0 and the others, in messages of bounded size. All ranks call the same functions in
 * the same order. Memory is the host's. Main thread. */
#ifndef MASS_ENGINE_TRANSFER_H
#define MASS_ENGINE_TRANSFER_H

#include "comm/comm.h"

extern uint64_t mass_transfer_limit; /* bytes of a message, at most: 64 MiB, but for tests; the same on all ranks */

/* Elements of `size` bytes that are moved at once: as many as a message has room for, but at least one. */
static inline uint64_t mass_transfer_elements(size_t size)
{
    return mass_transfer_limit / size ? mass_transfer_limit / size : 1;
}

/* What each rank has, from `own` on, one rank behind the other to `all` on rank 0; NULL on others. lengths [size], the
 * same on all ranks, are the bytes that each has. On rank 0, own may be the beginning of `all`. */
mass_status mass_transfer_gather(mass_comm *, const uint64_t *lengths, const void *own, void *all, mass_error *error);
/* And back. */
mass_status mass_transfer_scatter(mass_comm *, const uint64_t *lengths, const void *all, void *own, mass_error *error);
/* What rank 0 has, to all. */
mass_status mass_transfer_to_all(mass_comm *, void *data, uint64_t bytes, mass_error *error);

#endif
