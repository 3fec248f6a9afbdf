/* SPDX-License-Identifier: Apache-2.0 */
/* manage of a population whose places are divided among ranks, on a GPU (manage.h): the part of one rank, in steps.
 * Between the steps, the host carries messages between ranks (remote.h). It decides nothing.
 *
 *   ask       Lists the claims of own agents and births to cells of other ranks.
 *   decide    Decides a sub-phase, other ranks' claims among the own ones. Refuses claims of other ranks that it
 *             cannot grant, and granted ones whose seat an agent that had to stay takes back.
 *   refuse    Takes back own claims that other ranks refused. The agents stay, and so others may be refused.
 *             Repeated until no rank has a refusal to send.
 *   conclude  Makes every refused request one for no cell, so that all remaining requests are granted. Counts
 *             births and deaths, and lists the agents that leave.
 *   pack      Packs the agents that leave, with all their values.
 *   commit    Applies the manage, with the agents that arrive.
 *
 * Only `conclude` and `commit` write to the population. All work is queued. Pointers are addresses on the device unless
 * a comment says otherwise. */
#ifndef MASS_KERNELS_CUDA_REMOTE_H
#define MASS_KERNELS_CUDA_REMOTE_H

#include "remote.h"
#include "manage.h"

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of records, agents and births. */
typedef struct mass_cuda_remote_counts {
    uint32_t claims, refused, travellers;
    uint32_t gone, here; /* agents that die or leave; births on cells of this rank */
} mass_cuda_remote_counts;

/* Shared by the steps of a manage. `scratch` and `batch` are aligned to 256 bytes. */
typedef struct mass_cuda_remote {
    const mass_manage_work *w; /* host; the same in all steps, but the commit may have larger arrays */
    int32_t ranks;
    const int64_t *first_place;  /* [ranks + 1] */
    mass_cuda_remote_counts *counts;
    uint32_t *born, *died;       /* [worlds] births and deaths, set by conclude */
    void *scratch;               /* mass_cuda_remote_scratch bytes, kept from begin to pack */
    mass_stop *stop;             /* all zeros */
    uint32_t settled; /* bits of sub-phases whose seats have been counted since they were decided */
    bool used;        /* scratch has had claims */

    /* Claims of other ranks to cells of this one. */
    const mass_remote_claim *claim; /* [claims] */
    uint32_t claims;
    void *batch; /* mass_cuda_remote_batch bytes, kept until the next claims */

    void *list;         /* the records that a step leaves for other ranks */
    uint32_t list_room; /* claims that fit into it; it also has room for refusals of all claims, and for packed
                           travellers */
    uint32_t *travellers; /* [traveller_room] agents and births that leave; from conclude to pack */
    uint32_t traveller_room;
    const uint64_t *id_base; /* [worlds] id of the first birth of this rank */

    const char *arrivals; /* [arrival_count] travellers (remote.h) */
    uint32_t arrival_count;
    uint32_t births; /* births of this rank's agents that happen, on any rank */
} mass_cuda_remote;

/* Return the bytes of scratch memory from begin to pack, and those of the batch for this many claims of other ranks. */
size_t mass_cuda_remote_scratch(const mass_manage_work *w);
size_t mass_cuda_remote_batch(const mass_manage_work *w, uint32_t claims);
/* Returns the bytes of scratch for a commit with this many births and arrivals. */
size_t mass_cuda_remote_commit_scratch(const mass_manage_work *w, uint32_t births, uint32_t arrivals);

/* Sorts agents in any order (MASS_ORDER_ANY) and their requests into canonical order, in the present arrays.
 * scratch: mass_cuda_order_scratch bytes. */
size_t mass_cuda_order_scratch(const mass_manage_work *w);
cudaError_t mass_cuda_order(cudaStream_t stream, const mass_manage_work *w, void *scratch);

/* Initialises scratch, `settled` and `used`. */
cudaError_t mass_cuda_remote_begin(cudaStream_t stream, mass_cuda_remote *f);
/* Lists the claims of moves, of births, or of both. counts->claims must be 0. If it becomes more than list_room, the
 * caller enlarges the list and repeats the call. */
cudaError_t mass_cuda_remote_ask(cudaStream_t stream, const mass_cuda_remote *f, bool moves, bool births);
/* Puts refusals into the list, after the first counts->refused. That count must be 0 before the first of new claims. */
cudaError_t mass_cuda_remote_decide(cudaStream_t stream, mass_cuda_remote *f, uint32_t sub_phase);
/* Takes back own claims that other ranks refused. index: [count] of their agents or births. */
cudaError_t mass_cuda_remote_refuse(cudaStream_t stream, const mass_cuda_remote *f, uint32_t sub_phase,
                                 const uint32_t *index, uint32_t count);
/* Counts the seats of granted claims. Call it once no claim of the sub-phase can come back, before the next sub-phase
 * is decided or other claims come. */
cudaError_t mass_cuda_remote_settle(cudaStream_t stream, const mass_cuda_remote *f, uint32_t sub_phase);
/* Concludes the decisions (see above). All counts must be 0. If counts->travellers becomes more than traveller_room,
 * the caller enlarges the list and repeats the call. */
cudaError_t mass_cuda_remote_conclude(cudaStream_t stream, const mass_cuda_remote *f);
/* Packs the travellers that conclude has listed, at most `most`, into the list. */
cudaError_t mass_cuda_remote_pack(cudaStream_t stream, const mass_cuda_remote *f, uint32_t most);
/* Applies the manage. f->scratch has mass_cuda_remote_commit_scratch bytes. */
cudaError_t mass_cuda_remote_commit(cudaStream_t stream, const mass_cuda_remote *f);

#ifdef __cplusplus
}
#endif
#endif
