/* SPDX-License-Identifier: Apache-2.0 */
/* Sends data of any length between rank 0 and the others, in messages of bounded size. All ranks call the same
 * functions in the same order. Host memory. Main thread. */
#ifndef MASS_ENGINE_TRANSFER_H
#define MASS_ENGINE_TRANSFER_H

#include "comm/comm.h"

extern uint64_t mass_transfer_limit; /* most bytes of a message: 64 MiB, except in tests; the same on all ranks */

/* Returns how many elements of `size` bytes are sent at once: as many as fit a message, but at least one. */
static inline uint64_t mass_transfer_elements(size_t size)
{
    return mass_transfer_limit / size ? mass_transfer_limit / size : 1;
}

/* Gathers each rank's bytes `own` into `all` on rank 0, in the order of ranks. `all` is NULL on the other ranks. The
 * array lengths [size] has the bytes of each rank, the same on all ranks. On rank 0, own may be the beginning of
 * `all`. */
mass_status mass_transfer_gather(mass_comm *, const uint64_t *lengths, const void *own, void *all, mass_error *error);
/* Sends each rank its bytes of `all`, which only rank 0 has, to `own`: the reverse. */
mass_status mass_transfer_scatter(mass_comm *, const uint64_t *lengths, const void *all, void *own, mass_error *error);
/* Sends rank 0's data to all ranks, which receive it in theirs. bytes is the same on all; 0: nothing. */
mass_status mass_transfer_to_all(mass_comm *, void *data, uint64_t bytes, mass_error *error);

#endif
