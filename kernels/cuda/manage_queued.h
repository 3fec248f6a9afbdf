/* SPDX-License-Identifier: Apache-2.0 */
/* manage of a population whose places are divided among ranks, on a GPU, of which all is queued and the host decides
 * nothing, so that it can be kept in recordings. What manage_far.h has the host carry goes from device to device here,
 * in messages of a fixed size, a box for each rank, and as many rounds of refusals are done as the caller says. Whether
 * that was enough, all ranks find out together, as each tells all others before any of them writes anything: if a box
 * was too small on any rank, or its arrays are, or somebody would have had more to tell, the manage stops
 * (mass_stop), having changed nothing. Places hold one agent at most, and no child is born on another rank's.
 *
 * A box of claims is of slots of mass_cuda_queued_slot bytes: the number of claims in the first one, then a claim and
 * behind it the traveller that its agent would be (far.h). So claims that are granted are those who come. A box of
 * refusals has the number of them, and MASS_CUDA_REFUSALS_FROM words on their indices. A box of news has
 * mass_cuda_queued_words words of 64 bits, and then a bit for each place beside the cut, which says whether somebody
 * will stand there.
 *
 * Boxes are exchanged by the caller between the steps, or, where devices reach each other's memory, they are written
 * where they are read, and kernels wait for them (manage_tell.cuh). */
#ifndef MASS_KERNELS_CUDA_QUEUED_H
#define MASS_KERNELS_CUDA_QUEUED_H

#include "far.h"
#include "manage.h"

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MASS_CUDA_REFUSALS_FROM = 4,
    MASS_CUDA_REFUSALS_MOST = (1 << 24) - 1, /* of a box in a round, as flags have so many bits for their number */
};

/* Flags that a rank raises in the memory of another: one for claims, one for news, and two of 64 bits by turns for
 * rounds of refusals, which say how many there are. */
enum {
    MASS_CUDA_FLAG_CLAIMS,
    MASS_CUDA_FLAG_NEWS,
    MASS_CUDA_FLAG_REFUSALS,
    MASS_CUDA_FLAGS = 8
};

/* Where, in the memory of another rank, this rank's claims, refusals and news go, and its flags are. */
typedef struct mass_cuda_reach {
    char *claims, *news;
    uint32_t *refused, *flags;
    uint32_t round_words; /* from one round of refusals to the next, of two by turns */
} mass_cuda_reach;

/* Where boxes of claims to and from a rank begin, in slots, and how many claims they have room for; where those of
 * the refusals that go back begin, in words: for its claims, and for the own ones; and where those of news begin, in
 * bytes. */
typedef struct mass_cuda_box {
    uint32_t out, out_room, in, in_room;
    uint32_t refused_out, refused_in;
    size_t news_out, news_in;
} mass_cuda_box;

/* Places that follow each other, and the word of all news where their bits begin. */
typedef struct mass_cuda_run {
    uint64_t first; /* cell of this rank; or of those beside it, the number among crowds (mass_agents) */
    uint32_t count, word;
    int32_t rank; /* the other one */
} mass_cuda_run;

/* How much of everything there is. trouble: it cannot be carried out in this way. All zeros in the beginning. */
typedef struct mass_cuda_queued_counts {
    uint32_t trouble, died, left, arrivals;
    uint32_t round; /* of refusals, where devices exchange them by themselves */
} mass_cuda_queued_counts;

/* What the steps of a manage share. Aligned to 256 bytes; of refusals there are `rounds` + 1 times all boxes that go
 * out and `rounds` times those that come in. Boxes that go out are empty, that is all zeros, before the first manage;
 * each leaves them so. */
typedef struct mass_cuda_queued {
    const mass_manage_work *w; /* host; the same from step to step */
    int32_t ranks, rank;
    const int64_t *first_place;  /* [ranks + 1] */
    const mass_cuda_box *boxes;  /* [ranks] */
    char *out, *in;              /* claims */
    uint32_t in_slots, out_slots; /* of all boxes that come in, and that go out */
    uint32_t *refused_out, *refused_in;
    uint32_t out_words, in_words; /* of one round of refusals */
    uint32_t rounds;
    bool moves; /* claims are exchanged; else nobody may ask for another rank's place */
    char *news_out, *news_in;
    const mass_cuda_run *seen_out, *seen_in; /* whose bits go out, and come in */
    uint32_t seen_out_count, seen_in_count;
    uint32_t *crowds;            /* of mass_agents; or NULL where there are no runs */
    void *scratch;               /* mass_cuda_queued_scratch bytes */
    mass_stop *stop;
    /* Where devices reach each other; `out`, refused_out and news_out then have the numbers of what is in the boxes,
     * and what a rank tells itself. There are as many rounds of refusals as it takes then. */
    const mass_cuda_reach *reach; /* [ranks] for this turn; NULL: the caller exchanges */
    const uint32_t *flags;        /* [ranks][MASS_CUDA_FLAGS] those of others */
    uint32_t *number;             /* of the manage, from 1 on */
    const uint32_t *ended;        /* in the host's memory: not 0: nothing comes any more */
} mass_cuda_queued;

size_t mass_cuda_queued_slot(const mass_manage_work *w);
size_t mass_cuda_queued_words(int32_t worlds);
size_t mass_cuda_queued_scratch(const mass_manage_work *w, uint32_t in_slots, uint32_t out_slots);
/* Whether agents have no more attributes than these kernels take. */
bool mass_cuda_queued_takes(const mass_manage_work *w);

/* Who stays, and the claims of this rank's agents into boxes, where there are `moves`. */
cudaError_t mass_cuda_queued_begin(cudaStream_t stream, const mass_cuda_queued *q);
/* Once claims have come; where devices reach each other, steps wait for what they need. Refusals go to the boxes of
 * round 0. */
cudaError_t mass_cuda_queued_move(cudaStream_t stream, const mass_cuda_queued *q);
/* Once the refusals of round `round` have come; more go to the boxes of the round after it. Where devices reach each
 * other, this is once for all rounds, and where agents keep their places in the arrays, too, all are a part of the
 * conclusion. */
cudaError_t mass_cuda_queued_refuse(cudaStream_t stream, const mass_cuda_queued *q, uint32_t round);
/* Once no more refusals are awaited: the news, and what becomes of everybody. */
cudaError_t mass_cuda_queued_conclude(cudaStream_t stream, const mass_cuda_queued *q);
/* Once all ranks' news have come, which it awaits where devices reach each other: stops, or carries it all out, with
 * the crowds beside the cut. Where agents keep their places in the arrays, who comes takes one that was left. */
cudaError_t mass_cuda_queued_commit(cudaStream_t stream, const mass_cuda_queued *q);

#ifdef __cplusplus
}
#endif
#endif
