/* SPDX-License-Identifier: Apache-2.0 */
/* Short messages between GPUs that reach each other's memory: each writes what it has into boxes of the others, raises
 * flags there, waits for theirs, and takes what is in its own boxes to where it belongs, in one launch of
 * MASS_POST_BLOCKS blocks, of which each has a part of every message, and flags of its own. Of two boxes by turns, the
 * one before last was emptied when its sender has heard of the last one. */
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
    MASS_POST_LETTERS_MOST = 16,  /* of a launch, either way */
    MASS_POST_LETTER_MOST = 5 << 18, /* bytes of one */
    MASS_POST_BOX = 5 << 19       /* bytes of all from one rank to another */
};

/* A message, and where it lies in the box. */
typedef struct mass_post_letter {
    char *data; /* of the one who sends it, or who takes it */
    uint32_t bytes, at;
    int32_t rank; /* the other one */
} mass_post_letter;

/* A piece of memory of each rank has flags, [ranks][MASS_POST_BLOCKS], and then boxes, [ranks][2], by the rank that
 * sends. All zeros in the beginning, like numbers. */
typedef struct mass_post {
    int32_t ranks, rank;
    char *const *at;    /* [ranks] pieces, as this GPU reaches them; on the device */
    uint32_t *numbers;  /* [ranks][MASS_POST_BLOCKS] of the exchanges with each rank, so far */
    const uint32_t *ended; /* in the host's memory: not 0: nothing comes any more */
    uint32_t with;      /* bits of ranks with which flags are raised and awaited; 0: letters only */
    uint32_t ahead;     /* 1: letters are of the exchange that comes, 0: of the last one */
    uint32_t sends, receives;
    mass_post_letter send[MASS_POST_LETTERS_MOST], receive[MASS_POST_LETTERS_MOST];
} mass_post;

size_t mass_cuda_post_bytes(int32_t ranks);
/* overlaps: its launch may begin while the one before it ends. On GPUs that can, the next one may begin so, too. */
cudaError_t mass_cuda_post(cudaStream_t stream, const mass_post *p, bool overlaps);

#ifdef __cplusplus
}
#endif
#endif
