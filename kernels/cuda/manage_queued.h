/* SPDX-License-Identifier: Apache-2.0 */
/* manage of a population whose places are divided among ranks, on a GPU, of which all is queued and the host decides
 * nothing, so that it can be kept in recordings. What manage_far.h has the host carry goes from device to device here,
 * in messages of a fixed size, a box for each rank, and as many rounds of refusals are done as the caller says. Whether
 * that was enough, all ranks find out together, by the sum of some words, before any of them writes anything: if a box
 * was too small on any rank, or its arrays are, or somebody would have had more to tell, the manage stops
 * (mass_stop), having changed nothing. Places hold one agent at most, and no child is born on another rank's.
 *
 * A box of claims is of slots of mass_cuda_queued_slot bytes: the number of claims in the first one, then a claim and
 * behind it the traveller that its agent would be (far.h). So claims that are granted are those who come. A box of
 * refusals has the number of them, and MASS_CUDA_REFUSALS_FROM words on their indices. */
#ifndef MASS_KERNELS_CUDA_QUEUED_H
#define MASS_KERNELS_CUDA_QUEUED_H

#include "far.h"
#include "manage.h"

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MASS_CUDA_REFUSALS_FROM = 4 };

/* Where boxes of claims to and from a rank begin, in slots, and how many claims they have room for; and where those of
 * the refusals that go back begin, in words: for its claims, and for the own ones. */
typedef struct mass_cuda_box {
    uint32_t out, out_room, in, in_room;
    uint32_t refused_out, refused_in;
} mass_cuda_box;

/* How much of everything there is. trouble: it cannot be carried out in this way. */
typedef struct mass_cuda_queued_counts {
    uint32_t trouble, gone, here, arrivals;
} mass_cuda_queued_counts;

/* What the steps of a manage share. Aligned to 256 bytes; of refusals there are `rounds` + 1 times all boxes that go
 * out and `rounds` times those that come in. */
typedef struct mass_cuda_queued {
    const mass_manage_work *w; /* host; the same from step to step */
    int32_t ranks, rank;
    const int64_t *first_place;  /* [ranks + 1] */
    const mass_cuda_box *boxes;  /* [ranks] */
    char *out, *in;              /* claims */
    uint32_t in_slots;           /* of all boxes that come in */
    uint32_t *refused_out, *refused_in;
    uint32_t out_words, in_words; /* of one round of refusals */
    uint32_t rounds;
    bool moves; /* claims are exchanged; else nobody may ask for another rank's place */
    mass_cuda_queued_counts *counts;
    uint32_t *born, *died;       /* [worlds] */
    void *batch;                 /* mass_cuda_queued_batch bytes */
    void *scratch;               /* mass_cuda_queued_scratch bytes */
    int64_t *words;              /* [mass_cuda_queued_words] */
    uint64_t *id_base;           /* [worlds] */
    mass_stop *stop;
    uint32_t settled; /* as in mass_cuda_far; begin sets both */
    bool used;
} mass_cuda_queued;

size_t mass_cuda_queued_slot(const mass_manage_work *w);
size_t mass_cuda_queued_words(int32_t worlds, int32_t ranks);
size_t mass_cuda_queued_batch(uint32_t in_slots);
size_t mass_cuda_queued_scratch(const mass_manage_work *w, uint32_t in_slots);
/* Whether agents have no more attributes than these kernels take. */
bool mass_cuda_queued_takes(const mass_manage_work *w);

/* The claims of this rank's agents into boxes, where there are `moves`. */
cudaError_t mass_cuda_queued_begin(cudaStream_t stream, mass_cuda_queued *q);
/* Once claims have come; each sub-phase in its order. Refusals go to the boxes of round 0. */
cudaError_t mass_cuda_queued_decide(cudaStream_t stream, mass_cuda_queued *q, uint32_t sub_phase);
/* Once the refusals of round `round` have come; more go to the boxes of the round after it. */
cudaError_t mass_cuda_queued_refuse(cudaStream_t stream, const mass_cuda_queued *q, uint32_t round);
/* Once all is decided: words, which are then to become the sum of all ranks'. */
cudaError_t mass_cuda_queued_sum(cudaStream_t stream, mass_cuda_queued *q);
/* Once they have: stops, or carries it all out. */
cudaError_t mass_cuda_queued_commit(cudaStream_t stream, const mass_cuda_queued *q);

#ifdef __cplusplus
}
#endif
#endif
