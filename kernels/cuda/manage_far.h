/* SPDX-License-Identifier: Apache-2.0 */
/* manage of a population whose places are divided among ranks, on a GPU (manage.h): the part of one rank, step by step.
 * Between the steps the host carries to other ranks what a step leaves for them, and back (far.h). It decides
 * nothing.
 *
 *   ask       lists the claims of own agents, or of births, to cells of other ranks.
 *   decide    a sub-phase with the claims of other ranks among the own ones. Those of them that it cannot grant are
 *             refused, and so are claims that are taken back for those who had to stay.
 *   refuse    own claims come back from other ranks; who stays for that may have others refused. And so on, until no
 *             rank has anything to tell.
 *   conclude  What was refused becomes a request for no cell, so that all that is left is granted; what becomes of the
 *             agents is counted, and those who leave are listed.
 *   pack      ... with all that they take with them.
 *   commit    carries it all out, with those who come.
 * Only `conclude` and `commit` write anything of the population. All is queued; pointers are addresses on the device
 * unless said otherwise. */
#ifndef MASS_KERNELS_CUDA_FAR_H
#define MASS_KERNELS_CUDA_FAR_H

#include "far.h"
#include "manage.h"

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much of everything there is. */
typedef struct mass_cuda_far_counts {
    uint32_t claims, refused, travellers;
    uint32_t gone, here; /* agents who die or leave; births on cells of this rank */
} mass_cuda_far_counts;

/* What the steps of a manage share. `scratch` and `batch` are aligned to 256 bytes. */
typedef struct mass_cuda_far {
    const mass_manage_work *w; /* host; the same from step to step, but for larger arrays at the commit */
    int32_t ranks;
    const int64_t *first_place;  /* [ranks + 1] */
    mass_cuda_far_counts *counts;
    uint32_t *born, *died;       /* [worlds] births and deaths, by conclude */
    void *scratch;               /* mass_cuda_far_scratch bytes, which stay from begin to pack */
    mass_stop *stop;             /* all zeros */
    uint32_t settled; /* sub-phases, as bits by their number, whose seats have been counted since they were decided */
    bool used;        /* there were claims in scratch */

    /* Those of other ranks to cells of this one. */
    const mass_far_claim *claim; /* [claims] */
    uint32_t claims;
    void *batch; /* mass_cuda_far_batch bytes, which stay until the next claims */

    void *list;         /* what a step leaves for others */
    uint32_t list_room; /* claims that it has room for; it has for refusals of all claims, and for packed travellers */
    uint32_t *travellers; /* [traveller_room] which they are: from conclude to pack */
    uint32_t traveller_room;
    const uint64_t *id_base; /* [worlds] the first id of births of this rank */

    const char *arrivals; /* [arrival_count] travellers (far.h) */
    uint32_t arrival_count;
    uint32_t births; /* that happen, of this rank's agents, wherever */
} mass_cuda_far;

size_t mass_cuda_far_scratch(const mass_manage_work *w);
size_t mass_cuda_far_batch(const mass_manage_work *w, uint32_t claims);
/* Of a commit with so many births and arrivals. */
size_t mass_cuda_far_commit_scratch(const mass_manage_work *w, uint32_t births, uint32_t arrivals);

/* Puts agents in no order (mass_manage_work: loose) in canonical order, in the arrays where they are, and with them
 * what they ask for. scratch: mass_cuda_order_scratch bytes. */
size_t mass_cuda_order_scratch(const mass_manage_work *w);
cudaError_t mass_cuda_order(cudaStream_t stream, const mass_manage_work *w, void *scratch);

/* `settled` and `used` become as they have to be. */
cudaError_t mass_cuda_far_begin(cudaStream_t stream, mass_cuda_far *f);
/* moves, births: of which to list the claims. counts->claims is 0 before; where there are more than list_room, it says
 * how many, and the list is to be made again. */
cudaError_t mass_cuda_far_ask(cudaStream_t stream, const mass_cuda_far *f, bool moves, bool births);
/* Refusals go to the list, behind counts->refused, which is 0 before the first of new claims. */
cudaError_t mass_cuda_far_decide(cudaStream_t stream, mass_cuda_far *f, uint32_t sub_phase);
/* index: [count] of own claims. */
cudaError_t mass_cuda_far_refuse(cudaStream_t stream, const mass_cuda_far *f, uint32_t sub_phase,
                                 const uint32_t *index, uint32_t count);
/* Once no claim of the sub-phase comes back any more, and before the next is decided or other claims come. */
cudaError_t mass_cuda_far_settle(cudaStream_t stream, const mass_cuda_far *f, uint32_t sub_phase);
/* All counts are 0 before. Where there are more travellers than traveller_room, counts->travellers says how many, and
 * it is to be done again. */
cudaError_t mass_cuda_far_conclude(cudaStream_t stream, const mass_cuda_far *f);
/* The travellers that conclude has listed, `most` at most, to the list. */
cudaError_t mass_cuda_far_pack(cudaStream_t stream, const mass_cuda_far *f, uint32_t most);
cudaError_t mass_cuda_far_commit(cudaStream_t stream, const mass_cuda_far *f);

#ifdef __cplusplus
}
#endif
#endif
