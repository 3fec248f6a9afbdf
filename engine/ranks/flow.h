/* SPDX-License-Identifier: Apache-2.0 */
/* Data of any length from every rank to every other, in messages of bounded size, of which none goes by way of rank 0.
 * Memory is the host's. Main thread. */
#ifndef MASS_ENGINE_FLOW_H
#define MASS_ENGINE_FLOW_H

#include "comm/comm.h"

/* What a rank gives and takes. What it keeps is among both, as given to itself. */
typedef struct mass_flow {
    size_t size;                  /* bytes of an element, the same on all ranks */
    const int64_t *gives, *takes; /* [ranks] elements for each rank, and from each */
    /* `count` elements, from number `first` on, of those for rank `to`, or of those from rank `from`; in order. */
    mass_status (*give)(void *context, int32_t to, int64_t first, int64_t count, void *data, mass_error *error);
    mass_status (*take)(void *context, int32_t from, int64_t first, int64_t count, const void *data,
                        mass_error *error);
    void *context;
} mass_flow;

/* All ranks call it. A message has at most mass_transfer_limit bytes, and so have all that a rank has under way at once
 * in either direction. A rank that fails may be the only one that knows: it ends the others (mass_call_abandon). */
mass_status mass_flow_run(mass_comm *comm, const mass_flow *flow, mass_error *error);

#endif
