/* SPDX-License-Identifier: Apache-2.0 */
/* Gives every rank the data of all ranks. The data of a rank may have any length, which the others need not know. Host
 * memory. Main thread. */
#ifndef MASS_ENGINE_ALL_GATHER_H
#define MASS_ENGINE_ALL_GATHER_H

#include "comm/comm.h"

/* Sets *all to the bytes of all ranks, in the order of ranks, and *all_bytes to their number, which may be 0. `status`
 * is this rank's until now. A failure of any rank, also before the call, ends all of them (mass_rpc_abandon); only a
 * run of one rank returns it. The caller frees *all, also if this fails. All ranks call it together. */
mass_status mass_all_gather_bytes(mass_comm *comm, const void *own, uint64_t bytes, char **all, uint64_t *all_bytes,
                                  mass_status status, mass_error *error);

#endif
