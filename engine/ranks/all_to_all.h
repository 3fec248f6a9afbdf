/* SPDX-License-Identifier: Apache-2.0 */
/* Sends data of any length from every rank to every other, in messages of bounded size, without a detour over rank 0.
 * Host memory. Main thread. */
#ifndef MASS_ENGINE_ALL_TO_ALL_H
#define MASS_ENGINE_ALL_TO_ALL_H

#include "comm/comm.h"

/* The elements that a rank sends and receives. They include those that it keeps: `take`
 * gets these from `give`, without a message. */
typedef struct mass_all_to_all {
    size_t size;                  /* bytes of an element, the same on all ranks */
    const int64_t *gives, *takes; /* [ranks] elements to each rank, and from each rank */
    /* `give` fills in `count` elements for rank `to`, from element `first` on. `take` receives `count` elements from
     * rank `from`. Both are called in the order of elements. */
    mass_status (*give)(void *context, int32_t to, int64_t first, int64_t count, void *data, mass_error *error);
    mass_status (*take)(void *context, int32_t from, int64_t first, int64_t count, const void *data,
                        mass_error *error);
    void *context;
} mass_all_to_all;

/* Exchanges the data. All ranks call it. The messages that a rank sends or receives at once have at most
 * mass_transfer_limit bytes, unless one element of each is more. If it fails, only this rank may know: the caller ends
 * the others (mass_rpc_abandon). */
mass_status mass_all_to_all_run(mass_comm *comm, const mass_all_to_all *flow, mass_error *error);

#endif
