/* SPDX-License-Identifier: Apache-2.0 */
/* Short messages between GPUs that can access each other's memory, in one launch. Each rank writes its messages into
 * mailboxes of the others, raises flags there, and waits for their flags. Then it copies its own mailboxes to their
 * targets. MASS_POST_BLOCKS blocks share the work: each has a part of every message, and flags of its own. Two
 * mailboxes take turns: once a sender has a flag of the last exchange, the mailbox of the exchange before is empty. */
#ifndef MASS_KERNELS_CUDA_POST_H
#define MASS_KERNELS_CUDA_POST_H

#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MASS_POST_RANKS_MOST = 16,
    MASS_POST_BLOCKS = 16,
    MASS_POST_LETTERS_MOST = 16,  /* of a launch, in each direction */
    MASS_POST_LETTER_MOST = 5 << 18, /* bytes of a message */
    MASS_POST_BOX = 5 << 19       /* bytes of all messages from one rank to another */
};

/* A message, and its offset in the mailbox. */
typedef struct mass_post_letter {
    char *data; /* at the sender, its source; at the receiver, its target */
    uint32_t bytes, at;
    int32_t rank; /* the other rank */
} mass_post_letter;

/* Each rank has a block of memory with flags, [ranks][MASS_POST_BLOCKS], then mailboxes, [ranks][2], by sender. Memory
 * and numbers begin as zeros. */
typedef struct mass_post {
    int32_t ranks, rank;
    char *const *at;    /* [ranks] the blocks of memory, as addresses of this GPU; on the device */
    uint32_t *numbers;  /* [ranks][MASS_POST_BLOCKS] exchanges with each rank so far */
    const uint32_t *ended; /* in host memory; not 0: no rank sends any more */
    uint32_t with;      /* bits of ranks to exchange flags with; 0: only copy messages */
    uint32_t ahead;     /* 1: the messages belong to the next exchange; 0: to the last one */
    uint32_t sends, receives;
    mass_post_letter send[MASS_POST_LETTERS_MOST], receive[MASS_POST_LETTERS_MOST];
} mass_post;

/* Returns the bytes of a rank's memory: the flags, and two mailboxes for each sender. */
size_t mass_cuda_post_bytes(int32_t ranks);
/* Queues the launch. overlaps: it may begin while the one before it ends. On GPUs that support it, the next launch may
 * begin while this one ends. */
cudaError_t mass_cuda_post(cudaStream_t stream, const mass_post *p, bool overlaps);

#ifdef __cplusplus
}
#endif
#endif
