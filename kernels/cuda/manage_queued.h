/* SPDX-License-Identifier: Apache-2.0 */
/* manage of a population whose places are divided among ranks, on a GPU. All work is queued and the host decides
 * nothing, so it can be recorded. The messages that the host carries in manage_remote.h go from device to device here.
 * They have fixed sizes, with a mailbox for each rank, and there are as many rounds of refusals as the caller says.
 * Each rank tells all others whether that was enough, before any of them writes to the population. The manage stops
 * (mass_stop), and changes nothing, if a mailbox or an array was too small on any rank, or if a rank had more refusals
 * to send. Places hold one agent at most, and no child is born on another rank's place.
 *
 * A mailbox of claims has slots of mass_cuda_queued_slot bytes. The first slot has the number of claims. The others
 * have a claim, and then the traveller that its agent would be (remote.h). So granted claims are arrivals. A mailbox of
 * refusals has the number of refusals and, from word MASS_CUDA_REFUSALS_FROM on, their indices. A mailbox of status has
 * mass_cuda_queued_words words of 64 bits, then a bit for each place next to the boundary: set if the place will hold
 * an agent.
 *
 * The caller exchanges the mailboxes between the steps. If devices access each other's memory, the sender writes into
 * the receiver's mailboxes instead, and kernels wait for each other (manage_notify.cuh). */
#ifndef MASS_KERNELS_CUDA_QUEUED_H
#define MASS_KERNELS_CUDA_QUEUED_H

#include "remote.h"
#include "manage.h"

#include <cuda_runtime.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MASS_CUDA_REFUSALS_FROM = 4,
    MASS_CUDA_REFUSALS_MOST = (1 << 24) - 1, /* of a mailbox in a round; flags have this many bits for their number */
};

/* Flags that a rank raises in the memory of another. There is one for claims, one for the status, and two of 64 bits
 * for rounds of refusals. These two take turns and hold the number of refusals. */
enum {
    MASS_CUDA_FLAG_CLAIMS,
    MASS_CUDA_FLAG_NEWS,
    MASS_CUDA_FLAG_REFUSALS,
    MASS_CUDA_FLAGS = 8
};

/* Where, in the memory of another rank, this rank's claims, refusals, status and flags go. */
typedef struct mass_cuda_reach {
    char *claims, *news;
    uint32_t *refused, *flags;
    uint32_t round_words; /* from one round of refusals to the next; two take turns */
} mass_cuda_reach;

/* The mailboxes of a rank. Members out and in are the first slots of claims to it and from it, with room for out_room
 * and in_room claims. Members refused_out and refused_in are the first words of refusals of its claims, and of own
 * claims. Members news_out and news_in are the first bytes of the status to it and from it. */
typedef struct mass_cuda_box {
    uint32_t out, out_room, in, in_room;
    uint32_t refused_out, refused_in;
    size_t news_out, news_in;
} mass_cuda_box;

/* Consecutive places, and the word of all status mailboxes where their bits begin. */
typedef struct mass_cuda_run {
    uint64_t first; /* cell of this rank; for places on the other side of the boundary, index among `place_counts`
                       (mass_agents) */
    uint32_t count, word;
    int32_t rank; /* the other rank */
} mass_cuda_run;

/* Counts of a manage. trouble: it cannot be applied in this way. All zeros at the start. */
typedef struct mass_cuda_queued_counts {
    uint32_t trouble, died, left, arrivals;
    uint32_t round; /* of refusals, if devices exchange them */
} mass_cuda_queued_counts;

/* Shared by the steps of a manage. Memory is aligned to 256 bytes. There are `rounds` + 1 sets of outgoing mailboxes of
 * refusals, and `rounds` sets of incoming ones. Outgoing mailboxes must be empty, that is all zeros, before the first
 * manage; each manage leaves them empty. */
typedef struct mass_cuda_queued {
    const mass_manage_work *w; /* host; the same in all steps */
    int32_t ranks, rank;
    const int64_t *first_place;  /* [ranks + 1] */
    const mass_cuda_box *boxes;  /* [ranks] */
    char *out, *in;              /* claims */
    uint32_t in_slots, out_slots; /* slots of all incoming mailboxes, and of all outgoing ones */
    uint32_t *refused_out, *refused_in;
    uint32_t out_words, in_words; /* words of one round of refusals */
    uint32_t rounds;
    bool moves; /* claims are exchanged; false: no agent may ask for another rank's place */
    char *news_out, *news_in;
    const mass_cuda_run *seen_out, *seen_in; /* places whose bits are sent, and received */
    uint32_t seen_out_count, seen_in_count;
    uint32_t *place_counts;            /* of mass_agents; or NULL if there are no runs */
    void *scratch;               /* mass_cuda_queued_scratch bytes */
    mass_stop *stop;
    /* If devices access each other's memory: `out`, refused_out and news_out then have the numbers of records in the
     * mailboxes, and this rank's messages to itself. Rounds of refusals then continue as long as needed. */
    const mass_cuda_reach *reach; /* [ranks] for this turn; NULL: the caller exchanges */
    const uint32_t *flags;        /* [ranks][MASS_CUDA_FLAGS] flags that other ranks raise here */
    uint32_t *number;             /* number of the manage, from 1 on */
    const uint32_t *ended;        /* in host memory; not 0: no rank sends any more */
} mass_cuda_queued;

/* Return the bytes of a slot of the mailboxes, the words of a status before its bits, and the bytes of scratch memory
 * for at most this many slots from and to other ranks. */
size_t mass_cuda_queued_slot(const mass_manage_work *w);
size_t mass_cuda_queued_words(int32_t worlds);
size_t mass_cuda_queued_scratch(const mass_manage_work *w, uint32_t in_slots, uint32_t out_slots);
/* Returns whether these kernels can take the attributes of the agents; they take a limited number. */
bool mass_cuda_queued_takes(const mass_manage_work *w);

/* Finds agents that stay, and puts the claims of this rank's agents into mailboxes if `moves`. If devices access each
 * other's memory, adds 1 to *q->number. */
cudaError_t mass_cuda_queued_begin(cudaStream_t stream, const mass_cuda_queued *q);
/* Decides moves, once claims have arrived. If devices access each other's memory, the steps wait for what they need.
 * Refusals go to the mailboxes of round 0. */
cudaError_t mass_cuda_queued_move(cudaStream_t stream, const mass_cuda_queued *q);
/* Takes back own claims, once the refusals of round `round` have arrived. Further refusals go to the mailboxes of the
 * next round. If devices access each other's memory, one call does all rounds; if agents also stay in place, the
 * conclusion does them. */
cudaError_t mass_cuda_queued_refuse(cudaStream_t stream, const mass_cuda_queued *q, uint32_t round);
/* Writes the status, and settles all agents. No refusals may be due any more. */
cudaError_t mass_cuda_queued_conclude(cudaStream_t stream, const mass_cuda_queued *q);
/* Awaits the status of all ranks if devices access each other's memory; otherwise it must have arrived. Stops, or
 * applies the manage, and sets the counts of agents next to the boundary. If agents stay in place, arrivals take array
 * elements that are free. */
cudaError_t mass_cuda_queued_commit(cudaStream_t stream, const mass_cuda_queued *q);

#ifdef __cplusplus
}
#endif
#endif
